#include "planning.h"

#include <errno.h>
#include <stdlib.h>
#include "check_outputs.h"
#include "cmd.h"
#include "messages.h"
#include "preflight.h"

static int check_warnings(const struct job_set *set, const struct plan *p, struct diag *d)
{
	const struct notes *n = set->notes.count ? &set->notes : &p->notes;

	if (set->run.warnings_fatal && n->count)
		return diag_err(d, -EINVAL, "--warnings-fatal: %s", n->line[0]);
	return 0;
}

int planning_init(struct planning *p, const struct job_set *set, struct diag *d)
{
	int ret;

	*p = (struct planning){ .set = set };
	ret = plan_probe(&p->facts, set, d);
	if (!ret)
		ret = plan_build(&p->plan, set, &p->facts, d);
	if (!ret)
		ret = spans_source_init(&p->spans, &p->plan, &p->facts.machine, d);
	if (ret)
		return ret;
	ret = planned_assertions_init(&p->assertions, &p->plan, d);
	if (ret)
		return ret;
	messages_unused_flags(&p->plan);
	/* Notes of the preflight are only advice, so --warnings-fatal ignores them. */
	ret = check_warnings(set, &p->plan, d);
	if (ret)
		return ret;
	preflight(&p->plan, &p->facts, &p->plan.notes, &p->plan.memory_notes);
	plan_overwrite_notes(&p->plan, &p->facts, &p->plan.overwrite_notes);
	ret = check_outputs(&p->plan, d);
	if (!ret)
		check_verify_state_replaced(&p->plan);
	return ret;
}

void planning_fini(struct planning *p)
{
	planned_assertions_fini(&p->assertions);
	spans_source_fini(&p->spans);
	plan_fini(&p->plan);
	facts_fini(&p->facts);
}

int planning_use(const struct job_set *set, int (*use)(void *ctx, struct plan *p, struct diag *d), void *ctx,
		 struct diag *d)
{
	struct planning *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return diag_no_memory(d);
	err = planning_init(p, set, d);
	err = err ? err : use(ctx, &p->plan, d);
	planning_fini(p);
	free(p);
	return err;
}
