/* type_bssplit.c: bssplit=, block sizes with percentages. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "options.h"
#include "rows.h"
#include "types.h"

#define BLANK_PERCENT UINT32_MAX
#define BSSPLIT_HINT  "write size/percent:size/percent, such as 4k/60:64k/40"

/* Returns the length up to the first character of `set` outside parentheses. */
static size_t span(const char *s, const char *set)
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

static int split_percent(const char *text, size_t len, uint32_t *percent, struct diag *d)
{
	uint32_t v = 0;

	for (size_t i = 0; i < len; i++) {
		if (!isdigit((unsigned char)text[i]) || v > 100)
			return diag_err(d, -EINVAL, "not a percentage from 0 to 100; " BSSPLIT_HINT);
		v = v * 10 + (uint32_t)(text[i] - '0');
	}
	if (v > 100)
		return diag_err(d, -ERANGE, "not a percentage from 0 to 100; " BSSPLIT_HINT);
	*percent = len ? v : BLANK_PERCENT;
	return 0;
}

/* Reads size[/[percent]] in text[0..len). */
static int split_entry(const char *text, size_t len, unsigned kb_base, struct bssplit_entry *e,
		       struct diag *d)
{
	size_t size_len = span(text, "/:,");
	const char *hint = BSSPLIT_HINT;
	char size[64];
	uint64_t v;

	if (size_len >= sizeof(size))
		return diag_err(d, -EINVAL, "not a size; " BSSPLIT_HINT);
	memcpy(size, text, size_len);
	size[size_len] = '\0';
	if (opt_number(size, kb_base, &v, &hint))
		return diag_err(d, -EINVAL, "%s: not a size; %s", size, hint);
	if (v < 1 || v > 1u << 30)
		return diag_err(d, -ERANGE, "%s: out of range; block sizes are 1 to 1g", size);
	e->bytes = (uint32_t)v;
	if (size_len == len)
		return split_percent("", 0, &e->percent, d);
	return split_percent(text + size_len + 1, len - size_len - 1, &e->percent, d);
}

/* Divides the rest of 100 % among the entries without a percentage. */
static int split_resolve(struct bssplit_entry *e, unsigned n, struct diag *d)
{
	uint32_t sum = 0, blanks = 0, share, last = n - 1;

	for (unsigned i = 0; i < n; i++) {
		if (e[i].percent != BLANK_PERCENT) {
			sum += e[i].percent;
			continue;
		}
		blanks++;
		last = i;
	}
	if (sum > 100)
		return diag_err(d, -ERANGE, "the percentages add up to %u", sum);
	if (!blanks) {
		e[last].percent += 100 - sum;
		return 0;
	}
	share = (100 - sum) / blanks;
	for (unsigned i = 0; i < n; i++) {
		if (e[i].percent == BLANK_PERCENT)
			e[i].percent = share;
	}
	e[last].percent += 100 - sum - share * blanks;
	return 0;
}

/* Reads one direction: text up to ',' or the end. */
static int split_direction(const char *text, unsigned kb_base, struct bsize_cfg *c, unsigned dir,
			   struct diag *d)
{
	unsigned n = 0;
	int err;

	c->split_n[dir] = 0;
	if (!*text || *text == ',')
		return 0;
	for (;;) {
		size_t len = span(text, ":,");

		if (n == BSSPLIT_MAX)
			return diag_err(d, -ERANGE, "more than %d sizes", BSSPLIT_MAX);
		err = split_entry(text, len, kb_base, &c->split[dir][n], d);
		if (err)
			return err;
		n++;
		if (text[len] != ':')
			break;
		text += len + 1;
	}
	c->split_n[dir] = n;
	return split_resolve(c->split[dir], n, d);
}

int opt_bssplit(const char *text, unsigned kb_base, struct bsize_cfg *c, struct diag *d)
{
	struct bsize_cfg out = *c;
	int err;

	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		size_t len;

		if (dir && !*text) {
			out.split_n[dir] = out.split_n[dir - 1];
			memcpy(out.split[dir], out.split[dir - 1], sizeof(out.split[dir]));
			continue;
		}
		text += dir > 0;
		len = span(text, ",");
		err = split_direction(text, kb_base, &out, dir, d);
		if (err)
			return err;
		text += len;
	}
	if (*text)
		return diag_err(d, -EINVAL, "more than three directions; write reads,writes,trims");
	*c = out;
	return 0;
}

/* Returns whether the percentages of a direction are all given and add up to less than 100. */
static bool is_incomplete(const char *text)
{
	for (; *text; text += span(text, ",") + (text[span(text, ",")] == ',')) {
		unsigned sum = 0, blanks = 0;

		for (const char *s = text; *s && *s != ','; s += span(s, ":,") + (s[span(s, ":,")] == ':')) {
			const char *percent = s + span(s, "/:,");

			if (*percent == '/' && isdigit((unsigned char)percent[1]))
				sum += (unsigned)strtoul(percent + 1, NULL, 10);
			else
				blanks++;
		}
		if (!blanks && sum < 100 && *text != ',')
			return true;
	}
	return false;
}

static int bssplit_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			 struct diag *d)
{
	struct bsize_cfg *scratch = calloc(1, sizeof(*scratch));
	int err =
		scratch ? opt_bssplit(text, ctx->kb_base, scratch, d) : diag_err(d, -ENOMEM, "out of memory");

	if (!err && !scratch->split_n[0] && !scratch->split_n[1] && !scratch->split_n[2])
		err = diag_err(d, -EINVAL, "needs a value; " BSSPLIT_HINT);
	free(scratch);
	if (err)
		return err;
	if (ctx->notes && is_incomplete(text))
		notes_add(ctx->notes,
			  "{%s=%s}: the percentages add up to less than 100; the last size gets the rest",
			  row->name, text);
	opt_note_ib(row, text, ctx);
	return opt_text_set(field, text, d);
}

const struct opt_type job_type_bssplit = { OPT_TYPE_TEXT("list of sizes with percentages", bssplit_parse) };
