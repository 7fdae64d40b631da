#!/usr/bin/env bash
# A fleet on five machines that this one pretends to be: each has its own network, processes, host name, home
# and /tmp. Ann serves, Carol coordinates without search threads, Dave is in their network; Alice and Bob
# are behind routers that delay everything by 40 ms each way, and Bob's forgets connections that are idle
# for 20 s. While they play, Dave's invitation is taken back, Bob's machine loses its power, and Alice's
# cable is unplugged for 45 s. The games have to be those of one machine. About five minutes.
# Needs root, iproute2, util-linux, procps, python3, curl, nats-server, bubblewrap; results/fleet-network has a run.
# Usage: [REPO=DIR] scripts/fleet-network.sh VERDICT [MATCH…]
#        VERDICT: the program, built with --features fleet. MATCH: words for `verdict match` instead of the
#        usual ones, played in a copy of the repository DIR; at least 100 pairs.
set -euo pipefail
[ -x "${1:-}" ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 64; }
no() { echo "fleet-network: $1" >&2; exit 64; }
[ "$(id -u)" = 0 ] || no "expected root (ip netns, unshare)"
for each in ip unshare nsenter setpriv pgrep python3 curl nats-server bwrap; do
  command -v $each >/dev/null || no "$each is missing"
done
verdict=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- --test embedded,search.pvs=false --nodes 500 --pairs 120 --seed 7
place=$(mktemp -d) prefix=fleet-$$ user=65432
declare -A init
end() {
  kill -KILL "${init[@]}" $(jobs -p) 2>/dev/null || true
  wait 2>/dev/null || true
  for each in $(ip netns list | awk '{print $1}' | grep "^$prefix-"); do ip netns del "$each"; done
  rm -rf "$place"
}
trap end EXIT
router() { ip -n "$prefix-router" "$@"; }

# machine NAME ADDRESS ROUTER
machine() {
  local net=$prefix-$1 outer
  ip netns add "$net"
  ip -n "$net" link set lo up
  ip -n "$net" link add eth0 type veth peer name "$1" netns "$prefix-router"
  ip -n "$net" addr add "$2/24" dev eth0
  ip -n "$net" link set eth0 up
  ip -n "$net" route add default via "$3"
  # The common network, or one of its own.
  if [ "$3" = 10.77.1.1 ]; then router link set "$1" master lan; else router addr add "$3/24" dev "$1"; fi
  router link set "$1" up
  # A host without its own name in it waits 10 s in each git.
  printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$1" >"$place/hosts-$1"
  ip netns exec "$net" unshare --mount --uts --ipc --pid --fork --kill-child --mount-proc --propagation private \
    bash -c 'hostname "$0" && mount --bind "$1/hosts-$0" /etc/hosts &&
      mount -t tmpfs tmpfs /opt && cp "$2" /opt/verdict && { [ -z "$3" ] || cp -r "$3" /opt/repo; } &&
      for each in /root /home /tmp /var/tmp; do mount -t tmpfs -o mode=1777 tmpfs $each; done &&
      mkdir -m 777 /home/me && exec sleep infinity' "$1" "$place" "$verdict" "${REPO:-}" 2>>"$place/machines" &
  outer=$!
  until [ "$(cat "/proc/${init[$1]:-0}/comm" 2>/dev/null)" = sleep ]; do
    sleep 0.1
    init[$1]=$(pgrep -P $outer | head -n 1) || { cat "$place/machines" >&2; exit 1; }
  done
}

# on NAME SCRIPT: as a user of that machine
on() {
  nsenter -t "${init[$1]}" --mount --uts --ipc --pid --net \
    setpriv --reuid $user --regid $user --clear-groups env -i HOME=/home/me LANG=C.UTF-8 \
    PATH=/opt:/usr/local/bin:/usr/bin:/bin:/usr/sbin bash -c "cd; $2"
}
say() { echo "$(date +%T) $*"; }
first_run='import json, sys; print(json.load(sys.stdin)["runs"][0]["pairs"])'
finished() { on ann "verdict status --json" 2>/dev/null | python3 -c "$first_run" 2>/dev/null || echo 0; }
until_finished() { until [ "$(finished)" -ge "$1" ]; do sleep 1; done; }
# A router: LISTEN, TO, and after how many idle seconds it forgets a connection.
cat >"$place/router.py" <<'END'
import queue, socket, sys, threading, time
listen, to = ((host, int(port)) for host, port in (it.split(":") for it in sys.argv[1:3]))
idle = float(sys.argv[3])
def deliver(late, to):
    while True:
        at, data = late.get()
        time.sleep(max(0, at - time.monotonic()))
        to.sendall(data) if data else to.shutdown(socket.SHUT_WR)
def way(source, to, heard):
    late, data = queue.Queue(), b"?"
    threading.Thread(target=deliver, args=(late, to), daemon=True).start()
    while data:
        data, now = source.recv(1 << 16), time.monotonic()
        if now - heard[0] < idle:
            heard[0] = now
            late.put((now + 0.04, data))
threading.excepthook = lambda args: None
listener = socket.create_server(listen)
while True:
    one, other = listener.accept()[0], socket.create_connection(to)
    heard = [time.monotonic()]
    for pair in (one, other), (other, one):
        threading.Thread(target=way, args=(*pair, heard), daemon=True).start()
END

ip netns add "$prefix-router"
router link add lan type bridge
router addr add 10.77.1.1/24 dev lan
router link set lan up
machine ann 10.77.1.2 10.77.1.1
machine carol 10.77.1.3 10.77.1.1
machine dave 10.77.1.4 10.77.1.1
machine alice 10.77.2.2 10.77.2.1
machine bob 10.77.3.2 10.77.3.1
for each in "2.1:4222 10.77.1.2:4222 inf" "3.1:4222 10.77.1.2:4222 20" "3.1:8080 10.77.1.2:8080 inf"; do
  ip netns exec "$prefix-router" python3 "$place/router.py" 10.77.$each &
done
words=$(printf '%q ' "$@")
say "one machine: verdict match $words"
on carol "[ ! -d /opt/repo ] || cp -r /opt/repo repo; mkdir -p repo; cd repo; verdict match $words --quiet --out ../alone" 2>&1 |
  sed 's/^/  /' || true
on ann "exec verdict serve --listen 0.0.0.0:4222 --old-server-ok --web 0.0.0.0:8080" >"$place/serve.log" 2>&1 &
until grep -sq token= "$place/serve.log"; do sleep 0.2; done
declare -A key
for each in "alice --host 10.77.2.1" "bob --host 10.77.3.1" dave "carol --coordinator"; do
  key[${each%% *}]=$(on ann "verdict serve invite $each" | sed -n 's/.*vw1_/vw1_/p')
done
for each in alice bob dave; do
  on $each "exec verdict worker --slots 1 --join ${key[$each]}" >"$place/$each.log" 2>&1 &
done
on carol "cd repo; exec verdict match $words --fleet ${key[carol]} --slots 0 --out ../run" >"$place/carol.log" 2>&1 &
match=$!
until_finished 20
say "Dave's invitation is taken back: $(on ann "verdict serve remove dave 2>&1")"
token=$(sed -n 's/.*token=//p' "$place/serve.log") page=http://10.77.3.1:8080/api/runs
for each in "$page" "-H 'Authorization: Bearer $token' $page" "-H 'Authorization: Bearer $token' -H 'Host: evil.example' $page"; do
  say "page, asked by Bob: $(on bob "curl -s -o /dev/null -w %{http_code} $each") ${each/$token/…}"
done
until_finished 40
say "Bob's power fails"
router link set bob down
kill -KILL "${init[bob]}"
until_finished 60
say "Alice's cable is unplugged"
router link set alice down
sleep 45
router link set alice up
say "and plugged in again, $(finished) pairs are finished"
wait $match || true
for each in carol alice bob dave; do
  say "$each's output:"
  grep -Ev 'games/s|nsenter' "$place/$each.log" | sed 's/^/  /'
done
for each in alone run; do (on carol "cat $each/games.jsonl" >"$place/$each"); done
python3 - "$place/alone" "$place/run" <<'END'
import json, sys
read = lambda path: sorted(json.dumps(dict(json.loads(line), time=0)) for line in open(path))
alone, fleet = map(read, sys.argv[1:])
sys.exit(f"{len(alone)} and {len(fleet)} games differ" if alone != fleet else print(f"{len(fleet)} games, all as on one machine"))
END
