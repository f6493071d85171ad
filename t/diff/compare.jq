# compare.jq: prints the differences between $fio and $fiord, two JSON documents of one job, one per line.
# $how is the row's column HOW: counts, mix, sizes or keys.

def directions: "read", "write", "trim";

# The numbers in a distribution depend on the run, and only fio 3.42 has the second list.
def is_echo: .[0] == "global options" or (.[0] == "jobs" and .[2] == "job options");
def is_newer: . as $path | any(
	["fiord"], ["jobs", 0, "fiord"], ["jobs", 0, "job_start"], ["jobs", 0, "latency_target_ns"],
	["jobs", 0, "latency_window_us"], ["jobs", 0, "read", "prios", 0, "priohint"],
	["jobs", 0, "write", "prios", 0, "priohint"], ["disk_util", 0, "read_sectors"], ["disk_util", 0, "write_sectors"];
	. as $known | ($path[:($known | length)] | map(if type == "number" then 0 else . end)) == $known);

def spelled: map(tostring) | join("/");
def type_at($path): try (getpath($path) | type) catch "null";

def keys_differ:
	($fio | paths | select(is_echo | not)) as $p
	| ($fio | type_at($p)) as $theirs | ($fiord | type_at($p)) as $ours
	| select($theirs != $ours) | "\($p | spelled): fio has \($theirs), fiord \($ours)";

def keys_added:
	($fiord | paths | select((is_echo or is_newer) | not)) as $p
	| select(($fio | type_at($p)) == "null") | "\($p | spelled): not a key of fio";

# fio 3.33 leaves out options without a value.
def with_values: (. // {}) | with_entries(select(.value != ""));
def echo_differs($what; $theirs; $ours):
	($theirs | with_values) as $t | ($ours | with_values) as $o
	| select($t != $o) | "\($what): fio \($t | tojson), fiord \($o | tojson)";

def same($what; $theirs; $ours):
	select($theirs != $ours) | "\($what): fio \($theirs | tojson), fiord \($ours | tojson)";

def near($what; $theirs; $ours; $sigma):
	select(($theirs - $ours | fabs) > 4 * $sigma)
	| "\($what): fio \($theirs), fiord \($ours), more than 4 sigma (\($sigma)) apart";

def total($key): [.[directions][$key]] | add;

# Two draws of n I/Os differ by at most sqrt(2) times the deviation of one draw.
def sigma_mix($n; $k): (2 * $n * ($k / $n) * (1 - $k / $n)) | sqrt;

def counts_differ($where; $t; $o):
	if $how == "counts" then
		directions as $d | ("total_ios", "io_bytes") as $key
		| same("\($where)/\($d)/\($key)"; $t[$d][$key]; $o[$d][$key])
	elif $how == "mix" then
		(("total_ios", "io_bytes") as $key
			| same("\($where)/all/\($key)"; $t | total($key); $o | total($key))),
		(directions as $d
			| near("\($where)/\($d)/total_ios"; $t[$d].total_ios; $o[$d].total_ios;
				sigma_mix($t | total("total_ios"); $t[$d].total_ios)))
	elif $how == "sizes" then
		directions as $d
		| same("\($where)/\($d)/io_bytes"; $t[$d].io_bytes; $o[$d].io_bytes),
		  near("\($where)/\($d)/total_ios"; $t[$d].total_ios; $o[$d].total_ios;
			2 * $t[$d].total_ios | sqrt)
	else empty end;

# fio 3.33 counts an fdatasync in sync/lat_ns/N but not in sync/total_ios, and at depth counts fsyncs several times.
def syncs_differ($where; $t; $o):
	select($how != "keys" and $how != "text" and $t.latency_depth == 1)
	| same("\($where)/sync/lat_ns/N"; $t.sync.lat_ns.N; $o.sync.lat_ns.N),
	  same("\($where)/sync/total_ios"; $t.sync.lat_ns.N; $o.sync.total_ios);

def jobs_differ:
	same("number of jobs"; $fio.jobs | length; $fiord.jobs | length),
	(range([$fio.jobs, $fiord.jobs | length] | min) as $i
	| $fio.jobs[$i] as $t | $fiord.jobs[$i] as $o | "jobs/\($i)" as $where
	| (("jobname", "groupid", "error", "desc", "latency_depth") as $key
		| same("\($where)/\($key)"; $t[$key]; $o[$key])),
	  echo_differs("\($where)/job options"; $t["job options"]; $o["job options"]),
	  counts_differ($where; $t; $o),
	  syncs_differ($where; $t; $o));

echo_differs("global options"; $fio["global options"]; $fiord["global options"]),
jobs_differ, keys_differ, keys_added
