/* compare_differences.c: the settings and the environment in which runs differ. */
#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "units.h"
#include "vec.h"

/* Two runs whose differences are listed: the first one of A and another one. */
struct two {
	struct compare *c;
	const struct result *a, *b;
	const char *run_a, *run_b;
};

static bool same_job(const struct compare_difference *a, const struct compare_difference *b)
{
	return a->job ? b->job && !strcmp(a->job, b->job) : !b->job;
}

/* With two runs, the differences of a job follow each other; with more, each pair of runs lists those of all
   jobs. */
static bool is_listed(const struct two *t, const struct compare_difference *d)
{
	bool two_runs = t->c->a.n + t->c->b.n == 2;

	for (size_t i = t->c->difference.n; i-- > 0;) {
		const struct compare_difference *o = &t->c->difference.v[i];

		if (two_runs && !same_job(o, d))
			return false;
		if (o->setting == d->setting && !strcmp(o->name, d->name) && !strcmp(o->a, d->a) &&
		    !strcmp(o->b, d->b) && same_job(o, d))
			return true;
	}
	return false;
}

static const char *keep(struct two *t, const char *s)
{
	const char *copy = arena_strdup(&t->c->mem, s && *s ? s : "not given");

	t->c->failed |= !copy;
	return copy ? copy : "";
}

/* Lists a difference, unless both texts are the same or the difference is listed already. */
static void differ(struct two *t, enum compare_setting setting, const char *job, const char *name,
		   const char *a, const char *b)
{
	struct compare_difference d = {
		.setting = setting, .job = job, .run_a = t->run_a, .run_b = t->run_b
	};

	if (!strcmp(a ? a : "", b ? b : ""))
		return;
	d.refused = setting < COMPARE_SETTINGS && !t->c->cfg.allow[setting];
	d.name = keep(t, name);
	d.a = keep(t, a);
	d.b = keep(t, b);
	if (!is_listed(t, &d))
		t->c->failed |= !VEC_PUSH(&t->c->difference, d);
}

/* ---- options of a job ---- */

struct names {
	const char *name[4];
	enum compare_setting setting;
};

static const struct names rw_names = { { "rw", "readwrite" }, COMPARE_RW };
static const struct names bs_names = { { "bs", "blocksize", "bsrange", "blocksize_range" }, COMPARE_BS };
static const struct names split_names = { { "bssplit" }, COMPARE_BS };
static const struct names direct_names = { { "direct" }, COMPARE_DIRECT };
static const struct names buffered_names = { { "buffered" }, COMPARE_DIRECT };
static const struct names engine_names = { { "ioengine" }, COMPARE_ENGINE };
static const struct names depth_names = { { "iodepth" }, COMPARE_DEPTH };
static const struct names numjobs_names = { { "numjobs" }, COMPARE_NUMJOBS };
static const struct names rate_names = { { "rate" }, COMPARE_RATE };
static const struct names rate_iops_names = { { "rate_iops" }, COMPARE_RATE };
static const struct names *const all_names[] = { &rw_names,       &bs_names,       &split_names,
						 &direct_names,   &buffered_names, &engine_names,
						 &depth_names,    &numjobs_names,  &rate_names,
						 &rate_iops_names };

static bool is_one_of(const struct names *n, const char *name)
{
	for (unsigned i = 0; i < 4 && n->name[i]; i++)
		if (!strcmp(n->name[i], name))
			return true;
	return false;
}

static const char *last_of(const struct result_opt *opt, size_t n, const struct names *names)
{
	while (n-- > 0)
		if (is_one_of(names, opt[n].name))
			return opt[n].value ? opt[n].value : "";
	return NULL;
}

/* Returns the value of the option, or NULL. */
static const char *option(const struct result *r, const struct result_job *j, const struct names *names)
{
	const char *own = last_of(j->options, j->noptions, names);

	return own ? own : last_of(r->globals, r->nglobals, names);
}

static const char *either(const char *known, const char *otherwise)
{
	return known && *known ? known : otherwise;
}

/* Adds a size of bs= in one form, such as "4k" for "4096", or the text itself if it is no size. */
static void put_size(struct strbuf *b, const char *text)
{
	uint64_t bytes;

	if (units_size(text, 1024, &bytes, NULL))
		strbuf_puts(b, text);
	else
		units_print_size(b, bytes);
}

/* Adds the sizes of reads, writes and trims in one form, so that "4k", "4096" and "4k-4k,4k" read the same.
 */
static void put_range(struct strbuf *b, const char *text, size_t len)
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
		put_range(b, last, len);
	}
}

static const char *sizes_of(struct two *t, const struct result *r, const struct result_job *j)
{
	const char *split = option(r, j, &split_names), *text;
	struct strbuf b = { 0 };

	if (split)
		return split;
	put_size_list(&b, either(option(r, j, &bs_names), either(j->bs, "4k")));
	text = keep(t, strbuf_str(&b));
	strbuf_fini(&b);
	return text;
}

/* Shortens "4k,4k,4k" to "4k". */
static const char *short_sizes(struct two *t, const char *sizes)
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
	const char *direct = option(r, j, &direct_names), *buffered = option(r, j, &buffered_names);

	if (direct)
		return is_true(direct) ? "direct" : "buffered";
	return buffered && !is_true(buffered) ? "direct" : "buffered";
}

/* Returns the pattern as typed, such as "randrw:2", but "rw" for its synonym "readwrite". */
static const char *rw_of(const struct result *r, const struct result_job *j)
{
	const char *rw = either(j->rw, either(option(r, j, &rw_names), "read"));

	return !strcmp(rw, "readwrite") ? "rw" : rw;
}

static const char *depth_of(struct two *t, const struct result *r, const struct result_job *j)
{
	char text[16];

	if (!j->iodepth)
		return either(option(r, j, &depth_names), "1");
	snprintf(text, sizeof(text), "%u", j->iodepth);
	return keep(t, text);
}

static const char *rate_of(struct two *t, const struct result *r, const struct result_job *j)
{
	const char *rate = option(r, j, &rate_names), *iops = option(r, j, &rate_iops_names), *text;
	struct strbuf b = { 0 };

	if (rate)
		put_size_list(&b, rate);
	if (iops)
		strbuf_printf(&b, "%s%s IOPS", rate ? " and " : "", iops);
	text = b.len ? keep(t, b.text) : "unlimited";
	strbuf_fini(&b);
	return short_sizes(t, text);
}

static bool is_a_setting(const char *name)
{
	static const char *const no_setting[] = { "name", "description", "group_reporting", "stonewall",
						  "new_group" };

	for (unsigned i = 0; i < sizeof(all_names) / sizeof(*all_names); i++)
		if (is_one_of(all_names[i], name))
			return true;
	for (unsigned i = 0; i < sizeof(no_setting) / sizeof(*no_setting); i++)
		if (!strcmp(no_setting[i], name))
			return true;
	return false;
}

/* The other options that change the load. A job without one has its default. */
static const struct load_option {
	const char *name;
	enum compare_setting setting;
	const char *otherwise; /* the default */
} load_options[] = {
	{ "thinktime", COMPARE_THINKTIME, "0" },
	{ "thinktime_spin", COMPARE_THINKTIME, "0" },
	{ "thinktime_blocks", COMPARE_THINKTIME, "1" },
	{ "thinktime_blocks_type", COMPARE_THINKTIME, "complete" },
	{ "thinktime_iotime", COMPARE_THINKTIME, "0" },
	{ "thinkcycles", COMPARE_THINKTIME, "0" },
	{ "rate_process", COMPARE_RATE, "linear" },
	{ "rate_open", COMPARE_RATE, "0" },
	{ "rate_steps", COMPARE_RATE, "none" },
	{ "rate_shared", COMPARE_RATE, "0" },
	{ "rate_total", COMPARE_RATE, "0" },
	{ "rate_ignore_thinktime", COMPARE_RATE, "0" },
	{ "rate_wait", COMPARE_RATE, "auto" },
	{ "flow", COMPARE_RATE, "0" },
	{ "flow_id", COMPARE_RATE, "0" },
	{ "flow_sleep", COMPARE_RATE, "0" },
	{ "fsync", COMPARE_SYNC, "0" },
	{ "fdatasync", COMPARE_SYNC, "0" },
	{ "sync", COMPARE_SYNC, "none" },
	{ "sync_file_range", COMPARE_SYNC, "none" },
	{ "write_barrier", COMPARE_SYNC, "0" },
	{ "end_fsync", COMPARE_SYNC, "0" },
	{ "end_syncfs", COMPARE_SYNC, "0" },
	{ "atomic", COMPARE_SYNC, "0" },
	{ "fsync_on_close", COMPARE_SYNC, "0" },
	{ "random_distribution", COMPARE_DISTRIBUTION, "random" },
	{ "percentage_random", COMPARE_DISTRIBUTION, "100" },
	{ "percentage_sequential", COMPARE_DISTRIBUTION, "0" },
	{ "norandommap", COMPARE_DISTRIBUTION, "0" },
	{ "zonemode", COMPARE_DISTRIBUTION, "none" },
	{ "zonesize", COMPARE_DISTRIBUTION, "0" },
	{ "zonerange", COMPARE_DISTRIBUTION, "0" },
	{ "zoneskip", COMPARE_DISTRIBUTION, "0" },
	{ "zonecapacity", COMPARE_DISTRIBUTION, "0" },
	{ "zone_reset_frequency", COMPARE_DISTRIBUTION, "0" },
	{ "zone_reset_threshold", COMPARE_DISTRIBUTION, "0" },
	{ "max_open_zones", COMPARE_DISTRIBUTION, "0" },
	{ "job_max_open_zones", COMPARE_DISTRIBUTION, "0" },
	{ "read_beyond_wp", COMPARE_DISTRIBUTION, "0" },
	{ "file_service_type", COMPARE_DISTRIBUTION, "roundrobin" },
	{ "file_weights", COMPARE_DISTRIBUTION, "none" },
	{ "rw_sequencer", COMPARE_DISTRIBUTION, "sequential" },
	{ "random_sequence_stride", COMPARE_DISTRIBUTION, "0" },
	{ "seq_runs", COMPARE_DISTRIBUTION, "mixed" },
	{ "seq_per_slot", COMPARE_DISTRIBUTION, "0" },
	{ "seq_wrap", COMPARE_DISTRIBUTION, "start" },
	{ "offset_shared", COMPARE_DISTRIBUTION, "0" },
	{ "rwmixread", COMPARE_MIX, "50" },
	{ "rwmixwrite", COMPARE_MIX, "50" },
	{ "rwmix_shared_pos", COMPARE_MIX, "0" },
	{ "trim_percentage", COMPARE_MIX, "0" },
	{ "trim_backlog", COMPARE_MIX, "0" },
	{ "trim_backlog_batch", COMPARE_MIX, "0" },
	{ "verify", COMPARE_MIX, "0" },
	{ "do_verify", COMPARE_MIX, "1" },
	{ "verify_only", COMPARE_MIX, "0" },
	{ "verify_backlog", COMPARE_MIX, "0" },
	{ "verify_backlog_batch", COMPARE_MIX, "0" },
	{ "iodepth_batch", COMPARE_DEPTH, "0" },
	{ "iodepth_batch_complete_min", COMPARE_DEPTH, "1" },
	{ "iodepth_low", COMPARE_DEPTH, "0" },
	{ "iodepth_per_file", COMPARE_DEPTH, "0" },
	{ "io_submit_mode", COMPARE_DEPTH, "inline" },
	{ "serialize_overlap", COMPARE_DEPTH, "0" },
	{ "iodepth_batch_complete_max", COMPARE_DEPTH, "0" },
	{ "thread_group_depth", COMPARE_DEPTH, "0" },
	{ "thread_group_weight", COMPARE_DEPTH, "1" },
	{ "latency_target", COMPARE_DEPTH, "0" },
	{ "latency_window", COMPARE_DEPTH, "0" },
	{ "latency_percentile", COMPARE_DEPTH, "100" },
	{ "latency_run", COMPARE_DEPTH, "0" },
	{ "thread_group", COMPARE_NUMJOBS, "none" },
	{ "ba", COMPARE_BS, "the block size" },
	{ "bs_unaligned", COMPARE_BS, "0" },
	{ "bs_is_seq_rand", COMPARE_BS, "0" },
	{ "num_range", COMPARE_BS, "1" },
	{ "size", COMPARE_SIZE, "all" },
	{ "filesize", COMPARE_SIZE, "not given" },
	{ "nrfiles", COMPARE_SIZE, "1" },
	{ "offset", COMPARE_SIZE, "0" },
	{ "offset_increment", COMPARE_SIZE, "0" },
	{ "offset_align", COMPARE_SIZE, "0" },
	{ "rank_offset_increment", COMPARE_SIZE, "0" },
	{ "rank_shared", COMPARE_SIZE, "0" },
	{ "buffer_compress_percentage", COMPARE_CONTENTS, "0" },
	{ "dedupe_percentage", COMPARE_CONTENTS, "0" },
	{ "zero_buffers", COMPARE_CONTENTS, "0" },
	{ "refill_buffers", COMPARE_CONTENTS, "0" },
	{ "buffer_pattern", COMPARE_CONTENTS, "none" },
	{ "buffer_compress_chunk", COMPARE_CONTENTS, "512" },
	{ "dedupe_mode", COMPARE_CONTENTS, "repeat" },
	{ "dedupe_working_set_percentage", COMPARE_CONTENTS, "5" },
	{ "dedupe_global", COMPARE_CONTENTS, "0" },
	{ "scramble_buffers", COMPARE_CONTENTS, "1" },
	{ "write_pool", COMPARE_CONTENTS, "0" },
	{ "write_pool_file", COMPARE_CONTENTS, "random data" },
};

static const struct load_option *load_option(const char *name)
{
	for (size_t i = 0; i < sizeof(load_options) / sizeof(*load_options); i++)
		if (!strcmp(load_options[i].name, name))
			return &load_options[i];
	return NULL;
}

/* A switch without a value is 1. */
static const char *load_value(const struct load_option *l, const char *value)
{
	if (!value)
		return l->otherwise;
	if (!strcmp(value, "true"))
		return "1";
	return !strcmp(value, "false") ? "0" : either(value, "1");
}

static void differ_option(struct two *t, const char *job, const char *option, const char *a, const char *b)
{
	const struct load_option *l = load_option(option);

	if (l)
		differ(t, l->setting, job, option, load_value(l, a), load_value(l, b));
	else
		differ(t, COMPARE_OTHER, job, option, a && !*a ? "on" : a, b && !*b ? "on" : b);
}

/* Lists the other options of `opt` whose effective values differ. */
static void other_options(struct two *t, const char *name, const struct result_job *a,
			  const struct result_job *b, const struct result_opt *opt, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct names one = { { opt[i].name }, COMPARE_OTHER };

		if (!is_a_setting(opt[i].name))
			differ_option(t, name, opt[i].name, option(t->a, a, &one), option(t->b, b, &one));
	}
}

static void job_settings(struct two *t, const char *name, const struct result_job *a,
			 const struct result_job *b)
{
	const char *bs_a = short_sizes(t, sizes_of(t, t->a, a)), *bs_b = short_sizes(t, sizes_of(t, t->b, b));

	differ(t, COMPARE_RW, name, "rw", rw_of(t->a, a), rw_of(t->b, b));
	differ(t, COMPARE_BS, name, "bs", bs_a, bs_b);
	differ(t, COMPARE_DIRECT, name, "access", direct_of(t->a, a), direct_of(t->b, b));
	differ(t, COMPARE_ENGINE, name, "ioengine",
	       either(a->engine, either(option(t->a, a, &engine_names), "psync")),
	       either(b->engine, either(option(t->b, b, &engine_names), "psync")));
	differ(t, COMPARE_DEPTH, name, "iodepth", depth_of(t, t->a, a), depth_of(t, t->b, b));
	differ(t, COMPARE_NUMJOBS, name, "numjobs", either(option(t->a, a, &numjobs_names), "1"),
	       either(option(t->b, b, &numjobs_names), "1"));
	differ(t, COMPARE_RATE, name, "rate", rate_of(t, t->a, a), rate_of(t, t->b, b));
	other_options(t, name, a, b, a->options, a->noptions);
	other_options(t, name, a, b, t->a->globals, t->a->nglobals);
	other_options(t, name, a, b, b->options, b->noptions);
	other_options(t, name, a, b, t->b->globals, t->b->nglobals);
}

/* ---- targets ---- */

/* Adds the model of a device, or its name if it has none. */
static void put_device(struct strbuf *b, const struct props *p)
{
	const char *model = props_str(p, "model");
	uint64_t size = props_num(p, "size_bytes", 0);

	strbuf_puts(b, *model ? model : either(props_str(p, "name"), "device"));
	if (size) {
		strbuf_putc(b, ' ');
		units_put_bytes(b, size);
	}
}

static const char *devices_of(struct two *t, const struct result *r)
{
	struct strbuf b = { 0 };
	const char *text;

	for (size_t i = 0; i < r->ntargets; i++) {
		const struct result_target *target = &r->targets[i];

		strbuf_printf(&b, "%s%s", b.len ? ", " : "", either(target->type, "target"));
		if (*props_str(&target->fs, "type"))
			strbuf_printf(&b, " on %s", props_str(&target->fs, "type"));
		for (unsigned k = 0; k < target->ndevs; k++) {
			if (target->devs[k].level)
				continue;
			strbuf_puts(&b, " on ");
			put_device(&b, &target->devs[k].props);
		}
	}
	for (size_t i = 0; !r->ntargets && i < r->ndisks; i++)
		if (!r->disks[i].level)
			strbuf_printf(&b, "%s%s", i ? ", " : "", r->disks[i].name);
	text = b.len ? keep(t, b.text) : NULL;
	strbuf_fini(&b);
	return text;
}

static void prop_text(const struct prop *p, char *buf, size_t size)
{
	if (!p)
		snprintf(buf, size, "unknown");
	else if (p->kind == PROP_TEXT)
		snprintf(buf, size, "%s", p->text);
	else if (p->kind == PROP_BOOL)
		snprintf(buf, size, "%s", p->number ? "yes" : "no");
	else
		snprintf(buf, size, "%" PRIu64, p->number);
}

static bool changes_by_itself(const char *name)
{
	return !strcmp(name, "free_bytes") || !strcmp(name, "size_bytes") || !strcmp(name, "start_bytes");
}

/* Lists the facts that differ. A fact that only one side knows is no difference. */
static void differ_props(struct two *t, const char *prefix, const struct props *a, const struct props *b)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct prop *other = props_find(b, a->v[i].name);
		char name[128], va[512], vb[512];

		if (!other || changes_by_itself(a->v[i].name))
			continue;
		snprintf(name, sizeof(name), "%s%s", prefix, a->v[i].name);
		prop_text(&a->v[i], va, sizeof(va));
		prop_text(other, vb, sizeof(vb));
		differ(t, COMPARE_OTHER, NULL, name, va, vb);
	}
}

static void target_differences(struct two *t)
{
	const char *a = devices_of(t, t->a), *b = devices_of(t, t->b);
	size_t targets = t->a->ntargets < t->b->ntargets ? t->a->ntargets : t->b->ntargets;

	if (a && b)
		differ(t, COMPARE_DEVICE, NULL, "device", a, b);
	for (size_t i = 0; i < targets; i++) {
		const struct result_target *x = &t->a->targets[i], *y = &t->b->targets[i];

		differ_props(t, "file system: ", &x->fs, &y->fs);
		for (unsigned k = 0; k < x->ndevs && k < y->ndevs; k++) {
			char prefix[80];

			snprintf(prefix, sizeof(prefix),
				 "%.60s: ", either(props_str(&x->devs[k].props, "name"), "device"));
			differ_props(t, prefix, &x->devs[k].props, &y->devs[k].props);
		}
	}
}

/* ---- the machine ---- */

static void differ_known(struct two *t, const char *name, const char *a, const char *b)
{
	if (a && *a && b && *b)
		differ(t, COMPARE_OTHER, NULL, name, a, b);
}

static void differ_number(struct two *t, const char *name, uint64_t a, uint64_t b)
{
	char va[24], vb[24];

	snprintf(va, sizeof(va), "%" PRIu64, a);
	snprintf(vb, sizeof(vb), "%" PRIu64, b);
	if (a && b)
		differ(t, COMPARE_OTHER, NULL, name, va, vb);
}

static void machine_differences(struct two *t)
{
	const struct result_env *a = &t->a->env, *b = &t->b->env;

	differ_known(t, "program", t->a->program, t->b->program);
	differ_known(t, "version", t->a->version, t->b->version);
	differ_known(t, "fio version", t->a->fio_version, t->b->fio_version);
	differ_known(t, "host", a->host, b->host);
	differ_known(t, "system", a->os, b->os);
	differ_known(t, "kernel", a->kernel, b->kernel);
	differ_known(t, "architecture", a->arch, b->arch);
	differ_known(t, "CPU", a->cpu, b->cpu);
	differ_number(t, "CPUs", a->cpus, b->cpus);
	differ_number(t, "memory in bytes", a->memory_bytes, b->memory_bytes);
	differ_known(t, "clock", t->a->clock.source, t->b->clock.source);
	differ_props(t, "", &a->props, &b->props);
}

/* ---- files with the same run ---- */

static bool same_counts(const struct result_job *a, const struct result_job *b)
{
	for (unsigned d = 0; d < DIR_DATA; d++) {
		const struct summary_dir *x = &a->sum.dir[d], *y = &b->sum.dir[d];

		if (x->ios != y->ios || x->bytes != y->bytes || x->runtime_ms != y->runtime_ms ||
		    x->lat[LAT_CLAT].max != y->lat[LAT_CLAT].max)
			return false;
	}
	return true;
}

static bool same_run(const struct result *a, const struct result *b)
{
	if (a->timestamp_ms != b->timestamp_ms || a->njobs != b->njobs)
		return false;
	for (size_t i = 0; i < a->njobs; i++)
		if (!same_counts(a->jobs[i], b->jobs[i]))
			return false;
	return true;
}

/* Lists two files that hold one run. Their names may be the same. */
static void same(struct two *t)
{
	struct compare_difference d = { .setting = COMPARE_SAME,
					.refused = !t->c->cfg.allow[COMPARE_SAME],
					.name = "the same run",
					.a = t->run_a,
					.b = t->run_b,
					.run_a = t->run_a,
					.run_b = t->run_b };

	t->c->failed |= !VEC_PUSH(&t->c->difference, d);
}

static void find_same_runs(struct compare *c, const struct result *const *run, const char *const *source,
			   size_t runs)
{
	for (size_t i = 0; i < runs; i++) {
		for (size_t k = i + 1; k < runs; k++) {
			struct two t = { c, run[i], run[k], source[i], source[k] };

			if (same_run(run[i], run[k]))
				same(&t);
		}
	}
}

void compare_find_differences(struct compare *c, const struct compare_pair *pair, size_t pairs)
{
	size_t runs = c->a.n + c->b.n;
	const struct result **run = arena_array(&c->mem, runs, sizeof(*run));
	const char **source = arena_array(&c->mem, runs, sizeof(*source));

	if (!run || !source) {
		c->failed = true;
		return;
	}
	for (size_t i = 0; i < runs; i++) {
		run[i] = i < c->a.n ? c->a.res[i] : c->b.res[i - c->a.n];
		source[i] = i < c->a.n ? c->a.source[i] : c->b.source[i - c->a.n];
	}
	find_same_runs(c, run, source, runs);
	for (size_t i = 0; i < runs; i++) {
		size_t at = (c->a.n + i) % runs; /* B first, so that its differences name B's first run */
		struct two t = { c, run[0], run[at], source[0], source[at] };

		for (size_t k = 0; k < pairs && at; k++)
			job_settings(&t, pair[k].name, pair[k].run[0], pair[k].run[at]);
		target_differences(&t);
		machine_differences(&t);
	}
}
