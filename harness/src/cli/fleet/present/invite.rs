//! `verdict serve invite`, `remove` and `list`.

use std::path::Path;

use charts::page::{Page, PageTable};
use fleet::server::{Invited, Keys, Place, RoleKind, new_seed};
use jiff::Timestamp;
use process::Error;
use process::terminal::window_width;
use wire::names::Label;

use super::super::words::{InviteArgs, ListArgs, RemoveArgs};
use crate::cli::{DONE, print, print_json};

pub(super) fn invite(args: &InviteArgs, dir: &Path) -> Result<u8, Error> {
    let name: Label =
        args.name.parse().map_err(|error| Error::usage(format!("the name {error}")))?;
    let place = Place::read(dir)?;
    let until = args.until.map(|time| Timestamp::now().saturating_add(time));
    let until = until.transpose().map_err(|error| Error::usage(format!("--until: {error}")))?;
    let role = if args.coordinator { RoleKind::Coordinator } else { RoleKind::Worker };
    let host = (args.host.as_deref(), args.websocket);
    // A wrong host is reported before the invitation is added.
    place.token(dir, name.clone(), &new_seed()?, host)?;
    let slots = args.slots.map(Into::into);
    let seed = Keys::new(dir).invite(name.as_str(), role, slots, until)?;
    let line = place.token(dir, name, &seed, host)?.reveal();
    match role {
        RoleKind::Worker => print(format_args!("verdict worker --join {line}\n"))?,
        _ => print(format_args!("verdict match --fleet {line}\n"))?,
    }
    Ok(DONE)
}

pub(super) fn remove(args: &RemoveArgs, dir: &Path) -> Result<u8, Error> {
    Place::read(dir)?;
    Keys::new(dir).remove(&args.name)?;
    status!("{} is removed", args.name);
    Ok(DONE)
}

pub(super) fn list(args: &ListArgs, dir: &Path) -> Result<u8, Error> {
    // Works without a running broker, but not without its folder.
    Place::read(dir)?;
    let invited = Keys::new(dir).list()?;
    if args.json {
        print_json(&invited)?;
        return Ok(DONE);
    }
    let mut table = PageTable::new(1, ["name", "for", "slots", "until", "state"]);
    table.rows.extend(invited.iter().map(row));
    let mut page = Page::default();
    if table.rows.is_empty() {
        page.text("nobody is invited yet");
    } else {
        page.table(table);
    }
    print(page.plain(window_width()))?;
    Ok(DONE)
}

fn row(invited: &Invited) -> Vec<String> {
    let day = |time: Timestamp| time.strftime("%Y-%m-%d %H:%M UTC").to_string();
    let what = match invited.role {
        RoleKind::Worker => "worker",
        RoleKind::Coordinator => "coordinator",
        RoleKind::Serve => "serve",
    };
    let state = match invited.removed_at {
        Some(at) => format!("removed {}", day(at)),
        None if !invited.may_come(Timestamp::now()) => "over".to_owned(),
        None => format!("invited {}", day(invited.invited_at)),
    };
    let slots = invited.slots.map(|slots| slots.to_string()).unwrap_or_default();
    let until = invited.until_at.map(day).unwrap_or_default();
    vec![invited.name.clone(), what.to_owned(), slots, until, state]
}
