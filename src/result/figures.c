#include "figures.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "result.h"

#define ROW(of, from, name, unit, type, field, scale, needs)                     \
	{                                                                        \
		name, of, unit, type, offsetof(struct from, field), scale, needs \
	}
#define EXPAND(...)           ROW(__VA_ARGS__)
#define LAT(name, ...)        EXPAND(FIGURE_LAT, summary_lat, name, __VA_ARGS__)
#define DIR(name, ...)        EXPAND(FIGURE_DIR, summary_dir, name, __VA_ARGS__)
#define SYNC(name, ...)       EXPAND(FIGURE_SYNC, summary, name, __VA_ARGS__)
#define JOB(name, ...)        EXPAND(FIGURE_JOB, result_job, name, __VA_ARGS__)
#define DISK(name, ...)       EXPAND(FIGURE_DISK, result_disk, name, __VA_ARGS__)
#define RUN(name, ...)        EXPAND(FIGURE_RUN, result, name, __VA_ARGS__)
#define STEP(name, ...)       EXPAND(FIGURE_STEP, result_rate_step, name, __VA_ARGS__)
#define STEP_DIR(name, ...)   EXPAND(FIGURE_STEP_DIR, result_step_dir, name, __VA_ARGS__)
#define STEP_LAT(name, ...)   EXPAND(FIGURE_STEP_LAT, step_lat_figures, name, __VA_ARGS__)
#define FILE_DIR(name, ...)   EXPAND(FIGURE_FILE, file_dir, name, __VA_ARGS__)
#define DEPTH_STEP(name, ...) EXPAND(FIGURE_DEPTH_STEP, result_depth_step, name, __VA_ARGS__)
#define LOST(name, ...)       EXPAND(FIGURE_LOST, result_lost_io, name, __VA_ARGS__)
#define DAMAGE(name, ...)     EXPAND(FIGURE_DAMAGE, result_damage, name, __VA_ARGS__)
#define INTERVAL(name, ...)   EXPAND(FIGURE_INTERVAL, figure_interval, name, __VA_ARGS__)
#define HOST(name, ...)       EXPAND(FIGURE_HOST, result_host, name, __VA_ARGS__)
#define WAVE(name, ...)       EXPAND(FIGURE_WAVE, result_host_wave, name, __VA_ARGS__)
#define SAMPLE(name, ...)     EXPAND(FIGURE_SAMPLE, figure_sample, name, __VA_ARGS__)

/* The unit, the type, the field and the scale of usual values. */
#define COUNT(f)   LIMIT_COUNT, FIGURE_U64, f, 1
#define NUMBER(f)  LIMIT_COUNT, FIGURE_DOUBLE, f, 1
#define PERCENT(f) LIMIT_PERCENT, FIGURE_DOUBLE, f, 1
#define KIB_S(f)   LIMIT_BW, FIGURE_DOUBLE, f, 1024
#define RATE(f)    LIMIT_RATE, FIGURE_DOUBLE, f, 1

/* The shares of I/Os by depth, by size of calls and by latency. */
#define DEPTHS(n, f)                                                                          \
	JOB(n ".4", PERCENT(f[1]), NEEDS_IO), JOB(n ".8", PERCENT(f[2]), NEEDS_IO),           \
		JOB(n ".16", PERCENT(f[3]), NEEDS_IO), JOB(n ".32", PERCENT(f[4]), NEEDS_IO), \
		JOB(n ".64", PERCENT(f[5]), NEEDS_IO), JOB(n ".>=64", PERCENT(f[6]), NEEDS_IO)
#define CELLS(n, f)                                                                             \
	JOB(n ".2", PERCENT(f[0]), NEEDS_IO), JOB(n ".4", PERCENT(f[1]), NEEDS_IO),             \
		JOB(n ".10", PERCENT(f[2]), NEEDS_IO), JOB(n ".20", PERCENT(f[3]), NEEDS_IO),   \
		JOB(n ".50", PERCENT(f[4]), NEEDS_IO), JOB(n ".100", PERCENT(f[5]), NEEDS_IO),  \
		JOB(n ".250", PERCENT(f[6]), NEEDS_IO), JOB(n ".500", PERCENT(f[7]), NEEDS_IO), \
		JOB(n ".750", PERCENT(f[8]), NEEDS_IO), JOB(n ".1000", PERCENT(f[9]), NEEDS_IO)
#define DISK_COUNTS(prefix, c, x)                                                                  \
	DISK(prefix "read_ios", COUNT(c.ios[0]), x), DISK(prefix "write_ios", COUNT(c.ios[1]), x), \
		DISK(prefix "read_sectors", COUNT(c.sectors[0]), x),                               \
		DISK(prefix "write_sectors", COUNT(c.sectors[1]), x),                              \
		DISK(prefix "read_merges", COUNT(c.merges[0]), x),                                 \
		DISK(prefix "read_ticks", LIMIT_TIME, FIGURE_U64, c.ticks_ms[0], 1e6, x),          \
		DISK(prefix "write_ticks", LIMIT_TIME, FIGURE_U64, c.ticks_ms[1], 1e6, x),         \
		DISK(prefix "in_queue", LIMIT_TIME, FIGURE_U64, c.in_queue_ms, 1e6, x),            \
		DISK(prefix "util", PERCENT(c.util), x)

/* clang-format off */
const struct figure figures[] = {
	LAT("min", LIMIT_TIME, FIGURE_U64, min, 1, NEEDS_IO),
	LAT("max", LIMIT_TIME, FIGURE_U64, max, 1, NEEDS_IO),
	LAT("mean", LIMIT_TIME, FIGURE_DOUBLE, mean, 1, NEEDS_IO),
	LAT("stddev", LIMIT_TIME, FIGURE_DOUBLE, stddev, 1, NEEDS_IO),
	LAT("N", COUNT(n), NEEDS_NOTHING),

	DIR("io_bytes", LIMIT_BYTES, FIGURE_U64, bytes, 1, NEEDS_NOTHING),
	DIR("io_kbytes", LIMIT_BYTES, FIGURE_U64, bytes, 1, NEEDS_NOTHING),
	DIR("bw", LIMIT_BW, FIGURE_U64, bw_bytes, 1, NEEDS_IO),
	DIR("bw_bytes", LIMIT_BW, FIGURE_U64, bw_bytes, 1, NEEDS_IO),
	DIR("iops", RATE(iops), NEEDS_IO),
	DIR("exact.iops", RATE(exact_iops), NEEDS_IO),
	DIR("exact.bw_bytes", LIMIT_BW, FIGURE_DOUBLE, exact_bw_bytes, 1, NEEDS_IO),
	DIR("runtime", LIMIT_TIME, FIGURE_U64, runtime_ms, 1e6, NEEDS_IO),
	DIR("total_ios", COUNT(ios), NEEDS_NOTHING),
	DIR("ios", COUNT(ios), NEEDS_NOTHING),
	DIR("short_ios", COUNT(short_ios), NEEDS_NOTHING),
	DIR("short", COUNT(short_ios), NEEDS_NOTHING),
	DIR("drop_ios", COUNT(drop_ios), NEEDS_NOTHING),
	DIR("dropped", COUNT(drop_ios), NEEDS_NOTHING),
	DIR("errors", COUNT(errors), NEEDS_NOTHING),
	DIR("bw_min", KIB_S(bw_row.min), NEEDS_BW_SAMPLE),
	DIR("bw_max", KIB_S(bw_row.max), NEEDS_BW_SAMPLE),
	DIR("bw_agg", PERCENT(bw_share), NEEDS_BW_SAMPLE),
	DIR("bw_mean", KIB_S(bw_row.mean), NEEDS_BW_SAMPLE),
	DIR("bw_dev", KIB_S(bw_row.stddev), NEEDS_BW_SAMPLE),
	DIR("bw_samples", COUNT(bw_row.n), NEEDS_NOTHING),
	DIR("iops_min", RATE(iops_row.min), NEEDS_IOPS_SAMPLE),
	DIR("iops_max", RATE(iops_row.max), NEEDS_IOPS_SAMPLE),
	DIR("iops_mean", RATE(iops_row.mean), NEEDS_IOPS_SAMPLE),
	DIR("iops_stddev", RATE(iops_row.stddev), NEEDS_IOPS_SAMPLE),
	DIR("iops_samples", COUNT(iops_row.n), NEEDS_NOTHING),
	DIR("unissued", COUNT(unissued), NEEDS_RATE),
	DIR("in_flight_at_end", COUNT(in_flight_at_end), NEEDS_RATE),
	DIR("unissued_age_ns", LIMIT_TIME, FIGURE_U64, unissued_age_ns, 1, NEEDS_RATE),
	DIR("asked.ios", COUNT(asked_ios), NEEDS_RATE),
	DIR("asked.time_ns", LIMIT_TIME, FIGURE_U64, asked_ns, 1, NEEDS_RATE),
	DIR("asked.iops", RATE(asked_iops), NEEDS_RATE),
	DIR("arrivals", COUNT(arrivals), NEEDS_RATE_OPEN),
	DIR("queue.max", COUNT(queue_max), NEEDS_RATE_OPEN),
	DIR("queue.mean", NUMBER(queue_mean), NEEDS_RATE_OPEN),

	SYNC("total_ios", COUNT(sync_ios), NEEDS_NOTHING),
	SYNC("ios", COUNT(sync_ios), NEEDS_NOTHING),
	SYNC("errors", COUNT(sync_errors), NEEDS_NOTHING),

	JOB("error", LIMIT_COUNT, FIGURE_INT, error, 1, NEEDS_NOTHING),
	JOB("errors", COUNT(sum.errors), NEEDS_NOTHING),
	JOB("total_err", COUNT(sum.errors), NEEDS_NOTHING),
	JOB("first_error", LIMIT_COUNT, FIGURE_INT, sum.first_error, 1, NEEDS_NOTHING),
	JOB("lost_ios", COUNT(lost_ios_total), NEEDS_NOTHING),
	JOB("elapsed", LIMIT_TIME, FIGURE_U64, elapsed_s, 1e9, NEEDS_NOTHING),
	JOB("job_runtime", LIMIT_TIME, FIGURE_U64, sum.job_runtime_ms, 1e6, NEEDS_TIME),
	JOB("usr_cpu", PERCENT(sum.usr_cpu), NEEDS_TIME),
	JOB("sys_cpu", PERCENT(sum.sys_cpu), NEEDS_TIME),
	JOB("ctx", COUNT(sum.ctx), NEEDS_TIME),
	JOB("majf", COUNT(sum.majf), NEEDS_TIME),
	JOB("minf", COUNT(sum.minf), NEEDS_TIME),
	JOB("self.user_ns_per_io", LIMIT_TIME, FIGURE_DOUBLE, sum.self.user_ns, 1, NEEDS_CPU),
	JOB("self.sys_ns_per_io", LIMIT_TIME, FIGURE_DOUBLE, sum.self.sys_ns, 1, NEEDS_CPU),
	JOB("self.core_percent", PERCENT(sum.self.core), NEEDS_CPU),
	JOB("self.waited_percent", PERCENT(sum.self.core_wait), NEEDS_CPU),
	JOB("self.preempted", COUNT(sum.self.preempted), NEEDS_CPU),
	JOB("iodepth_level.1", PERCENT(sum.depth[0]), NEEDS_IO),
	JOB("iodepth_level.2", PERCENT(sum.depth[1]), NEEDS_IO),
	JOB("iodepth_level.4", PERCENT(sum.depth[2]), NEEDS_IO),
	JOB("iodepth_level.8", PERCENT(sum.depth[3]), NEEDS_IO),
	JOB("iodepth_level.16", PERCENT(sum.depth[4]), NEEDS_IO),
	JOB("iodepth_level.32", PERCENT(sum.depth[5]), NEEDS_IO),
	JOB("iodepth_level.>=64", PERCENT(sum.depth[6]), NEEDS_IO),
	JOB("iodepth_submit.0", PERCENT(sum.submit[0]), NEEDS_IO),
	DEPTHS("iodepth_submit", sum.submit),
	JOB("iodepth_complete.0", PERCENT(sum.complete[0]), NEEDS_IO),
	DEPTHS("iodepth_complete", sum.complete),
	CELLS("latency_ns", sum.lat_ns),
	CELLS("latency_us", sum.lat_us),
	CELLS("latency_ms", sum.lat_ms),
	JOB("latency_ms.2000", PERCENT(sum.lat_ms[10]), NEEDS_IO),
	JOB("latency_ms.>=2000", PERCENT(sum.lat_ms[11]), NEEDS_IO),
	JOB("rate_sleeps", COUNT(rate_sleeps), NEEDS_NOTHING),
	JOB("log_waits", COUNT(log.waits), NEEDS_LOG),
	JOB("log_waited_ns", LIMIT_TIME, FIGURE_U64, log.waited_ns, 1, NEEDS_LOG),
	JOB("zone_resets", COUNT(zone_resets), NEEDS_ZONES),
	JOB("verify.checked", COUNT(verify.checked), NEEDS_VERIFY),
	JOB("verify.in_part", COUNT(verify.in_part), NEEDS_VERIFY),
	JOB("verify.not_checked", COUNT(verify.not_checked), NEEDS_VERIFY),
	JOB("verify.damaged", COUNT(verify.damaged), NEEDS_VERIFY),
	JOB("verify.unlisted", COUNT(verify.unlisted), NEEDS_VERIFY),
	JOB("verify.memory_bytes", LIMIT_BYTES, FIGURE_U64, verify.memory_bytes, 1, NEEDS_VERIFY),
	JOB("steadystate.attained", LIMIT_COUNT, FIGURE_BOOL, steady.attained, 1, NEEDS_STEADY),
	JOB("steadystate.attained_ns", LIMIT_TIME, FIGURE_U64, steady.attained_ns, 1, NEEDS_ATTAINED),
	JOB("steadystate.ios", COUNT(steady.ios), NEEDS_STEADY),
	JOB("steadystate.bytes", LIMIT_BYTES, FIGURE_U64, steady.bytes, 1, NEEDS_STEADY),
	JOB("steadystate.max_deviation", NUMBER(steady.max_deviation), NEEDS_STEADY_WINDOW),
	JOB("steadystate.slope", NUMBER(steady.slope), NEEDS_STEADY_WINDOW),
	JOB("steadystate.range_percent", PERCENT(steady.range_percent), NEEDS_STEADY_WINDOW),
	JOB("steadystate.rise_percent", PERCENT(steady.rise_percent), NEEDS_STEADY_WINDOW),
	JOB("steadystate.data.bw_mean", LIMIT_BW, FIGURE_U64, steady.bw_mean, 1, NEEDS_STEADY_WINDOW),
	JOB("steadystate.data.iops_mean", LIMIT_RATE, FIGURE_U64, steady.iops_mean, 1, NEEDS_STEADY_WINDOW),
	JOB("steadystate.data.lat_mean", LIMIT_TIME, FIGURE_U64, steady.lat_mean, 1, NEEDS_STEADY_LAT),
	JOB("latency_depth", LIMIT_COUNT, FIGURE_UNSIGNED, latency_target.depth, 1, NEEDS_TARGET),
	JOB("latency_target.found", LIMIT_COUNT, FIGURE_BOOL, latency_target.found, 1, NEEDS_TARGET),
	JOB("latency_target.answer.clone", LIMIT_COUNT, FIGURE_UNSIGNED, latency_target.answer.clone, 1, NEEDS_ANSWER),
	JOB("latency_target.answer.depth", LIMIT_COUNT, FIGURE_UNSIGNED, latency_target.answer.depth, 1, NEEDS_ANSWER),
	JOB("latency_target.answer.met", LIMIT_COUNT, FIGURE_BOOL, latency_target.answer.met, 1, NEEDS_ANSWER),
	JOB("latency_target.answer.ios", COUNT(latency_target.answer.ios), NEEDS_ANSWER),
	JOB("latency_target.answer.within", COUNT(latency_target.answer.within), NEEDS_ANSWER),
	JOB("latency_target.answer.ns", LIMIT_TIME, FIGURE_U64, latency_target.answer.ns, 1, NEEDS_ANSWER),
	JOB("latency_target.answer.lat_ns", LIMIT_TIME, FIGURE_U64, latency_target.answer.lat_ns, 1, NEEDS_ANSWER),
	JOB("latency_target.answer.iops", LIMIT_RATE, FIGURE_DOUBLE, latency_target.answer_iops, 1, NEEDS_ANSWER),

	DISK_COUNTS("", counts, NEEDS_NOTHING),
	DISK("write_merges", COUNT(counts.merges[1]), NEEDS_NOTHING),
	DISK_COUNTS("aggr_", aggr, NEEDS_MEMBERS),
	DISK("aggr_write_merge", COUNT(aggr.merges[1]), NEEDS_MEMBERS),

	RUN("cpu_idleness.system", PERCENT(idle.system), NEEDS_IDLE_PROF),
	RUN("cpu_idleness.unit_mean", LIMIT_TIME, FIGURE_DOUBLE, idle.unit_mean_us, 1e3, NEEDS_IDLE_PROF),
	RUN("cpu_idleness.unit_stddev", LIMIT_TIME, FIGURE_DOUBLE, idle.unit_stddev_us, 1e3, NEEDS_IDLE_PROF),
	RUN("fiord.clock.drift_ppm", NUMBER(clock.drift_ppm), NEEDS_NOTHING),
	RUN("fiord.self.wall_ns", LIMIT_TIME, FIGURE_U64, self.wall_ns, 1, NEEDS_NOTHING),
	RUN("fiord.self.user_us", LIMIT_TIME, FIGURE_U64, self.user_us, 1e3, NEEDS_NOTHING),
	RUN("fiord.self.sys_us", LIMIT_TIME, FIGURE_U64, self.sys_us, 1e3, NEEDS_NOTHING),
	RUN("fiord.self.children_user_us", LIMIT_TIME, FIGURE_U64, self.children_user_us, 1e3, NEEDS_NOTHING),
	RUN("fiord.self.children_sys_us", LIMIT_TIME, FIGURE_U64, self.children_sys_us, 1e3, NEEDS_NOTHING),
	RUN("fiord.self.region_bytes", LIMIT_BYTES, FIGURE_U64, self.region_bytes, 1, NEEDS_NOTHING),
	RUN("fiord.self.max_rss_bytes", LIMIT_BYTES, FIGURE_U64, self.max_rss_bytes, 1, NEEDS_NOTHING),

	STEP("start_ns", LIMIT_TIME, FIGURE_U64, start_ns, 1, NEEDS_NOTHING),
	STEP("length_ns", LIMIT_TIME, FIGURE_U64, length_ns, 1, NEEDS_NOTHING),
	STEP_DIR("rate", COUNT(rate), NEEDS_NOTHING),
	STEP_DIR("iops", RATE(iops), NEEDS_NOTHING),
	STEP_DIR("bw", LIMIT_BW, FIGURE_U64, bw_bytes, 1, NEEDS_NOTHING),
	STEP_DIR("bw_bytes", LIMIT_BW, FIGURE_U64, bw_bytes, 1, NEEDS_NOTHING),
	STEP_DIR("total_ios", COUNT(ios), NEEDS_NOTHING),
	STEP_DIR("ios", COUNT(ios), NEEDS_NOTHING),
	STEP_DIR("io_bytes", LIMIT_BYTES, FIGURE_U64, bytes, 1, NEEDS_NOTHING),
	STEP_DIR("late_ios", COUNT(late_ios), NEEDS_NOTHING),
	STEP_DIR("unfinished", COUNT(unfinished), NEEDS_NOTHING),
	STEP_DIR("done_ios", COUNT(done_ios), NEEDS_NOTHING),
	STEP_DIR("done_bytes", LIMIT_BYTES, FIGURE_U64, done_bytes, 1, NEEDS_NOTHING),
	STEP_LAT("min", LIMIT_TIME, FIGURE_U64, min, 1, NEEDS_IO),
	STEP_LAT("max", LIMIT_TIME, FIGURE_U64, max, 1, NEEDS_IO),
	STEP_LAT("mean", LIMIT_TIME, FIGURE_DOUBLE, mean, 1, NEEDS_IO),
	STEP_LAT("sum", LIMIT_TIME, FIGURE_U64, sum, 1, NEEDS_IO),
	STEP_LAT("N", COUNT(n), NEEDS_IO),
	STEP_LAT("p50", LIMIT_TIME, FIGURE_U64, percentile[STEP_P50], 1, NEEDS_STEP_BINS),
	STEP_LAT("p99", LIMIT_TIME, FIGURE_U64, percentile[STEP_P99], 1, NEEDS_STEP_BINS),

	FILE_DIR("total_ios", COUNT(ios), NEEDS_NOTHING),
	FILE_DIR("ios", COUNT(ios), NEEDS_NOTHING),
	FILE_DIR("io_bytes", LIMIT_BYTES, FIGURE_U64, bytes, 1, NEEDS_DATA),
	FILE_DIR("short_ios", COUNT(short_ios), NEEDS_DATA),
	FILE_DIR("short", COUNT(short_ios), NEEDS_DATA),
	FILE_DIR("errors", COUNT(errors), NEEDS_NOTHING),

	DEPTH_STEP("clone", LIMIT_COUNT, FIGURE_UNSIGNED, clone, 1, NEEDS_TARGET),
	DEPTH_STEP("depth", LIMIT_COUNT, FIGURE_UNSIGNED, depth, 1, NEEDS_TARGET),
	DEPTH_STEP("met", LIMIT_COUNT, FIGURE_BOOL, met, 1, NEEDS_TARGET),
	DEPTH_STEP("ios", COUNT(ios), NEEDS_TARGET),
	DEPTH_STEP("within", COUNT(within), NEEDS_TARGET),
	DEPTH_STEP("ns", LIMIT_TIME, FIGURE_U64, ns, 1, NEEDS_TARGET),
	DEPTH_STEP("lat_ns", LIMIT_TIME, FIGURE_U64, lat_ns, 1, NEEDS_TARGET),

	SAMPLE("steadystate.data.iops", LIMIT_RATE, FIGURE_U64, iops, 1, NEEDS_STEADY_WINDOW),
	SAMPLE("steadystate.data.bw", LIMIT_BW, FIGURE_U64, bw, 1, NEEDS_STEADY_WINDOW),
	SAMPLE("steadystate.data.lat_ns", LIMIT_TIME, FIGURE_U64, lat_ns, 1, NEEDS_STEADY_LAT),

	EXPAND(FIGURE_CPU, result_cpu, "cpu_idleness.cpu", PERCENT(idle), NEEDS_IDLE_CPUS),
	LOST("age_ns", LIMIT_TIME, FIGURE_U64, age_ns, 1, NEEDS_NOTHING),
	LOST("offset", LIMIT_BYTES, FIGURE_U64, offset, 1, NEEDS_NOTHING),
	LOST("length", LIMIT_BYTES, FIGURE_U64, length, 1, NEEDS_NOTHING),
	DAMAGE("offset", LIMIT_BYTES, FIGURE_U64, offset, 1, NEEDS_VERIFY),
	DAMAGE("length", LIMIT_BYTES, FIGURE_U64, length, 1, NEEDS_VERIFY),
	DAMAGE("blocks", COUNT(blocks), NEEDS_VERIFY),

	INTERVAL("ios", COUNT(ios), NEEDS_NOTHING),
	INTERVAL("bytes", LIMIT_BYTES, FIGURE_U64, bytes, 1, NEEDS_NOTHING),
	INTERVAL("errors", COUNT(errors), NEEDS_NOTHING),
	INTERVAL("lat_min", LIMIT_TIME, FIGURE_U64, lat.min, 1, NEEDS_IO),
	INTERVAL("lat_mean", LIMIT_TIME, FIGURE_DOUBLE, lat.mean, 1, NEEDS_IO),
	INTERVAL("lat_max", LIMIT_TIME, FIGURE_U64, lat.max, 1, NEEDS_IO),
	INTERVAL("resp_min", LIMIT_TIME, FIGURE_U64, resp.min, 1, NEEDS_RATE),
	INTERVAL("resp_mean", LIMIT_TIME, FIGURE_DOUBLE, resp.mean, 1, NEEDS_RATE),
	INTERVAL("resp_max", LIMIT_TIME, FIGURE_U64, resp.max, 1, NEEDS_RATE),

	HOST("start_late_ns", LIMIT_TIME, FIGURE_U64, start_late_ns, 1, NEEDS_LATENESS),
	HOST("done_ns", LIMIT_TIME, FIGURE_U64, done_ns, 1, NEEDS_WAVES),
	HOST("total_ios", COUNT(ios), NEEDS_WAVES),
	HOST("io_bytes", LIMIT_BYTES, FIGURE_U64, bytes, 1, NEEDS_WAVES),
	HOST("exit", LIMIT_COUNT, FIGURE_INT, code, 1, NEEDS_NOTHING),
	HOST("straggler.took_ns", LIMIT_TIME, FIGURE_U64, straggler_value, 1, NEEDS_LATE_HOST),
	HOST("straggler.median_took_ns", LIMIT_TIME, FIGURE_U64, straggler_median, 1, NEEDS_LATE_HOST),
	HOST("straggler.bw_bytes", LIMIT_BW, FIGURE_U64, straggler_value, 1, NEEDS_SLOW_HOST),
	HOST("straggler.median_bw_bytes", LIMIT_BW, FIGURE_U64, straggler_median, 1, NEEDS_SLOW_HOST),
	WAVE("start_ns", LIMIT_TIME, FIGURE_U64, start_ns, 1, NEEDS_NOTHING),
	WAVE("start_late_ns", LIMIT_TIME, FIGURE_U64, start_late_ns, 1, NEEDS_LATENESS),
	WAVE("took_ns", LIMIT_TIME, FIGURE_U64, took_ns, 1, NEEDS_NOTHING),
	{ NULL },
};
/* clang-format on */

const char *const figure_part_name[] = { "a job", "disk_util", "the run", "fiord.hosts",
					 "fiord.series.groups" };

const struct figure figure_percentile = { "percentile", FIGURE_LAT, LIMIT_TIME, FIGURE_PERCENTILE, 0, 1,
					  NEEDS_IO };

#define OF(what) (1u << FIGURE_##what)

enum figure_part figure_part(const struct figure *figure)
{
	switch (figure->of) {
	case FIGURE_DISK:
		return PART_DISK;
	case FIGURE_RUN:
	case FIGURE_CPU:
		return PART_RUN;
	case FIGURE_HOST:
	case FIGURE_WAVE:
		return PART_HOST;
	case FIGURE_INTERVAL:
		return PART_GROUP;
	default:
		return PART_JOB;
	}
}

bool figure_has_dir(const struct figure *figure)
{
	const unsigned of =
		OF(LAT) | OF(DIR) | OF(SYNC) | OF(STEP_DIR) | OF(STEP_LAT) | OF(FILE) | OF(INTERVAL);

	return of & 1u << figure->of;
}

bool figure_has_kind(const struct figure *figure)
{
	return figure->of == FIGURE_LAT || figure->of == FIGURE_STEP_LAT;
}

/* Returns the number that a reader of the document gets: it has six decimals. */
static double as_document(double v)
{
	char text[512];

	snprintf(text, sizeof(text), "%.6f", v);
	return strtod(text, NULL);
}

double figure_value(const struct figure *figure, const void *from)
{
	const void *at = (const char *)from + figure->offset;

	switch (figure->type) {
	case FIGURE_U64:
		return (double)*(const uint64_t *)at * figure->scale;
	case FIGURE_UNSIGNED:
		return *(const unsigned *)at * figure->scale;
	case FIGURE_INT:
		return *(const int *)at * figure->scale;
	case FIGURE_BOOL:
		return *(const bool *)at;
	case FIGURE_DOUBLE:
		return as_document(*(const double *)at) * figure->scale;
	case FIGURE_PERCENTILE:
		break;
	}
	return 0;
}

const struct figure *figure_find(const char *name, const char *end, unsigned of, const char **at)
{
	const struct figure *best = NULL;
	size_t most = 0;

	for (const struct figure *f = figures; f->name; f++) {
		size_t len = strlen(f->name);

		if (!(of & 1u << f->of) || len <= most || (size_t)(end - name) < len ||
		    strncmp(end - len, f->name, len) || (end - len > name && end[-(ptrdiff_t)len - 1] != '.'))
			continue;
		best = f;
		most = len;
	}
	*at = end - most;
	return best;
}
