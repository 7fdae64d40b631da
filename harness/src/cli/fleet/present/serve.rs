//! `verdict serve`: runs the broker.

use std::path::Path;
use std::time::Duration;

use fleet::link::Link;
use fleet::server::{ServeSettings, Serving};
use process::signals::hear;
use process::{Context as _, Error};
use tokio::sync::mpsc;

use super::super::words::{ServeArgs, ServeCommand};
use super::{invite, invite_command, page, usual_folder};
use crate::cli::web::Page;
use crate::cli::{DONE, runtime};

/// How often the broker and the list of invitations are checked.
const LOOK_EVERY: Duration = Duration::from_millis(500);
const THREADS: usize = 2;

pub(in crate::cli) fn serve(args: &ServeArgs) -> Result<u8, Error> {
    let dir = args.place.dir.clone().map_or_else(usual_folder, Ok)?;
    match &args.command {
        Some(ServeCommand::Invite(invited)) => invite::invite(invited, &dir),
        Some(ServeCommand::Remove(removed)) => invite::remove(removed, &dir),
        Some(ServeCommand::List(list)) => invite::list(list, &dir),
        None => run(args, &dir),
    }
}

fn run(args: &ServeArgs, dir: &Path) -> Result<u8, Error> {
    let settings = ServeSettings {
        dir: dir.to_owned(),
        listen: args.listen,
        websocket: args.websocket.map(Into::into),
        program: args.nats.clone(),
        old_server_ok: args.old_server_ok,
    };
    settings.check()?;
    let mut page = match &*args.web {
        "off" => None,
        address => Some(Page::open(Some(address))?),
    };
    runtime(THREADS)?.block_on(async {
        let (asked, mut end) = mpsc::unbounded_channel();
        let _listening = hear(move |_| {
            // If nobody receives it, the end has begun.
            let _ = asked.send(());
        })
        .context("cannot listen to signals")?;
        let mut serving = Serving::start(settings).await?;
        status!("{}", announcement(&serving, dir));
        let mut showing = None;
        if let Some(page) = &mut page {
            let site = page.begin()?;
            status!("page {}", page.all());
            let link = Link::connect(serving.access()).await?;
            showing = Some(tokio::spawn(page::follow(link, site, words_of(&serving))));
        }
        let (greeter, access) =
            (serving.greeter(|line| status!("{line}")), serving.access().clone());
        let greeting = tokio::spawn(async move {
            let link = Link::connect(&access).await?;
            greeter.run(&link).await
        });
        let mut looks = tokio::time::interval(LOOK_EVERY);
        loop {
            tokio::select! {
                _ = end.recv() => break,
                _ = looks.tick() => {
                    // A restart of the broker takes a moment.
                    let said = tokio::task::block_in_place(|| serving.look_after())?;
                    said.iter().for_each(|said| status!("{said}"));
                }
            }
        }
        greeting.abort();
        showing.iter().for_each(tokio::task::JoinHandle::abort);
        if let Some(page) = page {
            page.end().await;
        }
        tokio::task::block_in_place(|| serving.end());
        Ok(DONE)
    })
}

fn words_of(serving: &Serving) -> String {
    let broker = serving.broker();
    format!("nats-server {} at {}", broker.version(), broker.address())
}

fn announcement(serving: &Serving, dir: &Path) -> String {
    let broker = serving.broker();
    let how = if broker.is_encrypted() { "encrypted" } else { "this machine only" };
    format!(
        "broker nats-server {} at {}, {how}; files in {}\ninvite a machine: {}",
        broker.version(),
        broker.address(),
        dir.display(),
        invite_command(Some(dir))
    )
}
