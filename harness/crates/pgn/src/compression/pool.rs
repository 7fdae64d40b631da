//! Threads that unpack parts of a file at the same time. The parts are read one after another.

use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use process::lock;

/// Bytes of text that are handed over at once.
pub(super) const CHUNK: usize = 1 << 20;
/// Chunks of a part that wait to be read, or a chunk and the end; a part with more text waits for
/// its reader.
const WAITING: usize = 2;

type Work = Box<dyn FnOnce(&Output) -> io::Result<()> + Send>;

struct Job {
    work: Work,
    output: Output,
}

enum Message {
    Text(Vec<u8>),
    End(io::Result<()>),
}

/// Where a part's text goes.
pub(super) struct Output(SyncSender<Message>);

impl Output {
    /// False if nobody reads it any more.
    pub(super) fn send(&self, text: Vec<u8>) -> bool {
        self.0.send(Message::Text(text)).is_ok()
    }

    /// Sends all that can be read, also before an error.
    pub(super) fn send_all(&self, mut text: impl Read) -> io::Result<()> {
        loop {
            let mut chunk = Vec::with_capacity(CHUNK);
            let done = text.by_ref().take(CHUNK as u64).read_to_end(&mut chunk);
            let is_last = chunk.len() < CHUNK;
            if !chunk.is_empty() && !self.send(chunk) {
                return Ok(());
            }
            done?;
            if is_last {
                return Ok(());
            }
        }
    }
}

/// The text of a part, in chunks.
pub(super) struct Unpacking(Receiver<Message>);

impl Unpacking {
    /// `None` at the end. Not to be called again after that or after an error.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.0.recv() {
            Ok(Message::Text(text)) => Ok(Some(text)),
            Ok(Message::End(end)) => end.map(|()| None),
            Err(_) => Err(io::Error::other("an unpacking thread failed")),
        }
    }
}

/// Parts are begun in the order in which they are given. So the first of them that is not yet read
/// is always at work, and the threads never all wait for their readers.
pub(super) struct Pool {
    jobs: Sender<Job>,
    queue: Arc<Mutex<Receiver<Job>>>,
    threads: usize,
    most: NonZeroUsize,
}

impl Pool {
    /// Threads are started as they are needed; they end when the pool is dropped.
    pub(super) fn new(most: NonZeroUsize) -> Pool {
        let (jobs, queue) = channel();
        Pool { jobs, queue: Arc::new(Mutex::new(queue)), threads: 0, most }
    }

    /// How many parts to give before the first is read. They are more than the threads, which so
    /// have work when parts are not done in their order.
    pub(super) fn ahead(&self) -> usize {
        self.most.get() + self.most.get() / 2 + 1
    }

    pub(super) fn unpack(
        &mut self,
        work: impl FnOnce(&Output) -> io::Result<()> + Send + 'static,
    ) -> io::Result<Unpacking> {
        if self.threads < self.most.get() {
            let queue = Arc::clone(&self.queue);
            thread::Builder::new().spawn(move || run(&queue))?;
            self.threads += 1;
        }
        let (send, receive) = sync_channel(WAITING);
        let job = Job { work: Box::new(work), output: Output(send) };
        self.jobs.send(job).map_err(|_| io::Error::other("no thread unpacks"))?;
        Ok(Unpacking(receive))
    }
}

fn run(queue: &Mutex<Receiver<Job>>) {
    loop {
        // Unlocked before the work begins.
        let Ok(Job { work, output }) = lock(queue).recv() else { return };
        let end = work(&output);
        // Nobody listens if reading was stopped.
        let _ = output.0.send(Message::End(end));
    }
}
