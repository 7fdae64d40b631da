//! Configuration of `nats-server` as JSON. It has no `accounts`: together with `authorization`,
//! servers 2.9 to 2.10.1 would let anybody in (CVE-2023-47090).

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::rights::{Rights, Role};

/// Largest message in bytes.
pub const MAX_PAYLOAD: usize = 1 << 20;
/// Disk space of all streams, in bytes.
const MAX_STORE: u64 = 12 << 30;

/// Somebody who may log in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Public key.
    pub nkey: String,
    pub role: Role,
}

#[derive(Debug, Clone)]
pub struct Certificate {
    pub cert: PathBuf,
    pub key: PathBuf,
}

#[derive(Debug, Clone)]
pub(super) struct Config<'a> {
    /// Port 0: any free port; the server writes it to a ports file.
    pub listen: SocketAddr,
    pub websocket: Option<u16>,
    /// Folder of its files.
    pub dir: &'a Path,
    pub certificate: Option<&'a Certificate>,
    pub users: &'a [User],
}

impl Config<'_> {
    pub(super) fn to_json(&self) -> Value {
        let port = |port: u16| if port == 0 { json!(-1) } else { json!(port) };
        let mut config = json!({
            "server_name": "verdict",
            "host": self.listen.ip().to_string(),
            "port": port(self.listen.port()),
            "max_payload": MAX_PAYLOAD,
            "max_connections": 4096,
            "max_control_line": 4096,
            "ping_interval": "10s",
            "ping_max": 2,
            "write_deadline": "10s",
            "ports_file_dir": self.dir,
            "logfile": self.dir.join("broker.log"),
            "logfile_size_limit": 1 << 20,
            "jetstream": {
                "store_dir": self.dir.join("store"),
                "max_memory_store": 64 << 20,
                "max_file_store": MAX_STORE,
            },
            "authorization": {
                "timeout": 5,
                "users": self.users.iter().map(user).collect::<Vec<_>>(),
            },
        });
        let tls = self
            .certificate
            .map(|it| json!({"cert_file": it.cert, "key_file": it.key, "timeout": 5}));
        if let Some(number) = self.websocket {
            let (host, port) = (self.listen.ip().to_string(), port(number));
            config["websocket"] = match &tls {
                Some(tls) => json!({"host": host, "port": port, "tls": tls}),
                None => json!({"host": host, "port": port, "no_tls": true}),
            };
        }
        if let Some(tls) = tls {
            config["tls"] = tls;
        }
        config
    }
}

fn user(user: &User) -> Value {
    let Rights { publish, subscribe } = Rights::of(&user.role);
    json!({
        "nkey": user.nkey,
        "permissions": {"publish": {"allow": publish}, "subscribe": {"allow": subscribe}},
    })
}
