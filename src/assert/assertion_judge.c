/* assertion_judge.c: the verdicts of assertions on the parts of a result. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "assertion.h"
#include "assertion_measure.h"
#include "exit_code.h"

/* Where verdicts go. */
struct judge {
	const struct assertion *a;
	struct result *res;
};

/* Writes "p99.9". */
static void percentile_text(char *to, size_t size, double percentile)
{
	int n = snprintf(to, size, "p%.9f", percentile);

	while (to[n - 1] == '0')
		n--;
	to[to[n - 1] == '.' ? n - 1 : n] = '\0';
}

/* Returns the index or the name of the entry, "[0]", "[\"data\"]" or "-3" for a CPU; "" for no single one. */
static const char *entry_text(const struct measure *m, struct arena *mem)
{
	const struct figure_list *list = m->a->list;
	const struct selector *s = &m->a->entry;
	const char *name = s->name;
	union figure_room room;

	if (m->entry_known && list->name)
		name = list->name(&m->at, m->entry, &room);
	if (name)
		return arena_printf(mem, list->id == LIST_CPUS ? "-%s" : "[\"%s\"]", name);
	if (m->entry_known || s->indexed)
		return arena_printf(mem, "[%zu]", m->entry_known ? m->entry : s->index);
	return "";
}

/* Returns "read.clat.p99" or "errors", in the result's memory. Without a job the name has only the parts that
   the assertion gives. */
static const char *figure_text(const struct measure *m, struct arena *mem)
{
	const struct figure *f = m->a->figure;
	const struct figure_list *list = m->a->list;
	const char *dir = "", *kind = "", *entry = "", *part = "";
	char percentile[32];

	if (figure_part(f) == PART_HOST || figure_part(f) == PART_GROUP)
		part = arena_printf(mem, "%s.", figure_part_name[figure_part(f)]);
	if (list)
		entry = entry_text(m, mem);
	if (list && list->key && entry)
		entry = arena_printf(mem, "%s%s.", list->key, entry);
	if (figure_has_dir(f) && m->at.dir < DIR_COUNT)
		dir = arena_printf(mem, "%s.", assertion_dir_name[m->mixed ? DIR_COUNT : m->at.dir]);
	if (figure_has_kind(f) && m->at.kind < LAT_KINDS)
		kind = m->at.dir == DIR_SYNC ? "lat" : limit_kind_name[m->at.kind];
	percentile_text(percentile, sizeof(percentile), m->a->percentile);
	if (!part || !entry || !dir)
		return NULL;
	if (list && !list->key)
		return arena_printf(mem, "%s%s%s%s", part, dir, f->name, entry);
	return arena_printf(mem, "%s%s%s%s%s%s", part, list && list->in_dir ? dir : entry,
			    list && list->in_dir ? entry : dir, kind, *kind ? "." : "",
			    f->type == FIGURE_PERCENTILE ? percentile : f->name);
}

/* Returns the name of the job, with a number if earlier jobs have the same name. */
static const char *job_label(struct result *r, size_t i)
{
	unsigned before = result_job_namesakes(r, i);

	return before ? arena_printf(&r->mem, "%s (%u)", r->job[i]->name, before + 1) : r->job[i]->name;
}

static void add_verdict(const struct judge *j, const char *of, const char *figure, double measured,
			const char *why)
{
	const struct assertion *a = j->a;
	struct result_verdict v = { .assertion = arena_strdup(&j->res->mem, a->text),
				    .of = of,
				    .figure = figure,
				    .op = limit_op_name[a->op],
				    .unit = a->figure->unit,
				    .limit = a->limit };

	v.measured = measured;
	v.why = why ? arena_strdup(&j->res->mem, why) : NULL;
	v.passed = !v.why && assertion_compare(a, v.measured);
	if (!v.assertion || !v.figure || (why && !v.why) || !result_add_verdict(j->res, &v))
		j->res->failed = true;
}

static void judge_dir(const struct judge *j, size_t job, const struct assertion_entry *entry, unsigned dir,
		      bool mixed)
{
	struct measure m = { .a = j->a, .mixed = mixed };
	const char *why;
	double measured;

	if (!assertion_possible(j->a, entry, dir, mixed, &why))
		return;
	m.at = (struct figure_place){
		.figure = j->a->figure, .res = j->res, .job = j->res->job[job], .dir = dir, .kind = LAT_KINDS
	};
	if (dir < DIR_COUNT)
		m.at.kind = assertion_kind(j->a, entry, dir);
	measured = assertion_measure(&m);
	add_verdict(j, job_label(j->res, job), figure_text(&m, &j->res->mem), measured, m.why);
}

static void judge_job(const struct judge *j, size_t job, const struct assertion_entry *entry)
{
	unsigned dirs = assertion_dirs(j->a, entry);

	if (j->a->dir != DIR_COUNT || !figure_has_dir(j->a->figure)) {
		judge_dir(j, job, entry, j->a->dir, j->a->mixed);
		return;
	}
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		if (dirs & 1u << dir)
			judge_dir(j, job, entry, dir, assertion_mixes(j->a, entry));
}

static void judge_jobs(const struct judge *j, const struct assertion_facts *facts)
{
	for (size_t i = 0; i < facts->entries && i < j->res->jobs; i++)
		if (selector_has(&j->a->part, i, facts->entry[i].name))
			judge_job(j, i, &facts->entry[i]);
}

static void judge_disks(const struct judge *j)
{
	const struct assertion *a = j->a;
	const struct result *res = j->res;
	const char *figure = arena_printf(&j->res->mem, "disk_util.%s", a->figure->name);
	size_t had = res->verdicts.n;

	for (size_t i = 0; i < res->disks; i++) {
		const struct result_disk *disk = &res->disk[i];

		if (selector_has(&a->part, i, disk->name) &&
		    (a->figure->needs != NEEDS_MEMBERS || disk->members))
			add_verdict(j, disk->name, figure, figure_value(a->figure, disk), NULL);
	}
	if (res->verdicts.n > had)
		return;
	if (a->part.indexed)
		figure = arena_printf(&j->res->mem, "disk_util[%zu].%s", a->part.index, a->figure->name);
	add_verdict(j, a->part.name ? arena_strdup(&j->res->mem, a->part.name) : NULL, figure, 0,
		    res->disks ? "the run did not watch this disk" : "the run watched no disk");
}

static void judge_part(const struct judge *j, size_t part, unsigned dir, const char *name)
{
	struct measure m = { .a = j->a };
	double measured;

	m.at = (struct figure_place){
		.figure = j->a->figure, .res = j->res, .part = part, .dir = dir, .kind = LAT_KINDS
	};
	measured = assertion_measure(&m);
	add_verdict(j, name, figure_text(&m, &j->res->mem), measured, m.why);
}

static void judge_hosts(const struct judge *j)
{
	const struct result_hosts *hosts = &j->res->hosts;

	for (size_t i = 0; i < hosts->n; i++)
		if (selector_has(&j->a->part, i, hosts->v[i].hostname))
			judge_part(j, i, DIR_COUNT, hosts->v[i].hostname);
}

/* `resp`: response times, which only directions with a rate have. */
static bool group_has_dir(const struct result_series *s, unsigned group, unsigned dir, bool resp)
{
	for (size_t i = 0; i < s->data.group[group].cells.n; i++) {
		struct ival v;

		series_get(&s->data, group, i, &v);
		if (resp ? v.dir[dir].lat[LAT_RESP].n : v.dir[dir].ios || v.dir[dir].errors)
			return true;
	}
	return false;
}

/* Only the groups in the report have an index. */
static void judge_groups(const struct judge *j)
{
	const struct result_series *s = &j->res->series;
	bool resp = j->a->figure->needs == NEEDS_RATE;
	size_t index = 0;

	for (unsigned i = 0; i < s->data.ngroups && s->label; i++) {
		if (!s->label[i].in_report || !selector_has(&j->a->part, index++, s->label[i].name))
			continue;
		for (unsigned dir = 0; dir < DIR_COUNT; dir++)
			if (dir == j->a->dir ||
			    (j->a->dir == DIR_COUNT && dir < DIR_DATA && group_has_dir(s, i, dir, resp)))
				judge_part(j, i, dir, s->label[i].name);
	}
}

/* The check before the run prevents this, except for documents that are judged without it. */
static void add_missing(const struct judge *j)
{
	const struct assertion *a = j->a;
	struct measure m = { .a = a,
			     .at = { .figure = a->figure, .dir = a->dir, .kind = a->kind },
			     .mixed = a->mixed };

	add_verdict(j, a->part.name ? arena_strdup(&j->res->mem, a->part.name) : NULL,
		    figure_text(&m, &j->res->mem), 0, "the result has no such figure");
}

static void judge_one(const struct judge *j, const struct assertion_facts *facts)
{
	switch (figure_part(j->a->figure)) {
	case PART_DISK:
		judge_disks(j);
		break;
	case PART_RUN:
		judge_part(j, 0, DIR_COUNT, NULL);
		break;
	case PART_HOST:
		judge_hosts(j);
		break;
	case PART_GROUP:
		judge_groups(j);
		break;
	case PART_JOB:
		judge_jobs(j, facts);
	}
}

int assertion_judge(const struct assertions *list, const struct assertion_facts *facts, struct result *res)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct judge j = { &list->v[i], res };
		size_t had = res->verdicts.n;

		judge_one(&j, facts);
		if (res->verdicts.n == had && !res->failed)
			add_missing(&j);
	}
	for (size_t i = 0; i < res->verdicts.n; i++)
		if (!res->verdicts.v[i].passed)
			result_exit_code(res, EXIT_THRESHOLD);
	return res->failed ? -ENOMEM : 0;
}
