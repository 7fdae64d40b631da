#!/usr/bin/env bash
# Takes pictures of a report in headless Chromium, at 1280 and 390 pixels, light and dark, and fails when
# the page is wider than its window, or when labels of a chart stick out of it or overlap.
# Usage: scripts/report-screenshots.sh [-o PICTURES] [RUN ...]
#        RUN is a run's folder, left as it is; without one a small match is played. PICTURES is the
#        folder for the pictures, target/report-pictures unless given. VERDICT=PATH is the program to use.
set -euo pipefail
here=$PWD
cd "$(dirname "$0")/.."

usage() { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 64; }
pictures=
while getopts o: flag; do
  case $flag in
    o) case $OPTARG in /*) pictures=$OPTARG ;; *) pictures=$here/$OPTARG ;; esac ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))

missing() { echo "report-screenshots: $1 is missing; $2" >&2; exit 1; }
chromium=
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then chromium=$name; break; fi
done
[ -n "$chromium" ] || missing chromium "on Debian: apt-get install chromium"
target=${CARGO_TARGET_DIR:-$PWD/target}
pictures=${pictures:-$target/report-pictures}
verdict=${VERDICT:-}
case $verdict in "" | /*) ;; *) verdict=$here/$verdict ;; esac
for built in "$target/release/verdict" "$target/debug/verdict"; do
  if [ -z "$verdict" ] && [ -x "$built" ]; then verdict=$built; fi
done
[ -x "$verdict" ] || missing verdict "cargo build --release -p harness"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
runs=()
for run in "$@"; do
  case $run in /*) runs+=("$run") ;; *) runs+=("$here/$run") ;; esac
done
if [ ${#runs[@]} -eq 0 ]; then
  status=0
  "$verdict" match --test embedded,search.pvs=false --pairs 30 --nodes 500 --quiet \
    --out "$work/a-small-match" >/dev/null || status=$?
  # Reject and undecided are results.
  [ "$status" -le 2 ] || exit "$status"
  runs=("$work/a-small-match")
fi
"$verdict" report "${runs[@]}" --out "$work/report.html" >/dev/null

browse() {
  local sandbox=()
  [ "$(id -u)" != 0 ] || sandbox=(--no-sandbox)
  "$chromium" --headless "${sandbox[@]}" --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$work/profile" --hide-scrollbars --virtual-time-budget=5000 "$@" 2>>"$work/log"
}

# The report stands in a frame of the wanted width, since a window cannot be as narrow as a phone.
# A script added to a copy of it, unfolded and without its content policy, tells the frame's page what
# it finds.
probe() { # light|dark
  local scheme='s/x/x/'
  [ "$1" = light ] || scheme='s/(prefers-color-scheme: dark)/all/'
  sed -e '/Content-Security-Policy/d' -e 's/<details>/<details open>/' -e "$scheme" "$work/report.html"
  cat <<'PROBE'
<script>
addEventListener("load", () => {
  const root = document.documentElement, wide = root.clientWidth, troubles = [];
  if (root.scrollWidth > wide) {
    troubles.push(`page is ${root.scrollWidth} pixels wide in a window of ${wide}`);
    for (const element of document.body.querySelectorAll("*")) {
      const { right } = element.getBoundingClientRect();
      if (right > wide + 0.5 && !element.closest(".scroll")) {
        troubles.push(`${element.tagName}.${element.getAttribute("class") ?? ""} ends at ${right}`);
      }
    }
  }
  for (const chart of document.querySelectorAll("svg.chart")) {
    const name = chart.querySelector("title").textContent;
    const boxes = [...chart.querySelectorAll("text")]
      .map((label) => [label.textContent, label.getBoundingClientRect()])
      .filter(([text, box]) => text !== "" && box.width > 0);
    boxes.forEach(([text, box], at) => {
      if (box.left < 0 || box.right > wide) troubles.push(`${name}: "${text}" sticks out`);
      for (const [other, beside] of boxes.slice(at + 1)) {
        if (box.left < beside.right && beside.left < box.right &&
            box.top < beside.bottom - 3 && beside.top < box.bottom - 3) {
          troubles.push(`${name}: "${text}" overlaps "${other}"`);
        }
      }
    });
  }
  parent.postMessage({ height: Math.ceil(root.getBoundingClientRect().height), troubles }, "*");
});
</script>
PROBE
}

frame() { # WIDTH HEIGHT
  cat <<FRAME
<!DOCTYPE html><meta charset="utf-8"><style>body { margin: 0 } iframe { display: block; border: 0 }</style>
<iframe src="probe.html" width="$1" height="$2"></iframe><pre></pre>
<script>addEventListener("message", ({ data }) => {
  document.querySelector("pre").textContent =
    ["height " + data.height, ...data.troubles.map((it) => "trouble " + it)].join("\n");
});</script>
FRAME
}

mkdir -p "$pictures"
failed=0
for scheme in light dark; do
  probe "$scheme" >"$work/probe.html"
  for width in 1280 390; do
    frame "$width" 20000 >"$work/frame.html"
    found=$(browse --window-size="$width",1000 --dump-dom "file://$work/frame.html" |
      sed -n '/<pre>/,/<\/pre>/p' | sed 's/<[^>]*>//g')
    height=$(sed -n 's/^height //p' <<<"$found")
    if [ -z "$height" ]; then
      echo "report-screenshots: the browser does not answer:" >&2
      tail -5 "$work/log" >&2
      exit 1
    fi
    if grep '^trouble ' <<<"$found" | sed "s/^trouble /$scheme, $width: /" >&2; then failed=1; fi
    # Pictures beyond a certain height come out empty.
    [ "$height" -le 16000 ] || height=16000
    frame "$width" "$height" >"$work/frame.html"
    browse --window-size="$width,$height" --screenshot="$pictures/$scheme-$width.png" \
      "file://$work/frame.html" >/dev/null
    echo "$pictures/$scheme-$width.png"
  done
done
exit "$failed"
