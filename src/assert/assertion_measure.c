#include "assertion_measure.h"

#include <math.h>

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

static double measure_percentile(struct measure *m, const struct summary_lat *l)
{
	const struct summary *s = &m->at.job->sum;

	for (unsigned i = 0; i < s->percentiles && l->percentiles; i++)
		if (fabs(s->percentile[i] - m->a->percentile) < 1e-9)
			return (double)l->value[i];
	m->why = "no percentiles were measured";
	return 0;
}

static double measure_latency(struct measure *m, const struct summary_lat *l)
{
	if (!l->n && m->a->figure->needs == NEEDS_IO) {
		m->why = "no I/O was measured";
		return 0;
	}
	if (m->a->figure->type == FIGURE_PERCENTILE)
		return measure_percentile(m, l);
	return figure_value(m->a->figure, l);
}

static double measure_dir(struct measure *m, const struct summary_dir *dir)
{
	switch (m->a->figure->needs) {
	case NEEDS_IO:
		m->why = dir->ios ? NULL : "no I/O was measured";
		break;
	case NEEDS_BW_SAMPLE:
		m->why = dir->bw_row.n ? NULL : "the bandwidth was not sampled";
		break;
	case NEEDS_IOPS_SAMPLE:
		m->why = dir->iops_row.n ? NULL : "the IOPS were not sampled";
		break;
	default:
		break;
	}
	return m->why ? 0 : figure_value(m->a->figure, dir);
}

/* Returns why the job has no value, or NULL. */
static const char *job_lacks(const struct result_job *job, const struct figure *figure)
{
	switch (figure->needs) {
	case NEEDS_IO:
		return summary_has_io(&job->sum) ? NULL : "no I/O was measured";
	case NEEDS_TIME:
		return job->sum.job_runtime_ms ? NULL : "the job did not run";
	case NEEDS_CPU:
		return job->sum.self.known ? NULL : "no CPU time was measured";
	case NEEDS_VERIFY:
		return job->verify.on ? NULL : "nothing was verified";
	case NEEDS_STEADY:
		return job->steady.on ? NULL : "steadystate was not judged";
	case NEEDS_STEADY_WINDOW:
	case NEEDS_STEADY_LAT:
		return job->steady.on && job->steady.samples ? NULL : "steadystate has no sample";
	case NEEDS_ATTAINED:
		return job->steady.attained ? NULL : "the job did not become steady";
	case NEEDS_TARGET:
		return job->latency_target.on ? NULL : "no depth was searched";
	case NEEDS_ANSWER:
		return job->latency_target.answer.ios ? NULL : "the search has no answer";
	default:
		return NULL;
	}
}

/* A job that failed before it counted an error has not shown that it has none. */
static double measure_job(struct measure *m)
{
	const struct figure *f = m->a->figure;
	const struct result_job *job = m->at.job;

	m->why = job_lacks(job, f);
	if (!m->why && f->offset == offsetof(struct result_job, sum.errors) && job->error && !job->sum.errors)
		m->why = job->error_text ? job->error_text : diag_errno(job->error);
	return m->why ? 0 : figure_value(f, job);
}

static double measure_host(struct measure *m)
{
	const struct result_host *h = &m->at.res->hosts.v[m->at.part];

	switch (m->a->figure->needs) {
	case NEEDS_WAVES:
		m->why = h->waves ? NULL : "the rank measured nothing";
		break;
	case NEEDS_LATENESS:
		m->why = h->late_known ? NULL : "it is not known when its jobs started";
		break;
	case NEEDS_LATE_HOST:
		m->why = h->straggler == STRAGGLER_LATE ? NULL : "the rank did not take longer than others";
		break;
	case NEEDS_SLOW_HOST:
		m->why = h->straggler == STRAGGLER_SLOW ? NULL : "the rank was not slower than others";
		break;
	default:
		break;
	}
	return m->why ? 0 : figure_value(m->a->figure, h);
}

/* ---- entries of lists ---- */

static double measure_entry(struct measure *m, size_t i)
{
	const struct figure_list *list = m->a->list;
	union figure_room room;
	const void *from = list->at(&m->at, i, &room);

	m->why = from                                    ? NULL
		 : m->a->figure->needs == NEEDS_LATENESS ? "it is not known when its jobs started"
							 : "no I/O was measured";
	if (!from)
		return 0;
	return m->a->figure->of == FIGURE_LAT ? measure_latency(m, from) : figure_value(m->a->figure, from);
}

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
	const struct figure_list *list = m->a->list;
	union figure_room room;

	return selector_has(&m->a->entry, i, list->name ? list->name(&m->at, i, &room) : NULL);
}

/* Of all entries, those count that had something to measure; one that is named must have a value. */
static double measure_list(struct measure *m)
{
	const struct assertion *a = m->a;
	bool all = !a->entry.name && !a->entry.indexed, found = false;
	size_t n = a->list->count(&m->at);
	double worst = 0;

	for (size_t i = 0; i < n; i++) {
		double value;

		if (!is_meant(m, i))
			continue;
		value = measure_entry(m, i);
		if (m->why && all && a->list->idle(&m->at, i))
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
	const struct result_job *job = m->at.job;
	const struct summary_dir *dir;

	if (m->a->list)
		return measure_list(m);
	if (m->a->figure->of == FIGURE_HOST)
		return measure_host(m);
	if (!job)
		return figure_value(m->a->figure, m->at.res);
	dir = m->mixed && job->both ? &job->sum_both : &job->sum.dir[m->at.dir % DIR_DATA];
	switch (m->a->figure->of) {
	case FIGURE_LAT:
		return measure_latency(m, m->at.dir == DIR_SYNC ? &job->sum.sync : &dir->lat[m->at.kind]);
	case FIGURE_DIR:
		return measure_dir(m, dir);
	case FIGURE_SYNC:
		return figure_value(m->a->figure, &job->sum);
	default:
		return measure_job(m);
	}
}
