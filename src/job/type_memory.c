/* type_memory.c: mem=KIND[:FILE]. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "options.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"

static bool takes_file(enum mem_kind kind)
{
	return kind == MEM_MMAP || kind == MEM_MMAPHUGE || kind == MEM_MMAPSHARED;
}

static int mem_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		     struct diag *d)
{
	struct mem_source *m = field;
	size_t stem = strcspn(text, ":");
	const struct opt_choice *c = opt_find_choice(row->choices, text, stem);
	const char *file = text[stem] ? text + stem + 1 : NULL;

	(void)ctx;
	if (c && c->value < 0)
		return diag_err(d, -ENOTSUP, "%s: %s", c->help, c->why);
	if (!c)
		return diag_err(d, -EINVAL,
				"not a kind of memory; known are malloc, shm, shmhuge, mmap[:FILE], "
				"mmaphuge[:FILE] and "
				"mmapshared[:FILE]");
	if (file && !takes_file((enum mem_kind)c->value))
		return diag_err(d, -EINVAL, "%s takes no file; mmap, mmaphuge and mmapshared do", c->name);
	if (file && !*file)
		return diag_err(d, -EINVAL, "the path of a file is missing after the ':'");
	if (file && opt_text_set(&m->file, file, d))
		return -ENOMEM;
	if (!file) {
		free(m->file);
		m->file = NULL;
	}
	m->kind = (enum mem_kind)c->value;
	return 0;
}

static void mem_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct mem_source *m = field;

	(void)row;
	strbuf_puts(out, mem_kind_name(m->kind));
	if (m->file)
		strbuf_printf(out, ":%s", m->file);
}

static void mem_fini(const struct opt_row *row, void *field)
{
	struct mem_source *m = field;

	(void)row;
	free(m->file);
	m->file = NULL;
}

const struct opt_type job_type_mem = { OPT_TYPE("kind of memory", mem), .fini = mem_fini,
				       .bytes = sizeof(struct mem_source) };
