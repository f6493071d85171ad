#!/bin/sh
# Is bad input of several ranks refused with one line that names the host, before anything is touched, and do the options of
# ranks work? refusals.sh FIORD FIORD_MPI LAUNCHER...
. "$SOURCE/t/lib.sh"
fiord_mpi=$(realpath "$2")
shift 2
requires "$1" jq
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_orte_tmpdir_base="$dir"
cd "$dir" || exit 1
launch=$*

# ranks ARGUMENT...: runs the launcher; the output is in out and err, the exit code in rc.
ranks() {
	rc=0
	$launch "$@" >out 2>err || rc=$?
}

# refused PATTERN: the run failed, and exactly one line of fiord-mpi has these words.
refused() {
	[ "$rc" != 0 ] && [ "$(grep -c '^fiord-mpi: ' err)" = 1 ] && grep -qE "^fiord-mpi: .*$1" err
}

null="--ioengine=null --size=1m"

# Files of two ranks
ranks -n 2 "$fiord_mpi" --name=a --filename=f --size=64k --rw=write
check "two ranks that would write one file are refused" refused "f: .* \(rank 0\) and .* \(rank 1\) would both write this file"
check "the file was not created" test ! -e f
mkdir sub
ln -s . link
ranks -n 1 "$fiord_mpi" --name=a --filename=sub/f --size=64k --rw=write : \
	-n 1 "$fiord_mpi" --name=b --filename=link/./sub//f --size=64k --rw=write
check "... also by different paths of it" refused "sub/f: .* \(rank 1, as link/./sub//f\) would both write this file"
ranks -n 2 "$fiord_mpi" --name=a --filename=f --size=64k --rw=read
check "two ranks that would lay out one file are refused" refused "f: .*would both lay out this file"
ranks -n 2 "$fiord_mpi" --name=a --filename=f --size=64k --rw=write --rank_shared=1
check "a shared file must exist" refused "f: with rank_shared=1 the file must have 64 KiB before .*--filesize=65536 --create_only=1"
"$FIORD" --name=layout --filename=f --rw=read --filesize=256k --create_only=1 >out
ranks -n 2 "$fiord_mpi" --name=a --filename=f --size=64k --rw=read
check "two ranks may read one file" exits 0
ranks -n 2 "$fiord_mpi" --name=a --filename=f --size=64k --rw=write --rank_shared=1
check "with rank_shared=1 two ranks may write one file" exits 0
ranks -n 1 "$fiord_mpi" --name=a --filename=f --size=64k --rw=write --rank_shared=1 : \
	-n 1 "$fiord_mpi" --name=b --filename=f --size=64k --rw=write
check "... if both have it" refused "would both write this file"
ranks -n 2 "$fiord_mpi" --name=a --filename=f --size=64k --rw=write --rank_shared=1 --verify=crc32c
check "verification of bytes that another rank writes is refused" refused "f: of .*, one verifies bytes that the other writes"
ranks -n 4 "$fiord_mpi" --name=a --filename=f --size=64k --rw=write --rank_shared=1 --verify=crc32c --rank_offset_increment=64k \
	--output-format=json --output=all.json
check "with rank_offset_increment each rank writes and verifies its own part" exits 0
# Each block begins with the magic number of verify headers.
headers=$(od -An -v -tx2 -w4096 f | awk '$1 == "acca" { n++ } END { print n + 0 }')
check "... and all parts are written" test "$headers" = 64
ranks -n 2 "$fiord_mpi" --name=a '--filename=w.${RANK}.${NRANKS}' --size=64k --rw=write --refill_buffers=1
check "the command line has \${RANK} and \${NRANKS}" test -s w.0.2 -a -s w.1.2
check "each rank writes data of its own" sh -c '! cmp -s w.0.2 w.1.2'
rm w.*
ranks -n 2 "$fiord_mpi" --name=a '--filename=w.${RANK}' --size=64k --rw=write --refill_buffers=1 --randrepeat=ranks
check "with randrepeat=ranks all ranks write the same data" cmp w.0 w.1

head -c 65536 /dev/urandom >theirs
before=$(cksum <theirs)
ranks -n 1 "$fiord_mpi" --name=a --filename=ours --size=64k --rw=write : \
	-n 1 "$fiord_mpi" --name=b --filename=theirs --size=64k --rw=write
check "a file that fiord did not create is refused on the rank that names it" refused "theirs: refusing to write: it has data"
check "... before the other rank has begun" test ! -e ours
check "... and keeps its content" same "$before" "$(cksum <theirs)"

# Outputs
ranks -n 1 "$fiord_mpi" --output=a.json --name=a $null : -n 1 "$fiord_mpi" --output=b.json --name=b $null
check "a second output is refused" refused "\(rank 1\): --output=b.json: rank 0 writes the results .*--output=a.json"
check "no output was written" test ! -e a.json -a ! -e b.json
ranks -n 1 "$fiord_mpi" --output=one.json --name=a $null : -n 1 "$fiord_mpi" --name=b $null
check "the other programs need no --output, and their ranks have documents" sh -c 'ls one.*.1.json'
mkdir here there here/out
ranks -n 1 env -C here "$fiord_mpi" --output=out/r.json --name=a $null : -n 1 env -C there "$fiord_mpi" --name=b $null
check "an output is refused if one rank cannot write it" refused "\(rank 1\): --output=out/r.*json: directory out: No such file"
check "... and no rank wrote one" sh -c '[ -z "$(ls here/out)" ]'

# Files that only rank 0 has
printf pattern >here/bytes
cat >pattern.fio <<'END_JOB'
[a]
ioengine=null
size=1m
rw=write
verify=pattern
verify_pattern='bytes'
END_JOB
ranks -n 1 env -C here "$fiord_mpi" "$dir/pattern.fio" : -n 1 env -C there "$fiord_mpi" "$dir/pattern.fio"
check "a pattern file that only rank 0 has is refused" refused "\(rank 1\): .*verify_pattern='bytes': cannot read 'bytes'"
cat >pool.fio <<'END_JOB'
[a]
filename=pool.${RANK}
size=64k
rw=write
write_pool=64k
write_pool_file=bytes
END_JOB
ranks -n 1 env -C here "$fiord_mpi" "$dir/pool.fio" : -n 1 env -C there "$fiord_mpi" "$dir/pool.fio"
check "a pool file that only rank 0 has is refused" refused "\(rank 1\): .*write_pool_file=bytes: No such file"
ranks -n 2 "$fiord_mpi" absent.fio
check "a job file that does not exist is refused once" refused "cannot read job file 'absent.fio'"
printf '[a]\nbs=4q\n' >wrong.fio
ranks -n 2 "$fiord_mpi" wrong.fio
check "an error in the job file is refused once" refused "wrong.fio:2: bs=4q"
ranks -n 1 "$fiord_mpi" --name=a $null --output-format=json : -n 1 "$fiord_mpi" wrong.fio
check "an error of another program names its host" refused "\(rank 1\): wrong.fio:2: bs=4q"
check "... and the document says that the run was refused" json out '.fiord.exit.code == 2'

# Arguments
ranks -n 2 sh -c 'exec "$0" --name=job$(test -e first || (mkdir first && echo 1)) --ioengine=null --size=1m \
	--output-format=json --output=split.json' "$fiord_mpi"
check "ranks of one program may have different arguments" json split.json '[.client_stats[].jobname] | sort == ["All clients", "job", "job1"]'
ranks -n 2 "$fiord_mpi" preset list
check "preset is refused" refused "preset: fiord-mpi runs job files"
ranks -n 2 "$fiord_mpi" diskspd -c1m x
check "diskspd is refused" refused "diskspd: fiord-mpi runs job files"
ranks -n 2 "$fiord_mpi" merge a b
check "merge is refused" refused "merge: .*use fiord merge"
ranks -n 2 "$fiord_mpi" --repeat=2 --name=a $null
check "--repeat is refused" refused "--repeat=2: "
ranks -n 2 "$fiord_mpi" --showcmd --name=a $null
check "--showcmd is refused" refused "--showcmd: "
ranks -n 1 "$fiord_mpi" --name=a $null : -n 1 "$fiord_mpi" --version
check "a program that only prints does not hang the others" refused "the programs do not do the same"
ranks -n 2 "$fiord_mpi" check --name=a '--filename=c.${RANK}' --size=64k --rw=write
check "check prints the plan of each rank" sh -c 'grep -q "(rank 0):" out && grep -q "c.1 (missing)" out'
check "check touches nothing" sh -c '! ls c.*'
finish
