//! From `xboard` to the first `pong`: what the engine can do, and its options set.

use super::features::Features;
use super::silence::Silence;
use crate::player::Fault;
use crate::player::program::{
    EngineIdentity, Expected, HandshakeError, Process, ProgramSpec, options,
};

pub(super) struct XboardHandshake {
    pub(super) identity: EngineIdentity,
    pub(super) features: Features,
}

pub(super) fn perform(
    process: &mut Process,
    spec: &ProgramSpec,
) -> Result<XboardHandshake, HandshakeError> {
    let settings = process.host.settings.clone();
    let (mut features, mut setup) = introduce(process, "xboard\nprotover 2\n")?;
    if let Some(list) = options::long_list(spec, &features.options, settings.all_options) {
        // What is set then is wanted, even if it is as listed.
        setup.push_str(&list.switch(spec.protocol, false));
        let text = list.switch(spec.protocol, true) + "protover 2\n";
        (features, _) = introduce(process, &text)?;
    }

    let name = features.name.clone().unwrap_or_else(|| spec.file_name());
    let mut identity = EngineIdentity { name, ..EngineIdentity::default() };
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
    options::choose(spec, &features.options, &common, &mut setup, &mut identity.options)?;
    setup.extend(commands);
    let handshake = XboardHandshake { identity, features };
    handshake.sync(process, &setup, 0, |_| false)?;
    Ok(handshake)
}

/// Sends `text`, which ends with `protover 2`, and hears what the engine can do; with the answers
/// to that, a line each. An engine that says nothing of it speaks the protocol's first version.
pub(super) fn introduce(process: &mut Process, text: &str) -> Result<(Features, String), Fault> {
    let (command, answer) = ("protover 2", "feature done=1");
    let patience = process.host.settings.startup;
    let expected = Expected::new(command, answer, patience);
    let mut silence = Silence::new(patience, process.host.is_silent(&process.spec));
    // The watch must not kill a silent engine of the first version before `Silence` decides.
    process.send(text, &Expected::new(command, answer, silence.longest()))?;
    let (mut features, mut answers) = (Features::of_version_1(), String::new());
    while features.done != Some(true) {
        if features.done == Some(false) {
            process.read(&expected, |_| ())?;
        } else if process.read_for(&expected, silence.look_again())? {
            silence.heard();
        }
        let lines = &mut process.lines;
        while let Some(line) = lines.next() {
            let line = String::from_utf8_lossy(lines.get(line));
            if let Some(text) = line.trim().strip_prefix("feature ") {
                features.take(text, &mut answers);
            }
        }
        lines.forget();
        if features.done.is_some() {
            continue;
        }
        match silence.is_over(process.has_read_all()) {
            None => {}
            Some(true) => break,
            Some(false) => {
                let text = format!("has not read '{command}' within {:?}", expected.patience);
                return Err(Fault::Hang(process.with_last_words(text)));
            }
        }
    }
    process.answered();
    if silence.is_unbroken() {
        process.host.note_silent(&process.spec);
    }
    Ok((features, answers))
}

impl XboardHandshake {
    /// Sends `text` and waits until the engine has done it, as far as it can tell. Gives back the
    /// first line that `refuses` something of it.
    pub(super) fn sync(
        &self,
        process: &mut Process,
        text: &str,
        number: u64,
        refuses: impl Fn(&[u8]) -> bool,
    ) -> Result<Option<String>, Fault> {
        if self.features.ping {
            let text = format!("{text}ping {number}\n");
            return ping(process, &text, &format!("pong {number}"), refuses);
        }
        process.send(text, &Expected::new("ping", "pong", process.host.settings.ready))?;
        process.answered();
        Ok(None)
    }
}

/// Sends what ends with `ping` and waits for the answer. Gives back the first line that `refuses`
/// something of it.
pub(super) fn ping(
    process: &mut Process,
    text: &str,
    pong: &str,
    refuses: impl Fn(&[u8]) -> bool,
) -> Result<Option<String>, Fault> {
    let expected = Expected::new("ping", "pong", process.host.settings.ready);
    let mut refusal = None;
    process.ask(text, &expected, |line| {
        if refusal.is_none() && refuses(line) {
            refusal = Some(String::from_utf8_lossy(line).trim().to_owned());
        }
        (line.trim_ascii() == pong.as_bytes()).then_some(())
    })?;
    Ok(refusal)
}
