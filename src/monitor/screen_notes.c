#include "screen_display.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inflight.h"
#include "run.h"

/* I/O hangs if a worker waits for it so long and none completes meanwhile. */
#define HANGS_S  5u
#define HANGS_NS (HANGS_S * (uint64_t)1000000000u)

static void add_screen_note(struct screen_notes *n, const char *line)
{
	char *copy = strdup(line);

	if (!copy)
		return;
	if (n->n == SCREEN_NOTES) {
		free(n->line[0]);
		memmove(n->line, n->line + 1, (SCREEN_NOTES - 1) * sizeof(*n->line));
		n->n--;
	}
	n->line[n->n++] = copy;
}

bool screen_notes_init(struct screen_notes *n, const struct plan *p)
{
	*n = (struct screen_notes){ .worker = calloc(p->njobs + 1, sizeof(*n->worker)) };
	for (size_t i = 0; i < p->set->notes.count; i++)
		add_screen_note(n, p->set->notes.line[i]);
	for (size_t i = 0; i < p->notes.count; i++)
		add_screen_note(n, p->notes.line[i]);
	return n->worker;
}

void screen_notes_fini(struct screen_notes *n)
{
	for (size_t i = 0; i < n->n; i++)
		free(n->line[i]);
	free(n->worker);
	*n = (struct screen_notes){ 0 };
}

/* Adds "00:12 JOB, clone 3: TEXT". Clones of a job with the same text one after the other share a note:
   "00:12 JOB: TEXT (4 clones)". */
static void add_event(struct screen_notes *n, const struct run *r, uint32_t i, uint64_t now, const char *text)
{
	const struct plan_job *pj = &r->plan->jobs[i];
	unsigned s = (unsigned)((now - r->start_ns) / 1000000000u);
	char line[640], clone[24] = "", clones[24] = "";

	if (n->n && n->last.job == pj->job && !strcmp(n->last.text, text)) {
		snprintf(clones, sizeof(clones), " (%u clones)", ++n->last.clones);
		free(n->line[--n->n]);
	} else {
		n->last.clones = 1;
		n->last.job = pj->job;
		snprintf(n->last.text, sizeof(n->last.text), "%s", text);
		if (pj->job->opts.group.numjobs > 1)
			snprintf(clone, sizeof(clone), ", clone %u", pj->clone);
	}
	snprintf(line, sizeof(line), "%02u:%02u %s%s: %s%s", s / 60, s % 60, pj->job->name, clone, text,
		 clones);
	add_screen_note(n, line);
}

static bool does_io(enum worker_phase phase)
{
	return phase >= PHASE_RAMP && phase <= PHASE_SYNC;
}

/* Sets w->hung_ns. */
static void look_for_hang(struct screen_notes *n, const struct run *r, uint32_t i, uint64_t now)
{
	struct worker_watch *w = &n->worker[i];
	uint64_t ios = slot_live_ios(run_slot(r, i)), oldest = 0, hung = 0;
	char text[128];

	if (ios != w->ios || !w->since_ns || !does_io(run_phase(r, i))) {
		w->ios = ios;
		w->since_ns = now;
	} else if (now - w->since_ns >= HANGS_NS && inflight_count(r, i, &oldest) && oldest && now > oldest) {
		hung = now - oldest >= HANGS_NS ? now - oldest : 0;
	}
	if (hung && !w->hung_ns) {
		snprintf(text, sizeof(text), "hangs: no I/O has completed for %u s", HANGS_S);
		add_event(n, r, i, now, text);
	} else if (!hung && w->hung_ns) {
		snprintf(text, sizeof(text), "hung for %" PRIu64 " s", w->hung_ns / 1000000000u);
		add_event(n, r, i, now, text);
	}
	w->hung_ns = hung;
}

static void look_for_errors(struct screen_notes *n, const struct run *r, uint32_t i, uint64_t now)
{
	struct worker_watch *w = &n->worker[i];
	const struct slot *s = run_slot(r, i);
	char text[sizeof(s->error_text) + 1] = "";

	if (!w->survived_error && s->survived_error[0]) {
		snprintf(text, sizeof(text), "%.*s; survived", (int)sizeof(s->survived_error),
			 s->survived_error);
		add_event(n, r, i, now, text);
		w->survived_error = true;
	}
	if (w->ended || run_phase(r, i) != PHASE_DONE)
		return;
	w->ended = true;
	if (s->lost_reason[0])
		add_event(n, r, i, now, s->lost_reason);
	else if (s->error && s->error_text[0])
		add_event(n, r, i, now, s->error_text);
}

void screen_notes_update(struct screen_notes *n, const struct run *r, uint64_t now)
{
	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		look_for_hang(n, r, i, now);
		look_for_errors(n, r, i, now);
	}
}
