/* resolve_flow.c: the rules for jobs that keep a proportion of I/Os (flow). */
#include "rules.h"

static int check_pairs(struct rule_ctx *r)
{
	const struct job_opts *o = r->o;

	if (o->pace.open)
		return rule_refuse(
			r, "flow",
			"contradicts {rate_open}, where I/Os start when they are due, and not when "
			"another job has done its share");
	if (o->latency_target.target_ns)
		return rule_refuse(
			r, "flow",
			"contradicts {latency_target}: the other jobs of the flow would decide the "
			"load, and not the depth");
	if (o->verify.only)
		return rule_refuse(r, "flow", "contradicts {verify_only}, which only reads back");
	if (o->thread_group.name)
		return rule_refuse(
			r, "flow",
			"contradicts {thread_group}, whose sections are one worker; use {+thread=1} "
			"alone");
	return 0;
}

int rule_flow(struct rule_ctx *r)
{
	static const char *const companions[] = { "flow_id", "flow_sleep" };
	struct flow_cfg *f = &r->o->flow;

	for (unsigned i = 0; i < sizeof(companions) / sizeof(companions[0]) && !f->weight; i++)
		if (rule_section_option(r, companions[i]))
			rule_note(r, companions[i], "has no effect without {flow}");
	if (!f->weight)
		return 0;
	if (r->job->engine->caps & ENG_NOIO)
		return rule_refuse(r, "flow", "%s does no I/O", r->job->engine->name);
	return check_pairs(r);
}
