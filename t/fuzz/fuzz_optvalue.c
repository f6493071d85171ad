/* fuzz_optvalue: "name=value" or "name", of the core's options or an engine's. The printed form of an
   accepted value must be accepted and print the same; a refused value must not change the struct. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "job.h"
#include "strbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct opt_row *find(const char *name, const struct opt_table **t)
{
	const struct opt_row *row;

	*t = &job_options;
	row = opt_find(*t, name);
	for (unsigned i = 0; !row && engine_table[i]; i++) {
		*t = engine_table[i]->opts;
		row = *t ? opt_find(*t, name) : NULL;
	}
	return row;
}

static void print(const struct opt_row *row, const void *opts, struct strbuf *out)
{
	if (row->status == OPT_WORKS)
		row->type->print(row, (const char *)opts + row->offset, out);
}

static void check_again(const struct opt_table *t, const struct opt_row *row, const struct strbuf *printed,
			const struct opt_ctx *ctx)
{
	void *opts = calloc(1, t->struct_bytes);
	struct strbuf again = { 0 };
	struct diag d = { 0 };

	if (opts && !opt_defaults(t, opts, &d)) {
		if (opt_set(row, opts, strbuf_str(printed), ctx, &d)) {
			fprintf(stderr, "%s=%s: %s\n", row->name, strbuf_str(printed), diag_text(&d));
			abort();
		}
		print(row, opts, &again);
		if (strcmp(strbuf_str(printed), strbuf_str(&again))) {
			fprintf(stderr, "%s: %s, then %s\n", row->name, strbuf_str(printed),
				strbuf_str(&again));
			abort();
		}
		opt_fini(t, opts);
	}
	free(opts);
	strbuf_fini(&again);
	diag_fini(&d);
}

static void set_and_check(const struct opt_table *t, const struct opt_row *row, const char *text, void *opts)
{
	struct notes notes = { 0 };
	const struct opt_ctx ctx = { .kb_base = 1024, .notes = &notes };
	struct strbuf before = { 0 }, after = { 0 };
	struct diag d = { 0 };
	int err;

	print(row, opts, &before);
	err = opt_set(row, opts, text, &ctx, &d);
	print(row, opts, &after);
	if ((err != 0) != (d.text != NULL) || (err && strcmp(strbuf_str(&before), strbuf_str(&after))))
		abort();
	/* A value that sets nothing ("ba=,") may leave a default that has no text form. */
	if (!err && row->status == OPT_WORKS && strcmp(strbuf_str(&before), strbuf_str(&after)))
		check_again(t, row, &after, &ctx);
	strbuf_fini(&before);
	strbuf_fini(&after);
	notes_fini(&notes);
	diag_fini(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *eq;
	const struct opt_table *t;
	const struct opt_row *row;
	struct diag d = { 0 };

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	eq = strchr(text, '=');
	if (eq)
		*eq = '\0';
	row = find(text, &t);
	if (row) {
		void *opts = calloc(1, t->struct_bytes);

		if (opts && !opt_defaults(t, opts, &d)) {
			set_and_check(t, row, eq ? eq + 1 : NULL, opts);
			opt_fini(t, opts);
		}
		free(opts);
	}
	diag_fini(&d);
	free(text);
	return 0;
}
