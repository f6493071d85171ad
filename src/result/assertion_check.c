/* assertion_check.c: refuses assertions whose figure no job can have. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "assertion.h"
#include "nearest.h"
#include "words.h"

/* Returns whether the entry can have the figure in any direction that the assertion is on. */
static bool entry_possible(const struct assertion *a, const struct assertion_entry *entry, const char **why)
{
	unsigned dirs = assertion_dirs(a, entry);

	*why = NULL;
	if (a->dir != DIR_COUNT || !assertion_of_dir(a))
		return assertion_possible(a, entry, a->dir, a->mixed, why);
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		if (dirs & 1u << dir && assertion_possible(a, entry, dir, assertion_mixes(a, entry), why))
			return true;
	if (!(entry->dirs & RW_DIRS))
		*why = "does no I/O";
	return !*why && assertion_possible(a, entry, DIR_READ, false, why);
}

static const char *nearest_name(const struct assertion *a, const struct assertion_facts *facts)
{
	const char **names = calloc(facts->entries + 1, sizeof(*names)), *near = NULL;
	const char *name = a->part.name, *last = strrchr(name, '.');

	for (size_t i = 0; names && i < facts->entries; i++)
		names[i] = facts->entry[i].name;
	near = names ? nearest_word(names, name) : NULL;
	free(names);
	last = last ? last + 1 : name;
	if (!near)
		near = figure_list_nearest(name);
	if (!near && assertion_of_dir(a) && a->dir == DIR_COUNT)
		near = nearest_word(assertion_dir_name, last);
	if (!near && a->figure->of == FIGURE_LAT && a->kind == LAT_KINDS)
		near = nearest_word(assertion_kind_name, last);
	return near;
}

static bool is_direction(const char *word)
{
	return word_find(assertion_dir_name, word, strlen(word)) >= 0;
}

static int unknown_job(const struct assertion *a, const struct assertion_facts *facts, struct diag *d)
{
	const char *near, *name = a->part.name;

	for (size_t i = 0; i < facts->absents; i++) {
		const struct assertion_absent *job = &facts->absent[i];

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
	if (near && a->list && is_direction(near) && strstr(name, near))
		return diag_err(d, -EINVAL,
				"--assert='%s': no job is called '%s'; a direction stands behind the list, "
				"as in %s[0].%s.%s",
				a->text, name, a->list->key, near, a->figure->name);
	if (near)
		return diag_err(d, -EINVAL, "--assert='%s': no job is called '%s'; did you mean '%s'?",
				a->text, name, near);
	return diag_err(d, -EINVAL, "--assert='%s': no job is called '%s'", a->text, name);
}

static const char *nearest_file(const struct assertion *a, const struct assertion_entry *entry)
{
	const char **words = calloc(entry->files + 1, sizeof(*words)), *near = NULL;

	if (words && entry->file && a->entry.name) {
		memcpy(words, entry->file, entry->files * sizeof(*words));
		near = nearest_word(words, a->entry.name);
	}
	free(words);
	return near && strcmp(near, a->entry.name) ? near : NULL;
}

/* Refuses an assertion whose figure this job, and so every job, cannot have. */
static int impossible(const struct assertion *a, const struct assertion_facts *facts,
		      const struct assertion_entry *entry, const char *why, struct diag *d)
{
	bool one = a->part.name || a->part.indexed || facts->entries == 1;
	size_t length = a->list && a->entry.indexed ? assertion_list_length(a->list, entry) : SIZE_MAX;
	const char *near = a->list && a->list->id == LIST_FILES ? nearest_file(a, entry) : NULL;
	char last[64] = "";

	if (length > 0 && length <= a->entry.index)
		snprintf(last, sizeof(last), "; the last one is %s[%zu]", a->list->key, length - 1);
	return diag_err(d, -EINVAL, "--assert='%s': %sjob '%s' %s%s%s%s%s", a->text,
			one ? "" : "no job can have this figure; ", entry->name, why, last,
			near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static int no_job(const struct assertion *a, const struct assertion_facts *facts, struct diag *d)
{
	if (!facts->entries)
		return diag_err(d, -EINVAL, "--assert='%s': no job is reported", a->text);
	if (a->part.indexed)
		return diag_err(d, -EINVAL,
				"--assert='%s': the report has no jobs[%zu]; its last job is jobs[%zu]",
				a->text, a->part.index, facts->entries - 1);
	return unknown_job(a, facts, d);
}

static int check_jobs(const struct assertion *a, const struct assertion_facts *facts, struct diag *d)
{
	const struct assertion_entry *nearest = NULL;
	const char *why = NULL, *nearest_why = NULL, *none;
	bool has = false, nearest_has = false; /* it does I/O in this direction, or has the list */

	for (size_t i = 0; i < facts->entries; i++) {
		const struct assertion_entry *entry = &facts->entry[i];

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

int assertion_check(const struct assertions *list, const struct assertion_facts *facts, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; i < list->n && !err; i++) {
		const struct assertion *a = &list->v[i];

		if (a->figure->of == FIGURE_DISK && !facts->disks)
			err = diag_err(d, -EINVAL, "--assert='%s': no job watches its disks ({disk_util=0})",
				       a->text);
		else if (a->figure->needs == NEEDS_IDLE_PROF && !facts->idle)
			err = diag_err(d, -EINVAL, "--assert='%s': this figure needs --idle-prof", a->text);
		else if (a->figure->needs == NEEDS_IDLE_CPUS && !facts->cpus)
			err = diag_err(d, -EINVAL, "--assert='%s': this figure needs --idle-prof=percpu",
				       a->text);
		else if (a->figure->of != FIGURE_CPU && a->figure->of != FIGURE_DISK &&
			 a->figure->of != FIGURE_RUN)
			err = check_jobs(a, facts, d);
	}
	return err;
}
