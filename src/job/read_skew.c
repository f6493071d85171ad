/* read_skew.c: zipf, pareto and normal, as random_distribution and file_service_type have them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "rows.h"

/* In percent. With far smaller ones, the draws round to the center. */
#define LEAST_DEVIATION 1e-6

/* A kind and the bounds of its number. */
struct skew_word {
	const char *name;
	enum skew_kind kind;
	double missing;     /* the number if none is given; 0: it must be given */
	double above, most; /* the number is above `above` and at most `most` */
	bool below;         /* the number is below `most` */
	const char *range;
};

/* clang-format off */
static const struct skew_word words[] = {
	{ "zipf", SKEW_ZIPF, 1.1, 0, 100, false,
	  "zipf needs a theta above 0, at most 100, such as zipf:1.2" },
	{ "pareto", SKEW_PARETO, 0.2, 0, 1, true,
	  "pareto needs a share of the blocks between 0 and 1, such as pareto:0.2, where 20 % get 80 % of the I/Os" },
	{ "normal", SKEW_NORMAL, 0, LEAST_DEVIATION, 100, true,
	  "normal needs a deviation above 0.000001 and below 100 % of the range, such as normal:10" },
	{ "gauss", SKEW_NORMAL, 0, LEAST_DEVIATION, 100, true,
	  "gauss needs a deviation above 0.000001 and below 100 % of the range, such as gauss:10" },
};
/* clang-format on */

static const struct skew_word *find_word(const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].name) == len && !strncmp(words[i].name, text, len))
			return &words[i];
	return NULL;
}

/* Reads digits[.digits] up to a colon or the end. Returns the text after it, or NULL. */
static const char *read_decimal(const char *text, double *value)
{
	size_t len = strspn(text, "0123456789"), digits = len;

	if (text[len] == '.') {
		size_t fraction = strspn(text + len + 1, "0123456789");

		len += 1 + fraction;
		digits += fraction;
	}
	if (!digits || len > 40 || (text[len] && text[len] != ':'))
		return NULL;
	*value = strtod(text, NULL);
	return text + len;
}

static bool in_range(const struct skew_word *w, double value)
{
	return value > w->above && (w->below ? value < w->most : value <= w->most);
}

int opt_skew(const char *text, struct skew_cfg *c, struct diag *d)
{
	size_t len = strcspn(text, ":");
	const struct skew_word *w = find_word(text, len);
	const char *at = text + len;

	if (!w)
		return diag_err(d, -EINVAL, "not zipf, pareto, normal or gauss");
	*c = (struct skew_cfg){ .kind = w->kind, .param = w->missing };
	if (*at)
		at = read_decimal(at + 1, &c->param);
	if (!at || !in_range(w, c->param))
		return diag_err(d, -EINVAL, "%s", w->range);
	if (!*at)
		return 0;
	at = read_decimal(at + 1, &c->center);
	if (!at || *at || c->center > 1)
		return diag_err(d, -EINVAL,
				"the number after the second colon is the place of the center in the range, "
				"from 0 to 1, "
				"such as %s:%g:0.25",
				w->name, c->param);
	c->centered = true;
	return 0;
}
