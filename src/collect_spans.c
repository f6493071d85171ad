#include "collect_spans.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "cmd_fromjob.h"
#include "spans.h"
#include "topology.h"

int spans_source_init(struct spans_source *s, const struct plan *p, const struct machine *m, struct diag *d)
{
	if (!(p->set->run.formats & OUT_SPANS))
		return 0;
	s->profile = p->set->diskspd.profile;
	if (s->profile)
		return 0;
	s->profile = &s->own;
	if (fromjob_profile(&s->own, p->set, &m->allowed, &s->lost, d))
		return diag_wrap(d, "--output-format=diskspd");
	return 0;
}

void spans_source_fini(struct spans_source *s)
{
	ds_profile_fini(&s->own);
	notes_fini(&s->lost);
}

/* ---- one time span ---- */

struct spanner {
	struct result *r;
	const struct plan *p;
	const struct run *run;
	const struct surroundings *around;
	const struct ds_profile *profile;
	struct arena mem;
	unsigned number;
	/* Of the span at hand. */
	uint32_t wave;
	const struct ds_span *asked;
	struct result_span span;
	struct span_thread *thread;
	struct span_through *through;
	struct snapshot total;
	struct by_target {
		uint32_t target; /* of the plan */
		struct snapshot snap;
	} * target;
	size_t targets;
	bool failed;
};

/* As fromjob leaves those out that DISKSPD could not do. */
static bool has_counterpart(const struct plan_job *pj)
{
	return !(pj->job->engine->caps & (ENG_META | ENG_NOIO | ENG_ALTERS)) && !(pj->rw & RW_TRIM);
}

static bool is_mine(const struct spanner *s, const struct plan_job *pj)
{
	return pj->wave == s->wave && has_counterpart(pj);
}

static void *make(struct spanner *s, size_t n, size_t bytes)
{
	void *v = arena_array(&s->mem, n ? n : 1, bytes);

	s->failed = s->failed || !v;
	return v;
}

/* ---- latencies ---- */

/* DISKSPD's latency begins before the submission. Where that one has no histogram its percentiles would be
   missing: then it is the one that has. */
static enum lat_kind kind_of(const struct wstat_layout *l)
{
	for (unsigned dir = 0; dir < 2; dir++)
		if (l->hist[dir][LAT_LAT])
			return LAT_LAT;
	for (unsigned dir = 0; dir < 2; dir++)
		if (l->hist[dir][LAT_CLAT])
			return LAT_CLAT;
	return LAT_LAT;
}

static void set_moments(struct span_lat *l, const struct moments *m)
{
	*l = (struct span_lat){ .n = m->n };
	if (!m->n)
		return;
	l->min = m->min;
	l->max = m->max;
	l->mean = moments_mean(m);
	l->stddev = moments_stddev(m) * sqrt((double)(m->n - 1) / (double)m->n);
}

/* Reads, writes, and both. */
static void set_moments_of(struct span_lat *lat[SPAN_KINDS], const struct snapshot *snap)
{
	enum lat_kind kind = kind_of(&snap->layout);
	struct moments both = snap->st->dir[DIR_READ].lat[kind];

	set_moments(lat[SPAN_READ], &both);
	set_moments(lat[SPAN_WRITE], &snap->st->dir[DIR_WRITE].lat[kind]);
	moments_merge(&both, &snap->st->dir[DIR_WRITE].lat[kind]);
	set_moments(lat[SPAN_TOTAL], &both);
}

/* The buckets live in the span's arena. */
static void set_bins(struct spanner *s, struct span_lat *l, const struct hist *h)
{
	uint64_t *ns = make(s, HIST_BUCKETS, sizeof(*ns)), *count = make(s, HIST_BUCKETS, sizeof(*count));

	if (s->failed)
		return;
	l->bins.n = hist_bins(h, ns, count);
	l->bins.ns = ns;
	l->bins.count = count;
}

static void set_lats(struct spanner *s, struct span_lat *lat[SPAN_KINDS], const struct snapshot *snap)
{
	enum lat_kind kind = kind_of(&snap->layout);
	struct hist *both = make(s, 1, sizeof(*both));

	if (s->failed)
		return;
	hist_init(both);
	set_moments_of(lat, snap);
	for (unsigned dir = 0; dir < 2; dir++) {
		unsigned index = snap->layout.hist[dir][kind];

		if (!index)
			continue;
		set_bins(s, lat[dir == DIR_READ ? SPAN_READ : SPAN_WRITE], &snap->st->hist[index - 1]);
		hist_merge(both, &snap->st->hist[index - 1]);
	}
	set_bins(s, lat[SPAN_TOTAL], both);
}

/* ---- threads ---- */

/* "a:b", as filename= has it: I/Os are not counted apart for the files of a worker. */
static const char *paths_of(struct spanner *s, const struct plan_job *pj, uint64_t *size)
{
	const char *path = NULL;

	*size = 0;
	for (uint32_t i = 0; i < pj->nfiles; i++) {
		const struct plan_target *t = &s->p->targets[pj->files[i].target];
		bool device = t->facts->type == TARGET_BLOCK;

		*size += device ? t->facts->size : pj->files[i].size;
		path = path ? arena_printf(&s->mem, "%s:%s", path, t->path) : t->path;
	}
	return path ? path : "";
}

static void set_row(struct spanner *s, struct span_row *row, const struct plan_job *pj,
		    const struct snapshot *snap)
{
	struct span_lat *lat[SPAN_KINDS] = { &row->flow[0].lat, &row->flow[1].lat, &row->flow[2].lat };

	row->path = paths_of(s, pj, &row->size);
	for (unsigned dir = 0; dir < 2; dir++) {
		struct span_flow *f = &row->flow[dir == DIR_READ ? SPAN_READ : SPAN_WRITE];

		f->ios = snap->st->dir[dir].ios;
		f->bytes = snap->st->dir[dir].bytes;
	}
	set_moments_of(lat, snap);
}

static int add_to_target(struct spanner *s, const struct plan_job *pj, const struct snapshot *snap)
{
	uint32_t target = pj->files[0].target;
	size_t i = 0;

	if (pj->nfiles != 1)
		return 0;
	while (i < s->targets && s->target[i].target != target)
		i++;
	if (i == s->targets)
		s->target[s->targets++].target = target;
	return snap_add(&s->target[i].snap, snap);
}

/* It was at work when the signal came, or never began. */
static bool was_ended(const struct run *run, const struct slot *slot)
{
	return run->signal && (!slot->run_start_ns || slot->run_end_ns >= run->signal_ns);
}

/* What ended it before its time. */
static void set_error(struct spanner *s, const struct plan_job *pj)
{
	const struct slot *slot = run_slot(s->run, pj->index);

	if (s->span.error)
		return;
	if (slot->error_text[0])
		s->span.error = slot->error_text;
	else if (slot->lost[0])
		s->span.error = slot->lost;
	else if (was_ended(s->run, slot))
		s->span.error = arena_printf(&s->mem, "terminated by SIG%s", sigabbrev_np(s->run->signal));
}

static bool asks_through(const struct ds_span *asked, const char *path)
{
	for (size_t i = 0; i < asked->targets; i++)
		if (asked->target[i].write_through && !strcmp(asked->target[i].path, path))
			return true;
	return false;
}

static void add_through(struct spanner *s, const struct plan_job *pj)
{
	for (uint32_t i = 0; i < pj->nfiles; i++) {
		const struct plan_target *t = &s->p->targets[pj->files[i].target];
		const char *means = surroundings_durable(s->around, t->facts);
		size_t k = 0;

		if (!asks_through(s->asked, t->path))
			continue;
		while (k < s->span.throughs && strcmp(s->through[k].path, t->path) != 0)
			k++;
		if (k == s->span.throughs)
			s->through[s->span.throughs++] =
				(struct span_through){ t->path, means ? means : "not known" };
	}
}

static int add_thread(struct spanner *s, const struct plan_job *pj)
{
	struct span_thread *t = &s->thread[s->span.threads];
	struct span_row *row = make(s, 1, sizeof(*row));
	struct snapshot snap = { 0 };
	int ret = s->failed ? -ENOMEM : run_snapshot(s->run, pj->index, &snap);
	double seconds;

	if (!ret && pj->nfiles) {
		*t = (struct span_thread){ .id = (unsigned)s->span.threads, .row = row, .rows = 1 };
		s->span.threads++;
		set_row(s, row, pj, &snap);
		seconds = (double)snap.cnt.job_runtime_ns / 1e9;
		if (seconds > s->span.seconds)
			s->span.seconds = seconds;
		set_error(s, pj);
		add_through(s, pj);
		ret = snap_add(&s->total, &snap);
		ret = ret ? ret : add_to_target(s, pj, &snap);
	}
	snap_fini(&snap);
	return ret;
}

static void set_targets(struct spanner *s)
{
	struct span_target *v = make(s, s->targets, sizeof(*v));

	for (size_t i = 0; !s->failed && i < s->targets; i++) {
		struct span_lat *lat[SPAN_KINDS] = { &v[i].lat[0], &v[i].lat[1], &v[i].lat[2] };

		v[i].path = s->p->targets[s->target[i].target].path;
		set_lats(s, lat, &s->target[i].snap);
	}
	s->span.target = v;
	s->span.targets = s->targets;
}

static int fill_span(struct spanner *s, uint32_t members, uint32_t files)
{
	struct span_flow *f = s->span.flow;
	struct span_lat *lat[SPAN_KINDS] = { &f[0].lat, &f[1].lat, &f[2].lat };
	int ret = 0;

	s->thread = make(s, members, sizeof(*s->thread));
	s->through = make(s, files, sizeof(*s->through));
	s->target = make(s, members, sizeof(*s->target));
	for (uint32_t i = 0; !s->failed && i < s->p->njobs && !ret; i++)
		if (is_mine(s, &s->p->jobs[i]))
			ret = add_thread(s, &s->p->jobs[i]);
	if (!ret && !s->failed && s->span.threads)
		set_lats(s, lat, &s->total);
	if (!ret && !s->failed && s->targets > 1)
		set_targets(s);
	s->span.thread = s->thread;
	s->span.through = s->through;
	return s->failed ? -ENOMEM : ret;
}

static int add_span(struct spanner *s, uint32_t members, uint32_t files)
{
	int ret;

	s->asked = &s->profile->span[s->number];
	s->span = (struct result_span){ .number = ++s->number,
					.seconds_cfg = s->asked->duration_s,
					.requests = s->asked->requests };
	s->targets = 0;
	ret = fill_span(s, members, files);
	if (!ret)
		result_add_span(s->r, &s->span);
	for (size_t i = 0; i < s->targets; i++)
		snap_fini(&s->target[i].snap);
	snap_fini(&s->total);
	s->total = (struct snapshot){ 0 };
	return ret;
}

static int add_wave(struct spanner *s, uint32_t wave)
{
	uint32_t members = 0, files = 0;

	s->wave = wave;
	for (uint32_t i = 0; i < s->p->njobs; i++) {
		if (!is_mine(s, &s->p->jobs[i]))
			continue;
		members++;
		files += s->p->jobs[i].nfiles;
	}
	return members && s->number < s->profile->spans ? add_span(s, members, files) : 0;
}

/* ---- all of it ---- */

static int set_head(struct spanner *s, const struct spans_source *source)
{
	const struct job_diskspd *line = &s->p->set->diskspd;
	struct result_spans head = { .profile = source->profile,
				     .command = line->profile ? line->command : s->r->command,
				     .layout_23 = line->layout_23,
				     .as_diskspd = line->as_diskspd };
	uint64_t ran_ms = (s->run->end_ns - s->run->start_ns) / 1000000;
	int ret = topology_read(&head.system, &s->mem);

	head.system.computer = s->r->env.host;
	head.system.processor = s->r->env.cpu;
	head.system.start_ms = s->r->timestamp_ms > ran_ms ? s->r->timestamp_ms - ran_ms : 0;
	if (!ret)
		result_set_spans(s->r, &head);
	return ret;
}

int collect_spans(struct result *r, const struct spans_source *source, const struct plan *p,
		  const struct run *run, const struct surroundings *around)
{
	struct spanner s = { .r = r, .p = p, .run = run, .around = around, .profile = source->profile };
	int ret;

	if (!s.profile)
		return 0;
	ret = set_head(&s, source);
	for (uint32_t wave = 0; wave < p->nwaves && !ret; wave++)
		ret = add_wave(&s, wave);
	for (size_t i = 0; i < source->lost.count; i++)
		result_note(r, "DISKSPD's report does not say: %s", source->lost.line[i]);
	result_finish_spans(r);
	arena_fini(&s.mem);
	return ret;
}
