/* figure_rows.c: the tables of figures.h. Data only. */
#include "figures.h"
#include "result.h"
#include "spans.h"

/* Above each table stands STRUCT, the struct that its members are in. */
#define TYPE(field) \
	_Generic(((STRUCT *)0)->field, uint64_t: FIGURE_U64, double: FIGURE_DOUBLE, unsigned: FIGURE_UNSIGNED, \
		 int: FIGURE_INT, bool: FIGURE_BOOL, const char *: FIGURE_TEXT, \
		 struct result_bins: FIGURE_BINS)
/* clang-format off */
/* The enum figure_of of its rows. */
#define OF _Generic((STRUCT *)0, \
	struct summary_lat *: FIGURE_LAT, struct summary_dir *: FIGURE_DIR, \
	struct summary *: FIGURE_SYNC, struct result_depth_step *: FIGURE_DEPTH_STEP, \
	struct result_lost_io *: FIGURE_LOST, struct result_split *: FIGURE_SPLIT, \
	struct result_split_other *: FIGURE_OTHER, struct result_damage *: FIGURE_DAMAGE, \
	struct result_job *: FIGURE_JOB, struct result_disk *: FIGURE_DISK, \
	struct result *: FIGURE_RUN, struct result_cpu *: FIGURE_CPU, \
	struct result_rate_step *: FIGURE_STEP, struct result_step_dir *: FIGURE_STEP_DIR, \
	struct step_lat_figures *: FIGURE_STEP_LAT, struct file_dir *: FIGURE_FILE, \
	struct figure_sample *: FIGURE_SAMPLE, struct figure_interval *: FIGURE_INTERVAL, \
	struct result_host_wave *: FIGURE_WAVE, struct result_host *: FIGURE_HOST)
/* clang-format on */
#define MEMBER(field)                                                 \
	{                                                             \
		offsetof(STRUCT, field), sizeof(((STRUCT *)0)->field) \
	}

/* Each row: key, field, what a run needs to have the figure, and then any of these. */
#define IF(field)   .only_if = MEMBER(field)
#define WITH(field) .only_if = MEMBER(field), .sets = true
#define MOST(n)     .most = (n)
#define SIGNED      .is_signed = true
#define WITH_BINS   .with_bins = true
#define DERIVED     .derived = true

#define ROW(key, unit, field, scale, ...)                                               \
	{                                                                               \
		key, OF, unit, TYPE(field), offsetof(STRUCT, field), scale, __VA_ARGS__ \
	}
#define COUNT(key, field, ...)   ROW(key, LIMIT_COUNT, field, 1, __VA_ARGS__)
#define PERCENT(key, field, ...) ROW(key, LIMIT_PERCENT, field, 1, __VA_ARGS__)
#define RATE(key, field, ...)    ROW(key, LIMIT_RATE, field, 1, __VA_ARGS__)
#define BW(key, field, ...)      ROW(key, LIMIT_BW, field, 1, __VA_ARGS__)
#define KIB_S(key, field, ...)   ROW(key, LIMIT_BW, field, 1024, __VA_ARGS__)
#define BYTES(key, field, ...)   ROW(key, LIMIT_BYTES, field, 1, __VA_ARGS__)
#define NS(key, field, ...)      ROW(key, LIMIT_TIME, field, 1, __VA_ARGS__)
#define US(key, field, ...)      ROW(key, LIMIT_TIME, field, 1e3, __VA_ARGS__)
#define MS(key, field, ...)      ROW(key, LIMIT_TIME, field, 1e6, __VA_ARGS__)
#define SECONDS(key, field, ...) ROW(key, LIMIT_TIME, field, 1e9, __VA_ARGS__)
/* Members of the document that are no figures. */
#define FACT(key, field, ...)                                                                          \
	{                                                                                              \
		key, FIGURE_FACT, LIMIT_COUNT, TYPE(field), offsetof(STRUCT, field), 1, NEEDS_NOTHING, \
			__VA_ARGS__                                                                    \
	}
#define LIST(key, array, length, of_entry, ...)                                                          \
	{                                                                                                \
		key, FIGURE_FACT, LIMIT_COUNT, FIGURE_LIST, offsetof(STRUCT, array), 1, NEEDS_NOTHING,   \
			.list = { of_entry, sizeof(*((STRUCT *)0)->array), MEMBER(length) }, __VA_ARGS__ \
	}
#define COLUMN(key, array, length, shares, ...)                                                              \
	{                                                                                                    \
		key, FIGURE_FACT, LIMIT_COUNT, FIGURE_COLUMN, offsetof(STRUCT, array), 1, NEEDS_NOTHING,     \
			.list = { NULL, sizeof(*((STRUCT *)0)->array), MEMBER(length), shares }, __VA_ARGS__ \
	}
#define ALWAYS .form = FORM_PLAIN
#define END          \
	{            \
		NULL \
	}

/* Keeps sums over directions and documents below 2^64. */
#define STEP_MOST ((uint64_t)1 << 52)
/* Limits a start and a duration, so that their sum cannot wrap. */
#define TIME_MOST ((uint64_t)1 << 62)

#define DEVICES_MOST 4096 /* levels below a target */

/* clang-format off */

/* ---- struct summary_lat ---- */
#define STRUCT struct summary_lat
const struct figure figures_lat[] = {
	NS("min", min, NEEDS_IO),
	NS("max", max, NEEDS_IO),
	NS("mean", mean, NEEDS_IO),
	NS("stddev", stddev, NEEDS_IO),
	COUNT("N", n, NEEDS_NOTHING),
	END
};
#undef STRUCT

/* ---- struct summary_dir ---- */
#define STRUCT struct summary_dir
const struct figure figures_dir[] = {
	BYTES("io_bytes", bytes, NEEDS_NOTHING),
	BYTES("io_kbytes", bytes, NEEDS_NOTHING, .form = FORM_KIB, DERIVED),
	BW("bw_bytes", bw_bytes, NEEDS_IO),
	BW("bw", bw_bytes, NEEDS_IO, .form = FORM_KIB, DERIVED),
	RATE("iops", iops, NEEDS_IO),
	MS("runtime", runtime_ms, NEEDS_IO),
	COUNT("total_ios", ios, NEEDS_NOTHING),
	COUNT("short_ios", short_ios, NEEDS_NOTHING),
	COUNT("drop_ios", drop_ios, NEEDS_NOTHING),
	END
};
const struct figure figures_dir_rows[] = {
	KIB_S("bw_min", bw_row.min, NEEDS_BW_SAMPLE, .form = FORM_WHOLE),
	KIB_S("bw_max", bw_row.max, NEEDS_BW_SAMPLE, .form = FORM_WHOLE),
	PERCENT("bw_agg", bw_share, NEEDS_BW_SAMPLE),
	KIB_S("bw_mean", bw_row.mean, NEEDS_BW_SAMPLE),
	KIB_S("bw_dev", bw_row.stddev, NEEDS_BW_SAMPLE),
	COUNT("bw_samples", bw_row.n, NEEDS_NOTHING),
	RATE("iops_min", iops_row.min, NEEDS_IOPS_SAMPLE, .form = FORM_WHOLE),
	RATE("iops_max", iops_row.max, NEEDS_IOPS_SAMPLE, .form = FORM_WHOLE),
	RATE("iops_mean", iops_row.mean, NEEDS_IOPS_SAMPLE),
	RATE("iops_stddev", iops_row.stddev, NEEDS_IOPS_SAMPLE),
	COUNT("iops_samples", iops_row.n, NEEDS_NOTHING),
	END
};
/* Those under fio's keys are over the run time in ms. */
const struct figure figures_dir_exact[] = {
	RATE("exact.iops", exact_iops, NEEDS_IO),
	BW("exact.bw_bytes", exact_bw_bytes, NEEDS_IO),
	END
};
const struct figure figures_dir_rate[] = {
	COUNT("unissued", unissued, NEEDS_RATE),
	NS("unissued_age_ns", unissued_age_ns, NEEDS_RATE),
	COUNT("in_flight_at_end", in_flight_at_end, NEEDS_RATE),
	COUNT("asked.ios", asked_ios, NEEDS_RATE, IF(asked_ns)),
	NS("asked.time_ns", asked_ns, NEEDS_RATE, IF(asked_ns)),
	RATE("asked.iops", asked_iops, NEEDS_RATE, IF(asked_ns)),
	COUNT("arrivals", arrivals, NEEDS_RATE_OPEN, IF(arrivals)),
	COUNT("queue.max", queue_max, NEEDS_RATE_OPEN, IF(arrivals)),
	COUNT("queue.mean", queue_mean, NEEDS_RATE_OPEN, IF(arrivals)),
	END
};
static const struct figure other_names_dir[] = {
	COUNT("ios", ios, NEEDS_NOTHING),
	COUNT("short", short_ios, NEEDS_NOTHING),
	COUNT("dropped", drop_ios, NEEDS_NOTHING),
	COUNT("errors", errors, NEEDS_NOTHING),
	END
};
#undef STRUCT

#define STRUCT struct summary
static const struct figure figures_sync[] = {
	COUNT("total_ios", sync_ios, NEEDS_NOTHING),
	COUNT("ios", sync_ios, NEEDS_NOTHING),
	COUNT("errors", sync_errors, NEEDS_NOTHING),
	END
};
#undef STRUCT

/* ---- struct result_depth_step, struct result_lost_io, struct result_damage ---- */
#define STRUCT struct result_depth_step
static const struct figure figures_depth_step[] = {
	COUNT("clone", clone, NEEDS_TARGET),
	COUNT("depth", depth, NEEDS_TARGET),
	COUNT("met", met, NEEDS_TARGET),
	COUNT("ios", ios, NEEDS_TARGET),
	COUNT("within", within, NEEDS_TARGET),
	NS("ns", ns, NEEDS_TARGET),
	NS("lat_ns", lat_ns, NEEDS_TARGET, IF(lat_ns)),
	END
};
#undef STRUCT

#define STRUCT struct result_lost_io
static const struct figure figures_lost_io[] = {
	FACT("op", op, ALWAYS),
	FACT("file", file, ALWAYS),
	BYTES("offset", offset, NEEDS_NOTHING),
	BYTES("length", length, NEEDS_NOTHING),
	NS("age_ns", age_ns, NEEDS_NOTHING),
	FACT("pid", pid, ALWAYS),
	END
};
#undef STRUCT

#define STRUCT struct result_placed
static const struct figure figures_placed[] = {
	FACT("kind", kind, IF(kind)),
	FACT("plid", plid, ALWAYS),
	FACT("ios", ios, ALWAYS),
	FACT("bytes", bytes, ALWAYS),
	END
};
#undef STRUCT

#define STRUCT struct result_damage
static const struct figure figures_damage[] = {
	FACT("file", file, ALWAYS),
	BYTES("offset", offset, NEEDS_VERIFY),
	BYTES("length", length, NEEDS_VERIFY),
	COUNT("blocks", blocks, NEEDS_VERIFY),
	FACT("kind", kind, ALWAYS),
	FACT("expected", expected, IF(expected)),
	FACT("found", found, IF(expected)),
	END
};
#undef STRUCT

#define STRUCT struct result_split_interval
static const struct figure figures_split_interval[] = {
	FACT("bins", bins, IF(bins.n)),
	END
};
#undef STRUCT

#define STRUCT struct result_split
#define PERCENTILES(key, f, needs, ...)                                                               \
	NS(key ".p50", f.p50, needs, __VA_ARGS__), NS(key ".p90", f.p90, needs, __VA_ARGS__),         \
		NS(key ".p99", f.p99, needs, __VA_ARGS__), NS(key ".p99_9", f.p999, needs, __VA_ARGS__), \
		NS(key ".max", f.max, needs, __VA_ARGS__), COUNT(key ".N", f.n, needs, __VA_ARGS__)
#define BINS_OF(key, f) FACT(key ".bins", f.bins, IF(f.bins.n))
#define PART(key, f)                                                                            \
	NS(key ".mean", f.mean, NEEDS_SPLIT), PERCENTILES(key, f, NEEDS_SPLIT, ALWAYS), BINS_OF(key, f)
static const struct figure figures_split[] = {
	FACT("disk", disk, ALWAYS),
	FACT("direction", dir, ALWAYS),
	COUNT("requests", requests, NEEDS_SPLIT),
	COUNT("measured", measured, NEEDS_SPLIT),
	COUNT("helper_requests", helper_requests, NEEDS_SPLIT),
	COUNT("requests_per_io", requests_per_io, NEEDS_SPLIT),
	PART("submission", submission),
	PART("scheduler", scheduler),
	PART("device", device),
	FACT("device.start_ms", device_start_ms, IF(ndevice_intervals), WITH_BINS),
	FACT("device.interval_ms", device_interval_ms, IF(ndevice_intervals), WITH_BINS),
	LIST("device.intervals", device_intervals, ndevice_intervals, figures_split_interval, IF(ndevice_intervals), WITH_BINS),
	NS("completion.mean", completion.mean, NEEDS_SPLIT_ONE, WITH(completion_known)),
	PERCENTILES("completion", completion, NEEDS_SPLIT_ONE, IF(completion.n)),
	BINS_OF("completion", completion),
	PERCENT("device_percent", device_percent, NEEDS_SPLIT_ONE, IF(completion_known)),
	COUNT("tail.N", tail.n, NEEDS_SPLIT, IF(tail.n)),
	NS("tail.mean", tail.mean, NEEDS_SPLIT, IF(tail.n)),
	PERCENT("tail.submission_percent", tail.submission_percent, NEEDS_SPLIT, IF(tail.n)),
	PERCENT("tail.scheduler_percent", tail.scheduler_percent, NEEDS_SPLIT, IF(tail.n)),
	PERCENT("tail.device_percent", tail.device_percent, NEEDS_SPLIT, IF(tail.n)),
	PERCENT("tail.completion_percent", tail.completion_percent, NEEDS_SPLIT, WITH(tail.has_completion)),
	END
};
#undef STRUCT

#define STRUCT struct result_split_other
static const struct figure figures_other[] = {
	FACT("disk", disk, ALWAYS),
	FACT("name", name, ALWAYS),
	FACT("kernel", kernel, ALWAYS),
	COUNT("requests", requests, NEEDS_SPLIT),
	BYTES("bytes", bytes, NEEDS_SPLIT),
	PERCENT("percent", percent, NEEDS_SPLIT),
	END
};
#undef STRUCT

/* ---- struct result_job ---- */
#define STRUCT struct result_job

/* The shares of I/Os by depth, by size of calls and by latency. */
#define BATCHES(key, f)                                                                \
	PERCENT(key ".0", f[0], NEEDS_IO), PERCENT(key ".4", f[1], NEEDS_IO),          \
		PERCENT(key ".8", f[2], NEEDS_IO), PERCENT(key ".16", f[3], NEEDS_IO), \
		PERCENT(key ".32", f[4], NEEDS_IO), PERCENT(key ".64", f[5], NEEDS_IO), \
		PERCENT(key ".>=64", f[6], NEEDS_IO)
#define CELLS(key, f)                                                                     \
	PERCENT(key ".2", f[0], NEEDS_IO), PERCENT(key ".4", f[1], NEEDS_IO),             \
		PERCENT(key ".10", f[2], NEEDS_IO), PERCENT(key ".20", f[3], NEEDS_IO),   \
		PERCENT(key ".50", f[4], NEEDS_IO), PERCENT(key ".100", f[5], NEEDS_IO),  \
		PERCENT(key ".250", f[6], NEEDS_IO), PERCENT(key ".500", f[7], NEEDS_IO), \
		PERCENT(key ".750", f[8], NEEDS_IO), PERCENT(key ".1000", f[9], NEEDS_IO)
const struct figure figures_job[] = {
	MS("job_runtime", sum.job_runtime_ms, NEEDS_TIME),
	PERCENT("usr_cpu", sum.usr_cpu, NEEDS_TIME),
	PERCENT("sys_cpu", sum.sys_cpu, NEEDS_TIME),
	COUNT("ctx", sum.ctx, NEEDS_TIME),
	COUNT("majf", sum.majf, NEEDS_TIME),
	COUNT("minf", sum.minf, NEEDS_TIME),
	PERCENT("iodepth_level.1", sum.depth[0], NEEDS_IO),
	PERCENT("iodepth_level.2", sum.depth[1], NEEDS_IO),
	PERCENT("iodepth_level.4", sum.depth[2], NEEDS_IO),
	PERCENT("iodepth_level.8", sum.depth[3], NEEDS_IO),
	PERCENT("iodepth_level.16", sum.depth[4], NEEDS_IO),
	PERCENT("iodepth_level.32", sum.depth[5], NEEDS_IO),
	PERCENT("iodepth_level.>=64", sum.depth[6], NEEDS_IO),
	BATCHES("iodepth_submit", sum.submit),
	BATCHES("iodepth_complete", sum.complete),
	CELLS("latency_ns", sum.lat_ns),
	CELLS("latency_us", sum.lat_us),
	CELLS("latency_ms", sum.lat_ms),
	PERCENT("latency_ms.2000", sum.lat_ms[10], NEEDS_IO),
	PERCENT("latency_ms.>=2000", sum.lat_ms[11], NEEDS_IO),
	COUNT("total_err", sum.errors, NEEDS_NOTHING, WITH(continue_on_error)),
	COUNT("first_error", sum.first_error, NEEDS_NOTHING, IF(continue_on_error)),
	END
};
const struct figure figures_job_description[] = {
	FACT("desc", description, IF(description)),
	END
};
const struct figure figures_job_steady[] = {
	FACT("steadystate.ss", steady.ss, WITH(steady.on)),
	FACT("steadystate.duration", steady.duration_ns, IF(steady.on), .form = FORM_S),
	COUNT("steadystate.attained", steady.attained, NEEDS_STEADY, IF(steady.on), .form = FORM_BIT),
	FACT("steadystate.criterion", steady.criterion, IF(steady.on)),
	COUNT("steadystate.max_deviation", steady.max_deviation, NEEDS_STEADY_WINDOW, IF(steady.on), SIGNED),
	COUNT("steadystate.slope", steady.slope, NEEDS_STEADY_WINDOW, IF(steady.on), SIGNED),
	BW("steadystate.data.bw_mean", steady.bw_mean, NEEDS_STEADY_WINDOW, IF(steady.on)),
	RATE("steadystate.data.iops_mean", steady.iops_mean, NEEDS_STEADY_WINDOW, IF(steady.on)),
	NS("steadystate.data.lat_mean", steady.lat_mean, NEEDS_STEADY_LAT, IF(steady.lat)),
	COLUMN("steadystate.data.iops", steady.iops, steady.samples, false, IF(steady.on)),
	COLUMN("steadystate.data.bw", steady.bw, steady.samples, true, IF(steady.on)),
	COLUMN("steadystate.data.lat_ns", steady.lat, steady.samples, true, IF(steady.lat)),
	END
};
const struct figure figures_job_fiord[] = {
	FACT("members", members, ALWAYS),
	FACT("pid", pid, ALWAYS),
	FACT("rw", rw, IF(rw)),
	FACT("bs", bs, IF(bs)),
	FACT("ioengine", engine, IF(engine)),
	COUNT("errors", sum.errors, NEEDS_NOTHING),
	COUNT("log_waits", log.waits, NEEDS_LOG, WITH(log.on)),
	NS("log_waited_ns", log.waited_ns, NEEDS_LOG, IF(log.on)),
	COUNT("rate_sleeps", counts.cnt.rate_sleeps, NEEDS_NOTHING, IF(counts.cnt.rate_sleeps)),
	COUNT("replayed", sum.replayed, NEEDS_REPLAY, IF(sum.replayed)),
	COUNT("replayed_late", sum.replayed_late, NEEDS_REPLAY, IF(sum.replayed)),
	PERCENT("replayed_late_percent", sum.replayed_late_percent, NEEDS_REPLAY, IF(sum.replayed)),
	NS("lateness_ns.mean", sum.late.mean_ns, NEEDS_REPLAY, IF(sum.late.max_ns)),
	NS("lateness_ns.p50", sum.late.p50_ns, NEEDS_REPLAY, IF(sum.late.max_ns)),
	NS("lateness_ns.p99", sum.late.p99_ns, NEEDS_REPLAY, IF(sum.late.max_ns)),
	NS("lateness_ns.p99_9", sum.late.p999_ns, NEEDS_REPLAY, IF(sum.late.max_ns)),
	NS("lateness_ns.max", sum.late.max_ns, NEEDS_REPLAY, IF(sum.late.max_ns)),
	COUNT("replayed_flushes", sum.replayed_flushes, NEEDS_NOTHING, IF(sum.replayed_flushes)),
	COUNT("replayed_fua", sum.replayed_fua, NEEDS_NOTHING, IF(sum.replayed_fua)),
	END
};
const struct figure figures_job_lost[] = {
	FACT("error_text", error_text, IF(error)),
	FACT("lost", lost_reason, IF(lost_reason)),
	COUNT("lost_ios", lost_ios_total, NEEDS_NOTHING, IF(lost_ios_total)),
	END
};
const struct figure figures_job_lost_io[] = {
	LIST("lost_io", lost_ios, nlost_ios, figures_lost_io, IF(lost_ios_total)),
	END
};
const struct figure figures_job_blocks[] = {
	COUNT("verify.checked", verify.checked, NEEDS_VERIFY, WITH(verify.on)),
	COUNT("verify.in_part", verify.in_part, NEEDS_VERIFY, IF(verify.on)),
	COUNT("verify.not_checked", verify.not_checked, NEEDS_VERIFY, IF(verify.on)),
	COUNT("verify.damaged", verify.damaged, NEEDS_VERIFY, IF(verify.on)),
	END
};
const struct figure figures_job_verify[] = {
	FACT("verify.known_by", verify.known_by, IF(verify.on)),
	BYTES("verify.memory_bytes", verify.memory_bytes, NEEDS_VERIFY, IF(verify.on)),
	COUNT("verify.unlisted", verify.unlisted, NEEDS_VERIFY, IF(verify.on)),
	END
};
const struct figure figures_job_damage[] = {
	LIST("verify.damage", verify.damages, verify.ndamages, figures_damage, IF(verify.on)),
	END
};
const struct figure figures_job_steady_exact[] = {
	FACT("steadystate.duration_ns", steady.duration_ns, IF(steady.on)),
	FACT("steadystate.interval_ns", steady.interval_ns, IF(steady.on)),
	NS("steadystate.attained_ns", steady.attained_ns, NEEDS_ATTAINED, IF(steady.on)),
	COUNT("steadystate.ios", steady.ios, NEEDS_STEADY, IF(steady.on)),
	BYTES("steadystate.bytes", steady.bytes, NEEDS_STEADY, IF(steady.on)),
	PERCENT("steadystate.range_percent", steady.range_percent, NEEDS_STEADY_WINDOW, IF(steady.on)),
	PERCENT("steadystate.rise_percent", steady.rise_percent, NEEDS_STEADY_WINDOW, IF(steady.on), SIGNED),
	END
};
#define ANSWER(unit, key, field) \
	unit("latency_target.answer." key, latency_target.field, NEEDS_ANSWER, IF(latency_target.answer.ios))
const struct figure figures_job_target[] = {
	COUNT("latency_target.found", latency_target.found, NEEDS_TARGET, IF(latency_target.on)),
	FACT("latency_target.iodepth", latency_target.iodepth, IF(latency_target.on)),
	FACT("latency_target.left_out", latency_target.left_out, IF(latency_target.on)),
	LIST("latency_target.steps", latency_target.steps, latency_target.nsteps, figures_depth_step, IF(latency_target.on)),
	ANSWER(COUNT, "clone", answer.clone),
	ANSWER(COUNT, "depth", answer.depth),
	ANSWER(COUNT, "met", answer.met),
	ANSWER(COUNT, "ios", answer.ios),
	ANSWER(COUNT, "within", answer.within),
	ANSWER(NS, "ns", answer.ns),
	NS("latency_target.answer.lat_ns", latency_target.answer.lat_ns, NEEDS_ANSWER, IF(latency_target.answer.lat_ns)),
	ANSWER(RATE, "iops", answer_iops),
	END
};
const struct figure figures_job_split[] = {
	LIST("split", splits, nsplits, figures_split, IF(nsplits)),
	END
};
const struct figure figures_job_others[] = {
	LIST("split_others", split_others, nsplit_others, figures_other, IF(nsplits)),
	END
};
const struct figure figures_job_placement[] = {
	FACT("placement.kind", placement.kind, IF(placement.kind)),
	FACT("placement.unplaced_ios", placement.unplaced_ios, IF(placement.kind)),
	FACT("placement.unplaced_bytes", placement.unplaced_bytes, IF(placement.kind)),
	END
};
const struct figure figures_job_placed[] = {
	LIST("placement.ids", placement.ids, placement.nids, figures_placed, IF(placement.kind)),
	END
};
const struct figure figures_job_self[] = {
	NS("self.user_ns_per_io", sum.self.user_ns, NEEDS_CPU, WITH(sum.self.known)),
	NS("self.sys_ns_per_io", sum.self.sys_ns, NEEDS_CPU, IF(sum.self.known)),
	PERCENT("self.core_percent", sum.self.core, NEEDS_CPU, IF(sum.self.known)),
	PERCENT("self.waited_percent", sum.self.core_wait, NEEDS_CPU, IF(sum.self.known)),
	COUNT("self.preempted", sum.self.preempted, NEEDS_CPU, IF(sum.self.known)),
	BYTES("self.storage_read_bytes", sum.self.storage_read_bytes, NEEDS_CPU, IF(sum.self.known)),
	COUNT("self.user_instructions_per_io", sum.self.user_instructions, NEEDS_COUNTERS, WITH(sum.self.counted)),
	COUNT("self.kernel_instructions_per_io", sum.self.kernel_instructions, NEEDS_COUNTERS, IF(sum.self.counted)),
	COUNT("self.user_cycles_per_io", sum.self.user_cycles, NEEDS_COUNTERS, IF(sum.self.counted)),
	COUNT("self.kernel_cycles_per_io", sum.self.kernel_cycles, NEEDS_COUNTERS, IF(sum.self.counted)),
	COUNT("self.ios_per_submit", sum.per_submit, NEEDS_IO, IF(sum.per_submit)),
	COUNT("self.ios_per_reap", sum.per_reap, NEEDS_IO, IF(sum.per_reap)),
	COUNT("zones.finishes", counts.cnt.zone_finishes, NEEDS_ZONES, WITH(zoned)),
	COUNT("zones.open_max", counts.cnt.zones_open_max, NEEDS_ZONES, IF(zoned)),
	END
};
const struct figure figures_job_zones[] = {
	COUNT("zone_resets", counts.cnt.zone_resets, NEEDS_ZONES, WITH(zoned)),
	END
};
/* json_job.c writes these separately: documents of one host and of several have others of them. */
const struct figure figures_job_apart[] = {
	FACT("jobname", name, ALWAYS),
	FACT("hostname", hostname, IF(hostname)),
	FACT("port", port, ALWAYS),
	FACT("groupid", group, ALWAYS),
	FACT("job_start", start_ms, ALWAYS),
	COUNT("error", error, NEEDS_NOTHING),
	SECONDS("elapsed", elapsed_s, NEEDS_NOTHING),
	END
};
/* Without latency_target this key has another figure. */
static const struct figure figures_job_depth[] = {
	COUNT("latency_depth", latency_target.depth, NEEDS_TARGET),
	END
};
#undef STRUCT

/* ---- struct result_disk ---- */
#define STRUCT struct result_disk
#define DISK(prefix, c, needs, merge, ...)                                 \
	COUNT(prefix "read_ios", c.ios[0], needs, __VA_ARGS__),            \
	COUNT(prefix "write_ios", c.ios[1], needs, __VA_ARGS__),           \
	COUNT(prefix "read_sectors", c.sectors[0], needs, __VA_ARGS__),    \
	COUNT(prefix "write_sectors", c.sectors[1], needs, __VA_ARGS__),   \
	COUNT(prefix "read_merges", c.merges[0], needs, __VA_ARGS__),      \
	COUNT(prefix merge, c.merges[1], needs, __VA_ARGS__),              \
	MS(prefix "read_ticks", c.ticks_ms[0], needs, __VA_ARGS__),        \
	MS(prefix "write_ticks", c.ticks_ms[1], needs, __VA_ARGS__),       \
	MS(prefix "in_queue", c.in_queue_ms, needs, __VA_ARGS__),          \
	PERCENT(prefix "util", c.util, needs, __VA_ARGS__)
/* fio has no s at the end of "aggr_write_merge". */
const struct figure figures_disk[] = {
	FACT("name", name, ALWAYS),
	DISK("", counts, NEEDS_NOTHING, "write_merges", ALWAYS),
	DISK("aggr_", aggr, NEEDS_MEMBERS, "write_merge", IF(members)),
	END
};
#undef STRUCT

/* ---- the plan and the machine ---- */
#define STRUCT struct result_overwrite
static const struct figure figures_overwrite[] = {
	FACT("path", path, ALWAYS),
	FACT("job", job, ALWAYS),
	FACT("size_bytes", size_bytes, ALWAYS),
	FACT("modified", modified_s, ALWAYS),
	END
};
#undef STRUCT

#define STRUCT struct result_plan_space
static const struct figure figures_space[] = {
	FACT("path", path, ALWAYS),
	FACT("filesystem", fstype, ALWAYS),
	FACT("needed_bytes", need_bytes, ALWAYS),
	FACT("highest_bytes", peak_bytes, ALWAYS),
	FACT("free_bytes", free_bytes, ALWAYS),
	END
};
#undef STRUCT

#define STRUCT struct result_plan_job
static const struct figure figures_plan_job[] = {
	FACT("name", name, ALWAYS),
	FACT("group", group, ALWAYS),
	FACT("wave", wave, ALWAYS),
	FACT("stage", stage, ALWAYS),
	FACT("workers", workers, ALWAYS),
	FACT("threads", threads, ALWAYS),
	FACT("randseed", randseed, ALWAYS),
	FACT("randrepeat", repeat, ALWAYS),
	FACT("seed", seed, .form = FORM_HEX),
	FACT("verify.known_by", verify_known_by, IF(verify_known_by)),
	FACT("verify.memory_bytes", verify_memory_bytes, IF(verify_known_by)),
	END
};
#undef STRUCT

#define STRUCT struct result_env
const struct figure figures_machine[] = {
	FACT("host", host, ALWAYS),
	FACT("os", os, ALWAYS),
	FACT("kernel", kernel, ALWAYS),
	FACT("arch", arch, ALWAYS),
	FACT("cpu", cpu, ALWAYS),
	FACT("cpus", cpus, ALWAYS),
	FACT("memory_bytes", memory_bytes, ALWAYS),
	END
};
#undef STRUCT

#define STRUCT struct result_target
const struct figure figures_target[] = {
	FACT("path", path, ALWAYS),
	FACT("type", type, ALWAYS),
	FACT("count", files, ALWAYS),
	END
};
#undef STRUCT

#define STRUCT struct result_device
const struct figure figures_device[] = { FACT("level", level, MOST(DEVICES_MOST)), END };
#undef STRUCT

/* ---- struct result ---- */
#define STRUCT struct result
const struct figure figures_plan[] = {
	FACT("plan.sections", plan.sections, ALWAYS),
	FACT("plan.workers", plan.workers, ALWAYS),
	FACT("plan.processes", plan.processes, ALWAYS),
	FACT("plan.threads", plan.threads, ALWAYS),
	FACT("plan.groups", plan.groups, ALWAYS),
	FACT("plan.waves", plan.waves, ALWAYS),
	FACT("plan.seed", plan.seed, ALWAYS),
	FACT("plan.layout_bytes", plan.layout_bytes, ALWAYS),
	LIST("plan.overwrites", plan.overwrites, plan.noverwrites, figures_overwrite, ALWAYS),
	LIST("plan.space", plan.spaces, plan.nspaces, figures_space, ALWAYS),
	LIST("plan.jobs", plan.jobs, plan.njobs, figures_plan_job, ALWAYS),
	END
};
const struct figure figures_clock[] = {
	FACT("fiord.clock.source", clock.source, ALWAYS),
	COUNT("fiord.clock.drift_ppm", clock.drift_ppm, NEEDS_NOTHING, SIGNED),
	END
};
const struct figure figures_self[] = {
	NS("fiord.self.wall_ns", self.wall_ns, NEEDS_NOTHING),
	US("fiord.self.user_us", self.user_us, NEEDS_NOTHING),
	US("fiord.self.sys_us", self.sys_us, NEEDS_NOTHING),
	US("fiord.self.children_user_us", self.children_user_us, NEEDS_NOTHING),
	US("fiord.self.children_sys_us", self.children_sys_us, NEEDS_NOTHING),
	BYTES("fiord.self.region_bytes", self.region_bytes, NEEDS_NOTHING),
	BYTES("fiord.self.max_rss_bytes", self.max_rss_bytes, NEEDS_NOTHING),
	END
};
/* json.c and read_document.c write and read these separately, because the CPUs stand between them. */
static const struct figure figures_idle[] = {
	PERCENT("cpu_idleness.system", idle.system, NEEDS_IDLE_PROF),
	US("cpu_idleness.unit_mean", idle.unit_mean_us, NEEDS_IDLE_PROF),
	US("cpu_idleness.unit_stddev", idle.unit_stddev_us, NEEDS_IDLE_PROF),
	END
};
#undef STRUCT

#define STRUCT struct result_cpu
static const struct figure figures_cpu[] = { PERCENT("cpu_idleness.cpu", idle, NEEDS_IDLE_CPUS), END };
#undef STRUCT

/* ---- rate_steps ---- */
#define STRUCT struct result_rate_step
const struct figure figures_step[] = {
	NS("start_ns", start_ns, NEEDS_NOTHING),
	NS("length_ns", length_ns, NEEDS_NOTHING),
	END
};
#undef STRUCT

#define STRUCT struct result_step_dir
const struct figure figures_step_dir[] = {
	COUNT("rate", rate, NEEDS_NOTHING),
	RATE("iops", iops, NEEDS_NOTHING),
	BW("bw_bytes", bw_bytes, NEEDS_NOTHING),
	COUNT("total_ios", ios, NEEDS_NOTHING, MOST(STEP_MOST)),
	BYTES("io_bytes", bytes, NEEDS_NOTHING),
	COUNT("late_ios", late_ios, NEEDS_NOTHING, MOST(STEP_MOST)),
	COUNT("unfinished", unfinished, NEEDS_NOTHING, MOST(STEP_MOST)),
	COUNT("done_ios", done_ios, NEEDS_NOTHING, MOST(STEP_MOST)),
	BYTES("done_bytes", done_bytes, NEEDS_NOTHING),
	END
};
static const struct figure other_names_step_dir[] = {
	BW("bw", bw_bytes, NEEDS_NOTHING),
	COUNT("ios", ios, NEEDS_NOTHING),
	END
};
#undef STRUCT

#define STRUCT struct step_lat_figures
const struct figure figures_step_lat[] = {
	NS("min", min, NEEDS_IO),
	NS("max", max, NEEDS_IO),
	NS("mean", mean, NEEDS_IO),
	NS("sum", sum, NEEDS_IO),
	COUNT("N", n, NEEDS_IO, MOST(STEP_MOST)),
	END
};
static const struct figure figures_step_percentiles[] = {
	NS("p50", percentile[STEP_P50], NEEDS_STEP_BINS),
	NS("p99", percentile[STEP_P99], NEEDS_STEP_BINS),
	END
};
#undef STRUCT

/* ---- files, samples of steadystate, intervals ---- */
#define STRUCT struct file_dir
static const struct figure figures_file[] = {
	COUNT("total_ios", ios, NEEDS_NOTHING),
	COUNT("ios", ios, NEEDS_NOTHING),
	BYTES("io_bytes", bytes, NEEDS_DATA),
	COUNT("short_ios", short_ios, NEEDS_DATA),
	COUNT("short", short_ios, NEEDS_DATA),
	COUNT("errors", errors, NEEDS_NOTHING),
	END
};
#undef STRUCT

#define STRUCT struct figure_sample
static const struct figure figures_sample[] = {
	RATE("steadystate.data.iops", iops, NEEDS_STEADY_WINDOW),
	BW("steadystate.data.bw", bw, NEEDS_STEADY_WINDOW),
	NS("steadystate.data.lat_ns", lat_ns, NEEDS_STEADY_LAT),
	END
};
#undef STRUCT

#define STRUCT struct figure_interval
static const struct figure figures_interval[] = {
	COUNT("ios", ios, NEEDS_NOTHING),
	BYTES("bytes", bytes, NEEDS_NOTHING),
	COUNT("errors", errors, NEEDS_NOTHING),
	NS("lat_min", lat.min, NEEDS_IO),
	NS("lat_mean", lat.mean, NEEDS_IO),
	NS("lat_max", lat.max, NEEDS_IO),
	NS("resp_min", resp.min, NEEDS_RATE),
	NS("resp_mean", resp.mean, NEEDS_RATE),
	NS("resp_max", resp.max, NEEDS_RATE),
	END
};
#undef STRUCT

/* ---- hosts ---- */
#define STRUCT struct result_host_wave
const struct figure figures_wave[] = {
	FACT("wave", wave, ALWAYS),
	NS("start_ns", start_ns, NEEDS_NOTHING, MOST(TIME_MOST)),
	NS("start_late_ns", start_late_ns, NEEDS_LATENESS, MOST(TIME_MOST), WITH(late_known)),
	NS("took_ns", took_ns, NEEDS_NOTHING, MOST(TIME_MOST)),
	END
};
#undef STRUCT

#define STRUCT struct result_host
const struct figure figures_host[] = {
	FACT("hostname", hostname, ALWAYS),
	FACT("rank", rank, ALWAYS),
	FACT("program", program, ALWAYS),
	NS("start_late_ns", start_late_ns, NEEDS_LATENESS, IF(late_known), DERIVED),
	NS("done_ns", done_ns, NEEDS_WAVES, IF(waves), DERIVED),
	COUNT("total_ios", ios, NEEDS_WAVES, IF(waves)),
	BYTES("io_bytes", bytes, NEEDS_WAVES, IF(waves)),
	COUNT("exit", code, NEEDS_NOTHING),
	FACT("error", error, IF(error)),
	END
};
const struct figure figures_host_waves[] = {
	LIST("waves", waves, nwaves, figures_wave, ALWAYS),
	END
};
/* json.c writes these separately. */
static const struct figure figures_straggler[] = {
	NS("straggler.took_ns", straggler_value, NEEDS_LATE_HOST),
	NS("straggler.median_took_ns", straggler_median, NEEDS_LATE_HOST),
	BW("straggler.bw_bytes", straggler_value, NEEDS_SLOW_HOST),
	BW("straggler.median_bw_bytes", straggler_median, NEEDS_SLOW_HOST),
	END
};
#undef STRUCT

/* ---- spans ---- */
#define TEXT(field)         FACT("", field, ALWAYS)
#define ENTRIES(array, n, of_entry) LIST("", array, n, of_entry, ALWAYS)
#define PLAIN(array, n)     COLUMN("", array, n, false, ALWAYS)
#define BINS(lat)           PLAIN(lat.bins.ns, lat.bins.n), PLAIN(lat.bins.count, lat.bins.n)
#define LATS(lat)           BINS(lat[SPAN_READ]), BINS(lat[SPAN_WRITE]), BINS(lat[SPAN_TOTAL])
#define FLOWS(flow)         BINS(flow[SPAN_READ].lat), BINS(flow[SPAN_WRITE].lat), BINS(flow[SPAN_TOTAL].lat)

#define STRUCT struct span_cache
static const struct figure figures_span_cache[] = { TEXT(type), PLAIN(cpus.v, cpus.n), END };
#undef STRUCT
#define STRUCT struct span_node
static const struct figure figures_span_node[] = { PLAIN(cpus.v, cpus.n), END };
#undef STRUCT
#define STRUCT struct span_row
static const struct figure figures_span_row[] = { TEXT(path), FLOWS(flow), PLAIN(buckets, nbuckets), END };
#undef STRUCT
#define STRUCT struct span_thread
static const struct figure figures_span_thread[] = { ENTRIES(rows, nrows, figures_span_row), END };
#undef STRUCT
#define STRUCT struct span_dist
static const struct figure figures_span_dist[] = { TEXT(path), PLAIN(threads, nthreads), PLAIN(ranges, nranges), END };
#undef STRUCT
#define STRUCT struct span_target
static const struct figure figures_span_target[] = { TEXT(path), LATS(lat), END };
#undef STRUCT
#define STRUCT struct span_event
static const struct figure figures_span_event[] = { TEXT(group), TEXT(name), TEXT(source), END };
#undef STRUCT
#define STRUCT struct span_write_through
static const struct figure figures_span_write_through[] = { TEXT(path), TEXT(method), END };
#undef STRUCT

#define STRUCT struct result_span
const struct figure figures_span[] = {
	TEXT(error),
	TEXT(affinity_warning),
	PLAIN(cpus, ncpus),
	PLAIN(affinity.v, affinity.n),
	ENTRIES(dists, ndists, figures_span_dist),
	ENTRIES(threads, nthreads, figures_span_thread),
	ENTRIES(targets, ntargets, figures_span_target),
	FLOWS(flow),
	PLAIN(buckets, nbuckets),
	ENTRIES(events, nevents, figures_span_event),
	ENTRIES(write_throughs, nwrite_throughs, figures_span_write_through),
	END
};
#undef STRUCT

#define STRUCT struct result_spans
const struct figure figures_spans[] = {
	TEXT(command),
	TEXT(system.computer),
	TEXT(system.processor),
	TEXT(system.power_scheme),
	TEXT(system.power_id),
	TEXT(system.libata_fua),
	PLAIN(system.groups, system.ngroups),
	PLAIN(system.cores, system.ncores),
	ENTRIES(system.nodes, system.nnodes, figures_span_node),
	ENTRIES(system.sockets, system.nsockets, figures_span_node),
	ENTRIES(system.caches, system.ncaches, figures_span_cache),
	END
};
const struct figure figures_spans_list[] = { PLAIN(spans, nspans), END };
#undef STRUCT

const struct figure *const figure_tables[] = {
	figures_lat, figures_dir, other_names_dir, figures_dir_rows, figures_dir_exact, figures_dir_rate, figures_sync,
	figures_job_apart, figures_job_depth, figures_job, figures_job_steady, figures_job_zones, figures_job_fiord,
	figures_job_lost, figures_job_blocks, figures_job_verify, figures_job_steady_exact, figures_job_target, figures_job_self, figures_disk,
	figures_idle, figures_clock, figures_self, figures_step, figures_step_dir, other_names_step_dir, figures_step_lat,
	figures_step_percentiles, figures_file, figures_depth_step, figures_sample, figures_cpu, figures_lost_io,
	figures_split, figures_split_interval, figures_other,
	figures_damage, figures_interval, figures_host, figures_straggler, figures_wave,
	/* Without figures: */
	figures_job_description, figures_job_lost_io, figures_job_damage, figures_job_placement, figures_job_placed, figures_placed,
	figures_job_split, figures_job_others, figures_host_waves, figures_overwrite, figures_space,
	figures_plan_job, figures_plan, figures_machine, figures_target, figures_device, NULL,
};
