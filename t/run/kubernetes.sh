#!/bin/sh
# Do the files of examples/kubernetes work? Python reads them, kubernetes-validate has the published schemas, and kubectl, where there is one,
# joins the kustomization. The arguments of their containers run here, on a file in place of the volume and of the disk.
. "$SOURCE/t/lib.sh"
requires python3 jq
python3 -c 'import yaml' 2>/dev/null || skip_all "no python3-yaml"
cd "$dir" || exit 1

python3 "$SOURCE/t/run/kubernetes.py" "$SOURCE/examples" >facts 2>err
check "the files are sound" test "$?" = 0
grep -v '^args' facts
grep -c '^ok' facts >out
check "... their facts were checked" test "$(cat out)" -ge 10

# container FILE: runs the arguments of a container of this file, on paths of this test and with little I/O.
container() {
	sed -n "s/^args	$1	//p" facts | tr '\t' '\n' | sed "s|=/data$|=$dir/data|; s|=/dev/disk$|=$dir/disk|; s|/results/|$dir/results/|; s|\$(NODE)|node|" >args
	set --
	while IFS= read -r arg; do
		set -- "$@" "$arg"
	done <args
	run "$@" --size=1m --runtime=1 --time_based=0 --ramp_time=0
}
mkdir data results
truncate -s 1m disk
cp disk before
container job.yaml
check "the arguments of job.yaml run" grep -q "Run status group 0" out
check "... the report has the verdict of the assertion" grep -q "latency.read.clat.p99 < 10ms" out
check "... which alone decides the exit code" sh -c "[ $rc = 0 ] || [ $rc = 5 ]"
container daemonset.yaml
check "the arguments of daemonset.yaml run" exits 0
check "... the log has the report" grep -q "Run status group 0" out
check "... the node keeps its result" json results/node.json '[.jobs[].read.total_ios | . > 0] == [true, true, true]'
check "... and the disk is as it was" cmp disk before

if ! command -v kubectl >/dev/null; then
	skip "kubectl joins the kustomization" "no kubectl"
elif ! kubectl kustomize --help 2>/dev/null | grep -q enable-helm; then
	skip "kubectl joins the kustomization" "this kubectl is older than 1.22"
else
	kubectl kustomize "$SOURCE/examples/kubernetes" >joined.yaml 2>err
	check "kubectl joins the kustomization" test "$?" = 0
	check "... with its disk" grep -q "path: $(sed -n 's/^ *value: //p' "$SOURCE/examples/kubernetes/kustomization.yaml")\$" joined.yaml
	check "... and its image" grep -q "image: $(sed -n 's/^ *newName: //p' "$SOURCE/examples/kubernetes/kustomization.yaml"):1\$" joined.yaml
fi
finish
