/* assertion_path.c: the path of an assertion: job, list, direction, kind of latency, figure. Names of jobs
   can have any characters, so a path without a list is read from its end; the part behind a list from its
   key.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "assertion_words.h"

/* The figures of each part that are in no list with a key, as bits of enum figure_of. */
static const unsigned figures_of[] = {
	[PART_JOB] = 1u << FIGURE_LAT | 1u << FIGURE_DIR | 1u << FIGURE_JOB | 1u << FIGURE_SAMPLE,
	[PART_DISK] = 1u << FIGURE_DISK,
	[PART_HOST] = 1u << FIGURE_HOST,
	[PART_GROUP] = 1u << FIGURE_INTERVAL,
};
/* Those that are entries of a list themselves, and may end with an index. */
#define ENTRIES (1u << FIGURE_SAMPLE | 1u << FIGURE_INTERVAL)

/* A figure that jobs have as well as directions is the job's if no direction stands before it. Syncs have few
   figures of their own. */
static int choose_row(struct assertion *a, const char *name, const char *end, struct diag *d)
{
	const struct figure *other;
	const char *at;

	if (a->figure->of != FIGURE_DIR || (a->dir != DIR_COUNT && a->dir != DIR_SYNC))
		return 0;
	other = figure_find(name, end, 1u << (a->dir == DIR_SYNC ? FIGURE_SYNC : FIGURE_JOB), &at);
	if (other && !strcmp(other->name, a->figure->name))
		a->figure = other;
	else if (a->dir == DIR_SYNC)
		return diag_err(
			d, -EINVAL,
			"--assert='%s': sync has no figure '%s'; it has total_ios, errors, and lat with "
			"min, max, mean, stddev, N and percentiles",
			a->text, a->figure->name);
	return 0;
}

static int unknown_figure(const struct assertion *a, enum figure_part part, const char *name, const char *end,
			  struct diag *d)
{
	if (part == PART_JOB)
		return assertion_bad_figure(a, name, end, d);
	return assertion_bad_part_figure(a, figure_part_name[part], figures_of[part], name, end, d);
}

/* Finds the figure at the end, and sets *end to its beginning. */
static int find_figure(struct assertion *a, enum figure_part part, const char *name, const char **end,
		       struct diag *d)
{
	const char *to = *end, *bracket = NULL;

	if (to > name && to[-1] == ']')
		bracket = memrchr(name, '[', (size_t)(to - name));
	if (bracket && !selector_parse(&a->entry, bracket, to, a->text, d))
		return d->err;
	to = bracket ? bracket : to;
	a->figure = figure_find(name, to, figures_of[part] & (bracket ? ENTRIES : ~0u), end);
	if (!a->figure && !bracket && part == PART_JOB) {
		*end = limit_percentile(name, to, &a->percentile);
		a->figure = *end ? &figure_percentile : NULL;
	}
	if (!a->figure)
		return unknown_figure(a, part, name, to, d);
	a->list = figure_list_of(a->figure);
	return a->entry.name ? assertion_bad_name(a, a->figure->name, d) : 0;
}

static int parse_scalar(struct assertion *a, enum figure_part part, const char *name, const char *end,
			struct diag *d)
{
	const char *at = end;
	int err = find_figure(a, part, name, &at, d);

	if (err)
		return err;
	if (figure_has_kind(a->figure))
		at = assertion_take_kind(a, name, at);
	if (figure_has_dir(a->figure))
		at = assertion_take_dir(a, name, at);
	if (a->mixed && part == PART_GROUP)
		return diag_err(d, -EINVAL,
				"--assert='%s': the series has read, write, trim and sync, not mixed",
				a->text);
	err = choose_row(a, name, end, d);
	err = err ? err : assertion_check_sync(a, d);
	return err ? err : assertion_take_part(a, part, name, at, d);
}

static int parse_rest(struct assertion *a, enum figure_part part, const char *name, const char *end,
		      struct diag *d)
{
	int err = assertion_list(a, part, name, end, d);

	return err > 0 ? parse_scalar(a, part, name, end, d) : err;
}

/* Without the brackets `name` may have, "disk_util[vda].util" is "disk_util.vda.util". */
static int parse_disk(struct assertion *a, const char *name, const char *end, struct diag *d)
{
	const char *at = name;

	if (*name == '[' && !(at = selector_parse(&a->part, name, end, a->text, d)))
		return d->err;
	name = at < end ? at + 1 : end;
	a->figure = figure_find(name, end, figures_of[PART_DISK], &at);
	if (!a->figure || (at > name && (a->part.name || a->part.indexed)))
		return assertion_bad_part_figure(a, figure_part_name[PART_DISK], figures_of[PART_DISK], name,
						 end, d);
	return at > name ? selector_set(&a->part, name, at - 1, d) : 0;
}

/* "cpu_idleness.cpu" and "cpu_idleness.cpu-3". */
static int parse_cpu(struct assertion *a, const char *at, const char *end, struct diag *d)
{
	const char *number = at + 1;

	if (at == end)
		return 0;
	for (at = number; at < end && isdigit((unsigned char)*at);)
		at++;
	if (at < end || at == number)
		return diag_err(
			d, -EINVAL,
			"--assert='%s': '%.*s' is not the number of a CPU; write cpu_idleness.cpu-0, or "
			"cpu_idleness.cpu for all CPUs",
			a->text, (int)(end - number), number);
	return selector_set(&a->entry, number, end, d);
}

/* Returns what follows the key and a bracket or period at `name`, from this character on; NULL: another word
   stands there. */
static const char *after_key(const char *key, const char *next, const char *name, const char *end)
{
	size_t len = strlen(key);

	return (size_t)(end - name) > len && !strncmp(name, key, len) && strchr(next, name[len]) ? name + len
												 : NULL;
}

/* The keys before a part, and the characters that may follow them: a job may be called "jobs". */
static const struct {
	const char *key, *next;
	enum figure_part part;
} parts[] = {
	{ "jobs", "[", PART_JOB },
	{ "client_stats", "[", PART_JOB },
	{ "disk_util", "[.", PART_DISK },
	{ "fiord.hosts", "[.", PART_HOST },
	{ "fiord.series.groups", "[.", PART_GROUP },
	{ "fiord.series.jobs", "[.", PART_GROUP },
};

static int parse_part(struct assertion *a, enum figure_part part, const char *at, const char *end,
		      struct diag *d)
{
	if (part == PART_DISK)
		return parse_disk(a, at, end, d);
	if (*at == '[' && !(at = selector_parse(&a->part, at, end, a->text, d)))
		return d->err;
	return at == end ? unknown_figure(a, part, at, end, d) : parse_rest(a, part, at + 1, end, d);
}

int assertion_path(struct assertion *a, const char *name, const char *end, struct diag *d)
{
	static const char cpu[] = "cpu_idleness.cpu";
	const char *at;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if ((at = after_key(parts[i].key, parts[i].next, name, end)))
			return parse_part(a, parts[i].part, at, end, d);
	a->figure = figure_find(name, end, 1u << FIGURE_RUN | 1u << FIGURE_CPU, &at);
	if (!a->figure && after_key(cpu, "-", name, end))
		a->figure = figure_find(name, name + strlen(cpu), 1u << FIGURE_CPU, &at);
	if (!a->figure || at > name)
		return parse_rest(a, PART_JOB, name, end, d);
	a->list = figure_list_of(a->figure);
	return a->list ? parse_cpu(a, name + strlen(cpu), end, d) : 0;
}
