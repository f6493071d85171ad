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

static int set_files(struct assertion_entry *e, const struct result_files *f)
{
	e->files = calloc(f->n + 1, sizeof(*e->files));
	for (e->nfiles = 0; e->files && e->nfiles < f->n; e->nfiles++)
		e->files[e->nfiles] = f->file[e->nfiles].path;
	return e->files ? 0 : -ENOMEM;
}

static int set_entry(struct assertion_entry *e, const struct result_job *j)
{
	e->name = j->name;
	e->dirs = dirs_of(j);
	e->mixed = j->mixed;
	e->both = j->both;
	e->npercentiles = j->sum.npercentiles;
	memcpy(e->percentiles, j->sum.percentiles, sizeof(e->percentiles));
	for (unsigned d = 0; d < DIR_COUNT; d++)
		set_latencies(e, j, d);
	for (unsigned d = 0; d < DIR_DATA; d++) {
		const struct summary_dir *dir = &j->sum.dir[d];

		e->rated |= dir->lat[LAT_RESP].n || dir->unissued || dir->in_flight_at_end || dir->arrivals
				    ? 1u << d
				    : 0;
		e->open |= dir->arrivals ? 1u << d : 0;
	}
	e->has |= j->verify.on ? 1u << NEEDS_VERIFY : 0;
	e->has |= j->steady.on ? 1u << NEEDS_STEADY | 1u << NEEDS_STEADY_WINDOW | 1u << NEEDS_ATTAINED : 0;
	e->has |= j->steady.lat ? 1u << NEEDS_STEADY_LAT : 0;
	e->has |= j->latency_target.on ? 1u << NEEDS_TARGET | 1u << NEEDS_ANSWER : 0;
	e->has |= j->nsplits ? 1u << NEEDS_SPLIT | 1u << NEEDS_SPLIT_ONE : 0;
	e->has |= j->sum.self.counted ? 1u << NEEDS_COUNTERS : 0;
	e->has |= j->zoned ? 1u << NEEDS_ZONES : 0;
	e->has |= j->sum.replayed ? 1u << NEEDS_REPLAY : 0;
	e->has |= j->log.on ? 1u << NEEDS_LOG : 0;
	e->steps = j->rate_steps.nsteps;
	e->step_dirs = j->rate_steps.dirs;
	e->prio_kind = j->prio_kind;
	for (unsigned d = 0; d < DIR_DATA; d++)
		e->prios = j->nprios[d] > e->prios ? j->nprios[d] : e->prios;
	return set_files(e, &j->files);
}

static unsigned resp_dirs(const struct series *s, unsigned group)
{
	unsigned dirs = 0;

	for (size_t i = 0; s->groups[group].resp && i < s->groups[group].cells.n; i++) {
		struct ival v;

		series_get(s, group, i, &v);
		for (unsigned d = 0; d < DIR_DATA; d++)
			dirs |= v.dir[d].lat[LAT_RESP].n ? 1u << d : 0;
	}
	return dirs;
}

/* Lists the ranks and the groups of the series. */
static int set_parts(struct assertion_facts *f, const struct result *r)
{
	const struct result_series *s = &r->series;

	f->hosts = calloc(r->hosts.n + 1, sizeof(*f->hosts));
	f->groups = calloc(s->data.ngroups + 1, sizeof(*f->groups));
	if (!f->hosts || !f->groups)
		return -ENOMEM;
	for (size_t i = 0; i < r->hosts.n; i++)
		f->hosts[f->nhosts++] = r->hosts.v[i].hostname;
	for (unsigned i = 0; i < s->data.ngroups && s->label; i++) {
		if (s->label[i].in_report)
			f->groups[f->ngroups++] = s->label[i].name;
		f->resp |= resp_dirs(&s->data, i);
	}
	return 0;
}

/* A document without disks does not show whether the jobs looked for some. */
int assertion_facts_of(struct assertion_facts *f, const struct result *r)
{
	int err;

	*f = (struct assertion_facts){ .disks = true, .idle = r->idle.on, .cpus = r->idle.ncpus > 0 };
	f->entries = calloc(r->njobs + 1, sizeof(*f->entries));
	err = f->entries ? set_parts(f, r) : -ENOMEM;
	for (f->nentries = 0; f->nentries < r->njobs && !err; f->nentries++)
		err = set_entry(&f->entries[f->nentries], r->jobs[f->nentries]);
	return err;
}

void assertion_facts_fini(struct assertion_facts *f)
{
	for (size_t i = 0; i < f->nentries; i++)
		free(f->entries[i].files);
	free(f->entries);
	free(f->hosts);
	free(f->groups);
	free(f->absents);
	*f = (struct assertion_facts){ 0 };
}
