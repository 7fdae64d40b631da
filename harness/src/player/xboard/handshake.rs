//! From `xboard` to the first `pong`: what the engine can do, and its options set.

use std::time::{Duration, Instant};

use super::features::Features;
use crate::player::Fault;
use crate::player::program::options::{self, Value};
use crate::player::program::{Expected, HandshakeError, Identity, Process, ProgramSpec};

/// An engine that has not said `done=1` by then says nothing more, as in the protocol's first
/// version.
const SILENCE: Duration = Duration::from_secs(2);

/// What the engine told, and was told.
pub(super) struct Handshake {
    pub(super) identity: Identity,
    pub(super) features: Features,
}

/// Performs it.
pub(super) fn perform(
    process: &mut Process,
    spec: &ProgramSpec,
) -> Result<Handshake, HandshakeError> {
    let settings = process.settings().clone();
    let mut features = Features::default();
    let mut setup = String::new();
    introduce(process, "xboard\nprotover 2\n", &mut features, &mut setup)?;
    if let Some(list) = options::long_list(spec, &features.options) {
        let [on, off] = [true, false].map(|on| set_line(&list.name, &Value::Check(on)));
        features = Features::default();
        introduce(process, &format!("{on}protover 2\n"), &mut features, &mut String::new())?;
        // What is set then is wanted, even if it is as listed.
        setup.push_str(&off);
    }

    let fallback = || spec.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = features.name.clone().unwrap_or_else(fallback);
    let mut identity = Identity { name, ..Identity::default() };
    let given = |name: &str| spec.options.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
    let hash = settings.hash_mib.filter(|_| !given("Hash"));
    let threads = settings.threads.filter(|_| !given("Threads"));
    let mut commands = Vec::new();
    // The protocol has commands of its own for these; engines without them may have options.
    for (supported, command, value) in
        [(features.memory, "memory", hash), (features.smp, "cores", threads)]
    {
        if let Some(value) = value.filter(|_| supported) {
            commands.push(format!("{command} {value}\n"));
            identity.options.push((command.to_owned(), value.to_string()));
        }
    }
    let common = [
        ("Hash", hash.filter(|_| !features.memory)),
        ("Threads", threads.filter(|_| !features.smp)),
    ];
    for chosen in options::choose(spec, &features.options, &common)? {
        setup.push_str(&set_line(&chosen.name, &chosen.value));
        identity.options.push((chosen.name, chosen.given));
    }
    setup.extend(commands);
    let handshake = Handshake { identity, features };
    handshake.sync(process, &setup, 0, |_| false)?;
    Ok(handshake)
}

/// Sends `text`, which ends with `protover 2`, and hears what the engine can do; adds the answers to its
/// features, a line each, to `answers`.
pub(super) fn introduce(
    process: &mut Process,
    text: &str,
    features: &mut Features,
    answers: &mut String,
) -> Result<(), Fault> {
    let patience = process.settings().startup;
    let expected =
        Expected { command: "protover 2", answer: "feature done=1", patience, search: false };
    let asked = process.send(text, &expected)?;
    while features.done != Some(true) {
        let silence = asked + SILENCE.min(patience / 2);
        let rest = silence.saturating_duration_since(Instant::now());
        if features.done == Some(false) {
            process.read(&expected, |_| ())?;
        } else if !process.read_for(&expected, rest)? {
            break;
        }
        let lines = process.lines();
        while let Some(line) = lines.next() {
            let line = String::from_utf8_lossy(lines.get(line));
            if let Some(text) = line.trim().strip_prefix("feature ") {
                features.take(text, answers);
            }
        }
        lines.forget();
    }
    process.answered();
    Ok(())
}

impl Handshake {
    /// Sends `text` and waits until the engine has done it, as far as it can tell. Gives back the
    /// first line that `refuses` something of it.
    pub(super) fn sync(
        &self,
        process: &mut Process,
        text: &str,
        number: u64,
        refuses: impl Fn(&[u8]) -> bool,
    ) -> Result<Option<String>, Fault> {
        let patience = process.settings().ready;
        let expected = Expected { command: "ping", answer: "pong", patience, search: false };
        if !self.features.ping {
            process.send(text, &expected)?;
            process.answered();
            return Ok(None);
        }
        process.send(&format!("{text}ping {number}\n"), &expected)?;
        let pong = format!("pong {number}");
        let mut refusal = None;
        let answer = |line: &[u8]| {
            if refusal.is_none() && refuses(line) {
                refusal = Some(String::from_utf8_lossy(line).trim().to_owned());
            }
            (line.trim_ascii() == pong.as_bytes()).then_some(())
        };
        process.read_until(&expected, answer)?;
        Ok(refusal)
    }
}

/// The line, with its end, that sets an option.
fn set_line(name: &str, value: &Value) -> String {
    match value {
        Value::Pressed => format!("option {name}\n"),
        Value::Check(on) => format!("option {name}={}\n", u8::from(*on)),
        Value::Text(text) => format!("option {name}={text}\n"),
    }
}
