# Sourced by series of matches, which can be stopped and started again: keep_match RUN OPTION … plays a
# match into the folder RUN, resumes an interrupted one and skips a finished one.
# $verdict is the program.

keep_match() {
  local run=$1 status=0
  shift
  [ ! -f "$run/summary.json" ] || return 0
  if [ -f "$run/run.json" ]; then
    "$verdict" resume "$run" || status=$?
  else
    "$verdict" match "$@" --out "$run" || status=$?
  fi
  # Reject and undecided are results; faults and trouble are not.
  [ "$status" -le 2 ] || return "$status"
}

# The same of a match that its plan repeats: the hash of its games is kept in their place.
keep_hash_of_match() {
  keep_match "$@"
  [ -f "$1/games.sha256" ] || sha256sum "$1/games.jsonl" | cut -d' ' -f1 >"$1/games.sha256"
}
