#include "collect.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "clock.h"
#include "run_snapshot.h"
#include "collect_parts.h"
#include "diskstat.h"
#include "exit_code.h"
#include "job_snapshot.h"
#include "region.h"

/* Returns the duration of the run; while the run goes on, its time so far. */
static uint64_t ran_ns(const struct run *run)
{
	return (run->end_ns ? run->end_ns : clock_ns()) - run->start_ns;
}

/* Returns true if the worker no longer writes the texts of its slot, so that they may be read. */
static bool texts_final(const struct run *run, uint32_t job)
{
	return run->end_ns || run_phase(run, job) == PHASE_DONE;
}

static struct result_opt *options(const struct user_options *g)
{
	struct result_opt *o = calloc(g->n + 1, sizeof(*o));

	for (size_t i = 0; o && i < g->n; i++)
		o[i] = (struct result_opt){ g->v[i].name, g->v[i].text ? g->v[i].text : "" };
	return o;
}

static void bs_text(const struct plan_job *pj, char *buf, size_t size)
{
	snprintf(buf, size, "%u-%u", pj->bs_min, pj->bs_max);
}

struct result_units collect_units(const struct report_cfg *o)
{
	return (struct result_units){ o->kb_base, o->figures, o->unit_base == UNIT_BITS };
}

struct summary_cfg collect_summary_cfg(const struct report_cfg *o)
{
	struct summary_cfg c = { .npercentiles = o->npercentiles, .percentiles_off = !o->clat_percentiles };

	c.percentiles_of[LAT_SLAT] = o->slat_percentiles;
	c.percentiles_of[LAT_LAT] = o->lat_percentiles;
	c.percentiles_of[LAT_RESP] = true;
	c.disabled[LAT_SLAT] = o->no_slat;
	c.disabled[LAT_CLAT] = o->no_clat;
	c.disabled[LAT_LAT] = o->no_lat;
	memcpy(c.percentiles, o->percentiles, sizeof(c.percentiles));
	return c;
}

/* Notes of a group are in the entry of its first job. For a worker of another job this returns the job's name
   and a comma, which go before the note; otherwise "". */
static const char *name_if_other(const struct result_job *rj, const struct plan_job *pj, char *to,
				 size_t size)
{
	to[0] = '\0';
	if (strcmp(rj->name, pj->job->name) != 0)
		snprintf(to, size, "%s, ", pj->job->name);
	return to;
}

/* Adds one worker's errors, engine info and notes. */
static void add_worker_notes(struct result_job *rj, const struct plan *p, const struct plan_job *pj,
			     const struct slot *s)
{
	char name[200];
	const char *of = name_if_other(rj, pj, name, sizeof(name)), *trims = plan_trim_call(p, pj);

	if (s->lost_reason[0])
		result_job_note(rj, "%s{~clone|clone} %u (pid %d): %s", of, pj->clone, s->pid,
				s->lost_reason);
	if (s->error_text[0] &&
	    (s->error != rj->error || !rj->error_text || strcmp(rj->error_text, s->error_text)))
		result_job_note(rj, "%s{~clone|clone} %u: %s", of, pj->clone, s->error_text);
	if (s->info[0])
		result_job_note(rj, "%s: %s", pj->job->engine->name, s->info);
	if (trims)
		result_job_note(rj, "trims: %s", trims);
	for (unsigned i = 0; i < SLOT_NOTES && s->note[i][0]; i++)
		result_job_note(rj, "%s", s->note[i]);
	if (s->more_notes)
		result_job_note(rj, "%s{~clone|clone} %u: has further notes, which are not shown", of,
				pj->clone);
	if (!s->error && !s->run_start_ns && pj->job->opts.files.create_only)
		result_job_note(rj, "{create_only=1}: the files were created and no I/O was done");
	else if (!s->error && !s->run_start_ns)
		result_job_note(rj, "%s{~clone|clone} %u: ended before its measurement began", of, pj->clone);
}

/* One entry of the report while it is added up. */
struct entry {
	const struct plan_job *first, *last; /* members lie between, and carry the entry's number */
	/* Texts of the first member that survived an error, or found damage. */
	const char *first_survived_error, *damage;
	struct snapshot total;
	struct section_busy *sections; /* of all sections */
	struct result_job rj;
	struct result_opt *options;
	char bs[64];
	char text[sizeof(((struct region_verify *)0)->first) + 64];
};

/* As in fio, the entry's error is the first errno, even if the job continued after it. */
static void set_survived_error(struct entry *e)
{
	const struct wcount *cnt = &e->total.cnt;
	struct result_job *rj = &e->rj;
	const char *first = e->first_survived_error;

	if (rj->error || !first || !cnt->errors)
		return;
	if (*e->damage && (cnt->first_error == EILSEQ || !*first))
		first = e->damage;
	snprintf(e->text, sizeof(e->text), "%" PRIu64 " survived, the first: %s", cnt->errors, first);
	rj->error = (int)cnt->first_error;
	rj->error_text = e->text;
}

static void member_texts(struct entry *e, const struct plan_job *pj, struct slot *s, bool final)
{
	const char *damage;

	if (!e->first) {
		e->first = pj;
		e->rj.pid = s->pid;
		e->rj.start_ms = s->run_start_clock_ms;
	}
	e->last = pj;
	e->rj.members++;
	if (!final)
		return;
	if (!e->rj.error && s->error) {
		e->rj.error = s->error;
		e->rj.error_text = s->error_text;
	}
	damage = plan_verifies(pj) ? slot_verify(s, pj)->first : "";
	if (!e->first_survived_error && (s->survived_error[0] || *damage)) {
		e->first_survived_error = s->survived_error;
		e->damage = damage;
	}
	if (!e->rj.lost_reason && s->lost_reason[0])
		e->rj.lost_reason = s->lost_reason;
}

static void log_waits(struct entry *e, const struct log_ring *ring)
{
	e->rj.log.on = true;
	e->rj.log.waits += atomic_load_explicit(&ring->waits, memory_order_relaxed);
	e->rj.log.waited_ns += atomic_load_explicit(&ring->waited_ns, memory_order_relaxed);
}

static void member_log(struct entry *e, const struct plan_job *pj, struct slot *s)
{
	if (pj->logs && pj->logs->entries)
		log_waits(e, slot_log(s, pj));
	if (pj->logs && pj->logs->iolog_entries)
		log_waits(e, slot_iolog(s, pj));
}

static int member_numbers(struct entry *e, const struct run *run, uint32_t job,
			  const struct wstat_layout *prios)
{
	struct snapshot one = { 0 };
	int ret = run_snapshot(run, job, &one);

	if (!ret && prios)
		ret = snap_as_prio(&one, run_slot(run, job)->ioprio, prios->prio_kind);
	if (!ret)
		ret = snap_add(&e->total, &one);
	if (!ret && e->rj.members == 1) {
		memcpy(e->total.bw, one.bw, sizeof(one.bw));
		memcpy(e->total.iops, one.iops, sizeof(one.iops));
	}
	e->rj.zoned |= run->plan->jobs[job].job->opts.offset.zone.mode == ZONE_ZBD;
	collect_busy(&e->sections[e->first->section].busy, &run->plan->jobs[job], &one);
	snap_fini(&one);
	return ret;
}

static int add_members(struct entry *e, const struct plan *p, const struct run *run, uint32_t report)
{
	const struct wstat_layout *prios = collect_prio_layout(p, report);
	const uint32_t *member;
	uint32_t n = plan_members(p, report, &member);
	int ret = 0;

	for (uint32_t k = 0; k < n && !ret; k++) {
		uint32_t i = member[k];

		if (!p->jobs[i].job->opts.report.stats)
			continue;
		member_texts(e, &p->jobs[i], run_slot(run, i), texts_final(run, i));
		member_log(e, &p->jobs[i], run_slot(run, i));
		ret = member_numbers(e, run, i, prios);
	}
	if (e->rj.members > 1)
		run_report_samples(run, report, e->total.bw, e->total.iops);
	if (e->first && e->first->job->opts.report.no_bw) {
		memset(e->total.bw, 0, sizeof(e->total.bw));
		memset(e->total.iops, 0, sizeof(e->total.iops));
	}
	e->rj.mixed = e->first && e->first->job->opts.report.unified == UNIFIED_MIXED;
	e->rj.both = e->first && e->first->job->opts.report.unified == UNIFIED_BOTH;
	if (e->rj.mixed)
		snap_mix(&e->total);
	return ret;
}

/* Describes the entry by its first member; the options are those of the last one, as in fio. */
static void describe_entry(struct entry *e, const struct run *run)
{
	const struct job *job = e->first->job;
	struct result_job *rj = &e->rj;

	set_survived_error(e);
	bs_text(e->first, e->bs, sizeof(e->bs));
	e->options = options(&e->last->job->own);
	rj->name = job->name;
	rj->description = job->opts.group.description;
	rj->group = e->first->group;
	rj->eta_known = true;
	rj->elapsed_s = (ran_ns(run) + 999999999u) / 1000000000u;
	rj->options = e->options;
	rj->noptions = e->options ? e->last->job->own.n : 0;
	rj->no_io = job->engine->caps & ENG_NOIO;
	rj->rw = rj->no_io ? NULL : plan_rw_name(e->first->rw);
	rj->bs = rj->no_io ? NULL : e->bs;
	rj->engine = job->engine->name;
	rj->iodepth = e->first->depth;
	rj->units = collect_units(&job->opts.report);
	rj->continue_on_error = job->opts.errors.survive != 0;
}

/* Adds the entry with its figures and notes to the result. */
static int add_to_result(struct entry *e, struct result *r, const struct plan *p, const struct run *run)
{
	bool bins = p->set->run.formats & OUT_JSON_PLUS || p->set->run.report || p->set->run.merge;
	bool create_only = e->first->job->opts.files.create_only;
	struct summary_cfg cfg;
	struct result_job *job;
	const uint32_t *member;
	uint32_t n;

	cfg = collect_summary_cfg(&e->first->job->opts.report);
	job = result_add_job(r, &e->rj);
	if (!job || result_set_snapshot(r, job, &e->total, &cfg, bins))
		return -ENOMEM;
	collect_lost_ios(r, job, run, e->first->report);
	collect_verify(r, job, run, e->first->report);
	collect_steady(r, job, run, e->first->report);
	collect_depth(r, job, run, e->first->report);
	collect_rate_steps(r, job, run, e->first->report, bins);
	collect_files(r, job, run, e->first->report);
	collect_placement(r, job, run, e->first->report);
	if (!e->sections[e->first->section].first)
		e->sections[e->first->section].first = job;
	if (job->log.waits)
		result_job_note(job,
				"the logs could not be written as fast as the job did I/O: it waited for "
				"them %" PRIu64 " times, %.3f s in total",
				job->log.waits, (double)job->log.waited_ns / 1e9);
	if (!r->as_fio) {
		collect_rate_sleeps(job, e->first, &e->total.cnt);
		collect_lateness(job, &e->total.cnt);
		collect_divided_time(job, &e->total.cnt);
	}
	if (run->end_ns && !r->as_fio) {
		collect_stall(job);
		collect_unfinished(job);
	}
	if (!run->end_ns)
		return 0;
	if (!job->error && !summary_has_io(&job->sum) && !job->no_io && !create_only)
		result_job_note(job, "no I/O was measured");
	n = plan_members(p, e->first->report, &member);
	for (uint32_t i = 0; i < n; i++)
		add_worker_notes(job, p, &p->jobs[member[i]], run_slot(run, member[i]));
	return 0;
}

/* A job with stats=0 has no entry, but its errors are noted. */
static void add_stats0_errors(struct result *r, const struct plan *p, const struct run *run)
{
	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct plan_job *pj = &p->jobs[i];
		const struct slot *s = run_slot(run, i);

		if (pj->job->opts.report.stats)
			continue;
		if (s->error_text[0])
			result_note(r, "%s ({stats=0}), {~clone|clone} %u: %s", pj->job->name, pj->clone,
				    s->error_text);
		if (s->lost_reason[0])
			result_note(r, "%s ({stats=0}), {~clone|clone} %u (pid %d): %s", pj->job->name,
				    pj->clone, s->pid, s->lost_reason);
	}
}

static int add_entry(struct result *r, const struct plan *p, const struct run *run, uint32_t report,
		     struct section_busy *sections)
{
	struct entry e = { .sections = sections };
	int ret = add_members(&e, p, run, report);

	if (!ret && e.first) {
		describe_entry(&e, run);
		ret = add_to_result(&e, r, p, run);
	}
	free(e.options);
	snap_fini(&e.total);
	return ret;
}

static int add_entries(struct result *r, const struct plan *p, const struct run *run)
{
	struct section_busy *sections = calloc(p->set->njobs + 1, sizeof(*sections));
	int ret = sections ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < p->nreports && !ret; i++)
		ret = add_entry(r, p, run, i, sections);
	if (!ret && run->end_ns && !r->as_fio)
		collect_busy_notes(sections, p->set->njobs);
	free(sections);
	return ret;
}

static void count_to(struct result_disk_counts *to, const struct disk_count *c)
{
	for (int i = 0; i < 2; i++) {
		to->ios[i] = c->ios[i];
		to->sectors[i] = c->sectors[i];
		to->merges[i] = c->merges[i];
		to->ticks_ms[i] = c->ticks[i];
	}
	to->in_queue_ms = c->in_queue;
	to->util = c->util;
}

static void add_disks(struct result *r, const struct disk_use *disks, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct result_disk rd = { .name = disks[i].name, .level = disks[i].member };

		count_to(&rd.counts, &disks[i].self);
		result_add_disk(r, &rd);
	}
}

/* The kernel's counters are read before the first job starts and after the last one, as fio reads them. */
static void note_ramp_on_disks(struct result *r, const struct plan *p, unsigned disks)
{
	bool ramp = false;

	for (size_t i = 0; i < p->njobs; i++)
		ramp |= p->jobs[i].job->opts.time.ramp_ns > 0 || p->jobs[i].job->opts.time.ramp_bytes > 0;
	if (disks && ramp)
		result_note(r, "The disk statistics cover the whole run with its ramp; the figures of the "
			       "jobs do not.");
}

static void add_self(struct result *r, const struct run *run)
{
	struct result_self *self = &r->self;
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	/* The time in which the parent used this CPU time, which is a little more than that of the workers.
	 */
	self->wall_ns = clock_ns() - run->start_ns;
	self->user_us = usage_us(&u.ru_utime, &run->start_usage.ru_utime);
	self->sys_us = usage_us(&u.ru_stime, &run->start_usage.ru_stime);
	self->max_rss_bytes = (uint64_t)u.ru_maxrss * 1024;
	self->region_bytes = run->region.bytes;
	if (run->end_ns && !getrusage(RUSAGE_CHILDREN, &u)) {
		self->children_user_us = usage_us(&u.ru_utime, &run->start_children.ru_utime);
		self->children_sys_us = usage_us(&u.ru_stime, &run->start_children.ru_stime);
	}
	r->clock.drift_ppm = clock_drift_ppm();
	r->clock.source = clock_source();
}

/* Adds a note about the trigger. If its command failed, the run failed. */
static void add_trigger(struct result *r, const struct plan *p, const struct run *run)
{
	const struct trigger *t = &run->trigger;
	const struct trigger_cfg *c = &p->set->run.trigger;
	char why[80];

	if (!t->fired)
		return;
	result_note(r, "the trigger (--trigger-%s) ended the run after %.1f s",
		    t->by_file ? "file" : "timeout", (double)t->after_ns / 1e9);
	if (!trigger_failed(t, why, sizeof(why)))
		return;
	result_note(r, "--trigger=%s: %s", c->command, why);
	result_exit_code(r, EXIT_JOB);
}

void collect_notes(struct result *r, const struct plan *p, bool reached)
{
	for (size_t i = 0; i < p->set->notes.count; i++)
		notes_add_message(&r->notes, p->set->notes.message[i]);
	for (size_t i = 0; i < p->notes.count; i++)
		if (!reached || i - p->memory_notes.first >= p->memory_notes.count)
			notes_add_message(&r->notes, p->notes.message[i]);
	for (size_t i = 0; i < p->overwrite_notes.count; i++)
		notes_add_message(&r->notes, p->overwrite_notes.message[i]);
}

/* Returns whether the devices moved at least three quarters of the bytes of all I/Os (ramps included), not
   counting the layout of files. */
static bool reached_devices(const struct plan *p, const struct run *run, const struct disk_use *disks,
			    unsigned n)
{
	uint64_t issued = 0, moved = 0, written = 0;

	for (uint32_t i = 0; i < p->njobs; i++)
		issued += atomic_load_explicit(&run_slot(run, i)->issued_bytes, memory_order_relaxed);
	for (unsigned i = 0; i < n; i++) {
		if (disks[i].member)
			continue;
		moved += disks[i].self.sectors[0] * 512;
		written += disks[i].self.sectors[1] * 512;
	}
	if (written > p->layout_bytes)
		moved += written - p->layout_bytes;
	return moved && moved >= issued / 4 * 3;
}

void collect_command(struct result *r, const struct plan *p)
{
	struct result_opt *globals = options(&p->set->globals);

	result_command(r, p->set->argc, p->set->argv);
	if (globals && p->set->has_globals)
		result_globals(r, globals, p->set->globals.n);
	free(globals);
}

/* Adds the exit codes of one worker. Damage has one even if the job continued after it. */
static void add_worker_codes(struct result *r, const struct plan_job *pj, struct slot *s, bool interrupted)
{
	bool damage = plan_verifies(pj) && slot_verify(s, pj)->damaged;

	if (damage)
		result_exit_code(r, EXIT_VERIFY);
	if (s->error && !(damage && s->error == EILSEQ))
		result_exit_code(r, EXIT_JOB);
	if (!interrupted && collect_unchecked(pj, s))
		result_exit_code(r, EXIT_UNCHECKED);
}

/* Adds the notes and the exit code at the end of the run. */
static void add_ending(struct result *r, const struct plan *p, const struct run *run, bool reached)
{
	add_stats0_errors(r, p, run);
	if (p->set->run.reading)
		result_note(r, "preset %s: %s", p->set->run.preset, p->set->run.reading);
	collect_notes(r, p, reached);
	for (uint32_t i = 0; i < p->njobs; i++)
		add_worker_codes(r, &p->jobs[i], run_slot(run, i), run->signals.first);
	add_trigger(r, p, run);
	if (run_stopped_by(run))
		result_note(r, "{event_stop=%s} was signalled and ended the run", run_stopped_by(run));
	if (run->signals.first)
		result_interrupted(r, run->signals.first, ran_ns(run));
}

int collect_run(struct result *r, const struct plan *p, const struct run *run, const struct disk_use *disks,
		unsigned ndisks)
{
	int ret;

	r->bins_off = !(p->set->run.formats & OUT_JSON_PLUS);
	collect_command(r, p);
	if (run->end_ns)
		result_environment(r);
	else
		result_set_time(r);
	add_self(r, run);
	ret = add_entries(r, p, run);
	add_disks(r, disks, ndisks);
	note_ramp_on_disks(r, p, ndisks);
	if (run->end_ns) {
		add_ending(r, p, run, reached_devices(p, run, disks, ndisks));
		collect_series(r, p, run);
	}
	result_finish(r);
	return ret;
}
