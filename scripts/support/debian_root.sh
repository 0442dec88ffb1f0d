#!/usr/bin/env bash
# Debian releases in which programs run: source this file, or call it with a function and its arguments.
#
#   debian_root RELEASE PACKAGE...   makes .build-roots/RELEASE once, installs the packages, prints its path
#   debian_run ROOT COMMAND...       runs a command in it; mounts and processes end with the command
#
# Needs root. DEBIAN_MIRROR names another mirror.

debian_root() {
  local release=$1 root
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.build-roots/$release
  shift
  if ((EUID != 0)); then
    echo "debian_root: run it as root: it makes a Debian with debootstrap." >&2
    return 1
  fi
  command -v debootstrap >/dev/null || apt-get install -y -qq debootstrap >&2 || return
  if [[ ! -e $root/.made ]]; then
    mkdir -p "$root"
    debootstrap --variant=minbase "$release" "$root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >&2 || return
    # No service is started in the root.
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod +x "$root/usr/sbin/policy-rc.d"
    touch "$root/.made"
  fi
  # A mirror's index may have expired; scripts/bootstrap in the root reads it as well.
  echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/99valid-until"
  if [[ $(cat "$root/.packages" 2>/dev/null) != "$*" ]]; then
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    debian_run "$root" apt-get -qq update >&2 || return
    debian_run "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2 ||
      return
    echo "$*" >"$root/.packages"
  fi
  printf '%s\n' "$root"
}

debian_run() {
  local root=$1
  shift
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount -t tmpfs tmpfs "$0/dev/shm" || exit
    chroot "$0" "$@"
    # The first process of a namespace gets no signals, which xvfb-run needs, so the shell is the first.
    exit $?' "$root" "$@"
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -euo pipefail
  "$@"
fi
