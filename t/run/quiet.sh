#!/bin/sh
# A clean run whose output is piped says nothing on stderr: programs that read it stop at the first byte.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1

run --name=x --filename=file --size=4m --rw=randrw
check "laying out and running exits 0" exits 0
check "... and is quiet" empty err
check "... with the report on stdout" grep -q '^Run status group 0' out

run --name=x --filename=file --size=64k --ioengine=psync --iodepth=32
check "a job with a note is quiet" empty err
check "... and the report has the note" grep -q 'iodepth' out

run --name=x --filename=file --size=64k --alloc-size=1024 --output-format=json
check "a flag without meaning is accepted" exits 0
check "... quietly" empty err

run --name=x --filename=file --size=64k --eta=always
check "--eta=always has its progress line on stderr, nothing on stdout" sh -c "! grep -q '^Jobs: ' '$dir/out'"

run --name=x --filename=file --size=64k --no-such-option
check "an error is on stderr" test -s err
check "... and not on stdout" empty out
finish
