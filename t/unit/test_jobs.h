/* test_jobs.h: for tests of job/: parses a job set from arguments and artificial files, with artificial
 * engines. */
#ifndef TEST_JOBS_H
#define TEST_JOBS_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "cmdline.h"
#include "types.h"

/* Engines: a synchronous one, two with options, one without files. */
struct async_opts {
	bool hipri;
	uint32_t width;
};

struct test_file {
	const char *path, *text;
};
extern const struct test_file *test_files; /* ends with a NULL path */

struct parsed {
	struct cmdline c;
	struct job_set set;
	struct diag d;
	int err;
	char *text, *argv[32];
};

/* args: arguments separated by blanks. */
void parse_args(struct parsed *p, const char *args);
void free_parsed(struct parsed *p);
bool has_note(const struct parsed *p, const char *text);

#endif
