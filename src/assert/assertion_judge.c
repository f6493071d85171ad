/* assertion_judge.c: the verdicts of assertions on the parts of a result. */
#include <errno.h>
#include <stdio.h>
#include "assertion.h"
#include "exit_code.h"
#include "strbuf.h"
#include "units.h"

/* Where verdicts go. */
struct judge {
	const struct assertion *a;
	struct result *res;
};

/* Returns the index or the name of an entry, "[0]", "[\"data\"]" or "-3" for a CPU; "" for no single one. */
static const char *entry_text(const struct measure *m, struct arena *mem)
{
	const struct selector *s = &m->a->entry;
	const char *name = s->name;
	union figure_room room;

	if (m->entry_known && m->a->list->named)
		name = figure_list_name(&m->at, m->entry, &room);
	if (name)
		return arena_printf(mem, m->a->list->part == PART_RUN ? "-%s" : "[\"%s\"]", name);
	if (m->entry_known || s->indexed)
		return arena_printf(mem, "[%zu]", m->entry_known ? m->entry : s->index);
	return "";
}

/* Returns "read.clat.p99" or "errors", in the result's memory. Without a job the name has only the parts that
   the assertion gives. */
static const char *figure_text(const struct measure *m, struct arena *mem)
{
	const struct figure *f = m->a->figure;
	const struct figure_list *list = m->a->list, *part = &figure_lists[figure_part(f)];
	const char *entry = list ? entry_text(m, mem) : "", *dir = "", *kind = "";
	char percentile[UNITS_DECIMALS];
	struct strbuf b = { 0 };

	if (part->key && part != &figure_lists[LIST_JOBS])
		strbuf_printf(&b, "%s.", part->key);
	if (figure_has_dir(f) && m->at.dir < DIR_COUNT)
		dir = assertion_dir_name[m->mixed ? DIR_COUNT : m->at.dir];
	if (figure_has_kind(f) && m->at.kind < LAT_KINDS)
		kind = m->at.dir == DIR_SYNC ? "lat" : limit_kind_name[m->at.kind];
	if (list && list->in_dir)
		strbuf_printf(&b, "%s%s", dir, *dir ? "." : "");
	if (list && list->key)
		strbuf_printf(&b, "%s%s.", list->key, entry ? entry : "");
	if (!list || !list->in_dir)
		strbuf_printf(&b, "%s%s", dir, *dir ? "." : "");
	strbuf_printf(&b, "%s%s", kind, *kind ? "." : "");
	if (f->type == FIGURE_PERCENTILE)
		strbuf_printf(&b, "p%s", units_decimals(percentile, m->a->percentile, 0, 9));
	else
		strbuf_puts(&b, f->name);
	if (list && !list->key)
		strbuf_puts(&b, entry ? entry : "");
	return strbuf_to_arena(&b, mem);
}

/* Returns the name of the job, with a number if earlier jobs have the same name. */
static const char *job_label(struct result *r, size_t i)
{
	unsigned before = result_job_namesakes(r, i);

	return before ? arena_printf(&r->mem, "%s (%u)", r->jobs[i]->name, before + 1) : r->jobs[i]->name;
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

/* ---- parts ---- */

static void judge_dir(const struct judge *j, size_t part, const char *name, unsigned dir, bool mixed,
		      enum lat_kind kind)
{
	struct measure m = { .a = j->a, .mixed = mixed };
	double measured;

	m.at = (struct figure_place){ .figure = j->a->figure,
				      .list = j->a->list,
				      .res = j->res,
				      .part = part,
				      .dir = dir,
				      .kind = kind };
	measured = assertion_measure(&m);
	add_verdict(j, name, figure_text(&m, &j->res->mem), measured, m.why);
}

static void judge_job(const struct judge *j, size_t job, const struct assertion_entry *entry)
{
	struct assertion_dirs dirs = assertion_dirs(j->a, entry);
	const char *why;

	for (unsigned dir = 0; dir <= DIR_COUNT; dir++)
		if (dirs.bits & 1u << dir && assertion_possible(j->a, entry, dir, dirs.mixed, &why))
			judge_dir(j, job, job_label(j->res, job), dir, dirs.mixed,
				  dir < DIR_COUNT ? assertion_kind(j->a, entry, dir) : LAT_KINDS);
}

static void judge_disk(const struct judge *j, size_t i)
{
	const struct result_disk *disk = &j->res->disks[i];

	if (selector_has(&j->a->part, i, disk->name) &&
	    (j->a->figure->needs != NEEDS_MEMBERS || disk->members))
		judge_dir(j, i, disk->name, DIR_COUNT, false, LAT_KINDS);
}

/* `resp`: response times, which only directions with a rate have. */
static bool group_has_dir(const struct result_series *s, unsigned group, unsigned dir, bool resp)
{
	for (size_t i = 0; i < s->data.groups[group].cells.n; i++) {
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
				judge_dir(j, i, s->label[i].name, dir, false, LAT_KINDS);
	}
}

/* Adds the verdict on an assertion that fits no part of the result. The check before a run prevents such
   assertions, except those on disks, which are known only after the run, and on documents that are judged
   without it. */
static void add_missing(const struct judge *j)
{
	const struct assertion *a = j->a;
	struct measure m = { .a = a, .at = { .dir = a->dir, .kind = a->kind }, .mixed = a->mixed };
	bool disk = figure_part(a->figure) == PART_DISK;
	const char *figure = figure_text(&m, &j->res->mem);

	if (disk && a->part.indexed)
		figure = arena_printf(&j->res->mem, "disk_util[%zu].%s", a->part.index, a->figure->name);
	add_verdict(j, a->part.name ? arena_strdup(&j->res->mem, a->part.name) : NULL, figure, 0,
		    !disk            ? "the result has no such figure"
		    : j->res->ndisks ? "the run did not watch this disk"
				     : "the run watched no disk");
}

static void judge_one(const struct judge *j, const struct assertion_facts *facts)
{
	const struct result *r = j->res;

	switch (figure_part(j->a->figure)) {
	case PART_DISK:
		for (size_t i = 0; i < r->ndisks; i++)
			judge_disk(j, i);
		break;
	case PART_RUN:
		judge_dir(j, 0, NULL, DIR_COUNT, false, LAT_KINDS);
		break;
	case PART_HOST:
		for (size_t i = 0; i < r->hosts.n; i++)
			if (selector_has(&j->a->part, i, r->hosts.v[i].hostname))
				judge_dir(j, i, r->hosts.v[i].hostname, DIR_COUNT, false, LAT_KINDS);
		break;
	case PART_GROUP:
		judge_groups(j);
		break;
	case PART_JOB:
		for (size_t i = 0; i < facts->nentries && i < r->njobs; i++)
			if (selector_has(&j->a->part, i, facts->entries[i].name))
				judge_job(j, i, &facts->entries[i]);
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
