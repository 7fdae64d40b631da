//! The broker's own certificate authority. Invitations contain its fingerprint, so no other server
//! can pass as the broker.

use std::fs;
use std::path::Path;

use data_encoding::BASE64;
use process::{Context as _, Error};
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use wire::token::Fingerprint;

use super::Certificate;

/// Name in the certificate, whatever the server's address is.
pub const SERVER_NAME: &str = "verdict.fleet";
/// The first of January of these years. Wide limits: clocks may be wrong by years.
pub(crate) const VALID_YEARS: [i16; 2] = [2020, 2050];

/// The broker's certificate in `dir`, made if it is missing, and the fingerprint of its authority.
pub fn certificate(dir: &Path) -> Result<(Certificate, Fingerprint), Error> {
    let [authority, cert, key] = ["ca.der", "server.pem", "server.key"].map(|name| dir.join(name));
    if !cert.exists() || !key.exists() || !authority.exists() {
        let made = make().context("cannot make a certificate")?;
        let write = |path: &Path, bytes: &[u8]| {
            process::files::write_private(path, bytes).map_err(Error::io(path, "write"))
        };
        write(&authority, &made.authority)?;
        write(&key, pem("PRIVATE KEY", &made.key).as_bytes())?;
        let chain = pem("CERTIFICATE", &made.server) + &pem("CERTIFICATE", &made.authority);
        write(&cert, chain.as_bytes())?;
    }
    let der = fs::read(&authority).map_err(Error::io(&authority, "read"))?;
    Ok((Certificate { cert, key }, Fingerprint::of(&der)))
}

/// In DER. The authority's private key is discarded after it has signed.
struct Made {
    authority: Vec<u8>,
    server: Vec<u8>,
    key: Vec<u8>,
}

fn make() -> Result<Made, Error> {
    let params = |name: &str, hosts: Vec<String>| -> Result<CertificateParams, rcgen::Error> {
        let mut params = CertificateParams::new(hosts)?;
        let [from, until] = VALID_YEARS.map(|year| date_time_ymd(year.into(), 1, 1));
        params.not_before = from;
        params.not_after = until;
        params.distinguished_name.push(DnType::CommonName, name);
        Ok(params)
    };
    let made = || -> Result<Made, rcgen::Error> {
        let mut authority = params("verdict fleet authority", Vec::new())?;
        authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let authority_key = KeyPair::generate()?;
        let authority_der = authority.self_signed(&authority_key)?.der().to_vec();
        let issuer = Issuer::new(authority, authority_key);
        let mut server = params(SERVER_NAME, vec![SERVER_NAME.to_owned()])?;
        server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let key = KeyPair::generate()?;
        let server = server.signed_by(&key, &issuer)?.der().to_vec();
        Ok(Made { authority: authority_der, server, key: key.serialize_der() })
    };
    made().map_err(Error::fault)
}

fn pem(what: &str, der: &[u8]) -> String {
    let text = BASE64.encode(der);
    let mut pem = format!("-----BEGIN {what}-----\n");
    for line in text.as_bytes().chunks(64) {
        pem.extend(line.iter().map(|&byte| char::from(byte)));
        pem.push('\n');
    }
    pem + &format!("-----END {what}-----\n")
}
