# fio_in_path.sh: sourced after lib.sh. Clients call the word fio, so a link named fio to fiord is first in PATH.
# $debians_fio is the installed fio, if any.
# shellcheck shell=sh disable=SC2154
debians_fio=$(command -v fio)
mkdir "$dir/bin" "$dir/work"
ln -s "$FIORD" "$dir/bin/fio"
PATH=$dir/bin:$PATH
cd "$dir/work" || exit 1

# fio_says ARG...: like `run`, under the name fio.
fio_says() {
	fio "$@" >"$dir/out" 2>"$dir/err" </dev/null
	rc=$?
}
out=$dir/out
err=$dir/err
