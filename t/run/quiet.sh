#!/bin/sh
# Is a piped stderr empty after a clean run? Programs that read it take its first byte for an error.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1

run --name=x --filename=file --size=4m --rw=randrw
check "layout and run exit 0" exits 0
check "... and stderr is empty" empty err
check "... and the report is on stdout" grep -q '^Run status group 0' out

run --name=x --filename=file --size=64k --ioengine=psync --iodepth=32
check "a job with a note has an empty stderr" empty err
check "... and the note is in the report" grep -q 'iodepth' out

run --name=x --filename=file --size=64k --alloc-size=1024 --output-format=json
check "a flag without effect is accepted" exits 0
check "... and stderr is empty" empty err

run --name=x --filename=file --size=64k --eta=always
check "--eta=always prints no progress on stdout" sh -c "! grep -q '^Jobs: ' '$dir/out'"

run --name=x --filename=file --size=64k --no-such-option
check "an error goes to stderr" test -s err
check "... and not to stdout" empty out
finish
