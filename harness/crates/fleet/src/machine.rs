//! Properties of this machine, for workers and coordinators.

use arena::record::Versions;

/// Commit of this verdict, with `+dirty` if it was built from changed sources.
pub(crate) fn commit() -> String {
    let Versions { verdict, commit } = Versions::here();
    commit.unwrap_or(verdict)
}

/// Target of programs that run here, such as `x86_64-linux`.
pub(crate) fn target() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// Level of the processor, such as `x86-64-v3`.
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
