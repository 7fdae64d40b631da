//! A server and a plain HTTP client for tests.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;

use arena::game::LiveGame;
use arena::record::{GamePage, GameRecord, Summary, sample};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{Access, Answer, Charts, Phase, RecordedRuns, RunSource, RunState, Site, serve};

/// A run with a fixed state.
pub(crate) struct Told(pub(crate) RunState);

impl Told {
    pub(crate) fn named(id: &str, name: &str) -> Told {
        Told(RunState {
            id: id.to_owned(),
            name: name.to_owned(),
            phase: Phase::Playing,
            line: format!("line of {name}"),
            summary: Arc::new(Summary { pairs: 7, ..Summary::default() }),
            finished: 15,
            total_games: 2000,
            prefix: 7,
            games_per_s: Some(1.5),
            charts_version: 15,
            warnings: vec!["<b>late</b>".to_owned()],
            fleet: None,
        })
    }
}

impl RunSource for Told {
    fn state(&self) -> Arc<RunState> {
        Arc::new(self.0.clone())
    }

    fn charts(&self) -> Answer<'_, Charts> {
        let version = self.0.charts_version;
        Box::pin(async move { Ok(Charts { version, html: "<p>charts</p>".into() }) })
    }

    fn games(&self, from: Option<u64>, _: usize) -> Answer<'_, GamePage> {
        let from = from.unwrap_or_default();
        Box::pin(async move { Ok(GamePage { from, total: 1, games: vec![sample(3)] }) })
    }

    fn game(&self, number: u64) -> Answer<'_, Option<GameRecord>> {
        Box::pin(async move { Ok((number == 3).then(|| sample(3))) })
    }

    fn live(&self) -> Answer<'_, Vec<LiveGame>> {
        let GameRecord { white, fen, notes, .. } = sample(8);
        let live = LiveGame {
            game: 8,
            white,
            fen,
            moves: "e2e4".to_owned(),
            book_plies: 0,
            notes,
            moves_us: vec![2_000_000],
        };
        Box::pin(async { Ok(vec![live]) })
    }
}

/// A server on a free port; dropping it ends it.
pub(crate) struct Server {
    pub(crate) at: SocketAddr,
    pub(crate) site: Site,
    stop: CancellationToken,
    runtime: Option<tokio::runtime::Runtime>,
}

impl Server {
    pub(crate) fn start(access: Access, root: Option<&Path>) -> Server {
        let recorded = match root {
            Some(root) => RecordedRuns::under(root.to_owned()),
            None => RecordedRuns::none(),
        };
        let site = Site::new(recorded);
        let stop = CancellationToken::new();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let at = listener.local_addr().unwrap();
        runtime.spawn(serve(listener, site.clone(), access, stop.clone()));
        Server { at, site, stop, runtime: Some(runtime) }
    }

    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }

    /// Sends these lines as a request; returns the connection.
    pub(crate) fn ask(&self, lines: &[&str]) -> TcpStream {
        let mut stream = TcpStream::connect(self.at).unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
        let request: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        stream.write_all(format!("{request}\r\n").as_bytes()).unwrap();
        stream
    }

    /// Status, and headers with body, of the response to these lines.
    pub(crate) fn answer(&self, lines: &[&str]) -> (u16, String) {
        let mut text = Vec::new();
        self.ask(lines).read_to_end(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let status = text.split(' ').nth(1).unwrap().parse().unwrap();
        (status, text)
    }

    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        self.answer(&[&format!("GET {path} HTTP/1.1"), "Host: localhost", "Connection: close"])
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
