//! Rates of books for people: a table, and a page with charts.

use std::path::Path;

use super::{BookRates, BookResults};
use arena::record::{RecordError, Side, run_name, write_outcome};
use charts::bars::{StackedBar, wholes};
use charts::figure::{Figure, Key};
use charts::frame::whole;
use charts::html::HtmlText;
use charts::numbers::{counted, percent, percent_of};
use charts::page::{Page, PageTable};
use charts::svg::Naming;
use stats::PairsRatio;

const NONE: &str = "–";
/// Of pairs by test's score, and their styles.
const SCORES: [(&str, &str); 5] =
    [("0", "base"), ("½", "base"), ("1", "even"), ("1½", "test"), ("2", "test")];

impl BookRates {
    /// What is shown on the terminal, without a heading.
    pub fn page(&self) -> Page {
        let mut page = Page::default();
        page.text(self.who());
        page.table(self.table());
        page.text(self.note());
        if let Some(incomplete) = self.incomplete() {
            page.text(incomplete);
        }
        page
    }

    /// Writes `summary.md`, `summary.json` and `report.html`.
    pub fn write(&self, dir: &Path) -> Result<(), RecordError> {
        let name = run_name(dir);
        let mut page = Page::default();
        page.heading(1, name.as_str());
        page.append(self.page());
        write_outcome(dir, &page, &self.json(), &self.html(&name))
    }

    fn who(&self) -> String {
        let Some(first) = self.books.first() else { return String::new() };
        let label = |side| first.run.label(side);
        let conditions = first.run.conditions();
        // Of all books but for the book.
        let conditions: Vec<&str> =
            conditions.split(", ").filter(|part| !part.starts_with("book ")).collect();
        format!(
            "{} (test) against {} (base), {}.",
            label(Side::Test),
            label(Side::Base),
            conditions.join(", ")
        )
    }

    fn table(&self) -> PageTable {
        let head = [
            "book",
            "pairs",
            "Ptnml",
            "nElo",
            "draws",
            "decided pairs",
            "s a game",
            "pairs needed",
            "95 %",
            "time needed",
        ];
        let mut table = PageTable::new(1, head);
        table.rows.extend(self.books.iter().map(|book| self.row(book)));
        table
    }

    fn row(&self, book: &BookResults) -> Vec<String> {
        let show = |share: Option<f64>| share.map_or(NONE.to_owned(), percent);
        let nelo = book.signal().map_or(NONE.to_owned(), |signal| {
            format!("{:+.1} ± {:.1}", signal.nelo, signal.error95())
        });
        let seconds =
            book.seconds_a_game.map_or(NONE.to_owned(), |seconds| format!("{seconds:.2}"));
        let is_first = self.books.first().is_some_and(|first| first.name == book.name);
        let [ratio, interval, time] = match (is_first, self.pairs_needed(book)) {
            (true, _) => ["1".to_owned(), String::new(), "1".to_owned()],
            (false, None) => [(); 3].map(|()| NONE.to_owned()),
            (false, Some(PairsRatio { ratio, low95, high95 })) => {
                let time = self.time_per_pair(book);
                [
                    format!("{ratio:.2}"),
                    format!("{low95:.2} to {high95:.2}"),
                    time.map_or(NONE.to_owned(), |time| format!("{:.2}", ratio * time)),
                ]
            }
        };
        vec![
            book.name.clone(),
            book.pairs.pairs().to_string(),
            book.pairs.to_string().replace(',', ", "),
            nelo,
            show(book.draw_share()),
            show(book.decided_share()),
            seconds,
            ratio,
            interval,
            time,
        ]
    }

    fn note(&self) -> String {
        let Some(first) = self.books.first() else { return String::new() };
        let repeated: u64 = self.books.iter().map(|book| book.repeated_pairs).sum();
        let left_out = match repeated {
            0 => String::new(),
            repeated => {
                format!(" {} repeat earlier ones and are not counted.", counted(repeated, "pair"))
            }
        };
        format!(
            "Pairs needed: for the same verdict, compared with {}. They are in proportion to 1/nElo². A \
             dash: the strength is not shown to differ from 0, so that any number may be needed. Decided \
             pairs are those not shared 1–1.{left_out}",
            first.name
        )
    }

    /// Matches that say less than they were planned to, or nothing.
    fn incomplete(&self) -> Option<String> {
        let list = |of: &dyn Fn(&BookResults) -> bool, what: &str, why: &str| {
            let names: Vec<&str> =
                self.books.iter().filter(|book| of(book)).map(|book| book.name.as_str()).collect();
            (!names.is_empty()).then(|| format!("{what}: {}{why}.", names.join(", ")))
        };
        let is_open = |book: &BookResults| book.verdict.is_none();
        let open = list(&is_open, "Not finished", "");
        let why = "; too many games ended by faults, so that they say nothing of the book";
        let void = list(&BookResults::is_void, "VOID", why);
        let told: Vec<String> = open.into_iter().chain(void).collect();
        (!told.is_empty()).then(|| told.join(" "))
    }

    fn html(&self, name: &str) -> String {
        let intro = "Two games from one opening, colours swapped, are a pair. All numbers are \
                     <strong>test minus base</strong>.";
        let body = format!(
            "<section>\n<h2>{}</h2>\n<p class=\"who soft\">{}</p>\n{}<p class=\"note\">{}</p>\n\
             <div class=\"charts\">\n{}</div>\n</section>\n",
            HtmlText(name),
            HtmlText(&self.who()),
            self.table().html("Books, and the pairs that a match needs with each"),
            HtmlText(
                &[self.note()].into_iter().chain(self.incomplete()).collect::<Vec<_>>().join(" ")
            ),
            self.figure().render(),
        );
        whole([name, "Opening books"], intro, &body, "the journals of the matches", "")
    }

    /// Pairs by test's score, a bar for each book.
    fn figure(&self) -> Figure {
        let title = "Pairs by test's score";
        let phrases: Vec<String> =
            self.books.iter().map(|book| format!("{}: {}", book.name, book.pairs)).collect();
        let naming = Naming::new("books", "pairs", title, format!("{}.", phrases.join("; ")));
        let rows: Vec<StackedBar> = self.books.iter().map(bar).collect();
        Figure::new(title, wholes(&naming, &rows)).with_keys(&[
            Key::Area("test", "more than 1 point"),
            Key::Area("even", "1 point"),
            Key::Area("base", "less than 1 point"),
        ])
    }
}

fn bar(book: &BookResults) -> StackedBar {
    let all = book.pairs.pairs();
    let parts = SCORES.iter().zip(book.pairs.to_array()).rev();
    let part = |((score, class), pairs): (&(&str, &'static str), u64)| {
        let hint = format!(
            "{}, {score}: {}, {}",
            book.name,
            counted(pairs, "pair"),
            percent_of(pairs, all)
        );
        (*class, pairs, hint)
    };
    StackedBar {
        name: book.name.clone(),
        note: format!("{} decided", book.decided_share().map_or(NONE.to_owned(), percent)),
        parts: parts.map(part).collect(),
    }
}
