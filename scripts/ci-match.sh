#!/usr/bin/env bash
# In CI of an engine: plays the checkout against a commit, writes the summary as Markdown, and fails by exit
# code. See harness/docs/ci.md. Run it inside the engine's repository:
#   ci-match.sh [--base REV] [--undecided pass|fail] [--summary FILE] [--out DIR] [--for DURATION] -- FLAG …
#
#   --base REV          the commit to play against                 [default: origin/main]
#   --undecided WHAT    pass or fail when nothing is proven        [default: fail]
#   --summary FILE      Markdown is appended to it                 [default: $GITHUB_STEP_SUMMARY, if set]
#   --out DIR           each match has a folder in it, named by its commits and flags [default: results/ci]
#   --for DURATION      stop after this time, like 30m or 5h; running games are played again by the same
#                       job run again, which goes on                       [default: no limit]
#   FLAG …              of `verdict match`: build command, time control, rule
#
# Exit codes: 0 accepted (or nothing to play, or undecided and --undecided pass), 1 rejected, 2 undecided,
# 3 too many faults, 64 wrong usage, 74 input/output error: no build, no such commit.
# VERDICT is the program [default: verdict on the PATH].
set -euo pipefail

fail() {
  echo "ci-match: $2" >&2
  exit "$1"
}

base=origin/main undecided=fail summary=${GITHUB_STEP_SUMMARY:-} out=results/ci limit=
while [ $# -gt 0 ]; do
  case $1 in
    --) shift; break ;;
    --base | --undecided | --summary | --out | --for)
      case ${2:---} in --*) fail 64 "$1: expected a value" ;; esac
      case $1 in
        --base) base=$2 ;;
        --undecided) undecided=$2 ;;
        --summary) summary=$2 ;;
        --out) out=$2 ;;
        --for) limit=$2 ;;
      esac
      shift 2
      ;;
    *) fail 64 "expected --base, --undecided, --summary, --out, --for or --, found '$1'; flags of verdict match follow after --" ;;
  esac
done
case $undecided in
  pass | fail) ;;
  *) fail 64 "--undecided: expected pass or fail, found '$undecided'" ;;
esac
if [ -n "$limit" ]; then
  [[ $limit =~ ^[0-9]+(\.[0-9]+)?[smhd]$ && $limit =~ [1-9] ]] ||
    fail 64 "--for: expected a time like 90s, 30m or 5h, found '$limit'"
  command -v timeout >/dev/null || fail 74 "--for needs timeout, a program of GNU coreutils"
fi
for flag in "$@"; do
  case $flag in
    --base | --base=* | --test | --test=* | --out | --out=* | --repo | --repo=*)
      fail 64 "${flag%%=*} is set by this script, which has --base and --out of its own" ;;
  esac
done
verdict=${VERDICT:-verdict}
command -v "$verdict" >/dev/null || fail 74 "cannot find '$verdict': put verdict on the PATH, or its path into VERDICT"
root=$(git rev-parse --show-toplevel) || fail 74 "expected a git repository"
case $out in /*) ;; *) out=$PWD/$out ;; esac
case $summary in '' | /*) ;; *) summary=$PWD/$summary ;; esac
cd "$root"

base_commit=$(git rev-parse --quiet --verify "$base^{commit}") || {
  branch=${base#origin/}
  fail 74 "$base is not in this clone, which may be shallow or of one branch; fetch it first: git fetch --depth=1 origin +$branch:refs/remotes/origin/$branch (actions/checkout: fetch-depth: 0)"
}
head_commit=$(git rev-parse --verify HEAD)

# The content of the work tree, new files included, and what this script writes not.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$(git rev-parse --git-path index)" "$scratch/index" 2>/dev/null || true
written=()
case $out/ in "$root"/?*) written+=(":(exclude,top)${out#"$root"/}") ;; esac
case $summary in "$root"/?*) written+=(":(exclude,top)${summary#"$root"/}") ;; esac
tree=$(GIT_INDEX_FILE=$scratch/index sh -c 'git add --all -- . "$@" && git write-tree' sh "${written[@]}")

name=$(printf %.12s "$base_commit")-$(printf %.12s "$head_commit")
[ "$tree" = "$(git rev-parse "$head_commit^{tree}")" ] || name=$name+$(printf %.12s "$tree")
# Another rule or time control is another match.
flags=$(printf '%s\0' "$@" | git hash-object --stdin)
dir=$out/$name-$(printf %.8s "$flags")

note() {
  echo "ci-match: $1"
  [ -z "$summary" ] || printf '%s\n\n' "$1" >>"$summary"
}

if [ "$tree" = "$(git rev-parse "$base_commit^{tree}")" ]; then
  note "No match: the checkout is the same as $base ($base_commit)."
  exit 0
fi

command=("$verdict")
# SIGTERM ends running games; SIGINT would wait for them, and a game may last longer than the job has left.
[ -z "$limit" ] || command=(timeout --preserve-status --kill-after=60 "$limit" "$verdict")
code=0
if [ -f "$dir/run.json" ]; then
  echo "ci-match: going on with $dir"
  "${command[@]}" resume "$dir" --quiet || code=$?
else
  "${command[@]}" match --base "git:$base_commit" --test workdir --quiet --out "$dir" "$@" || code=$?
fi

result="exit code $code of verdict"
case $code in
  0) result=accepted ;;
  1) result=rejected ;;
  2) result=undecided ;;
  3) result="too many faults" ;;
esac
what="the checkout ($head_commit) against $base ($base_commit)"
if [ -f "$dir/summary.md" ]; then
  note "Match: $result: $what"
  [ -z "$summary" ] || { cat "$dir/summary.md" && echo; } >>"$summary"
else
  note "No result, $result: $what"
fi
[ "$code" -ne 2 ] || [ "$undecided" = fail ] || code=0
exit "$code"
