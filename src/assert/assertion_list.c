/* assertion_list.c: the part of a path that names an entry of a list and its figure. */
#include <errno.h>
#include <string.h>
#include "assertion_words.h"

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
		key = assertion_take_dir(a, name, key);
	return assertion_take_part(a, a->list->part, name, assertion_before_fiord(name, key), d);
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
		return assertion_bad_part_figure(a, list->key, list->of, name, end, d);
	if (figure_has_kind(a->figure))
		at = assertion_take_kind(a, name, at);
	if (!list->in_dir && figure_has_dir(a->figure))
		at = assertion_take_dir(a, name, at);
	if (at != name)
		return assertion_bad_word(a, name, at - 1, d);
	if (a->kind != LAT_KINDS && !(list->kinds & 1u << a->kind))
		return diag_err(d, -EINVAL, "--assert='%s': an entry of %s has no %s; it has %s and %s",
				a->text, list->key, limit_kind_name[a->kind], limit_kind_name[LAT_CLAT],
				limit_kind_name[list->kinds & 1u << LAT_LAT ? LAT_LAT : LAT_RESP]);
	return assertion_check_sync(a, d);
}

static int parse_in_list(struct assertion *a, const struct figure_list *list, const char *name,
			 const char *key, const char *at, const char *end, struct diag *d)
{
	int err;

	a->list = list;
	if (*at == '[' && !(at = selector_parse(&a->entry, at, end, a->text, d)))
		return d->err;
	if (a->entry.name && !list->name)
		return assertion_bad_name(a, list->key, d);
	at = at < end ? at + 1 : end;
	err = parse_before_list(a, name, key, d);
	return err ? err : parse_entry_figure(a, at, end, d);
}

/* An index says that a list is meant; without one the word may as well be a part of a job's name. */
int assertion_list(struct assertion *a, enum figure_part part, const char *name, const char *end,
		   struct diag *d)
{
	for (const char *key = name; key < end; key = strchr(key, '.') + 1) {
		for (unsigned i = 0; i < FIGURE_LISTS; i++) {
			const struct figure_list *list = &figure_lists[i];
			const char *at = list->part == part ? match_key(list, key, end) : NULL;
			struct assertion try = *a;
			struct diag none = { 0 };

			if (!at)
				continue;
			if (*at == '[')
				return parse_in_list(a, list, name, key, at, end, d);
			if (!parse_in_list(&try, list, name, key, at, end, &none)) {
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
