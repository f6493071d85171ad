/* resolve_logs.c: the rules for the options of logs. */
#include "rules.h"

#include <string.h>

static bool has_log(const struct log_cfg *l)
{
	return l->bw || l->iops || l->lat || l->hist;
}

/* Notes options of logs in a job without a log. */
static void note_no_log(struct rule_ctx *r)
{
	static const char *const details[] = { "log_avg_msec",  "log_entries",        "log_offset",
					       "log_prio",      "log_issue_time",     "log_alternate_epoch",
					       "log_hist_msec", "log_window_value",   "log_store_compressed",
					       "per_job_logs",  "log_hist_coarseness" };

	for (unsigned i = 0; i < sizeof(details) / sizeof(*details); i++)
		if (rule_section_option(r, details[i]))
			rule_note(r, details[i], "has no effect without a log, such as {write_lat_log}");
}

/* Notes options that have no effect on the kinds of log that the job writes. */
static void note_details(struct rule_ctx *r)
{
	const struct log_cfg *l = &r->o->log;
	bool lines = l->bw || l->iops || l->lat;

	if (!l->hist &&
	    (rule_section_option(r, "log_hist_msec") || rule_section_option(r, "log_hist_coarseness")))
		rule_note(r,
			  rule_section_option(r, "log_hist_msec") ? "log_hist_msec" : "log_hist_coarseness",
			  "has no effect without {write_hist_log}");
	if (rule_section_option(r, "log_window_value") && lines && !l->avg_ms)
		rule_note(r, "log_window_value",
			  "has no effect without {log_avg_msec}: each I/O has its own line");
	if (rule_section_option(r, "log_compression") && !l->store_compressed)
		rule_note(r, "log_compression",
			  "has no effect without {log_store_compressed}: logs are written during the run and "
			  "take no memory that could be compressed");
	if (rule_section_option(r, "log_alternate_epoch_clock_id") && !l->epoch)
		rule_note(r, "log_alternate_epoch_clock_id", "has no effect without {log_alternate_epoch}");
}

static void note_unmeasured(struct rule_ctx *r)
{
	const struct report_cfg *c = &r->o->report;
	const struct log_cfg *l = &r->o->log;
	const char *by = c->gtod_reduce ? "gtod_reduce" : "disable_clat";

	if (l->lat && c->no_slat && c->no_clat && c->no_lat)
		rule_note(r, "write_lat_log", "writes nothing: latencies are not measured ({%s})", by);
	if (l->hist && c->no_clat)
		rule_note(r, "write_hist_log", "stays empty: completion latencies are not measured ({%s})",
			  by);
}

/* Traces can be read from standard input, and written to files only. */
static int refuse_standard_output(struct rule_ctx *r)
{
	const struct {
		const char *path, *name;
	} files[] = { { r->o->log.iolog, "write_iolog" },
		      { r->o->replay.merge_file, "merge_blktrace_file" } };

	for (unsigned i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (files[i].path && !strcmp(files[i].path, "-"))
			return rule_refuse(
				r, files[i].name,
				"cannot be standard output; name a file (./- is the file of that name)");
	return 0;
}

int rule_logs(struct rule_ctx *r)
{
	const struct log_cfg *l = &r->o->log;
	int ret = refuse_standard_output(r);

	if (ret)
		return ret;
	/* 2, 3: CPU time of a process or thread; 10 does not exist. */
	if (l->epoch_clock == 2 || l->epoch_clock == 3 || l->epoch_clock == 10)
		return rule_refuse(
			r, "log_alternate_epoch_clock_id",
			"not a clock that always runs; use 0 (time of day), 1 (monotonic), 4 (monotonic, "
			"raw), 5, 6 (0 and 1, coarse), 7 to 9 or 11");
	if (!has_log(l)) {
		note_no_log(r);
		return 0;
	}
	note_details(r);
	note_unmeasured(r);
	return 0;
}
