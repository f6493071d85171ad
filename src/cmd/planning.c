#include "planning.h"

#include <errno.h>
#include <stdlib.h>
#include "check_outputs.h"
#include "cmd.h"
#include "fromjob.h"
#include "messages.h"
#include "preflight.h"

/* Finds the DISKSPD profile in whose form the run is reported, if an output format needs it. Fails if the
   jobs have no counterpart in DISKSPD. */
static int find_profile(struct spans_source *s, const struct plan *p, const struct machine *m, struct diag *d)
{
	if (!(p->set->run.formats & OUT_SPANS))
		return 0;
	s->profile = p->set->diskspd.profile;
	s->cpus = wave_usage_new(p, s->profile && s->profile->event[DS_EV_DISK_IO],
				 s->profile && (s->profile->event[DS_EV_PROCESS] ||
						s->profile->event[DS_EV_THREAD] ||
						s->profile->event[DS_EV_NETWORK]));
	if (s->profile)
		return 0;
	s->profile = &s->derived;
	if (fromjob_profile(&s->derived, p->set, &m->allowed, &s->dropped, d))
		return diag_wrap(d, "--output-format=diskspd");
	return 0;
}

static void fini_profile(struct spans_source *s)
{
	wave_usage_free(s->cpus);
	ds_profile_fini(&s->derived);
	notes_fini(&s->dropped);
}

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
		ret = find_profile(&p->spans, &p->plan, &p->facts.machine, d);
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
	fini_profile(&p->spans);
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
