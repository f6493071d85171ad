#include "collect_parts.h"

#include <stdlib.h>
#include <time.h>
#include "clock.h"
#include "run_snapshot.h"

/* The limit of the series that JSON+ has by default. As text it is about five times as long. */
#define PLUS_BYTES (1u << 20)

uint64_t collect_epoch_ms(uint64_t ns)
{
	struct timespec ts;
	uint64_t now;

	clock_gettime(CLOCK_REALTIME, &ts);
	now = (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
	return now - (clock_ns() - ns) / 1000000;
}

void collect_series(struct result *r, const struct plan *p, const struct run *run)
{
	struct series *from = run_series(run);
	enum series_of of = p->set->run.series;
	bool per_job = of == SERIES_JOB,
	     plus = of == SERIES_DEFAULT && (p->set->run.formats & OUT_JSON_PLUS || p->set->run.merge);
	struct result_series_label *label = calloc(from->ngroups + 1, sizeof(*label));

	for (uint32_t i = p->njobs; label && i-- > 0;) {
		const struct plan_job *pj = &p->jobs[i];

		if (pj->job->opts.report.stats)
			label[per_job ? i : pj->group] = (struct result_series_label){ .name = pj->job->name,
										       .group = pj->group,
										       .clone = pj->clone,
										       .in_report = true };
	}
	if (plus)
		series_limit(from, PLUS_BYTES);
	result_move_series(r, from, label, from->start_ns ? collect_epoch_ms(from->start_ns) : 0);
	r->series.per_job = per_job;
	r->series.on = of > SERIES_NONE || plus;
	r->series.json_plus = of <= SERIES_NONE;
	free(label);
}
