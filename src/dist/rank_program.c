#include "rank.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "cmd.h"
#include "rank_targets.h"
#include "rng.h"
#include "strbuf.h"
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
static void expand_rank(struct strbuf *b, const char *arg)
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
		expand_rank(&b, argv[i]);
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

struct rank_info rank_program_info(struct comm *c)
{
	uint64_t entropy = 0;

	/* 0 means that each rank takes its own, and they differ anyway. */
	if (!c->rank && getrandom(&entropy, sizeof(entropy), GRND_NONBLOCK) < 0)
		entropy = 0;
	return (struct rank_info){ (uint32_t)c->rank, (uint32_t)c->ranks, comm_max(c, entropy >> 1) };
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

	comm_begin_step(c, "the comparison of the files", comm_now());
	rank_targets_pack(p, rank_machine_id(), &own);
	err = own.failed ? -ENOMEM : 0;
	if (c->rank) {
		comm_send_or_abort(c, &own);
	} else {
		err = err ? err : rank_targets_add(&all, 0, strbuf_str(&own), own.len);
		for (int i = 1; i < c->ranks; i++) { /* every rank sends */
			size_t bytes;
			char *pack = comm_receive_or_abort(c, i, &bytes);

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

	comm_begin_step(c, "the check", comm_now());
	if (!c->rank)
		strbuf_printf(&text, "%s (rank 0):\n", c->host);
	cmd_check_text(p, &text);
	if (c->rank) {
		comm_send_or_abort(c, &text);
		strbuf_fini(&text);
		return EXIT_OK;
	}
	for (int i = 1; i < c->ranks; i++) {
		size_t bytes;
		char *other = comm_receive_or_abort(c, i, &bytes);

		strbuf_printf(&text, "\n%s (rank %d):\n", c->hosts[i], i);
		strbuf_add(&text, other, bytes);
		free(other);
	}
	code = text.failed ? EXIT_JOB : cmd_put(strbuf_str(&text), d);
	if (text.failed)
		diag_no_memory(d);
	strbuf_fini(&text);
	return code;
}
