//! What a worker takes of a run, and until when. It begins no pair that it cannot end: half a pair is
//! of no use to anybody.

use arena::runner::{GameSource, QueuedGame, Stops};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::results::sleep_until;

/// Takes chunks, and queues their games in pairs.
pub(super) struct Intake<G = QueuedGame> {
    pub(super) feed: mpsc::Sender<G>,
    pub(super) stops: Stops,
    /// When the machine is to be measured again. What has been taken is played before, however long
    /// that takes: long games would be lost more often than short ones otherwise.
    pub(super) until: Option<Instant>,
}

impl<G> Intake<G> {
    /// What `take` takes; `None` if nothing more is to be taken.
    pub(super) async fn next<T>(&self, take: impl Future<Output = T>) -> Option<T> {
        if self.until.is_some_and(|until| until <= Instant::now()) {
            return None;
        }
        tokio::select! {
            biased;
            () = self.stops.drained() => None,
            () = sleep_until(self.until) => None,
            () = self.feed.closed() => None,
            taken = take => Some(taken),
        }
    }
}

/// Queued games, until no pair may begin any more.
pub(super) struct WholePairs<G = QueuedGame> {
    games: mpsc::Receiver<G>,
    stops: Stops,
    /// Whether the second game of a pair is the next one.
    is_half: bool,
}

impl<G> WholePairs<G> {
    pub(super) fn new(games: mpsc::Receiver<G>, stops: Stops) -> WholePairs<G> {
        WholePairs { games, stops, is_half: false }
    }

    async fn next(&mut self, number: impl Fn(&G) -> u64) -> Option<G> {
        let game = tokio::select! {
            biased;
            () = self.stops.drained(), if !self.is_half => None,
            game = self.games.recv() => game,
        }?;
        self.is_half = number(&game).is_multiple_of(2);
        Some(game)
    }
}

impl GameSource for WholePairs {
    async fn next_game(&mut self) -> Option<QueuedGame> {
        self.next(|queued| queued.scheduled.game).await
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::time::Duration;

    use futures_util::FutureExt as _;

    use super::*;

    /// Three pairs that are queued, of a run that is measured at `until`.
    fn queued(until: Option<Instant>) -> (Intake<u64>, WholePairs<u64>) {
        let stops = Stops::default();
        let (feed, games) = mpsc::channel(8);
        (10..16).for_each(|game| feed.try_send(game).unwrap());
        let games = WholePairs::new(games, stops.clone());
        (Intake { feed, stops, until }, games)
    }

    fn taken(intake: &Intake<u64>) -> Option<Option<u8>> {
        intake.next(std::future::ready(7)).now_or_never()
    }

    /// What comes at once, and whether that is all.
    fn rest(games: &mut WholePairs<u64>) -> (Vec<u64>, bool) {
        let mut came = Vec::new();
        loop {
            match games.next(|game| *game).now_or_never() {
                Some(Some(game)) => came.push(game),
                ended => return (came, ended.is_some()),
            }
        }
    }

    #[tokio::test]
    async fn what_was_taken_is_played_before_the_machine_is_measured() {
        let (intake, mut games) = queued(None);
        assert_eq!(taken(&intake), Some(Some(7)));
        let intake = Intake { until: Some(Instant::now()), ..intake };
        assert_eq!(taken(&intake), Some(None));
        assert_eq!(rest(&mut games), ((10..16).collect(), false));
        assert!(!intake.stops.no_new_games(), "nothing may end what is under way");
        drop(intake);
        assert_eq!(rest(&mut games), (Vec::new(), true));
    }

    #[tokio::test]
    async fn nothing_is_waited_for_once_the_machine_is_to_be_measured() {
        let (intake, _games) = queued(Some(Instant::now() + Duration::from_millis(20)));
        let taken = tokio::time::timeout(Duration::from_secs(20), intake.next(pending::<()>()));
        assert_eq!(taken.await, Ok(None));
    }

    #[tokio::test]
    async fn who_leaves_ends_the_pair_that_it_has_begun() {
        for begun in 0..=2 {
            let (intake, mut games) = queued(None);
            for game in 10..10 + begun {
                assert_eq!(games.next(|game| *game).await, Some(game));
            }
            intake.stops.drain();
            assert_eq!(taken(&intake), Some(None));
            let second = if begun == 1 { vec![11] } else { Vec::new() };
            assert_eq!(rest(&mut games), (second, true), "{begun}");
        }
    }

    #[test]
    fn the_part_that_ends_pairs_ends_with_the_whole() {
        let whole = Stops::default();
        let part = whole.part().undrained_part();
        whole.drain();
        assert!(!part.no_new_games() && !part.now());
        whole.stop_now();
        assert!(part.no_new_games() && part.now() && part.now_token().is_cancelled());
        assert!(whole.undrained_part().now(), "it may have ended before");
    }

    #[tokio::test]
    async fn nothing_is_taken_for_a_runner_that_has_gone() {
        let (intake, games) = queued(None);
        drop(games);
        assert_eq!(taken(&intake), Some(None));
    }
}
