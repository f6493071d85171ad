/* resolve_until.c: the rules for jobs that end by what they have measured. */
#include "rules.h"

#define STEADY_ROUND_NS    (60 * 1000000000ull)
#define STEADY_SAMPLES_MAX 100000

static void note_unused(struct rule_ctx *r, const char *const *names, unsigned n, const char *without)
{
	for (unsigned i = 0; i < n; i++)
		if (rule_section_option(r, names[i]))
			rule_note(r, names[i], "has no effect without {%s}", without);
}

/* Five rounds, each of one interval. */
static int set_rounds(struct rule_ctx *r)
{
	struct steady_cfg *s = &r->o->steady;

	if (!job_user_option(r->job, "steadystate_check_interval"))
		s->interval_ns = STEADY_ROUND_NS;
	if (s->duration_ns && s->duration_ns != STEADY_ROUNDS * s->interval_ns)
		return rule_refuse(r, "steadystate_duration",
				   "contradicts {steadystate=snia}, which takes five rounds of "
				   "{steadystate_check_interval}; leave it out");
	s->duration_ns = STEADY_ROUNDS * s->interval_ns;
	return 0;
}

/* The window must hold samples, and must end within the runtime. */
static int check_window(struct rule_ctx *r)
{
	const struct steady_cfg *s = &r->o->steady;
	const struct time_cfg *t = &r->o->time;

	if (!t->runtime_ns)
		return rule_refuse(r, s->by == STEADY_SNIA ? "steadystate" : "steadystate_duration",
				   "a job that never gets steady would not end; it needs {+runtime=3600} and "
				   "{+time_based}");
	if (s->duration_ns % s->interval_ns || steady_samples(s) < 2)
		return rule_refuse(r, "steadystate_duration",
				   "must be a multiple of {steadystate_check_interval}, and hold two samples "
				   "or more");
	if (steady_samples(s) > STEADY_SAMPLES_MAX)
		return rule_refuse(r, "steadystate_duration",
				   "holds more than %u samples of {steadystate_check_interval}",
				   STEADY_SAMPLES_MAX);
	if (s->ramp_ns > t->runtime_ns || s->duration_ns > t->runtime_ns - s->ramp_ns)
		return rule_refuse(r, "runtime",
				   s->by == STEADY_SNIA
					   ? "ends before the five rounds of {steadystate=snia} do, with "
					     "{steadystate_ramp_time} before them"
					   : "is shorter than {steadystate_duration}, with "
					     "{steadystate_ramp_time} before it");
	return 0;
}

static int check_steady_job(struct rule_ctx *r)
{
	const struct steady_cfg *s = &r->o->steady;

	if (r->job->engine->caps & ENG_NOIO)
		return rule_refuse(r, "steadystate", "%s does no I/O that could get steady",
				   r->job->engine->name);
	if (r->o->verify.only)
		return rule_refuse(r, "steadystate", "contradicts {verify_only}, which has no measured time");
	if (r->o->time.ramp_only)
		return rule_refuse(r, "steadystate", "contradicts {ramp_only}, which has no measured time");
	if (s->of == STEADY_LAT && (r->o->report.no_lat || r->o->report.gtod_reduce))
		return rule_refuse(r, r->o->report.gtod_reduce ? "gtod_reduce" : "disable_lat",
				   "contradicts {steadystate}, whose criterion is lat");
	return 0;
}

int rule_steady(struct rule_ctx *r)
{
	static const char *const companions[] = { "steadystate_ramp_time", "steadystate_check_interval" };
	struct steady_cfg *s = &r->o->steady;
	int err = 0;

	if (s->by == STEADY_SNIA)
		err = set_rounds(r);
	if (err)
		return err;
	if (!s->duration_ns && job_user_option(r->job, "steadystate"))
		return rule_refuse(r, "steadystate",
				   "needs {+steadystate_duration=60}, the time in which the results must be "
				   "steady");
	if (!s->duration_ns) {
		note_unused(r, companions, 2, "steadystate_duration");
		return 0;
	}
	err = check_steady_job(r);
	return err ? err : check_window(r);
}
