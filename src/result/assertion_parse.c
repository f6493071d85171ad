/* assertion_parse.c: the text of an assertion, from its end: limit, operator, figure, kind, direction, job.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "assertion.h"
#include "nearest.h"
#include "vec.h"

#define FORM                                                                                           \
	"[JOB.]DIRECTION.FIGURE OP LIMIT, such as 'read.clat.p99 < 1ms', 'JOB.write.iops >= 3000' or " \
	"'errors == 0'; OP is <, <=, >, >=, == or !="

const char *const assertion_op_name[] = { "<", "<=", ">", ">=", "==", "!=" };
const char *const assertion_dir_name[] = { "read", "write", "trim", "sync", "mixed", NULL };
const char *const assertion_kind_name[] = { "slat", "clat", "lat", "resp", NULL };
/* The keys of the document. */
static const char *const kind_keys[] = { "slat_ns", "clat_ns", "lat_ns", "resp_ns", NULL };

static int bad_form(const char *text, struct diag *d)
{
	return diag_err(d, -EINVAL, "--assert='%s': an assertion has the form " FORM, text);
}

/* Finds the last operator, because names may contain its characters. Returns its first character, and sets
 *limit to the text behind it; NULL: there is none. */
static const char *find_op(const char *text, enum assertion_op *op, const char **limit)
{
	const char *at = text + strlen(text);

	while (at > text && !strchr("<>=!", at[-1]))
		at--;
	if (at == text)
		return NULL;
	*limit = at--;
	if (*at == '<' || *at == '>') {
		*op = *at == '<' ? ASSERTION_LT : ASSERTION_GT;
		return at;
	}
	if (*at == '!' || at == text)
		return NULL;
	for (unsigned i = 0; i <= ASSERTION_NE; i++)
		if (assertion_op_name[i][1] && at[-1] == assertion_op_name[i][0]) {
			*op = (enum assertion_op)i;
			return at - 1;
		}
	return NULL;
}

/* Returns the start of the last `words` words before the end. */
static const char *last_words(const char *name, const char *end, unsigned words)
{
	const char *at = end;

	while (at > name && (at[-1] != '.' || --words))
		at--;
	return at;
}

static int bad_figure(const struct assertion *a, const char *name, const char *end, struct diag *d)
{
	const char *words[FIGURES_MAX + 1] = { 0 };
	const char *near = NULL;
	char word[64];
	unsigned n = 0;

	for (const struct figure *f = figures; f->name && n < FIGURES_MAX; f++)
		words[n++] = f->name;
	for (unsigned k = 1; k <= 2 && !near; k++) {
		const char *at = last_words(name, end, k);
		int len = (int)(end - at);

		snprintf(word, sizeof(word), "%.*s", len, at);
		near = nearest_word(words, word);
	}
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

static int set_part(struct assertion *a, const char *from, const char *to, struct diag *d)
{
	if (to <= from)
		return 0;
	a->part = strndup(from, (size_t)(to - from));
	return a->part ? 0 : diag_err(d, -ENOMEM, "out of memory");
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

static int parse_disk(struct assertion *a, const char *name, const char *end, struct diag *d)
{
	const char *at;

	a->figure = figure_find(name, end, 1u << FIGURE_DISK, &at);
	if (!a->figure)
		return bad_figure(a, name, end, d);
	return set_part(a, name, at - 1, d);
}

static int parse_name(struct assertion *a, const char *name, const char *end, struct diag *d)
{
	static const char disks[] = "disk_util.";
	const char *at;
	int err;

	if ((size_t)(end - name) > strlen(disks) && !strncmp(name, disks, strlen(disks)))
		return parse_disk(a, name + strlen(disks), end, d);
	a->figure = figure_find(name, end, 1u << FIGURE_RUN, &at);
	if (a->figure && at == name)
		return 0;
	a->figure = figure_find(name, end, 1u << FIGURE_LAT | 1u << FIGURE_DIR | 1u << FIGURE_JOB, &at);
	if (!a->figure) {
		at = limit_percentile(name, end, &a->percentile);
		a->figure = at ? &figure_percentile : NULL;
	}
	if (!a->figure)
		return bad_figure(a, name, end, d);
	if (a->figure->of == FIGURE_LAT)
		at = take_kind(a, name, at);
	if (a->figure->of != FIGURE_JOB)
		at = take_dir(a, name, at);
	err = choose_row(a, name, end, d);
	if (!err && a->dir == DIR_SYNC && a->kind != LAT_KINDS && a->kind != LAT_LAT)
		err = diag_err(d, -EINVAL, "--assert='%s': the latency of sync is sync.lat", a->text);
	return err ? err : set_part(a, name, at - 1, d);
}

static const char *example_of(enum limit_unit unit)
{
	switch (unit) {
	case LIMIT_COUNT:
		return "a number, such as 0 or 20k";
	case LIMIT_RATE:
		return "I/Os per second, such as 3000 or 20k";
	case LIMIT_BW:
		return "bytes per second, such as 200M or 100MiB/s";
	case LIMIT_BYTES:
		return "bytes, such as 4096 or 1GiB";
	case LIMIT_TIME:
		return "a time with its unit, such as 500us or 2ms";
	case LIMIT_PERCENT:
		return "a percentage, such as 50%";
	}
	return "";
}

/* Removes the spaces between a number and its unit: "5 ms". */
static void join_unit(char *limit)
{
	char *unit = limit + strspn(limit, "-.0123456789");

	memmove(unit, unit + strspn(unit, " "), strlen(unit + strspn(unit, " ")) + 1);
}

static int parse_limit(struct assertion *a, const char *text, struct diag *d)
{
	size_t len;
	char *copy;
	bool negative;
	int err;

	text += strspn(text, " ");
	for (len = strlen(text); len && text[len - 1] == ' ';)
		len--;
	copy = strndup(text, len);
	if (!copy)
		return diag_err(d, -ENOMEM, "out of memory");
	join_unit(copy);
	negative = *copy == '-' && (a->figure->unit == LIMIT_COUNT || a->figure->unit == LIMIT_PERCENT);
	err = limit_parse(a->figure->unit, copy + negative, &a->limit);
	if (negative)
		a->limit = -a->limit;
	if (err)
		diag_err(d, err, "--assert='%s': '%s' is not a limit for this figure; write %s", a->text,
			 copy, example_of(a->figure->unit));
	free(copy);
	return err;
}

int assertion_parse(struct assertions *list, const char *text, struct diag *d)
{
	struct assertion a = { .text = text, .dir = DIR_COUNT, .kind = LAT_KINDS };
	const char *name = text + strspn(text, " "), *limit, *end = find_op(name, &a.op, &limit);
	int err;

	while (end && end > name && end[-1] == ' ')
		end--;
	if (!end || end == name)
		return bad_form(text, d);
	err = parse_name(&a, name, end, d);
	if (!err)
		err = parse_limit(&a, limit, d);
	if (!err && !VEC_PUSH(list, a))
		err = diag_err(d, -ENOMEM, "out of memory");
	if (err)
		free(a.part);
	return err;
}

void assertions_fini(struct assertions *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->v[i].part);
	free(list->v);
	*list = (struct assertions){ 0 };
}
