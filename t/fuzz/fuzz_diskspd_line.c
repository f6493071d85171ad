/* fuzz_diskspd_line: the input is DISKSPD arguments, one per line; the first line names the dialect. An
   accepted line must be explained, and its job must parse. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "profile.h"
#include "cmdline.h"
#include "strbuf.h"
#include "tojob.h"
#include "explain.h"
#include "line.h"
#include "path_map.h"

#define ARGS_MAX 1024

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int load_job(void *ctx, const char *path, struct strbuf *out)
{
	const struct strbuf *text = ctx;

	(void)path;
	strbuf_add(out, strbuf_str(text), text->len);
	return 0;
}

/* Unaligned values fail in the run, in DISKSPD too. */
static void check_parses(const struct strbuf *text)
{
	char *argv[] = { (char[]){ "fiord" }, (char[]){ "--parse-only" }, (char[]){ "job" } };
	const struct jobfile_source from = { .load = load_job, .ctx = (void *)(uintptr_t)text };
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct diag d = { 0 };

	if (cmdline_parse_from(&from, &c, &set, 3, argv, &d) && !strstr(diag_text(&d), "direct=1 needs")) {
		fprintf(stderr, "%s\n%s\n", diag_text(&d), strbuf_str(text));
		abort();
	}
	diag_fini(&d);
	job_set_fini(&set);
}

static void check_job(const struct ds_line *l, bool fio)
{
	struct ds_job_cfg cfg = { .line = l, .for_fio = fio };
	struct ds_job job = { 0 };
	struct diag d = { 0 };

	if (ds_to_job(&l->profile, &cfg, &job, &d)) {
		if (!d.text)
			abort();
	} else {
		check_parses(&job.text);
	}
	ds_job_fini(&job);
	diag_fini(&d);
}

static void check_explained(const struct ds_line *l, int argc, const char *const *argv)
{
	struct ds_explain_cfg cfg = { .argc = argc, .argv = argv };
	struct strbuf out = { 0 };

	ds_explain(&l->profile, &cfg, &out);
	if (!out.len)
		abort();
	strbuf_fini(&out);
}

/* Every later reader must accept an accepted line. */
static void check_accepted(struct ds_line *l, int argc, const char *const *argv)
{
	struct ds_check_cfg c = { .allow_templates = true };
	struct ds_map map = { 0 };
	struct notes notes = { 0 };
	struct diag d = { 0 };

	if (!l->xml_file && l->profile.spans->ntargets && ds_profile_check(&c, &l->profile, &notes, &d))
		abort();
	if (ds_map_add(&map, "C:=/mnt/c", &d) || ds_map_add(&map, "\\\\srv\\share=/s", &d))
		abort();
	if (ds_map_profile(&map, &l->profile, &notes, &d) && !d.text)
		abort();
	if (!d.text && !l->xml_file && l->profile.spans->ntargets && l->show == DS_SHOW_RUN) {
		check_job(l, false);
		check_job(l, true);
		check_explained(l, argc, argv);
	}
	ds_map_fini(&map);
	notes_fini(&notes);
	diag_fini(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *argv[ARGS_MAX];
	char *text = malloc(size + 1), *save = NULL, *word;
	enum ds_dialect dialect = DS_DIALECT_23;
	struct notes notes = { 0 };
	struct diag d = { 0 };
	struct ds_line l;
	int argc = 0;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	word = strtok_r(text, "\n", &save);
	if (word && !ds_dialect_of(word, &dialect))
		word = strtok_r(NULL, "\n", &save);
	for (; word && argc < ARGS_MAX; word = strtok_r(NULL, "\n", &save))
		argv[argc++] = word;
	if (ds_line_parse(&l, dialect, argc, argv, &notes, &d)) {
		if (!d.text || strchr(d.text, '\n'))
			abort();
	} else {
		check_accepted(&l, argc, argv);
		ds_line_fini(&l);
	}
	notes_fini(&notes);
	diag_fini(&d);
	free(text);
	return 0;
}
