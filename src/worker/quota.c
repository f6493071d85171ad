/* quota.c: sets how much a job may issue. */
#include "options.h"
#include "quota.h"

static uint64_t for_all_loops(uint64_t amount, uint64_t loops)
{
	return __builtin_mul_overflow(amount, loops, &amount) ? UINT64_MAX : amount;
}

void quota_set(struct quota *q, const struct time_cfg *t, uint64_t loop_bytes)
{
	uint64_t loops = t->loops ? t->loops : 1;

	q->loop_bytes = loop_bytes;
	q->limit_bytes = q->limit_ios = UINT64_MAX;
	if (t->time_based)
		return;
	q->limit_bytes = for_all_loops(loop_bytes, loops);
	if (t->number_ios)
		q->limit_ios = for_all_loops(t->number_ios, loops);
}
