#include "block_check.h"

#include "clone.h"
#include "worker.h"

/* Returns whether the newest run, and no other job, should have written this block, and its header tells the
   run. */
static bool comparable(const struct worker *w, const struct block_check *c)
{
	const struct plan_verify *p = &w->clone.job->verify;

	return p->reads && !p->maybe_unwritten && p->memory != VERIFY_SCAN && !c->sharing && c->run.time_ns;
}

bool verify_newest_run_counts(struct verify_newest_run *v, struct worker *w, struct verify_damages *damages,
			      const struct block_check *c)
{
	const struct verify_damage older = { .kind = DAMAGE_EARLIER_RUN,
					     .offset = c->block.offset + c->block.from,
					     .bytes = c->block.bytes,
					     .expected = c->expect.write.number,
					     .found = c->expect.write.number };
	bool same = v->found && c->run.number == v->run, newer = c->run.time_ns > v->time_ns;

	if (!comparable(w, c))
		return false;
	if (!same && !newer) {
		verify_damages_add(damages, w, c->file, &older);
		return true;
	}
	if (!same)
		verify_doubtful_condemn(&v->blocks, w, damages);
	if (newer)
		v->time_ns = c->run.time_ns;
	v->run = c->run.number;
	v->found = true;
	verify_doubtful_add(&v->blocks, w, damages, c->file, &older);
	return true;
}
