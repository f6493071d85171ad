/* resolve_until.c: the rules for jobs that end by what they have measured. */
#include "rules.h"

#define STEADY_ROUND_NS      (60 * 1000000000ull)
#define STEADY_ROUNDS_MAX    25
#define STEADY_SAMPLES_MAX   100000
#define SEARCH_WINDOW_MIN_NS (10 * 1000000ull)
#define SEARCH_RUNTIME_S     600

static void note_unused(struct rule_ctx *r, const char *const *names, unsigned n, const char *without)
{
	for (unsigned i = 0; i < n; i++)
		if (rule_section_option(r, names[i]))
			rule_note(r, names[i], "has no effect without {%s}", without);
}

/* Five rounds, each of one interval. Without a runtime the job gives up after STEADY_ROUNDS_MAX of them. */
int rule_steady_rounds(struct rule_ctx *r)
{
	struct steady_cfg *s = &r->o->steady;
	struct time_cfg *t = &r->o->time;

	if (s->by != STEADY_SNIA)
		return 0;
	if (!job_user_option(r->job, "steadystate_check_interval"))
		s->interval_ns = STEADY_ROUND_NS;
	if (s->duration_ns && s->duration_ns != STEADY_ROUNDS * s->interval_ns)
		return rule_refuse(r, "steadystate_duration",
				   "contradicts {steadystate=snia}, which takes five rounds of "
				   "{steadystate_check_interval}; leave it out");
	s->duration_ns = STEADY_ROUNDS * s->interval_ns;
	if (!t->runtime_ns && !t->ramp_only) {
		t->runtime_ns = s->ramp_ns + STEADY_ROUNDS_MAX * s->interval_ns;
		t->time_based = true;
	}
	return 0;
}

/* As in fio the job then ends with its runtime or its last I/O, and is never steady. */
static void note_short_runtime(struct rule_ctx *r)
{
	const struct steady_cfg *s = &r->o->steady;
	const struct time_cfg *t = &r->o->time;

	if (!t->runtime_ns)
		rule_note(r, "steadystate_duration",
			  "without {runtime} and {time_based} the job may end before it can become steady");
	else if (s->ramp_ns > t->runtime_ns || s->duration_ns > t->runtime_ns - s->ramp_ns)
		rule_note(r, "runtime",
			  s->by == STEADY_SNIA
				  ? "ends before the five rounds of {steadystate=snia} do, with "
				    "{steadystate_ramp_time} before them, so the job cannot become steady"
				  : "is shorter than {steadystate_duration}, with {steadystate_ramp_time} "
				    "before it, so the job cannot become steady");
}

/* The window must hold samples. */
static int check_window(struct rule_ctx *r)
{
	const struct steady_cfg *s = &r->o->steady;

	if (s->duration_ns % s->interval_ns || steady_samples(s) < 2)
		return rule_refuse(r, "steadystate_duration",
				   "must be a multiple of {steadystate_check_interval}, and hold two samples "
				   "or more");
	if (steady_samples(s) > STEADY_SAMPLES_MAX)
		return rule_refuse(r, "steadystate_duration",
				   "holds more than %u samples of {steadystate_check_interval}",
				   STEADY_SAMPLES_MAX);
	note_short_runtime(r);
	return 0;
}

static int check_steady_job(struct rule_ctx *r)
{
	const struct steady_cfg *s = &r->o->steady;

	if (r->job->engine->caps & ENG_NOIO)
		return rule_refuse(r, "steadystate", "%s does no I/O that could become steady",
				   r->job->engine->name);
	if (r->o->verify.only)
		return rule_refuse(r, "steadystate", "contradicts {verify_only}, which has no measured time");
	if (r->o->pace.steps.n)
		return rule_refuse(r, "steadystate",
				   "contradicts {rate_steps}: a load that changes is not steady");
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
	int err;

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

/* Refuses options that change the load by other means than the depth. */
static int check_search_load(struct rule_ctx *r)
{
	const struct queue_cfg *q = &r->o->queue;

	if (r->o->pace.steps.n)
		return rule_refuse(r, "rate_steps",
				   "contradicts {latency_target}: with a rate, the depth does not decide "
				   "the latency");
	for (unsigned d = 0; d < DIR_DATA; d++)
		if (rule_has_dir(r, d) && (r->o->pace.rate[d] || r->o->pace.rate_iops[d]))
			rule_note(r, r->o->pace.rate[d] ? "rate" : "rate_iops",
				  "with a rate, the depth that {latency_target} searches may not decide the "
				  "latency");
	if (think_wanted(&r->o->think))
		return rule_refuse(r, "thinktime",
				   "contradicts {latency_target}: pauses change the latency, too");
	if (q->per_file)
		return rule_refuse(r, "iodepth_per_file",
				   "contradicts {latency_target}, which searches one depth");
	if (r->o->thread_group.name)
		return rule_refuse(r, "thread_group",
				   "contradicts {latency_target}, which searches one depth");
	if (q->low && q->low < q->iodepth)
		return rule_refuse(r, "iodepth_low",
				   "contradicts {latency_target}, which holds the depth that it tries");
	if (q->iodepth < 2)
		return rule_refuse(r, "latency_target",
				   "searches depths up to {iodepth}, which is 1; raise {+iodepth=64} with an "
				   "asynchronous {ioengine}");
	return 0;
}

/* The files may end before the search does. The job ends when it has found its depth, so the runtime is a
 * bound. */
static void give_search_time(struct rule_ctx *r)
{
	struct time_cfg *t = &r->o->time;

	if (t->runtime_ns && t->time_based)
		return;
	t->time_based = true;
	if (t->runtime_ns) {
		rule_note(r, "latency_target",
			  "the files may end before the search does, so the job repeats them, as with "
			  "{+time_based}");
		return;
	}
	t->runtime_ns = SEARCH_RUNTIME_S * 1000000000ull;
	rule_note(r, "latency_target",
		  "the files may end before the search does, so the job repeats them until it has an answer, "
		  "as with {+runtime=%u} and {+time_based}",
		  SEARCH_RUNTIME_S);
}

static int check_search_time(struct rule_ctx *r)
{
	const struct time_cfg *t = &r->o->time;

	give_search_time(r);
	if (t->runtime_ns < 2 * r->o->latency_target.window_ns)
		return rule_refuse(r, "runtime",
				   "is shorter than two times {latency_window}, one for the search "
				   "and one for the result");
	if (t->ramp_bytes)
		return rule_refuse(r, "ramp_size", "contradicts {latency_target}; use {ramp_time}");
	if (t->ramp_only)
		return rule_refuse(r, "ramp_only", "contradicts {latency_target}");
	if (r->o->steady.duration_ns)
		return rule_refuse(r, "steadystate",
				   "contradicts {latency_target}: both decide when the job ends");
	if (r->o->verify.format.kind)
		return rule_refuse(r, "verify",
				   "contradicts {latency_target}: what is written at one depth would be read "
				   "back at another");
	return 0;
}

int rule_latency_target(struct rule_ctx *r)
{
	static const char *const companions[] = { "latency_window", "latency_percentile", "latency_run" };
	const struct latency_target_cfg *c = &r->o->latency_target;
	int err;

	if (!c->target_ns) {
		note_unused(r, companions, 3, "latency_target");
		return 0;
	}
	if (r->job->engine->caps & ENG_NOIO)
		return rule_refuse(r, "latency_target", "%s does no I/O", r->job->engine->name);
	if (!c->window_ns)
		return rule_refuse(r, "latency_target",
				   "needs {+latency_window=5s}, the time for which it tries each depth");
	if (c->window_ns < SEARCH_WINDOW_MIN_NS)
		return rule_refuse(r, "latency_window", "must be 10 ms or longer");
	if (!(c->percentile > 0))
		return rule_refuse(r, "latency_percentile",
				   "must be above 0: with 0, every depth would meet the target");
	err = check_search_load(r);
	err = err ? err : check_search_time(r);
	r->o->time.search = !err;
	return err;
}
