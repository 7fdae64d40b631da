//! Rights of each role: subjects that it may publish and subscribe to. The broker enforces them.

/// Role of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// The broker's owner, who may do everything.
    Serve,
    /// Plays runs.
    Coordinator(String),
    /// Plays chunks. The name is that of its invitation.
    Worker(String),
}

/// Subjects that may be published and subscribed to, with wildcards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rights {
    pub publish: Vec<String>,
    pub subscribe: Vec<String>,
}

impl Rights {
    /// Nobody but `serve` gets `$JS.>`. Workers may not create consumers, because a consumer can
    /// make the server send to any subject.
    pub fn of(role: &Role) -> Rights {
        match role {
            Role::Serve => Rights::new(&[">"], &[">"], ""),
            Role::Coordinator(name) => Rights::new(COORDINATOR_SAYS, COORDINATOR_HEARS, name),
            Role::Worker(name) => Rights::new(WORKER_SAYS, WORKER_HEARS, name),
        }
    }

    fn new(publish: &[&str], subscribe: &[&str], name: &str) -> Rights {
        let named =
            |subjects: &[&str]| subjects.iter().map(|it| it.replace("NAME", name)).collect();
        Rights { publish: named(publish), subscribe: named(subscribe) }
    }
}

const WORKER_SAYS: &[&str] = &[
    "v1.pair.*.NAME.*",
    "v1.beat.NAME.*",
    "v1.need.*.NAME.*",
    "v1.hello.NAME.*",
    "v1.log.NAME.*",
    "v1.live.*.NAME.*",
    "$KV.workers.NAME.*",
    "$JS.API.STREAM.INFO.CHUNKS",
    "$JS.API.STREAM.INFO.PAIRS",
    "$JS.API.STREAM.INFO.KV_runs",
    "$JS.API.CONSUMER.INFO.CHUNKS.*",
    "$JS.API.CONSUMER.MSG.NEXT.CHUNKS.*",
    "$JS.ACK.CHUNKS.>",
    "$JS.API.DIRECT.GET.KV_runs",
    "$JS.API.DIRECT.GET.KV_runs.>",
    "$JS.API.DIRECT.GET.OBJ_files",
    "$JS.API.DIRECT.GET.OBJ_files.>",
];

const WORKER_HEARS: &[&str] = &["_IN.NAME.>", "$KV.runs.>", "v1.ask.NAME.*", "v1.ask.all"];

const COORDINATOR_SAYS: &[&str] = &[
    "v1.chunk.*",
    "$KV.runs.>",
    "v1.view.*",
    "v1.ask.>",
    // Replies to workers.
    "_IN.>",
    "$O.files.>",
    "$JS.API.STREAM.INFO.CHUNKS",
    "$JS.API.STREAM.INFO.PAIRS",
    "$JS.API.STREAM.INFO.KV_runs",
    "$JS.API.STREAM.INFO.KV_workers",
    "$JS.API.STREAM.INFO.OBJ_files",
    "$JS.API.STREAM.PURGE.CHUNKS",
    "$JS.API.STREAM.PURGE.PAIRS",
    "$JS.API.STREAM.PURGE.OBJ_files",
    "$JS.API.CONSUMER.CREATE.CHUNKS.>",
    "$JS.API.CONSUMER.CREATE.PAIRS.>",
    "$JS.API.CONSUMER.DURABLE.CREATE.CHUNKS.>",
    "$JS.API.CONSUMER.DURABLE.CREATE.PAIRS.>",
    "$JS.API.CONSUMER.INFO.CHUNKS.*",
    "$JS.API.CONSUMER.INFO.PAIRS.*",
    "$JS.API.CONSUMER.DELETE.CHUNKS.*",
    "$JS.API.CONSUMER.DELETE.PAIRS.*",
    "$JS.API.CONSUMER.MSG.NEXT.PAIRS.*",
    "$JS.ACK.PAIRS.>",
    "$JS.API.DIRECT.GET.CHUNKS",
    "$JS.API.DIRECT.GET.CHUNKS.v1.chunk.*",
    "$JS.API.DIRECT.GET.KV_runs",
    "$JS.API.DIRECT.GET.KV_runs.>",
    "$JS.API.DIRECT.GET.KV_workers",
    "$JS.API.DIRECT.GET.KV_workers.>",
    "$JS.API.DIRECT.GET.OBJ_files",
    "$JS.API.DIRECT.GET.OBJ_files.>",
];

const COORDINATOR_HEARS: &[&str] = &[
    "_IN.NAME.>",
    "v1.beat.>",
    "v1.need.>",
    "v1.query.*",
    "v1.log.*.*",
    "$KV.workers.>",
    "$KV.runs.>",
];
