#include "rank.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "format_names.h"
#include "strbuf.h"

/* ---- options that fiord-mpi does not have ---- */

static int check_options(const struct cmdline *c, const struct run_opts *o, struct diag *d)
{
	if (c->verb == VERB_INFLATE)
		return diag_err(d, -EINVAL, "--inflate-log: fiord-mpi does not have this option; use fiord");
	if (o->showcmd || o->parse_only)
		return diag_err(d, -EINVAL,
				"--%s: fiord-mpi does not have this option, which runs nothing; use fiord",
				o->showcmd ? "showcmd" : "parse-only");
	if (o->idle_prof == IDLE_CALIBRATE)
		return diag_err(d, -EINVAL,
				"--idle-prof=calibrate: fiord-mpi does not have this option; use fiord on "
				"each machine");
	if (o->repeat > 1)
		return diag_err(
			d, -EINVAL,
			"--repeat=%u: fiord-mpi runs the jobs once; start it %u times, and compare the "
			"documents with fiord compare",
			o->repeat, o->repeat);
	if (o->live || o->prometheus)
		return diag_err(d, -EINVAL,
				"--%s: fiord-mpi does not have this option, because the ranks run on several "
				"machines; use --status-interval, or fiord on each machine",
				o->live ? "live" : "prometheus");
	if (o->nassertions || o->junit)
		return diag_err(d, -EINVAL,
				"--%s: fiord-mpi does not have this option; use fiord report --assert on its "
				"document",
				o->nassertions ? "assert" : "junit");
	if (c->verb == VERB_CHECK && o->formats != OUT_NORMAL)
		return diag_err(
			d, -EINVAL,
			"--output-format: fiord-mpi check prints the plans of the ranks as text; fiord "
			"check has other formats");
	if (o->formats & OUT_SPANS)
		return diag_err(d, -EINVAL,
				"--output-format=diskspd: DISKSPD's reports describe one machine; use "
				"normal, terse or json");
	return 0;
}

/* ---- the files that rank 0 writes ---- */

/* Returns the NUL-terminated string at *at, and moves *at behind it. */
static const char *next_text(const struct strbuf *b, size_t *at)
{
	const char *s = *at < b->len ? b->text + *at : "";

	*at += strlen(s) + 1;
	return s;
}

static void add_text_field(struct strbuf *b, const char *s)
{
	strbuf_add(b, s ? s : "", strlen(s ? s : "") + 1);
}

/* Compares a file of this rank's program with that of rank 0's program. */
static int same_output(const char *option, const char *own, const char *first, struct diag *d)
{
	if (!own || !strcmp(own, first))
		return 0;
	if (!*first)
		return diag_err(
			d, -EINVAL,
			"--%s=%s: rank 0 writes the results of all programs, but its program has no --%s; "
			"give the option to the first program",
			option, own, option);
	return diag_err(
		d, -EINVAL,
		"--%s=%s: rank 0 writes the results of all programs, but its program has --%s=%s; give "
		"the option to the first program only, or the same to all",
		option, own, option, first);
}

/* Prints the files of single formats as values of --output. */
static void put_files(const struct run_opts *o, struct strbuf *b)
{
	for (size_t i = 0; i < o->nfiles; i++) {
		strbuf_puts(b, i ? " --output=" : "");
		format_print(o->files[i].formats, b);
		strbuf_printf(b, ":%s", o->files[i].path);
	}
}

static int same_files(const struct run_opts *o, const char *first, struct diag *d)
{
	struct strbuf own = { 0 };
	int err;

	put_files(o, &own);
	err = same_output("output", own.len ? strbuf_str(&own) : NULL, first, d);
	strbuf_fini(&own);
	return err;
}

static int same_outputs(const struct run_opts *o, const struct strbuf *first, struct diag *d)
{
	size_t at = strlen(strbuf_str(first)) + 1; /* behind main_output */
	int err = same_output("output", o->output.path, next_text(first, &at), d);

	err = err ? err : same_files(o, next_text(first, &at), d);
	err = err ? err : same_output("report", o->report, next_text(first, &at), d);
	err = err ? err : same_output("csv", o->csv, next_text(first, &at), d);
	if (!err && o->formats != OUT_NORMAL && o->formats != strtoul(next_text(first, &at), NULL, 10))
		err = diag_err(
			d, -EINVAL,
			"--output-format: rank 0 writes the results of all programs, but its program has "
			"another format; give the option to the first program only, or the same to all");
	return err;
}

static int same_verb(struct comm *c, const struct cmdline *cmdline, struct diag *d)
{
	unsigned most = (unsigned)comm_max(c, cmdline->verb), least = UINT16_MAX;

	least -= (unsigned)comm_max(c, UINT16_MAX - cmdline->verb);
	if (most == least)
		return 0;
	return diag_err(d, -EINVAL,
			"the programs do not do the same: some run jobs, others check them or print help; "
			"give all of them the same verb");
}

/* Returns the file of rank 0 beside which the other ranks write their documents: the plain one, or else that
   of the first format. NULL: there is none. */
static const char *main_output(const struct run_opts *o)
{
	return o->output.path ? o->output.path : o->nfiles ? o->files[0].path : NULL;
}

int rank_options_check(struct comm *c, const struct cmdline *cmdline, const struct run_opts *o, char **output,
		       struct diag *d)
{
	struct strbuf first = { 0 };
	int err = same_verb(c, cmdline, d);

	if (!c->rank) {
		add_text_field(&first, main_output(o));
		add_text_field(&first, o->output.path);
		put_files(o, &first);
		add_text_field(&first, "");
		add_text_field(&first, o->report);
		add_text_field(&first, o->csv);
		strbuf_printf(&first, "%u", o->formats);
	}
	comm_begin_step(c, "the comparison of the outputs", comm_now());
	if (comm_broadcast(c, &first))
		err = diag_no_memory(d);
	err = err ? err : same_outputs(o, &first, d);
	err = err ? err : check_options(cmdline, o, d);
	*output = *strbuf_str(&first) ? strdup(strbuf_str(&first)) : NULL;
	strbuf_fini(&first);
	return err;
}
