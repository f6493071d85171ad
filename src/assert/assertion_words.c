#include "assertion_words.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "nearest.h"
#include "strbuf.h"

const char *const assertion_dir_name[] = { "read", "write", "trim", "sync", "mixed", NULL };
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

	FIGURES_EACH (f)
		if (of & 1u << f->of && n < FIGURES_MAX)
			words[n++] = f->name;
	for (unsigned k = 1; k <= 2 && !near; k++) {
		const char *at = last_words(name, end, k);

		snprintf(word, sizeof(word), "%.*s", (int)(end - at), at);
		near = nearest_word(words, word);
	}
	return near;
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

int assertion_bad_figure(const struct assertion *a, const char *name, const char *end, struct diag *d)
{
	const unsigned of = 1u << FIGURE_LAT | 1u << FIGURE_DIR | 1u << FIGURE_JOB | 1u << FIGURE_SAMPLE |
			    1u << FIGURE_RUN | 1u << FIGURE_CPU;
	const char *near = nearest_figure(name, end, of);
	char word[64];

	if (assertion_bad_chain(a, name, end, d))
		return d->err;
	name = last_words(name, end, 1);
	snprintf(word, sizeof(word), "%.*s", (int)(end - name), name);
	if (!near && limit_nearest_kind(word))
		return diag_err(d, -EINVAL,
				"--assert='%s': '%s' is not a figure; write one behind the kind of latency, "
				"such as %s.mean, %s.p99 or %s.max",
				a->text, word, limit_nearest_kind(word), limit_nearest_kind(word),
				limit_nearest_kind(word));
	if (near)
		return diag_err(d, -EINVAL, "--assert='%s': '%.*s' is not a figure; did you mean %s?",
				a->text, (int)(end - name), name, near);
	return diag_err(
		d, -EINVAL,
		"--assert='%s': '%.*s' is not a figure; figures are iops, bw, total_ios, mean, max, p99.9, "
		"errors, usr_cpu and the others of the JSON document (see fiord(1))",
		a->text, (int)(end - name), name);
}

int assertion_bad_part_figure(const struct assertion *a, const char *what, unsigned of, const char *name,
			      const char *end, struct diag *d)
{
	const char *near = nearest_figure(name, end, of);
	struct strbuf all = { 0 };
	char word[64];

	snprintf(word, sizeof(word), "%.*s", (int)(end - name), name);
	near = near ? near : figure_list_nearest(word);
	FIGURES_EACH (f)
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

int assertion_bad_word(const struct assertion *a, const char *name, const char *end, struct diag *d)
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

int assertion_bad_name(const struct assertion *a, const char *list, struct diag *d)
{
	return diag_err(d, -EINVAL,
			"--assert='%s': the entries of %s have no names; write an index from [0] on", a->text,
			list);
}

const char *assertion_take_kind(struct assertion *a, const char *name, const char *at)
{
	int found;
	const char *to = limit_word(limit_kind_name, name, at, &found);

	if (found < 0)
		to = limit_word(kind_keys, name, at, &found);
	a->kind = found < 0 ? LAT_KINDS : (enum lat_kind)found;
	return to;
}

const char *assertion_take_dir(struct assertion *a, const char *name, const char *at)
{
	int found;
	const char *to = limit_word(assertion_dir_name, name, at, &found);

	a->mixed = found == DIR_COUNT;
	a->dir = found < 0 ? DIR_COUNT : a->mixed ? DIR_READ : (unsigned)found;
	return to;
}

int assertion_check_sync(const struct assertion *a, struct diag *d)
{
	if (a->dir != DIR_SYNC || a->kind == LAT_KINDS || a->kind == LAT_LAT)
		return 0;
	return diag_err(d, -EINVAL, "--assert='%s': the latency of sync is sync.lat", a->text);
}

const char *assertion_before_fiord(const char *name, const char *at)
{
	static const char key[] = "fiord.";
	const char *from = (size_t)(at - name) >= strlen(key) ? at - strlen(key) : at;

	return from < at && !strncmp(from, key, strlen(key)) && (from == name || from[-1] == '.') ? from : at;
}

int assertion_take_part(struct assertion *a, enum figure_part part, const char *from, const char *to,
			struct diag *d)
{
	const char *near;
	char word[64];

	if (part == PART_JOB && !a->part.name && !a->part.indexed)
		return to > from ? selector_set(&a->part, from, to - 1, d) : 0;
	if (part == PART_JOB ? assertion_before_fiord(from, to) == from : from == to)
		return 0;
	snprintf(word, sizeof(word), "%.*s", (int)(to - 1 - from), from);
	near = figure_list_nearest(word);
	return diag_err(d, -EINVAL, "--assert='%s': '%s' is not a part of %s%s%s%s", a->text, word,
			figure_part_name[part], near ? "; did you mean " : "", near ? near : "",
			near ? "?" : "");
}
