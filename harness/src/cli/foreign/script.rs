//! A command line of another runner as people have it: a line of a script, with quotes, continued
//! lines, variables and a change of folder before it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::runner::Runner;
use process::Error;

/// A command line of another runner.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RunnerCommand {
    /// What it is of; `None` where only flags are given.
    pub(super) runner: Option<Runner>,
    pub(super) words: Vec<String>,
    /// The folder that its paths begin from; `None`: ours.
    pub(super) folder: Option<PathBuf>,
    /// The other commands of the text.
    pub(super) others: Vec<String>,
}

/// Other commands that are told.
const TOLD: usize = 6;

/// Programs that start another one, with the flags of theirs that take a value.
const STARTERS: [(&str, &[&str]); 9] = [
    ("nohup", &[]),
    ("exec", &[]),
    ("time", &[]),
    ("sudo", &["-u"]),
    ("env", &["-u"]),
    ("nice", &["-n"]),
    ("stdbuf", &["-o", "-e", "-i"]),
    ("taskset", &["-c"]),
    ("setsid", &[]),
];

impl RunnerCommand {
    /// Finds the command in a text. `variable` gives variables that the text does not set.
    pub(super) fn in_text(
        text: &str,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<RunnerCommand, Error> {
        let text = &text.replace("\r\n", "\n");
        let mut lexer = Lexer { variables: HashMap::new(), outside: &variable };
        let mut folder: Option<PathBuf> = None;
        let (mut found, mut programs, mut others) = (None, Vec::new(), Vec::new());
        for command in commands(text) {
            let mut words = lexer.words(command)?;
            if words.iter().all(|word| word.is_assignment()) {
                for word in &words {
                    let (name, value) = word.text.split_once('=').unwrap_or_default();
                    lexer.variables.insert(name.to_owned(), value.to_owned());
                }
                continue;
            }
            let first = words.iter().position(|word| !word.is_assignment()).unwrap_or(0);
            words.drain(..first);
            let words = without_starters(words.into_iter().map(|word| word.text).collect());
            let Some((program, rest)) = words.split_first() else { continue };
            if program == "cd" {
                let to = home(rest.first().map_or("~", String::as_str));
                folder = Some(folder.unwrap_or_default().join(to));
                continue;
            }
            let runner = Runner::of_program(program);
            let is_flags = program.starts_with('-');
            if runner.is_none() && !is_flags {
                programs.push(program.clone());
                others.push(command.split_whitespace().collect::<Vec<_>>().join(" "));
                continue;
            }
            if found.is_some() {
                return Err(Error::usage("expected one command line of a runner, found several"));
            }
            let words = if is_flags { words } else { rest.to_vec() };
            let folder = folder.clone();
            found = Some(RunnerCommand { runner, words, folder, others: Vec::new() });
        }
        let found = found.map(|found| RunnerCommand { others, ..found });
        found.ok_or_else(|| {
            let found = match programs.first() {
                Some(program) => format!("a command line of '{program}'"),
                None => "none".to_owned(),
            };
            Error::usage(format!(
                "expected a command line of fastchess, cutechess-cli or c-chess-cli, or its flags \
                 (-engine …), found {found}"
            ))
        })
    }
}

impl RunnerCommand {
    /// Tells the other commands of the text: a sign such as `;` may have been meant as part of a value.
    pub(super) fn not_run(&self) -> Option<String> {
        let told = self.others.iter().take(TOLD).map(|it| format!("'{it}'"));
        let told = told.collect::<Vec<_>>().join(", ");
        let rest = match self.others.len().saturating_sub(TOLD) {
            0 => String::new(),
            rest => format!(" and {rest} more"),
        };
        (!self.others.is_empty()).then(|| {
            format!("only the runner's command is read, other commands of the text are not run: {told}{rest}")
        })
    }
}

/// The words of one command, as a shell has them; variables have no value.
pub(super) fn words(command: &str) -> Result<Vec<String>, Error> {
    let lexer = Lexer { variables: HashMap::new(), outside: &|_| None };
    Ok(lexer.words(command)?.into_iter().map(|word| word.text).collect())
}

/// A path with the user's home folder for `~`.
pub(super) fn home(path: &str) -> PathBuf {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    match (path.strip_prefix('~'), home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            home.join(rest.trim_start_matches('/'))
        }
        _ => PathBuf::from(path),
    }
}

/// A path in this folder, as text; what needs no folder stays as it is.
pub(super) fn inside(folder: Option<&Path>, path: &str) -> String {
    let path = home(path);
    match folder {
        Some(folder) => {
            let path = path.strip_prefix("./").map_or(path.as_path(), |rest| rest);
            folder.join(path).to_string_lossy().into_owned()
        }
        None => path.to_string_lossy().into_owned(),
    }
}

/// The words behind programs such as `nice`, which start the one that is meant.
fn without_starters(mut words: Vec<String>) -> Vec<String> {
    while let Some((_, with_value)) =
        words.first().and_then(|word| STARTERS.iter().find(|(name, _)| name == word))
    {
        words.remove(0);
        while words.first().is_some_and(|word| word.starts_with('-') || word.contains('=')) {
            let flag = words.remove(0);
            if with_value.contains(&flag.as_str()) && !words.is_empty() {
                words.remove(0);
            }
        }
    }
    words
}

/// The commands of a text: what stands between line ends, `;`, `&`, `|` outside of quotes. Lines
/// that end in a backslash go on; comments are left out.
fn commands(text: &str) -> Vec<&str> {
    let (mut commands, mut start, mut quote, mut at_word) = (Vec::new(), 0, None, true);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let begins_word = std::mem::replace(&mut at_word, c.is_whitespace());
        match (quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => {
                chars.next();
            }
            (None, '\'' | '"') => quote = Some(c),
            (None, '#') if begins_word => {
                commands.push(&text[start..at]);
                while chars.next_if(|(_, c)| *c != '\n').is_some() {}
                start = chars.peek().map_or(text.len(), |(at, _)| *at);
            }
            // Of `2>&1` the ampersand is part.
            (None, '&') if text[..at].ends_with('>') || text[at + 1..].starts_with('>') => {}
            (None, '\n' | ';' | '&' | '|') => {
                commands.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    commands.push(&text[start..]);
    commands.retain(|command| !command.trim().is_empty());
    commands
}

struct Word {
    text: String,
    /// How many of its first characters no quote or backslash stood before.
    bare: usize,
}

impl Word {
    /// `NAME=value`, as a shell sets variables.
    fn is_assignment(&self) -> bool {
        let Some(end) = self.text.find('=') else { return false };
        let name = &self.text[..end];
        let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
        end < self.bare
            && name.starts_with(begins)
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    }
}

/// The words of a command, as a shell has them.
struct Lexer<'a> {
    variables: HashMap<String, String>,
    outside: &'a dyn Fn(&str) -> Option<String>,
}

impl Lexer<'_> {
    fn words(&self, command: &str) -> Result<Vec<Word>, Error> {
        let mut words: Vec<Word> = Vec::new();
        let mut word: Option<Word> = None;
        let mut quote = None;
        let mut chars = command.chars().peekable();
        while let Some(c) = chars.next() {
            let is_bare = quote.is_none();
            let mut push = |text: &str, is_bare: bool| {
                let word = word.get_or_insert(Word { text: String::new(), bare: 0 });
                if is_bare && word.bare == word.text.len() {
                    word.bare += text.len();
                }
                word.text.push_str(text);
            };
            match (quote, c) {
                (Some('\''), '\'') | (Some('"'), '"') => quote = None,
                (Some('\''), c) => push(&c.to_string(), false),
                (None, '\'' | '"') => {
                    push("", false);
                    quote = Some(c);
                }
                (_, '\\') => match (quote, chars.next()) {
                    (_, Some('\n')) => {}
                    (Some(_), Some(c)) if !"\"\\$`".contains(c) => push(&format!("\\{c}"), false),
                    (_, Some(c)) => push(&c.to_string(), false),
                    (_, None) => push("\\", false),
                },
                (_, '`') => return Err(not_run("`…`")),
                (_, '$') => {
                    let value = self.variable(&mut chars)?;
                    match quote {
                        Some(_) => push(&value, false),
                        // A shell takes apart what stands in no quotes.
                        None => {
                            let mut parts = value.split_whitespace().peekable();
                            while let Some(part) = parts.next() {
                                word.get_or_insert(Word { text: String::new(), bare: 0 })
                                    .text
                                    .push_str(part);
                                if parts.peek().is_some() {
                                    words.extend(word.take());
                                }
                            }
                        }
                    }
                }
                // What a command prints, and where to, is not ours; what it reads is not either.
                (None, '>' | '<') => {
                    let is_number = |it: &Word| it.text.chars().all(|c| c.is_ascii_digit());
                    words.extend(word.take().filter(|it| !is_number(it)));
                    skip_target(&mut chars);
                }
                (None, c) if c.is_whitespace() => words.extend(word.take()),
                (_, c) => push(&c.to_string(), is_bare),
            }
        }
        if let Some(quote) = quote {
            return Err(Error::usage(format!("expected a closing {quote}, found the end")));
        }
        words.extend(word.take());
        Ok(words)
    }

    /// The value of the variable whose name follows.
    fn variable(&self, chars: &mut Chars<'_>) -> Result<String, Error> {
        let in_braces = chars.next_if_eq(&'{').is_some();
        let mut name = String::new();
        while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
            name.push(c);
        }
        if name.is_empty() || in_braces && chars.next_if_eq(&'}').is_none() {
            return Err(not_run(if in_braces { "${…}" } else { "$(…)" }));
        }
        let known = self.variables.get(&name).cloned().or_else(|| (self.outside)(&name));
        known.ok_or_else(|| {
            Error::usage(format!("${name} is set neither in the text nor in the environment"))
        })
    }
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn not_run(what: &str) -> Error {
    Error::usage(format!("expected plain words and $NAME, found {what}: type what it stands for"))
}

/// Skips what is redirected: the rest of the sign, and the word behind it.
fn skip_target(chars: &mut Chars<'_>) {
    while chars.next_if(|c| ">&|<".contains(*c)).is_some() {}
    while chars.next_if(|c| *c == ' ' || *c == '\t').is_some() {}
    while chars.next_if(|c| !c.is_whitespace()).is_some() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Result<RunnerCommand, Error> {
        RunnerCommand::in_text(text, |name| (name == "HERE").then(|| "/here".to_owned()))
    }

    #[test]
    fn the_command_of_a_script_is_found() {
        let script = "#!/bin/sh\n# a match; with fastchess\nset -e\nNEW='./my new' TC=8+0.08\n\
            cd /fast && cd chess\n\
            nice -n 19 ./fastchess -engine cmd=\"$NEW\" name=new \\\n  -each tc=${TC} # often\n\
            echo done";
        let command = found(script).unwrap();
        assert_eq!(command.runner, Some(Runner::Fastchess));
        assert_eq!(command.words, ["-engine", "cmd=./my new", "name=new", "-each", "tc=8+0.08"],);
        assert_eq!(command.folder.as_deref(), Some(Path::new("/fast/chess")));
    }

    #[test]
    fn words_are_a_shells() {
        for (text, words) in [
            (
                "-engine 'cmd=a b' option.X=\"c \\\"d\\\"\"",
                &["-engine", "cmd=a b", "option.X=c \"d\""][..],
            ),
            ("fastchess -each tc=1 > log.txt 2>&1 &", &["-each", "tc=1"]),
            ("fastchess -each tc=1 2>>err.txt | tee -a log", &["-each", "tc=1"]),
            ("LD=1 /opt/bin/fastchess-ob -event a\\ b -x ''", &["-event", "a b", "-x", ""]),
            (
                "fastchess -engine cmd=$HERE/a -sprt elo0=-5",
                &["-engine", "cmd=/here/a", "-sprt", "elo0=-5"],
            ),
            ("fastchess -rounds \\\r\n 5", &["-rounds", "5"]),
            ("taskset -c 0,1 env A=1 fastchess.exe -x", &["-x"]),
        ] {
            assert_eq!(found(text).unwrap().words, words, "{text}");
        }
        assert_eq!(found("-each tc=1").unwrap().runner, None);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for text in [
            "",
            "echo fastchess",
            "stockfish bench",
            "fastchess -a; cutechess-cli -b",
            "fastchess -engine cmd='a",
            "fastchess -engine cmd=$UNSET_HERE",
            "fastchess -engine cmd=$(pwd)/a",
            "fastchess -engine cmd=`pwd`",
            "fastchess -engine cmd=${A:-b}",
        ] {
            assert_eq!(found(text).unwrap_err().kind(), process::ErrorKind::Usage, "{text}");
        }
    }
}
