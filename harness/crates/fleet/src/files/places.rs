//! Where the files of a run are, for what an engine was told of them: its capsule names the worker's
//! paths, and a replay needs the coordinator's.

use arena::player::program::Capsule;

/// Paths of this machine, and the marks that stand for them in a plan.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places(Vec<[String; 2]>);

impl Places {
    /// `path`: as the engine is told it.
    pub(crate) fn add(&mut self, path: &str, mark: &str) {
        let place = [path.to_owned(), mark.to_owned()];
        if !path.is_empty() && !self.0.contains(&place) {
            self.0.push(place);
            // One path may begin as another one.
            self.0.sort_by_key(|[path, _]| std::cmp::Reverse(path.len()));
        }
    }

    /// With marks in place of paths.
    pub(crate) fn marked(&self, capsule: Capsule) -> Capsule {
        let places = self.0.iter().map(|[path, mark]| (path.as_str(), mark.as_str()));
        replaced(capsule, &places.collect::<Vec<_>>())
    }

    /// With paths in place of marks.
    pub(crate) fn restored(&self, capsule: Capsule) -> Capsule {
        let places = self.0.iter().map(|[path, mark]| (mark.as_str(), path.as_str()));
        replaced(capsule, &places.collect::<Vec<_>>())
    }
}

fn replaced(mut capsule: Capsule, places: &[(&str, &str)]) -> Capsule {
    let Capsule { command, input, transcript, stderr, .. } = &mut capsule;
    for text in [command, input, transcript, stderr] {
        for (this, that) in places {
            if text.contains(this) {
                *text = text.replace(this, that);
            }
        }
    }
    capsule
}

#[cfg(test)]
mod tests {
    use arena::player::program::Protocol;

    use super::*;

    #[test]
    fn paths_of_one_machine_become_those_of_another() {
        let places = |root: &str| {
            let mut places = Places::default();
            for (path, mark) in [("a/b", "sha256:12/b"), ("a/b.bin", "sha256:34/b.bin")] {
                places.add(&format!("{root}/{path}"), mark);
            }
            places
        };
        let told = |root: &str| Capsule {
            protocol: Protocol::Uci,
            command: format!("{root}/a/b"),
            input: format!("uci\nsetoption name Book value {root}/a/b.bin\n"),
            transcript: format!("> setoption name Book value {root}/a/b.bin\n"),
            stderr: format!("cannot read {root}/a/b.bin\n"),
            exit_status: None,
        };
        let marked = places("/there").marked(told("/there"));
        assert!(!format!("{marked:?}").contains("/there"), "{marked:?}");
        assert_eq!(marked.command, "sha256:12/b");
        assert_eq!(places("/here").restored(marked), told("/here"));
    }
}
