/* assertion_check.c: can the jobs have the figure of an assertion? */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "assertion.h"
#include "nearest.h"

/* What is missing, after "it ...". Figures that need nothing of the options have no text. */
static const char *const lacks[FIGURE_NEEDS] = {
	[NEEDS_VERIFY] = "does not verify (verify)",
	[NEEDS_STEADY] = "has no steadystate",
	[NEEDS_STEADY_WINDOW] = "has no steadystate",
	[NEEDS_STEADY_LAT] = "has no steadystate by latencies",
	[NEEDS_ATTAINED] = "has no steadystate",
	[NEEDS_TARGET] = "has no latency_target",
	[NEEDS_ZONES] = "emulates no zones (zonemode=zbd)",
	[NEEDS_LOG] = "has no log with an entry for each I/O",
};

bool assertion_names(const struct assertion *a, const struct assertion_entry *entry)
{
	return !a->part || !strcmp(a->part, entry->name);
}

enum lat_kind assertion_kind(const struct assertion *a, const struct assertion_entry *entry, unsigned dir)
{
	unsigned with = entry->percentiles_of[dir], kinds = entry->kinds[dir];

	if (dir == DIR_SYNC)
		return LAT_CLAT; /* the only one */
	if (a->kind != LAT_KINDS)
		return a->kind;
	if ((with | kinds) & 1u << LAT_CLAT && (with & 1u << LAT_CLAT || !(with & 1u << LAT_LAT)))
		return LAT_CLAT;
	return LAT_LAT;
}

static bool lists_percentile(const struct assertion_entry *entry, double percentile)
{
	for (unsigned i = 0; i < entry->percentiles; i++)
		if (fabs(entry->percentile[i] - percentile) < 1e-9)
			return true;
	return false;
}

static bool has_latency(const struct assertion *a, const struct assertion_entry *entry, unsigned dir,
			const char **why)
{
	enum lat_kind kind = assertion_kind(a, entry, dir);

	if (!(entry->kinds[dir] & 1u << kind))
		*why = kind == LAT_RESP ? "has no rate, so it has no response time (resp)"
		       : kind == LAT_SLAT
			       ? "does not measure slat, or has a synchronous engine, which has none"
		       : dir == DIR_SYNC  ? "does not measure the latency of syncs"
		       : kind == LAT_CLAT ? "does not measure clat"
					  : "does not measure lat";
	else if (a->figure->type == FIGURE_PERCENTILE && !(entry->percentiles_of[dir] & 1u << kind))
		*why = kind == LAT_LAT    ? "has no percentiles of lat (lat_percentiles=1)"
		       : kind == LAT_SLAT ? "has no percentiles of slat (slat_percentiles=1)"
					  : "has no percentiles (clat_percentiles)";
	else if (a->figure->type == FIGURE_PERCENTILE && !lists_percentile(entry, a->percentile))
		*why = "does not have this percentile in its percentile_list";
	return !*why;
}

static bool has_dir(const struct assertion_entry *entry, unsigned dir, bool mixed, const char **why)
{
	static const char *const none[] = { "does not read", "does not write", "does not trim",
					    "does not sync its writes (fsync, fdatasync, sync_file_range)" };

	*why = NULL;
	if (mixed && !entry->mixed && !entry->both)
		*why = "does not report its directions together (unified_rw_reporting)";
	else if (!mixed && entry->mixed && dir != DIR_SYNC)
		*why = "reports its directions together, as mixed (unified_rw_reporting)";
	else if (!mixed && !(entry->dirs & 1u << dir))
		*why = none[dir];
	return !*why;
}

bool assertion_possible(const struct assertion *a, const struct assertion_entry *entry, unsigned dir,
			bool mixed, const char **why)
{
	enum figure_needs needs = a->figure->needs;

	*why = NULL;
	if (a->figure->of == FIGURE_JOB) {
		if (lacks[needs] && !(entry->has & 1u << needs))
			*why = lacks[needs];
		return !*why;
	}
	if (!has_dir(entry, dir, mixed, why))
		return false;
	if (a->figure->of == FIGURE_LAT)
		return has_latency(a, entry, dir, why);
	if (needs == NEEDS_RATE && !(entry->rated & 1u << dir))
		*why = "has no rate in this direction";
	else if (needs == NEEDS_RATE_OPEN && !(entry->open & 1u << dir))
		*why = "has no open loop in this direction (rate_open)";
	return !*why;
}

/* Returns whether the entry can have the figure in any direction that the assertion is on. */
static bool entry_possible(const struct assertion *a, const struct assertion_entry *entry, const char **why)
{
	if (a->dir != DIR_COUNT || a->figure->of == FIGURE_JOB)
		return assertion_possible(a, entry, a->dir, a->mixed, why);
	if (entry->mixed)
		return assertion_possible(a, entry, DIR_READ, true, why);
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		if (entry->dirs & 1u << dir && assertion_possible(a, entry, dir, false, why))
			return true;
	if (!(entry->dirs & RW_DIRS))
		*why = "does no I/O";
	return false;
}

static const char *nearest_name(const struct assertion *a, const struct assertion_facts *facts)
{
	const char **names = calloc(facts->entries + 1, sizeof(*names)), *near, *last = strrchr(a->part, '.');

	for (size_t i = 0; names && i < facts->entries; i++)
		names[i] = facts->entry[i].name;
	near = names ? nearest_word(names, a->part) : NULL;
	free(names);
	last = last ? last + 1 : a->part;
	if (!near && a->figure->of != FIGURE_JOB && a->dir == DIR_COUNT)
		near = nearest_word(assertion_dir_name, last);
	if (!near && a->figure->of == FIGURE_LAT && a->kind == LAT_KINDS)
		near = nearest_word(assertion_kind_name, last);
	return near;
}

static int unknown_job(const struct assertion *a, const struct assertion_facts *facts, struct diag *d)
{
	const char *near;

	for (size_t i = 0; i < facts->absents; i++) {
		const struct assertion_absent *job = &facts->absent[i];

		if (strcmp(job->name, a->part))
			continue;
		if (job->with)
			return diag_err(d, -EINVAL,
					"--assert='%s': job '%s' is reported together with '%s' "
					"({group_reporting}); name '%s'",
					a->text, a->part, job->with, job->with);
		return diag_err(d, -EINVAL, "--assert='%s': job '%s' is not reported ({stats=0})", a->text,
				a->part);
	}
	near = nearest_name(a, facts);
	if (near)
		return diag_err(d, -EINVAL, "--assert='%s': no job is called '%s'; did you mean '%s'?",
				a->text, a->part, near);
	return diag_err(d, -EINVAL, "--assert='%s': no job is called '%s'", a->text, a->part);
}

static int check_jobs(const struct assertion *a, const struct assertion_facts *facts, struct diag *d)
{
	const struct assertion_entry *nearest = NULL;
	const char *why = NULL, *nearest_why = NULL, *none;
	bool has = false, nearest_has = false; /* it does I/O in this direction */

	for (size_t i = 0; i < facts->entries; i++) {
		const struct assertion_entry *entry = &facts->entry[i];

		if (!assertion_names(a, entry))
			continue;
		if (entry_possible(a, entry, &why))
			return 0;
		has = a->dir == DIR_COUNT || has_dir(entry, a->dir, a->mixed, &none);
		if (nearest && (nearest_has || !has))
			continue;
		nearest = entry;
		nearest_has = has;
		nearest_why = why;
	}
	if (!nearest && a->part)
		return unknown_job(a, facts, d);
	if (!nearest)
		return diag_err(d, -EINVAL, "--assert='%s': no job is reported", a->text);
	return diag_err(d, -EINVAL, "--assert='%s': %sjob '%s' %s", a->text,
			a->part || facts->entries == 1 ? "" : "no job can have this figure; ", nearest->name,
			nearest_why);
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
		else if (a->figure->of != FIGURE_DISK && a->figure->of != FIGURE_RUN)
			err = check_jobs(a, facts, d);
	}
	return err;
}
