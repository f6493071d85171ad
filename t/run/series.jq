# series.jq: true if the series of a json+ document add up to the figures of its jobs, for each direction and each bucket.
# $torn: a worker was killed within a batch, so minimum and maximum may be incomplete.
def merged: [.[] | to_entries[]] | group_by(.key) | map({(.[0].key): (map(.value) | add)}) | add // {};
def whole($jobs; $dir): {
	ios: ([$jobs[][$dir].total_ios] | add), bytes: ([$jobs[][$dir].io_bytes // 0] | add),
	bins: ([$jobs[][$dir] | (.clat_ns // .lat_ns).bins // {}] | merged),
	min: ([$jobs[][$dir] | (.clat_ns // .lat_ns) | select(.N > 0).min] | min),
	max: ([$jobs[][$dir] | (.clat_ns // .lat_ns) | select(.N > 0).max] | max)};
def series($s; $dir): $s[$dir] // {ios: [], bytes: [], lat_ns: [], lat_min: [], lat_max: []} | {
	ios: (.ios | add // 0), bytes: (.bytes | add // 0), bins: (.lat_ns | merged),
	min: ([.lat_min[] | select(. != null)] | min), max: ([.lat_max[] | select(. != null)] | max)};
def even($s): [$s.read, $s.write, $s.trim, $s.sync | select(. != null)[] | length] | all(. == $s.intervals);
. as $doc | [.fiord.series.groups[] | . as $s | [$doc.jobs[] | select(.groupid == $s.group)] as $jobs |
	even($s), (("read", "write", "trim", "sync") as $dir | [whole($jobs; $dir), series($s; $dir)] |
		if $torn then map(del(.min, .max)) else . end | .[0] == .[1])] |
	length > 0 and all
