//! Numbers as people read them. Nothing here writes NaN or an infinity.

/// A real minus, as wide as a plus.
const MINUS: char = '−';

/// A whole number with commas between thousands.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 game`, `2 games`.
pub fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", count(number))
}

/// With so many decimals, and a real minus; `–` for what is no number.
pub fn fixed(number: f64, decimals: usize) -> String {
    if !number.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.contains(|c: char| matches!(c, '1'..='9')) => {
            format!("{MINUS}{digits}")
        }
        Some(zero) => zero.to_owned(),
        None => text,
    }
}

/// As [`fixed`], with a plus before positive numbers.
pub fn signed(number: f64, decimals: usize) -> String {
    let text = fixed(number, decimals);
    let is_positive = number > 0.0 && text.contains(|c: char| matches!(c, '1'..='9'));
    if is_positive { format!("+{text}") } else { text }
}

/// Numbers in a plain text with a real minus; of a whole number alone, commas between thousands.
pub(crate) fn typeset(text: &str) -> String {
    if let (Ok(number), false) = (text.parse(), text.starts_with('+')) {
        return count(number);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let begins = !out.ends_with(char::is_alphanumeric);
        let is_minus = c == '-' && begins && rest.peek().is_some_and(char::is_ascii_digit);
        out.push(if is_minus { MINUS } else { c });
    }
    out
}

/// A share in per cent.
pub fn percent(share: f64) -> String {
    format!("{}%", fixed(100.0 * share, 1))
}

/// So many of so many in per cent; of none, nothing is said.
pub fn percent_of(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { percent(part as f64 / whole as f64) }
}

/// A large number in short: `950`, `12.3k`, `4.5M`.
pub fn short(number: f64) -> String {
    let size = number.abs();
    let (unit, letter) = match size {
        _ if size >= 999.5e6 => (1e9, "G"),
        _ if size >= 999.5e3 => (1e6, "M"),
        _ if size >= 999.5 => (1e3, "k"),
        _ => (1.0, ""),
    };
    let decimals = if letter.is_empty() || size / unit >= 99.95 { 0 } else { 1 };
    let text = fixed(number / unit, decimals);
    format!("{}{letter}", text.strip_suffix(".0").unwrap_or(&text))
}

pub fn millis(number: f64) -> String {
    match number.abs() {
        size if size >= 9_999.5 => format!("{} s", fixed(number / 1e3, 1)),
        size if size >= 99.95 => format!("{} ms", fixed(number, 0)),
        size if size >= 9.995 => format!("{} ms", fixed(number, 1)),
        _ => format!("{} ms", fixed(number, 2)),
    }
}

pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{} s", fixed(seconds, 1)),
        60..3_600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", count(whole / 3_600), whole / 60 % 60),
    }
}

/// A power of ten: `0.01`, `1`, `1000`, `10⁶`.
pub fn power_of_ten(exponent: f64) -> String {
    let whole = exponent.round() as i32;
    match whole {
        -3..=-1 => format!("{:.*}", whole.unsigned_abs() as usize, 10f64.powi(whole)),
        0..=4 => count(10u64.pow(whole.unsigned_abs())),
        _ => {
            let raise = |c: char| match c {
                '-' => '⁻',
                c => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(c.to_digit(10).unwrap_or(0) as usize).unwrap_or(c),
            };
            format!("10{}", whole.to_string().chars().map(raise).collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([1, 2].map(|n| counted(n, "game")), ["1 game", "2 games"]);
        let signed = |number| signed(number, 1);
        assert_eq!([12.34, -0.04, 0.04, -5.0].map(signed), ["+12.3", "0.0", "0.0", "−5.0"]);
        assert_eq!([f64::NAN, f64::INFINITY].map(signed), ["–", "–"]);
        for (plain, text) in [
            ("12345", "12,345"),
            ("-5.0 ± 1.2", "−5.0 ± 1.2"),
            ("+7 (-3 to 2-1)", "+7 (−3 to 2-1)"),
            ("a-2 - b", "a-2 - b"),
        ] {
            assert_eq!(typeset(plain), text);
        }
        assert_eq!(percent_of(1, 3), "33.3%");
        assert_eq!(percent_of(0, 0), "–");
        for (number, text) in [
            (0.0, "0"),
            (999.4, "999"),
            (1e4, "10k"),
            (12_345.0, "12.3k"),
            (123_456.0, "123k"),
            (4.52e6, "4.5M"),
            (7e9, "7G"),
        ] {
            assert_eq!(short(number), text);
        }
        assert_eq!(
            [0.5, 12.34, 250.0, 12_000.0].map(millis),
            ["0.50 ms", "12.3 ms", "250 ms", "12.0 s"]
        );
        assert_eq!([1.0, 61.0, 7_260.0].map(duration), ["1.0 s", "1 min 01 s", "2 h 01 min"]);
        assert_eq!(
            [-5.0, -2.0, 0.0, 3.0, 12.0].map(power_of_ten),
            ["10⁻⁵", "0.01", "1", "1,000", "10¹²"]
        );
    }
}
