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
	const char *dir = "", *kind = "", *entry = "";
	bool has_kind = f->of == FIGURE_LAT || f->of == FIGURE_STEP_LAT;
	char percentile[32];

	if (list && !(entry = entry_text(m, mem)))
		return NULL;
	if (list && !list->key)
		return arena_printf(mem, "%s%s", f->name, entry);
	if (list && !(entry = arena_printf(mem, "%s%s.", list->key, entry)))
		return NULL;
	if (assertion_of_dir(m->a) && m->at.dir < DIR_COUNT)
		dir = assertion_dir_name[m->mixed ? DIR_COUNT : m->at.dir];
	if (has_kind && m->at.kind < LAT_KINDS)
		kind = m->at.dir == DIR_SYNC ? "lat" : assertion_kind_name[m->at.kind];
	percentile_text(percentile, sizeof(percentile), m->a->percentile);
	dir = *dir ? arena_printf(mem, "%s.", dir) : dir;
	if (!dir)
		return NULL;
	return arena_printf(mem, "%s%s%s%s%s", list && list->in_dir ? dir : entry,
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
				    .op = assertion_op_name[a->op],
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

	if (j->a->dir != DIR_COUNT || !assertion_of_dir(j->a)) {
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
	if (res->verdicts.n == had)
		add_verdict(j, a->part.name ? arena_strdup(&j->res->mem, a->part.name) : NULL, figure, 0,
			    res->disks ? "the run did not watch this disk" : "the run watched no disk");
}

static void judge_run(const struct judge *j)
{
	struct measure m = { .a = j->a, .at = { .figure = j->a->figure, .res = j->res } };
	double measured = assertion_measure(&m);

	add_verdict(j, NULL, figure_text(&m, &j->res->mem), measured, m.why);
}

/* The check before the run prevents this, except for documents that are judged without it. */
static void add_missing(const struct judge *j)
{
	const struct assertion *a = j->a;
	struct measure m = { .a = a, .at = { .dir = a->dir, .kind = a->kind }, .mixed = a->mixed };

	add_verdict(j, a->part.name ? arena_strdup(&j->res->mem, a->part.name) : NULL,
		    figure_text(&m, &j->res->mem), 0, "the result has no such figure");
}

int assertion_judge(const struct assertions *list, const struct assertion_facts *facts, struct result *res)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct judge j = { &list->v[i], res };
		size_t had = res->verdicts.n;

		if (j.a->figure->of == FIGURE_RUN || j.a->figure->of == FIGURE_CPU)
			judge_run(&j);
		else if (j.a->figure->of == FIGURE_DISK)
			judge_disks(&j);
		else
			judge_jobs(&j, facts);
		if (res->verdicts.n == had && !res->failed)
			add_missing(&j);
	}
	for (size_t i = 0; i < res->verdicts.n; i++)
		if (!res->verdicts.v[i].passed)
			result_exit_code(res, EXIT_THRESHOLD);
	return res->failed ? -ENOMEM : 0;
}
