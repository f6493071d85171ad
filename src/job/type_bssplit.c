/* type_bssplit.c: bssplit=, block sizes with percentages. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "options.h"
#include "rows.h"
#include "types.h"

#define BLANK_PERCENT (-1.0)
#define WHOLE         10000 /* hundredths of a percent */
#define BSSPLIT_HINT  "write size/percent:size/percent, such as 4k/60:64k/40"

/* What reads the list. */
struct split_reader {
	const char *whole; /* the value of bssplit= */
	unsigned kb_base;
	struct notes *notes; /* or NULL */
	struct diag *d;
};

/* Returns the length up to the first character of `set` outside parentheses. */
static size_t length_to(const char *s, const char *set)
{
	unsigned depth = 0;
	size_t n = 0;

	for (; s[n] && (depth || !strchr(set, s[n])); n++) {
		if (s[n] == '(')
			depth++;
		else if (s[n] == ')' && depth)
			depth--;
	}
	return n;
}

/* Reads digits. Returns their number; sets *v to their value, or to `most` if that is less. */
static size_t read_digits(const char *text, size_t len, uint32_t most, uint32_t *v)
{
	size_t n = 0;

	*v = 0;
	for (; n < len && isdigit((unsigned char)text[n]); n++) {
		*v = *v * 10 + (uint32_t)(text[n] - '0');
		*v = *v < most ? *v : most;
	}
	return n;
}

/* As in fio a share above 100 counts as 100. Until split_resolve is done, entries have hundredths of a
   percent, whose sums are exact. */
static int split_percent(const char *text, size_t len, double *hundredths, struct diag *d)
{
	uint32_t whole, decimals = 0;
	size_t n = read_digits(text, len, 100, &whole), places = 0;

	if (n && n < len && text[n] == '.') {
		places = read_digits(text + n + 1, len - n - 1, 99, &decimals);
		if (places > 2)
			return diag_err(d, -EINVAL, "a percentage has at most two decimals");
		n += places ? 1 + places : 0;
	}
	if (n < len)
		return diag_err(d, -EINVAL, "not a percentage; " BSSPLIT_HINT);
	whole = 100 * whole + (places == 1 ? 10 * decimals : decimals);
	*hundredths = !len ? BLANK_PERCENT : whole < WHOLE ? whole : WHOLE;
	return 0;
}

/* Reads one size, or the first one of a range, which is all that fio reads of it. */
static int split_size(const struct split_reader *s, const char *text, size_t len, uint32_t *bytes)
{
	size_t used = length_to(text, "-/:,");
	const char *hint = BSSPLIT_HINT;
	char size[64];
	uint64_t v;

	if (len >= sizeof(size))
		return diag_err(s->d, -EINVAL, "not a size; " BSSPLIT_HINT);
	used = used && used < len ? used : len;
	memcpy(size, text, used);
	size[used] = '\0';
	if (opt_number(size, s->kb_base, &v, &hint))
		return diag_err(s->d, -EINVAL, "%.*s: not a size; %s", (int)len, text, hint);
	if (v < 1 || v > BS_MAX)
		return diag_err(s->d, -ERANGE, "%s: " BS_RANGE_ERROR, size);
	if (used < len && s->notes)
		notes_add(s->notes, "{bssplit=%s}: %.*s means %s, as in fio; a range of sizes is {bsrange}",
			  s->whole, (int)len, text, size);
	*bytes = (uint32_t)v;
	return 0;
}

/* Reads size[/[percent]] in text[0..len). */
static int split_entry(const struct split_reader *s, const char *text, size_t len, struct bssplit_entry *e)
{
	size_t size_len = length_to(text, "/:,");
	int err = split_size(s, text, size_len, &e->bytes);

	if (err)
		return err;
	if (size_len == len)
		return split_percent("", 0, &e->percent, s->d);
	return split_percent(text + size_len + 1, len - size_len - 1, &e->percent, s->d);
}

/* Divides what is left of 100 % among the entries without a percentage: whole percents, as in fio, and the
   rest for the last one. */
static int share_rest(struct bssplit_entry *e, unsigned n, unsigned blanks, double sum, struct diag *d)
{
	double left = WHOLE - sum, share = 100 * floor(left / 100 / blanks), rest = left - share * blanks;

	if (sum > WHOLE)
		return diag_err(
			d, -ERANGE,
			"the percentages add up to %.15g, which leaves nothing for the sizes without one",
			sum / 100);
	for (unsigned i = n; i-- > 0;) {
		if (e[i].percent >= 0)
			continue;
		e[i].percent = share + rest;
		rest = 0;
	}
	return 0;
}

/* As in fio the smallest shares count first, so that the largest one gets what is left of 100 %, more or less
   than was asked for. Returns its entry. */
static unsigned fit_shares(struct bssplit_entry *e, unsigned n)
{
	bool done[BSSPLIT_MAX] = { false };
	double left = WHOLE;
	unsigned at = 0;

	for (unsigned round = 0; round < n; round++) {
		for (at = 0; done[at]; at++)
			;
		for (unsigned i = at; i < n; i++)
			if (!done[i] && e[i].percent < e[at].percent)
				at = i;
		done[at] = true;
		e[at].percent = e[at].percent < left ? e[at].percent : left;
		left -= e[at].percent;
	}
	e[at].percent += left;
	return at;
}

static void set_percents(struct bssplit_entry *e, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		e[i].percent /= 100;
}

static int split_resolve(const struct split_reader *s, struct bssplit_entry *e, unsigned n)
{
	double sum = 0;
	unsigned blanks = 0, largest;
	int ret;

	for (unsigned i = 0; i < n; i++) {
		if (e[i].percent < 0)
			blanks++;
		else
			sum += e[i].percent;
	}
	if (blanks) {
		ret = share_rest(e, n, blanks, sum, s->d);
		set_percents(e, n);
		return ret;
	}
	largest = fit_shares(e, n);
	set_percents(e, n);
	if (fabs(sum - WHOLE) > 0.5 && s->notes)
		notes_add(
			s->notes,
			"{bssplit=%s}: the percentages add up to %.15g; as in fio the largest share becomes "
			"what the others leave, %.15g %% for %u bytes",
			s->whole, sum / 100, e[largest].percent, e[largest].bytes);
	return 0;
}

/* Reads one direction: text up to ',' or the end. */
static int split_direction(const struct split_reader *s, const char *text, struct bsize_cfg *c, unsigned dir)
{
	unsigned n = 0;
	int err;

	c->split_n[dir] = 0;
	if (!*text || *text == ',')
		return 0;
	for (;;) {
		size_t len = length_to(text, ":,");

		if (n == BSSPLIT_MAX)
			return diag_err(s->d, -ERANGE, "more than %d sizes", BSSPLIT_MAX);
		err = split_entry(s, text, len, &c->split[dir][n]);
		if (err)
			return err;
		n++;
		if (text[len] != ':')
			break;
		text += len + 1;
	}
	c->split_n[dir] = n;
	return split_resolve(s, c->split[dir], n);
}

static int read_split(const struct split_reader *s, struct bsize_cfg *c)
{
	const char *text = s->whole;
	struct bsize_cfg out = *c;
	int err;

	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		if (dir && !*text) {
			out.split_n[dir] = out.split_n[dir - 1];
			memcpy(out.split[dir], out.split[dir - 1], sizeof(out.split[dir]));
			continue;
		}
		text += dir > 0;
		err = split_direction(s, text, &out, dir);
		if (err)
			return err;
		text += length_to(text, ",");
	}
	if (*text)
		return diag_err(s->d, -EINVAL, "more than three directions; write reads,writes,trims");
	*c = out;
	return 0;
}

int opt_bssplit(const char *text, unsigned kb_base, struct bsize_cfg *c, struct diag *d)
{
	return read_split(&(struct split_reader){ .whole = text, .kb_base = kb_base, .d = d }, c);
}

static int bssplit_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			 struct diag *d)
{
	struct bsize_cfg *scratch = calloc(1, sizeof(*scratch));
	const struct split_reader s = { text, ctx->kb_base, ctx->notes, d };
	int err = scratch ? read_split(&s, scratch) : diag_err(d, -ENOMEM, "out of memory");

	if (!err && !scratch->split_n[0] && !scratch->split_n[1] && !scratch->split_n[2])
		err = diag_err(d, -EINVAL, "needs a value; " BSSPLIT_HINT);
	free(scratch);
	if (err)
		return err;
	opt_note_ib(row, text, ctx);
	return opt_text_set(field, text, d);
}

const struct opt_type job_type_bssplit = { OPT_TYPE_TEXT("list of sizes with percentages", bssplit_parse) };
