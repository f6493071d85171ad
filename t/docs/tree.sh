#!/bin/sh
# The tree is as ARCHITECTURE.md says: each folder below src/ has its line there, each file of jobs/ and examples/
# says what it is for.
. "$SOURCE/t/lib.sh"
cd "$SOURCE" || exit 1

for folder in src/*/ engines/ jobs/ examples/ t/*/ man/; do
	[ -n "$(find "$folder" -type f | head -n 1)" ] || continue
	check "ARCHITECTURE.md names $folder" grep -qF "\`${folder%/}\`" ARCHITECTURE.md
done
for file in examples/*.ini examples/*.inc; do
	check "$file begins with a comment" sh -c "head -n 1 $file | grep -q '^# .'"
done
for file in examples/*.diskspd; do
	check "$file begins with a comment" sh -c "head -n 1 $file | grep -q '^# .'"
done
for header in src/*/*.h; do
	check "$header says what it is" sh -c "head -n 1 $header | grep -q '^/\\* '"
done
finish
