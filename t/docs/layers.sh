#!/bin/sh
# Does the build reject an upward include and a circle between folders? The test plants both in a copy of the tree.
. "$SOURCE/t/lib.sh"
requires meson ninja tar

fails() {
	! "$@"
}

# copy NAME: copies the sources that the build reads, without tests and manual pages.
copy() {
	mkdir "$dir/$1"
	(cd "$SOURCE" && tar -cf - meson.build meson_options.txt src engines examples jobs man/options) | tar -xf - -C "$dir/$1"
	sed -i "/^subdir('t')/d; /^subdir('man')/d; /^subdir('completion')/d" "$dir/$1/meson.build"
}

configure() { # NAME
	meson setup "$dir/$1/build" "$dir/$1" >"$dir/$1.log" 2>&1
}

# object FOLDER FILE: compiles one file of the copy.
object() {
	ninja -C "$dir/up/build" "lib$1.a.p/src_$1_$2.o" >"$dir/up.log" 2>&1
}

# plant FOLDER FILE HEADER: the header is in a higher layer, so the file must not compile once it includes it.
plant() {
	check "src/$1/$2 compiles" object "$1" "$2"
	sed -i "1i #include \"$3\"" "$dir/up/src/$1/$2"
	check "src/$1/$2 cannot include $3" fails object "$1" "$2"
	check "... and the compiler names the header" grep -q "$3: No such file" "$dir/up.log"
}

copy up
check "the copy is configured" configure up
plant stat hist.c job.h
plant gen mix.c engine.h
plant job job.c plan.h
plant worker loop.c run.h
plant run waves.c worker.h
plant report normal.c plan.h
plant compare compare.c report.h
plant assert selector.c plan.h
plant fromlog read_logs.c job.h
plant trace reuse.c total.h
plant sweeprun sweep_list.c cmd.h
plant monitor remaining_time.c cmd.h

copy circle
sed -i "s/^  \['base', \[\]\],/  ['base', ['cmd']],/" "$dir/circle/meson.build"
check "the copy has a circle" grep -q "'base', \['cmd'\]" "$dir/circle/meson.build"
check "two folders cannot use each other" fails configure circle
check "... and meson names the folder" grep -q 'cmd_dep' "$dir/circle.log"
finish
