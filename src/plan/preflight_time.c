/* preflight_time.c: whether the run is long enough, or has an end. */
#include <inttypes.h>
#include "preflight_checks.h"
#include "units.h"

#define LONG_BYTES ((uint64_t)256 << 30) /* rarely intended without a time limit */
#define SHORT_NS   5000000000ull
#define FEW_IOS    1000u

static uint64_t amount(const struct plan_job *pj)
{
	uint64_t loops = pj->job->opts.time.loops, bytes;

	return __builtin_mul_overflow(pj->pass_bytes, loops ? loops : 1, &bytes) ? UINT64_MAX : bytes;
}

void preflight_check_time(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct time_cfg *t = &pj->job->opts.time;

	if (!preflight_measures(fl, pj))
		return;
	if (!t->runtime_ns && !t->number_ios && amount(pj) > LONG_BYTES) {
		message_printf(out,
			       "without {runtime} it ends when %s have been transferred, however long that "
			       "takes; {+runtime=60} and {+time_based} limit the time",
			       units_bytes(amount(pj)).text);
	} else if (t->runtime_ns && t->runtime_ns < SHORT_NS) {
		message_printf(out,
			       "{runtime=%s} is short, so start-up and chance distort every figure; 30 "
			       "seconds or more give repeatable figures",
			       units_duration(t->runtime_ns, 1000000000u).text);
	}
}

/* Returns the most I/Os that the rate allows within runtime; UINT64_MAX if there is no limit. */
static uint64_t rated_ios(const struct plan_job *pj)
{
	const struct pace_cfg *p = &pj->job->opts.pace;
	uint64_t seconds = pj->job->opts.time.runtime_ns / 1000000000u, most = 0;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		uint64_t bs = bsize_min(&pj->job->opts.offset.bsize, 1u << d);
		uint64_t iops = p->rate_iops[d] ? p->rate_iops[d] : bs ? p->rate[d] / bs : 0;

		if (!(pj->rw & 1u << d))
			continue;
		if (!iops || iops > FEW_IOS)
			return UINT64_MAX;
		most = most > iops * seconds ? most : iops * seconds;
	}
	return seconds ? most : UINT64_MAX;
}

void preflight_check_rate(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	uint64_t ios = rated_ios(pj);

	(void)fl;
	if (ios < FEW_IOS && ios > 0)
		message_printf(out,
			       "its rate allows %" PRIu64 " I/Os at most, so latency percentiles from 99 on "
			       "are single I/Os; use a longer {runtime}",
			       ios);
}
