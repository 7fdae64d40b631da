//! An invitation: `vw1_NAME@HOST:PORT_FINGERPRINT_SEED`. `vw1w_…`: connect by WebSocket.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;

use process::Error;
use sha2::{Digest as _, Sha256};

use crate::names::Label;

/// Of invitations of all versions.
const BEGINNING: &str = "vw";
const PLAIN: &str = "vw1";
const WEB: &str = "vw1w";
/// Stands for the fingerprint where connections are not encrypted.
const OPEN: &str = "-";
/// Characters of a seed in base32: 2 bytes of kind and role, 32 of key, 2 of checksum.
const SEED: usize = 58;
const DIGITS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Address of the broker, its fingerprint, and the secret key.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    /// Who is invited. The broker grants rights by this name.
    pub name: Label,
    /// Name or address; IPv6 without brackets.
    pub host: String,
    pub port: u16,
    /// `None`: no TLS; only for this machine.
    pub fingerprint: Option<Fingerprint>,
    pub seed: Seed,
    pub web_socket: bool,
}

/// First 20 bytes of the SHA-256 of the certificate authority (DER).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint([u8; 20]);

impl Fingerprint {
    pub fn of(der: &[u8]) -> Fingerprint {
        let mut first = [0; 20];
        first.copy_from_slice(&Sha256::digest(der)[..20]);
        Fingerprint(first)
    }
}

/// As base32, 32 characters.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&base32(&self.0))
    }
}

/// A user's secret key (nkey seed). `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed(String);

impl Seed {
    /// `None` if it is not the seed of a user, or has a wrong checksum.
    pub fn new(text: &str) -> Option<Seed> {
        let bytes = from_base32(text).filter(|_| text.len() == SEED && text.starts_with("SU"))?;
        let (content, sum) = bytes.split_last_chunk::<2>()?;
        (crc16(content) == u16::from_le_bytes(*sum)).then(|| Seed(text.to_owned()))
    }

    /// For the login only. Never put it into a message or a log.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(…)")
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({}@{}, …)", self.name, self.address())
    }
}

impl Token {
    /// Reads an invitation. The error names the wrong part, but does not repeat its text.
    pub fn read(line: &str) -> Result<Token, Error> {
        let wrong = |part: &str, expected: &str| {
            Error::usage(format!(
                "the token's {part}: expected {expected}; copy the whole line that \
                 `verdict serve invite` printed"
            ))
        };
        let form = "vw1_NAME@HOST:PORT_FINGERPRINT_SEED";
        let line = line.trim();
        let (version, rest) = line.split_once('_').ok_or_else(|| wrong("form", form))?;
        let web_socket = match version {
            PLAIN => false,
            WEB => true,
            _ => return Err(wrong("beginning", "vw1_ or vw1w_")),
        };
        let mut parts = rest.rsplitn(3, '_');
        let (Some(seed), Some(fingerprint), Some(address)) =
            (parts.next(), parts.next(), parts.next())
        else {
            return Err(wrong("form", form));
        };
        let (name, address) = address.split_once('@').ok_or_else(|| wrong("form", form))?;
        let name = name.parse().map_err(|_| wrong("name", "1 to 24 of a to z, 0 to 9 and -"))?;
        let (host, port) = address.rsplit_once(':').ok_or_else(|| wrong("address", "HOST:PORT"))?;
        let host = host.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(host);
        let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
        if host.parse::<IpAddr>().is_err() && (host.is_empty() || !host.chars().all(named)) {
            return Err(wrong("host", "a host's name or address"));
        }
        let digits = port.bytes().all(|c| c.is_ascii_digit());
        let port = port.parse::<u16>().ok().filter(|port| digits && *port > 0);
        let port = port.ok_or_else(|| wrong("port", "1 to 65535"))?;
        let pin = "32 characters of A to Z and 2 to 7";
        let fingerprint = match fingerprint {
            OPEN if is_loopback(host) => None,
            OPEN => return Err(wrong("fingerprint", &format!("{pin}, beyond this machine"))),
            text => {
                let bytes = from_base32(text).and_then(|bytes| bytes.try_into().ok());
                Some(Fingerprint(bytes.ok_or_else(|| wrong("fingerprint", pin))?))
            }
        };
        let key = "58 characters that begin with SU, none changed";
        let seed = Seed::new(seed).ok_or_else(|| wrong("seed", key))?;
        Ok(Token { name, host: host.to_owned(), port, fingerprint, seed, web_socket })
    }

    /// The invitation with its secret.
    pub fn reveal(&self) -> String {
        let version = if self.web_socket { WEB } else { PLAIN };
        let fingerprint = self.fingerprint.map_or(OPEN.to_owned(), |it| it.to_string());
        format!("{version}_{}@{}_{fingerprint}_{}", self.name, self.address(), self.seed.0)
    }

    /// `HOST:PORT`, for messages.
    pub fn address(&self) -> String {
        match self.host.contains(':') {
            true => format!("[{}]:{}", self.host, self.port),
            false => format!("{}:{}", self.host, self.port),
        }
    }
}

/// A word without its secret, if it may be an invitation; any other as it is.
pub fn redacted(word: &str) -> Cow<'_, str> {
    match word.rsplit_once('_') {
        Some((open, _)) if word.starts_with(BEGINNING) => Cow::Owned(format!("{open}_SU…")),
        _ => Cow::Borrowed(word),
    }
}

/// Whether a host is this machine.
pub fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// RFC 4648, without padding.
fn base32(bytes: &[u8]) -> String {
    let digits = bytes.chunks(5).flat_map(|five| {
        let mut padded = [0_u8; 8];
        padded[3..3 + five.len()].copy_from_slice(five);
        let bits = u64::from_be_bytes(padded);
        let count = (five.len() * 8).div_ceil(5);
        (0..count).map(move |place| char::from(DIGITS[(bits >> (35 - 5 * place) & 31) as usize]))
    });
    digits.collect()
}

/// `None` for other characters, a wrong length, or unused bits that are set.
fn from_base32(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for c in text.bytes() {
        let digit = DIGITS.iter().position(|digit| *digit == c)?;
        bits = bits << 5 | u32::try_from(digit).ok()?;
        held += 5;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    (held < 5 && bits == 0).then_some(bytes)
}

/// CRC-16/XMODEM, as in nkeys.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| {
            crc << 1 ^ if crc & 0x8000 != 0 { 0x1021 } else { 0 }
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A user's seed of 32 bytes: kind S and role U share two bytes.
    fn seed(key: [u8; 32]) -> String {
        let (kind, role) = (18_u8 << 3, 20_u8 << 3);
        let mut bytes = vec![kind | role >> 5, (role & 31) << 3];
        bytes.extend(key);
        bytes.extend(crc16(&bytes).to_le_bytes());
        base32(&bytes)
    }

    fn token() -> Token {
        Token {
            name: "alice".parse().unwrap(),
            host: "home.example.org".to_owned(),
            port: 4222,
            fingerprint: Some(Fingerprint::of(b"certificate")),
            seed: Seed::new(&seed([7; 32])).unwrap(),
            web_socket: false,
        }
    }

    #[test]
    fn what_may_be_an_invitation_is_shown_without_its_key() {
        let whole = token().reveal();
        let shown = redacted(&whole);
        assert!(shown.starts_with("vw1_alice@home.example.org:4222_") && shown.ends_with("_SU…"));
        assert!(!shown.contains(&seed([7; 32])[2..]));
        assert_eq!((redacted("vw9_SUKEY"), redacted("a_b")), ("vw9_SU…".into(), "a_b".into()));
    }

    #[test]
    fn published_values() {
        assert_eq!(base32(b"foobar"), "MZXW6YTBOI");
        assert_eq!(from_base32("MZXW6YTBOI").as_deref(), Some(&b"foobar"[..]));
        assert_eq!(crc16(b"123456789"), 0x31c3);
        // The example seed in the documents of nkeys.
        let known = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
        assert!(Seed::new(known).is_some());
        for bad in ["MZ=", "MZXW6YTBO1", "M", "MZX", "ab"] {
            assert_eq!(from_base32(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_token_is_read_as_it_is_written() {
        let line = token().reveal();
        assert!(line.starts_with("vw1_alice@home.example.org:4222_"));
        assert_eq!(Token::read(&format!(" {line}\n")).unwrap(), token());
        let web = Token { web_socket: true, port: 443, ..token() };
        assert!(web.reveal().starts_with("vw1w_alice@home.example.org:443_"));
        assert_eq!(Token::read(&web.reveal()).unwrap(), web);
        let open = Token { host: "::1".to_owned(), fingerprint: None, ..token() };
        assert!(open.reveal().starts_with("vw1_alice@[::1]:4222_-_SU"));
        assert_eq!(Token::read(&open.reveal()).unwrap(), open);
    }

    #[test]
    fn what_is_wrong_is_named_and_nothing_is_repeated() {
        let line = token().reveal();
        let (seed, pin) = (seed([7; 32]), Fingerprint::of(b"certificate").to_string());
        let other = seed.replace('7', "A").replace("SU", "SO");
        for (bad, part) in [
            (String::new(), "form"),
            ("vw1".to_owned(), "form"),
            (format!("vw1_{seed}"), "form"),
            (line.replace("vw1_", "vw2_"), "beginning"),
            (line.replace("alice@", ""), "form"),
            (line.replace("alice", "Alice"), "name"),
            (line.replace(":4222", ""), "address"),
            (line.replace("4222", "0"), "port"),
            (line.replace("4222", "+1"), "port"),
            (line.replace("4222", "70000"), "port"),
            (line.replace("home.example.org", ""), "host"),
            (line.replace("home", "ho me"), "host"),
            (line.replace(&pin, "-"), "fingerprint"),
            (line.replace(&pin, &pin[1..]), "fingerprint"),
            (line[..line.len() - 1].to_owned(), "seed"),
            (line.replace(&seed, &other), "seed"),
        ] {
            let error = Token::read(&bad).unwrap_err();
            let message = error.to_string();
            assert_eq!(error.kind(), process::ErrorKind::Usage);
            assert!(message.contains(&format!("the token's {part}:")), "{bad}: {message}");
            assert!(!message.contains(&seed[2..12]) && !message.contains(&seed[40..50]));
        }
    }

    #[test]
    fn the_seed_is_not_shown() {
        let shown = format!("{:?} {:?}", token(), token().seed);
        assert!(shown.contains("home.example.org:4222") && !shown.contains("SU"), "{shown}");
    }

    #[test]
    fn only_this_machine_is_without_encryption() {
        let open = |host: &str| Token { host: host.to_owned(), fingerprint: None, ..token() };
        for (host, allowed) in [("localhost", true), ("127.0.0.2", true), ("10.0.0.1", false)] {
            assert_eq!(Token::read(&open(host).reveal()).is_ok(), allowed, "{host}");
        }
    }

    proptest! {
        #[test]
        fn every_mistyped_character_of_a_seed_is_found(
            key: [u8; 32], at in 2_usize..SEED, digit in 0_usize..32,
        ) {
            let right = seed(key);
            prop_assert!(right.starts_with("SU") && Seed::new(&right).is_some());
            let mut wrong = right.clone().into_bytes();
            wrong[at] = DIGITS[digit];
            let wrong = String::from_utf8(wrong).unwrap();
            prop_assert_eq!(Seed::new(&wrong).is_some(), wrong == right);
        }

        #[test]
        fn base32_reads_back(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(from_base32(&base32(&bytes)), Some(bytes));
        }

        #[test]
        fn no_text_is_a_surprise(text in "(vw1w?)?_?(a@)?.{0,80}") {
            let _ = Token::read(&text);
        }
    }
}
