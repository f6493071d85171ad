#!/bin/sh
# Do four hosts behave as one run, and does a run end in bounded time, with the results of the others, when a host fails? The
# hosts are namespaces (network, host name, processes, mounts) on a bridge; an agent with nsenter stands for ssh.
# netns.sh FIORD FIORD_MPI LAUNCHER...
FIORD=$(realpath "$1") fiord_mpi=$(realpath "$2") launcher=$3 SOURCE=$(realpath "$(dirname "$0")/../..")
export FIORD SOURCE
if [ "${FIORD_IN_NAMESPACES:-}" != yes ]; then
	[ "$(id -u)" = 0 ] || { echo "skipped: not root"; exit 77; }
	for tool in "$launcher" jq ip bridge nsenter unshare mount; do
		command -v "$tool" >/dev/null || { echo "skipped: no $tool on this machine"; exit 77; }
	done
	# The end of the first process in the namespaces ends all others.
	inside="unshare --net --uts --ipc --mount --pid --fork --kill-child=KILL --mount-proc"
	$inside true 2>/dev/null || { echo "skipped: namespaces cannot be made"; exit 77; }
	$inside ip link add name0 type bridge 2>/dev/null || { echo "skipped: no network bridge can be made"; exit 77; }
	$inside ip link add name0 type veth peer name name1 2>/dev/null || { echo "skipped: no veth link can be made"; exit 77; }
	exec $inside env FIORD_IN_NAMESPACES=yes sh "$0" "$@"
fi
. "$SOURCE/t/lib.sh"
shift 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_orte_tmpdir_base="$dir"
# The machine may be busy: rank 0 waits a sixth of its time-out for the results of the others when the run has ended early, and mpirun
# leaves the ranks 3 s, not 1 s, to write.
export FIORD_RANK_TIMEOUT=24 OMPI_MCA_odls_base_sigkill_timeout=3
cd "$dir" || exit 1
mkdir disk tmp

# ---- the hosts ----

# connected HOST NUMBER: the bridge forwards to the host. The kernel may take a second, and mpirun does not wait for it.
connected() {
	ip -brief link show "v$2" | grep -qw UP && bridge link show dev "v$2" | grep -qw forwarding &&
		on "$1" ip -brief link show eth0 | grep -qw UP
}

# boot HOST NUMBER: starts a host with its own disk of 32 MiB at $dir/disk; $dir/pid.HOST is its first process.
boot() {
	rm -f "up.$1"
	unshare --net --uts --ipc --mount --pid --fork --kill-child=KILL --mount-proc sh -c '
		hostname "$1" && ip link set lo up && mount -t tmpfs -o size=32m tmpfs disk && mount -t tmpfs tmpfs tmp &&
		mount -t tmpfs tmpfs /dev/shm || exit
		touch "up.$1"
		sleep 100000 &
		wait' sh "$1" 2>/dev/null &
	until_true 100 test -e "up.$1" || skip_all "a host in namespaces does not start"
	children $! >"pid.$1"
	ip link delete "v$2" 2>/dev/null
	ip link add "v$2" type veth peer name eth0 address "02:00:00:00:77:0$2" netns "/proc/$(cat "pid.$1")/ns/net" &&
		ip link set "v$2" master bridge0 up &&
		nsenter -t "$(cat "pid.$1")" -n sh -c "ip addr add 10.77.0.$2/24 dev eth0 && ip link set eth0 up" ||
		skip_all "a host in namespaces has no network"
	until_true 100 connected "$1" "$2" || skip_all "a host in namespaces is not connected"
}

# power_off HOST: all its processes end at once.
power_off() {
	kill -9 "$(cat "pid.$1")"
	rm -f "pid.$1"
}

# on HOST COMMAND...
on() {
	host_pid=$(cat "pid.$1")
	shift
	nsenter -t "$host_pid" -n -u -i -m -p --wdns="$PWD" "$@"
}

# rank_of HOST: prints the process of its rank; the workers started later.
rank_of() {
	on "$1" sh -c 'cd /proc && grep -l "^fiord-mpi" [0-9]*/comm | sort -n | head -n 1 | cut -d / -f 1'
}

# The agent ignores options of ssh. A host without processes does not answer.
cat >agent <<END
#!/bin/sh
while case \$1 in -*) true ;; *) false ;; esac; do shift; done
host=\$1
shift
pid=\$(cat "$dir/pid.\$host" 2>/dev/null) || { echo "ssh: connect to host \$host port 22: No route to host" >&2; exit 255; }
exec nsenter -t "\$pid" -n -u -i -m -p --wdns="\$PWD" env TMPDIR="$dir/tmp" sh -c "\$*"
END
chmod +x agent

ip link set lo up
# Without an address of its own a bridge takes one of its links, and changes it when that host is off.
ip link add bridge0 address 02:00:00:00:77:fe type bridge && ip link set bridge0 up && ip addr add 10.77.0.254/24 dev bridge0 || skip_all "no bridge"
hostname head

# ---- the launchers ----

case $("$launcher" --version 2>&1) in
*"Open MPI"* | *OpenRTE*)
	library=openmpi
	# Its daemons notice a dead connection before the ranks give up. Later they would wait for an answer to what they have sent,
	# for which there is no keep-alive.
	export OMPI_MCA_oob_tcp_keepalive_time=1 OMPI_MCA_oob_tcp_keepalive_intvl=1 OMPI_MCA_oob_tcp_keepalive_probes=2
	# They try ten times to reach mpirun, at once by default.
	export OMPI_MCA_oob_tcp_retry_delay=1
	;;
*HYDRA*)
	library=mpich
	;;
*) skip_all "the options of this launcher are not known: $launcher" ;;
esac

hosts="h1 h2 h3 h4"
for h in $hosts; do
	boot "$h" "${h#h}"
done

# launch RANKS_PER_HOST ARG...: runs fiord-mpi on the hosts; $rc, out and err as with `run`.
launch() {
	per_host=$1
	shift
	case $library in
	openmpi)
		set -- --mca plm_rsh_agent "$dir/agent" --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 \
			--host "h1:$per_host,h2:$per_host,h3:$per_host,h4:$per_host" -N "$per_host" "$fiord_mpi" "$@"
		;;
	mpich)
		set -- -launcher ssh -launcher-exec "$dir/agent" -localhost 10.77.0.254 -hosts h1,h2,h3,h4 -ppn "$per_host" \
			-n $((4 * per_host)) "$fiord_mpi" "$@"
		;;
	esac
	exec env --default-signal=INT "$launcher" "$@" >out 2>err </dev/null
}

# start_ranks PER_HOST ARG...: starts fiord-mpi on the hosts in the background. finish_ranks waits for its end and sets $rc.
start_ranks() {
	rm -f ./*.json hangs out err
	launch "$@" &
	pid=$!
	# No run of this test takes so long, unless it hangs.
	{ sleep "${LIMIT:-400}" && touch hangs && kill -9 "$pid"; } &
	watchdog=$!
}

finish_ranks() {
	wait "$pid"
	rc=$?
	kill "$watchdog" 2>/dev/null
}

run_ranks() {
	start_ranks "$@"
	finish_ranks
}

# ---- the jobs ----

cat >null.fio <<'END'
[reads]
ioengine=null
size=1m
rw=randread
END
# Its runtime is longer than the limit of a run, because a failure or a signal ends it.
cat >write.fio <<'END'
[writes]
filename=${DISK}/written
rw=write
size=16m
fallocate=none
rate_iops=200
time_based
runtime=1000
END
# This one fills the disk of h3 when its targets have been checked.
cat >fill.sh <<'END'
[ "$1" != h3 ] || head -c 40m /dev/zero >disk/others
true
END
{ sed 's/^runtime.*/runtime=2/' write.fio && echo 'exec_prerun=sh fill.sh ${HOST} 2>/dev/null'; } >full.fio
export DISK="$dir/disk"

all_write() {
	for h in $hosts; do
		on "$h" test -s disk/written || return 1
	done
}

writes_or_ended() {
	all_write || processes_ended "$pid"
}

# A rank that was killed leaves a file that the next run would not overwrite.
remove_written() {
	for h in $hosts; do
		on "$h" rm -f disk/written
	done
}

# begin_writes: starts a run, and returns when all hosts write.
begin_writes() {
	remove_written
	start_ranks 1 --output-format=json+ --output=all.json write.fio
	until_true 300 writes_or_ended
	check "all hosts write" all_write
}

# sums DOCUMENT HOSTS: as many hosts as given have I/Os, and the last entry is their sum.
sums() {
	jq -e --argjson hosts "$2" '.client_stats as $e | ($e[:-1] | map(.read.total_ios + .write.total_ios)) as $ios |
		($e[:-1] | map(.hostname) | unique | length) == $hosts and ($ios | min) > 0 and
		($e[-1] | .jobname == "All clients" and .read.total_ios + .write.total_ios == ($ios | add) and
		([.read.clat_ns.bins, .write.clat_ns.bins] | map(. // {} | add // 0) | add) == ($ios | add))' "$1" >/dev/null
}

complete_document() {
	jq -e '(.jobs // .client_stats) | length > 0 and (.[0].write.total_ios > 0)' "$1" >/dev/null
}

complete_documents() {
	for h; do
		complete_document "all.$h.json" || return 1
	done
}

ends() {
	[ ! -e hangs ]
}

# ---- four hosts that work ----

works() {
	run_ranks 1 --output-format=json+ --output=all.json null.fio
	check "$library: a run on four hosts succeeds" exits 0
	check "... and the sums are exact" sums all.json 4
	# mpirun may warn about its own start: "plm:rsh: Warning: setpgid".
	check "... stderr is empty" test -z "$(grep -v '^\[head:' err)"
	"$FIORD" merge all.h?.json >merged.json
	check "... fiord merge makes the same bins of the documents" same \
		"$(jq -S -c '.client_stats[-1].read.clat_ns | .bins, .percentile' all.json)" \
		"$(jq -S -c '.client_stats[-1].read.clat_ns | .bins, .percentile' merged.json)"
	echo "# the last worker started after the common start by: $(jq -r '[.fiord.hosts[].start_late_ns] | max / 1e6' all.json) ms"
	run_ranks 2 --output-format=json+ --output=all.json null.fio
	check "two ranks on each host: the sums are exact" sums all.json 8
}

# ---- hosts that fail ----

kill_rank() {
	begin_writes
	victim=$(rank_of h3)
	on h3 kill -9 "$victim"
	finish_ranks
	check "kill -9 of a rank: the run ends" ends
	check "... and fails" test "$rc" != 0
	check "... the host is named" grep -qE "node h3|RUNNING AT h3" err out
	if [ $library = mpich ]; then
		skip "... the other hosts have documents" "MPICH's launcher kills all ranks at once"
	else
		check "... the other hosts have documents" complete_documents h2 h4
	fi
}

# The disk of one host is full: before the run, and once it writes.
full_disk() {
	on h3 mount -o remount,size=1m disk
	remove_written
	run_ranks 1 --name=fills --filename="$DISK/written" --rw=write --size=16m
	on h3 mount -o remount,size=32m disk
	check "too little space on one host: the job is refused" test "$rc" != 0
	check "... and the host is named" says err "h3 (rank 2)"
	check "... nothing was touched" on h3 test ! -e disk/written
	run_ranks 1 --output-format=json+ --output=all.json full.fio
	on h3 rm disk/others
	check "the disk of one host is full: the run ends" ends
	check "... and fails" test "$rc" != 0
	check "... all hosts have entries" same 4 "$(jq '[.client_stats[:-1][].hostname] | unique | length' all.json)"
	check "... the document names the host" same '["h3"]' "$(jq -c '[.fiord.hosts[] | select(.exit != 0) | .hostname]' all.json)"
}

# The agent cannot reach one host.
never_starts() {
	power_off h3
	# The launcher of MPICH waits for the host, unless this variable says how long.
	export MPIEXEC_TIMEOUT=5
	run_ranks 1 --output-format=json+ --output=all.json write.fio
	check "a host that does not start: the run ends" ends
	check "... and fails" test "$rc" != 0
	check "... the host is named" says err h3
	check "... nothing was written" absent all.json all.h1.json
	unset MPIEXEC_TIMEOUT
	boot h3 3
}

# A host vanishes with all its processes.
power_cut() {
	begin_writes
	power_off h3
	finish_ranks
	check "a host loses its power: the run ends" ends
	check "... and fails" test "$rc" != 0
	if [ $library = mpich ]; then
		skip "... the host is named, and the others have documents" "MPICH's launcher kills all ranks at once"
	else
		# mpirun may kill rank 0 before it has written the sum.
		if [ -e all.json ]; then
			check "... the document names it" same '["h3"]' "$(jq -c '[.fiord.hosts[] | select(.error) | .hostname]' all.json)"
		else
			skip "... the document names it" "the launcher killed rank 0 first"
		fi
		check "... the other hosts have documents" complete_documents h1 h2 h4
		"$FIORD" merge all.h1.json all.h2.json all.h4.json >merged.json
		check "... which fiord merge adds up" sums merged.json 3
	fi
	boot h3 3
}

# link_down HOST NUMBER: the connection is lost; the other side gets no message.
link_down() {
	begin_writes
	ip link set "v$2" down
	finish_ranks
	check "the link of $1 goes down: the run ends" ends
	check "... and fails" test "$rc" != 0
	power_off "$1"
	boot "$1" "$2"
}

interrupt() {
	begin_writes
	kill -INT "$pid"
	finish_ranks
	check "SIGINT to the launcher: the run ends" ends
	check "... and fails" test "$rc" != 0
	check "... all documents are complete" complete_documents $hosts
	check "... also that of all hosts" sums all.json 4
}

link_down_h3() {
	link_down h3 3
	check "... the host is named" says err h3
	check "... rank 0 has the results of the others" sums all.json 3
}

link_down_h1() {
	link_down h1 1
	check "... the others have documents" complete_documents ${hosts#h1 }
}

for scenario in ${SCENARIOS:-works kill_rank full_disk never_starts power_cut interrupt link_down_h3 link_down_h1}; do
	$scenario
done
finish
