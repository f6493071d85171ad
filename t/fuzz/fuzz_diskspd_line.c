/* fuzz_diskspd_line: the input is DISKSPD arguments, one per line; the first line names the dialect. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "line.h"
#include "paths.h"

#define ARGS_MAX 1024

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is accepted is so for every reader behind it. */
static void check_accepted(struct ds_line *l)
{
	struct ds_check c = { .dialect = l->dialect, .templates = true };
	struct ds_map map = { 0 };
	struct notes notes = { 0 };
	struct diag d = { 0 };

	if (!l->xml && l->profile.span->targets && ds_check(&c, &l->profile, &notes, &d))
		abort();
	if (ds_map_add(&map, "C:=/mnt/c", &d) || ds_map_add(&map, "\\\\srv\\share=/s", &d))
		abort();
	if (ds_map_profile(&map, &l->profile, &notes, &d) && !d.text)
		abort();
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
		check_accepted(&l);
		ds_line_fini(&l);
	}
	notes_fini(&notes);
	diag_fini(&d);
	free(text);
	return 0;
}
