/* assertion_check.c: refuses assertions whose figure no job can have. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "assertion.h"
#include "nearest.h"
#include "strbuf.h"

#define NAMES_SHOWN 5

/* Returns whether the entry can have the figure in any direction that the assertion is on. */
static bool entry_possible(const struct assertion *a, const struct assertion_entry *entry, const char **why)
{
	struct assertion_dirs dirs = assertion_dirs(a, entry);

	for (unsigned dir = 0; dir <= DIR_COUNT; dir++)
		if (dirs.bits & 1u << dir && assertion_possible(a, entry, dir, dirs.mixed, why))
			return true;
	if (!dirs.bits && !(entry->dirs & RW_DIRS))
		*why = "does no I/O";
	else if (!dirs.bits)
		return assertion_possible(a, entry, DIR_READ, false, why);
	return false;
}

static const char *nearest_name(const struct assertion *a, const struct assertion_facts *facts)
{
	const char **names = calloc(facts->nentries + 1, sizeof(*names)), *near = NULL;
	const char *name = a->part.name, *last = strrchr(name, '.');

	for (size_t i = 0; names && i < facts->nentries; i++)
		names[i] = facts->entries[i].name;
	near = names ? nearest_word(names, name) : NULL;
	free(names);
	last = last ? last + 1 : name;
	if (!near)
		near = figure_list_nearest(name);
	if (!near && figure_has_dir(a->figure) && a->dir == DIR_COUNT)
		near = nearest_word(assertion_dir_name, last);
	return near;
}

/* The last word of the name may be meant as a kind of latency: "read.latency.p99". Returns 0 if it is not. */
static int bad_kind(const struct assertion *a, struct diag *d)
{
	const char *last = strrchr(a->part.name, '.');

	last = last ? last + 1 : a->part.name;
	if (a->figure->of != FIGURE_LAT || a->kind != LAT_KINDS || !limit_nearest_kind(last))
		return 0;
	return diag_err(d, -EINVAL, "--assert='%s': '%s' is not a kind of latency; did you mean '%s'?",
			a->text, last, limit_nearest_kind(last));
}

static bool is_direction(const char *word)
{
	return word_find(assertion_dir_name, word, strlen(word)) >= 0;
}

/* Refuses a name that is near to none, and says which there are. Clones have one name. */
static int no_such_job(const struct assertion *a, const struct assertion_facts *facts, struct diag *d)
{
	struct strbuf jobs = { 0 };
	size_t i, shown = 0;

	for (i = 0; i < facts->nentries && shown < NAMES_SHOWN; i++)
		if (!i || strcmp(facts->entries[i].name, facts->entries[i - 1].name))
			strbuf_printf(&jobs, "%s'%s'", shown++ ? ", " : "", facts->entries[i].name);
	diag_err(d, -EINVAL, "--assert='%s': no job is called '%s'; the names are %s%s", a->text,
		 a->part.name, strbuf_str(&jobs), i < facts->nentries ? " and others" : "");
	strbuf_fini(&jobs);
	return d->err;
}

static int unknown_job(const struct assertion *a, const struct assertion_facts *facts, struct diag *d)
{
	const char *near, *name = a->part.name;

	for (size_t i = 0; i < facts->nabsents; i++) {
		const struct assertion_absent *job = &facts->absents[i];

		if (strcmp(job->name, name))
			continue;
		if (job->with)
			return diag_err(d, -EINVAL,
					"--assert='%s': job '%s' is reported together with '%s' "
					"({group_reporting}); name '%s'",
					a->text, name, job->with, job->with);
		return diag_err(d, -EINVAL, "--assert='%s': job '%s' is not reported ({stats=0})", a->text,
				name);
	}
	near = nearest_name(a, facts);
	if (near && a->list && a->list->key && figure_has_dir(a->figure) && is_direction(near) &&
	    strstr(name, near))
		return diag_err(d, -EINVAL,
				"--assert='%s': no job is called '%s'; a direction stands behind the list, "
				"as in %s[0].%s.%s",
				a->text, name, a->list->key, near, a->figure->name);
	if (near)
		return diag_err(d, -EINVAL, "--assert='%s': no job is called '%s'; did you mean '%s'?",
				a->text, name, near);
	if (bad_kind(a, d) || assertion_bad_chain(a, name, name + strlen(name), d))
		return d->err;
	return no_such_job(a, facts, d);
}

static const char *nearest_file(const struct assertion *a, const struct assertion_entry *entry)
{
	const char **words = calloc(entry->nfiles + 1, sizeof(*words)), *near = NULL;

	if (words && entry->files && a->entry.name) {
		memcpy(words, entry->files, entry->nfiles * sizeof(*words));
		near = nearest_word(words, a->entry.name);
	}
	free(words);
	return near && strcmp(near, a->entry.name) ? near : NULL;
}

/* Refuses an assertion whose figure this job, and so every job, cannot have. */
static int impossible(const struct assertion *a, const struct assertion_facts *facts,
		      const struct assertion_entry *entry, const char *why, struct diag *d)
{
	bool one = a->part.name || a->part.indexed || facts->nentries == 1;
	size_t length = a->list && a->entry.indexed ? assertion_list_length(a->list, entry) : SIZE_MAX;
	const char *near = a->list == &figure_lists[LIST_FILES] ? nearest_file(a, entry) : NULL;
	char last[64] = "";

	if (length > 0 && length <= a->entry.index)
		snprintf(last, sizeof(last), "; the last one is %s[%zu]", a->list->key, length - 1);
	return diag_err(d, -EINVAL, "--assert='%s': %sjob '%s' %s%s%s%s%s", a->text,
			one ? "" : "no job can have this figure; ", entry->name, why, last,
			near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static int no_job(const struct assertion *a, const struct assertion_facts *facts, struct diag *d)
{
	if (!facts->nentries)
		return diag_err(d, -EINVAL, "--assert='%s': no job is reported", a->text);
	if (a->part.indexed)
		return diag_err(d, -EINVAL,
				"--assert='%s': the report has no jobs[%zu]; its last job is jobs[%zu]",
				a->text, a->part.index, facts->nentries - 1);
	return unknown_job(a, facts, d);
}

static int check_assertion_jobs(const struct assertion *a, const struct assertion_facts *facts,
				struct diag *d)
{
	const struct assertion_entry *nearest = NULL;
	const char *why = NULL, *nearest_why = NULL, *none;
	bool has = false, nearest_has = false; /* it does I/O in this direction, or has the list */

	for (size_t i = 0; i < facts->nentries; i++) {
		const struct assertion_entry *entry = &facts->entries[i];

		if (!selector_has(&a->part, i, entry->name))
			continue;
		if (entry_possible(a, entry, &why))
			return 0;
		has = a->list ? assertion_list_length(a->list, entry) > 0
			      : a->dir == DIR_COUNT || assertion_has_dir(entry, a->dir, a->mixed, &none);
		if (nearest && (nearest_has || !has))
			continue;
		nearest = entry;
		nearest_has = has;
		nearest_why = why;
	}
	return nearest ? impossible(a, facts, nearest, nearest_why, d) : no_job(a, facts, d);
}

static bool any_selected(const struct selector *s, const char *const *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (selector_has(s, i, name[i]))
			return true;
	return false;
}

/* Refuses a part that the result does not have. `name` ends with NULL; why: the reason if it is empty. */
static int check_named(const struct assertion *a, const char **name, size_t n, const char *why,
		       struct diag *d)
{
	const char *key = figure_lists[figure_part(a->figure)].key, *near;

	if (!n)
		return diag_err(d, -EINVAL, "--assert='%s': %s", a->text, why);
	if (any_selected(&a->part, name, n))
		return 0;
	if (a->part.indexed)
		return diag_err(d, -EINVAL, "--assert='%s': there is no %s[%zu]; the last one is %s[%zu]",
				a->text, key, a->part.index, key, n - 1);
	near = nearest_word(name, a->part.name);
	return diag_err(d, -EINVAL, "--assert='%s': %s has no '%s'%s%s%s", a->text, key, a->part.name,
			near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static int check_run(const struct assertion *a, const struct assertion_facts *facts, struct diag *d)
{
	if (a->figure->needs == NEEDS_IDLE_PROF && !facts->idle)
		return diag_err(d, -EINVAL, "--assert='%s': this figure needs --idle-prof", a->text);
	if (a->figure->needs == NEEDS_IDLE_CPUS && !facts->cpus)
		return diag_err(d, -EINVAL, "--assert='%s': this figure needs --idle-prof=percpu", a->text);
	return 0;
}

/* Refuses a direction in which no job does I/O, and response times without a rate. */
static int check_group(const struct assertion *a, const struct assertion_facts *facts, struct diag *d)
{
	int err = check_named(a, facts->groups, facts->ngroups,
			      "the document has no series (--output-format=json+)", d);
	unsigned dirs = 0, wanted = a->dir == DIR_COUNT ? ~0u : 1u << a->dir;

	for (size_t i = 0; i < facts->nentries; i++)
		dirs |= facts->entries[i].mixed ? ~0u : facts->entries[i].dirs;
	if (!err && a->dir != DIR_COUNT && !(dirs & wanted))
		return diag_err(d, -EINVAL, "--assert='%s': no job has I/O of this direction", a->text);
	if (!err && a->figure->needs == NEEDS_RATE && !(facts->resp & wanted))
		return diag_err(d, -EINVAL,
				"--assert='%s': no job has a rate%s, so there are no response times", a->text,
				facts->resp ? " in this direction" : "");
	return err;
}

static int check_one(const struct assertion *a, const struct assertion_facts *facts, struct diag *d)
{
	switch (figure_part(a->figure)) {
	case PART_DISK:
		if (facts->disks)
			return 0;
		return diag_err(d, -EINVAL, "--assert='%s': no job watches its disks ({disk_util=0})",
				a->text);
	case PART_RUN:
		return check_run(a, facts, d);
	case PART_HOST:
		return check_named(a, facts->hosts, facts->nhosts,
				   "only the document of fiord-mpi or of fiord merge has hosts", d);
	case PART_GROUP:
		return check_group(a, facts, d);
	case PART_JOB:
		break;
	}
	return check_assertion_jobs(a, facts, d);
}

int assertion_check(const struct assertions *list, const struct assertion_facts *facts, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; i < list->n && !err; i++)
		err = check_one(&list->v[i], facts, d);
	return err;
}
