#include "planning.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "collect.h"
#include "plan.h"

int planned_assertions_parse(struct assertions *list, const struct job_set *set, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; i < set->run.nassertions && !err; i++)
		err = assertion_parse(list, set->run.assertions[i], d);
	return err;
}

static bool syncs(const struct plan_job *pj)
{
	const struct fsync_cfg *s = &pj->job->opts.sync;

	return pj->rw & RW_WRITE && (s->fsync || s->fdatasync || s->range.every);
}

static void add_directions(struct assertion_entry *e, const struct plan_job *pj)
{
	const struct pace_cfg *pace = &pj->job->opts.pace;
	unsigned dirs = pj->rw & RW_DIRS;

	dirs |= pj->verify.reads && !pj->verify.only_trims ? RW_READ : 0;
	dirs |= pj->verify.trims ? RW_TRIM : 0;
	for (unsigned d = 0; d < DIR_DATA; d++)
		if (dirs & 1u << d && pace_has_rate(pace, d)) {
			e->rated |= 1u << d;
			e->open |= pace->open ? 1u << d : 0;
		}
	e->dirs |= dirs | (syncs(pj) ? 1u << DIR_SYNC : 0);
}

static void add_latencies(struct assertion_entry *e, const struct plan_job *pj, const struct summary_cfg *cfg)
{
	for (unsigned d = 0; d < DIR_COUNT; d++)
		for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
			bool wanted = cfg->percentiles_of[kind] ||
				      (kind == LAT_CLAT && !cfg->percentiles_off) || d == DIR_SYNC;

			if (pj->layout.moments[d][kind] && !cfg->disabled[kind])
				e->kinds[d] |= 1u << kind;
			if (pj->layout.hist[d][kind] && !cfg->disabled[kind] && wanted)
				e->percentiles_of[d] |= 1u << kind;
		}
}

static unsigned needs_of(const struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;
	unsigned has = 0;

	has |= plan_verifies(pj) ? 1u << NEEDS_VERIFY : 0;
	if (o->steady.duration_ns)
		has |= 1u << NEEDS_STEADY | 1u << NEEDS_STEADY_WINDOW | 1u << NEEDS_ATTAINED |
		       (o->steady.of == STEADY_LAT ? 1u << NEEDS_STEADY_LAT : 0);
	has |= o->latency_target.target_ns ? 1u << NEEDS_TARGET | 1u << NEEDS_ANSWER : 0;
	has |= o->report.latency_split ? 1u << NEEDS_SPLIT | 1u << NEEDS_SPLIT_ONE | 1u << NEEDS_COUNTERS : 0;
	has |= plan_replay_tells_lateness(pj) ? 1u << NEEDS_REPLAY : 0;
	has |= o->offset.zone.mode == ZONE_ZBD ? 1u << NEEDS_ZONES : 0;
	has |= pj->logs && (pj->logs->entries || pj->logs->iolog_entries) ? 1u << NEEDS_LOG : 0;
	return has;
}

/* Adds what a list of the entry can have. Members without cmdprio have one priority more. */
static void add_lists(struct assertion_entry *e, const struct plan_job *pj)
{
	size_t steps = pj->step_counts.steps;

	e->steps = steps > e->steps ? steps : e->steps;
	e->step_dirs |= steps ? pj->step_counts.dirs : 0;
	if (pj->layout.nprio)
		e->prio_kind = pj->layout.prio_kind;
	if (!pj->clone || !e->prios)
		e->prios += pj->layout.nprio ? pj->layout.nprio : 1;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Removes paths that are there twice. */
static void keep_each_once(struct assertion_entry *e)
{
	size_t n = 0;

	qsort(e->files, e->nfiles, sizeof(*e->files), compare_paths);
	for (size_t i = 0; i < e->nfiles; i++)
		if (!n || strcmp(e->files[n - 1], e->files[i]))
			e->files[n++] = e->files[i];
	e->nfiles = n;
}

/* Lists the paths of the entry's files, each once. */
static int add_files(struct assertion_entry *e, const struct plan *p, uint32_t report)
{
	const uint32_t *member;
	uint32_t n = plan_members(p, report, &member);
	size_t all = 0;

	for (uint32_t k = 0; k < n; k++)
		all += p->jobs[member[k]].file_stats.files;
	if (!all || !(e->files = calloc(all, sizeof(*e->files))))
		return all ? -ENOMEM : 0;
	for (uint32_t k = 0; k < n; k++) {
		const struct plan_job *pj = &p->jobs[member[k]];

		for (uint32_t i = 0; i < pj->file_stats.files; i++)
			e->files[e->nfiles++] = p->targets[pj->files[i].target].path;
	}
	keep_each_once(e);
	return 0;
}

/* The figures of an entry are chosen by the options of its first member, as in collect. */
static void begin_entry(struct assertion_entry *e, const struct plan_job *pj, const struct summary_cfg *cfg)
{
	const struct snapshot none = { 0 };
	struct summary s;

	summary_from(&s, &none, cfg);
	e->name = pj->job->name;
	e->mixed = pj->job->opts.report.unified == UNIFIED_MIXED;
	e->both = pj->job->opts.report.unified == UNIFIED_BOTH;
	e->npercentiles = s.npercentiles;
	memcpy(e->percentiles, s.percentiles, sizeof(e->percentiles));
}

/* "mixed" is in the place of reads. */
static void mix_directions(struct assertion_entry *e)
{
	for (unsigned d = 1; d < DIR_DATA && (e->mixed || e->both); d++) {
		e->kinds[0] |= e->kinds[d];
		e->percentiles_of[0] |= e->percentiles_of[d];
		e->rated |= e->mixed && e->rated & 1u << d ? 1u << DIR_READ : 0;
		e->open |= e->mixed && e->open & 1u << d ? 1u << DIR_READ : 0;
	}
}

static void add_absent(struct assertion_facts *f, const struct plan_job *pj, const char *with)
{
	if (!pj->clone && (!with || strcmp(with, pj->job->name)))
		f->absents[f->nabsents++] = (struct assertion_absent){ pj->job->name, with };
}

static int add_report(struct assertion_facts *f, const struct plan *p, uint32_t report)
{
	struct assertion_entry *e = &f->entries[f->nentries];
	struct summary_cfg cfg;
	const uint32_t *member;
	uint32_t n = plan_members(p, report, &member);

	for (uint32_t k = 0; k < n; k++) {
		const struct plan_job *pj = &p->jobs[member[k]];

		if (!pj->job->opts.report.stats) {
			add_absent(f, pj, NULL);
			continue;
		}
		if (!e->name) {
			cfg = collect_summary_cfg(&pj->job->opts.report);
			begin_entry(e, pj, &cfg);
		}
		add_absent(f, pj, e->name);
		add_directions(e, pj);
		add_latencies(e, pj, &cfg);
		e->has |= needs_of(pj);
		f->resp |= e->rated;
		add_lists(e, pj);
	}
	mix_directions(e);
	f->nentries += e->name != NULL;
	return e->name ? add_files(e, p, report) : 0;
}

/* Lists the groups of the series, which are its jobs with --series=job. The first member names a group. */
static int add_groups(struct assertion_facts *f, const struct plan *p)
{
	bool per_job = p->set->run.series == SERIES_JOB;
	uint32_t last = UINT32_MAX;

	f->groups = calloc(p->njobs + 1, sizeof(*f->groups));
	for (uint32_t i = 0; f->groups && i < p->njobs; i++) {
		const struct plan_job *pj = &p->jobs[i];

		if (!pj->job->opts.report.stats || (!per_job && pj->group == last))
			continue;
		last = pj->group;
		f->groups[f->ngroups++] = pj->job->name;
	}
	return f->groups ? 0 : -ENOMEM;
}

static int find_facts(struct assertion_facts *f, const struct plan *p, struct diag *d)
{
	f->entries = calloc(p->nreports + 1, sizeof(*f->entries));
	f->absents = calloc(p->njobs + 1, sizeof(*f->absents));
	if (!f->entries || !f->absents || add_groups(f, p))
		return diag_no_memory(d);
	for (uint32_t i = 0; i < p->nreports; i++)
		if (add_report(f, p, i))
			return diag_no_memory(d);
	for (uint32_t i = 0; i < p->njobs; i++)
		f->disks |= p->jobs[i].job->opts.report.disk_util;
	f->idle = p->set->run.idle_prof != IDLE_OFF;
	f->cpus = p->set->run.idle_prof == IDLE_PERCPU;
	return 0;
}

static bool in_sysfs(const char *directory, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/%s%s", directory, name);
	return !strchr(name, '/') && !access(path, F_OK);
}

/* Refuses the names of disks and CPUs that this machine does not have. Only the run finds out which disks it
   watches. */
static int check_machine(const struct assertions *list, struct diag *d)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct assertion *a = &list->v[i];

		if (a->figure->of == FIGURE_DISK && a->part.name && !in_sysfs("class/block/", a->part.name))
			return diag_err(d, -EINVAL, "--assert='%s': no disk is called '%s'; lsblk lists them",
					a->text, a->part.name);
		if (a->figure->of == FIGURE_CPU && a->entry.name &&
		    !in_sysfs("devices/system/cpu/cpu", a->entry.name))
			return diag_err(d, -EINVAL, "--assert='%s': there is no CPU %s; lscpu lists them",
					a->text, a->entry.name);
	}
	return 0;
}

int planned_assertions_init(struct planned_assertions *p, const struct plan *plan, struct diag *d)
{
	int err;

	if (!plan->set->run.nassertions)
		return 0;
	err = planned_assertions_parse(&p->list, plan->set, d);
	err = err ? err : find_facts(&p->facts, plan, d);
	err = err ? err : assertion_check(&p->list, &p->facts, d);
	return err ? err : check_machine(&p->list, d);
}

void planned_assertions_fini(struct planned_assertions *p)
{
	assertions_fini(&p->list);
	assertion_facts_fini(&p->facts);
}
