#!/bin/sh
# Do meson.build, CHANGELOG.md, debian/ and bootstrap agree, as .ci/release and the packages need it? Their texts are compared.
. "$SOURCE/t/lib.sh"
cd "$SOURCE" || exit 1
version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)
section=$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)
check "meson.build has a version" test -n "$version"
check "fiord --version prints it" test "$("$FIORD" --version | cut -d ' ' -f 1,2)" = "fiord $version"
check "it is the newest of debian/changelog" test "$(head -n 1 debian/changelog | cut -d ' ' -f 1,2)" = "fiord ($version)"
check "CHANGELOG.md begins with it, or with what comes after it" test "$section" = Unreleased -o "${section% (*}" = "$version"
check "... and says something of it" sh -c "awk '/^## / { n++ } n == 1 && /^- /' CHANGELOG.md | grep -q ."
check "the maintainer signed each entry of debian/changelog" \
	test "$(sed -n 's/^ -- \(.*\)  .*/\1/p' debian/changelog | sort -u)" = "$(sed -n 's/^Maintainer: //p' debian/control)"

sed -n '/^build_packages="/,/"$/p' bootstrap | tr -d '"' | tr -s ' \t' '\n' | sed 's/.*=//' | sort >"$dir/bootstrap"
sed -n '/^Build-Depends:/,/^[^ ]*:.*[^,]$/p' debian/control | tr ', ' '\n\n' | sort >"$dir/control"
# debhelper-compat brings a compiler, and meson brings ninja.
for package in $(grep -vxE 'gcc|libc6-dev|ninja-build' "$dir/bootstrap"); do
	check "the packages are built with $package, as bootstrap builds" grep -qx "$package" "$dir/control"
done
for package in $(sed -n 's/^Package: //p' debian/control); do
	check "debian says what is in $package" test -s "debian/$package.install"
done
for list in debian/*.install; do
	package=${list#debian/}
	check "$list is of a package" grep -qx "Package: ${package%.install}" debian/control
done
finish
