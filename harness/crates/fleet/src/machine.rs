//! What this machine is, for those who have it play.

use arena::record::Versions;

/// The commit of this verdict, with `+dirty` where its sources are in none.
pub(crate) fn commit() -> String {
    let Versions { verdict, commit } = Versions::here();
    commit.unwrap_or(verdict)
}

/// The target triple of programs that run here, without the vendor.
pub(crate) fn target() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// How much of its family's instructions the processor knows.
pub(crate) fn level() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        let v2 = is_x86_feature_detected!("sse4.2") && is_x86_feature_detected!("popcnt");
        let v3 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("fma");
        let v4 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl");
        match (v2, v3, v4) {
            (true, true, true) => "x86-64-v4",
            (true, true, false) => "x86-64-v3",
            (true, false, _) => "x86-64-v2",
            (false, ..) => "x86-64",
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::env::consts::ARCH
}
