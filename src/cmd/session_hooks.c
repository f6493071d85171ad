/* session_hooks.c: the parent's work between the events of a run: logs, status, progress. */
#include "clock.h"
#include "cpuidle.h"
#include "logs.h"
#include "report.h"
#include "session.h"
#include "strbuf.h"
#include "waves.h"

/* Adds the line of the normal report about the files that the job lays out, if there are any. */
static void put_layout(const struct plan *p, const struct plan_job *job, struct strbuf *b)
{
	uint64_t bytes = 0;
	unsigned files = 0;

	for (uint32_t i = 0; i < job->nfiles; i++) {
		const struct plan_file *f = &job->files[i];

		if (!f->owner || (f->layout != LAYOUT_FILL && f->layout != LAYOUT_CREATE))
			continue;
		files++;
		bytes += plan_layout_bytes(p, f);
	}
	if (files)
		report_layout_line(b, job->job->name, files, bytes);
}

static void on_setup(void *ctx, const struct run *r, uint32_t wave)
{
	struct session *s = ctx;
	const struct plan *p = &s->planning->plan;
	struct strbuf b = { 0 };

	(void)r;
	for (uint32_t i = 0; i < p->njobs && p->set->run.formats & OUT_NORMAL; i++)
		if (p->jobs[i].wave == wave)
			put_layout(p, &p->jobs[i], &b);
	if (b.len)
		progress_display_break(&s->display.progress);
	outputs_put(&s->display.out, OUT_NORMAL, strbuf_str(&b), b.len);
	strbuf_fini(&b);
}

static bool wants_disk_util(const struct plan_job *pj, const void *arg)
{
	(void)arg;
	return pj->job->opts.report.disk_util;
}

static uint64_t earlier_known(uint64_t a, uint64_t b)
{
	return !b || (a && a < b) ? a : b;
}

/* Returns the time at which the parent must call on_tick next; 0: its regular interval is enough. */
static uint64_t next_due(const struct session *s)
{
	uint64_t due = status_next_ns(&s->display.status);

	due = earlier_known(due, wave_usage_due_ns(s->planning->spans.cpus));
	due = earlier_known(due, run_split_due_ns(&s->machine.split));
	return earlier_known(due, live_due_ns(&s->display.live));
}

static void on_forked(void *ctx, struct run *r)
{
	struct session *s = ctx;

	if (s->logs)
		logs_start(s->logs, r);
	live_begin(&s->display.live, r);
	s->hooks.due_ns = next_due(s);
}

static void on_interval(void *ctx, const struct run *r, uint32_t job, unsigned track, const struct ival *rec)
{
	struct session *s = ctx;

	progress_display_interval(&s->display.progress, job, track, rec);
	if (s->logs)
		logs_interval(s->logs, job, track, rec);
	live_interval(&s->display.live, r, job, track, rec);
}

static bool has_room(void *ctx, const struct run *r, uint32_t job, unsigned track)
{
	struct session *s = ctx;

	(void)r;
	return (!s->logs || logs_room(s->logs, job, track)) && live_room(&s->display.live, job, track);
}

static void on_workers_ended(void *ctx, struct run *r)
{
	struct session *s = ctx;

	live_workers_ended(&s->display.live, r);
}

static void on_open(void *ctx, const struct run *r, uint32_t wave)
{
	struct session *s = ctx;

	trim_holes_begin(&s->machine.trim_holes, &s->planning->plan, wave);
	run_split_wave(&s->machine.split, r, wave);
	if (wave == 0) {
		status_begin(&s->display.status, clock_ns());
		cpu_throttle_read(&s->machine.throttle);
		s->machine.disks = target_storage_disks(&s->planning->plan, wants_disk_util, NULL);
		if (s->planning->set->run.idle_prof)
			s->machine.idle = cpuidle_begin();
	}
	wave_usage_begin(s->planning->spans.cpus, wave, clock_ns());
	live_wave_open(&s->display.live);
	s->hooks.due_ns = next_due(s);
}

static void on_tick(void *ctx, struct run *r)
{
	struct session *s = ctx;
	struct session_display *d = &s->display;
	const char *by;

	if (s->logs)
		logs_tick(s->logs);
	wave_usage_tick(s->planning->spans.cpus, clock_ns());
	run_split_tick(&s->machine.split);
	live_tick(&d->live, r);
	by = status_due(&d->status, r, clock_ns());
	if (by && !r->end_ns && s->gate.status)
		s->gate.status(s->gate.ctx, r, by);
	else if (by && !r->end_ns)
		status_take(&d->status, r, by, s->machine.disks, &d->out);
	if (outputs_waiting(&d->out))
		progress_display_break(&d->progress);
	s->hooks.due_ns = r->end_ns ? 0 : next_due(s);
	outputs_flush(&d->out);
	if (outputs_failed(&d->out) && !r->ended_early && !r->end_ns)
		waves_end_run(r); /* the output has no reader any more */
	progress_display_show(&d->progress, r);
	diskspd_progress_tick(&d->diskspd, r);
	if (s->gate.tick)
		s->gate.tick(s->gate.ctx, r);
}

static uint64_t wave_gate(void *ctx, struct run *r, uint32_t wave)
{
	struct session *s = ctx;

	return s->gate.wave_gate(s->gate.ctx, r, wave);
}

void session_hooks_init(struct session *s)
{
	uint64_t tick_ns = STATUS_FILE_POLL_NS;

	if (s->display.progress.on && s->display.progress.every_ns < tick_ns)
		tick_ns = s->display.progress.every_ns;
	if (s->gate.tick && SESSION_GATE_TICK_NS < tick_ns)
		tick_ns = SESSION_GATE_TICK_NS;
	s->hooks = (struct run_hooks){ .ctx = s,
				       .tick_ns = tick_ns,
				       .tick = on_tick,
				       .wave_setup = on_setup,
				       .wave_open = on_open,
				       .wave_gate = s->gate.wave_gate ? wave_gate : NULL,
				       .gate_poll_ns = s->gate.gate_poll_ns,
				       .workers_forked = on_forked,
				       .interval = on_interval,
				       .workers_ended = on_workers_ended,
				       .has_room = has_room };
}
