/* fuzz_jobs.h: helpers of the targets that make job sets. */
#ifndef FUZZ_JOBS_H
#define FUZZ_JOBS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmdline.h"
#include "strbuf.h"

#define ARGS_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Splits the output of cmdline_show as a shell would. Overwrites text. */
static inline int split_shown(char *text, char **argv)
{
	int argc = 0;
	char *to = text;

	for (char *s = text; *s && *s != '\n' && argc < ARGS_MAX;) {
		bool quoted = false;

		argv[argc++] = to;
		for (; *s && (quoted || (*s != ' ' && *s != '\n')); s++) {
			if (*s == '\'')
				quoted = !quoted;
			else if (*s == '\\' && !quoted)
				*to++ = *++s;
			else
				*to++ = *s;
		}
		s += *s == ' ';
		*to++ = '\0';
	}
	return argc;
}

static inline bool any_given(const struct job_set *set, const char *name)
{
	for (size_t i = 0; i < set->njobs; i++)
		if (job_user_option(&set->jobs[i], name))
			return true;
	return false;
}

/* The command line that --showcmd prints must give the same command line again. Skipped with kb_base, which
   may apply to some of a job's layers only, while a command line has one layer. */
static inline void check_shown(const struct job_set *set, const struct jobfile_source *from)
{
	static char *argv[ARGS_MAX];
	struct strbuf shown = { 0 }, again = { 0 };
	struct job_set second = { 0 };
	struct cmdline c = { 0 };
	struct diag d = { 0 };
	char *text;
	int argc;

	if (!set->njobs || any_given(set, "kb_base"))
		return;
	cmdline_show(set, &shown);
	text = strdup(strbuf_str(&shown));
	argc = text ? split_shown(text, argv) : ARGS_MAX;
	if (argc < ARGS_MAX) {
		if (cmdline_parse_from(from, &c, &second, argc, argv, &d)) {
			fprintf(stderr, "%s%s\n", strbuf_str(&shown), diag_text(&d));
			abort();
		}
		cmdline_show(&second, &again);
		if (strcmp(strbuf_str(&shown), strbuf_str(&again))) {
			fprintf(stderr, "%s%s", strbuf_str(&shown), strbuf_str(&again));
			abort();
		}
	}
	job_set_fini(&second);
	diag_fini(&d);
	strbuf_fini(&shown);
	strbuf_fini(&again);
	free(text);
}

/* Parses the input; a failure must have one line with the reason. */
static inline void run_command_line(const struct jobfile_source *from, int argc, char *const *argv)
{
	struct cmdline c = { 0 };
	struct job_set set = { 0 };
	struct diag d = { 0 };
	int err = cmdline_parse_from(from, &c, &set, argc, argv, &d);

	if ((err != 0) != (d.text != NULL))
		abort();
	if (!err)
		check_shown(&set, from);
	job_set_fini(&set);
	diag_fini(&d);
}

#endif
