#include "summary.h"

#include <math.h>
#include <string.h>
#include "scale.h"

const unsigned summary_lat_bounds[SUMMARY_LAT_MS_CELLS] = { 2,   4,   10,  20,   50,   100,
							    250, 500, 750, 1000, 2000, 2000 };

static const double default_percentile[] = { 1,  5,  10, 20, 30,   40,   50,    60,   70,
					     80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99 };
#define DEFAULT_PERCENTILES (sizeof(default_percentile) / sizeof(default_percentile[0]))

/* Returns the decimals that print p exactly, at most 12. */
static unsigned decimals_of(double p)
{
	double scale = 1;
	unsigned n = 0;

	while (n < 12 && fabs(p * scale - round(p * scale)) > 1e-13 * scale) {
		scale *= 10;
		n++;
	}
	return n;
}

static bool wants_percentiles(const struct summary_cfg *cfg, unsigned kind)
{
	return cfg->percentiles_of[kind] || (kind == LAT_CLAT && !cfg->percentiles_off);
}

static void set_percentiles(struct summary *s, const struct summary_cfg *cfg)
{
	const double *list = cfg->npercentiles ? cfg->percentiles : default_percentile;
	unsigned n = cfg->npercentiles ? cfg->npercentiles : DEFAULT_PERCENTILES;

	s->npercentiles = n < SUMMARY_PERCENTILES ? n : SUMMARY_PERCENTILES;
	for (unsigned i = 0; i < s->npercentiles; i++) {
		unsigned d = decimals_of(list[i]), at = i;

		for (; at > 0 && s->percentiles[at - 1] > list[i]; at--)
			s->percentiles[at] = s->percentiles[at - 1];
		s->percentiles[at] = list[i];
		if (d > s->percentile_decimals)
			s->percentile_decimals = d;
	}
	for (unsigned kind = 0; kind < LAT_KINDS; kind++)
		s->print_percentiles[kind] = wants_percentiles(cfg, kind) && !cfg->disabled[kind];
}

static uint64_t to_ms(uint64_t ns)
{
	uint64_t ms = ns / 1000000 + (ns % 1000000 >= 500000);

	return ns && !ms ? 1 : ms;
}

static const struct hist *hist_of(const struct snapshot *snap, unsigned dir, unsigned kind)
{
	unsigned index = snap->layout.hist[dir][kind];

	return index ? &snap->st->hist[index - 1] : NULL;
}

static void set_lat(struct summary_lat *l, const struct summary *s, const struct moments *m,
		    const struct hist *h)
{
	uint64_t total;

	if (!m->n)
		return;
	*l = (struct summary_lat){ .n = m->n, .min = m->min, .max = m->max };
	l->mean = moments_mean(m);
	l->stddev = moments_stddev(m);
	total = h ? hist_total(h) : 0;
	if (!total)
		return;
	l->percentiles = true;
	for (unsigned i = 0; i < s->npercentiles; i++)
		l->value[i] = hist_percentile(h, total, s->percentiles[i], m->min, m->max);
}

static void set_rate(struct summary_rate *to, const struct samples *from)
{
	if (!from->n)
		return;
	*to = (struct summary_rate){ .n = from->n, .min = from->min, .max = from->max };
	to->mean = samples_mean(from);
	to->stddev = samples_stddev(from);
}

/* Sets the figures of the queue. The mean length follows from Little's law: it is the sum of all waiting
   times, divided by the run time. Response times of I/Os that did not complete are no waiting times alone. */
static void set_queue(struct summary_dir *d, const struct wstat_dir *w, const struct wcount *c, unsigned dir)
{
	uint64_t all = w->lat[LAT_RESP].sum, lat = w->lat[LAT_LAT].sum;
	uint64_t resp = all > w->unfinished_sum_ns ? all - w->unfinished_sum_ns : 0;
	double waited = (double)c->unissued_sum_ns[dir] + (resp > lat ? (double)(resp - lat) : 0);

	d->unissued = c->unissued[dir];
	d->in_flight_at_end = w->unfinished > d->unissued ? w->unfinished - d->unissued : 0;
	d->unissued_age_ns = c->unissued_age_ns[dir];
	d->arrivals = c->arrivals[dir];
	d->queue_max = c->queue_max[dir];
	if (d->arrivals && d->runtime_ns)
		d->queue_mean = waited / (double)d->runtime_ns;
}

void summary_set_exact(struct summary_dir *d)
{
	double seconds = (double)d->runtime_ns / 1e9;

	d->exact_bw_bytes = seconds > 0 ? (double)d->bytes / seconds : 0;
	d->exact_iops = seconds > 0 ? (double)d->ios / seconds : 0;
	d->asked_iops = d->asked_ns ? (double)d->asked_ios * 1e9 / (double)d->asked_ns : 0;
}

/* Returns true if only other directions had I/Os, as with rwmixread=100: this direction did not run. */
static bool is_idle(const struct wstat *st, unsigned dir)
{
	uint64_t others = 0;

	for (unsigned d = 0; d < DIR_DATA; d++)
		others += st->dir[d].ios;
	return !st->dir[dir].ios && !st->dir[dir].errors && others;
}

static void set_dir(struct summary *s, unsigned dir, const struct snapshot *snap,
		    const struct summary_cfg *cfg)
{
	struct summary_dir *d = &s->dir[dir];
	const struct wstat_dir *w = &snap->st->dir[dir];

	d->ios = w->ios;
	d->bytes = w->bytes;
	d->short_ios = w->short_ios;
	d->drop_ios = w->drop_ios;
	d->errors = w->errors;
	if (is_idle(snap->st, dir))
		return;
	d->runtime_ns = snap->cnt.runtime_ns[dir];
	d->runtime_ms = to_ms(d->runtime_ns);
	if (d->runtime_ms) {
		d->bw_bytes = scale(d->bytes, 1000, d->runtime_ms);
		d->iops = (double)d->ios * 1e3 / (double)d->runtime_ms;
	}
	d->asked_ios = snap->cnt.asked[dir];
	d->asked_ns = snap->cnt.asked_ns[dir];
	summary_set_exact(d);
	for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
		if (!cfg->disabled[kind])
			set_lat(&d->lat[kind], s, &w->lat[kind],
				wants_percentiles(cfg, kind) ? hist_of(snap, dir, kind) : NULL);
	}
	set_queue(d, w, &snap->cnt, dir);
	set_rate(&d->bw_row, &snap->bw[dir]);
	set_rate(&d->iops_row, &snap->iops[dir]);
}

static double percent_at_least(uint64_t part, uint64_t total, double least)
{
	double p;

	if (!part || !total)
		return 0;
	p = 100.0 * (double)part / (double)total;
	return p < least ? least : p;
}

static void set_depth_percents(double *to, const uint64_t *from, uint64_t total)
{
	for (unsigned i = 0; i < WSTAT_DEPTHS; i++)
		to[i] = percent_at_least(from[i], total, 0.1);
}

static uint64_t sum_of(const uint64_t *v)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < WSTAT_DEPTHS; i++)
		sum += v[i];
	return sum;
}

/* Returns the number of I/Os, of all data directions, whose completion latency is below ns. */
static uint64_t below(const struct snapshot *snap, uint64_t ns)
{
	uint64_t n = 0;

	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		const struct hist *h = hist_of(snap, dir, LAT_CLAT);

		if (h)
			n += hist_below(h, ns);
	}
	return n;
}

static void set_cells(double *to, unsigned cells, uint64_t unit_ns, const struct snapshot *snap,
		      uint64_t total)
{
	/* The first cell of the us begins at 1 us, where the cells of the ns end; the same holds for ms. */
	uint64_t seen = unit_ns == 1 ? 0 : below(snap, unit_ns);

	for (unsigned i = 0; i < cells; i++) {
		bool open = i == SUMMARY_LAT_MS_CELLS - 1;
		uint64_t n = below(snap, open ? UINT64_MAX : summary_lat_bounds[i] * unit_ns);

		to[i] = percent_at_least(n - seen, total, 0.01);
		seen = n;
	}
}

/* Returns the number of I/Os that were issued, of which depths are shares. As in fio, syncs are not in this
   total. */
static uint64_t issued(const struct snapshot *snap)
{
	uint64_t depths = sum_of(snap->cnt.depth), syncs = snap->st->dir[DIR_SYNC].ios;

	return depths > syncs ? depths - syncs : depths;
}

static void set_lateness(struct summary *s, const struct wcount *c)
{
	struct hist h;

	hist_init(&h);
	for (unsigned i = 0; i < WSTAT_LATE_BUCKETS; i++)
		if (c->late[i])
			hist_add_bucket(&h, i * WSTAT_LATE_STEP + WSTAT_LATE_STEP / 2, c->late[i]);
	if (hist_total(&h) != c->replayed) /* a document does not have the buckets */
		return;
	s->late.mean_ns = (double)c->late_sum_ns / (double)c->replayed;
	s->late.p50_ns = hist_percentile(&h, c->replayed, 50, 0, c->late_max_ns);
	s->late.p99_ns = hist_percentile(&h, c->replayed, 99, 0, c->late_max_ns);
	s->late.p999_ns = hist_percentile(&h, c->replayed, 99.9, 0, c->late_max_ns);
	s->late.max_ns = c->late_max_ns;
}

static double mean_batch(uint64_t ios, const uint64_t calls[WSTAT_DEPTHS])
{
	uint64_t n = sum_of(calls) - calls[0];

	return n ? (double)ios / (double)n : 0;
}

static void set_counts(struct summary *s, const struct snapshot *snap)
{
	const struct wcount *c = &snap->cnt;
	uint64_t ios = 0;

	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		ios += s->dir[dir].ios;
	set_depth_percents(s->depth, c->depth, issued(snap));
	set_depth_percents(s->submit, c->submit, sum_of(c->submit));
	set_depth_percents(s->complete, c->complete, sum_of(c->complete));
	s->per_submit = mean_batch(sum_of(c->depth), c->submit);
	s->per_reap = mean_batch(sum_of(c->depth), c->complete);
	set_cells(s->lat_ns, SUMMARY_LAT_CELLS, 1, snap, ios);
	set_cells(s->lat_us, SUMMARY_LAT_CELLS, 1000, snap, ios);
	set_cells(s->lat_ms, SUMMARY_LAT_MS_CELLS, 1000000, snap, ios);
	s->job_runtime_ms = to_ms(c->job_runtime_ns);
	if (c->job_runtime_ns) {
		s->usr_cpu = 1e5 * (double)c->user_us / (double)c->job_runtime_ns;
		s->sys_cpu = 1e5 * (double)c->sys_us / (double)c->job_runtime_ns;
	}
	s->ctx = c->ctx;
	s->majf = c->majf;
	s->minf = c->minf;
	s->errors = c->errors;
	s->first_error = (int)c->first_error;
	s->replayed = c->replayed;
	s->replayed_late = c->replayed_late;
	if (c->replayed)
		set_lateness(s, c);
	s->replayed_flushes = c->replayed_flushes;
	s->replayed_fua = c->replayed_fua;
	s->replayed_late_percent = c->replayed ? 100.0 * (double)c->replayed_late / (double)c->replayed : 0;
}

static void set_self(struct summary *s, const struct wcount *c)
{
	struct summary_self *self = &s->self;

	if (!c->cpu_ios || !c->job_runtime_ns)
		return;
	self->known = true;
	self->user_ns = 1e3 * (double)c->user_us / (double)c->cpu_ios;
	self->sys_ns = 1e3 * (double)c->sys_us / (double)c->cpu_ios;
	self->core = s->usr_cpu + s->sys_cpu;
	self->core_wait = 1e2 * (double)c->core_wait_ns / (double)c->job_runtime_ns;
	self->preempted = c->preempted;
	self->storage_read_bytes = c->storage_read_bytes;
	if (!c->counted_ios)
		return;
	self->counted = true;
	self->user_instructions = (double)c->user_instructions / (double)c->counted_ios;
	self->kernel_instructions = (double)c->kernel_instructions / (double)c->counted_ios;
	self->user_cycles = (double)c->user_cycles / (double)c->counted_ios;
	self->kernel_cycles = (double)c->kernel_cycles / (double)c->counted_ios;
}

void summary_from(struct summary *s, const struct snapshot *snap, const struct summary_cfg *cfg)
{
	static const struct summary_cfg defaults;
	const struct wstat_dir *sync;

	if (!cfg)
		cfg = &defaults;
	memset(s, 0, sizeof(*s));
	s->members = snap->members;
	set_percentiles(s, cfg);
	if (!snap->st)
		return;
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		set_dir(s, dir, snap, cfg);
	sync = &snap->st->dir[DIR_SYNC];
	s->sync_ios = sync->ios;
	s->sync_errors = sync->errors;
	set_lat(&s->sync, s, &sync->lat[LAT_CLAT], hist_of(snap, DIR_SYNC, LAT_CLAT));
	set_counts(s, snap);
	set_self(s, &snap->cnt);
}

static void set_prio(struct summary_prio *to, const struct summary *s, const struct wstat_prio *from,
		     unsigned dir, enum lat_kind kind, const struct summary_cfg *cfg)
{
	to->class = (unsigned)(from->prio >> 13) & 7;
	to->hint = (unsigned)(from->prio >> 3) & 1023;
	to->level = (unsigned)from->prio & 7;
	to->share = 0;
	to->lat = (struct summary_lat){ 0 };
	set_lat(&to->lat, s, &from->lat[dir], wants_percentiles(cfg, kind) ? &from->hist[dir] : NULL);
}

unsigned summary_prios(const struct summary *s, const struct snapshot *snap, unsigned dir,
		       const struct summary_cfg *cfg, struct summary_prio *out)
{
	const struct wstat_prio *v;
	uint64_t total = 0;
	unsigned n = 0;

	if (!snap->st || dir >= WSTAT_PRIO_DIRS)
		return 0;
	v = wstat_prios(snap->st, &snap->layout);
	for (unsigned i = 0; i < snap->layout.nprio; i++) {
		total += v[i].lat[dir].n;
		if (!v[i].lat[dir].n)
			continue;
		out[n].index = i;
		set_prio(&out[n++], s, &v[i], dir, snap->layout.prio_kind, cfg);
	}
	for (unsigned i = 0; i < n; i++)
		out[i].share = 100.0 * (double)out[i].lat.n / (double)total;
	return n < 2 ? 0 : n;
}

bool summary_has_io(const struct summary *s)
{
	return s->dir[DIR_READ].ios || s->dir[DIR_WRITE].ios || s->dir[DIR_TRIM].ios || s->sync_ios;
}

void summary_group_add(struct summary_group *g, const struct summary *s)
{
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		const struct summary_dir *d = &s->dir[dir];
		bool first = !g->dir[dir].longest_ns;

		/* A job that ran without I/O counts as the slowest of the group. */
		if (!d->runtime_ns)
			continue;
		g->dir[dir].ios += d->ios;
		g->dir[dir].bytes += d->bytes;
		if (first || d->bw_bytes < g->dir[dir].bw_min)
			g->dir[dir].bw_min = d->bw_bytes;
		if (d->bw_bytes > g->dir[dir].bw_max)
			g->dir[dir].bw_max = d->bw_bytes;
		if (first || d->runtime_ms < g->dir[dir].ms_min)
			g->dir[dir].ms_min = d->runtime_ms;
		if (d->runtime_ms > g->dir[dir].ms_max)
			g->dir[dir].ms_max = d->runtime_ms;
		if (d->runtime_ns > g->dir[dir].longest_ns)
			g->dir[dir].longest_ns = d->runtime_ns;
		if (!g->dir[dir].ms_max)
			continue;
		g->dir[dir].bw_bytes = scale(g->dir[dir].bytes, 1000, g->dir[dir].ms_max);
		g->dir[dir].iops = (double)g->dir[dir].ios * 1e3 / (double)g->dir[dir].ms_max;
	}
}

void summary_set_share(struct summary *s, const struct summary_group *g)
{
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		struct summary_dir *d = &s->dir[dir];
		double share = 0;

		if (d->bw_row.n && g->dir[dir].bw_bytes)
			share = 100.0 * d->bw_row.mean * 1024.0 / (double)g->dir[dir].bw_bytes;
		d->bw_share = share > 100 ? 100 : share;
	}
}
