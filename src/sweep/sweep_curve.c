#include "sweep_curve.h"

#include <errno.h>
#include <string.h>
#include "strbuf.h"
#include "total.h"

#define KNEE_POINTS_MIN 3

/* Options that set how many I/Os are in flight, or how many start per second. */
static bool sets_load(const char *name)
{
	static const char *const load[] = {
		"iodepth", "numjobs", "rate_iops", "rate", "-o", "-t", "-F", "-g"
	};

	for (size_t i = 0; i < sizeof(load) / sizeof(load[0]); i++)
		if (!strcmp(name, load[i]))
			return true;
	return false;
}

static void find_load(struct sweep *s)
{
	for (s->load = 0; s->load < s->matrix.ndims; s->load++)
		if (sets_load(s->matrix.dims[s->load].name))
			break;
	s->sets_load = s->load < s->matrix.ndims;
	if (s->sets_load)
		return;
	/* A search needs numbers. */
	for (s->load = 0; s->search && s->load < s->matrix.ndims; s->load++)
		if (sweep_matrix_has_numbers(&s->matrix, s->load))
			return;
	s->load = 0;
}

int sweep_init(struct sweep *s, struct diag *d)
{
	find_load(s);
	if (s->search && sweep_matrix_refine(&s->matrix, s->load, d))
		return d->err;
	s->npoints = sweep_matrix_points(&s->matrix);
	if (s->npoints > SWEEP_POINTS_MAX)
		return diag_err(d, -EINVAL, "the sweep has more than %d points; give fewer values",
				SWEEP_POINTS_MAX);
	s->points = arena_array(&s->mem, s->npoints, sizeof(*s->points));
	if (!s->points)
		return diag_no_memory(d);
	for (size_t i = 0; i < s->npoints; i++)
		sweep_matrix_point(&s->matrix, i, s->points[i].value);
	return 0;
}

/* ---- figures ---- */

/* Returns the kind that tells how long an I/O took. A kind with percentiles comes first, so that mean and
   percentiles are of one kind. */
static enum lat_kind response_kind(const struct result_job *job)
{
	static const enum lat_kind order[] = { LAT_RESP, LAT_LAT, LAT_CLAT };
	const size_t kinds = sizeof(order) / sizeof(order[0]);
	uint64_t median_ns;

	for (size_t i = 0; i < kinds; i++)
		if (total_percentile(job, DIR_READ, order[i], 50, &median_ns))
			return order[i];
	for (size_t i = 0; i < kinds; i++)
		if (job->sum.dir[DIR_READ].lat[order[i]].n)
			return order[i];
	return LAT_KINDS;
}

static void set_latency(struct sweep_figures *f, const struct result_job *job)
{
	const struct summary_lat *l;

	f->kind = response_kind(job);
	if (f->kind == LAT_KINDS)
		return;
	l = &job->sum.dir[DIR_READ].lat[f->kind];
	f->mean_ns = l->mean;
	f->max_ns = l->max;
	f->percentiles = total_percentile(job, DIR_READ, f->kind, 50, &f->p50_ns) &&
			 total_percentile(job, DIR_READ, f->kind, 99, &f->p99_ns) &&
			 total_percentile(job, DIR_READ, f->kind, 99.9, &f->p999_ns);
}

static void set_rate(struct sweep_figures *f, const struct summary_dir *d)
{
	f->rated = d->asked_ns || d->lat[LAT_RESP].n || d->unissued;
	f->unissued = d->unissued;
	f->asked_iops = d->asked_iops;
	f->overloaded = d->unissued > summary_due(d) / 100;
}

static int set_figures(struct sweep_figures *f, const struct result *res, size_t group, struct diag *d)
{
	struct arena mem = { 0 };
	const struct result_job **jobs = arena_array(&mem, res->njobs + 1, sizeof(*jobs));
	size_t n = jobs ? total_jobs(res, res->groups[group].number, jobs) : 0;
	const struct result_job *sum = n ? total_sum(&mem, jobs, n) : NULL;
	const struct result_job *all = sum ? total_mixed(&mem, sum) : NULL;

	if (all) {
		*f = (struct sweep_figures){ .known = true };
		f->ios = all->sum.dir[DIR_READ].ios;
		f->errors = sum->sum.errors;
		f->iops = all->sum.dir[DIR_READ].iops;
		f->bw_bytes = (double)all->sum.dir[DIR_READ].bw_bytes;
		set_latency(f, all);
		set_rate(f, &all->sum.dir[DIR_READ]);
		for (size_t i = 0; i < n; i++)
			where_add(&f->where, jobs[i], DIR_COUNT);
	}
	arena_fini(&mem);
	if (all && sweep_window_figures(f, res, group))
		return diag_no_memory(d);
	if (all)
		sweep_spread(f, res, group);
	return all || (jobs && !n) ? 0 : diag_no_memory(d);
}

/* Names each group by its jobs. */
static int name_groups(struct sweep *s, const struct result *res)
{
	s->group_name = arena_array(&s->mem, res->ngroups, sizeof(*s->group_name));
	for (size_t g = 0; s->group_name && g < res->ngroups; g++) {
		struct strbuf b = { 0 };
		const char *last = NULL;

		for (size_t i = 0; i < res->njobs; i++) {
			const char *name = res->jobs[i]->name;

			if (res->jobs[i]->group != res->groups[g].number || (last && !strcmp(last, name)))
				continue;
			strbuf_printf(&b, "%s%s", last ? ", " : "", name);
			last = name;
		}
		s->group_name[g] = strbuf_to_arena(&b, &s->mem);
		if (!s->group_name[g])
			return -ENOMEM;
	}
	s->groups = res->ngroups;
	return s->group_name ? 0 : -ENOMEM;
}

int sweep_add_result(struct sweep *s, size_t point, const struct result *res, struct diag *d)
{
	int err = 0;

	if (!s->groups && res->ngroups && name_groups(s, res))
		return diag_no_memory(d);
	if (!s->points[point].group)
		s->points[point].group = arena_array(&s->mem, s->groups + 1, sizeof(struct sweep_figures));
	if (!s->points[point].group)
		return diag_no_memory(d);
	for (size_t g = 0; g < s->groups && g < res->ngroups && !err; g++)
		err = set_figures(&s->points[point].group[g], res, g, d);
	if (!err && sweep_add_notes(s, point, res))
		err = diag_no_memory(d);
	return err;
}

/* ---- curves ---- */

double sweep_power(const struct sweep_figures *f)
{
	return f->known && f->mean_ns > 0 ? f->iops / (f->mean_ns / 1e9) : 0;
}

const struct sweep_figures *sweep_curve_figures(const struct sweep *s, const struct sweep_curve *c, size_t k)
{
	static const struct sweep_figures none;
	const struct sweep_point *p = &s->points[c->points[k]];

	return p->group ? &p->group[c->group] : &none;
}

bool sweep_point_not_steady(const struct sweep *s, const struct sweep_point *p)
{
	for (size_t g = 0; p->group && g < s->groups; g++)
		if (p->group[g].steady == SWEEP_NOT_STEADY)
			return true;
	return false;
}

size_t sweep_reported(const struct sweep *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->npoints; i++)
		n += s->points[i].state != SWEEP_SKIPPED;
	return n;
}

bool sweep_has_where(const struct sweep *s, size_t group)
{
	for (size_t i = 0; i < s->npoints; i++)
		for (size_t g = 0; s->points[i].group && g < s->groups; g++)
			if ((g == group || group == s->groups) && s->points[i].group[g].where.rows)
				return true;
	return false;
}

bool sweep_has_rate(const struct sweep *s, size_t group)
{
	for (size_t i = 0; i < s->npoints && group < s->groups; i++)
		if (s->points[i].group && s->points[i].group[group].rated)
			return true;
	return false;
}

/* Returns the power of a curve's k-th point; 0 if the point cannot be a knee. */
static double knee_power(const struct sweep *s, const struct sweep_curve *c, size_t k)
{
	const struct sweep_figures *f = sweep_curve_figures(s, c, k);

	return f->steady == SWEEP_NOT_STEADY || f->overloaded || s->points[c->points[k]].state == SWEEP_FAILED
		       ? 0
		       : sweep_power(f);
}

static bool is_noisy(const struct sweep *s, const struct sweep_curve *c)
{
	double before = 0;

	for (size_t k = 0; k < c->npoints; k++) {
		const struct sweep_figures *f = sweep_curve_figures(s, c, k);

		if (!f->known)
			continue;
		if (f->iops < before * (1 - SWEEP_KNEE_WITHIN_PERCENT / 100))
			return true;
		before = f->iops;
	}
	return false;
}

static void find_knee(const struct sweep *s, struct sweep_curve *c)
{
	double best = 0, near;

	c->knee = c->npoints;
	if (!s->sets_load || s->search || c->npoints < KNEE_POINTS_MIN)
		return;
	for (size_t k = 0; k < c->npoints; k++) {
		double power = knee_power(s, c, k);

		if (power > best) {
			best = power;
			c->knee = k;
		}
	}
	c->knee_first = c->knee_last = c->knee;
	if (c->knee == c->npoints)
		return;
	near = best * (1 - SWEEP_KNEE_WITHIN_PERCENT / 100);
	while (c->knee_first > 0 && knee_power(s, c, c->knee_first - 1) >= near)
		c->knee_first--;
	while (c->knee_last + 1 < c->npoints && knee_power(s, c, c->knee_last + 1) >= near)
		c->knee_last++;
}

static const char *curve_name(struct sweep *s, const struct sweep_point *p)
{
	struct strbuf b = { 0 };
	const char *name;

	for (size_t k = 0; k < s->matrix.ndims; k++)
		if (k != s->load)
			strbuf_printf(&b, "%s%s=%s", b.len ? " " : "", s->matrix.dims[k].name, p->value[k]);
	name = strbuf_to_arena(&b, &s->mem);
	return name;
}

static int add_curve(struct sweep *s, unsigned group, size_t first, size_t stride, size_t n)
{
	struct sweep_curve *c = &s->curves[s->ncurves];

	*c = (struct sweep_curve){ .group = group, .name = curve_name(s, &s->points[first]) };
	c->points = arena_array(&s->mem, n, sizeof(*c->points));
	if (!c->name || !c->points)
		return -ENOMEM;
	for (size_t k = 0; k < n; k++)
		if (s->points[first + k * stride].state != SWEEP_SKIPPED)
			c->points[c->npoints++] = first + k * stride;
	find_knee(s, c);
	c->noisy = is_noisy(s, c);
	s->ncurves++;
	return 0;
}

int sweep_finish(struct sweep *s, struct diag *d)
{
	size_t n = s->matrix.ndims ? s->matrix.dims[s->load].value.n : 1;
	size_t stride = s->matrix.ndims ? sweep_matrix_stride(&s->matrix, s->load) : 1;

	s->ncurves = 0;
	s->curves = arena_array(&s->mem, s->groups * (s->npoints / n) + 1, sizeof(*s->curves));
	if (!s->curves)
		return diag_no_memory(d);
	for (unsigned g = 0; g < s->groups; g++)
		for (size_t i = 0; i < s->npoints; i++)
			if (i / stride % n == 0 && add_curve(s, g, i, stride, n))
				return diag_no_memory(d);
	return 0;
}

void sweep_fini(struct sweep *s)
{
	sweep_matrix_fini(&s->matrix);
	arena_fini(&s->mem);
	*s = (struct sweep){ 0 };
}

/* ---- notes of points ---- */

/* Adds a note unless the point has it already: clones share notes. */
static int add_note(struct sweep *s, size_t point, const char *text)
{
	struct sweep_note **at = &s->note;

	while (*at && strcmp((*at)->text, text))
		at = &(*at)->next;
	if (!*at) {
		*at = arena_alloc(&s->mem, sizeof(**at));
		if (!*at)
			return -ENOMEM;
		**at = (struct sweep_note){ .text = text, .first = point };
	} else if ((*at)->last == point) {
		return 0;
	}
	(*at)->last = point;
	(*at)->points++;
	return 0;
}

int sweep_add_notes(struct sweep *s, size_t point, const struct result *res)
{
	int err = 0;

	for (size_t i = 0; i < res->notes.count && !err; i++) {
		const char *text = arena_strdup(&s->mem, res->notes.line[i]);

		err = text ? add_note(s, point, text) : -ENOMEM;
	}
	for (size_t i = 0; i < res->njobs; i++) {
		const struct notes *notes = &res->jobs[i]->notes;

		for (size_t k = 0; k < notes->count && !err; k++) {
			const char *text =
				arena_printf(&s->mem, "%s: %s", res->jobs[i]->name, notes->line[k]);

			err = text ? add_note(s, point, text) : -ENOMEM;
		}
	}
	return err;
}
