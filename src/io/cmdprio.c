#include "cmdprio.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "bsize.h"

#define FORMAT "write size/percent or size/percent/class/level[/hint], such as 4k/30:64k/10/2/3"

/* One entry has up to five fields, separated by slashes. */
struct fields {
	const char *text[5];
	size_t len[5];
	unsigned n;
};

static bool split_fields(const char *text, size_t len, struct fields *f)
{
	f->n = 0;
	for (size_t from = 0;;) {
		size_t to = from, depth = 0;

		for (; to < len && (depth || text[to] != '/'); to++)
			depth += text[to] == '(' ? 1 : text[to] == ')' && depth ? (size_t)-1 : 0;
		if (f->n == 5)
			return false;
		f->text[f->n] = text + from;
		f->len[f->n++] = to - from;
		if (to >= len)
			return true;
		from = to + 1;
	}
}

static int number(const struct fields *f, unsigned i, const char *noun, uint32_t lo, uint32_t hi,
		  uint32_t *out, struct diag *d)
{
	uint32_t v = 0;

	for (size_t k = 0; k < f->len[i] && v <= hi; k++) {
		if (f->text[i][k] < '0' || f->text[i][k] > '9')
			return diag_err(d, -EINVAL, "%.*s: not a %s; " FORMAT, (int)f->len[i], f->text[i],
					noun);
		v = v * 10 + (uint32_t)(f->text[i][k] - '0');
	}
	if (!f->len[i] || v < lo || v > hi)
		return diag_err(d, -ERANGE, "%.*s: a %s is %u to %u", (int)f->len[i], f->text[i], noun, lo,
				hi);
	*out = v;
	return 0;
}

static int read_size(const struct fields *f, unsigned kb_base, uint32_t *bytes, struct diag *d)
{
	const char *hint = FORMAT;
	char size[64];
	uint64_t v;

	if (f->len[0] >= sizeof(size))
		return diag_err(d, -EINVAL, "not a size; " FORMAT);
	memcpy(size, f->text[0], f->len[0]);
	size[f->len[0]] = '\0';
	if (opt_number(size, kb_base, &v, &hint))
		return diag_err(d, -EINVAL, "%s: not a size; %s", size, hint);
	if (v < 1 || v > BS_MAX)
		return diag_err(d, -ERANGE, "%s: " BS_RANGE_ERROR, size);
	*bytes = (uint32_t)v;
	return 0;
}

/* Reads one entry. As in fio an entry without a percentage has 0. */
static int entry_of(const char *text, size_t len, unsigned kb_base, struct cmdprio_entry *e, struct diag *d)
{
	uint32_t class = 0, level = 0, hint = 0;
	struct fields f;
	int err;

	*e = (struct cmdprio_entry){ 0 };
	if (!split_fields(text, len, &f) || f.n == 3)
		return diag_err(d, -EINVAL, "%.*s: " FORMAT, (int)len, text);
	err = read_size(&f, kb_base, &e->bytes, d);
	if (!err && f.n > 1 && (f.len[1] || f.n > 2))
		err = number(&f, 1, "percentage", 0, 100, &e->percent, d);
	if (err || f.n < 4)
		return err;
	err = number(&f, 2, "class (1 real-time, 2 best effort, 3 idle)", 1, 3, &class, d);
	err = err ? err : number(&f, 3, "level", 0, 7, &level, d);
	if (!err && f.n == 5)
		err = number(&f, 4, "hint", 0, 1023, &hint, d);
	e->has_priority = true;
	e->value = cmdprio_value(class, hint, level);
	return err;
}

static int check_sums(const struct cmdprio_entry *e, unsigned n, struct diag *d)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned sum = 0;

		for (unsigned k = 0; k < n; k++)
			sum += e[k].bytes == e[i].bytes ? e[k].percent : 0;
		if (sum > 100)
			return diag_err(d, -ERANGE, "the percentages of size %u add up to %u", e[i].bytes,
					sum);
	}
	return 0;
}

/* Parses the entries of one direction in text[0..len). */
static int parse_direction(const char *text, size_t len, unsigned kb_base, struct cmdprio_split *out,
			   unsigned dir, struct diag *d)
{
	unsigned n = 0;

	for (size_t from = 0; len && from <= len; n++) {
		size_t to = from;
		int err;

		while (to < len && text[to] != ':')
			to++;
		if (n == PRIO_ENTRIES)
			return diag_err(d, -ERANGE, "more than %d sizes", PRIO_ENTRIES);
		err = entry_of(text + from, to - from, kb_base, &out->entry[dir][n], d);
		if (err)
			return err;
		from = to + 1;
	}
	out->n[dir] = n;
	return check_sums(out->entry[dir], n, d);
}

int cmdprio_parse(const char *text, unsigned kb_base, struct cmdprio_split *out, struct diag *d)
{
	struct cmdprio_split *trims = NULL;
	int err = 0;

	*out = (struct cmdprio_split){ 0 };
	for (unsigned dir = 0; dir < 3 && !err; dir++) {
		size_t len = strcspn(text, ",");

		if (dir == 2 && !(trims = calloc(1, sizeof(*trims))))
			return diag_err(d, -ENOMEM, "out of memory");
		err = parse_direction(text, len, kb_base, trims ? trims : out, dir % PRIO_DIRS, d);
		text += len;
		if (!*text) {
			if (dir == 0 && !err) {
				out->n[1] = out->n[0];
				memcpy(out->entry[1], out->entry[0], sizeof(out->entry[0]));
			}
			break;
		}
		text++;
	}
	free(trims);
	if (!err && !out->n[0] && !out->n[1])
		err = diag_err(d, -EINVAL, "needs a value; " FORMAT);
	return err;
}

static int split_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		       struct diag *d)
{
	struct cmdprio_split *scratch = calloc(1, sizeof(*scratch));
	int err = scratch ? cmdprio_parse(text, ctx->kb_base, scratch, d)
			  : diag_err(d, -ENOMEM, "out of memory");

	free(scratch);
	if (err)
		return err;
	opt_note_ib(row, text, ctx);
	return opt_text_set(field, text, d);
}

const struct opt_type cmdprio_type_bssplit = { OPT_TYPE_TEXT("list of sizes with percentages", split_parse) };
