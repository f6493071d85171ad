/* assertion_possible.c: can an entry of the report have the figure of an assertion? */
#include <math.h>
#include <string.h>
#include "assertion.h"

/* What is missing, after "it ...". Figures that need nothing of the options have no text. */
static const char *const lacks[FIGURE_NEEDS] = {
	[NEEDS_VERIFY] = "does not verify (verify)",
	[NEEDS_STEADY] = "has no steadystate",
	[NEEDS_STEADY_WINDOW] = "has no steadystate",
	[NEEDS_STEADY_LAT] = "has no steadystate by latencies",
	[NEEDS_ATTAINED] = "has no steadystate",
	[NEEDS_TARGET] = "has no latency_target",
	[NEEDS_ANSWER] = "has no latency_target",
	[NEEDS_SPLIT] = "has no latency_split",
	[NEEDS_SPLIT_ONE] = "has no latency_split",
	[NEEDS_COUNTERS] = "has no latency_split",
	[NEEDS_REPLAY] = "replays no trace at times finer than seconds (read_iolog)",
	[NEEDS_ZONES] = "has no zones (zonemode=zbd)",
	[NEEDS_LOG] = "has no log with an entry for each I/O",
};

static bool of_steps(const struct assertion *a)
{
	return a->list == &figure_lists[LIST_STEPS];
}

struct assertion_dirs assertion_dirs(const struct assertion *a, const struct assertion_entry *entry)
{
	if (a->dir != DIR_COUNT || !figure_has_dir(a->figure))
		return (struct assertion_dirs){ 1u << a->dir, a->mixed };
	if (of_steps(a))
		return (struct assertion_dirs){ entry->step_dirs, false };
	return (struct assertion_dirs){ entry->mixed ? RW_READ : entry->dirs & RW_DIRS, entry->mixed };
}

enum lat_kind assertion_kind(const struct assertion *a, const struct assertion_entry *entry, unsigned dir)
{
	unsigned with = entry->percentiles_of[dir], kinds = entry->kinds[dir];

	if (dir == DIR_SYNC)
		return LAT_CLAT; /* the only one */
	if (a->kind != LAT_KINDS)
		return a->kind;
	if (a->figure->of == FIGURE_STEP_LAT)
		return LAT_CLAT;
	if (a->list == &figure_lists[LIST_PRIOS])
		return entry->prio_kind;
	if ((with | kinds) & 1u << LAT_CLAT && (with & 1u << LAT_CLAT || !(with & 1u << LAT_LAT)))
		return LAT_CLAT;
	return LAT_LAT;
}

static bool lists_percentile(const struct assertion_entry *entry, double percentile)
{
	for (unsigned i = 0; i < entry->npercentiles; i++)
		if (fabs(entry->percentiles[i] - percentile) < 1e-9)
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

bool assertion_has_dir(const struct assertion_entry *entry, unsigned dir, bool mixed, const char **why)
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

size_t assertion_list_length(const struct figure_list *list, const struct assertion_entry *entry)
{
	if (list == &figure_lists[LIST_STEPS])
		return entry->steps;
	if (list == &figure_lists[LIST_PRIOS])
		return entry->prios < 2 ? 0 : entry->prios;
	return list == &figure_lists[LIST_FILES] ? entry->nfiles : SIZE_MAX;
}

static bool has_file(const struct assertion_entry *entry, const char *path)
{
	for (size_t i = 0; entry->files && i < entry->nfiles; i++)
		if (!strcmp(entry->files[i], path))
			return true;
	return !entry->files;
}

static bool has_list(const struct assertion *a, const struct assertion_entry *entry, bool mixed,
		     const char **why)
{
	size_t n = a->list ? assertion_list_length(a->list, entry) : SIZE_MAX;

	*why = NULL;
	if (!n)
		*why = a->list->lacks;
	else if (a->entry.name && !has_file(entry, a->entry.name))
		*why = "has no such file";
	else if (a->list && mixed && !entry->mixed && !of_steps(a))
		*why = "does not list this for all directions together (unified_rw_reporting=mixed)";
	else if (a->entry.indexed && a->entry.index >= n)
		*why = "has fewer entries in this list";
	return !*why;
}

static bool has_step_dir(const struct assertion_entry *entry, unsigned dir, bool mixed, const char **why)
{
	*why = mixed                          ? "lists the steps of each direction, not of all together"
	       : entry->step_dirs & 1u << dir ? NULL
					      : "has no rate in this direction";
	return !*why;
}

static bool has_figure(const struct assertion *a, const struct assertion_entry *entry, unsigned dir,
		       const char **why)
{
	enum figure_needs needs = a->figure->needs;

	if (a->list == &figure_lists[LIST_PRIOS] && assertion_kind(a, entry, dir) != entry->prio_kind)
		*why = entry->prio_kind == LAT_LAT
			       ? "has only the lat of its priorities (lat_percentiles=1)"
			       : "has only the clat of its priorities (lat_percentiles=0)";
	else if (a->figure->of == FIGURE_LAT)
		return has_latency(a, entry, dir, why);
	else if (needs == NEEDS_RATE && !(entry->rated & 1u << dir))
		*why = "has no rate in this direction";
	else if (needs == NEEDS_RATE_OPEN && !(entry->open & 1u << dir))
		*why = "has no open loop in this direction (rate_open)";
	else if (needs == NEEDS_DATA && dir == DIR_SYNC)
		*why = "counts only total_ios, errors and lat of the syncs of a file";
	return !*why;
}

bool assertion_possible(const struct assertion *a, const struct assertion_entry *entry, unsigned dir,
			bool mixed, const char **why)
{
	enum figure_needs needs = a->figure->needs;

	if (!has_list(a, entry, mixed, why))
		return false;
	if (!figure_has_dir(a->figure)) {
		if (lacks[needs] && !(entry->has & 1u << needs))
			*why = lacks[needs];
		return !*why;
	}
	if (a->figure->of == FIGURE_STEP_DIR || a->figure->of == FIGURE_STEP_LAT)
		return has_step_dir(entry, dir, mixed, why);
	return assertion_has_dir(entry, dir, mixed, why) && has_figure(a, entry, dir, why);
}
