#!/bin/sh
# Do the README's two commands work on a fresh Debian 12? debootstrap creates one in a temporary directory, the script copies
# the tree into it and runs the commands there. It needs root and debootstrap and takes minutes, so it is not in a suite:
#   t/clean-chroot.sh               # the README's commands
#   t/clean-chroot.sh COMMAND...    # these; each must end with exit code 0
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)

skip_all() {
	echo "skipped: $*"
	exit 77
}

[ "$(id -u)" = 0 ] || skip_all "not root"
for tool in debootstrap unshare chroot apt-get; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
unshare --mount --pid --fork true 2>/dev/null || skip_all "namespaces cannot be made"

# Uses the Debian mirror and the proxy of this machine.
mirror=${MIRROR:-$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' |
	sed -n 's/^bookworm main //p' | head -n 1)}
[ -n "$mirror" ] || skip_all "no mirror of bookworm in this machine's apt configuration; set MIRROR"
proxies=$(apt-config dump | grep -i '^Acquire::.*proxy' || true)
for scheme in http https; do
	eval "$(apt-config shell proxy Acquire::$scheme::Proxy)"
	[ -z "${proxy:-}" ] || [ "$proxy" = DIRECT ] || export "${scheme}_proxy=$proxy"
	proxy=
done

root=$(mktemp -d "${TMPDIR:-/tmp}/fiord-chroot.XXXXXX")
trap 'rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root" # tests that run as other users must be able to read /
trap 'exit 1' INT TERM HUP

echo "== a fresh Debian 12 in $root"
unshare --mount debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 || {
	tail -n 20 "$root.log"
	rm -f "$root.log"
	exit 1
}
rm -f "$root.log"
[ -z "$proxies" ] || echo "$proxies" >"$root/etc/apt/apt.conf.d/90proxy"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
mkdir "$root/root/fiord"
if git -C "$source" rev-parse >/dev/null 2>&1; then
	git -C "$source" ls-files --cached --others --exclude-standard -z |
		tar -C "$source" --null --ignore-failed-read -T - -cf - | tar -C "$root/root/fiord" -xf -
else
	tar -C "$source" --exclude='./build*' -cf - . | tar -C "$root/root/fiord" -xf -
fi

# inside COMMAND: runs a command in the chroot, in its own namespaces, so that no mount and no process outlives it.
inside() {
	# shellcheck disable=SC2016
	unshare --mount --pid --fork --kill-child sh -c '
		mount -t proc proc "$1/proc" && mount --rbind /sys "$1/sys" && mount --rbind /dev "$1/dev" &&
		cd / && exec chroot "$1" /usr/bin/env -i HOME=/root LC_ALL=C PATH="$PATH" \
			${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
			sh -c "cd /root/fiord && $2"' sh "$root" "$1"
}

if [ $# -gt 0 ]; then
	printf '%s\n' "$@" >"$root/commands"
else
	grep '^    \./bootstrap ' "$source/README.md" | sed 's/^ *//; s/  *#.*//' | head -n 2 >"$root/commands"
	[ "$(wc -l <"$root/commands")" = 2 ] || {
		echo "FAILED: the README does not have two commands"
		exit 1
	}
fi
failed=0
while read -r command; do
	echo "== $command"
	code=0
	inside "$command" <"/dev/null" >"$root/out" 2>&1 || code=$?
	case $command in
	"./bootstrap test"*) expected='^[0-9]+ passed, 0 failed' ;;
	"./bootstrap run"*) expected='^Run status group 0' ;;
	*) expected= ;;
	esac
	if [ "$code" = 0 ] && { [ -z "$expected" ] || grep -qE "$expected" "$root/out"; }; then
		tail -n 25 "$root/out"
	else
		failed=1
		tail -n 100 "$root/out"
		echo "FAILED (exit code $code): $command"
	fi
	left=$(find "$root/tmp" -mindepth 1 -name 'fiord*')
	[ -z "$left" ] || {
		failed=1
		echo "FAILED: left behind: $left"
	}
done <"$root/commands"
[ "$failed" = 0 ] && echo "== all commands work on a fresh Debian 12"
exit "$failed"
