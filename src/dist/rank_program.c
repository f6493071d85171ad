#include "rank_program.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "cmd.h"
#include "format_names.h"
#include "rank_targets.h"
#include "rng.h"
#include "verbs.h"

void rank_program_split(struct comm *c, int argc, char *const *argv)
{
	uint64_t h = 0;

	for (int i = 1; i < argc; i++)
		for (const char *s = argv[i]; s == argv[i] || s[-1]; s++)
			h = rng_mix64(h ^ (unsigned char)*s);
	comm_split(c, (int)(h >> 33));
}

int rank_program_verb(int argc, char *const *argv, struct diag *d)
{
	const char *word = argc > 1 ? argv[1] : "";

	if (!strcmp(word, "preset"))
		return diag_err(
			d, -EINVAL,
			"preset: fiord-mpi runs job files; write one with: fiord preset show NAME >FILE");
	if (!strcmp(word, "diskspd"))
		return diag_err(d, -EINVAL,
				"diskspd: fiord-mpi runs job files; write one with: fiord diskspd --to-job "
				"... >FILE");
	if (verb_find(word))
		return diag_err(d, -EINVAL, "%s: fiord-mpi only runs and checks jobs; use fiord %s", word,
				word);
	return 0;
}

/* ---- arguments ---- */

/* Appends the argument and a NUL. ${RANK}, ${NRANKS} and ${HOST} become the values of this rank. */
static void expand(struct strbuf *b, const char *arg)
{
	static const char *const names[] = { "RANK", "NRANKS", "HOST" };

	while (*arg) {
		size_t n = 0;

		for (unsigned i = 0; i < 3 && !n && arg[0] == '$' && arg[1] == '{'; i++) {
			n = strlen(names[i]);
			if (strncmp(arg + 2, names[i], n) != 0 || arg[2 + n] != '}')
				n = 0;
			else
				strbuf_puts(b, getenv(names[i]));
		}
		if (!n)
			strbuf_putc(b, *arg);
		arg += n ? n + 3 : 1;
	}
	strbuf_add(b, "", 1);
}

char **rank_program_arguments(int argc, char *const *argv)
{
	struct strbuf b = { 0 };
	char **out, *text;

	for (int i = 0; i < argc; i++)
		expand(&b, argv[i]);
	out = b.failed ? NULL : malloc(((size_t)argc + 1) * sizeof(*out) + b.len);
	if (out) {
		text = memcpy(out + argc + 1, strbuf_str(&b), b.len);
		for (int i = 0; i < argc; i++, text += strlen(text) + 1)
			out[i] = text;
		out[argc] = NULL;
	}
	strbuf_fini(&b);
	return out;
}

static int check_alone(const struct cmdline *c, const struct run_opts *o, struct diag *d)
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
	if (o->assertions || o->junit)
		return diag_err(d, -EINVAL,
				"--%s: fiord-mpi does not have this option; use fiord report --assert on its "
				"document",
				o->assertions ? "assert" : "junit");
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

/* ---- exchanges ---- */

enum tag { TAG_SIZE = 100, TAG_PACK }; /* beyond those of comm */

/* Sends the text of rank 0 to the others, which append it. */
static void broadcast_first(struct comm *c, struct strbuf *text)
{
	uint64_t bytes = text->len;
	MPI_Request req;
	char *copy;

	comm_step(c, "the comparison of the outputs", comm_now());
	MPI_Ibcast(&bytes, 1, MPI_UINT64_T, 0, c->world, &req);
	comm_wait_or_abort(c, &req);
	copy = calloc(1, bytes + 1);
	if (!copy || bytes > INT_MAX)
		comm_abort(c, 1); /* the others would wait */
	if (!c->rank && bytes)
		memcpy(copy, text->text, bytes);
	MPI_Ibcast(copy, (int)bytes, MPI_CHAR, 0, c->world, &req);
	comm_wait_or_abort(c, &req);
	if (c->rank)
		strbuf_add(text, copy, bytes);
	free(copy);
}

/* Sends the text to rank 0. */
static void send_first(struct comm *c, const struct strbuf *text)
{
	uint64_t bytes = text->len < INT_MAX ? text->len : 0;
	MPI_Request req;

	MPI_Isend(&bytes, 1, MPI_UINT64_T, 0, TAG_SIZE, c->world, &req);
	comm_wait_or_abort(c, &req);
	MPI_Isend(strbuf_str(text), (int)bytes, MPI_CHAR, 0, TAG_PACK, c->world, &req);
	comm_wait_or_abort(c, &req);
}

/* For rank 0: receives the text of a rank, for the caller to free. */
static char *receive_from(struct comm *c, int rank, size_t *size)
{
	uint64_t bytes = 0;
	MPI_Request req;
	char *text;

	MPI_Irecv(&bytes, 1, MPI_UINT64_T, rank, TAG_SIZE, c->world, &req);
	comm_wait_or_abort(c, &req);
	text = malloc(bytes + 1);
	if (!text || bytes > INT_MAX)
		comm_abort(c, 1);
	MPI_Irecv(text, (int)bytes, MPI_CHAR, rank, TAG_PACK, c->world, &req);
	comm_wait_or_abort(c, &req);
	*size = bytes;
	return text;
}

/* Returns the NUL-terminated string at *at, and moves *at behind it. */
static const char *next_text(const struct strbuf *b, size_t *at)
{
	const char *s = *at < b->len ? b->text + *at : "";

	*at += strlen(s) + 1;
	return s;
}

static void add_text(struct strbuf *b, const char *s)
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

int rank_program_options(struct comm *c, const struct cmdline *cmdline, const struct run_opts *o,
			 char **output, struct diag *d)
{
	struct strbuf first = { 0 };
	int err = same_verb(c, cmdline, d);

	if (!c->rank) {
		add_text(&first, main_output(o));
		add_text(&first, o->output.path);
		put_files(o, &first);
		add_text(&first, "");
		add_text(&first, o->report);
		add_text(&first, o->csv);
		strbuf_printf(&first, "%u", o->formats);
	}
	broadcast_first(c, &first);
	err = err ? err : same_outputs(o, &first, d);
	err = err ? err : check_alone(cmdline, o, d);
	*output = *strbuf_str(&first) ? strdup(strbuf_str(&first)) : NULL;
	strbuf_fini(&first);
	return err;
}

struct rank_info rank_program_info(struct comm *c)
{
	uint64_t entropy = 0;

	/* 0 means that each rank takes its own, and they differ anyway. */
	if (!c->rank && getrandom(&entropy, sizeof(entropy), GRND_NONBLOCK) < 0)
		entropy = 0;
	return (struct rank_info){ (uint32_t)c->rank, (uint32_t)c->ranks, comm_max(c, entropy) };
}

/* ---- files of several ranks ---- */

static const char *host_of(const void *ctx, int rank)
{
	const struct comm *c = ctx;

	return c->hosts[rank];
}

int rank_program_targets(struct comm *c, const struct plan *p, struct diag *d)
{
	struct rank_targets all = { 0 };
	struct strbuf own = { 0 };
	int err;

	comm_step(c, "the comparison of the files", comm_now());
	rank_targets_pack(p, rank_machine_id(), &own);
	err = own.failed ? -ENOMEM : 0;
	if (c->rank) {
		send_first(c, &own);
	} else {
		err = err ? err : rank_targets_add(&all, 0, strbuf_str(&own), own.len);
		for (int i = 1; i < c->ranks; i++) { /* every rank sends */
			size_t bytes;
			char *pack = receive_from(c, i, &bytes);

			err = err ? err : rank_targets_add(&all, i, pack, bytes);
			free(pack);
		}
		err = err ? err : rank_targets_check(&all, host_of, c, d);
	}
	strbuf_fini(&own);
	rank_targets_fini(&all);
	if (err && !d->err)
		diag_kind(d, DIAG_RUN, err, "the files of the ranks could not be compared: %s",
			  diag_errno(err));
	return err;
}

/* ---- check ---- */

int rank_program_check(struct comm *c, const struct plan *p, struct diag *d)
{
	struct strbuf text = { 0 };
	int code = EXIT_OK;

	comm_step(c, "the check", comm_now());
	if (!c->rank)
		strbuf_printf(&text, "%s (rank 0):\n", c->host);
	cmd_check_text(p, &text);
	if (c->rank) {
		send_first(c, &text);
		strbuf_fini(&text);
		return EXIT_OK;
	}
	for (int i = 1; i < c->ranks; i++) {
		size_t bytes;
		char *other = receive_from(c, i, &bytes);

		strbuf_printf(&text, "\n%s (rank %d):\n", c->hosts[i], i);
		strbuf_add(&text, other, bytes);
		free(other);
	}
	code = text.failed ? EXIT_JOB : cmd_put(strbuf_str(&text), d);
	if (text.failed)
		diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory");
	strbuf_fini(&text);
	return code;
}
