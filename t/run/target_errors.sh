#!/bin/sh
# Does the error of a target that the job cannot use name its place in the job file and the reason? Missing permissions, missing
# devices and Windows paths; a user without privileges runs check and run.
. "$SOURCE/t/lib.sh"
requires setpriv
requires_root
cd "$dir" || exit 1
chmod 755 . # so that the other user can enter it
mkdir private shut open
head -c 65536 /dev/zero >secret
head -c 65536 /dev/zero >fixed
head -c 65536 /dev/zero >private/file
chmod 700 private
chmod 600 secret
chmod 644 fixed
chmod 777 open
cp "$FIORD" fiord && chmod 755 fiord

# refused PLACE TEXT OPTION...: check and run of an unprivileged user print this error.
refused() {
	place=$1
	text=$2
	shift 2
	{
		echo "[x]"
		printf '%s\n' "$@"
	} >job.fio
	for verb in check run; do
		setpriv --reuid=65534 --regid=65534 --clear-groups ./fiord $verb job.fio >out 2>err
		rc=$?
		check "$verb, $*: stderr has one line" lines err 1
		check "... which has: $text" says err "job.fio:$place: [x]: $text"
		check "... and exits 3" exits 3
	done
}

refused 2 "private/file: Permission denied" filename=private/file rw=read
refused 3 "private/new: Permission denied" size=1m filename=private/new rw=write
refused 2 "secret: reading is not permitted: Permission denied" filename=secret rw=randread
refused 2 "fixed: writing is not permitted: Permission denied" filename=fixed rw=write
refused 2 "fixed: writing is not permitted: Permission denied" filename=fixed rw=rw size=1m
refused 2 "shut/x.0.0: Permission denied (EACCES): it does not exist" directory=shut rw=read size=1m
refused 2 "/dev/no-such-disk: no such device" filename=/dev/no-such-disk rw=randread
refused 2 "/dev/no-such-disk: no such device" filename=/dev/no-such-disk rw=randread size=50%
for name in sdX nvmeXn1; do
	refused 2 "/dev/$name: no such device; the X stands for your disk: lsblk" filename=/dev/$name rw=randread
done
refused 2 "/dev/null/x: Not a directory" filename=/dev/null/x rw=read
refused 2 "open: is a directory; use directory=open" filename=open rw=read
check "no file is created" same "$(find private shut open -type f)" private/file
setpriv --reuid=65534 --regid=65534 --clear-groups ./fiord --name=x --filename=fixed --rw=read >out 2>err
rc=$?
check "a readable file can be read" exits 0

mkdir d
run --name=x --directory=d --filename_format='../$jobname' --size=64k --rw=write
check "filename_format cannot leave the directory" says err 'filename_format=../$jobname: d/../x lies outside of directory=d'
check "... and exits 2" exits 2
check "... and creates nothing" absent x
printf '[x]\nrw=write\nsize=64k\ndirectory=C:\\data\n' >job.fio
run job.fio
check "the error of a Windows directory says so" says err 'job.fio:4: [x]: directory=C:\data: this is a Windows path'
printf '[x]\nrw=write\nsize=64k\nfilename=C:\\data\\x\n' >job.fio
run job.fio
check "the error of a Windows file name says so" says err 'job.fio:4: [x]: filename=C:\data\x: this is a Windows path'
check "... and no file is created" absent C '\data\x'

# A container's device rules may forbid even root to open a mounted device.
mounted=
for source in $(awk '{ for (i = 7; $i != "-"; i++); print $(i + 2) }' /proc/self/mountinfo); do
	[ -b "$source" ] && ! head -c 1 "$source" >/dev/null 2>err && grep -q 'not permitted' err && mounted=$source
done
if [ -n "$mounted" ]; then
	"$FIORD" --name=x --filename="$mounted" --rw=write --size=1m >out 2>err
	rc=$?
	check "a mounted device that cannot be opened is refused" says err "$mounted: refusing to write: it is mounted on /"
	check "... and the error says why it cannot be opened" says err "EPERM); a container's device rules may forbid opening it"
	check "... with exit code 3" exits 3
	"$FIORD" --name=x --filename="$mounted" --allow_write="$mounted" --rw=write --size=1m >out 2>err
	rc=$?
	check "... also with allow_write" says err "$mounted: Operation not permitted (EPERM); a container"
	check "... with exit code 3" exits 3
	"$FIORD" diskspd -w100 "$mounted" >out 2>err
	rc=$?
	check "DISKSPD's lines are refused alike" says err "$mounted: refusing to write: it is mounted on /"
	check "... with exit code 1" exits 1
	"$FIORD" --name=x --filename="$mounted" --rw=read --size=1m >out 2>err
	check "the error of a read job has only the errno" says err "$mounted: Operation not permitted (EPERM); a container"
else
	skip "a mounted device that cannot be opened" "root may open all mounted devices"
fi
finish
