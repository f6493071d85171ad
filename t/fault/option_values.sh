#!/bin/sh
# Does any value of any option, however long or large, or any included file do harm? Each is accepted or refused with one line.
. "$SOURCE/t/lib.sh"
requires timeout
cd "$dir" || exit 1
threads=
long=$(head -c 100000 /dev/zero | tr '\0' 9)
colons=$(head -c 60000 /dev/zero | tr '\0' :)
parens=$(head -c 60000 /dev/zero | tr '\0' '(')
wrong=0
tried=0

# ends OPTION...: the program ends with a documented exit code, and prints one line unless the code is 0.
ends() {
	timeout 20 "$FIORD" "$@" >out 2>err </dev/null
	rc=$?
	tried=$((tried + 1))
	case $rc in
	0) return ;;
	1 | 2 | 3) [ ! -s err ] || [ "$(wc -l <err)" != 1 ] || return ;;
	esac
	wrong=$((wrong + 1))
	printf '%s ' "$@" | cut -c 1-200
	echo "code $rc, $(wc -l <err) lines: $(head -c 300 err)"
}

for name in $(cat "$SOURCE/t/unit/fio-option-names.txt"); do
	for value in 18446744073709551615 "$long"; do
		ends check --name=x --size=64k "--$name=$value"
	done
	[ "${FAULT_ALL:-false}" = true ] || continue
	for value in '' 0 -1 18446744073709551616 4294967296 1e308 nan '%s%n' '(1/0)' "$colons" "$parens" \
		"$(printf '\377\001\t')"; do
		ends check --name=x --size=64k "--$name=$value"
	done
done
check "$tried values end with an exit code and a line" same "$wrong" 0

hostile() { # LABEL LINE: an included file is refused
	printf '%s\n' "$2" >hostile.ini
	ends check hostile.ini
	check "include: $1 is refused" test "$rc" = 2
}
wrong=0
mkfifo fifo
mkdir folder
printf 'include loop.inc\n' >loop.inc
printf 'size=1k\0rw=write\n' >nul.inc
hostile "/dev/zero" "include /dev/zero"
hostile "itself" "include hostile.ini"
hostile "a circle" "include loop.inc"
hostile "a folder" "include folder"
hostile "nothing" "include missing"
hostile "a pipe that nobody writes" "include fifo"
hostile "a NUL" "include nul.inc"
head -c 3000000 /dev/urandom >random.inc
hostile "random bytes" "include random.inc"
hostile "a very long name" "include $long"
printf '[x]\nsize=64k\nbuffer_pattern=%s\n' "'/dev/zero'" >pattern.ini
ends check pattern.ini
printf '[x]\nsize=64k\nrw=write\nbuffer_pattern=%s\n' "'fifo'" >pattern.ini
ends check pattern.ini
check "pattern files end with an exit code and a line" same "$wrong" 0
finish
