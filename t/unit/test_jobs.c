/* The artificial engines and files. */
#include "strbuf.h"
#include "test_jobs.h"

/* ---- engines: a synchronous one, two with options, one without files ---- */

#define OPT_STRUCT struct async_opts
static const struct opt_row async_rows[] = {
	{ "hipri", OPT_FLAG(hipri) },
	{ "width", OPT_U32(width), .def = "8", OPT_RANGE(1, 64) },
	{ .name = NULL },
};
#undef OPT_STRUCT
static const struct opt_table async_table = { async_rows, sizeof(struct async_opts) };
static const struct engine engine_psync = { .name = "psync", .caps = ENG_SYNC };
static const struct engine engine_null = { .name = "null", .caps = ENG_NOFILE | ENG_VIRTUAL };
static const struct engine engine_libaio = { .name = "libaio",
					     .alias = { "aio" },
					     .stands_for = "windowsaio" };
static const struct engine engine_meta = { .name = "filecreate", .caps = ENG_SYNC | ENG_META | ENG_CREATES };
static const struct engine engine_async = { .name = "async",
					    .opts = &async_table,
					    .opts_size = sizeof(struct async_opts) };
static const struct engine engine_commands = { .name = "commands", .caps = ENG_PASSTHROUGH };
static const struct engine engine_streams = { .name = "streams", .caps = ENG_STREAMS };
const struct engine *const engine_table[] = { &engine_psync, &engine_null,     &engine_libaio,  &engine_async,
					      &engine_meta,  &engine_commands, &engine_streams, NULL };

/* ---- files and arguments ---- */

const struct test_file *test_files;

static int load_test_file(void *ctx, const char *path, struct strbuf *out)
{
	(void)ctx;
	for (const struct test_file *f = test_files; f && f->path; f++) {
		if (!strcmp(f->path, path)) {
			strbuf_puts(out, f->text);
			return 0;
		}
	}
	return -ENOENT;
}

void parse_args(struct parsed *p, const char *args)
{
	static const struct jobfile_source from = { .load = load_test_file };
	int argc = 1;
	char *save = NULL;

	*p = (struct parsed){ .text = strdup(args) };
	assert_non_null(p->text);
	p->argv[0] = (char *)(uintptr_t) "fiord";
	for (char *s = strtok_r(p->text, " ", &save); s; s = strtok_r(NULL, " ", &save)) {
		assert_true(argc < 31);
		p->argv[argc++] = s;
	}
	p->err = cmdline_parse_from(&from, &p->c, &p->set, argc, p->argv, &p->d);
}

void free_parsed(struct parsed *p)
{
	job_set_fini(&p->set);
	diag_fini(&p->d);
	free(p->text);
}

bool has_note(const struct parsed *p, const char *text)
{
	for (size_t i = 0; i < p->set.notes.count; i++)
		if (!strcmp(p->set.notes.line[i], text))
			return true;
	return false;
}
