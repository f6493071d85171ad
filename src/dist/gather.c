#include "rank.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "exit_code.h"
#include "merge.h"
#include "result_pack.h"
#include "strbuf.h"
#include "version.h"

void gather_prepare(const struct comm *c, struct result *res)
{
	uint64_t offset_ms = (uint64_t)(c->realtime_offset_ns / 1000000);

	if (res->series.start_ms)
		res->series.start_ms += offset_ms;
	for (size_t i = 0; i < res->njobs; i++)
		result_job_shift_splits(res->jobs[i], offset_ms);
}

int gather_send(struct comm *c, const struct result *res, struct diag *d)
{
	struct strbuf text = { 0 };
	int err = res ? result_pack(res, &text) : 0, sent;

	if (err)
		text.len = 0; /* rank 0 reports that this rank has no result */
	sent = comm_send(c, &text);
	if (!sent)
		strbuf_fini(&text);
	return err ? diag_kind(d, DIAG_RUN, err, "out of memory for the result") : sent;
}

/* ---- rank 0 ---- */

struct gather {
	struct comm *comm;
	struct result_merge *merge;
	struct notes missing; /* ranks without a result */
};

static void add_missing(struct gather *g, int rank, const char *why)
{
	struct result_host h = rank_host_missing(g->comm, rank, why);

	result_merge_host(g->merge, &h);
	notes_add(&g->missing, "%s (rank %d): %s, so the sums leave it out", g->comm->hosts[rank], rank, why);
}

/* A pack that cannot be read is left out; an error ends the merge. */
static int add_pack(struct gather *g, int rank, const char *pack, size_t bytes, struct diag *d)
{
	struct diag damage = { 0 };
	struct result res = { 0 };
	int err = 0;

	if (result_unpack(&res, FIORD_VERSION, pack, bytes, &damage))
		add_missing(g, rank, diag_text(&damage));
	else
		err = result_merge_add(g->merge, &res, g->comm->hosts[rank], d);
	result_free(&res);
	diag_fini(&damage);
	return err ? diag_wrap(d, "%s (rank %d)", g->comm->hosts[rank], rank) : 0;
}

static int add_rank(struct gather *g, int rank, struct diag *d)
{
	size_t bytes = 0;
	char *text = NULL;
	int err = comm_await_bytes(g->comm, rank) ? comm_receive(g->comm, rank, &text, &bytes) : -ETIMEDOUT;

	if (err == -ENOMEM)
		return diag_kind(d, DIAG_RUN, err, "out of memory for the result of rank %d", rank);
	if (err || !bytes)
		add_missing(g, rank, err ? "its result has not arrived" : "it has no result");
	err = err || !bytes ? 0 : add_pack(g, rank, text, bytes, d);
	free(text);
	return err;
}

static int add_all(struct gather *g, const struct result *own, struct diag *d)
{
	int err = 0;

	if (own)
		err = result_merge_add(g->merge, own, g->comm->host, d);
	else
		add_missing(g, 0, "it has no result");
	/* Every rank sends, so every rank is received from, even after an error. */
	for (int i = 1; i < g->comm->ranks; i++) {
		int one = add_rank(g, i, d);

		err = err ? err : one;
	}
	return err;
}

static int finish(struct gather *g, struct result *sum, struct diag *d)
{
	int err = result_merge_finish(g->merge, sum, d);

	if (err)
		return err;
	for (size_t i = 0; i < g->missing.count; i++)
		result_note(sum, "%s", g->missing.line[i]);
	for (size_t i = 0; i < g->comm->end_reasons.count; i++)
		result_note(sum, "%s", g->comm->end_reasons.line[i]);
	if (g->missing.count || g->comm->end_reasons.count)
		result_exit_code(sum, EXIT_JOB);
	return 0;
}

int gather_merge(struct comm *c, const struct result *own, bool bins, struct result *sum, struct diag *d)
{
	struct gather g = { .comm = c };
	int err;

	g.merge = result_merge_new("fiord", FIORD_VERSION, FIORD_FIO_VERSION, bins);
	if (!g.merge)
		comm_abort(c, EXIT_JOB); /* the others would wait */
	err = add_all(&g, own, d);
	err = err ? err : finish(&g, sum, d);
	result_merge_free(g.merge);
	notes_fini(&g.missing);
	return err;
}
