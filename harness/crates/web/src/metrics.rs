//! `/metrics`: the runs under way in Prometheus' format.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use axum::extract::State;
use axum::response::Response;

use crate::answer::typed;
use crate::fleet::{BrokerState, FleetState, WorkerPhase, WorkerState};
use crate::shown::Shown;
use crate::state::RunState;

/// Content type of Prometheus' text format.
const KIND: &str = "text/plain; version=0.0.4; charset=utf-8";

pub(crate) async fn metrics(State(shown): State<Shown>) -> Response {
    let states: Vec<_> = shown.site.runs().iter().map(|run| run.state()).collect();
    let mut text = Exposition::default();
    text.runs(&states.iter().map(|state| &**state).collect::<Vec<_>>());
    if let Some(workers) = shown.site.workers() {
        text.workers(&workers);
        text.each_worker(&workers);
    }
    if let Some(broker) = shown.site.broker() {
        text.broker(&broker);
    }
    typed(KIND, text.0)
}

#[derive(Default)]
struct Exposition(String);

impl Exposition {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let labels: Vec<String> =
            labels.iter().map(|(name, value)| format!("{name}=\"{}\"", label(value))).collect();
        let labels =
            if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }

    fn runs(&mut self, runs: &[&RunState]) {
        type Figure<'a> = (&'a str, &'a str, &'a str, fn(&RunState) -> Option<f64>);
        let figures: [Figure; 14] = [
            ("run_pairs", "gauge", "Pairs that count.", |run| Some(run.summary.pairs as f64)),
            ("run_pairs_planned", "gauge", "Pairs of the whole match.", |run| {
                Some(run.total_pairs() as f64)
            }),
            ("run_prefix", "gauge", "Pairs of the gap-free prefix.", |run| Some(run.prefix as f64)),
            ("run_games_total", "counter", "Games that finished.", |run| Some(run.finished as f64)),
            ("run_games_per_second", "gauge", "In this session.", |run| run.games_per_s),
            ("run_faults_total", "counter", "Games that ended by a fault.", |run| {
                Some(run.summary.faults.total as f64)
            }),
            ("run_elo", "gauge", "Elo, test minus base.", |run| run.summary.judged.elo),
            ("run_elo_error95", "gauge", "Half the width of its 95% interval.", |run| {
                run.summary.judged.elo_error95
            }),
            ("run_los", "gauge", "Likelihood that test is stronger, 0 to 1.", |run| {
                run.summary.judged.los
            }),
            ("run_llr", "gauge", "Log-likelihood ratio of the SPRT.", |run| run.summary.judged.llr),
            ("run_ln_e_value_better", "gauge", "ln of the e-value for test the better.", |run| {
                run.summary.judged.evidence.map(|[better, _]| better)
            }),
            ("run_ln_e_value_worse", "gauge", "ln of the e-value for test the worse.", |run| {
                run.summary.judged.evidence.map(|[_, worse]| worse)
            }),
            ("run_finished", "gauge", "1 when the run has a verdict.", |run| {
                Some(f64::from(u8::from(run.verdict().is_some())))
            }),
            ("run_charts_version", "gauge", "Grows with what the charts show.", |run| {
                Some(run.charts_version as f64)
            }),
        ];
        for (name, kind, help, of) in figures {
            let name = format!("verdict_{name}");
            self.head(&name, kind, help);
            for run in runs {
                if let Some(value) = of(run) {
                    self.sample(&name, &[("run", &run.id), ("name", &run.name)], value);
                }
            }
        }
        type Count<'a> = (&'a str, &'a str, fn(&FleetState) -> u64);
        let counts: [Count; 4] = [
            ("redrawn", "Pairs that were lost at one worker and replayed.", |fleet| fleet.redrawn),
            ("refused", "Messages that were refused.", |fleet| fleet.refused),
            ("duplicates", "Games that came twice.", |fleet| fleet.duplicates),
            ("audited", "Pairs that two machines have played, and that were the same.", |fleet| {
                fleet.audited
            }),
        ];
        for (name, help, of) in counts {
            let name = format!("verdict_fleet_{name}_total");
            if runs.iter().any(|run| run.fleet.is_some()) {
                self.head(&name, "counter", help);
            }
            for (run, fleet) in runs.iter().filter_map(|run| Some((run, run.fleet.as_ref()?))) {
                self.sample(&name, &[("run", &run.id)], of(fleet));
            }
        }
    }

    fn workers(&mut self, workers: &[WorkerState]) {
        let mut states: BTreeMap<WorkerPhase, [u64; 2]> = BTreeMap::new();
        for worker in workers {
            let [count, slots] = states.entry(worker.state).or_default();
            *count += 1;
            *slots += worker.slots;
        }
        for (at, name, help) in [(0, "workers", "Workers."), (1, "slots", "Their slots.")] {
            let name = format!("verdict_fleet_{name}");
            self.head(&name, "gauge", help);
            for (state, counts) in &states {
                self.sample(&name, &[("state", state.as_str())], counts[at]);
            }
        }
    }

    fn each_worker(&mut self, workers: &[WorkerState]) {
        type Figure<'a> = (&'a str, &'a str, &'a str, fn(&WorkerState) -> f64);
        let figures: [Figure; 5] = [
            ("slots", "gauge", "Its slots.", |it| it.slots as f64),
            ("games_per_second", "gauge", "Games a second.", |it| it.games_per_s),
            ("games_total", "counter", "Games since it joined.", |it| it.games as f64),
            ("faults_total", "counter", "Faults since it joined.", |it| it.faults as f64),
            (
                "late_total",
                "counter",
                "Games that were spoilt because verdict woke too late.",
                |it| it.late as f64,
            ),
        ];
        let name = "verdict_worker_nodes_per_second";
        self.head(
            name,
            "gauge",
            "Nodes a second of thinking in its games of the run that it plays.",
        );
        for worker in workers {
            if let Some(nps) = worker.residual.as_ref().and_then(|it| it.nps) {
                self.sample(name, &[("worker", &worker.name)], nps);
            }
        }
        for (name, kind, help, of) in figures {
            let name = format!("verdict_worker_{name}");
            self.head(&name, kind, help);
            for worker in workers {
                self.sample(&name, &[("worker", &worker.name)], of(worker));
            }
        }
    }

    fn broker(&mut self, broker: &BrokerState) {
        self.head("verdict_broker_up", "gauge", "1 while the broker answers.");
        self.sample("verdict_broker_up", &[], u8::from(broker.up));
        self.head("verdict_broker_bytes", "gauge", "Bytes of a stream.");
        for (stream, bytes) in &broker.streams {
            self.sample("verdict_broker_bytes", &[("stream", stream)], bytes);
        }
    }
}

/// Escapes a label's value.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_end_where_they_should() {
        let mut text = Exposition::default();
        text.sample("x", &[("name", "a\"} 1\nb\\")], 2);
        assert_eq!(text.0, "x{name=\"a\\\"} 1\\nb\\\\\"} 2\n");
        text.workers(&[
            WorkerState { slots: 3, ..WorkerState::default() },
            WorkerState { slots: 4, ..WorkerState::default() },
        ]);
        assert!(text.0.contains("verdict_fleet_workers{state=\"idle\"} 2\n"), "{}", text.0);
        assert!(text.0.contains("verdict_fleet_slots{state=\"idle\"} 7\n"), "{}", text.0);
    }
}
