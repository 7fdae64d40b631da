//! The sandbox by systemd: each program is a service, of the system if we are root, else of the user.
//!
//! Unlike in bubblewrap, a program can end other processes of this user if we are not root. And one that
//! closes its output and lives on hangs: systemd keeps the pipes open.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;
use std::process::Command;

use super::confine::{Allowance, is_superuser, user_id};
use super::escaped::Mark;
use super::own::tasks_of;
use super::sandbox::{Confinement, SCRATCH, SHELL, hidden, usual_variables};

/// Tells which signal has ended the program, which systemd-run does not.
const TELLING: &str = r#""$@"; exit $?"#;

impl Confinement {
    pub(super) fn by_systemd(
        &self,
        run: &Path,
        (program, args): (&Path, &[OsString]),
        dir: Option<&Path>,
        variables: &[(&str, &str)],
    ) -> Command {
        let whose = if is_superuser() { "--system" } else { "--user" };
        // systemd-run is in a scope, which ends with it; the service, which would not, is bound to the scope.
        let mark = Mark::of_one();
        let scope = format!("verdict-{}.scope", mark.variable().1.trim_end_matches('.'));
        let mut command = Command::new(run);
        command.args([whose, "--quiet", "--collect", "--scope", "--unit", &scope, "--"]);
        command.arg(run).args([whose, "--quiet", "--collect"]);
        command.args(["--pipe", "--wait", "--service-type=exec"]);
        command.args(self.properties(&scope).iter().map(|it| format!("--property={it}")));
        for (name, value) in usual_variables().iter().chain(variables) {
            command.arg(format!("--setenv={name}={value}"));
        }
        let dir = dir.unwrap_or(Path::new("/tmp"));
        command.arg(format!("--working-directory={}", dir.display())).arg("--");
        let words = [SHELL, "-c", TELLING, SHELL].map(OsStr::new).into_iter();
        let words = words.chain([program.as_os_str()]).chain(args.iter().map(OsString::as_os_str));
        command.args(words.map(unexpanded));
        command
    }

    fn properties(&self, scope: &str) -> Vec<String> {
        let mut properties = vec![
            format!("BindsTo={scope}"),
            format!("After={scope}"),
            "KillSignal=SIGKILL".to_owned(),
            "ProtectSystem=strict".to_owned(),
            "ProtectProc=invisible".to_owned(),
            "ProtectKernelTunables=yes".to_owned(),
            "ProtectControlGroups=yes".to_owned(),
            "PrivateDevices=yes".to_owned(),
            "NoNewPrivileges=yes".to_owned(),
            "CapabilityBoundingSet=".to_owned(),
            "RestrictSUIDSGID=yes".to_owned(),
            "LimitCORE=0".to_owned(),
        ];
        // A user's systemd may not mount anything but in a user namespace.
        let user = if is_superuser() { "DynamicUser=yes" } else { "PrivateUsers=yes" };
        let user = (!is_superuser() || !self.keeps_user).then_some(user);
        let network = (!self.network).then_some("PrivateNetwork=yes");
        properties.extend([user, network].into_iter().flatten().map(str::to_owned));
        let Allowance { memory, tasks, file } = self.allowance;
        // A user's systemd may have no control group that counts tasks.
        let all_tasks = tasks.map(|tasks| tasks.saturating_add(tasks_of(user_id())));
        for (limit, most) in [
            ("LimitAS", memory),
            ("TasksMax", tasks),
            ("LimitNPROC", all_tasks),
            ("LimitFSIZE", file),
        ] {
            properties.extend(most.map(|most| format!("{limit}={most}")));
        }
        for folder in hidden() {
            let options = format!(":mode=1777,size={SCRATCH}");
            properties.push(format!("TemporaryFileSystem={}{options}", quoted(&folder)));
        }
        for path in &self.readable {
            properties.push(format!("BindReadOnlyPaths={}", quoted(path)));
        }
        for path in &self.writable {
            properties.push(format!("BindPaths={}", quoted(path)));
        }
        properties
    }
}

/// A path in a property, in which spaces and colons part words.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string().replace('\\', r"\\").replace('"', r#"\""#);
    format!("\"{path}\"")
}

/// A word of a command line, in which systemd expands variables.
fn unexpanded(word: &OsStr) -> OsString {
    let bytes = word.as_bytes().iter();
    OsString::from_vec(
        bytes.flat_map(|byte| [*byte].repeat(if *byte == b'$' { 2 } else { 1 })).collect(),
    )
}
