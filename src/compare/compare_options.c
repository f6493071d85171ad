/* compare_options.c: the options of a job in which runs differ, by their effective values. */
#include "compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "units.h"
#include "nearest.h"

static const char *const rw_names[] = { "rw", "readwrite", NULL };
static const char *const bs_names[] = { "bs", "blocksize", "bsrange", "blocksize_range", NULL };

/* Returns the value of the last option that has one of the names. */
static const char *last_of(const struct result_opt *opt, size_t n, const char *const *names)
{
	while (n-- > 0)
		if (word_find(names, opt[n].name, strlen(opt[n].name)) >= 0)
			return opt[n].value ? opt[n].value : "";
	return NULL;
}

/* Returns the value that the job has under one of the names, or NULL. */
static const char *job_option_of(const struct result *r, const struct result_job *j, const char *const *names)
{
	const char *own = last_of(j->options, j->noptions, names);

	return own ? own : last_of(r->globals, r->nglobals, names);
}

static const char *option(const struct result *r, const struct result_job *j, const char *name)
{
	return job_option_of(r, j, (const char *const[]){ name, NULL });
}

/* Adds a size of bs= in one form, such as "4k" for "4096", or the text itself if it is no size. */
static void put_size(struct strbuf *b, const char *text)
{
	uint64_t bytes;

	strbuf_puts(b, units_size(text, 1024, &bytes, NULL) ? text : units_suffixed(bytes).text);
}

/* Adds the sizes of reads, writes and trims in one form, so that "4k", "4096" and "4k-4k,4k" read the same.
 */
static void put_size_range(struct strbuf *b, const char *text, size_t len)
{
	char *low = strndup(text, len), *high = low ? strchr(low, '-') : NULL;

	if (high)
		*high++ = '\0';
	if (low)
		put_size(b, low);
	if (high && strcmp(low, high)) {
		strbuf_putc(b, '-');
		put_size(b, high);
	}
	b->failed |= !low;
	free(low);
}

static void put_size_list(struct strbuf *b, const char *text)
{
	const char *last = "", *part = text;
	size_t len = 0;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		size_t n = part ? strcspn(part, ",") : 0;

		if (n) {
			last = part;
			len = n;
		}
		part = part && part[n] ? part + n + 1 : NULL;
		strbuf_puts(b, d ? "," : "");
		put_size_range(b, last, len);
	}
}

static const char *job_sizes_of(struct compare_two *t, const struct result *r, const struct result_job *j)
{
	const char *split = option(r, j, "bssplit"), *text;
	struct strbuf b = { 0 };

	if (split)
		return split;
	put_size_list(&b, compare_either(job_option_of(r, j, bs_names), compare_either(j->bs, "4k")));
	text = compare_keep(t, strbuf_str(&b));
	strbuf_fini(&b);
	return text;
}

/* Shortens "4k,4k,4k" to "4k". */
static const char *short_sizes(struct compare_two *t, const char *sizes)
{
	const char *first = strchr(sizes, ','), *second = first ? strchr(first + 1, ',') : NULL;
	size_t len = first ? (size_t)(first - sizes) : 0;

	if (!second || strlen(second + 1) != len || (size_t)(second - first - 1) != len ||
	    strncmp(sizes, first + 1, len) || strncmp(sizes, second + 1, len))
		return sizes;
	return arena_strndup(&t->c->mem, sizes, len);
}

static bool is_true(const char *text)
{
	return text && strcmp(text, "0") && strcmp(text, "false");
}

static const char *direct_of(const struct result *r, const struct result_job *j)
{
	const char *direct = option(r, j, "direct"), *buffered = option(r, j, "buffered");

	if (direct)
		return is_true(direct) ? "direct" : "buffered";
	return buffered && !is_true(buffered) ? "direct" : "buffered";
}

/* Returns the pattern as typed, such as "randrw:2", but "rw" for its synonym "readwrite". */
static const char *rw_of(const struct result *r, const struct result_job *j)
{
	const char *rw = compare_either(j->rw, compare_either(job_option_of(r, j, rw_names), "read"));

	return !strcmp(rw, "readwrite") ? "rw" : rw;
}

static const char *depth_of(struct compare_two *t, const struct result *r, const struct result_job *j)
{
	char text[16];

	if (!j->iodepth)
		return compare_either(option(r, j, "iodepth"), "1");
	snprintf(text, sizeof(text), "%u", j->iodepth);
	return compare_keep(t, text);
}

static const char *job_rate_of(struct compare_two *t, const struct result *r, const struct result_job *j)
{
	const char *rate = option(r, j, "rate"), *iops = option(r, j, "rate_iops"), *text;
	struct strbuf b = { 0 };

	if (rate)
		put_size_list(&b, rate);
	if (iops)
		strbuf_printf(&b, "%s%s IOPS", rate ? " and " : "", iops);
	text = b.len ? compare_keep(t, b.text) : "unlimited";
	strbuf_fini(&b);
	return short_sizes(t, text);
}

/* Returns whether the option is compared by its effective value, or says nothing about the load. */
static bool is_known(const char *name)
{
	static const char *const known[] = {
		"rw",        "readwrite", "bs",       "blocksize",   "bsrange",         "blocksize_range",
		"bssplit",   "direct",    "buffered", "ioengine",    "iodepth",         "numjobs",
		"rate",      "rate_iops", "name",     "description", "group_reporting", "stonewall",
		"new_group", NULL
	};

	return word_find(known, name, strlen(name)) >= 0;
}

/* The other options that change the load, by their default: a job without one has that. */
static const struct load_options {
	enum compare_setting setting;
	const char *otherwise;
	const char *name[15];
} load_options[] = {
	{ COMPARE_THINKTIME, "0", { "thinktime", "thinktime_spin", "thinktime_iotime", "thinkcycles" } },
	{ COMPARE_THINKTIME, "1", { "thinktime_blocks" } },
	{ COMPARE_THINKTIME, "complete", { "thinktime_blocks_type" } },
	{ COMPARE_RATE, "linear", { "rate_process" } },
	{ COMPARE_RATE,
	  "0",
	  { "rate_open", "rate_shared", "rate_total", "rate_ignore_thinktime", "flow", "flow_id",
	    "flow_sleep" } },
	{ COMPARE_RATE, "none", { "rate_steps" } },
	{ COMPARE_RATE, "auto", { "rate_wait" } },
	{ COMPARE_SYNC,
	  "0",
	  { "fsync", "fdatasync", "write_barrier", "end_fsync", "end_syncfs", "atomic", "fsync_on_close" } },
	{ COMPARE_SYNC, "none", { "sync", "sync_file_range" } },
	{ COMPARE_DISTRIBUTION, "random", { "random_distribution" } },
	{ COMPARE_DISTRIBUTION, "100", { "percentage_random" } },
	{ COMPARE_DISTRIBUTION,
	  "0",
	  { "percentage_sequential", "norandommap", "zonesize", "zonerange", "zoneskip", "zonecapacity",
	    "zone_reset_frequency", "zone_reset_threshold", "max_open_zones", "job_max_open_zones",
	    "read_beyond_wp", "random_sequence_stride", "seq_per_slot", "offset_shared" } },
	{ COMPARE_DISTRIBUTION, "none", { "zonemode", "file_weights" } },
	{ COMPARE_DISTRIBUTION, "roundrobin", { "file_service_type" } },
	{ COMPARE_DISTRIBUTION, "sequential", { "rw_sequencer" } },
	{ COMPARE_DISTRIBUTION, "mixed", { "seq_runs" } },
	{ COMPARE_DISTRIBUTION, "start", { "seq_wrap" } },
	{ COMPARE_MIX, "50", { "rwmixread", "rwmixwrite" } },
	{ COMPARE_MIX,
	  "0",
	  { "rwmix_shared_pos", "trim_percentage", "trim_backlog", "trim_backlog_batch", "verify",
	    "verify_only", "verify_backlog", "verify_backlog_batch" } },
	{ COMPARE_MIX, "1", { "do_verify" } },
	{ COMPARE_MIX, "discard", { "trim_kind" } },
	{ COMPARE_DEPTH,
	  "0",
	  { "iodepth_batch", "iodepth_low", "iodepth_per_file", "serialize_overlap",
	    "iodepth_batch_complete_max", "thread_group_depth", "latency_target", "latency_window",
	    "latency_run" } },
	{ COMPARE_DEPTH, "1", { "iodepth_batch_complete_min", "thread_group_weight" } },
	{ COMPARE_DEPTH, "inline", { "io_submit_mode" } },
	{ COMPARE_DEPTH, "100", { "latency_percentile" } },
	{ COMPARE_NUMJOBS, "none", { "thread_group" } },
	{ COMPARE_BS, "the block size", { "ba" } },
	{ COMPARE_BS, "0", { "bs_unaligned", "bs_is_seq_rand" } },
	{ COMPARE_BS, "1", { "num_range" } },
	{ COMPARE_SIZE, "all", { "size" } },
	{ COMPARE_SIZE, "not given", { "filesize" } },
	{ COMPARE_SIZE, "1", { "nrfiles" } },
	{ COMPARE_SIZE,
	  "0",
	  { "offset", "offset_increment", "offset_align", "rank_offset_increment", "rank_shared" } },
	{ COMPARE_CONTENTS,
	  "0",
	  { "buffer_compress_percentage", "dedupe_percentage", "zero_buffers", "refill_buffers",
	    "dedupe_global", "write_pool" } },
	{ COMPARE_CONTENTS, "none", { "buffer_pattern" } },
	{ COMPARE_CONTENTS, "512", { "buffer_compress_chunk" } },
	{ COMPARE_CONTENTS, "repeat", { "dedupe_mode" } },
	{ COMPARE_CONTENTS, "5", { "dedupe_working_set_percentage" } },
	{ COMPARE_CONTENTS, "1", { "scramble_buffers" } },
	{ COMPARE_CONTENTS, "random data", { "write_pool_file" } },
};

static const struct load_options *load_option(const char *name)
{
	for (size_t i = 0; i < sizeof(load_options) / sizeof(*load_options); i++)
		if (word_find(load_options[i].name, name, strlen(name)) >= 0)
			return &load_options[i];
	return NULL;
}

/* A switch without a value is 1. */
static const char *load_value(const struct load_options *l, const char *value)
{
	if (!value)
		return l->otherwise;
	if (!strcmp(value, "true"))
		return "1";
	return !strcmp(value, "false") ? "0" : compare_either(value, "1");
}

static void differ_option(struct compare_two *t, const char *job, const char *option, const char *a,
			  const char *b)
{
	const struct load_options *l = load_option(option);

	if (l)
		compare_differ(t, l->setting, job, option, load_value(l, a), load_value(l, b));
	else
		compare_differ(t, COMPARE_OTHER, job, option, a && !*a ? "on" : a, b && !*b ? "on" : b);
}

/* Lists the other options of `opt` whose effective values differ. */
static void other_options(struct compare_two *t, const char *name, const struct result_job *a,
			  const struct result_job *b, const struct result_opt *opt, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_known(opt[i].name))
			differ_option(t, name, opt[i].name, option(t->a, a, opt[i].name),
				      option(t->b, b, opt[i].name));
}

void compare_options(struct compare_two *t, const char *name, const struct result_job *a,
		     const struct result_job *b)
{
	const char *bs_a = short_sizes(t, job_sizes_of(t, t->a, a)),
		   *bs_b = short_sizes(t, job_sizes_of(t, t->b, b));

	compare_differ(t, COMPARE_RW, name, "rw", rw_of(t->a, a), rw_of(t->b, b));
	compare_differ(t, COMPARE_BS, name, "bs", bs_a, bs_b);
	compare_differ(t, COMPARE_DIRECT, name, "access", direct_of(t->a, a), direct_of(t->b, b));
	compare_differ(t, COMPARE_ENGINE, name, "ioengine",
		       compare_either(a->engine, compare_either(option(t->a, a, "ioengine"), "psync")),
		       compare_either(b->engine, compare_either(option(t->b, b, "ioengine"), "psync")));
	compare_differ(t, COMPARE_DEPTH, name, "iodepth", depth_of(t, t->a, a), depth_of(t, t->b, b));
	compare_differ(t, COMPARE_NUMJOBS, name, "numjobs", compare_either(option(t->a, a, "numjobs"), "1"),
		       compare_either(option(t->b, b, "numjobs"), "1"));
	compare_differ(t, COMPARE_RATE, name, "rate", job_rate_of(t, t->a, a), job_rate_of(t, t->b, b));
	other_options(t, name, a, b, a->options, a->noptions);
	other_options(t, name, a, b, t->a->globals, t->a->nglobals);
	other_options(t, name, a, b, b->options, b->noptions);
	other_options(t, name, a, b, t->b->globals, t->b->nglobals);
}
