/* assertion_path.c: the path of an assertion. It leads to a part of the result, perhaps to a list in it, and
   to a figure; parts and lists are rows (figure_lists.h). Names of jobs can have any characters, so the words
   before a figure are taken from its end. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "assertion.h"
#include "nearest.h"
#include "strbuf.h"

#define OF(what) (1u << FIGURE_##what)
/* Figures that are lists themselves: their paths may end with an index. */
#define NUMBERS (OF(SAMPLE) | OF(INTERVAL))

const char *const assertion_dir_name[] = { "read", "write", "trim", "sync", "mixed", NULL };
/* The keys of the document. */
static const char *const kind_keys[] = { "slat_ns", "clat_ns", "lat_ns", "resp_ns", NULL };

/* ---- words that are unknown; all return d->err ---- */

/* Returns the start of the last `words` words before the end. */
static const char *last_words(const char *name, const char *end, unsigned words)
{
	const char *at = end;

	while (at > name && (at[-1] != '.' || --words))
		at--;
	return at;
}

/* Returns the figure whose name is near the last `k` words. of: bits of enum figure_of. */
static const char *figure_near(const char *name, const char *end, unsigned k, unsigned of)
{
	const char *words[FIGURES_MAX + 1] = { 0 }, *at = last_words(name, end, k);
	char word[64];
	unsigned n = 0;

	FIGURES_EACH (f)
		if (of & 1u << f->of && n < FIGURES_MAX)
			words[n++] = f->name;
	snprintf(word, sizeof(word), "%.*s", (int)(end - at), at);
	return nearest_word(words, word);
}

static const char *nearest_figure(const char *name, const char *end, unsigned of)
{
	const char *near = figure_near(name, end, 1, of);

	return near ? near : figure_near(name, end, 2, of);
}

int assertion_bad_chain(const struct assertion *a, const char *name, const char *end, struct diag *d)
{
	if (!limit_has_comparison(name, end))
		return 0;
	return diag_err(d, -EINVAL,
			"--assert='%s': an assertion is one comparison; give the option once for each of "
			"them",
			a->text);
}

/* Adds what the word may be in place of a figure of the list. near: such a figure; NULL: none. */
static void put_advice(struct strbuf *b, const struct figure_list *list, const char *near, const char *word)
{
	bool job = list == &figure_lists[LIST_JOBS];
	const char *kind = job ? limit_nearest_kind(word) : NULL;
	unsigned n = 0;

	if (near)
		strbuf_printf(b, "did you mean %s?", near);
	else if (kind)
		strbuf_printf(b, "write one behind the kind of latency, such as %s.mean, %s.p99 or %s.max",
			      kind, kind, kind);
	else if (job)
		strbuf_puts(
			b,
			"figures are iops, bw, total_ios, mean, max, p99.9, errors, usr_cpu and the others "
			"of the JSON document (see fiord(1))");
	else
		FIGURES_EACH (f)
			if (list->of & 1u << f->of)
				strbuf_printf(b, "%s%s", n++ ? ", " : "these are ", f->name);
	if (n && list->of & OF(LAT))
		strbuf_puts(b, " and percentiles such as p99");
}

/* The path from `name` on should be a figure of an entry of the list. */
static int bad_figure(const struct assertion *a, const struct figure_list *list, const char *name,
		      const char *end, struct diag *d)
{
	bool job = list == &figure_lists[LIST_JOBS];
	const char *near = nearest_figure(name, end, list->of | (job ? OF(RUN) | OF(CPU) : 0));
	struct strbuf b = { 0 };
	char word[64];

	if (job && assertion_bad_chain(a, name, end, d))
		return d->err;
	name = job ? last_words(name, end, 1) : name;
	snprintf(word, sizeof(word), "%.*s", (int)(end - name), name);
	put_advice(&b, list, near || job ? near : figure_list_nearest(word), word);
	diag_err(d, -EINVAL, "--assert='%s': '%.*s' is not a figure%s%s; %s", a->text, (int)(end - name),
		 name, job ? "" : " of ", job ? "" : list->key, strbuf_str(&b));
	strbuf_fini(&b);
	return d->err;
}

/* The words from `name` on stand before a figure. */
static int bad_word(const struct assertion *a, const char *name, const char *end, struct diag *d)
{
	char word[64];
	const char *near;

	snprintf(word, sizeof(word), "%.*s", (int)(end - name), name);
	near = nearest_word(assertion_dir_name, word);
	near = near ? near : limit_nearest_kind(word);
	return diag_err(d, -EINVAL, "--assert='%s': '%.*s' is not a direction or a kind of latency; %s%s%s",
			a->text, (int)(end - name), name, near ? "did you mean " : "these are ",
			near ? near : "read, write, trim, sync, mixed; slat, clat, lat, resp",
			near ? "?" : "");
}

static int bad_name(const struct assertion *a, const char *list, struct diag *d)
{
	return diag_err(d, -EINVAL,
			"--assert='%s': the entries of %s have no names; write an index from [0] on", a->text,
			list);
}

/* ---- words; those that take some return where they begin ---- */

static const char *take_kind(struct assertion *a, const char *name, const char *at)
{
	int found;
	const char *to = limit_word(limit_kind_name, name, at, &found);

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

/* Takes the figure of an entry of the list, and the kind and direction before it. NULL with d. */
static const char *take_figure(struct assertion *a, const struct figure_list *list, const char *name,
			       const char *end, struct diag *d)
{
	const char *bracket = list->of & NUMBERS && end > name && end[-1] == ']'
				      ? memrchr(name, '[', (size_t)(end - name))
				      : NULL;
	unsigned of = bracket ? list->of & NUMBERS : list->of;
	const char *at;

	if (bracket && !selector_parse(&a->entry, bracket, end, a->text, d))
		return NULL;
	end = bracket ? bracket : end;
	a->figure = figure_find(name, end, of, &at);
	if (!a->figure && of & OF(LAT) && (at = limit_percentile(name, end, &a->percentile)))
		a->figure = &figure_percentile;
	if (!a->figure) {
		bad_figure(a, list, name, end, d);
		return NULL;
	}
	if (figure_has_kind(a->figure))
		at = take_kind(a, name, at);
	return figure_has_dir(a->figure) && !list->in_dir ? take_dir(a, name, at) : at;
}

/* Refuses a direction or a kind of latency that the entries of the list do not have. */
static int check_words(const struct assertion *a, const struct figure_list *list, struct diag *d)
{
	if (a->mixed && list == &figure_lists[LIST_GROUPS])
		return diag_err(d, -EINVAL,
				"--assert='%s': the series has read, write, trim and sync, not mixed",
				a->text);
	if (a->kind != LAT_KINDS && !(list->kinds & 1u << a->kind))
		return diag_err(d, -EINVAL, "--assert='%s': an entry of %s has no %s; it has %s and %s",
				a->text, list->key, limit_kind_name[a->kind], limit_kind_name[LAT_CLAT],
				limit_kind_name[list->kinds & 1u << LAT_LAT ? LAT_LAT : LAT_RESP]);
	if (a->dir == DIR_SYNC && a->kind != LAT_KINDS && a->kind != LAT_LAT)
		return diag_err(d, -EINVAL, "--assert='%s': the latency of sync is sync.lat", a->text);
	return 0;
}

/* A figure that jobs have as well as directions is the job's if no direction stands before it. Syncs have few
   figures of their own. */
static int choose_row(struct assertion *a, const char *name, const char *end, struct diag *d)
{
	const struct figure *other;
	const char *at;

	if (a->figure->of != FIGURE_DIR || (a->dir != DIR_COUNT && a->dir != DIR_SYNC))
		return 0;
	other = figure_find(name, end, a->dir == DIR_SYNC ? OF(SYNC) : OF(JOB), &at);
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

/* ---- parts and lists ---- */

/* Returns what follows the key of the list at `at`, a bracket or period; NULL: another word stands there. A
   job may be called "jobs". */
static const char *after_key(const struct figure_list *list, const char *at, const char *end)
{
	const char *const key[] = { list->key, list->alias };
	const char *next = list == &figure_lists[LIST_JOBS] ? "[" : "[.";

	for (unsigned i = 0; i < 2; i++) {
		size_t len = key[i] ? strlen(key[i]) : 0;

		if (len && (size_t)(end - at) > len && !strncmp(at, key[i], len) && strchr(next, at[len]))
			return at + len;
	}
	return NULL;
}

/* Returns the beginning of "fiord." before `at`: an object of the document, which has no name in assertions.
   Returns `at` if another word stands there. */
static const char *before_fiord(const char *name, const char *at)
{
	static const char key[] = "fiord.";
	const char *from = (size_t)(at - name) >= strlen(key) ? at - strlen(key) : at;

	return from < at && !strncmp(from, key, strlen(key)) && (from == name || from[-1] == '.') ? from : at;
}

/* Takes what precedes the rest as the name of the job or disk, unless brackets have named it: then the object
   "fiord" of the document may precede. */
static int take_part(struct assertion *a, enum figure_part part, const char *from, const char *to,
		     const char *end, struct diag *d)
{
	const char *near;
	char word[64];

	if (from == to ||
	    (part == PART_JOB && from == before_fiord(from, to) && (a->part.name || a->part.indexed)))
		return 0;
	if ((part == PART_JOB || part == PART_DISK) && !a->part.name && !a->part.indexed)
		return selector_set(&a->part, from, to - 1, d);
	snprintf(word, sizeof(word), "%.*s", (int)(to - 1 - from), from);
	near = figure_list_nearest(word);
	if (!near && part == PART_JOB)
		near = figure_near(from, end, 2, OF(JOB));
	return diag_err(d, -EINVAL, "--assert='%s': '%s' is not a part of %s%s%s%s", a->text, word,
			part == PART_JOB ? "a job" : figure_lists[part].key, near ? "; did you mean " : "",
			near ? near : "", near ? "?" : "");
}

/* Takes the path from `name` on, whose list has its key at `key`, which ends at `at`. */
static int parse_in_list(struct assertion *a, const struct figure_list *list, const char *name,
			 const char *key, const char *at, const char *end, struct diag *d)
{
	const char *from;

	a->list = list;
	if (*at == '[' && !(at = selector_parse(&a->entry, at, end, a->text, d)))
		return d->err;
	if (a->entry.name && !list->named)
		return bad_name(a, list->key, d);
	if (list->in_dir)
		key = take_dir(a, name, key);
	if (take_part(a, list->part, name, before_fiord(name, key), end, d))
		return d->err;
	at = at < end ? at + 1 : end;
	from = take_figure(a, list, at, end, d);
	if (!from)
		return d->err;
	return from == at ? check_words(a, list, d) : bad_word(a, at, from - 1, d);
}

/* Takes the path to a figure of the part itself, or to one that is a list. */
static int parse_in_part(struct assertion *a, enum figure_part part, const char *name, const char *end,
			 struct diag *d)
{
	const char *at = take_figure(a, &figure_lists[part], name, end, d);

	if (!at)
		return d->err;
	a->list = figure_list_of(a->figure);
	if (a->entry.name)
		return bad_name(a, a->figure->name, d);
	if (choose_row(a, name, end, d) || check_words(a, &figure_lists[part], d))
		return d->err;
	return take_part(a, part, name, at, end, d);
}

/* An index says that a list is meant; without one the word may as well be a part of a job's name. */
static int parse_rest(struct assertion *a, enum figure_part part, const char *name, const char *end,
		      struct diag *d)
{
	const struct assertion given = *a;

	for (const char *key = name; key;
	     key = memchr(key, '.', (size_t)(end - key)), key = key ? key + 1 : NULL)
		for (unsigned i = LIST_PARTS; i < FIGURE_LISTS; i++) {
			const struct figure_list *list = &figure_lists[i];
			const char *at = list->part == part ? after_key(list, key, end) : NULL;
			struct diag none = { 0 };

			if (!at)
				continue;
			if (!parse_in_list(a, list, name, key, at, end, *at == '[' ? d : &none) || *at == '[')
				return d->err;
			diag_fini(&none);
			if (!given.part.name)
				selector_fini(&a->part);
			selector_fini(&a->entry);
			*a = given;
		}
	return parse_in_part(a, part, name, end, d);
}

/* "cpu_idleness.cpu" and "cpu_idleness.cpu-3". */
static int parse_cpu(struct assertion *a, const char *at, const char *end, struct diag *d)
{
	const char *number = at + 1;

	a->list = &figure_lists[LIST_CPUS];
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

int assertion_path(struct assertion *a, const char *name, const char *end, struct diag *d)
{
	static const char cpu[] = "cpu_idleness.cpu";
	const size_t len = sizeof(cpu) - 1;
	const char *at;

	for (unsigned part = 0; part < LIST_PARTS; part++) {
		at = after_key(&figure_lists[part], name, end);
		if (!at)
			continue;
		if (*at == '[' && !(at = selector_parse(&a->part, at, end, a->text, d)))
			return d->err;
		return at == end ? bad_figure(a, &figure_lists[part], at, end, d)
				 : parse_rest(a, part, at + 1, end, d);
	}
	a->figure = figure_find(name, end, OF(RUN), &at);
	if (a->figure && at == name)
		return 0;
	if ((size_t)(end - name) < len || strncmp(name, cpu, len) || (name + len < end && name[len] != '-'))
		return parse_rest(a, PART_JOB, name, end, d);
	a->figure = figure_find(name, name + len, OF(CPU), &at);
	return parse_cpu(a, name + len, end, d);
}
