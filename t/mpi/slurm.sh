#!/bin/sh
# Does srun start the ranks? Slurm runs on one node, in namespaces of its own: munged, slurmctld and slurmd.
# slurm.sh FIORD FIORD_MPI LAUNCHER...
FIORD=$(realpath "$1") fiord_mpi=$(realpath "$2") launcher=$3 SOURCE=$(realpath "$(dirname "$0")/../..")
export FIORD SOURCE
if [ "${FIORD_IN_NAMESPACES:-}" != yes ]; then
	[ "$(id -u)" = 0 ] || { echo "skipped: not root"; exit 77; }
	for tool in srun slurmctld slurmd munged jq ip unshare mount; do
		command -v "$tool" >/dev/null || { echo "skipped: no $tool on this machine"; exit 77; }
	done
	inside="unshare --net --uts --ipc --mount --pid --fork --kill-child=KILL --mount-proc"
	$inside true 2>/dev/null || { echo "skipped: namespaces cannot be made"; exit 77; }
	$inside ip link add name0 type veth peer name name1 2>/dev/null || { echo "skipped: no veth link can be made"; exit 77; }
	exec $inside env FIORD_IN_NAMESPACES=yes sh "$0" "$@"
fi
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
mkdir spool state munge
chmod 755 . munge
# Slurm wants an address other than that of the loopback.
hostname node1
{ cat /etc/hosts && echo "10.77.9.1 node1"; } >hosts
mount --bind hosts /etc/hosts && ip link set lo up && ip link add net0 type veth peer name net1 && ip addr add 10.77.9.1/24 dev net0 &&
	ip link set net0 up && ip link set net1 up || skip_all "no network in namespaces"
cat >slurm.conf <<END
ClusterName=one
SlurmctldHost=node1(10.77.9.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmdSpoolDir=$dir/spool
StateSaveLocation=$dir/state
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
SwitchType=switch/none
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
NodeName=node1 NodeAddr=10.77.9.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=node1 Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$dir/slurm.conf"
head -c 1024 /dev/urandom >munge/key
chmod 600 munge/key

node_idle() {
	[ "$(sinfo -h -o %t 2>/dev/null)" = idle ]
}

munged --force --key-file=munge/key --socket=munge/socket --pid-file=munge/pid --log-file=munge/log --seed-file=munge/seed 2>/dev/null &&
	slurmctld -c -f slurm.conf && until_true 100 test -s slurmctld.pid && slurmd -f slurm.conf -N node1 && until_true 200 node_idle ||
	skip_all "Slurm does not start in namespaces"

case $("$launcher" --version 2>&1) in
*"Open MPI"* | *OpenRTE*) kind=pmix ;;
*) kind=pmi2 ;;
esac
srun --mpi=list 2>&1 | grep -qw "$kind" || skip_all "this Slurm has no $kind"

with_srun() {
	srun "--mpi=$kind" --overcommit -n 4 "$fiord_mpi" "$@" >out 2>err </dev/null
	rc=$?
}

sums() {
	jq -e '.client_stats as $e | ($e[:-1] | map(.read.total_ios)) as $ios | ($ios | length == 4 and min > 0) and
		$e[-1].read.total_ios == ($ios | add)' "$1" >/dev/null
}

with_srun --output="$dir/all.json" --output-format=json+ --name=a --ioengine=null --size=1m --rw=randread
check "srun --mpi=$kind: a run of four ranks succeeds" exits 0
check "... and the sums are exact" sums all.json
with_srun --name=a --rw=nonsense
check "srun --mpi=$kind: a refusal has its exit code" exits 2
check "... and is printed once" test "$(grep -c 'not a pattern' err)" = 1

# The batch script of the examples, with small files and two ranks on this node. Its --mpi is that of Open MPI.
if [ $kind = pmix ]; then
	mkdir bin shared
	ln -s "$fiord_mpi" bin/fiord-mpi
	cp "$SOURCE/examples/mpi/per-rank.ini" .
	sed 's|--set directory=/mnt/shared|& --set size=8m --set runtime=1 --set direct=0|; s|/mnt/shared|shared|' \
		"$SOURCE/examples/mpi/fiord.sbatch" >fiord.sbatch
	PATH="$dir/bin:$PATH" sbatch --wait --nodes=1 --ntasks-per-node=2 --output=batch.out fiord.sbatch >out 2>err
	rc=$?
	check "examples/mpi/fiord.sbatch runs" exits 0
	check "... and writes the result of both ranks" json "fiord.$(sed 's/.* //' out).json" '.fiord.hosts | length == 2'
fi
finish
