#!/bin/sh
# Does the source tree match its description? ARCHITECTURE.md names each folder, each header, job file and example begins
# with a comment that says its purpose, and each test file is listed in its meson.build.
. "$SOURCE/t/lib.sh"
cd "$SOURCE" || exit 1

for folder in src/*/ engines/ jobs/ examples/ t/*/ man/; do
	[ -n "$(find "$folder" -type f | head -n 1)" ] || continue
	check "ARCHITECTURE.md names $folder" grep -qF "\`${folder%/}\`" ARCHITECTURE.md
done
# Words like files exist: with a folder at that path, without one in some folder. Names to be filled in are upper case.
words='[[:alnum:]_./*-]+\.(c|h|h\.in|inc|py|sh|scd|tsv|txt|md|build)\>'
for page in ARCHITECTURE.md HACKING.md; do
	for word in $(grep -oE "$words" $page | grep -vE 'NAME|GROUP|TOPIC|MODULE|^\.' | sort -u); do
		case $word in */*) at=./$word ;; *) at="*/$word" ;; esac
		check "$page: $word exists" test -n "$(find . -path ./.git -prune -o -path "$at" -print -quit)"
	done
done
for file in examples/*.ini examples/*.inc; do
	check "$file begins with a comment" sh -c "head -n 1 $file | grep -q '^# .'"
done
for file in examples/*.diskspd; do
	check "$file begins with a comment" sh -c "head -n 1 $file | grep -q '^# .'"
done
for header in src/*/*.h; do
	check "$header begins with a comment" sh -c "head -n 1 $header | grep -q '^/\\* '"
done
for file in t/unit/test_*.c t/golden/test_*.c t/run/*.sh t/guest/*.sh t/options/*.tsv; do
	name=${file##*/}
	name=${name%.*}
	case $file in
	t/guest/lib.sh) continue ;;
	t/run/bench.sh) continue ;; # listed in t/bench/meson.build, which builds the benchmark
	esac
	check "${file%/*}/meson.build lists $file" grep -q "'${name#test_}'" "${file%/*}/meson.build"
done
finish
