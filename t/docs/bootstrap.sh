#!/bin/sh
# Does bootstrap use what it has just installed? A small project stands for fiord: one of its tests needs a library that the stub of
# apt-get installs for "bootstrap test". meson, ninja and the compiler are those of this machine, and meson's log is the witness.
. "$SOURCE/t/lib.sh"
requires meson ninja cc pkg-config
cd "$dir" || exit 1
mkdir tree bin pc
cp "$SOURCE/bootstrap" tree/
cat >tree/meson.build <<'TEXT'
project('small', 'c')
sh = find_program('true')
test('always', sh)
test('in a guest', sh, suite: 'guest')
if dependency('fuse3', required: false, method: 'pkg-config').found()
  test('needs fuse3', sh)
endif
TEXT
stub() { # NAME: a program whose text is read from standard input
	cat >"bin/$1"
	chmod +x "bin/$1"
}
stub apt-get <<'TEXT'
#!/bin/sh
case " $* " in *" libfuse3-dev "*) printf 'Name: fuse3\nDescription: a library\nVersion: 3\n' >"$PKG_CONFIG_LIBDIR/fuse3.pc" ;; esac
TEXT
stub dpkg-query <<'TEXT'
#!/bin/sh
# Every package is installed but libfuse3-dev, which is installed when its file is there.
for package; do
	case $package in
	-*) continue ;;
	libfuse3-dev) [ -f "$PKG_CONFIG_LIBDIR/fuse3.pc" ] || continue ;;
	esac
	case $* in *Version*) echo "$package 1 installed" ;; *) printf installed ;; esac
done
TEXT
stub sudo <<'TEXT'
#!/bin/sh
exec "$@"
TEXT
bootstrap() { # ARG...
	env -u MESON_TESTTHREADS -u MESON_BUILD_ROOT -u NINJA BUILD="$dir/build" PATH="$dir/bin:$PATH" PKG_CONFIG_LIBDIR="$dir/pc" \
		tree/bootstrap "$@" >out 2>err
	rc=$?
}
ran() { # COUNT: this many tests, by meson's log
	lines build/meson-logs/testlog.json "$1"
}

# Without dpkg-query nothing is installed. The stubs stand for package managers; bootstrap must not call them.
without_debian() { # MANAGER...
	rm -rf other build
	cp -rs /usr/bin other
	rm -f other/dpkg-query other/apt-get
	for manager; do
		ln -sf /bin/false "other/$manager"
	done
	env -u MESON_TESTTHREADS -u MESON_BUILD_ROOT -u NINJA BUILD="$dir/build" PATH="$dir/other" tree/bootstrap build >out 2>err
	rc=$?
}
without_debian
check "a machine without apt builds where everything is there" exits 0
check "... and bootstrap prints nothing" sh -c '! grep "^bootstrap:" err'
for row in "dnf:dnf install gcc meson ninja-build .*pkgconfig(inih)" "zypper:zypper install .*pkgconfig(libxxhash)" \
	"pacman:pacman -S .* libinih " "apk:apk add .* inih-dev " ":the packages have these names on Debian: .* libinih-dev "; do
	PKG_CONFIG_LIBDIR="$dir/pc" without_debian "${row%%:*}"
	check "on a machine with ${row%%:*} bootstrap says what to install" \
		grep -q "^bootstrap: this is not Debian, so install what is missing yourself: ${row#*:}" err
done

bootstrap build
check "the project builds without the library" exits 0
check "... whose file is not there" absent pc/fuse3.pc
bootstrap test
check "bootstrap test installs it and passes" exits 0
check "... and runs the test that needs it" ran 2
bootstrap test
check "a second bootstrap test passes" exits 0
check "... and does not configure again" sh -c '! grep -q "Build targets in project" err'
bootstrap test --suite guest
check "tests in guests run when they are asked for" ran 1
# The library has gone, and comes back without bootstrap.
rm pc/fuse3.pc
bootstrap build
printf 'Name: fuse3\nDescription: a library\nVersion: 3\n' >pc/fuse3.pc
bootstrap test
check "a library that another program installed is found, too" ran 2
finish
