#!/bin/sh
# Makes the repository of this bisection: Weiss with three commits of ours among its own.
# Usage: plant.sh FOLDER [SOURCE]; SOURCE is a clone of Weiss [default: GitHub].
set -eu
folder=$1
source=${2:-https://github.com/TerjeKir/weiss}
good=0220c3016208c137955906034e2ef4cf8868ea3f
end=60c5137422
git clone --quiet "$source" "$folder"
cd "$folder"

# Fixed names and dates, so that all hashes are the same each time.
export GIT_AUTHOR_NAME='Bisect Demo' GIT_AUTHOR_EMAIL=demo@localhost
export GIT_COMMITTER_NAME='Bisect Demo' GIT_COMMITTER_EMAIL=demo@localhost
export GIT_COMMITTER_DATE='2026-11-29T08:00:00Z'

commit() {
    GIT_AUTHOR_DATE='2026-11-29T08:00:00Z' git commit --quiet --all -m "$1"
}
# A commit of Weiss keeps its author and its date.
take() {
    (unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL; git cherry-pick --allow-empty "$1") > /dev/null
}

git checkout --quiet -B demo $good
git tag -f demo-good
for original in $(git rev-list --reverse --first-parent $good..$end); do
    take "$original"
    case $(git log -1 --format=%s) in
        *'(#764)'*)
            # The loss: the score of the pieces is computed, and dropped.
            sed -i 's/eval += EvalPieces(pos, &ei);/eval += (EvalPieces(pos, \&ei), 0);/' src/evaluate.c
            commit 'Refactor the evaluation of pieces'
            ;;
        *'(#768)'*)
            # One that does not build.
            echo 'int broken = ;' >> src/search.c
            commit 'Work in progress'
            ;;
        *'(#769)'*)
            sed -i '/^int broken = ;$/d' src/search.c
            commit 'Finish the work in progress'
            ;;
    esac
done
git log --oneline demo-good..demo
