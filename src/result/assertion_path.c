/* assertion_path.c: the path of an assertion: job, list, direction, kind of latency, figure. Names of jobs
   can have any characters, so a path without a list is read from its end; the part behind a list from its
   key.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "assertion.h"
#include "nearest.h"
#include "strbuf.h"

const char *const assertion_dir_name[] = { "read", "write", "trim", "sync", "mixed", NULL };
const char *const assertion_kind_name[] = { "slat", "clat", "lat", "resp", NULL };
/* The keys of the document. */
static const char *const kind_keys[] = { "slat_ns", "clat_ns", "lat_ns", "resp_ns", NULL };

/* Returns the start of the last `words` words before the end. */
static const char *last_words(const char *name, const char *end, unsigned words)
{
	const char *at = end;

	while (at > name && (at[-1] != '.' || --words))
		at--;
	return at;
}

/* Returns the figure whose name is near the last words. of: bits of enum figure_of. */
static const char *nearest_figure(const char *name, const char *end, unsigned of)
{
	const char *words[FIGURES_MAX + 1] = { 0 }, *near = NULL;
	char word[64];
	unsigned n = 0;

	for (const struct figure *f = figures; f->name && n < FIGURES_MAX; f++)
		if (of & 1u << f->of)
			words[n++] = f->name;
	for (unsigned k = 1; k <= 2 && !near; k++) {
		const char *at = last_words(name, end, k);

		snprintf(word, sizeof(word), "%.*s", (int)(end - at), at);
		near = nearest_word(words, word);
	}
	return near;
}

static int bad_figure(const struct assertion *a, const char *name, const char *end, struct diag *d)
{
	const char *near = nearest_figure(name, end, ~0u);

	name = last_words(name, end, 1);
	if (near)
		return diag_err(d, -EINVAL, "--assert='%s': '%.*s' is not a figure; did you mean %s?",
				a->text, (int)(end - name), name, near);
	return diag_err(
		d, -EINVAL,
		"--assert='%s': '%.*s' is not a figure; figures are iops, bw, total_ios, mean, max, p99.9, "
		"errors, usr_cpu and the others of the JSON document (see fiord(1))",
		a->text, (int)(end - name), name);
}

/* The path from `name` on should be the figure of `what`, such as an entry of files. of: bits of enum
 * figure_of.
 */
static int bad_part_figure(const struct assertion *a, const char *what, unsigned of, const char *name,
			   const char *end, struct diag *d)
{
	const char *near = nearest_figure(name, end, of);
	struct strbuf all = { 0 };

	for (const struct figure *f = figures; f->name; f++)
		if (of & 1u << f->of)
			strbuf_printf(&all, "%s%s", all.len ? ", " : "", f->name);
	if (near)
		diag_err(d, -EINVAL, "--assert='%s': '%.*s' is not a figure of %s; did you mean %s?", a->text,
			 (int)(end - name), name, what, near);
	else
		diag_err(d, -EINVAL, "--assert='%s': '%.*s' is not a figure of %s; these are %s%s", a->text,
			 (int)(end - name), name, what, strbuf_str(&all),
			 of & 1u << FIGURE_LAT ? " and percentiles such as p99" : "");
	strbuf_fini(&all);
	return d->err;
}

/* The words from `name` on stand before the figure of an entry. */
static int bad_word(const struct assertion *a, const char *name, const char *end, struct diag *d)
{
	char word[64];
	const char *near;

	snprintf(word, sizeof(word), "%.*s", (int)(end - name), name);
	near = nearest_word(assertion_dir_name, word);
	near = near ? near : nearest_word(assertion_kind_name, word);
	return diag_err(d, -EINVAL, "--assert='%s': '%.*s' is not a direction or a kind of latency%s%s%s",
			a->text, (int)(end - name), name, near ? "; did you mean " : "", near ? near : "",
			near ? "?" : "");
}

/* Takes "clat." or "clat_ns." before `at`. */
static const char *take_kind(struct assertion *a, const char *name, const char *at)
{
	int found;
	const char *to = limit_word(assertion_kind_name, name, at, &found);

	if (found < 0)
		to = limit_word(kind_keys, name, at, &found);
	a->kind = found < 0 ? LAT_KINDS : (enum lat_kind)found;
	return to;
}

static const char *take_dir(struct assertion *a, const char *name, const char *at)
{
	int found;
	const char *to = limit_word(assertion_dir_name, name, at, &found);

	a->mixed = found == DIR_COUNT;
	a->dir = found < 0 ? DIR_COUNT : a->mixed ? DIR_READ : (unsigned)found;
	return to;
}

static bool has_kind(const struct figure *f)
{
	return f->of == FIGURE_LAT || f->of == FIGURE_STEP_LAT;
}

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

static int check_sync_kind(const struct assertion *a, struct diag *d)
{
	if (a->dir != DIR_SYNC || a->kind == LAT_KINDS || a->kind == LAT_LAT)
		return 0;
	return diag_err(d, -EINVAL, "--assert='%s': the latency of sync is sync.lat", a->text);
}

/* Returns the beginning of "fiord." before `at`: an object of the document, which has no name in assertions.
   Returns `at` if another word stands there. */
static const char *before_fiord(const char *name, const char *at)
{
	static const char key[] = "fiord.";
	const char *from = (size_t)(at - name) >= strlen(key) ? at - strlen(key) : at;

	return from < at && !strncmp(from, key, strlen(key)) && (from == name || from[-1] == '.') ? from : at;
}

/* Takes what precedes the direction as the name of the job, unless jobs[...] has named it: then the object
   "fiord" of the document may precede. */
static int set_job(struct assertion *a, const char *from, const char *to, struct diag *d)
{
	const char *near;
	char word[64];

	if (!a->part.name && !a->part.indexed)
		return to > from ? selector_set(&a->part, from, to - 1, d) : 0;
	if (before_fiord(from, to) == from)
		return 0;
	snprintf(word, sizeof(word), "%.*s", (int)(to - 1 - from), from);
	near = figure_list_nearest(word);
	return diag_err(d, -EINVAL, "--assert='%s': '%s' is not a part of a job%s%s%s", a->text, word,
			near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* Without the brackets `name` may have, "disk_util[vda].util" is "disk_util.vda.util". */
static int parse_disk(struct assertion *a, const char *name, const char *end, struct diag *d)
{
	const char *at = name;

	if (*name == '[' && !(at = selector_parse(&a->part, name, end, a->text, d)))
		return d->err;
	name = at < end ? at + 1 : end;
	a->figure = figure_find(name, end, 1u << FIGURE_DISK, &at);
	if (!a->figure || (at > name && (a->part.name || a->part.indexed)))
		return bad_part_figure(a, "disk_util", 1u << FIGURE_DISK, name, end, d);
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

/* ---- lists ---- */

/* Returns the end of the list's key at `at`; NULL if another word stands there. */
static const char *match_key(const struct figure_list *list, const char *at, const char *end)
{
	const char *const key[] = { list->key, list->alias };

	for (unsigned i = 0; i < 2; i++) {
		size_t len = key[i] ? strlen(key[i]) : 0;

		if (len && (size_t)(end - at) > len && !strncmp(at, key[i], len) &&
		    (at[len] == '[' || at[len] == '.'))
			return at + len;
	}
	return NULL;
}

/* Parses what precedes the list: [JOB.][fiord.] and a direction. */
static int parse_before_list(struct assertion *a, const char *name, const char *key, struct diag *d)
{
	if (a->list->in_dir)
		key = take_dir(a, name, key);
	return set_job(a, name, before_fiord(name, key), d);
}

/* Parses "read.clat.p99", the figure of an entry. */
static int parse_entry_figure(struct assertion *a, const char *name, const char *end, struct diag *d)
{
	const struct figure_list *list = a->list;
	const char *at;

	a->figure = figure_find(name, end, list->of, &at);
	if (!a->figure && list->of & 1u << FIGURE_LAT) {
		at = limit_percentile(name, end, &a->percentile);
		a->figure = at ? &figure_percentile : NULL;
	}
	if (!a->figure)
		return bad_part_figure(a, list->key, list->of, name, end, d);
	if (has_kind(a->figure))
		at = take_kind(a, name, at);
	if (!list->in_dir && a->figure->of != FIGURE_STEP && a->figure->of != FIGURE_DEPTH_STEP)
		at = take_dir(a, name, at);
	if (at != name)
		return bad_word(a, name, at - 1, d);
	if (a->kind != LAT_KINDS && !(list->kinds & 1u << a->kind))
		return diag_err(d, -EINVAL, "--assert='%s': an entry of %s has no %s; it has %s and %s",
				a->text, list->key, assertion_kind_name[a->kind],
				assertion_kind_name[LAT_CLAT],
				assertion_kind_name[list->kinds & 1u << LAT_LAT ? LAT_LAT : LAT_RESP]);
	return check_sync_kind(a, d);
}

static int parse_in_list(struct assertion *a, const struct figure_list *list, const char *name,
			 const char *key, const char *at, const char *end, struct diag *d)
{
	int err;

	a->list = list;
	if (*at == '[' && !(at = selector_parse(&a->entry, at, end, a->text, d)))
		return d->err;
	if (a->entry.name && !list->name)
		return diag_err(d, -EINVAL,
				"--assert='%s': the entries of %s have no names; write an index from [0] on",
				a->text, list->key);
	at = at < end ? at + 1 : end;
	err = parse_before_list(a, name, key, d);
	return err ? err : parse_entry_figure(a, at, end, d);
}

/* Tries the keys of lists in the path. An index says that a list is meant; without one the word may as well
   be a part of a job's name. Returns 1 if there is no list. */
static int parse_lists(struct assertion *a, const char *name, const char *end, struct diag *d)
{
	for (const char *key = name; key < end; key = strchr(key, '.') + 1) {
		for (unsigned i = 0; i < FIGURE_LISTS; i++) {
			const char *at = match_key(&figure_lists[i], key, end);
			struct assertion try = *a;
			struct diag none = { 0 };

			if (!at)
				continue;
			if (*at == '[')
				return parse_in_list(a, &figure_lists[i], name, key, at, end, d);
			if (!parse_in_list(&try, &figure_lists[i], name, key, at, end, &none)) {
				*a = try;
				return 0;
			}
			if (!a->part.name)
				selector_fini(&try.part);
			selector_fini(&try.entry);
			diag_fini(&none);
		}
		if (!memchr(key, '.', (size_t)(end - key)))
			break;
	}
	return 1;
}

/* ---- figures outside of lists ---- */

/* A figure whose entries are numbers may end with an index. */
static int parse_scalar(struct assertion *a, const char *name, const char *end, struct diag *d)
{
	const unsigned of = 1u << FIGURE_LAT | 1u << FIGURE_DIR | 1u << FIGURE_JOB | 1u << FIGURE_SAMPLE;
	const char *at, *bracket = end[-1] == ']' ? memrchr(name, '[', (size_t)(end - name)) : NULL;
	int err;

	if (bracket) {
		if (!selector_parse(&a->entry, bracket, end, a->text, d))
			return d->err;
		end = bracket;
	}
	a->figure = figure_find(name, end, bracket ? 1u << FIGURE_SAMPLE : of, &at);
	if (!a->figure && !bracket) {
		at = limit_percentile(name, end, &a->percentile);
		a->figure = at ? &figure_percentile : NULL;
	}
	if (!a->figure)
		return bad_figure(a, name, end, d);
	a->list = figure_list_of(a->figure);
	if (a->figure->of == FIGURE_LAT)
		at = take_kind(a, name, at);
	if (a->figure->of == FIGURE_LAT || a->figure->of == FIGURE_DIR)
		at = take_dir(a, name, at);
	err = choose_row(a, name, end, d);
	err = err ? err : check_sync_kind(a, d);
	return err ? err : set_job(a, name, at, d);
}

/* Returns what follows the key and a bracket or period at `name`, from this character on; NULL: another word
   stands there. */
static const char *after_key(const char *key, const char *next, const char *name, const char *end)
{
	size_t len = strlen(key);

	return (size_t)(end - name) > len && !strncmp(name, key, len) && strchr(next, name[len]) ? name + len
												 : NULL;
}

static int parse_job(struct assertion *a, const char *name, const char *end, struct diag *d)
{
	int err = parse_lists(a, name, end, d);

	return err > 0 ? parse_scalar(a, name, end, d) : err;
}

int assertion_path(struct assertion *a, const char *name, const char *end, struct diag *d)
{
	static const char cpu[] = "cpu_idleness.cpu";
	const char *at = after_key("disk_util", "[.", name, end);

	if (at)
		return parse_disk(a, at, end, d);
	a->figure = figure_find(name, end, 1u << FIGURE_RUN | 1u << FIGURE_CPU, &at);
	if (!a->figure && after_key(cpu, "-", name, end))
		a->figure = figure_find(name, name + strlen(cpu), 1u << FIGURE_CPU, &at);
	if (a->figure && at == name) {
		a->list = figure_list_of(a->figure);
		return a->list ? parse_cpu(a, name + strlen(cpu), end, d) : 0;
	}
	at = after_key("jobs", "[", name, end);
	at = at ? at : after_key("client_stats", "[", name, end);
	if (!at)
		return parse_job(a, name, end, d);
	at = selector_parse(&a->part, at, end, a->text, d);
	if (!at)
		return d->err;
	return at == end ? bad_figure(a, at, end, d) : parse_job(a, at + 1, end, d);
}
