//! From the first `uci` to the first `readyok`: who the engine is, and its options set.

use crate::player::Fault;
use crate::player::program::options::{self, Declared, MOST_OPTIONS};
use crate::player::program::{
    EngineIdentity, Expected, HandshakeError, Process, ProgramSpec, Protocol, plain_name,
};

/// The option of engines whose clocks can count nodes, as Stockfish named it: nodes a millisecond.
const NODES_TIME: &str = "nodestime";

/// More of what it says is not kept.
const MOST_REMARKS: usize = 20;

pub(super) struct UciHandshake {
    pub(super) identity: EngineIdentity,
    pub(super) options: Vec<Declared>,
}

impl UciHandshake {
    pub(super) fn counts_nodes(&self) -> bool {
        options::find(&self.options, NODES_TIME).is_some()
    }

    /// The line (with its end) that turns Chess960 on or off; `None` if the engine has no such
    /// option.
    pub(super) fn set_chess960(&self, on: bool) -> Option<String> {
        let option = options::find(&self.options, "UCI_Chess960")?;
        Some(option.switch(Protocol::Uci, on))
    }
}

pub(super) fn perform(
    process: &mut Process,
    spec: &ProgramSpec,
) -> Result<UciHandshake, HandshakeError> {
    let settings = process.host.settings.clone();
    let mut identity = EngineIdentity { name: spec.file_name(), ..EngineIdentity::default() };
    let mut declared = introduce(process, "uci\n", &mut identity)?;
    let mut setup = String::new();
    if let Some(list) = options::long_list(spec, &declared, settings.all_options) {
        // What is set then is wanted, even if it is as listed.
        setup = list.switch(spec.protocol, false);
        let text = list.switch(spec.protocol, true) + "uci\n";
        declared = introduce(process, &text, &mut identity)?;
    }

    let common = [
        ("Hash", settings.hash_mib),
        ("Threads", settings.threads),
        ("Ponder", settings.ponder.then_some(1)),
        (NODES_TIME, settings.nodes_per_ms),
    ];
    options::choose(spec, &declared, &common, &mut setup, &mut identity.options)?;
    setup.push_str("isready\n");
    let expected = Expected::new("isready", "readyok", settings.ready);
    let take = |line: &[u8]| {
        let remark = line.trim_ascii().strip_prefix(b"info string ");
        if let Some(remark) = remark.filter(|_| identity.remarks.len() < MOST_REMARKS) {
            identity.remarks.push(plain_name(&String::from_utf8_lossy(remark)));
        }
        is_readyok(line)
    };
    process.ask(&setup, &expected, take)?;
    Ok(UciHandshake { identity, options: declared })
}

/// Sends `text`, which ends with `uci`, and hears who the engine is; the options that it declares.
fn introduce(
    process: &mut Process,
    text: &str,
    identity: &mut EngineIdentity,
) -> Result<Vec<Declared>, Fault> {
    let expected = Expected::new("uci", "uciok", process.host.settings.startup);
    let mut declared = Vec::new();
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
    process.ask(text, &expected, take)?;
    Ok(declared)
}

pub(super) fn is_readyok(line: &[u8]) -> Option<()> {
    (line.trim_ascii() == b"readyok").then_some(())
}
