/* assertion_measure.c: the value of an assertion in one part of a result. */
#include <math.h>
#include <string.h>
#include "assertion.h"

bool assertion_compare(const struct assertion *a, double v)
{
	switch (a->op) {
	case LIMIT_LT:
		return v < a->limit;
	case LIMIT_LE:
		return v <= a->limit;
	case LIMIT_GT:
		return v > a->limit;
	case LIMIT_GE:
		return v >= a->limit;
	case LIMIT_EQ:
		return v >= a->limit && v <= a->limit;
	case LIMIT_NE:
		return v < a->limit || v > a->limit;
	}
	return false;
}

/* A figure with such a need has a value only if the member of its struct is not 0. */
#define ROW(of_, needs_, type, field, why_)                                                       \
	{                                                                                         \
		FIGURE_##of_, NEEDS_##needs_,                                                     \
			{ offsetof(struct type, field), sizeof(((struct type *)0)->field) }, why_ \
	}
static const struct {
	enum figure_of of;
	enum figure_needs needs;
	struct figure_member not_zero;
	const char *why; /* the reason, if the member is 0 */
} requirements[] = {
	ROW(LAT, IO, summary_lat, n, "no I/O was measured"),
	ROW(DIR, IO, summary_dir, ios, "no I/O was measured"),
	ROW(DIR, BW_SAMPLE, summary_dir, bw_row.n, "the bandwidth was not sampled"),
	ROW(DIR, IOPS_SAMPLE, summary_dir, iops_row.n, "the IOPS were not sampled"),
	ROW(STEP_LAT, IO, step_lat_figures, n, "no I/O was measured"),
	ROW(STEP_LAT, STEP_BINS, step_lat_figures, percentile[STEP_P50], "no I/O was measured"),
	ROW(INTERVAL, IO, figure_interval, lat.n, "no I/O was measured"),
	ROW(INTERVAL, RATE, figure_interval, resp.n, "no I/O was measured"),
	ROW(JOB, TIME, result_job, sum.job_runtime_ms, "the job did not run"),
	ROW(JOB, CPU, result_job, sum.self.known, "no CPU time was measured"),
	ROW(JOB, COUNTERS, result_job, sum.self.counted, "the CPU counts no instructions here"),
	ROW(SPLIT, SPLIT_ONE, result_split, completion_known, "not each I/O became one request"),
	ROW(JOB, VERIFY, result_job, verify.on, "nothing was verified"),
	ROW(JOB, STEADY, result_job, steady.on, "steadystate was not judged"),
	ROW(JOB, STEADY_WINDOW, result_job, steady.samples, "steadystate has no sample"),
	ROW(JOB, STEADY_LAT, result_job, steady.samples, "steadystate has no sample"),
	ROW(JOB, ATTAINED, result_job, steady.attained, "the job did not become steady"),
	ROW(JOB, TARGET, result_job, latency_target.on, "no depth was searched"),
	ROW(JOB, ANSWER, result_job, latency_target.answer.ios, "the search has no answer"),
	ROW(HOST, WAVES, result_host, waves, "the rank measured nothing"),
	ROW(HOST, LATENESS, result_host, late_known, "it is not known when its jobs started"),
	ROW(WAVE, LATENESS, result_host_wave, late_known, "it is not known when its jobs started"),
};

/* Returns why the struct has no value, or NULL. A job that failed before it counted an error has not shown
   that it has none. */
static const char *lacks(const struct figure *f, const void *from)
{
	static const char zeros[sizeof(uint64_t)];
	const struct result_job *job = from;
	const struct result_host *host = from;

	for (size_t i = 0; i < sizeof(requirements) / sizeof(*requirements); i++) {
		const struct figure_member *m = &requirements[i].not_zero;

		if (requirements[i].of == f->of && requirements[i].needs == f->needs &&
		    !memcmp((const char *)from + m->offset, zeros, m->bytes))
			return requirements[i].why;
	}
	if (f->of == FIGURE_JOB && f->needs == NEEDS_IO && !summary_has_io(&job->sum))
		return "no I/O was measured";
	if (f->of == FIGURE_JOB && f->offset == offsetof(struct result_job, sum.errors) && job->error &&
	    !job->sum.errors)
		return job->error_text ? job->error_text : diag_errno(job->error);
	if (f->needs == NEEDS_LATE_HOST && host->straggler != STRAGGLER_LATE)
		return "the rank did not take longer than others";
	if (f->needs == NEEDS_SLOW_HOST && host->straggler != STRAGGLER_SLOW)
		return "the rank was not slower than others";
	return NULL;
}

static double measure_percentile(struct measure *m, const struct summary_lat *l)
{
	const struct summary *s = &m->at.res->jobs[m->at.part]->sum;

	for (unsigned i = 0; i < s->npercentiles && l->percentiles; i++)
		if (fabs(s->percentiles[i] - m->a->percentile) < 1e-9)
			return (double)l->value[i];
	m->why = "no percentiles were measured";
	return 0;
}

static double measure_value(struct measure *m, const void *from)
{
	m->why = from ? lacks(m->a->figure, from) : "no I/O was measured";
	if (m->why)
		return 0;
	return m->a->figure->type == FIGURE_PERCENTILE ? measure_percentile(m, from)
						       : figure_value(m->a->figure, from);
}

/* ---- entries of lists ---- */

/* Returns how far the value is on the wrong side of the limit. */
static double badness(const struct assertion *a, double value)
{
	switch (a->op) {
	case LIMIT_LT:
	case LIMIT_LE:
		return value;
	case LIMIT_GT:
	case LIMIT_GE:
		return -value;
	case LIMIT_EQ:
		return fabs(value - a->limit);
	case LIMIT_NE:
		break;
	}
	return -fabs(value - a->limit);
}

static bool is_meant(const struct measure *m, size_t i)
{
	union figure_room room;

	return selector_has(&m->a->entry, i, figure_list_name(&m->at, i, &room));
}

/* Returns whether entry i, which has no value, did no I/O on purpose. If a step has a rate and no I/O
   completed in it, the step has stalled; its missing value then fails the assertion. */
static bool is_idle(const struct measure *m, size_t i)
{
	const struct result_rate_step *step;

	if (m->a->list != &figure_lists[LIST_STEPS])
		return true;
	step = &m->at.res->jobs[m->at.part]->rate_steps.steps[i];
	return !step->dir[m->at.dir].rate;
}

/* Of all entries, those count that had something to measure; one that is named must have a value. */
static double measure_list(struct measure *m)
{
	const struct assertion *a = m->a;
	bool all = !a->entry.name && !a->entry.indexed, found = false;
	size_t n = figure_list_count(&m->at);
	double worst = 0;

	for (size_t i = 0; i < n; i++) {
		union figure_room room;
		double value;

		if (!is_meant(m, i))
			continue;
		value = measure_value(m, figure_list_entry(&m->at, i, &room));
		if (m->why && all && is_idle(m, i))
			continue;
		if (m->why || !found || badness(a, value) > badness(a, worst)) {
			m->entry_known = found = true;
			m->entry = i;
			worst = value;
		}
		if (m->why)
			return 0;
	}
	m->why = found ? NULL
		 : !n  ? a->list->empty
		 : all ? "no I/O was measured"
		       : "the list has no such entry";
	return worst;
}

double assertion_measure(struct measure *m)
{
	const struct result_job *job = figure_part_of(&m->at);
	const struct summary_dir *dir;

	if (m->a->list)
		return measure_list(m);
	if (!figure_has_dir(m->a->figure))
		return measure_value(m, job);
	if (m->at.dir == DIR_SYNC)
		return measure_value(m, m->a->figure->of == FIGURE_SYNC ? (const void *)&job->sum
									: &job->sum.sync);
	dir = m->mixed && job->both ? &job->sum_both : &job->sum.dir[m->at.dir];
	return measure_value(m, m->a->figure->of == FIGURE_DIR ? (const void *)dir : &dir->lat[m->at.kind]);
}
