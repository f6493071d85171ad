#include "screen_display.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "clock.h"
#include "strbuf.h"

struct meter_row {
	enum lat_kind kind;  /* of its latencies; LAT_KINDS: none */
	struct ival_sum sum; /* since the last reading */
	uint64_t ios, bytes, last_ios, last_bytes;
	char letter;      /* the most active of its workers */
	uint64_t hung_ns; /* the longest of its workers */
	char state[24];
};

static void set_title(struct screen_meter *m)
{
	const struct job_set *set = m->plan->set;

	for (int i = 0; i < set->argc; i++) {
		const char *slash = i ? NULL : strrchr(set->argv[0], '/');

		strbuf_printf(&m->title, "%s%s", i ? " " : "", slash ? slash + 1 : set->argv[i]);
	}
}

/* Returns true if all directions of all jobs have response times, as they have under a rate. */
static bool all_have_resp(const struct plan *p)
{
	bool any = false;

	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct plan_job *pj = &p->jobs[i];

		for (unsigned d = 0; d < DIR_DATA; d++) {
			if (!(pj->rw & 1u << d))
				continue;
			if (!pj->layout.moments[d][LAT_RESP])
				return false;
			any = true;
		}
	}
	return any;
}

/* The screen shows the same kind of latency for all jobs: the response time if all have a rate, else the
   latency that the report shows first. */
static enum lat_kind shown_kind(const struct plan_job *pj, bool resp)
{
	return !pj->rw ? LAT_KINDS : resp ? LAT_RESP : pj->series_kind;
}

bool screen_meter_init(struct screen_meter *m, const struct plan *p)
{
	bool resp = all_have_resp(p);

	*m = (struct screen_meter){ .plan = p };
	m->rows = calloc(p->nreports + 1, sizeof(*m->rows));
	m->row = calloc(p->nreports + 1, sizeof(*m->row));
	m->scratch = calloc(1, sizeof(*m->scratch));
	if (!screen_notes_init(&m->notes, p) || !m->rows || !m->row || !m->scratch)
		return false;
	m->all = &m->row[p->nreports];
	m->all->kind = LAT_KINDS;
	for (uint32_t i = p->njobs; i-- > 0;) {
		const struct plan_job *pj = &p->jobs[i];

		m->rows[pj->report].name = pj->job->name;
		m->rows[pj->report].workers++;
		m->rows[pj->report].is_clone = pj->job->opts.group.numjobs > 1;
		m->rows[pj->report].clone = pj->clone;
		m->row[pj->report].kind = shown_kind(pj, resp);
		if (shown_kind(pj, resp) < LAT_KINDS)
			m->all->kind = shown_kind(pj, resp);
	}
	set_title(m);
	return true;
}

void screen_meter_fini(struct screen_meter *m)
{
	for (uint32_t i = 0; m->row && i <= m->plan->nreports; i++)
		ival_sum_fini(&m->row[i].sum);
	free(m->rows);
	free(m->row);
	free(m->scratch);
	screen_notes_fini(&m->notes);
	strbuf_fini(&m->title);
	*m = (struct screen_meter){ 0 };
}

void screen_meter_interval(struct screen_meter *m, uint32_t job, unsigned track, const struct ival *rec)
{
	const struct plan_job *pj = &m->plan->jobs[job];
	unsigned own;

	if (m->row && plan_track(pj, TRACK_SERIES, &own) && own == track)
		ival_sum_add(&m->row[pj->report].sum, rec);
}

/* ---- latencies ---- */

static struct screen_lat latency(const struct ival_sum_lat *l)
{
	if (!l || !l->n)
		return (struct screen_lat){ 0 };
	return (struct screen_lat){ true, l->bins, (double)l->sum / (double)l->n,
				    ival_sum_percentile(l, 99) };
}

/* Returns the latency of all directions. */
static struct screen_lat join(const struct meter_row *m, struct ival_sum_lat *to)
{
	to->n = to->sum = to->max = 0;
	to->min = UINT64_MAX;
	to->bins = true;
	hist_reset(&to->hist);
	for (unsigned d = 0; d < DIR_DATA; d++) {
		const struct ival_sum_lat *l = m->sum.dir[d].lat[m->kind];

		if (!l || !l->n)
			continue;
		to->n += l->n;
		to->sum += l->sum;
		to->min = l->min < to->min ? l->min : to->min;
		to->max = l->max > to->max ? l->max : to->max;
		to->bins = to->bins && l->bins;
		hist_merge(&to->hist, &l->hist);
	}
	return latency(to);
}

/* Without a new record a row keeps its latencies as long as it does I/O: the records come a bit later than
   the counts. */
static void read_latencies(struct screen_meter *m, struct meter_row *from, struct screen_row *to)
{
	bool any = false;

	if (from->kind == LAT_KINDS)
		return;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		const struct ival_sum_lat *l = from->sum.dir[d].lat[from->kind];

		any |= l && l->n;
	}
	if (!any && to->iops)
		return;
	for (unsigned d = 0; d < DIR_DATA; d++)
		to->lat[d] = latency(from->sum.dir[d].lat[from->kind]);
	to->all_dirs = join(from, m->scratch);
}

/* ---- rates and states ---- */

/* The letters of progress.states and their words. A row has the state of its most active worker, which comes
   first here. */
static const struct {
	const char *letters, *word;
} states[] = {
	{ "RWMDrwmd", "running" }, { "/", "ramp" },    { "V", "verifying" }, { "L", "layout" },
	{ "p", "pre-read" },       { "F", "fsync" },   { "f", "closing" },   { "C", "starting" },
	{ "I", "ready" },          { "P", "waiting" }, { "K", "killed" },    { "X", "failed" },
	{ "E_", "done" },
};

static size_t letter_state(char letter)
{
	size_t i = 0;

	while (i + 1 < sizeof(states) / sizeof(*states) && !strchr(states[i].letters, letter))
		i++;
	return i;
}

static void add_meter_worker(struct screen_meter *m, const struct run *r, uint32_t i, char letter)
{
	struct meter_row *row = &m->row[m->plan->jobs[i].report];
	const struct slot *s = run_slot(r, i);

	for (int d = 0; d < DIR_DATA; d++) {
		row->ios += atomic_load_explicit(&s->live_ios[d], memory_order_relaxed);
		row->bytes += atomic_load_explicit(&s->live_bytes[d], memory_order_relaxed);
	}
	if (!row->letter || letter_state(letter) < letter_state(row->letter))
		row->letter = letter;
	if (m->notes.worker[i].hung_ns > row->hung_ns)
		row->hung_ns = m->notes.worker[i].hung_ns;
}

/* The workers reset their counts when a ramp ends. */
static uint64_t rate(uint64_t now, uint64_t before, uint64_t ns)
{
	uint64_t n = now >= before ? now - before : now;

	return ns ? (uint64_t)((double)n * 1e9 / (double)ns) : 0;
}

static void read_row(struct screen_meter *m, uint32_t i, uint64_t ns)
{
	struct meter_row *from = &m->row[i];
	struct screen_row *to = &m->rows[i];
	size_t state = letter_state(from->letter);

	to->iops = rate(from->ios, from->last_ios, ns);
	to->bw = rate(from->bytes, from->last_bytes, ns);
	from->last_ios = from->ios;
	from->last_bytes = from->bytes;
	if (from->hung_ns)
		snprintf(from->state, sizeof(from->state), "hung %" PRIu64 "s", from->hung_ns / 1000000000u);
	to->state = from->hung_ns ? from->state : states[state].word;
	to->faulty = from->hung_ns || strchr("KX", from->letter);
	to->active = state <= letter_state('f');
	read_latencies(m, from, to);
	if (from->kind == m->all->kind)
		ival_sum_merge(&m->all->sum, &from->sum);
	ival_sum_reset(&from->sum);
}

static void read_rows(struct screen_meter *m, const struct run *r, const char *letters)
{
	uint64_t now = clock_ns(), ns = m->last_ns ? now - m->last_ns : 0;

	screen_notes_update(&m->notes, r, now);
	for (uint32_t i = 0; i < m->plan->nreports; i++) {
		m->row[i].ios = m->row[i].bytes = m->row[i].hung_ns = 0;
		m->row[i].letter = '\0';
	}
	for (uint32_t i = 0; i < m->plan->njobs; i++)
		add_meter_worker(m, r, i, letters[i]);
	for (uint32_t i = 0; i < m->plan->nreports; i++)
		read_row(m, i, ns);
	m->last_ns = now;
}

/* The progress is that of all machines, the rows are the jobs of this one. */
static void take_all_machines(struct screen_row *total, const struct progress *p)
{
	total->iops = total->bw = 0;
	for (int d = 0; d < DIR_DATA; d++) {
		total->iops += p->iops[d];
		total->bw += p->bw[d];
	}
}

static void read_total(struct screen_meter *m, const struct progress *p)
{
	struct screen_row *total = &m->rows[m->plan->nreports];

	total->name = "total";
	total->state = "";
	total->active = true;
	total->iops = total->bw = 0;
	for (uint32_t i = 0; i < m->plan->nreports; i++) {
		total->iops += m->rows[i].iops;
		total->bw += m->rows[i].bw;
	}
	if (p->ranks)
		take_all_machines(total, p);
	read_latencies(m, m->all, total);
	ival_sum_reset(&m->all->sum);
}

/* ---- the state of the screen ---- */

static void add_point(struct screen_meter *m)
{
	const struct screen_row *total = &m->rows[m->plan->nreports];

	if (m->points == SCREEN_POINTS) {
		memmove(m->iops, m->iops + 1, sizeof(m->iops) - sizeof(*m->iops));
		memmove(m->p99, m->p99 + 1, sizeof(m->p99) - sizeof(*m->p99));
		m->points--;
	}
	m->iops[m->points] = total->iops;
	m->p99[m->points++] = total->all_dirs.p99;
}

static void count_workers(const char *letters, struct screen_state *s)
{
	for (; *letters; letters++) {
		s->waiting += *letters == 'P';
		s->done += strchr("E_", *letters) != NULL;
		s->failed += strchr("KX", *letters) != NULL;
	}
}

static unsigned all_dirs(const struct plan *p)
{
	unsigned dirs = 0;

	for (uint32_t i = 0; i < p->njobs; i++)
		dirs |= p->jobs[i].rw & ((1u << DIR_DATA) - 1);
	return dirs;
}

void screen_meter_read(struct screen_meter *m, const struct run *r, const struct progress *p,
		       const char *letters, struct screen_state *s)
{
	bool first = !m->last_ns;

	read_rows(m, r, letters);
	read_total(m, p);
	if (!first)
		add_point(m);
	*s = (struct screen_state){ .title = strbuf_str(&m->title),
				    .now = p,
				    .elapsed_s = (m->last_ns - r->start_ns) / 1000000000u,
				    .kind = m->all->kind,
				    .dirs = all_dirs(m->plan),
				    .rows = m->rows,
				    .nrows = m->plan->nreports,
				    .total = m->rows[m->plan->nreports],
				    .iops = { m->iops, m->points },
				    .p99 = { m->p99, m->points },
				    .notes = (const char *const *)m->notes.line,
				    .nnotes = m->notes.n };
	count_workers(p->states, s);
}
