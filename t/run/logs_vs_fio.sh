#!/bin/sh
# Do fiord's logs have the names, columns and directions of fio's logs? fio and fiord run the same jobs.
. "$SOURCE/t/lib.sh"
requires fio
cd "$dir" || exit 1
cat >job.fio <<'TEXT'
[global]
ioengine=null
size=2m
bs=4k
[a]
rw=randwrite
iodepth=4
write_lat_log=A
log_offset=1
[b]
stonewall
rw=randrw
numjobs=2
write_bw_log=B
write_iops_log=B
log_prio=1
[c]
new_group
rw=read
write_hist_log=C
log_hist_msec=20
time_based
runtime=500ms
[d]
rw=rw
per_job_logs=0
write_lat_log
log_max_value=1
time_based
runtime=500ms
rate_iops=200
log_avg_msec=100
[e]
rw=write
disable_clat=1
disable_slat=1
log_unix_epoch=1
write_lat_log
write_iops_log=E
TEXT

# shape: prints each log with its columns and directions, and its number of lines if each I/O has a line.
shape() {
	for f in *.log; do
		d=3
		n=$(wc -l <"$f")
		case $f in
		*hist*) d=2 n=some ;;
		d_*) [ "$n" = 0 ] || n=some ;;
		esac
		echo "$f $n $(awk -F, '{ print NF }' "$f" | sort -u)" $(cut -d , -f $d "$f" | sort -u)
	done
}

mkdir theirs ours
(cd theirs && fio ../job.fio >out 2>&1 && shape >../shape.fio)
check "fio writes logs" test -s shape.fio
cd ours || exit 1
run ../job.fio
check "fiord exits 0" exits 0
shape >../shape.fiord
cd .. || exit 1
check "the logs have the same shape" diff shape.fio shape.fiord
check "there are more than 10 logs" test "$(wc -l <shape.fiord)" -gt 10
finish
