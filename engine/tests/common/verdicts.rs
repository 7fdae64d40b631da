//! Positions with a tablebase's verdict.

/// The positions of a text, each with its result for White: 1, 0, −1.
pub(crate) fn cases(text: &str) -> Vec<(String, i32)> {
    let case = |line: &str| {
        let fen: Vec<&str> = line.split(' ').take(4).collect();
        let results = [("white win", 1), ("white draw", 0), ("white loss", -1)];
        let (_, result) = results.into_iter().find(|(words, _)| line.contains(words))?;
        Some((format!("{} 0 1", fen.join(" ")), result))
    };
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| case(line).unwrap_or_else(|| panic!("no result: {line}")))
        .collect()
}
