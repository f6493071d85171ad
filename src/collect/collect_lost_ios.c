#include "collect_parts.h"

#include "inflight.h"

/* At most this many I/Os are listed in one entry. */
#define LISTED_MAX 256

static void list(struct result *r, struct result_job *job, const struct inflight *v, uint32_t n, int pid)
{
	for (uint32_t i = 0; i < n; i++) {
		struct result_lost_io io = { .op = v[i].op,
					     .file = v[i].path,
					     .offset = v[i].offset,
					     .length = v[i].length,
					     .age_ns = v[i].age_ns,
					     .pid = pid };

		result_job_lost_io(r, job, &io);
	}
}

void collect_lost_ios(struct result *r, struct result_job *job, const struct run *run, uint32_t report)
{
	struct inflight found[LISTED_MAX];
	const uint32_t *member;
	uint32_t members = plan_members(run->plan, report, &member);

	for (uint32_t i = 0; i < members; i++) {
		uint32_t room = LISTED_MAX - job->nlost_ios, n;

		n = inflight_list(run, member[i], found, room);
		list(r, job, found, n < room ? n : room, run_slot(run, member[i])->pid);
		job->lost_ios_total += n;
	}
}
