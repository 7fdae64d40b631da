//! TLS with the server that an invitation names: its certificate chain must contain the authority
//! with this fingerprint. The system's authorities are not used.

use std::sync::Arc;

use async_nats::rustls::client::WebPkiServerVerifier;
use async_nats::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use async_nats::rustls::crypto::{self, CryptoProvider};
use async_nats::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use async_nats::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use wire::token::Fingerprint;

use crate::server::SERVER_NAME;

/// TLS settings for the server with this authority.
pub(super) fn config(authority: Fingerprint) -> Result<ClientConfig, Error> {
    let provider = Arc::new(crypto::ring::default_provider());
    let verifier = Pinned { authority, provider: Arc::clone(&provider) };
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(config
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth())
}

#[derive(Debug)]
struct Pinned {
    authority: Fingerprint,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let authority = intermediates.iter().find(|it| Fingerprint::of(it) == self.authority);
        let authority = authority.ok_or(CertificateError::UnknownIssuer)?;
        let mut roots = RootCertStore::empty();
        roots.add(authority.clone().into_owned())?;
        let provider = Arc::clone(&self.provider);
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
            .build()
            .map_err(|error| Error::General(error.to_string()))?;
        let name = ServerName::try_from(SERVER_NAME).map_err(|_| Error::UnsupportedNameType)?;
        verifier.verify_server_cert(end_entity, &[], &name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        crypto::verify_tls12_signature(message, cert, dss, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        crypto::verify_tls13_signature(message, cert, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::super::told::is_about_time;
    use super::*;
    use crate::server::{Certificate, certificate};

    const YEAR: u64 = 365 * 24 * 60 * 60;

    /// Clocks may be wrong by a day, and by years.
    #[test]
    fn what_clock_a_worker_may_have() {
        let dir = tempfile::tempdir().unwrap();
        let (Certificate { cert, .. }, authority) = certificate(dir.path()).unwrap();
        let pem = fs::read_to_string(cert).unwrap();
        let chain: Vec<CertificateDer<'_>> = pem
            .split("-----BEGIN CERTIFICATE-----")
            .skip(1)
            .map(|part| {
                let base64: String =
                    part.lines().take_while(|line| !line.starts_with('-')).collect();
                CertificateDer::from(data_encoding::BASE64.decode(base64.as_bytes()).unwrap())
            })
            .collect();
        let provider = Arc::new(crypto::ring::default_provider());
        let pinned = Pinned { authority, provider };
        let name = ServerName::try_from("any.name").unwrap();
        let at = |since_1970: u64| {
            let now = UnixTime::since_unix_epoch(Duration::from_secs(since_1970));
            pinned.verify_server_cert(&chain[0], &chain[1..], &name, &[], now).map(|_| ())
        };
        let year = |year: u64| (year - 1970) * YEAR + YEAR / 2;
        for fine in [2021, 2026, 2049] {
            for clock in [year(fine), year(fine) - 86_400, year(fine) + 86_400] {
                assert_eq!(at(clock), Ok(()), "{fine}");
            }
        }
        for wrong in [1970, 1999, 2051] {
            let said = at(year(wrong)).unwrap_err().to_string();
            assert!(is_about_time(&said), "{wrong}: {said}");
        }
        let stranger = Pinned { authority: Fingerprint::of(b"x"), provider: pinned.provider };
        let now = UnixTime::since_unix_epoch(Duration::from_secs(year(2026)));
        let refused = stranger.verify_server_cert(&chain[0], &chain[1..], &name, &[], now);
        assert!(!is_about_time(&refused.unwrap_err().to_string()));
    }
}
