#!/bin/sh
# Does circles.py find files that call each other in a circle? The test plants circles of three and of four files.
. "$SOURCE/t/lib.sh"
requires cc nm python3
circles=$SOURCE/t/docs/circles.py

# object FOLDER FILE CALLED: compiles a file whose function calls another.
object() {
	folder=$dir/build/lib$1.a.p
	mkdir -p "$folder"
	printf 'void %s_%s(void);\nvoid %s_%s(void);\nvoid %s_%s(void) { %s_%s(); }\n' \
		"$1" "$2" "$1" "$3" "$1" "$2" "$1" "$3" >"$dir/$2.c"
	cc -c -o "$folder/src_$1_$2.c.o" "$dir/$2.c"
}

fails() {
	! "$@" >"$dir/out" 2>&1
}

# circles.py takes a build of fewer than 100 objects for a mistake.
object other file file
for i in 0 1 2 3 4 5 6 7 8 9; do
	for k in 0 1 2 3 4 5 6 7 8 9; do
		cp "$dir/build/libother.a.p/src_other_file.c.o" "$dir/build/libother.a.p/src_other_$i$k.c.o"
	done
done
object three a b && object three b c && object three c a
check "a circle of three files passes" python3 "$circles" "$dir/build" "$SOURCE/t/docs/circles.txt"
object four a b && object four b c && object four c d && object four d a
check "a circle of four files fails" fails python3 "$circles" "$dir/build" "$SOURCE/t/docs/circles.txt"
check "... and the files are named" grep -q '^4 four/a four/b four/c four/d$' "$dir/out"
printf 'four 4\n' >"$dir/limits"
check "... unless the list allows it" python3 "$circles" "$dir/build" "$dir/limits"
finish
