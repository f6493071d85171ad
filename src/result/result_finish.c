/* result_finish.c: computes what follows from all jobs and disks together: groups, shares, aggregates. */
#include <stdlib.h>
#include "hosts.h"
#include "result.h"
#include "spans.h"

static struct result_group *group_of(struct result *r, unsigned number)
{
	for (size_t i = 0; i < r->ngroups; i++) {
		if (r->groups[i].number == number)
			return &r->groups[i];
	}
	return NULL;
}

static void add_to_group(struct result_group *g, const struct result_job *j)
{
	summary_group_add(&g->sum, &j->sum);
	if (j->both) {
		struct result_job all = result_job_mixed(j);

		summary_group_add(&g->sum_both, &all.sum);
	}
}

static void set_share(struct result_job *j, const struct result_group *g)
{
	struct result_job all;

	summary_set_share(&j->sum, &g->sum);
	if (!j->both)
		return;
	all = result_job_mixed(j);
	summary_set_share(&all.sum, &g->sum_both);
	j->sum_both = all.sum.dir[DIR_READ];
}

static struct result_group *add_group(struct result *r, const struct result_job *j)
{
	struct result_group *g = &r->groups[r->ngroups++];

	*g = (struct result_group){
		.number = j->group, .units = j->units, .mixed = j->mixed, .both = j->both
	};
	return g;
}

/* A result of several hosts has one group of all entries, described by the last entry, which is their sum.
   The other entries keep the shares that they had on their host. */
static void build_group_of_all(struct result *r)
{
	struct result_job *all = r->jobs[r->njobs - 1];
	struct result_group *g = add_group(r, all);

	for (size_t i = 0; i + 1 < r->njobs; i++)
		if (r->jobs[i]->mixed == all->mixed)
			add_to_group(g, r->jobs[i]);
	if (!r->has_shares)
		set_share(all, g);
}

static void build_groups(struct result *r)
{
	free(r->groups);
	r->ngroups = 0;
	r->groups = calloc(r->njobs ? r->njobs : 1, sizeof(*r->groups));
	if (!r->groups) {
		r->failed = true;
		return;
	}
	if (r->client_stats && r->njobs) {
		build_group_of_all(r);
		return;
	}
	for (size_t i = 0; i < r->njobs; i++) {
		struct result_group *g = group_of(r, r->jobs[i]->group);

		add_to_group(g ? g : add_group(r, r->jobs[i]), r->jobs[i]);
	}
	for (size_t i = 0; i < r->njobs && !r->has_shares; i++)
		set_share(r->jobs[i], group_of(r, r->jobs[i]->group));
}

static void add_disk_counts(struct result_disk_counts *to, const struct result_disk_counts *from)
{
	for (unsigned i = 0; i < 2; i++) {
		to->ios[i] += from->ios[i];
		to->sectors[i] += from->sectors[i];
		to->merges[i] += from->merges[i];
		to->ticks_ms[i] += from->ticks_ms[i];
	}
	to->in_queue_ms += from->in_queue_ms;
	if (from->util > to->util)
		to->util = from->util;
}

static void divide_counts(struct result_disk_counts *c, uint64_t by)
{
	for (unsigned i = 0; i < 2; i++) {
		c->ios[i] /= by;
		c->sectors[i] /= by;
		c->merges[i] /= by;
		c->ticks_ms[i] /= by;
	}
	c->in_queue_ms /= by;
}

static void build_aggregates(struct result *r)
{
	for (size_t i = 0; i < r->ndisks; i++) {
		struct result_disk *d = &r->disks[i];

		if (d->members)
			continue;
		for (size_t k = i + 1; k < r->ndisks && r->disks[k].level > d->level; k++) {
			if (r->disks[k].level != d->level + 1)
				continue;
			add_disk_counts(&d->aggr, &r->disks[k].counts);
			d->members++;
		}
		if (d->members)
			divide_counts(&d->aggr, d->members);
	}
}

void result_finish(struct result *r)
{
	build_groups(r);
	build_aggregates(r);
	result_finish_hosts(r);
	result_finish_spans(r);
}
