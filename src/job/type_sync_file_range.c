/* type_sync_file_range.c: sync_file_range=wait_before,write,wait_after:N. */
#include <errno.h>
#include <string.h>
#include "options.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"

static int every_parse(const struct opt_row *row, uint32_t *every, const char *text,
		       const struct opt_ctx *ctx, struct diag *d)
{
	struct opt_row number = { .name = row->name, .type = &opt_type_u32, .min = 1, .max = UINT32_MAX };

	if (strchr(text, ','))
		return diag_err(d, -EINVAL, "the number of writes stands at the end: write,wait_after:8");
	return opt_type_u32.parse(&number, every, text, ctx, d);
}

static int sync_range_parse(const struct opt_row *row, void *field, const char *text,
			    const struct opt_ctx *ctx, struct diag *d)
{
	struct sync_range_cfg *c = field, v = { .every = 1 };
	const char *at = text;

	for (;; at++) {
		size_t n = strcspn(at, ",:");
		const struct opt_choice *choice = opt_find_choice(row->choices, at, n);

		if (!choice)
			return diag_err(d, -EINVAL,
					"'%.*s' is not one of wait_before, write and wait_after; write "
					"flags with ',' between them, then ':' and the number of writes",
					(int)n, at);
		v.flags |= (unsigned)choice->value;
		at += n;
		if (*at != ',')
			break;
	}
	if (*at == ':') {
		int err = every_parse(row, &v.every, at + 1, ctx, d);

		if (err)
			return err;
	}
	*c = v;
	return 0;
}

static void sync_range_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct sync_range_cfg *c = field;
	bool some = false;

	for (const struct opt_choice *f = row->choices; c->every && f->name; f++) {
		if (!(c->flags & (unsigned)f->value))
			continue;
		strbuf_printf(out, "%s%s", some ? "," : "", f->name);
		some = true;
	}
	if (some)
		strbuf_printf(out, ":%u", c->every);
}

const struct opt_type job_type_sync_range = { OPT_TYPE("flags of sync_file_range", sync_range),
					      .bytes = sizeof(struct sync_range_cfg) };
