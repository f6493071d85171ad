/* verify_phase.c: begins and ends the phase that reads back what was written, and the pauses of a backlog. */
#include "clock.h"
#include "clone.h"
#include "file_set.h"
#include "io_queue.h"
#include "next_io.h"
#include "phase.h"
#include "block_check.h"
#include "verify_job.h"
#include "verify.h"
#include "verify_source.h"
#include "worker.h"

#define AWAIT_NS 1000000 /* between two looks at other workers */

/* Counts the blocks that the phase does not read, because the run or the job has ended. */
static void skip_rest(struct verify *v)
{
	struct verify_block_ref block;
	uint32_t file;

	v->damages.to->not_checked += v->has_next;
	v->has_next = false;
	while (verify_source_next(&v->source, &file, &block))
		v->damages.to->not_checked++;
}

/* Waits until the other jobs that write the same bytes have stopped writing. */
static void await_writers(const struct clone *c)
{
	clone_set_phase(c, PHASE_VERIFY);
	for (uint32_t i = 0; i < c->plan->njobs; i++) {
		const struct plan_job *other = &c->plan->jobs[i];

		while (other->wave == c->job->wave && other->stage == c->job->stage &&
		       region_phase(c->region, i) < PHASE_VERIFY && other->verify.shared && !clone_stopped(c))
			futex_wait_until(&c->slot->stop, 0, clock_ns() + AWAIT_NS);
	}
}

/* Begins to read, or to trim, all blocks. Returns false if there are none, or if the job ends. */
static bool begin_reads(struct worker *w)
{
	struct verify *v = w->verify;
	struct clone *c = &w->clone;

	if (!c->job->verify.reads || v->verified_number == v->source.next_number || !verify_reads_prepare(w))
		return false;
	if (c->job->verify.shared && !w->quota.between_loops)
		await_writers(c);
	v->batch = UINT64_MAX;
	v->reading = !c->failed && !clone_stopped(c) && verify_reads_reread_files(&w->files, c);
	if (v->reading) {
		verify_reads_set_expected(v, verify_unread(&v->source));
		if (!w->files.dynamic) /* verify_reads_reread_files() has synced all files */
			verify_save_all_synced(&v->save);
		next_io_drop_ready(w);
		io_queue_drop_ready(&w->q);
		v->trim.trimming = c->job->verify.trims;
	} else if (!c->job->verify.trims || verify_reads_prepare_all(w)) {
		skip_rest(v);
		v->verified_number = v->source.next_number;
	}
	return v->reading;
}

bool verify_begin(struct worker *w)
{
	if (!begin_reads(w))
		return false;
	slot_write_begin(w->clone.slot);
	phase_begin_verify(w);
	slot_write_end(w->clone.slot);
	w->verify->reads_counted_ns = w->clock.now_ns;
	return true;
}

void verify_set_pause(struct worker *w)
{
	struct verify *v = w->verify;

	if (v->backlog)
		w->quota.pause_ios = w->quota.issued_ios + (v->pause_number - v->source.next_number);
}

/* Begins to read, or to trim, blocks of the backlog. Returns false after clone_fail, or if there are too few
   blocks, because some of the I/Os were reads. */
static bool begin_backlog(struct worker *w)
{
	const struct plan_verify *p = &w->clone.job->verify;
	struct verify *v = w->verify;

	if (v->source.next_number < v->pause_number || !verify_reads_prepare(w))
		return false;
	v->batch = p->backlog_batch;
	v->pause_number = v->source.next_number + p->backlog;
	v->reading = true;
	v->trim.trimming = p->trims;
	return true;
}

bool verify_begin_pause(struct worker *w)
{
	struct verify *v = w->verify;

	v->pause.runtime = !w->quota.between_loops;
	slot_write_begin(w->clone.slot);
	phase_pause(w, &v->pause);
	slot_write_end(w->clone.slot);
	v->reads_counted_ns = w->clock.now_ns;
	return v->pause.runtime ? begin_backlog(w) : begin_reads(w);
}

/* Ends the reads of this pause, or of the phase. */
static void end_reads(struct worker *w)
{
	struct verify *v = w->verify;

	if (!v->reading)
		return;
	verify_count_checked(w, true);
	slot_write_begin(w->clone.slot);
	verify_reads_count_time(w, clock_ns());
	slot_write_end(w->clone.slot);
	v->reading = false;
	for (unsigned i = 0; i < w->clone.job->depth; i++)
		verify_reads_slot_failed(v, &v->slot[i]);
}

/* Ends the reads of all blocks. */
static void end_all_reads(struct worker *w)
{
	struct verify *v = w->verify;

	if (!v->reading)
		return;
	end_reads(w);
	if (v->trim.trimming && !w->clone.job->verify.only_trims) /* the walk of the reads has not begun */
		verify_reads_prepare_all(w);
	v->trim.trimming = false;
	skip_rest(v);
	v->verified_number = v->source.next_number;
}

void verify_end(struct worker *w)
{
	struct verify *v = w->verify;

	end_all_reads(w);
	if (!plan_verifies(w->clone.job))
		return;
	verify_count_checked(w, true);
	verify_writer_end(&v->writer, w);
	verify_trim_end(&v->trim, w, &v->damages, v->writer.own_blocks ? 0 : v->writer.zero);
	verify_damages_end(&v->damages, w);
	verify_dumps_end(&v->dumps, &w->clone);
}

/* Ends the reads of a loop. Damage fails the job here, because the next loop would write over it. */
static void end_loop(struct worker *w)
{
	struct verify *v = w->verify;

	end_all_reads(w);
	verify_damages_end(&v->damages, w);
	if (v->backlog) {
		verify_backlog_next_loop(v->backlog);
		v->pause_number = v->source.next_number + w->clone.job->verify.backlog;
	}
	next_io_begin_loop(w);
}

void verify_end_pause(struct worker *w)
{
	struct verify *v = w->verify;

	if (v->pause.runtime) {
		end_reads(w);
		v->trim.trimming = false;
		verify_files_restore(&w->files, &w->clone);
	} else {
		end_loop(w);
	}
	slot_write_begin(w->clone.slot);
	phase_resume(w, &v->pause);
	slot_write_end(w->clone.slot);
	verify_set_pause(w);
}
