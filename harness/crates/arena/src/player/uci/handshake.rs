//! From the first `uci` to the first `readyok`: who the engine is, and its options set.

use crate::player::Fault;
use crate::player::program::options::{self, Declared, MOST_OPTIONS, Value};
use crate::player::program::{
    Expected, HandshakeError, Identity, Process, ProgramSpec, plain_name,
};

/// The option of engines whose clocks can count nodes, as Stockfish named it: nodes a millisecond.
const NODES_TIME: &str = "nodestime";

/// More of what it says is not kept.
const MOST_REMARKS: usize = 20;

pub(super) struct Handshake {
    pub(super) identity: Identity,
    options: Vec<Declared>,
}

impl Handshake {
    pub(super) fn counts_nodes(&self) -> bool {
        options::find(&self.options, NODES_TIME).is_some()
    }

    /// The line (with its end) that turns Chess960 on or off; `None` if the engine has no such
    /// option.
    pub(super) fn set_chess960(&self, on: bool) -> Option<String> {
        let option = options::find(&self.options, "UCI_Chess960")?;
        Some(set_line(&option.name, &Value::Check(on)))
    }
}

pub(super) fn perform(
    process: &mut Process,
    spec: &ProgramSpec,
) -> Result<Handshake, HandshakeError> {
    let settings = process.settings().clone();
    let fallback = spec.path.file_name().unwrap_or_default().to_string_lossy();
    let mut identity = Identity { name: fallback.into_owned(), ..Identity::default() };
    let mut declared = introduce(process, "uci\n", &mut identity)?;
    let mut setup = String::new();
    if let Some(list) = options::long_list(spec, &declared) {
        let [on, off] = [true, false].map(|on| set_line(&list.name, &Value::Check(on)));
        declared = introduce(process, &format!("{on}uci\n"), &mut identity)?;
        // What is set then is wanted, even if it is as listed.
        setup.push_str(&off);
    }

    let common = [
        ("Hash", settings.hash_mib),
        ("Threads", settings.threads),
        ("Ponder", settings.ponder.then_some(1)),
        (NODES_TIME, settings.nodes_per_ms),
    ];
    for chosen in options::choose(spec, &declared, &common)? {
        setup.push_str(&set_line(&chosen.name, &chosen.value));
        identity.options.push((chosen.name, chosen.given));
    }
    setup.push_str("isready\n");
    let patience = settings.ready;
    let expected = Expected { command: "isready", answer: "readyok", patience, search: false };
    process.send(&setup, &expected)?;
    let take = |line: &[u8]| {
        let remark = line.trim_ascii().strip_prefix(b"info string ");
        if let Some(remark) = remark.filter(|_| identity.remarks.len() < MOST_REMARKS) {
            identity.remarks.push(plain_name(&String::from_utf8_lossy(remark)));
        }
        is_readyok(line)
    };
    process.read_until(&expected, take)?;
    Ok(Handshake { identity, options: declared })
}

/// Sends `text`, which ends with `uci`, and hears who the engine is; the options that it declares.
fn introduce(
    process: &mut Process,
    text: &str,
    identity: &mut Identity,
) -> Result<Vec<Declared>, Fault> {
    let patience = process.settings().startup;
    let expected = Expected { command: "uci", answer: "uciok", patience, search: false };
    let mut declared = Vec::new();
    process.send(text, &expected)?;
    let take = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match word {
            "uciok" => return Some(()),
            "id" => match rest.trim().split_once(' ') {
                Some(("name", name)) => identity.name = plain_name(name),
                Some(("author", author)) => identity.author = plain_name(author),
                _ => {}
            },
            "option" if declared.len() < MOST_OPTIONS => declared.extend(Declared::uci(rest)),
            _ => {}
        }
        None
    };
    process.read_until(&expected, take)?;
    Ok(declared)
}

pub(super) fn is_readyok(line: &[u8]) -> Option<()> {
    (line.trim_ascii() == b"readyok").then_some(())
}

/// The line, with its end, that sets an option.
fn set_line(name: &str, value: &Value) -> String {
    match value {
        Value::Pressed => format!("setoption name {name}\n"),
        Value::Check(on) => format!("setoption name {name} value {on}\n"),
        Value::Text(text) if text.is_empty() => format!("setoption name {name} value <empty>\n"),
        Value::Text(text) => format!("setoption name {name} value {text}\n"),
    }
}
