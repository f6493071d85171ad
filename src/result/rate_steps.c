#include "rate_steps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "job_snapshot.h"

static uint64_t per_second(uint64_t n, uint64_t ns)
{
	double rate = ns ? (double)n * 1e9 / (double)ns + 0.5 : 0;

	return rate < 0x1p64 ? (uint64_t)rate : UINT64_MAX;
}

void result_step_set(struct result *r, struct result_step_dir *to, const struct step_counts *from,
		     uint64_t length_ns, bool bins)
{
	to->ios = from->ios;
	to->bytes = from->bytes;
	to->late_ios = from->late_ios;
	to->unfinished = from->unfinished;
	to->done_ios = from->done_ios;
	to->done_bytes = from->done_bytes;
	to->iops = length_ns ? (double)from->done_ios * 1e9 / (double)length_ns : 0;
	to->bw_bytes = per_second(from->done_bytes, length_ns);
	for (unsigned kind = 0; kind < STEP_LATS; kind++) {
		struct result_step_lat *l = &to->lat[kind];

		step_counts_figures(from, kind, &l->sum);
		l->bins = (struct result_bins){ 0 };
		if (bins && l->sum.n)
			result_set_bins(r, &l->bins, &from->hist[kind]);
	}
}

void step_rate_add(struct step_rate *to, uint64_t rate, uint64_t ran_ns)
{
	to->sum = to->sum > UINT64_MAX - rate ? UINT64_MAX : to->sum + rate;
	to->ios += (double)rate * (double)ran_ns * 1e-9;
	if (!to->n++ || ran_ns < to->shortest_ns)
		to->shortest_ns = ran_ns;
	if (ran_ns > to->longest_ns)
		to->longest_ns = ran_ns;
}

uint64_t step_rate_mean(const struct step_rate *s)
{
	double mean;

	if (s->longest_ns - s->shortest_ns <= s->longest_ns / 100)
		return s->sum;
	mean = s->ios * 1e9 / (double)s->longest_ns + 0.5;
	return mean < (double)s->sum ? (uint64_t)mean : s->sum;
}

/* Turns figures back into counts. `to` is zeroed. */
static void counts_of(struct step_counts *to, const struct result_step_dir *from)
{
	to->ios = from->ios;
	to->bytes = from->bytes;
	to->late_ios = from->late_ios;
	to->unfinished = from->unfinished;
	to->done_ios = from->done_ios;
	to->done_bytes = from->done_bytes;
	for (unsigned kind = 0; kind < STEP_LATS; kind++) {
		const struct step_lat_figures *f = &from->lat[kind].sum;

		if (!f->n)
			continue;
		to->lat[kind] = (struct moments){ .n = f->n, .min = f->min, .max = f->max, .sum = f->sum };
		hist_reset(&to->hist[kind]);
		result_add_bins(&to->hist[kind], &from->lat[kind].bins);
	}
}

static bool lacks_bins(const struct result_step_dir *d)
{
	for (unsigned kind = 0; kind < STEP_LATS; kind++)
		if (d->lat[kind].sum.n && !d->lat[kind].bins.n)
			return true;
	return false;
}

static bool same_steps(const struct result_rate_steps *a, const struct result_rate_steps *b)
{
	bool same = a->nsteps == b->nsteps && a->by_bytes == b->by_bytes;

	for (size_t i = 0; same && i < a->nsteps; i++)
		same = a->steps[i].start_ns == b->steps[i].start_ns;
	return same;
}

static int begin_sum(struct rate_steps_sum *sum, const struct result_rate_steps *first)
{
	struct result_rate_step *step = calloc(first->nsteps, sizeof(*step));

	sum->counts = calloc(first->nsteps * DIR_DATA, sizeof(*sum->counts));
	sum->rate = calloc(first->nsteps * DIR_DATA, sizeof(*sum->rate));
	sum->steps = (struct result_rate_steps){ .by_bytes = first->by_bytes,
						 .nsteps = first->nsteps,
						 .steps = step };
	if (!step || !sum->counts || !sum->rate)
		return -ENOMEM;
	for (size_t i = 0; i < first->nsteps; i++)
		step[i].start_ns = first->steps[i].start_ns;
	return 0;
}

static bool sum_fits(uint64_t a, uint64_t b)
{
	return a <= UINT64_MAX - b;
}

/* Returns whether the counts fit 64 bits when they are added. */
static bool counts_fit(const struct step_counts *a, const struct step_counts *b)
{
	bool fit = sum_fits(a->ios, b->ios) && sum_fits(a->bytes, b->bytes) &&
		   sum_fits(a->late_ios, b->late_ios) && sum_fits(a->done_ios, b->done_ios) &&
		   sum_fits(a->done_bytes, b->done_bytes) && sum_fits(a->unfinished, b->unfinished);

	for (unsigned kind = 0; fit && kind < STEP_LATS; kind++)
		fit = sum_fits(a->lat[kind].n, b->lat[kind].n) &&
		      sum_fits(a->lat[kind].sum, b->lat[kind].sum);
	return fit;
}

static int add_step_dir(struct rate_steps_sum *sum, size_t step, unsigned dir,
			const struct result_rate_step *entry)
{
	const struct result_step_dir *from = &entry->dir[dir];
	size_t at = step * DIR_DATA + dir;
	struct step_counts *one = calloc(1, sizeof(*one));
	int ret;

	if (!one)
		return -ENOMEM;
	counts_of(one, from);
	ret = counts_fit(&sum->counts[at], one) ? 0 : -EOVERFLOW;
	if (!ret)
		step_counts_merge(&sum->counts[at], one);
	free(one);
	step_rate_add(&sum->rate[at], from->rate, entry->length_ns);
	sum->no_bins |= lacks_bins(from);
	return ret;
}

int rate_steps_add(struct rate_steps_sum *sum, const struct result_job *job)
{
	const struct result_rate_steps *from = &job->rate_steps;
	int ret = 0;

	sum->entries++;
	if (!from->nsteps)
		return 0;
	if (!sum->with_steps++)
		ret = begin_sum(sum, from);
	sum->differ |= !ret && !same_steps(&sum->steps, from);
	if (ret || sum->differ)
		return ret;
	sum->steps.dirs |= from->dirs;
	for (size_t i = 0; i < from->nsteps && !ret; i++) {
		struct result_rate_step *to = &sum->steps.steps[i];

		to->length_ns =
			from->steps[i].length_ns > to->length_ns ? from->steps[i].length_ns : to->length_ns;
		for (unsigned dir = 0; dir < DIR_DATA && !ret; dir++)
			ret = add_step_dir(sum, i, dir, &from->steps[i]);
	}
	return ret;
}

static void drop_percentiles(struct step_counts *s)
{
	for (unsigned kind = 0; kind < STEP_LATS; kind++)
		memset(&s->hist[kind], 0, sizeof(s->hist[kind]));
}

static void set_steps(struct rate_steps_sum *sum, struct result *r, struct result_job *all)
{
	for (size_t i = 0; i < sum->steps.nsteps; i++) {
		struct result_rate_step *step = &sum->steps.steps[i];

		for (unsigned dir = 0; dir < DIR_DATA; dir++) {
			struct step_counts *c = &sum->counts[i * DIR_DATA + dir];

			step->dir[dir].rate = step_rate_mean(&sum->rate[i * DIR_DATA + dir]);
			if (sum->no_bins)
				drop_percentiles(c);
			result_step_set(r, &step->dir[dir], c, step->length_ns, !sum->no_bins);
		}
	}
	result_job_rate_steps(r, all, &sum->steps);
}

void rate_steps_finish(struct rate_steps_sum *sum, struct result *r, struct result_job *all, const char *name)
{
	if (sum->differ || (sum->with_steps && sum->with_steps < sum->entries))
		result_note(r,
			    "the entries do not have the same steps of {rate_steps}, so \"%s\" has no steps",
			    name);
	else if (sum->with_steps)
		set_steps(sum, r, all);
	if (sum->no_bins && all->rate_steps.nsteps)
		result_note(r,
			    "\"%s\" has no percentiles of the steps of {rate_steps}, because not all entries "
			    "have bins of them",
			    name);
}

void rate_steps_fini(struct rate_steps_sum *sum)
{
	free(sum->steps.steps);
	free(sum->counts);
	free(sum->rate);
	*sum = (struct rate_steps_sum){ 0 };
}
