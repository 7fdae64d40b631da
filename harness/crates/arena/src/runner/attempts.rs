//! Replays games that verdict itself has spoilt: it was late for a clock, or lacked a resource
//! (file descriptors, processes, memory).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::oneshot::error::RecvError;
use tokio::time::{sleep, timeout};

use super::{Finished, Stops};
use crate::record::Termination;
use process::lack::Lack;

/// Maximum replays of a game for which verdict was late.
const REPLAYS: u32 = 4;
/// Failed attempts for lack of a resource before the run gives up. An attempt counts if no other
/// game was playing, or if both players had started.
const TRIES: u32 = 10;
/// Pause after a lack; doubles with each attempt counted by `TRIES`, up to `LONGEST_PAUSE`.
const FIRST_PAUSE: Duration = Duration::from_millis(if cfg!(test) { 1 } else { 50 });
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

pub type Attempt = Result<Finished, OutOfResource>;

/// An attempt that failed for lack of a resource.
#[derive(Debug)]
pub struct OutOfResource {
    pub(super) lack: Lack,
    /// Both players had started.
    pub(super) begun: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unplayed {
    /// The run is over, or the game was lost by an error of ours.
    Abandoned,
    Lacking(Lack),
}

/// Number of games that hold players.
#[derive(Default)]
pub(super) struct PlayingGames {
    count: AtomicUsize,
    /// Notified when one of them ends.
    ended: Notify,
}

/// A game that has its players, until it gives them back.
pub(super) struct InPlay(Arc<PlayingGames>);

impl InPlay {
    pub(super) fn new(playing: &Arc<PlayingGames>) -> InPlay {
        playing.count.fetch_add(1, Ordering::Relaxed);
        InPlay(Arc::clone(playing))
    }
}

impl Drop for InPlay {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::Relaxed);
        self.0.ended.notify_waiters();
    }
}

/// Plays a game, and plays it again if this program spoils it.
///
/// After `REPLAYS` replays a late attempt stands, and its pair does not count; the record has the
/// number of replays. After a lack it waits and tries again: without limit while other games play,
/// which may free the resource, else `TRIES` times.
pub(super) async fn until_played<F: Future<Output = Result<Attempt, RecvError>>>(
    playing: &PlayingGames,
    stops: &Stops,
    mut play: impl FnMut() -> F,
) -> Result<Finished, Unplayed> {
    let (mut replays, mut late_attempts) = (0, Vec::new());
    let (mut tries, mut lack_count) = (0, 0);
    let mut lacking = None;
    loop {
        // Created before the attempt, so that no end of a game is missed.
        let ended = playing.ended.notified();
        match play().await.map_err(|_| Unplayed::Abandoned)? {
            Ok(game)
                if game.record.termination == Termination::LateHarness && replays < REPLAYS =>
            {
                late_attempts.push(game);
                replays += 1;
            }
            Ok(mut game) => {
                game.record.time.replays = replays;
                return Ok(Finished { late_attempts, lack_count, lack: lacking, ..game });
            }
            Err(OutOfResource { lack, begun }) => {
                let alone = playing.count.load(Ordering::Relaxed) == 0;
                tries += u32::from(alone || begun);
                if tries == TRIES {
                    return Err(Unplayed::Lacking(lack));
                }
                (lack_count, lacking) = (lack_count + 1, Some(lack));
                let longer = 1 << tries.saturating_sub(1);
                let pause = FIRST_PAUSE.saturating_mul(longer).min(LONGEST_PAUSE);
                let wait = async {
                    sleep(pause).await;
                    if !alone {
                        let _ = timeout(LONGEST_PAUSE, ended).await;
                    }
                };
                tokio::select! {
                    () = wait => {}
                    () = stops.drain.cancelled() => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameRecord, sample};
    use process::lack::ERRORS;

    /// What comes of a game whose attempts end so, in turn, and then well.
    fn played(attempts: impl Iterator<Item = Option<Attempt>>) -> Result<Finished, Unplayed> {
        let mut attempts = attempts.fuse();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (playing, stops) = (PlayingGames::default(), Stops::default());
        runtime.block_on(until_played(&playing, &stops, || {
            let next = attempts.next().flatten();
            std::future::ready(Ok(next.unwrap_or_else(|| ended(Termination::Checkmate))))
        }))
    }

    fn ended(termination: Termination) -> Attempt {
        Ok(Finished::new(GameRecord { termination, ..sample(0) }, None))
    }

    fn late() -> Option<Attempt> {
        Some(ended(Termination::LateHarness))
    }

    fn lacking(errno: i32) -> Option<Attempt> {
        let lack = Lack::of("cannot start x", &std::io::Error::from_raw_os_error(errno)).unwrap();
        Some(Err(OutOfResource { lack, begun: false }))
    }

    #[test]
    fn what_the_harness_has_spoilt_is_played_again() {
        for spoilt in 0..=REPLAYS {
            let game = played((0..spoilt).map(|_| late())).unwrap();
            let Finished { record, late_attempts: attempts, .. } = game;
            assert_eq!(record.termination, Termination::Checkmate);
            assert_eq!(record.time.replays, spoilt);
            let late = |attempt: &Finished| attempt.record.termination == Termination::LateHarness;
            assert!(attempts.len() == spoilt as usize && attempts.iter().all(late));
        }
        // But not for ever.
        let Finished { record, late_attempts, .. } = played((0..).map(|_| late())).unwrap();
        assert_eq!(record.termination, Termination::LateHarness);
        assert_eq!((record.time.replays, late_attempts.len()), (REPLAYS, REPLAYS as usize));
    }

    /// The end of another game tells that something may be had again, whenever it comes.
    #[test]
    fn a_game_that_ends_during_an_attempt_is_not_missed() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (playing, stops) = (Arc::new(PlayingGames::default()), Stops::default());
        let _long = InPlay::new(&playing);
        let mut ends = Some(InPlay::new(&playing));
        let played = until_played(&playing, &stops, || {
            let attempt = match ends.take() {
                Some(game) => {
                    drop(game);
                    lacking(ERRORS[0]).unwrap()
                }
                None => ended(Termination::Checkmate),
            };
            std::future::ready(Ok(attempt))
        });
        let game = runtime.block_on(async { timeout(LONGEST_PAUSE, played).await });
        assert_eq!(game.expect("waited for another end").unwrap().lack_count, 1);
    }

    /// A worker sends what the coordinator does not read in the record, or it would say it twice.
    #[test]
    fn what_the_record_tells_is_not_told_again() {
        let mut record = sample(6);
        (record.time.replays, record.time.worker) = (1, Some("alice.pc".to_owned()));
        let at_worker = Finished::new(record, None);
        assert!(at_worker.unrecorded_troubles().is_empty());
        let remarks = at_worker.unrecorded_troubles();
        let told = Finished { remarks, ..at_worker }.troubles();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("game 6: played again at alice.pc, 1 time:"), "{told:?}");
    }

    #[test]
    fn what_was_lacking_is_waited_for_and_leaves_no_trace_in_the_record() {
        for count in 1..TRIES as usize {
            let errors = ERRORS.into_iter().cycle().take(count);
            let game = played(errors.map(lacking)).unwrap();
            assert_eq!(game.record, sample(0));
            assert_eq!((game.lack_count as usize, game.late_attempts.len()), (count, 0));
            assert!(game.troubles()[0].contains(&format!("{count} time")));
        }
        for errno in ERRORS {
            let Err(Unplayed::Lacking(lack)) = played((0..).map(|_| lacking(errno))) else {
                panic!("played without {errno}")
            };
            assert_eq!(lack.error().raw_os_error(), Some(errno));
        }
    }
}
