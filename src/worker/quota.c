/* quota.c: sets how much a job may issue. */
#include "options.h"
#include "plan.h"
#include "quota.h"

static uint64_t for_all_loops(uint64_t amount, uint64_t loops)
{
	return __builtin_mul_overflow(amount, loops, &amount) ? UINT64_MAX : amount;
}

void quota_set(struct quota *q, const struct time_cfg *t, uint64_t loop_bytes)
{
	uint64_t loops = t->loops ? t->loops : 1;

	q->loop_bytes = loop_bytes;
	q->limit_bytes = q->limit_ios = q->pause_ios = UINT64_MAX;
	if (t->time_based)
		return;
	q->limit_bytes = for_all_loops(loop_bytes, loops);
	if (t->number_ios)
		q->limit_ios = for_all_loops(t->number_ios, loops);
}

bool quota_complete(const struct quota *q, const struct plan_job *pj)
{
	if (q->issued_ios >= q->limit_ios || q->issued_bytes >= q->limit_bytes)
		return true;
	return pj->repeat && q->limit_bytes - q->issued_bytes < pj->bs_min;
}

bool quota_end_loop(struct quota *q, const struct plan_job *pj)
{
	if (q->loops_left && --q->loops_left)
		return false;
	return !pj->repeat || q->issued_bytes >= q->loop_bytes ||
	       q->loop_bytes - q->issued_bytes < pj->bs_min;
}
