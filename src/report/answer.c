#include "answer.h"

#include <stdio.h>
#include "readable.h"
#include "strbuf.h"
#include "units.h"

void answer_iops(struct strbuf *b, double iops)
{
	strbuf_printf(b, "%s IOPS", readable_count(iops).text);
}

void answer_at(struct strbuf *b, const char *measured, const char *option, const char *value)
{
	strbuf_printf(b, " at %s (%s=%s)", measured, option, value);
}

/* Adds "p99 1.90 ms"; of all I/Os "max 1.90 ms". */
static void put_step_latency(struct strbuf *b, const struct result_latency_target *t,
			     const struct result_depth_step *s)
{
	char percentile[UNITS_DECIMALS];

	if (t->percentile < 100)
		strbuf_printf(b, "p%s ", units_decimals(percentile, t->percentile, 0, 9));
	else
		strbuf_puts(b, "max ");
	strbuf_puts(b, readable_latency((double)s->lat_ns).text);
}

static void put_found_rate(struct strbuf *b, const struct result_latency_target *t)
{
	struct strbuf measured = { 0 };
	char depth[16];

	put_step_latency(&measured, t, &t->answer);
	snprintf(depth, sizeof(depth), "%u", t->answer.depth);
	answer_iops(b, t->answer_iops);
	answer_at(b, strbuf_str(&measured), "iodepth", depth);
	strbuf_end(&measured, b);
}

/* Returns the newest step that missed the target at the next greater depth; NULL if there is none. */
static const struct result_depth_step *step_beyond(const struct result_latency_target *t)
{
	for (size_t i = t->nsteps; i-- > 0;)
		if (t->steps[i].depth == t->answer.depth + 1 && !t->steps[i].met)
			return &t->steps[i];
	return NULL;
}

static void put_depth_limit(struct strbuf *b, const struct result_latency_target *t)
{
	const struct result_depth_step *beyond = step_beyond(t);

	if (t->answer.depth == t->iodepth) {
		strbuf_puts(b, ". This is the greatest depth of the job, so a greater depth may meet the "
			       "target, too");
	} else if (beyond) {
		strbuf_printf(b, ". iodepth=%u does not meet the target: ", beyond->depth);
		put_step_latency(b, t, beyond);
	}
}

bool answer_has_latency_target(const struct result_job *job)
{
	return job->latency_target.on && job->latency_target.answer.ios;
}

void answer_latency_target(struct strbuf *b, const struct result_job *job)
{
	const struct result_latency_target *t = &job->latency_target;

	if (!t->found && !t->answer.met)
		strbuf_puts(b, "No depth that was tried meets the target: ");
	put_found_rate(b, t);
	if (t->found && !t->answer.met)
		strbuf_puts(
			b, ". The storage changes: this depth met the target in the search, and misses it in "
			   "the window measured after it");
	else if (t->found)
		put_depth_limit(b, t);
	else if (t->answer.met)
		strbuf_puts(b, ". The runtime ended before the search did, so a greater depth may meet the "
			       "target, too");
	strbuf_putc(b, '.');
}
