#!/bin/sh
# Does fiord dist print the curve of a distribution? Expected shares are sums of k^-theta that awk adds up, or follow from
# the definition: 80/20 of pareto:0.2, zones, 68.27 % within one deviation.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

# share INDEX DISTRIBUTION ...: prints the share of a row of "hottest", with four figures.
share() {
	row=$1
	shift
	run dist "$@" --format=json
	jq -r ".hottest[$row].share * 10000 | round" out
}

zipf_share() { # THETA HOTTEST BLOCKS
	awk -v t="$1" -v k="$2" -v n="$3" 'BEGIN { for (i = 1; i <= n; i++) { s += i ^ -t; if (i == k) top = s } printf "%.0f\n", top / s * 10000 }'
}

for theta in 0.6 1 1.2; do
	check "zipf:$theta, the hottest 1 %" same "$(share 1 zipf:$theta --size=400m)" "$(zipf_share $theta 1024 102400)"
	check "zipf:$theta, the hottest half" same "$(share 5 zipf:$theta --size=400m)" "$(zipf_share $theta 51200 102400)"
done
check "pareto:0.2 is 80/20" same "$(share 4 pareto:0.2 --size=1t)" 8000
check "normal: the hottest 20 % are those within one deviation of 10 %" same "$(share 4 normal:10 --size=1t)" 6827
check "zones" same "$(share 3 zoned:20/80:80/20 --size=1t)" 4000
check "a zone smaller than a block: the block in which it begins gets its accesses" same "$(share 4 zoned:50/1:50/99 --size=256k)" 6016
check "the only block gets all accesses" same "$(share 5 zoned:50/1:50/99 --size=4k)" 10000
check "zones up to the size" same "$(share 5 zoned_abs:80/512k:20/512k --size=1m)" 8000
check "random" same "$(share 3 random --size=1t)" 1000

run dist zipf:1.2 --size=1t --format=json
check "the cache has the share of the hits" test "$(jq '[.cache[] | .share * 100 >= .hits_percent and .share * 100 < .hits_percent + 1] | all' out)" = true
check "the curve rises to 1" test "$(jq '[.curve[].share] | . == sort and .[-1] == 1' out)" = true
check "dist exits 0" exits 0
check "nothing is on stderr" same "$(cat err)" ""
run dist zipf:1.2 --size=8 --bs=4
check "a range of two blocks has a text, too" exits 0
run dist zipf:1.2 --size=1t --bs=1m
check "the text has a plot" grep -q '^  100 % |' out
check "... and names the blocks" grep -q '^zipf:1.2: 1048576 blocks of 1m, 1 TiB$' out

refused() { # WORDS OPTION...
	words=$1
	shift
	run dist "$@"
	check "refused: dist $*" exits 2
	check "... because: $words" grep -q -- "$words" err
}
refused "has no curve" sequence:1,2 --size=1t
refused "theta above 0" zipf:-1 --size=1t
refused "needs a distribution and a size" zipf:1.2
refused "needs a distribution and a size" --size=1t
refused "not a size" zipf:1.2 --size=x
refused "must hold at least one block (--bs)" zipf:1.2 --size=4
refused "the choices are text, json" zipf:1.2 --size=1t --format=xml
refused "and zipf:1.2 is already given" zipf:1.2 zipf:1.3 --size=1t
refused "its zones need 2147483648 bytes, and --size has 1048576" zoned_abs:50/1g:50/1g --size=1m
refused "above 0.000001" normal:0.0000000000000000000001:1 --size=1g
refused "no such option" zipf:1.2 --sizes=1t
finish
