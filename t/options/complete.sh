#!/bin/sh
# Does each supported option have a row in a table of t/options, and is each row about an existing option?
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
# These options support only their default values, so no job differs with them.
only_default="lockfile zonemode"
# This option needs the state that another run saved: t/run/verify_crash.sh.
other_run="verify_policy"
# These options need an NVMe namespace or a SCSI disk: t/guest/nvme_passthrough.sh, nvme_protection.sh, nvme_metadata.sh,
# nvme_attributes.sh, nvme_ranges.sh, placement.sh and scsi_passthrough.sh.
passthrough="apptag apptag_mask cmd_type dataplacement deac dp_scheme fdp md_per_io_size num_range pi_act pi_chk pi_chk_by plid_select plids readfua sg_write_mode write_mode writefua"
# These options have an effect with several ranks: t/unit/test_plan_ranks.c, t/mpi/refusals.sh.
several_ranks="rank_offset_increment"

# states: prints the names and states of options from the help.
states() {
	sed -nE 's/^ *status: /status /; s/^ *([a-z][a-z0-9_-]*): .*/name \1/; /^(name|status) /p' |
		sed -E '/^name (type|default|range|alias|values|refused|unit)$/d'
}
supported() {
	awk '$1 == "name" { name = $2 } $0 == "status supported" { print name }'
}

cat "$SOURCE"/t/options/*.tsv | sed -n 's/^\([a-z][^#	]*\)	.*/\1/p' | sort -u >rows
for option in $("$FIORD" --cmdhelp=all | sed -nE 's/^([a-z][a-z0-9_-]*) *: .*/\1/p'); do
	"$FIORD" --cmdhelp="$option"
done >help
for engine in $("$FIORD" --enghelp | sed -n 's/^[[:space:]]\([a-z0-9_]*\) .*/\1/p'); do
	"$FIORD" --enghelp="$engine" | sed 1d
done >>help
states <help >list
supported <list | sort -u >options
flags() {
	"$FIORD" help flags | sed -nE 's/^([a-z][a-z-]*) *:.*/\1/p'
}
{
	sed -n 's/^name //p' list
	flags
} | sort -u >names
check "the help lists options" test "$(wc -l <options)" -gt 80
check "... and those of engines" grep -q '^sqthread_poll$' options
for name in $only_default $other_run $passthrough $several_ranks; do
	echo "$name"
done | sort | cat rows - | sort -u >tested
comm -23 options tested >missing
check "each option has a row: $(tr '\n' ' ' <missing)" empty missing
comm -13 names rows >strange
check "each row is about an existing option: $(tr '\n' ' ' <strange)" empty strange
finish
