/* plan_print.c: prints a plan as text (fiord check); names of directions, which reports use, too. */
#include <inttypes.h>
#include "plan_build.h"
#include "rows.h"
#include "strbuf.h"
#include "units.h"

const char *plan_rw_name(unsigned rw)
{
	bool random = rw & RW_RANDOM;

	if (rw & RW_TRIMWRITE)
		return random ? "randtrimwrite" : "trimwrite";
	switch (rw & RW_DIRS) {
	case RW_READ:
		return random ? "randread" : "read";
	case RW_WRITE:
		return random ? "randwrite" : "write";
	case RW_TRIM:
		return random ? "randtrim" : "trim";
	default:
		return random ? "randrw" : "rw";
	}
}

static const char *type_name(enum target_type t)
{
	static const char *const names[] = { "missing",          "file",      "block device",
					     "character device", "directory", "other" };

	return names[t];
}

static void print_layout(const struct plan_file *f, enum file_falloc how, struct strbuf *b)
{
	switch (f->layout) {
	case LAYOUT_CREATE:
		if (!f->size)
			strbuf_puts(b, "; created before the start");
		else if (how == FALLOC_NONE || f->fill)
			strbuf_puts(b, "; grows as it is written");
		else
			strbuf_printf(b, "; preallocated to %" PRIu64, f->size);
		break;
	case LAYOUT_FILL:
		strbuf_printf(b, "; written from %" PRIu64 " to %" PRIu64 " before the %s", f->layout_from,
			      f->size, f->early ? "start" : "job starts");
		break;
	case LAYOUT_ON_OPEN:
		strbuf_puts(b, "; created when first opened");
		break;
	case LAYOUT_NONE:
		return;
	}
	if (f->recreate)
		strbuf_puts(b, ", after its present content is removed");
	if (!f->owner)
		strbuf_puts(b, " by another job");
}

static void print_file(const struct plan *p, const struct plan_job *j, const struct plan_file *f,
		       struct strbuf *b)
{
	const struct plan_target *t = &p->targets[f->target];

	strbuf_puts(b, "    ");
	if (t->facts->type == TARGET_OTHER && !plan_is_meta(j)) {
		strbuf_puts(b, "no file");
	} else {
		strbuf_plain(b, t->path);
		strbuf_printf(b, " (%s)", type_name(t->facts->type));
	}
	if (!plan_is_meta(j))
		strbuf_printf(b, ": bytes %" PRIu64 " to %" PRIu64, f->start, f->start + f->len);
	if (f->first)
		strbuf_printf(b, ", from %" PRIu64 " on", f->start + f->first);
	if (f->shared_position)
		strbuf_printf(b, ", position %u", f->shared_position);
	plan_replay_print_file(j, (uint32_t)(f - j->files), b);
	print_layout(f, f->user->job->opts.file.fallocate, b);
	if (f->fill)
		strbuf_puts(b, "; or until the file system is full");
	if (f->unlink)
		strbuf_puts(b, "; removed when its last user ends");
	strbuf_putc(b, '\n');
}

/* Prints "    16 zones of 64k with 32k to write, at most 2 open". */
static void print_zbd(const struct plan_job *j, struct strbuf *b)
{
	const struct zone_cfg *z = &j->job->opts.offset.zone;
	uint64_t zones = 0;

	const struct plan_file *f = j->files;

	for (uint32_t i = 0; i < j->nfiles; i++)
		zones += f[i].zone_size ? f[i].len / f[i].zone_size : 0;
	if (!zones)
		return;
	strbuf_printf(b, "    %" PRIu64 " zones of %s with %s to write", zones,
		      units_suffixed(f->zone_size).text, units_suffixed(f->zone_capacity).text);
	if (z->max_open)
		strbuf_printf(b, ", at most %u open", z->max_open);
	if (z->job_max_open)
		strbuf_printf(b, ", at most %u of each worker", z->job_max_open);
	strbuf_putc(b, '\n');
}

/* Prints "    16k in each of 32 zones of 32k, one every 64k". */
static void print_zones(const struct plan_job *j, struct strbuf *b)
{
	const struct zone_cfg *z = &j->job->opts.offset.zone;
	uint64_t zones = 0;

	if (z->mode == ZONE_ZBD)
		print_zbd(j, b);
	if (z->mode != ZONE_STRIDED)
		return;
	for (uint32_t i = 0; i < j->nfiles; i++)
		zones += zone_count(z, j->files[i].len, j->bs_max);
	strbuf_printf(b, "    %s in each of %" PRIu64 " zones of %s, one every %s\n",
		      units_suffixed(z->size).text, zones, units_suffixed(z->range).text,
		      units_suffixed(z->range + z->skip).text);
}

static void print_time(struct strbuf *b, const char *name, uint64_t ns)
{
	if (ns)
		strbuf_printf(b, ", %s=%s", name, units_duration(ns, 1000000000u).text);
}

static void print_logs(const struct plan_job *j, struct strbuf *b)
{
	for (int k = 0; j->logs && k < LOG_KINDS; k++)
		if (j->logs->path[k])
			strbuf_printf(b, "    log %s\n", j->logs->path[k]);
}

static void print_backlog(const struct plan_job *j, struct strbuf *b)
{
	uint64_t bytes = plan_verify_memory(j) - plan_verify_bytes(j) - plan_verify_undo_bytes(j);

	if (bytes)
		strbuf_printf(b, ", and %s (%u bytes for each write) holds the backlog",
			      units_bytes(bytes).text, PLAN_BACKLOG_BYTES);
}

static void print_undo(const struct plan_job *j, struct strbuf *b)
{
	if (plan_verify_undo_bytes(j))
		strbuf_printf(b, "; a log of %s%s in the state has the entries that the last writes replaced",
			      j->verify.state_load ? "up to " : "",
			      units_bytes(plan_verify_undo_bytes(j)).text);
}

/* Prints how the job will know its writes, and the memory that this takes. */
static void print_verify(const struct plan_job *j, struct strbuf *b)
{
	const char *kind = verify_kinds[j->job->opts.verify.format.kind].name;

	if (j->verify.run_reads)
		strbuf_printf(b, "    verify=%s: checks each block that it reads; no memory\n", kind);
	if (!j->verify.reads)
		return;
	strbuf_printf(b, "    verify=%s: ", kind);
	if (j->verify.memory == VERIFY_MAP) {
		strbuf_printf(b, "a map of %s (4 bytes for each %u bytes) holds the last writes",
			      units_bytes(plan_verify_bytes(j)).text, j->verify.unit);
		print_backlog(j, b);
		print_undo(j, b);
		strbuf_putc(b, '\n');
	} else if (j->verify.memory == VERIFY_REPLAY) {
		strbuf_puts(b, "the writes are drawn again; no memory\n");
	} else {
		strbuf_puts(b, "which blocks were written is not known, so it reads all; no memory\n");
	}
}

static void print_file_stats(const struct plan_job *j, struct strbuf *b)
{
	const struct file_stats_cfg *c = &j->file_stats;

	if (!c->files)
		return;
	strbuf_printf(b, "    per_file_stats=%s: up to %s (%zu bytes for each of %u file%s)\n",
		      c->hists ? "percentiles" : "counts", units_bytes(file_stats_used_bytes(c)).text,
		      file_stats_used_bytes(c) / c->files, c->files, c->files == 1 ? "" : "s");
}

/* Prints a job without I/O, such as one of cpuio. */
static void print_name(const struct plan_job *j, struct strbuf *b)
{
	strbuf_puts(b, "  ");
	strbuf_plain(b, j->job->name);
	strbuf_printf(b, ", clone %u: ", j->clone);
}

static void print_idle_job(const struct plan_job *j, struct strbuf *b)
{
	const struct job_opts *o = &j->job->opts;

	print_name(j, b);
	strbuf_printf(b, "ioengine=%s, no I/O, %s", j->job->engine->name,
		      o->group.thread ? "thread" : "process");
	print_time(b, "startdelay", j->startdelay_ns);
	print_time(b, "runtime", o->time.runtime_ns);
	strbuf_putc(b, '\n');
}

static void print_times(const struct plan_job *j, struct strbuf *b)
{
	const struct time_cfg *t = &j->job->opts.time;

	print_time(b, "startdelay", j->startdelay_ns);
	print_time(b, "ramp_time", t->ramp_ns);
	if (t->ramp_bytes)
		strbuf_printf(b, ", ramp_size=%" PRIu64, t->ramp_bytes);
	print_time(b, "runtime", t->runtime_ns);
	if (t->time_based)
		strbuf_puts(b, ", time_based");
}

static void print_search(const struct plan_job *j, struct strbuf *b)
{
	const struct latency_target_cfg *c = &j->job->opts.latency_target;

	if (!j->job->opts.time.search)
		return;
	strbuf_printf(b,
		      "    searches for the greatest depth up to %u at which %.15g %% of the I/Os take no "
		      "longer than %s, trying each for %s; then %s\n",
		      j->depth, c->percentile, units_duration(c->target_ns, 1000000000u).text,
		      units_duration(c->window_ns, 1000000000u).text,
		      c->run ? "adjusts it until the runtime is over" : "measures one window");
}

/* Prints the rates of a step: "1000" or, if the directions differ, "1000 reads, 500 writes". */
static void print_step_rates(const struct plan_job *j, const struct pace_step *s, struct strbuf *b)
{
	static const char *const names[DIR_DATA] = { " reads", " writes", " trims" };
	const char *between = "";
	bool bytes = j->job->opts.pace.steps.by_bytes;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (!(j->rw & 1u << d))
			continue;
		strbuf_puts(b, between);
		if (bytes)
			strbuf_puts(b, units_suffixed(s->rate[d]).text);
		else
			strbuf_u64(b, s->rate[d]);
		strbuf_puts(b, names[d]);
		between = ", ";
	}
}

static void print_rate_steps(const struct plan_job *j, struct strbuf *b)
{
	const struct pace_steps *s = &j->job->opts.pace.steps;

	if (!j->step_counts.steps)
		return;
	strbuf_printf(b, "    rate_steps, in %s a second:", s->by_bytes ? "bytes" : "I/Os");
	for (uint32_t i = 0; i < s->n; i++) {
		strbuf_printf(b, "%s from %s on ", i ? ";" : "", units_duration(s->step[i].start_ns, 0).text);
		print_step_rates(j, &s->step[i], b);
	}
	strbuf_printf(b, "; histograms of up to %s\n", units_bytes(step_counts_bytes(&j->step_counts)).text);
}

/* Prints what ends the job before its runtime does. */
static void print_steady(const struct plan_job *j, struct strbuf *b)
{
	const struct steady_cfg *s = &j->job->opts.steady;

	if (!j->track[TRACK_STEADY])
		return;
	strbuf_puts(b, "    ends early once ");
	if (s->by == STEADY_SNIA)
		strbuf_printf(b, "the IOPS of %u rounds of ", STEADY_ROUNDS);
	else
		strbuf_printf(b, "%s is below %.15g%s over ", steady_name(s), s->limit,
			      s->percent ? "%" : "");
	strbuf_puts(b,
		    units_duration(s->by == STEADY_SNIA ? s->interval_ns : s->duration_ns, 1000000000u).text);
	if (s->by == STEADY_SNIA)
		strbuf_printf(b, " range over %.0f %% at most and change by %.0f %% at most",
			      STEADY_RANGE_PERCENT, STEADY_RISE_PERCENT);
	if (s->ramp_ns)
		strbuf_printf(b, ", after %s", units_duration(s->ramp_ns, 1000000000u).text);
	strbuf_putc(b, '\n');
}

static void print_flow(const struct plan *p, const struct plan_job *j, struct strbuf *b)
{
	const struct plan_flow *f = j->flow ? &p->flows[j->flow - 1] : NULL;

	if (!f)
		return;
	strbuf_printf(b, "    flow %u: %u of", j->job->opts.flow.id, f->weight);
	for (uint32_t k = f->first; k < f->first + f->members; k++)
		strbuf_printf(b, "%s%u", k == f->first ? " " : ":", p->flows[k].weight);
	strbuf_printf(b, ", at most %u I/O%s ahead%s\n", f->lead, f->lead == 1 ? "" : "s",
		      f->joins_later ? ", joins when it starts" : "");
}

static void print_sizes(const struct plan_job *j, struct strbuf *b)
{
	strbuf_printf(b, "rw=%s, bs=%u", plan_rw_name(j->rw), j->bs_min);
	if (j->bs_max != j->bs_min)
		strbuf_printf(b, "-%u", j->bs_max);
}

static void print_options(const struct plan_job *j, struct strbuf *b)
{
	const struct job_opts *o = &j->job->opts;

	print_name(j, b);
	if (o->replay.facts)
		plan_replay_print_log(j, b);
	else
		print_sizes(j, b);
	strbuf_printf(b, ", ioengine=%s, iodepth=%u, %s, %s", j->job->engine->name, j->depth,
		      o->file.direct ? "direct" : "buffered", o->group.thread ? "thread" : "process");
	if (o->queue.offload)
		strbuf_puts(b, ", offload");
	if (!o->replay.facts)
		strbuf_printf(b, ", io=%" PRIu64 " a loop", j->pass_bytes);
	if (o->group.wait_for) {
		strbuf_puts(b, ", after ");
		strbuf_plain(b, o->group.wait_for);
	}
	if (o->time.loops > 1)
		strbuf_printf(b, ", loops=%u", o->time.loops);
	if (j->cpus) {
		strbuf_puts(b, ", on CPU ");
		cpuset_print(j->cpus, b);
	}
	print_times(j, b);
	strbuf_putc(b, '\n');
}

/* Prints how many files opendir has found. */
static void print_tree(const struct plan_job *j, struct strbuf *b)
{
	uint64_t bytes = 0;

	if (!j->job->opts.files.opendir)
		return;
	for (uint32_t i = 0; i < j->nfiles; i++)
		bytes += j->files[i].size;
	strbuf_printf(b, "    opendir=%s: %u file%s, %s, at most %u open at a time\n",
		      j->job->opts.files.opendir, j->nfiles, j->nfiles == 1 ? "" : "s",
		      units_bytes(bytes).text, j->openfiles);
}

static void print_job(const struct plan *p, const struct plan_job *j, struct strbuf *b)
{
	uint32_t shown = j->nfiles > 8 ? 4 : j->nfiles;

	if (j->job->engine->caps & ENG_NOIO) {
		print_idle_job(j, b);
		return;
	}
	print_options(j, b);
	plan_replay_print(j, b);
	print_tree(j, b);
	for (uint32_t i = 0; i < shown; i++)
		print_file(p, j, &j->files[i], b);
	if (shown < j->nfiles)
		strbuf_printf(b, "    ... and %u more\n", j->nfiles - shown);
	print_flow(p, j, b);
	print_rate_steps(j, b);
	print_search(j, b);
	print_steady(j, b);
	print_logs(j, b);
	print_zones(j, b);
	plan_placement_print(p, j, b);
	print_verify(j, b);
	print_file_stats(j, b);
}

static void print_space(const struct plan_space *s, struct strbuf *b)
{
	if (!s->most_bytes)
		return;
	strbuf_printf(b, "room for %s%s%s%s: %s needed", s->path, *s->fstype ? " (" : "", s->fstype,
		      *s->fstype ? ")" : "", units_bytes(s->need_bytes).text);
	if (s->most_bytes > s->need_bytes)
		strbuf_printf(b, ", up to %s as files grow", units_bytes(s->most_bytes).text);
	strbuf_printf(b, ", %s free\n", units_bytes(s->free_bytes).text);
}

void plan_print(const struct plan *p, struct strbuf *b)
{
	uint32_t wave = UINT32_MAX, group = UINT32_MAX;

	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct plan_job *j = &p->jobs[i];

		if (j->wave != wave || j->group != group)
			strbuf_printf(b, "wave %u, group %u:\n", j->wave, j->group);
		wave = j->wave;
		group = j->group;
		print_job(p, j, b);
	}
	for (uint32_t i = 0; i < p->nspaces; i++)
		print_space(&p->spaces[i], b);
	strbuf_printf(b, "%u worker%s in %u wave%s, %" PRIu64 " bytes to lay out\n", p->njobs,
		      p->njobs == 1 ? "" : "s", p->nwaves, p->nwaves == 1 ? "" : "s", p->layout_bytes);
}
