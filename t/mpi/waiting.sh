#!/bin/sh
# Does a rank that waits for others leave the CPU to the workers of its host? It waits at the gate for a rank that prepares for
# longer, and after its jobs for a rank that runs for longer. Its CPU time in a second of waiting is compared with that second; a
# wait within MPI takes all of it.
# waiting.sh FIORD FIORD_MPI LAUNCHER...
set -eu
fiord_mpi=$(realpath "$2")
shift 2
command -v "$1" >/dev/null || { echo "no $1 on this machine"; exit 77; }
[ -r /proc/self/schedstat ] || { echo "this kernel does not count the CPU time of threads"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
tmp=$(mktemp -d "${TMPDIR:-/tmp}/fiord-mpi.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
failed=0
limit_percent=2

cpu_ns() {
	cat /proc/"$1"/task/*/schedstat | awk '{ ns += $1 } END { printf "%.0f\n", ns }'
}

# waits LABEL JOB: rank 1 waits, with its document or its mark in file "waits", until the file "go" ends the job of rank 0.
waits() {
	label=$1 job=$2
	shift 2
	rm -f waits go
	"$@" -n 2 "$tmp/start.sh" "$job" >out 2>&1 &
	launcher=$!
	until [ -s waits ] || ! kill -0 $launcher 2>/dev/null; do sleep 0.1; done
	pid=$(cat waits)
	sleep 1 # it polls often at first
	before=$(cpu_ns "$pid") since=$(date +%s%N)
	sleep 2
	used=$(($(cpu_ns "$pid") - before)) waited=$(($(date +%s%N) - since))
	touch go
	code=0
	wait $launcher || code=$?
	echo "# $label: $((used / 1000)) us of CPU in $((waited / 1000)) us"
	if [ $code = 0 ] && [ $((used * 100)) -lt $((waited * limit_percent)) ]; then
		echo "ok - $label: less than $limit_percent % of a core"
	else
		echo "not ok - $label: less than $limit_percent % of a core"
		sed 's/^/# /' out
		failed=1
	fi
}

# Each rank writes its process into its file; rank 1 is the one that waits.
cat >start.sh <<END
#!/bin/sh
echo \$\$ >pid.\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}
exec "$fiord_mpi" "\$@"
END
chmod +x start.sh
cat >wait.sh <<'END'
#!/bin/sh
# Rank 0 goes on when the file "go" exists; rank 1 says that it waits.
[ "$1" = 0 ] || { cp pid.1 waits; exit; }
while [ ! -e go ]; do sleep 0.1; done
END
chmod +x wait.sh
cat >gate.fio <<'END'
[a]
ioengine=null
size=1m
rw=read
exec_prerun=./wait.sh ${RANK}
END
cat >end.fio <<'END'
[a]
ioengine=null
size=1m
rw=read
exec_postrun=./wait.sh ${RANK}
END
waits "a rank that waits at the gate" gate.fio "$@"
waits "a rank that waits for the results" end.fio "$@"
exit $failed
