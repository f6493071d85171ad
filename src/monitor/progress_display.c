#include "progress_display.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "clock.h"
#include "collect.h"
#include "remaining_time.h"
#include "report.h"

/* The line is drawn at the tick that is nearest to its time. */
#define TICK_NS 250000000u

void progress_display_init(struct progress_display *e, const struct run_opts *o, const struct plan *p)
{
	*e = (struct progress_display){ .plan = p, .to = o->as_fio ? stdout : stderr };
	e->terminal = isatty(fileno(e->to));
	e->on = o->eta == ETA_ALWAYS || (o->eta == ETA_AUTO && e->terminal && o->formats & OUT_TEXT);
	if (o->as_fio && !o->output && !(o->formats & OUT_NORMAL))
		e->on = false; /* stdout belongs to the document */
	e->every_ns = o->eta_interval_ns ? o->eta_interval_ns : 500000000u;
	e->newline_ns = o->eta_newline_ns;
	e->states = e->on ? calloc(p->njobs + 1, 1) : NULL;
	e->on = e->states != NULL;
}

void progress_display_wave(struct progress_display *e, uint32_t wave)
{
	e->wave = wave;
}

static char run_letter(const struct plan_job *j)
{
	static const char seq[] = "RRWM", rnd[] = "rrwm";
	unsigned dirs = j->rw & (RW_READ | RW_WRITE);

	if (j->rw & RW_TRIM)
		return j->rw & RW_RANDOM ? 'd' : 'D';
	return j->rw & RW_RANDOM ? rnd[dirs] : seq[dirs];
}

/* Returns the letter of a worker that has ended. */
static char end_letter(const struct run *r, const struct plan_job *j)
{
	const struct slot *s = run_slot(r, j->index);

	if (s->lost[0])
		return 'K';
	return s->error ? 'X' : r->job[j->index].reaped ? '_' : 'E';
}

static bool has_layout(const struct plan_job *j)
{
	for (uint32_t i = 0; i < j->nfiles; i++)
		if (j->files[i].owner &&
		    (j->files[i].layout == LAYOUT_FILL || j->files[i].layout == LAYOUT_CREATE))
			return true;
	return false;
}

static bool syncs_at_end(const struct plan_job *j)
{
	return j->job->opts.sync.end_fsync || j->job->opts.sync.end_syncfs ||
	       j->job->opts.file.fsync_on_close;
}

/* The letters are those of fio, except L for layout, which fiord does not show under fio's name. */
static char letter(const struct progress_display *e, const struct run *r, const struct plan_job *j)
{
	switch (run_phase(r, j->index)) {
	case PHASE_CREATED:
		return j->wave == e->wave ? 'C' : 'P';
	case PHASE_WAIT:
		return 'P';
	case PHASE_SETUP:
		return !has_layout(j) ? 'C' : e->plan->set->run.as_fio ? 'I' : 'L';
	case PHASE_PRE_READ:
		return 'p';
	case PHASE_READY:
	case PHASE_DELAY:
		return 'I';
	case PHASE_RAMP:
		return '/';
	case PHASE_RUN:
	case PHASE_COOL:
		return run_letter(j);
	case PHASE_VERIFY:
		return 'V';
	case PHASE_SYNC:
		return syncs_at_end(j) ? 'F' : 'f';
	case PHASE_DONE:
		break;
	}
	return end_letter(r, j);
}

static bool has_rate(const struct plan_job *j)
{
	const struct pace_cfg *c = &j->job->opts.pace;

	for (int d = 0; d < DIR_DATA; d++)
		if (j->rw & 1u << d && !c->rate[d] && !c->rate_iops[d])
			return false;
	return true;
}

static void add_rates(struct progress *p, const struct plan_job *j);

/* Adds the rates of a thread group, if all of its members have one. */
static void add_members(struct progress *p, const struct plan_job *j)
{
	bool all = true;

	for (uint32_t i = 0; i < j->nmembers; i++)
		all = all && has_rate(&j->members[i]);
	for (uint32_t i = 0; i < j->nmembers && all; i++)
		for (uint32_t k = 0; k < j->members[i].nfiles; k++)
			add_rates(p, &j->members[i]);
}

static void add_rates(struct progress *p, const struct plan_job *j)
{
	const struct pace_cfg *c = &j->job->opts.pace;
	const struct rate_min_cfg *rate_min = &j->job->opts.rate_min;

	if (j->nmembers) {
		add_members(p, j);
		return;
	}
	for (int d = 0; d < DIR_DATA; d++) {
		if (!(j->rw & 1u << d) || (c->total && j->rw & ((1u << d) - 1)))
			continue;
		p->rate_hi += c->rate[d];
		p->rate_iops_hi += c->rate_iops[d];
		p->rate_lo += rate_min->rate[d];
		p->rate_iops_lo += rate_min->iops[d];
	}
}

static void measure(struct progress_display *e, const struct run *r, struct progress *p, uint64_t now)
{
	uint64_t ios[DIR_DATA] = { 0 }, bytes[DIR_DATA] = { 0 }, ns = now - e->last_ns;

	for (uint32_t i = 0; i < e->plan->njobs; i++) {
		const struct plan_job *j = &e->plan->jobs[i];
		const struct slot *s = run_slot(r, i);
		enum worker_phase phase = run_phase(r, i);

		e->states[i] = letter(e, r, j);
		if (phase > PHASE_CREATED && phase < PHASE_DONE && phase != PHASE_WAIT) {
			p->running++;
			p->files += atomic_load_explicit(&s->open_files, memory_order_relaxed);
			add_rates(p, j);
		}
		if (phase == PHASE_SETUP)
			p->layout_done += atomic_load_explicit(&s->layout_bytes, memory_order_relaxed);
		if (phase == PHASE_SETUP && j->wave == e->wave && !e->plan->set->run.as_fio)
			p->layout_total = e->plan->layout_bytes;
		for (int d = 0; d < DIR_DATA; d++) {
			ios[d] += atomic_load_explicit(&s->live_ios[d], memory_order_relaxed);
			bytes[d] += atomic_load_explicit(&s->live_bytes[d], memory_order_relaxed);
		}
	}
	for (int d = 0; d < DIR_DATA; d++) {
		/* The workers reset their counts when a ramp ends. */
		uint64_t dios = ios[d] >= e->last_ios[d] ? ios[d] - e->last_ios[d] : ios[d];
		uint64_t dbytes = bytes[d] >= e->last_bytes[d] ? bytes[d] - e->last_bytes[d] : bytes[d];

		if (e->last_ns && ns) {
			p->iops[d] = (uint64_t)((double)dios * 1e9 / (double)ns);
			p->bw[d] = (uint64_t)((double)dbytes * 1e9 / (double)ns);
		}
		e->last_ios[d] = ios[d];
		e->last_bytes[d] = bytes[d];
	}
	e->last_ns = now;
}

/* Returns the width of the terminal; 0: unknown. */
static unsigned columns(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

static void draw(struct progress_display *e)
{
	struct strbuf b = { 0 };

	report_progress(&e->now, &b);
	fprintf(e->to, "%s%s", strbuf_str(&b), e->terminal ? "\033[K\r" : "\r");
	strbuf_fini(&b);
}

/* Draws the same line again if the terminal was resized. */
static void resize(struct progress_display *e)
{
	unsigned fits = e->terminal && e->shown ? columns(fileno(e->to)) : e->now.columns;

	if (fits == e->now.columns)
		return;
	e->now.columns = fits;
	draw(e);
	fflush(e->to);
}

void progress_display_show(struct progress_display *e, const struct run *r)
{
	struct progress p = { .states = e->states };
	uint64_t now = clock_ns();
	double left, ran = (double)(now - r->start_ns) / 1e9;

	if (!e->on)
		return;
	if (now + TICK_NS / 2 < e->next_ns) {
		resize(e);
		return;
	}
	e->next_ns = now + e->every_ns;
	p.columns = e->terminal ? columns(fileno(e->to)) : 0;
	p.units = collect_units(&e->plan->jobs[0].job->opts.report);
	measure(e, r, &p, now);
	left = remaining_time_s(r, now);
	p.eta_known = p.percent_known = left >= 0;
	p.eta_s = left > 0 ? (uint64_t)(left + 0.5) : 0;
	p.percent = left >= 0 && ran + left > 0 ? 100.0 * ran / (ran + left) : 0;
	e->now = p;
	draw(e);
	if (e->newline_ns && now - e->last_newline_ns >= e->newline_ns) {
		fputc('\n', e->to);
		e->last_newline_ns = now;
	}
	fflush(e->to);
	e->shown = true;
}

static void end_line(struct progress_display *e)
{
	if (!e->shown)
		return;
	fputs(e->terminal ? "\033[K" : "\n", e->to);
	fflush(e->to); /* the document is written without stdio */
	e->shown = false;
	e->next_ns = 0;
}

void progress_display_break(struct progress_display *e)
{
	if (e->terminal || e->to == stdout)
		end_line(e);
}

void progress_display_end(struct progress_display *e)
{
	end_line(e);
	free(e->states);
	e->states = NULL;
	e->on = false;
}
