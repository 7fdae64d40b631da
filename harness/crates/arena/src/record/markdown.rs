//! `summary.md`. Everything in it comes from [`Summary`]; nothing is counted or computed here.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::run_file::{limit_named, plain};
use super::{
    AuditSummary, Beyond, BySide, FinalVerdict, FleetSummary, MANY_TWINS, PlayerSummary, PvCounts,
    Summary, option_rows,
};
use charts::numbers::duration;
use charts::page::markdown_text as text;
use process::terminal::escape::shown;
use stats::{Evidence, Wdl, interval_in_words, percent_clamped};

/// `kept` says where faults are kept.
pub(super) fn render(summary: &Summary, kept: Option<&str>) -> String {
    let verdict = summary.judged.verdict.map_or("no verdict", FinalVerdict::as_str);
    let mut sections = vec![format!("# {}: {verdict}", text(&summary.details.name)), who(summary)];
    sections.extend(warnings(summary));
    sections.extend([
        results(summary),
        "For a commit message:".to_owned(),
        format!("```\n{}\n```", summary.commit_block()),
        format!("## Players\n\n{}", players(&summary.base, &summary.test)),
        format!("## Conditions\n\n{}", conditions(summary)),
        format!("## Ends of games\n\n{}", ends(summary)),
        format!("## Faults\n\n{}", faults(summary, kept)),
    ]);
    let audit = summary.audit.as_ref();
    sections.extend(audit.map(|it| format!("## Audit of adjudications\n\n{}", audited(it))));
    let lines = summary.lines.as_ref();
    sections.extend(lines.map(|it| format!("## Variations\n\n{}", variations(it))));
    let fleet = summary.fleet.as_ref();
    sections
        .extend(fleet.map(|it| format!("## Fleet\n\n{}\n\n{}", text(&it.words()), machines(it))));
    sections.push(format!("## Duplicate games\n\n{}", twins(summary)));
    let sections: Vec<&str> = sections.iter().map(|section| section.trim_end()).collect();
    sections.join("\n\n") + "\n"
}

impl Summary {
    /// `summary.md` without the faults' folder.
    pub fn markdown(&self) -> String {
        render(self, None)
    }

    pub fn one_line(&self) -> String {
        let judged = &self.judged;
        let elo = match (judged.elo, judged.elo_error95) {
            (Some(elo), Some(error)) => format!("Elo {elo:+.1} ± {error:.1} (95%)"),
            (Some(elo), None) => format!("Elo {elo:+.1}"),
            (None, _) => "Elo undefined".to_owned(),
        };
        let los = judged.los.map_or("undefined".to_owned(), percent_clamped);
        let mut parts = vec![elo, format!("LOS {los}")];
        if let (Some(llr), Some([low, high])) = (judged.llr, judged.llr_bounds) {
            parts.push(format!("LLR {llr:.2} ({low:.2}, {high:.2})"));
        }
        if let Some([better, worse]) = judged.evidence {
            parts.push(Evidence { better, worse }.to_string());
        }
        if !self.details.rule.is_empty() {
            parts.push(format!("rule {}", self.details.rule));
        }
        let wdl = self.wdl;
        parts.push(format!("{} games W {} D {} L {}", self.games, wdl.win, wdl.draw, wdl.loss));
        parts.push(format!("Ptnml {:?}", self.ptnml));
        parts.push(self.details.conditions.clone());
        shown(&parts.join(", ")).into_owned()
    }

    /// Lines for a commit message: the one line, who played, and the bench of both where known.
    pub fn commit_block(&self) -> String {
        let [test, base] = [&self.test, &self.base].map(|player| shown(&player.label));
        let played = format!("{}\nTest: {test}; base: {base}", self.one_line());
        let benches = [&self.test, &self.base].map(|player| player.identity.bench);
        let mut block = match benches {
            [Some(test), Some(base)] => {
                let same = if test == base { ": no functional change" } else { "" };
                format!("{played}\nBench: {test} (base {base}){same}")
            }
            _ => played,
        };
        if self.same_players {
            block.push_str(
                "\nA/A test: test and base are the same player; it says nothing about a change",
            );
        }
        if let Some(over) = self.oversubscribed.filter(|over| over.lost() > 0) {
            let BySide { base, test } = over.time_losses;
            block += &format!("\nTime losses with {}: base {base}, test {test}", over.load);
        }
        block
    }
}

fn who(summary: &Summary) -> String {
    format!(
        "All Elo is **test minus base**: positive means that test is stronger. \
         Test is `{}`, base is `{}`.",
        code(&summary.test.label),
        code(&summary.base.label)
    )
}

fn warnings(summary: &Summary) -> Vec<String> {
    let same = summary.same_players.then(|| summary.base.identity.aa_test());
    let same = same.map(|meaning| format!("**A/A test**: {meaning}"));
    let over = summary.oversubscribed.map(|over| format!("**Oversubscribed**: {over}"));
    same.into_iter().chain(over).collect()
}

fn results(summary: &Summary) -> String {
    let judged = &summary.judged;
    let undefined = |name: &str| {
        let why = judged.why.get(name).map_or("no reason given", String::as_str);
        format!("undefined: {}", text(why))
    };
    let with_error =
        |name: &str, error_name: &str, value: Option<f64>, error: Option<f64>| match (value, error)
        {
            (Some(value), Some(error)) => format!("{value:+.2} ± {error:.2} (95%)"),
            (Some(value), None) => format!("{value:+.2}; error {}", undefined(error_name)),
            (None, _) => undefined(name),
        };
    let llr = match (judged.llr, judged.llr_bounds) {
        (Some(llr), Some([low, high])) => format!("{llr:.3}, bounds {low:.3} and {high:.3}"),
        (Some(llr), None) => format!("{llr:.3}"),
        (None, _) => undefined("llr"),
    };
    let Summary { games, wdl: Wdl { win, draw, loss }, .. } = summary;
    let [ll, ld, dd, wd, ww] = summary.ptnml;
    let mut rows = vec![
        ("Verdict", judged.verdict.map_or_else(|| undefined("verdict"), |it| it.to_string())),
        ("Elo", with_error("elo", "elo_error95", judged.elo, judged.elo_error95)),
        ("normalized Elo", with_error("nelo", "nelo_error95", judged.nelo, judged.nelo_error95)),
        ("LOS", judged.los.map_or_else(|| undefined("los"), percent_clamped)),
        ("LLR", llr),
        ("Games", format!("{games}: {win} won, {draw} drawn, {loss} lost by test")),
        ("Pairs by test's score 0, ½, 1, 1½, 2", format!("{ll}, {ld}, {dd}, {wd}, {ww}")),
    ];
    if let Some([better, worse]) = judged.evidence {
        rows[4] = ("Evidence", Evidence { better, worse }.to_string());
    }
    if judged.llr.is_some() {
        let elo = judged.elo_unbiased.map(|elo| format!("{elo:+.2}"));
        let ends = judged.elo_unbiased_ci95;
        let ends = ends.map(|[low, high]| format!("95% from {low:+.2} to {high:+.2}"));
        let elo = elo.unwrap_or_else(|| undefined("elo_unbiased"));
        let ends = ends.unwrap_or_else(|| format!("95% {}", undefined("elo_unbiased_ci95")));
        rows.insert(2, ("Elo corrected for early stopping", format!("{elo}, {ends}")));
    }
    if let Some(ends) = judged.elo_anytime95 {
        let ends = format!("{} (95%, holds after every pair)", interval_in_words(ends, 2));
        rows.insert(2, ("Elo at every look", ends));
    }
    if judged.verdict.is_some()
        && let Some(why) = judged.why.get("verdict")
    {
        rows.insert(1, ("Reason", text(why)));
    }
    let Beyond { pairs, games } = summary.details.beyond;
    if games > 0 {
        let value = format!("{games} games, {pairs} complete pairs among them");
        rows.push(("Played after the decision, not counted", value));
    }
    let rows = rows.into_iter().map(|(name, value)| [name.to_owned(), value]);
    table(["", "test against base"], rows)
}

fn players(base: &PlayerSummary, test: &PlayerSummary) -> String {
    let optional = |text: &Option<String>| text.clone().unwrap_or_else(|| "not known".to_owned());
    let of_both = |name: &str, [base, test]: [String; 2]| {
        [shown(name).replace('|', "\\|"), text(&base), text(&test)]
    };
    let row =
        |name: &str, of: &dyn Fn(&PlayerSummary) -> String| of_both(name, [of(base), of(test)]);
    let known = |number: Option<f64>| {
        number.map_or("not known".to_owned(), |number| format!("{number:.0}"))
    };
    let mut rows = vec![
        row("given as", &|p| p.identity.spec.clone()),
        row("name", &|p| p.identity.name.clone()),
        row("limit", &|p| limit_named(&p.identity.limit)),
        row("commit", &|p| optional(&p.identity.commit)),
        row("build (sha256)", &|p| optional(&p.identity.build)),
        row("bench", &|p| optional(&p.identity.bench.map(|nodes| nodes.to_string()))),
    ];
    let players = [base, test].map(|player| &player.identity);
    let options = option_rows(players, |_| true).into_iter();
    rows.extend(options.map(|(name, both)| of_both(&name, both)));
    let files: BTreeSet<_> = players.iter().flat_map(|player| player.files.keys()).collect();
    rows.extend(files.into_iter().map(|name| {
        row(&format!("file of {name} (sha256)"), &|p| {
            p.identity.files.get(name).map_or("none".to_owned(), String::clone)
        })
    }));
    rows.push(row("nodes a second", &|p| known(p.nodes_per_second)));
    rows.push(row("nodes a move", &|p| known(p.nodes_per_move)));
    let mut out = table(["", "base", "test"], rows);
    for (side, player) in [("Base", base), ("Test", test)] {
        if player.ignores_nodes() {
            let nodes = player.nodes_per_move.unwrap_or_default();
            out += &format!(
                "\n**{side} does not obey its limit**: {nodes:.0} nodes per move, limit {}. The match does not \
                 measure what it should; see `verdict check`.\n",
                text(&player.identity.limit)
            );
        }
    }
    out
}

fn conditions(summary: &Summary) -> String {
    let details = &summary.details;
    let rate = details.games_per_s.map_or("not known".to_owned(), |rate| format!("{rate:.2}"));
    let mut rows = vec![
        ["in short".to_owned(), text(&details.conditions)],
        ["started".to_owned(), text(&details.created)],
        ["playing time".to_owned(), duration(details.active_s)],
        ["games a second".to_owned(), rate],
        ["openings played".to_owned(), details.openings.to_string()],
        ["nodes".to_owned(), details.nodes.to_string()],
    ];
    if details.passed_over > 0 {
        let count = details.passed_over.to_string();
        rows.push(["bad entries of the book skipped".to_owned(), count]);
    }
    if let Value::Object(plan) = &summary.plan {
        // Builds are shown with the players.
        let entries = plan.iter().filter(|(key, _)| !key.ends_with("_build"));
        entries.for_each(|(key, value)| plan_rows(&mut rows, &format!("plan: {key}"), value));
    }
    table(["", ""], rows)
}

/// A part of the plan, with all that it has inside.
fn plan_rows(rows: &mut Vec<[String; 2]>, name: &str, value: &Value) {
    match value {
        Value::Object(parts) => {
            parts.iter().for_each(|(key, part)| plan_rows(rows, &format!("{name}.{key}"), part));
        }
        other => rows.push([text(name), text(&plain(other))]),
    }
}

fn ends(summary: &Summary) -> String {
    let details = &summary.details;
    let (Some(white), Some(draws), Some(plies)) =
        (details.white_score, details.draw_share, details.average_plies)
    else {
        return "No games yet.".to_owned();
    };
    let mut shares = format!(
        "White scores {:.1}%, {:.1}% of the games are drawn, the average game has {plies:.1} plies.",
        100. * white,
        100. * draws
    );
    if let Some(decided) = details.decided_by_opening {
        let [black_twice, .., white_twice] = details.white_ptnml;
        shares += &format!(
            " In {:.1}% of the pairs one colour won both games (White {white_twice}, Black \
             {black_twice}), so the opening decided.",
            100. * decided
        );
    }
    if let Some(late) = details.time_loss_share {
        shares += &format!(" {:.1}% of the games were lost on time.", 100. * late);
    }
    let rows = details.terminations.iter().map(|(kind, games)| [kind.clone(), games.to_string()]);
    if let Some(adjudicated) = summary.adjudicated() {
        shares += &format!("\n\nBy adjudication: {adjudicated}.");
    }
    format!("{shares}\n\n{}", table(["end", "games"], rows))
}

fn faults(summary: &Summary, kept: Option<&str>) -> String {
    let faults = &summary.faults;
    let not_begun = match faults.not_begun {
        0 => String::new(),
        games => format!(
            "\nGames that could not start before the run was stopped: {games}. They are not counted and are \
             played when the run is resumed.\n"
        ),
    };
    if faults.total == 0 {
        return if not_begun.is_empty() { "None.".to_owned() } else { not_begun };
    }
    let sides = [&faults.base, &faults.test, &faults.harness];
    let kinds: BTreeSet<&String> = sides.iter().flat_map(|side| side.keys()).collect();
    let count =
        |side: &BTreeMap<String, u64>, kind: &str| side.get(kind).copied().unwrap_or(0).to_string();
    let rows = kinds.into_iter().map(|kind| {
        [kind.clone(), count(sides[0], kind), count(sides[1], kind), count(sides[2], kind)]
    });
    let games = table(["kind", "base", "test", "harness"], rows);
    let late = match (faults.replayed, faults.void_pairs) {
        (0, 0) => String::new(),
        (replayed, void) => format!(
            "\nGames played again because verdict itself was late for a clock: {replayed}. Pairs not \
             counted because one of their games could not start, or was delayed each time: {void}.\n"
        ),
    };
    let kept = kept.map(|kept| format!("\n`{}`\n", code(kept))).unwrap_or_default();
    format!("All recorded games, by the side at fault.\n\n{games}{kept}{late}{not_begun}")
}

fn audited(audit: &AuditSummary) -> String {
    let (Some(share), Some(most)) = (audit.wrong_share, audit.wrong_share_most95) else {
        return format!("None of {} adjudicated games was played to its end.", audit.adjudicated);
    };
    let mut out = format!(
        "{} of {} adjudicated games were played to their end; {} of them had another result \
         ({:.1}%, at most {:.1}% with 95% confidence).",
        audit.resolved,
        audit.adjudicated,
        audit.wrong,
        100. * share,
        100. * most
    );
    if let (Some(elo), Some(error)) = (audit.elo_effect, audit.elo_effect_error95) {
        out += &format!(" Without adjudication Elo would change by {elo:+.2} ± {error:.2}.");
    }
    if audit.unresolved > 0 {
        out += &format!(" {} more did not finish.", audit.unresolved);
    }
    out
}

fn machines(fleet: &FleetSummary) -> String {
    let optional =
        |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.3}"));
    let rows = fleet.workers.iter().map(|worker| {
        let [lost, drawn, won] = worker.pairs;
        [
            text(worker.name()),
            worker.games.to_string(),
            format!("{lost}, {drawn}, {won}"),
            optional(worker.chi2),
            optional(worker.p),
            worker.time_losses.to_string(),
            format!("{:.1}", worker.average_plies),
        ]
    });
    if fleet.workers.is_empty() {
        return String::new();
    }
    let head =
        ["machine", "games", "pairs lost, drawn, won", "chi²", "p", "time losses", "plies a game"];
    table(head, rows)
}

fn variations(lines: &BySide<PvCounts>) -> String {
    let row = |name: &str, lines: &PvCounts| {
        let counts = [lines.announced, lines.illegal, lines.mates, lines.open_mates];
        let [announced, illegal, mates, open] = counts.map(|count| count.to_string());
        let first = lines.first.as_ref();
        let first = first.map(|it| format!("game {}, ply {}: {}", it.game, it.ply, text(&it.what)));
        [name.to_owned(), announced, illegal, mates, open, first.unwrap_or_default()]
    };
    let [illegal, mate] = ["with an illegal move", "with a mate score"];
    let head = ["", "PVs", illegal, mate, "without the mate", "first of these"];
    table(head, [row("base", &lines.base), row("test", &lines.test)])
}

fn twins(summary: &Summary) -> String {
    let twins = summary.twins;
    if twins.games == 0 {
        return "None: all games are different.".to_owned();
    }
    let mut out = format!(
        "{} games are equal to an earlier one. In {} pairs both games are equal. {} pairs repeat an \
         earlier pair and are not counted, which leaves {} effective pairs for Elo, intervals and verdict.",
        twins.games, twins.within_pairs, twins.repeated_pairs, twins.effective_pairs
    );
    let many = MANY_TWINS * summary.pairs as f64;
    if twins.within_pairs as f64 > many {
        out.push_str(
            "\n\nMany pairs consist of the same game played twice: at fixed nodes or depth equal builds \
             play equal moves. The change alters few moves, or none.",
        );
    }
    if twins.repeated_pairs as f64 > many {
        out.push_str(
            "\n\nMany pairs repeat earlier ones: the book has fewer openings than the run has \
             pairs, or duplicate openings.",
        );
    }
    out
}

fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut out = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(N));
    for row in rows {
        out += &format!("| {} |\n", row.join(" | "));
    }
    out
}

/// Foreign text between back quotes.
fn code(text: &str) -> String {
    shown(text).replace('`', " ")
}
