/* assertion_facts.c: what the entries of a result could measure, for assertions on a document. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "assertion.h"

/* A direction counts if the job's rw names it, even if it did no I/O. */
static unsigned dirs_of(const struct result_job *j)
{
	const char *rw = j->rw ? j->rw : "";
	unsigned dirs = 0;

	dirs |= strstr(rw, "read") || strstr(rw, "rw") ? RW_READ : 0;
	dirs |= strstr(rw, "write") || strstr(rw, "rw") ? RW_WRITE : 0;
	dirs |= strstr(rw, "trim") ? RW_TRIM : 0;
	for (unsigned d = 0; d < DIR_DATA; d++)
		dirs |= j->sum.dir[d].ios || j->sum.dir[d].errors ? 1u << d : 0;
	return dirs | (j->sum.sync_ios || j->sum.sync_errors ? 1u << DIR_SYNC : 0);
}

/* A document does not show which latencies a direction without I/O would have measured, so all of them count
   as possible. */
static void set_latencies(struct assertion_entry *e, const struct result_job *j, unsigned d)
{
	const struct summary_lat *lat = d == DIR_SYNC ? &j->sum.sync : j->sum.dir[d].lat;
	uint64_t ios = d == DIR_SYNC ? j->sum.sync_ios : j->sum.dir[d].ios;

	for (unsigned k = 0; k < LAT_KINDS; k++) {
		unsigned kind = d == DIR_SYNC ? LAT_CLAT : k;

		e->kinds[d] |= !ios || lat[d == DIR_SYNC ? 0 : k].n ? 1u << kind : 0;
		e->percentiles_of[d] |= !ios || lat[d == DIR_SYNC ? 0 : k].percentiles ? 1u << kind : 0;
	}
}

static void set_entry(struct assertion_entry *e, const struct result_job *j)
{
	e->name = j->name;
	e->dirs = dirs_of(j);
	e->mixed = j->mixed;
	e->both = j->both;
	e->percentiles = j->sum.percentiles;
	memcpy(e->percentile, j->sum.percentile, sizeof(e->percentile));
	for (unsigned d = 0; d < DIR_COUNT; d++)
		set_latencies(e, j, d);
	for (unsigned d = 0; d < DIR_DATA; d++) {
		const struct summary_dir *dir = &j->sum.dir[d];

		e->rated |= dir->lat[LAT_RESP].n || dir->unissued || dir->arrivals ? 1u << d : 0;
		e->open |= dir->arrivals ? 1u << d : 0;
	}
	e->has |= j->verify.on ? 1u << NEEDS_VERIFY : 0;
	e->has |= j->steady.on ? 1u << NEEDS_STEADY | 1u << NEEDS_STEADY_WINDOW | 1u << NEEDS_ATTAINED : 0;
	e->has |= j->steady.lat ? 1u << NEEDS_STEADY_LAT : 0;
	e->has |= j->latency_target.on ? 1u << NEEDS_TARGET : 0;
	e->has |= j->zoned ? 1u << NEEDS_ZONES : 0;
	e->has |= j->log.on ? 1u << NEEDS_LOG : 0;
}

int assertion_facts_of(struct assertion_facts *f, const struct result *r)
{
	*f = (struct assertion_facts){ .disks = r->disks > 0, .idle = r->idle.on };
	f->entry = calloc(r->jobs + 1, sizeof(*f->entry));
	if (!f->entry)
		return -ENOMEM;
	for (f->entries = 0; f->entries < r->jobs; f->entries++)
		set_entry(&f->entry[f->entries], r->job[f->entries]);
	return 0;
}

void assertion_facts_fini(struct assertion_facts *f)
{
	free(f->entry);
	free(f->absent);
	*f = (struct assertion_facts){ 0 };
}
