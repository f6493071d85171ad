#include "check_outputs.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include "ending_signals.h"
#include "outfile.h"
#include "replay.h"
#include "strbuf.h"
#include "trace_writer.h"

#define PIECE_BYTES ((size_t)64 << 10)

static const struct replay_cfg *cfg_of(const struct plan_job *pj)
{
	return &pj->job->opts.replay;
}

/* ---- checks ---- */

static bool same_name(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static bool same_merge(const struct replay_cfg *a, const struct replay_cfg *b)
{
	return same_name(a->log, b->log) && same_name(a->merge_scalars, b->merge_scalars) &&
	       same_name(a->merge_iters, b->merge_iters);
}

/* Returns the first job with this merged file. */
static const struct plan_job *first_user(const struct plan *p, const char *path)
{
	const struct plan_job *pj = p->jobs;

	while (!cfg_of(pj)->merge_file || strcmp(cfg_of(pj)->merge_file, path) != 0)
		pj++;
	return pj;
}

const char *merged_traces_file(const struct plan *p, uint32_t job)
{
	const struct replay_cfg *c = cfg_of(&p->jobs[job]);

	return c->merge_file && c->facts && first_user(p, c->merge_file) == &p->jobs[job] ? c->merge_file
											  : NULL;
}

static int check_job(const struct plan *p, const struct plan_job *pj, struct diag *d)
{
	const struct replay_cfg *c = cfg_of(pj);
	const struct plan_job *first = first_user(p, c->merge_file);

	if (!same_merge(cfg_of(first), c))
		return diag_err(d, -EINVAL,
				"[%s]: {merge_blktrace_file=%s}: [%s] merges other traces into this file",
				pj->job->name, c->merge_file, first->job->name);
	return 0;
}

int merged_traces_check(const struct plan *p, struct diag *d)
{
	int ret = 0;

	for (uint32_t i = 0; i < p->njobs && !ret; i++)
		if (cfg_of(&p->jobs[i])->merge_file && cfg_of(&p->jobs[i])->facts)
			ret = check_job(p, &p->jobs[i], d);
	return ret;
}

/* ---- writing ---- */

/* Returns whether a signal waits that ends the program. */
static bool is_ended(const sigset_t *ending)
{
	sigset_t waiting;

	sigpending(&waiting);
	sigandset(&waiting, &waiting, ending);
	return !sigisemptyset(&waiting);
}

static int copy_events(struct trace *t, struct outfile *out, const sigset_t *ending, struct diag *d)
{
	struct trace_writer w;
	struct trace_event e;
	struct strbuf b = { 0 };
	int ret;

	trace_writer_begin(&w, t, &b);
	while ((ret = trace_next(t, &e, d)) > 0 && !(ret = trace_writer_add(&w, t, &e, &b, d))) {
		if (b.len < PIECE_BYTES)
			continue;
		if (is_ended(ending)) {
			ret = diag_kind(d, DIAG_RUN, -EINTR, "a signal has ended the program");
			break;
		}
		outfile_add(out, strbuf_str(&b), b.len);
		strbuf_clear(&b);
	}
	if (!ret && b.failed)
		ret = diag_no_memory(d);
	outfile_add(out, strbuf_str(&b), b.len);
	strbuf_fini(&b);
	return ret;
}

static int write_merged(const struct replay_cfg *c, const sigset_t *ending, struct diag *d)
{
	struct trace_source source = c->facts->source;
	struct outfile out;
	struct trace *t;
	int ret;

	source.from_ns = source.to_ns = 0;
	ret = trace_open(&t, &source, d);
	if (ret)
		return ret;
	outfile_open(&out, c->merge_file);
	ret = copy_events(t, &out, ending, d);
	trace_close(t);
	if (!ret)
		return outfile_close(&out, d);
	outfile_abort(&out);
	return diag_wrap(d, "{merge_blktrace_file=%s}", c->merge_file);
}

/* A signal that ends the program waits until the temporary file is removed. */
int merged_traces_write(const struct plan *p, struct diag *d)
{
	sigset_t ending, before;
	int ret = 0;

	ending_signals(&ending);
	sigprocmask(SIG_BLOCK, &ending, &before);
	for (uint32_t i = 0; i < p->njobs && !ret; i++)
		if (merged_traces_file(p, i))
			ret = write_merged(cfg_of(&p->jobs[i]), &ending, d);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}
