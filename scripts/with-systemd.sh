#!/usr/bin/env bash
# Runs a command as root under a systemd of its own, for a machine whose process 1 is another: in new
# namespaces, on a copy of the root file system that is dropped in the end. This checkout is the real one.
# Needs root, overlayfs, systemd, dbus, cgroups of version 1.
# Usage: scripts/with-systemd.sh COMMAND...; the tests of the sandbox by systemd:
#   scripts/with-systemd.sh cargo test -p process -p harness sandbox
set -euo pipefail
checkout=$(cd "$(dirname "$0")/.." && pwd)

# In control groups of its own: this systemd neither sees nor changes others.
hierarchies="systemd pids devices unified"
if [[ ${1:-} != --inside ]]; then
    place=$(mktemp -d)
    groups=$(for each in $hierarchies; do echo "/sys/fs/cgroup/$each/with-systemd-$$"; done)
    child=
    end() {
        kill -KILL $child 2>/dev/null || true
        wait || true
        for each in $hierarchies; do
            echo $$ >"/sys/fs/cgroup/$each/cgroup.procs"
        done
        # Killed processes take a moment to end.
        for ((try = 0; try < 50; try++)); do
            find $groups -depth -type d -exec rmdir {} + 2>/dev/null && break
            sleep 0.1
        done
        rm -r "$place"
    }
    trap end EXIT
    mkdir "$place/root" $groups
    touch "$place/said"
    for group in $groups; do
        echo $$ >"$group/cgroup.procs"
    done
    unshare --mount --pid --fork --kill-child --uts --ipc --cgroup \
        "$0" --inside "$place" "$PWD" "$@" &
    child=$!
    tail --pid $child -f "$place/said" &
    wait $child
    exit
fi

place=$2 folder=$3
shift 3
mount --make-rprivate /
mount -t tmpfs tmpfs "$place/root"
cd "$place/root"
mkdir upper work root
mount -t overlay overlay -o "lowerdir=/,upperdir=upper,workdir=work" root
cd root
mkdir -p ".$checkout" old
mount --rbind "$checkout" ".$checkout"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs sys/fs/cgroup
for each in $hierarchies; do
    mkdir "sys/fs/cgroup/$each"
    case $each in
    systemd) mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd ;;
    unified) mount -t cgroup2 cgroup2 sys/fs/cgroup/unified ;;
    *) mount -t cgroup -o "$each" cgroup "sys/fs/cgroup/$each" ;;
    esac
done
mount -t tmpfs tmpfs dev
for each in null zero full random urandom tty; do
    touch "dev/$each"
    mount --bind "/dev/$each" "dev/$each"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
mount -t tmpfs tmpfs run
touch run/said
mount --bind "$place/said" run/said
{
    echo '#!/bin/bash'
    export -p
    printf 'cd %q\nexec' "$folder"
    printf ' %q' "$@"
} >run/trial
chmod +x run/trial
mkdir -p run/systemd/system run/systemd/system.conf.d
printf '[Manager]\nDefaultMemoryAccounting=no\n' >run/systemd/system.conf.d/trial.conf
# These empty /tmp and set what all systems on this machine share.
for each in tmpfiles-setup tmpfiles-setup-dev tmpfiles-clean sysctl; do
    ln -s /dev/null "run/systemd/system/systemd-$each.service"
done
cat >run/systemd/system/trial.service <<'EOF'
[Unit]
Requires=dbus.service
After=dbus.service
SuccessAction=exit
FailureAction=exit
[Service]
Type=oneshot
ExecStart=/run/trial
StandardOutput=append:/run/said
StandardError=append:/run/said
EOF
pivot_root . old
cd /
umount --lazy old
exec env -i container=other /lib/systemd/systemd --system --unit=trial.service \
    --log-target=console --show-status=no
