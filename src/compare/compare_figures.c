/* compare_figures.c: the figures of a pair of jobs, and the sources of their sampling errors. */
#include "compare.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "compare_series.h"
#include "total.h"

/* ---- figures of one job ---- */

static const struct summary_lat *lat_of(const struct result_job *j, unsigned dir, enum lat_kind kind)
{
	return dir == DIR_SYNC ? &j->sum.sync : &j->sum.dir[dir].lat[kind];
}

static uint64_t figure_ios(const struct result_job *j, unsigned dir)
{
	return dir == DIR_SYNC ? j->sum.sync_ios : j->sum.dir[dir].ios;
}

static uint64_t total_ios(const struct result_job *j)
{
	uint64_t n = 0;

	for (unsigned d = 0; d < DIR_DATA; d++)
		n += j->sum.dir[d].ios;
	return n;
}

/* Returns 0 if neither the bins nor the report have the percentile. */
static double percentile_of(const struct result_job *j, unsigned dir, enum lat_kind kind, double percentile)
{
	uint64_t ns;

	if (total_percentile_of(j, lat_of(j, dir, kind), &j->bins[dir][kind], percentile, &ns))
		return (double)ns;
	return 0;
}

/* Returns the CPU time per I/O in ns; 0: unknown. fio's documents have only shares of the run time. */
static double cpu_of(const struct result_job *j)
{
	const struct summary *s = &j->sum;
	uint64_t ios = total_ios(j);

	if (s->self.known)
		return s->self.user_ns + s->self.sys_ns;
	if (!ios)
		return 0;
	return (s->usr_cpu + s->sys_cpu) / 100 * (double)s->job_runtime_ms * 1e6 / (double)ios;
}

static double part_of(const struct result_job *j, const struct compare_figure *f)
{
	struct where w = { 0 };

	where_add(&w, j, f->dir);
	return f->what == COMPARE_LAT_MEAN ? where_mean(&w, f->part) : (double)w.parts[f->part].p99_ns;
}

static double figure_value(const struct result_job *j, const struct compare_figure *f)
{
	if (f->of_part)
		return part_of(j, f);
	switch (f->what) {
	case COMPARE_IOPS:
		return j->sum.dir[f->dir].iops;
	case COMPARE_BW:
		return (double)j->sum.dir[f->dir].bw_bytes;
	case COMPARE_LAT_MEAN:
		return lat_of(j, f->dir, f->kind)->mean;
	case COMPARE_LAT_PERCENTILE:
		return percentile_of(j, f->dir, f->kind, f->percentile);
	case COMPARE_LAT_MAX:
		return (double)lat_of(j, f->dir, f->kind)->max;
	case COMPARE_CPU:
	case COMPARE_WHATS:
		break;
	}
	return cpu_of(j);
}

/* A rate may be off by one I/O at its ends, and by half a ms of its run time, which is rounded to ms. A
   percentile is the midpoint of a bucket. */
static double rounding_of(const struct result_job *j, const struct compare_figure *f, double value)
{
	const struct summary_dir *d = &j->sum.dir[f->dir < DIR_DATA ? f->dir : DIR_READ];

	if (f->what == COMPARE_LAT_PERCENTILE)
		return compare_bucket_rounding(value);
	if ((f->what == COMPARE_IOPS || f->what == COMPARE_BW) && d->ios && d->runtime_ms)
		return 1 / (double)d->ios + 0.5 / (double)d->runtime_ms;
	return 0;
}

/* ---- the series of a job ---- */

struct groups {
	unsigned *v;
	unsigned n;
	const char *why; /* the reason why this job has no series of its own; NULL: it has one */
};

/* Returns how many entries before number `at` have its name and group. */
static unsigned clone_of(const struct result *r, size_t at)
{
	unsigned n = 0;

	for (size_t i = 0; i < at; i++)
		n += r->jobs[i]->group == r->jobs[at]->group && !strcmp(r->jobs[i]->name, r->jobs[at]->name);
	return n;
}

/* Finds the groups of the series that together have the I/Os of job `at` and no others; with `total`, the
   I/Os of all jobs of its group. The sum of several hosts has all groups. */
static void find_groups(struct compare *c, size_t run, size_t at, bool total, struct groups *g)
{
	const struct result *r = compare_run(c, run);
	const struct result_job *j = r->jobs[at];
	const struct series *s = &r->series.data;
	bool all = r->client_stats && !j->hostname;
	bool alone = total || all || c->names[run].in_group[at] == 1;
	unsigned skip = !alone && r->series.per_job ? clone_of(r, at) : 0;

	*g = (struct groups){ .v = arena_array(&c->mem, s->ngroups + 1, sizeof(*g->v)) };
	c->failed |= !g->v;
	for (unsigned i = 0; g->v && r->series.label && i < s->ngroups; i++) {
		const struct result_series_label *label = &r->series.label[i];

		if ((label->group != j->group && !all) || !label->in_report || !s->groups[i].cells.n)
			continue;
		if (alone)
			g->v[g->n++] = i;
		else if (r->series.per_job && label->name && !strcmp(label->name, j->name) && skip-- == 0)
			g->v[g->n++] = i;
	}
	if (!s->ngroups || !r->series.label)
		g->why = "a result has no series";
	else if (!alone && !r->series.per_job)
		g->why = "a series covers all jobs of the group; --series=job makes one for each";
	else if (!g->n || (!alone && j->members > 1))
		g->why = "several jobs have this name and group, so fiord does not know which series is this "
			 "job's";
	if (g->why)
		g->n = 0;
}

/* Returns the kind of latency of the series; LAT_KINDS: none, or several. */
static enum lat_kind series_kind(const struct series *s, const struct groups *g)
{
	for (unsigned i = 1; i < g->n; i++)
		if (s->groups[g->v[i]].kind != s->groups[g->v[0]].kind)
			return LAT_KINDS;
	return g->n ? s->groups[g->v[0]].kind : LAT_KINDS;
}

static bool series_has_resp(const struct series *s, const struct groups *g)
{
	for (unsigned i = 0; i < g->n; i++)
		if (!s->groups[g->v[i]].resp)
			return false;
	return g->n > 0;
}

/* ---- a pair of jobs ---- */

/* Both sides of one direction and one kind of latency. */
struct work {
	struct compare *c;
	const struct compare_pair *pair;
	struct groups group[2];          /* of single runs */
	struct compare_series series[2]; /* of a and b; valid if `loaded` */
	bool loaded;
	struct compare_job *job;
};

static const struct result_job *side_job(const struct work *w, unsigned side)
{
	return w->pair->run[side ? w->c->a.n : 0];
}

static bool single_runs(const struct work *w)
{
	return w->c->a.n == 1 && w->c->b.n == 1;
}

/* The figures of mixed jobs stand in DIR_READ, but a series has the directions apart. */
static int load_series(struct work *w, unsigned dir, enum lat_kind kind)
{
	int err = 0;

	w->loaded = false;
	if (!single_runs(w) || w->group[0].why || w->group[1].why)
		return 0;
	for (unsigned s = 0; s < 2 && !err; s++) {
		const struct series *data = &(s ? w->c->b.res[0] : w->c->a.res[0])->series.data;
		bool has = kind == LAT_RESP ? series_has_resp(data, &w->group[s])
					    : series_kind(data, &w->group[s]) == kind;

		bool all = dir == DIR_READ && side_job(w, s)->mixed;

		compare_series_fini(&w->series[s]);
		err = compare_series_init(&w->series[s], data, w->group[s].v, w->group[s].n,
					  all ? DIR_COUNT : dir, has ? kind : LAT_KINDS);
	}
	w->loaded = !err;
	return err;
}

static void from_series(struct work *w, struct compare_figure *f)
{
	struct compare_side *side[2] = { &f->a, &f->b };

	for (unsigned s = 0; s < 2; s++) {
		if (f->what == COMPARE_IOPS || f->what == COMPARE_BW)
			compare_series_rate(&w->series[s], f->what == COMPARE_BW, side[s]);
		else if (f->what == COMPARE_LAT_MEAN)
			compare_series_mean(&w->series[s], side[s]);
		else
			compare_series_percentile(&w->series[s], f->percentile / 100, side[s]);
	}
	if (f->a.known && f->b.known)
		f->basis = COMPARE_BY_SERIES;
	else if (w->series[0].n < COMPARE_LEAST || w->series[1].n < COMPARE_LEAST)
		f->why = "a series is too short (8 whole intervals are the least)";
	else
		f->why = "a series does not have these latencies";
}

/* The sampled rows are means over bwavgtime or iopsavgtime. They are assumed to be independent. */
static bool side_from_samples(const struct result_job *j, const struct compare_figure *f,
			      struct compare_side *side)
{
	const struct summary_dir *d = &j->sum.dir[f->dir];
	const struct summary_rate *row = f->what == COMPARE_BW ? &d->bw_row : &d->iops_row;

	side->known = row->n > 1 && row->mean > 0;
	if (side->known) {
		side->df = (double)row->n - 1;
		side->error = row->stddev / sqrt((double)row->n) / row->mean;
	}
	return side->known;
}

static void from_one_run(struct work *w, struct compare_figure *f)
{
	const char *no_series = w->group[0].why ? w->group[0].why : w->group[1].why;

	f->why = no_series;
	if (f->what == COMPARE_CPU || f->what == COMPARE_LAT_MAX || f->of_part) {
		f->why = "each run has only one such figure; repeated runs show how much it varies";
		return;
	}
	if (w->loaded)
		from_series(w, f);
	if (f->basis != COMPARE_BY_NOTHING || (f->what != COMPARE_IOPS && f->what != COMPARE_BW))
		return;
	if (f->dir < DIR_DATA && side_from_samples(side_job(w, 0), f, &f->a) &&
	    side_from_samples(side_job(w, 1), f, &f->b))
		f->basis = COMPARE_BY_SAMPLES;
}

/* Sets the figure from the runs of one side. */
static void side_from_runs(struct work *w, struct compare_figure *f, unsigned side)
{
	size_t first = side ? w->c->a.n : 0, n = side ? w->c->b.n : w->c->a.n;
	double *v = arena_array(&w->c->mem, n, sizeof(*v));
	struct compare_side *s = side ? &f->b : &f->a;

	w->c->failed |= !v;
	for (size_t i = 0; v && i < n; i++) {
		v[i] = figure_value(w->pair->run[first + i], f);
		s->rounding = fmax(s->rounding, rounding_of(w->pair->run[first + i], f, v[i]));
		if (!(v[i] > 0)) {
			*s = (struct compare_side){ 0 };
			return;
		}
	}
	if (v)
		compare_side_runs(s, v, n);
}

/* Returns whether A did such I/O and B did none. */
static bool lost(const struct compare_figure *f)
{
	return (f->what == COMPARE_IOPS || f->what == COMPARE_BW) && f->a.value > 0 && !(f->b.value > 0);
}

static void set_basis(struct work *w, struct compare_figure *f)
{
	if (lost(f)) {
		f->why = "a run of B did no such I/O";
	} else if (!(f->a.value > 0) || !(f->b.value > 0)) {
		f->why = "a run does not have this figure";
	} else if (single_runs(w)) {
		from_one_run(w, f);
	} else if (w->c->a.n > 1 && w->c->b.n > 1) {
		f->basis = COMPARE_BY_RUNS;
	} else {
		f->basis = COMPARE_BY_POOLED_RUNS;
		if (w->c->a.n == 1)
			compare_side_pool(&f->a, &f->b, w->c->b.n);
		else
			compare_side_pool(&f->b, &f->a, w->c->a.n);
	}
	if (f->basis != COMPARE_BY_NOTHING)
		f->why = NULL;
}

/* Returns the relative deviation of one run, from the runs of both sides. */
static double deviation(const struct work *w, const struct compare_figure *f)
{
	double a = f->a.error * f->a.error * (double)w->c->a.n,
	       b = f->b.error * f->b.error * (double)w->c->b.n;

	return sqrt((a * f->a.df + b * f->b.df) / (f->a.df + f->b.df));
}

static void add_figure(struct work *w, struct compare_figure f)
{
	f.mixed = f.dir == DIR_READ && side_job(w, 0)->mixed;
	side_from_runs(w, &f, 0);
	side_from_runs(w, &f, 1);
	if (!(f.a.value > 0) && !(f.b.value > 0))
		return;
	set_basis(w, &f);
	if (f.basis == COMPARE_BY_NOTHING)
		f.a.known = f.b.known = false;
	compare_sides(&f.change, &f.a, &f.b, w->c->cfg.confidence);
	if (f.basis == COMPARE_BY_RUNS)
		f.runs_needed = compare_runs_for(COMPARE_GOAL, deviation(w, &f), f.a.rounding + f.b.rounding,
						 w->c->cfg.confidence);
	if (lost(&f))
		f.change = (struct compare_change){ .known = true, .change = -1 };
	f.limits = compare_limits(&f.b, w->c->cfg.confidence, &f.b_lo, &f.b_hi);
	f.a.quantile.hist = f.b.quantile.hist = NULL;
	w->job->figures[w->job->nfigures++] = f;
}

/* Adds mean, percentiles and maximum of one kind of latency. */
static int compare_latencies(struct work *w, unsigned dir, enum lat_kind kind)
{
	const struct compare_cfg *cfg = &w->c->cfg;
	struct compare_figure f = { .dir = dir, .kind = kind };
	int err = load_series(w, dir, kind);

	if (err)
		return err;
	f.what = COMPARE_LAT_MEAN;
	add_figure(w, f);
	f.what = COMPARE_LAT_PERCENTILE;
	for (unsigned i = 0; i < cfg->npercentiles; i++) {
		f.percentile = cfg->percentiles[i];
		add_figure(w, f);
	}
	f.percentile = 0;
	f.what = COMPARE_LAT_MAX;
	add_figure(w, f);
	return 0;
}

/* Returns whether all runs measured this kind of latency. */
static bool all_have(const struct work *w, unsigned dir, enum lat_kind kind, bool percentiles)
{
	for (size_t i = 0; i < w->c->a.n + w->c->b.n; i++) {
		const struct summary_lat *l = lat_of(w->pair->run[i], dir, kind);

		if (!l->n || (percentiles && !l->percentiles && !w->pair->run[i]->bins[dir][kind].n))
			return false;
	}
	return true;
}

/* Returns the kind of latency to compare: the one of the series, or one with percentiles. */
static enum lat_kind pick_kind(const struct work *w, unsigned dir)
{
	static const enum lat_kind kinds[] = { LAT_LAT, LAT_CLAT };
	enum lat_kind of_series = series_kind(&w->c->a.res[0]->series.data, &w->group[0]);

	if (dir == DIR_SYNC)
		return all_have(w, dir, LAT_CLAT, false) ? LAT_CLAT : LAT_KINDS;
	if (of_series < LAT_KINDS && all_have(w, dir, of_series, true))
		return of_series;
	for (unsigned percentiles = 2; percentiles-- > 0;)
		for (unsigned i = 0; i < 2; i++)
			if (all_have(w, dir, kinds[i], percentiles))
				return kinds[i];
	return LAT_KINDS;
}

/* Adds the mean and p99 of the parts of latency_split, which are of requests in one direction. */
static void add_parts(struct work *w, unsigned dir)
{
	struct compare_figure f = { .dir = dir, .kind = LAT_KINDS, .of_part = true };

	for (f.part = 0; f.part < WHERE_NAMES && !side_job(w, 0)->mixed; f.part++) {
		f.what = COMPARE_LAT_MEAN;
		f.percentile = 0;
		add_figure(w, f);
		f.what = COMPARE_LAT_PERCENTILE;
		f.percentile = 99;
		add_figure(w, f);
	}
}

static int add_direction(struct work *w, unsigned dir)
{
	enum lat_kind kind = pick_kind(w, dir);
	int err = load_series(w, dir, kind);

	if (err)
		return err;
	if (dir < DIR_DATA) {
		add_figure(w, (struct compare_figure){ .what = COMPARE_IOPS, .dir = dir, .kind = kind });
		add_figure(w, (struct compare_figure){ .what = COMPARE_BW, .dir = dir, .kind = kind });
	}
	if (kind < LAT_KINDS)
		err = compare_latencies(w, dir, kind);
	if (!err && dir < DIR_DATA && all_have(w, dir, LAT_RESP, false))
		err = compare_latencies(w, dir, LAT_RESP);
	if (!err && dir < DIR_DATA)
		add_parts(w, dir);
	return err;
}

static bool any_has_io(const struct work *w, unsigned dir)
{
	for (size_t i = 0; i < w->c->a.n + w->c->b.n; i++)
		if (figure_ios(w->pair->run[i], dir))
			return true;
	return false;
}

enum directions { APART, MIXED, BOTH };

/* Returns how the runs of the job can be compared: if one run is mixed, only all directions together. */
static enum directions common_directions(const struct work *w)
{
	enum directions all = BOTH;

	for (size_t i = 0; i < w->c->a.n + w->c->b.n; i++) {
		if (w->pair->run[i]->mixed)
			return MIXED;
		if (!w->pair->run[i]->both)
			all = APART;
	}
	return all;
}

/* Makes a pair of the same runs, with the sum of all directions in DIR_READ. */
static int mix_pair(struct compare *c, const struct compare_pair *from, struct compare_pair *to)
{
	size_t runs = c->a.n + c->b.n;

	*to = *from;
	to->run = arena_array(&c->mem, runs, sizeof(*to->run));
	for (size_t i = 0; to->run && i < runs; i++) {
		to->run[i] = total_mixed(&c->mem, from->run[i]);
		if (!to->run[i])
			return -ENOMEM;
	}
	return to->run ? 0 : -ENOMEM;
}

/* Adds the figures of all directions together. */
static int add_mixed(struct work *w)
{
	const struct compare_pair *apart = w->pair;
	struct compare_pair mixed;
	int err = mix_pair(w->c, apart, &mixed);

	w->pair = &mixed;
	if (!err && any_has_io(w, DIR_READ))
		err = add_direction(w, DIR_READ);
	w->pair = apart;
	return err;
}

static int add_directions(struct work *w)
{
	enum directions all = common_directions(w);
	int err = all == APART ? 0 : add_mixed(w);

	for (unsigned d = all == MIXED ? DIR_SYNC : 0; d < DIR_COUNT && !err; d++)
		if (any_has_io(w, d))
			err = add_direction(w, d);
	return err;
}

int compare_find_figures(struct compare *c, const struct compare_pair *pair, struct compare_job *job)
{
	/* For each direction, and for all together, two rates, mean, maximum and percentiles of two kinds of
	   latency, and mean and p99 of its parts. */
	size_t most = 1 + (DIR_COUNT + 1) * (2 + 2 * (2 + (size_t)c->cfg.npercentiles) + 2 * WHERE_NAMES);
	struct work w = { .c = c, .pair = pair, .job = job };
	int err;

	job->figures = arena_array(&c->mem, most, sizeof(*job->figures));
	if (!job->figures)
		return -ENOMEM;
	find_groups(c, 0, pair->index[0], pair->total, &w.group[0]);
	find_groups(c, c->a.n, pair->index[c->a.n], pair->total, &w.group[1]);
	err = add_directions(&w);
	compare_series_fini(&w.series[0]);
	compare_series_fini(&w.series[1]);
	if (!err)
		add_figure(&w, (struct compare_figure){
				       .what = COMPARE_CPU, .dir = DIR_COUNT, .kind = LAT_KINDS });
	return err;
}
