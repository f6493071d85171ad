#!/bin/sh
# Does a job run where its surroundings are odd or poor: a time zone that does not exist, a user without a name and a home, a root that
# cannot be written, core files of any size? Each run gives its result or one line, and a document that jq reads.
. "$SOURCE/t/lib.sh"
requires jq timeout
cd "$dir" || exit 1

# ---- time zones ----
from=$(date +%s)
for zone in Nowhere/Nothing '%s%n' ':/dev/null' 'XYZ-99999999999' "$(printf 'A%.0s' $(seq 4000))" ''; do
	label=$(printf '%.20s' "$zone")
	TZ=$zone timeout 60 "$FIORD" --name=x --ioengine=null --size=64k --output-format=normal,json --output=result >out 2>err </dev/null
	rc=$?
	check "TZ='$label': the job runs" exits 0
	check "... without a message" empty err
	check "... its text has a date of this year" grep -q "^x: .*pid=.* $(date -u +%Y)\$" result
	sed -n '/^{/,/^}/p' result >document
	check "... and its document the time" json document ".timestamp >= $from and .jobs[0].job_start / 1000 >= $from - 1"
done

# ---- a user without a name and a home ----
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && ! getent passwd 54321 >/dev/null; then
	cp "$FIORD" fiord && mkdir mine && chmod 755 . fiord && chown 54321:54321 mine
	nobody() { # ARG...
		worker_option "$@"
		# shellcheck disable=SC2086
		(cd mine && setpriv --reuid=54321 --regid=54321 --clear-groups env -u HOME -u USER -u LOGNAME -u XDG_RUNTIME_DIR "$dir/fiord" "$@" $thread_option) \
			>out 2>err </dev/null
		rc=$?
	}
	if nobody --version && exits 0; then
		nobody --name=x --size=256k --rw=randrw --output-format=json
		check "a user without a name and a home runs a job" exits 0
		check "... with a whole document" json out '.jobs[0] | .read.io_bytes + .write.io_bytes == 262144'
		check "... without a message" empty err
		nobody --name=x --filename=/fiord-test-of-nobody --size=64k --rw=write --output-format=json
		check "... and one line says that it may not write elsewhere" lines err 1
		check "... with the reason" says err "Permission denied (EACCES)"
		check "... in the document, too" json out ".fiord.exit.code == $rc and $rc == 3"
	else
		skip "a user without a name and a home" "this user cannot reach $dir"
	fi
else
	skip "a user without a name and a home" "not root, no setpriv, or there is a user 54321"
fi

# ---- a root that cannot be written ----
read_only() { # ARG...
	worker_option "$@"
	# shellcheck disable=SC2016,SC2086
	unshare -m sh -c 'mount --bind / "$0/root" && mount -o remount,ro,bind "$0/root" && mount -t tmpfs none "$0/root$0/data" && program=$1 && shift &&
		exec chroot "$0/root" "$program" "$@"' "$dir" "$FIORD" "$@" $thread_option >out 2>err </dev/null
	rc=$?
}
mkdir root data
if [ "$(id -u)" != 0 ] || [ "$SANITIZE" != none ]; then
	skip "a root that cannot be written" "not root, or a sanitizer, which needs /proc"
elif read_only --version && exits 0; then
	read_only --name=x --directory="$dir/data" --size=256k --rw=randrw --output-format=json
	check "a job runs beside a root that cannot be written" exits 0
	check "... with a whole document" json out '.jobs[0] | .read.io_bytes + .write.io_bytes == 262144'
	read_only --name=x --directory="$dir" --size=256k --rw=write --output-format=json
	check "a job on such a root is refused" exits 3
	check "... one line says why" lines err 1
	check "... by its name" says err "Read-only file system (EROFS)"
	check "... and the document is whole" json out '.fiord.exit.code == 3'
	read_only --name=x --directory="$dir/data" --size=64k --output="$dir/result.json" --output-format=json
	check "a result on such a root is refused" exits 2
	check "... one line says why" says err "--output=$dir/result.json: directory $dir: Read-only file system (EROFS)"
else
	skip "a root that cannot be written" "no mount namespace: $(head -n 1 err)"
fi

# ---- core files ----
# A worker that crashes writes its core, which takes what it takes; the run ends and names the signal.
if command -v prlimit >/dev/null && [ "$SANITIZE" = none ]; then
	for limit in unlimited 34359738368; do
		prlimit --core=$limit true 2>/dev/null || { skip "core files of $limit bytes" "they cannot be permitted" && continue; }
		mkdir cores
		: >err
		(cd cores && exec prlimit --core=$limit "$FIORD" --name=x --ioengine=null --size=1g --time_based --runtime=600 --eta=always --eta-interval=250 \
			--output-format=json --thread=0 >"$dir/out" 2>"$dir/err" </dev/null) &
		pid=$!
		check "core limit $limit: the job runs" until_true 30 progress_shows R
		worker=$(children "$pid" | head -n 1)
		kill -SEGV "$worker"
		wait_for_exit
		check "... a worker that crashes ends it" exits 1
		check "... with the signal" says err SIGSEGV
		check "... and a whole document" json out '.fiord.exit.code == 1 and .jobs[0].error != 0 and .jobs[0].read.total_ios > 0'
		rm -rf cores
	done
else
	skip "core files" "no prlimit, or a sanitizer takes the signal"
fi
finish
