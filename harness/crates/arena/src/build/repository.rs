//! Makes programs look for their repository where they run, whoever runs verdict. The build script
//! reads this file, too.

use std::process::Command;

/// What git tells its hooks of their repository: it would win over the folder in which git is
/// started. As where git itself goes over to a submodule, the user's settings (`GIT_CONFIG_COUNT`
/// and others) are not among them.
const VARIABLES: &str = "\
    GIT_DIR GIT_WORK_TREE GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY \
    GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_PREFIX GIT_CONFIG GIT_NAMESPACE \
    GIT_GRAFT_FILE GIT_SHALLOW_FILE GIT_NO_REPLACE_OBJECTS GIT_REPLACE_REF_BASE \
    GIT_INTERNAL_SUPER_PREFIX GIT_QUARANTINE_PATH";

pub(super) fn forget(program: &mut Command) -> &mut Command {
    for name in VARIABLES.split_whitespace() {
        program.env_remove(name);
    }
    program
}
