#include "counts.h"

/* clang-format off */
#define ROW(type, field) { #field, offsetof(struct type, field), false }
#define MAX(type, field) { #field, offsetof(struct type, field), true }

const struct count_key counts_of_job[] = {
	ROW(wcount, job_runtime_ns),
	ROW(wcount, verify_ns),
	ROW(wcount, verify_trim_ns),
	ROW(wcount, due_waits_engine),
	ROW(wcount, due_waits_idle),
	ROW(wcount, rate_sleeps),
	ROW(wcount, zone_resets),
	ROW(wcount, zone_finishes),
	MAX(wcount, zones_open_max),
	ROW(wcount, replayed),
	ROW(wcount, replayed_late),
	MAX(wcount, late_max_ns),
	ROW(wcount, late_sum_ns),
	ROW(wcount, replayed_flushes),
	ROW(wcount, replayed_fua),
	ROW(wcount, user_us),
	ROW(wcount, sys_us),
	ROW(wcount, ctx),
	ROW(wcount, majf),
	ROW(wcount, minf),
	ROW(wcount, divided_us),
	ROW(wcount, core_wait_ns),
	ROW(wcount, preempted),
	ROW(wcount, storage_read_bytes),
	ROW(wcount, cpu_ios),
	ROW(wcount, user_instructions),
	ROW(wcount, kernel_instructions),
	ROW(wcount, user_cycles),
	ROW(wcount, kernel_cycles),
	ROW(wcount, counted_ios),
	ROW(wcount, errors),
	ROW(wcount, first_error),
	{ 0 },
};

const struct count_key counts_by_dir[] = {
	MAX(wcount, runtime_ns),
	ROW(wcount, unissued),
	MAX(wcount, unissued_age_ns),
	ROW(wcount, unissued_sum_ns),
	ROW(wcount, asked),
	MAX(wcount, asked_ns),
	ROW(wcount, arrivals),
	MAX(wcount, queue_max),
	{ 0 },
};
/* clang-format on */

const struct count_key counts_of_dir[] = {
	ROW(wstat_dir, ios),
	ROW(wstat_dir, bytes),
	ROW(wstat_dir, short_ios),
	ROW(wstat_dir, drop_ios),
	ROW(wstat_dir, errors),
	ROW(wstat_dir, unfinished),
	ROW(wstat_dir, unfinished_sum_ns),
	{ 0 },
};

const struct count_key counts_of_lat[] = {
	ROW(moments, n), ROW(moments, min), ROW(moments, max), ROW(moments, sum), { 0 },
};

const char *const counts_dir_name[DIR_COUNT] = { "read", "write", "trim", "sync" };
const char *const counts_kind_name[LAT_KINDS] = { "slat", "clat", "lat", "resp" };
