//! The sandbox for programs of others: no network, none of this user's files, no privileges, and an
//! end together with verdict.
//!
//! By bubblewrap (`bwrap`), by systemd (`systemd-run --user`), or none. Only a trial shows
//! whether one works here: containers often forbid it.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};
use std::{env, fmt};

use super::confine::{Allowance, NOBODY, is_superuser};
use super::guard::Guarded;

/// How long a program that does nothing may take in the sandbox.
const TRY_WITHIN: Duration = Duration::from_secs(20);
const NAP: Duration = Duration::from_millis(5);
/// Folders that are empty inside, except for paths that are to be read.
const HIDDEN: [&str; 8] = ["/home", "/root", "/tmp", "/var/tmp", "/run", "/mnt", "/media", "/srv"];
/// Size of a temporary folder, in bytes.
pub(super) const SCRATCH: u64 = 512 << 20;
/// `PATH` inside.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/games";
/// bwrap's own processes live as long as the program and keep standard input and output open, so that
/// nobody would see the program close them. They close all other files. So the program's pipes pass
/// them under these numbers (of one digit: some shells know no others).
const AROUND_BWRAP: &str = r#"exec "$@" 8<&0 9>&1 </dev/null >/dev/null"#;
/// The pipes in their places again.
const IN_BWRAP: &str = r#"exec "$@" <&8 >&9 8<&- 9>&-"#;
pub(super) const SHELL: &str = "/bin/sh";
/// Needed to resolve names and to check certificates.
const FOR_NETWORK: &str = "/etc/resolv.conf";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SandboxKind {
    Bwrap,
    Systemd,
    Off,
}

impl SandboxKind {
    pub fn word(self) -> &'static str {
        match self {
            SandboxKind::Bwrap => "bwrap",
            SandboxKind::Systemd => "systemd",
            SandboxKind::Off => "off",
        }
    }
}

impl fmt::Display for SandboxKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for SandboxKind {
    type Err = String;

    fn from_str(text: &str) -> Result<SandboxKind, String> {
        [SandboxKind::Bwrap, SandboxKind::Systemd, SandboxKind::Off]
            .into_iter()
            .find(|kind| kind.word() == text)
            .ok_or_else(|| format!("expected bwrap, systemd or off, found '{text}'"))
    }
}

/// A sandbox that works here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox(How);

#[derive(Debug, Clone, PartialEq, Eq)]
enum How {
    Bwrap {
        bwrap: PathBuf,
        /// With it root becomes `nobody`.
        setpriv: Option<PathBuf>,
    },
    Systemd(PathBuf),
    Off,
}

impl Sandbox {
    /// No sandbox.
    pub fn off() -> Sandbox {
        Sandbox(How::Off)
    }

    /// Tries all ways of this kind. The error says why none works.
    pub fn find(kind: SandboxKind) -> Result<Sandbox, String> {
        let ways = match kind {
            SandboxKind::Off => return Ok(Sandbox::off()),
            SandboxKind::Bwrap => {
                let bwrap = in_path("bwrap").ok_or("bwrap is not installed")?;
                let setpriv = in_path("setpriv").filter(|_| is_superuser());
                let as_nobody = setpriv.map(|it| (bwrap.clone(), Some(it)));
                let ways = as_nobody.into_iter().chain([(bwrap, None)]);
                ways.map(|(bwrap, setpriv)| How::Bwrap { bwrap, setpriv }).collect()
            }
            SandboxKind::Systemd => {
                vec![How::Systemd(in_path("systemd-run").ok_or("systemd-run is not installed")?)]
            }
        };
        let mut why = String::new();
        for way in ways {
            let sandbox = Sandbox(way);
            match sandbox.attempt() {
                Ok(()) => return Ok(sandbox),
                Err(failed) => why = failed,
            }
        }
        Err(format!("{kind} does not work here: {why}"))
    }

    pub fn kind(&self) -> SandboxKind {
        match &self.0 {
            How::Bwrap { .. } => SandboxKind::Bwrap,
            How::Systemd(_) => SandboxKind::Systemd,
            How::Off => SandboxKind::Off,
        }
    }

    pub fn is_off(&self) -> bool {
        self.0 == How::Off
    }

    fn attempt(&self) -> Result<(), String> {
        let confinement = Confinement::of(self.clone());
        let mut command =
            confinement.command(Path::new(SHELL), &["-c".into(), "exit 0".into()], None, &[]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut tried = Guarded::spawn(command).map_err(|error| error.to_string())?;
        let until = Instant::now() + TRY_WITHIN;
        let status = loop {
            match tried.child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if Instant::now() < until => std::thread::sleep(NAP),
                Ok(None) => return Err(format!("no answer within {TRY_WITHIN:?}")),
                Err(error) => return Err(error.to_string()),
            }
        };
        if status.success() {
            return Ok(());
        }
        let mut said = String::new();
        if let Some(stderr) = tried.child.stderr.take() {
            // Output that cannot be read is left out of the message.
            let _ = stderr.take(4096).read_to_string(&mut said);
        }
        let said: String = said.lines().next().unwrap_or_default().chars().take(200).collect();
        Err(if said.is_empty() { super::ending(status) } else { said })
    }
}

fn in_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// A sandbox, with the paths and rights of a program inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confinement {
    pub sandbox: Sandbox,
    /// Files and folders that can be read inside, at the same path.
    pub readable: Vec<PathBuf>,
    /// Folders that can be written.
    pub writable: Vec<PathBuf>,
    pub network: bool,
    pub allowance: Allowance,
    /// Whether programs of root keep its user id: builds do, because they write into folders.
    pub keeps_user: bool,
}

impl Confinement {
    pub fn of(sandbox: Sandbox) -> Confinement {
        Confinement {
            sandbox,
            readable: Vec::new(),
            writable: Vec::new(),
            network: false,
            allowance: Allowance::default(),
            keeps_user: false,
        }
    }

    /// Whether the exit status is that of the sandbox, which reports a signal as 128 plus its
    /// number.
    pub fn hides_signals(&self) -> bool {
        !self.sandbox.is_off()
    }

    /// A command that starts a program in the sandbox with these environment variables.
    pub fn command(
        &self,
        program: &Path,
        args: &[OsString],
        dir: Option<&Path>,
        variables: &[(&str, &str)],
    ) -> Command {
        let mut command = match &self.sandbox.0 {
            How::Bwrap { bwrap, setpriv } => {
                self.by_bwrap(bwrap, setpriv.as_deref(), dir, variables)
            }
            How::Systemd(run) => return self.by_systemd(run, (program, args), dir, variables),
            How::Off => {
                let mut command = Command::new(program);
                command.args(args).envs(variables.iter().copied());
                if let Some(dir) = dir {
                    command.current_dir(dir);
                }
                self.allowance.impose(&mut command, false);
                return command;
            }
        };
        command.arg(program).args(args);
        command
    }

    fn by_bwrap(
        &self,
        bwrap: &Path,
        setpriv: Option<&Path>,
        dir: Option<&Path>,
        variables: &[(&str, &str)],
    ) -> Command {
        let mut command = Command::new(SHELL);
        command.args(["-c", AROUND_BWRAP, SHELL]).arg(bwrap);
        // The guard knows a process by them: one that bwrap has begun and not prepared yet waits for
        // bwrap without end, and does not die with it.
        command.envs(variables.iter().copied());
        // In a user namespace there is no other user, and where root needs none it may not get one.
        command.args(match setpriv {
            Some(_) => &["--unshare-ipc", "--unshare-pid", "--unshare-uts"][..],
            None => &["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts"],
        });
        let setpriv = setpriv.filter(|_| !self.keeps_user);
        if !self.network {
            command.arg("--unshare-net");
        }
        command.args(["--unshare-cgroup-try", "--die-with-parent", "--new-session"]);
        command.args(["--cap-drop", "ALL", "--clearenv"]);
        if setpriv.is_some() {
            for right in ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"] {
                command.args(["--cap-add", right]);
            }
        }
        for (name, value) in usual_variables().iter().chain(variables) {
            command.args(["--setenv", name, value]);
        }
        command.args(["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]);
        // Root may write the kernel's settings there without any capability.
        command.args(["--ro-bind-try", "/proc/sys", "/proc/sys"]);
        let hidden = hidden();
        for folder in &hidden {
            let (rights, size) = ("1777", SCRATCH.to_string());
            command.args(["--perms", rights, "--size", &size, "--tmpfs"]).arg(folder);
        }
        let resolved = self.network.then(|| Path::new(FOR_NETWORK).canonicalize().ok()).flatten();
        let readable = self.readable.iter().chain(&resolved).map(|path| ("--ro-bind", path));
        let writable = self.writable.iter().map(|path| ("--bind", path));
        for (how, path) in readable.chain(writable) {
            // bwrap would create these folders with access for their owner only.
            for above in above(path, &hidden) {
                command.args(["--perms", "0755", "--dir"]).arg(above);
            }
            command.arg(how).arg(path).arg(path);
        }
        command.arg("--chdir").arg(dir.unwrap_or(Path::new("/tmp"))).arg("--");
        command.args([SHELL, "-c", IN_BWRAP, SHELL]);
        if let Some(setpriv) = setpriv {
            let (user, group) = (format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"));
            command.arg(setpriv).args([user, group]).args([
                "--clear-groups",
                "--inh-caps=-all",
                "--bounding-set=-all",
                "--no-new-privs",
                "--",
            ]);
        }
        self.allowance.impose(&mut command, setpriv.is_some());
        command
    }
}

pub(super) fn usual_variables() -> [(&'static str, &'static str); 3] {
    [("PATH", PATH), ("HOME", "/tmp"), ("LANG", "C.UTF-8")]
}

/// The folders to hide: those that exist, are no links, and are not inside of another.
pub(super) fn hidden() -> Vec<PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from);
    let named = HIDDEN.iter().map(PathBuf::from).chain(home);
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in named.filter_map(|folder| folder.canonicalize().ok()) {
        // If the root of the file system were hidden, nothing could be started.
        let is_inside = found.iter().any(|other| folder.starts_with(other));
        if folder != Path::new("/") && folder.is_dir() && !is_inside {
            found.push(folder);
        }
    }
    found
}

/// The folders that lead from a hidden folder to a path inside, from outside inwards.
fn above<'a>(path: &'a Path, hidden: &[PathBuf]) -> Vec<&'a Path> {
    let Some(hidden) = hidden.iter().find(|hidden| path.starts_with(hidden)) else {
        return Vec::new();
    };
    let mut above: Vec<&Path> = path.ancestors().skip(1).take_while(|it| it != hidden).collect();
    above.reverse();
    above
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[test]
    fn kinds_are_read_as_they_are_written() {
        for kind in [SandboxKind::Bwrap, SandboxKind::Systemd, SandboxKind::Off] {
            assert_eq!(kind.word().parse(), Ok(kind));
        }
        assert!("chroot".parse::<SandboxKind>().is_err());
    }

    #[test]
    fn the_way_to_what_is_read_is_made() {
        let hidden = [PathBuf::from("/tmp"), PathBuf::from("/home")];
        let above = |path: &'static str| above(Path::new(path), &hidden);
        assert_eq!(above("/home/a/b/c"), [Path::new("/home/a"), Path::new("/home/a/b")]);
        assert!(above("/tmp/a").is_empty() && above("/opt/a/b").is_empty());
    }

    #[test]
    fn bwrap_itself_bears_the_mark() {
        let how = How::Bwrap { bwrap: "/usr/bin/bwrap".into(), setpriv: None };
        let confinement = Confinement::of(Sandbox(how));
        let command = confinement.command(Path::new("/bin/sh"), &[], None, &[("MARK", "a b")]);
        let mut variables = command.get_envs();
        assert!(variables.any(|(name, value)| name == "MARK" && value == Some("a b".as_ref())));
    }

    /// The sandboxes that work here.
    fn found() -> impl Iterator<Item = Sandbox> {
        let kinds = [SandboxKind::Bwrap, SandboxKind::Systemd].into_iter();
        let found =
            kinds.map(|kind| Sandbox::find(kind).inspect_err(|why| println!("skipped: {why}")));
        found.flatten()
    }

    /// What a script prints in the sandbox.
    fn printed(sandbox: Sandbox, script: &str, change: impl FnOnce(&mut Confinement)) -> String {
        let mut confinement = Confinement::of(sandbox);
        change(&mut confinement);
        let args = ["-c".into(), script.into()];
        let output = confinement.command(Path::new(SHELL), &args, None, &[("MARK", "a b")]);
        let output = { output }.stdin(Stdio::null()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    #[test]
    fn what_is_to_be_read_is_there_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let (given, other) = (folder.path().join("given: /x"), folder.path().join("other"));
        std::fs::create_dir_all(&given).unwrap();
        std::fs::write(given.join("file"), "seen").unwrap();
        std::fs::write(&other, "secret").unwrap();
        let script = format!(
            "cat '{0}/file' {1}; echo x > '{0}/file' && echo written; echo y > /tmp/own && cat /tmp/own; \
             echo $MARK; ls ~; touch /usr/x && echo rooted",
            given.display(),
            other.display()
        );
        for sandbox in found() {
            let text = printed(sandbox, &script, |it| it.readable.push(given.clone()));
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines.first(), Some(&"seeny"), "{text}");
            assert_eq!(lines.get(1), Some(&"a b"), "{text}");
            assert!(
                !["secret", "written", "rooted"].iter().any(|word| text.contains(word)),
                "{text}"
            );
        }
    }

    #[test]
    fn words_and_signals_are_not_changed() {
        let word = r#"a $HOME $$ %n "\x"#;
        for sandbox in found() {
            let args = ["-c", r#"printf %s "$0"; kill -SEGV $$"#, word].map(OsString::from);
            let mut command = Confinement::of(sandbox).command(Path::new(SHELL), &args, None, &[]);
            let output = command.stdin(Stdio::null()).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout), word);
            let status = super::super::without_shell(output.status);
            assert_eq!(status.signal(), Some(libc::SIGSEGV), "{output:?}");
        }
    }

    #[test]
    fn a_limit_holds_inside() {
        let script = "head -c 3000000 /dev/zero > /tmp/big; wc -c < /tmp/big";
        let limit = |it: &mut Confinement| it.allowance.file = Some(1 << 20);
        for sandbox in found() {
            assert_eq!(printed(sandbox, script, limit).trim(), (1 << 20).to_string());
        }
    }

    #[test]
    fn a_builder_writes_where_it_may() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("tree");
        std::fs::create_dir(&tree).unwrap();
        let script = format!("echo made > {}/engine", tree.display());
        for sandbox in found() {
            let text = printed(sandbox, &script, |it| {
                it.writable.push(tree.clone());
                it.keeps_user = true;
            });
            let engine = tree.join("engine");
            assert_eq!(std::fs::read_to_string(&engine).unwrap_or_default(), "made\n", "{text}");
            std::fs::remove_file(engine).unwrap();
        }
    }

    /// The kernel's settings belong to root, which builds run as where verdict does.
    #[test]
    fn a_builder_changes_no_setting_of_the_kernel() {
        let script = "cd /proc/sys/kernel; for f in core_pattern hostname printk; do \
                      if { cat $f > $f; } 2>/dev/null; then echo wrote $f; fi; done; \
                      for f in /sys /sys/fs/cgroup/*; do if [ -w $f ]; then echo may write $f; fi; done; \
                      echo done";
        for sandbox in found() {
            assert_eq!(printed(sandbox, script, |it| it.keeps_user = true), "done\n");
        }
    }
}
