//! Hears what workers say, with the rights of a coordinator.

use std::time::{Duration, Instant};

use async_nats::Subscriber;
use fleet::link::Link;
use futures_util::StreamExt as _;
use process::Error;
use wire::message::{Ask, Beat, decode, encode};
use wire::names::{self, Subject};

use super::member::Member;
use super::place::Place;

pub(crate) struct Seer {
    member: Member,
    beats: Subscriber,
}

/// A beat of a worker, with the name of its process.
pub(crate) struct Heard {
    pub(crate) instance: String,
    pub(crate) beat: Beat,
    pub(crate) at: Instant,
}

impl Seer {
    pub(crate) async fn join(place: &Place) -> Result<Seer, Error> {
        let token = place.invite_token("seer --coordinator")?;
        let member = Member::join(&token, "figures").await?;
        let beats = member.link.hear("v1.beat.>".to_owned()).await?;
        member.link.flush().await?;
        Ok(Seer { member, beats })
    }

    pub(crate) fn link(&self) -> &Link {
        &self.member.link
    }

    /// The next beat; an error if none comes in time.
    pub(crate) async fn next(&mut self, within: Duration) -> Result<Heard, Error> {
        loop {
            let heard = tokio::time::timeout(within, self.beats.next()).await;
            let Ok(Some(message)) = heard else {
                return Err(Error::fault("expected a beat of a worker, heard none"));
            };
            let Some(Subject::Beat(worker)) = Subject::parse(&message.subject) else { continue };
            let beat = decode::<Beat>(&message.payload).map_err(Error::fault)?;
            let instance = worker.instance.as_str().to_owned();
            return Ok(Heard { instance, beat, at: Instant::now() });
        }
    }

    /// Asks all workers for a beat.
    pub(crate) async fn ask(&self) -> Result<(), Error> {
        let ask = encode(&Ask::beat())?;
        self.member.link.say(names::ASK_ALL.to_owned(), ask).await?;
        self.member.link.flush().await?;
        Ok(())
    }
}
