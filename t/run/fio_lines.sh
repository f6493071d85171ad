#!/bin/sh
# Do published fio command lines run? t/run/fio_lines.txt lists them; sizes and times are scaled down.
. "$SOURCE/t/lib.sh"
requires jq
tab=$(printf '\t')
cd "$dir" || exit 1

# The job files that the lines name.
cat >job.fio <<'EOF'
[global]
filename=FILE
size=8m
[randread]
rw=randread
EOF
cp job.fio first.fio
cp job.fio second.fio

scaled() { # LINE
	printf '%s\n' "$1" | sed -E 's/^fio //
		s/size([= ])[0-9]+[mMgGtT]/size\18m/g
		s/runtime([= ])[0-9]+s?/runtime\1200ms/g
		s/(ramp_time|startdelay)([= ])[0-9]+s?/\1\2100ms/g
		s/ss_dur=[0-9]+/ss_dur=100ms --ss_interval=50ms/
		s/ss_ramp=[0-9]+/ss_ramp=50ms/
		s/latency_window=[0-9]+s/latency_window=50ms/
		s/nrfiles=[0-9]+/nrfiles=20/'
}

while IFS=$tab read -r when line; do
	case $when in "" | "#"*) continue ;; esac
	case $line in *=posixaio*) sanitizer_allows posixaio || continue ;; esac
	[ "$when" = again ] || rm -rf row
	mkdir -p row/DIR && cd row || exit 1
	truncate -s 64m DEV
	cp ../*.fio .
	# shellcheck disable=SC2046
	set -- $(scaled "$line")
	# shellcheck disable=SC2086
	"$FIORD" "$@" $threads <job.fio >"$dir/out" 2>"$dir/err"
	rc=$?
	if [ "$when" = now ] || [ "$when" = again ]; then
		check "$*" exits 0
		check "... and stderr is empty" empty "$dir/err"
		case $* in
		*json*) [ ! -s out.json ] || cp out.json "$dir/out" ;;
		esac
	elif [ "${when%\?}" != "$when" ] && [ "$rc" = 0 ]; then
		check "$* runs, since this machine has ${when%\?}" exits 0
	else
		when=${when%\?}
		check "$*: the error names $when" says "$dir/err" "$when"
		check "... and the exit code is not 0" [ "$rc" != 0 ]
	fi
	cd .. || exit 1
done <"$SOURCE/t/run/fio_lines.txt"
finish
