/* worker.h: one job clone at work, in a process or a thread of its own. Private to run/. */
#ifndef WORKER_H
#define WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include "clone.h"
#include "file_set.h"
#include "io_queue.h"
#include "io_source.h"
#include "observers.h"
#include "offload.h"
#include "phase_clock.h"
#include "quota.h"
#include "schedule.h"
#include "stats.h"
#include "worker_main.h"

/* The next pass over the files: in a new order (time_based), in the same one (loops), or as the one before
 * goes on. */
enum pass_kind { PASS_FRESH, PASS_AGAIN, PASS_GOES_ON };

/* cooldown.c: which I/Os count. */
enum window_edge { EDGE_NONE, EDGE_FROM, EDGE_UNTIL };

/* io_errors.c: since when, and after how many I/Os, no I/O was completed. */
struct io_retry {
	uint64_t since_ns, ios;
};

struct window {
	bool cut;              /* it ends with I/Os in flight, which do not count */
	enum window_edge edge; /* while some I/Os in flight count and others do not */
	uint64_t edge_ns;
	struct unread *unread; /* where I/Os that do not count are counted; NULL: there are none */
};

struct worker {
	struct clone clone;
	struct phase_clock clock;
	struct io_queue q;
	struct io_source source;
	struct file_set files;
	struct quota quota;
	struct sync_count sync;
	struct scheduler sched;
	struct stats stats;
	struct window window;
	struct observers observers;
	struct io_retry retry;
	void *locked;           /* lockmem */
	bool prerun_done;       /* exec_prerun ended well, or there is none */
	struct content content; /* of writes. Large: allocated for jobs that write only */
};

/* The measured phase begins: notes the time of day and the CPU time used so far. */
void worker_mark_start(struct worker *w, uint64_t start_ns);
/* It is over. The number (slot seq) is odd. */
void worker_mark_end(struct worker *w, uint64_t end_ns);
/* CPU time and faults since its start. */
void worker_usage(const struct worker *w, struct wcount *c);

/* live_reply.c: between two batches: copies the worker's numbers for whoever has asked. */
void live_reply(struct worker *w);

/* layout_worker.c: false after clone_fail. */
/* Lays out what is this worker's to lay out. */
bool layout_worker(struct worker *w, enum lay_round round);
/* The same of files alone, and not waiting for its turn (create_serialize). */
bool layout_worker_files(struct worker *w, enum lay_round round);
bool layout_worker_is_mine(const struct worker *w, uint32_t file, enum lay_round round);
/* Waits for those that others lay out. */
bool layout_worker_await_others(struct worker *w);
/* exec.c: the user's commands. The job does not run if the first fails (false, mostly after clone_fail); the
   second follows whenever the first went well. */
bool exec_prerun(struct worker *w);
void exec_postrun(struct worker *w);

/* write_pool_fill.c: this clone's share of filling the memory of write_pool; false after clone_fail. */
bool write_pool_fill(struct worker *w);

/* meta.c: jobs whose I/O is one operation on a file or directory. */
/* Makes what must be there beforehand; false after clone_fail. */
bool meta_lay_out(struct worker *w, enum lay_round round);
/* Before and after each I/O. ready: false after clone_fail. */
bool meta_ready(struct worker *w, uint32_t file);
void meta_done(struct worker *w, uint32_t file);
/* After the measurement: marks what was made. */
void meta_finish(struct worker *w);
static inline bool meta_job(const struct worker *w)
{
	return w->q.eng.engine->caps & ENG_META;
}

/* io_prio.c */
/* Before any file is opened; false after clone_fail. */
bool io_prio_start(struct worker *w);
/* Gives each of these I/Os its priority. Only where w->observers.prio.set. */
void io_prio_draw(struct worker *w, struct io **ios, unsigned n);
/* Counts the n I/Os of w->q.reaped under their priorities; at w->clock.now_ns, before they are continued. */
void io_prio_account(struct worker *w, unsigned n);

/* per_file_account.c */
/* Before the ramp. */
void per_file_start(struct worker *w);
/* Counts the n I/Os of w->q.reaped for their files; at w->clock.now_ns, in the measured phase, before they
   are continued. Only where w->observers.per_file. */
void per_file_account(struct worker *w, unsigned n);

/* setup.c: lays out, runs exec_prerun, reads beforehand and opens; false after clone_fail. */
bool setup_files(struct worker *w);
bool setup_open(struct worker *w, uint32_t file);
/* invalidate=1: drops the file's cached pages. As in fio before every pass, not only the first. */
void setup_invalidate(struct worker *w, uint32_t file);
/* pre_read=1: brings the file's range into the page cache. False after clone_fail. */
bool setup_pre_read(struct worker *w, uint32_t file);
void setup_close(struct worker *w, uint32_t file);
/* Between two loops: syncs (end_fsync, fsync_on_close), closes and opens all files; unlink_each_loop removes
   them in between. After worker_fail some are closed. */
void setup_renew(struct worker *w);
/* After the last loop: end_fsync, fsync_on_close, end_syncfs. */
void setup_sync(struct worker *w);
/* Closes everything. */
void setup_finish(struct worker *w);

/* thread_group.c: only where w->source.thread_group, but for init and fini. */
/* After the buffers are there. False when memory is short. */
bool thread_group_init(struct worker *w);
void thread_group_fini(struct worker *w);
uint32_t thread_group_file(struct worker *w, const struct io *io);
/* The file whose turn it is has nothing that is due: takes another one for this I/O if files take turns.
   As schedule_next, with the soonest of all. */
enum io_dir thread_group_other(struct worker *w, const struct io *io, uint64_t now, uint64_t *due);
/* Of the file whose turn it is. */
struct mixer *thread_group_mix(struct worker *w);
/* The next I/O of the file whose turn it is; false if it has none. */
bool thread_group_take(struct worker *w, struct io *io, enum io_dir dir);
struct content *thread_group_content(const struct worker *w, uint32_t file);

/* io_source.c: sets up the generators. False when memory is short. */
bool io_source_init(struct worker *w);
void io_source_fini(struct worker *w);
/* The job is over when its loops have moved loop_bytes each, or number_ios. */
void quota_set(struct worker *w, uint64_t loop_bytes);
/* The file has turned out to be this long: less than planned. Without room for one block it gets no I/O. */
void io_source_fit(struct worker *w, uint32_t file, uint64_t len);
static inline bool next_io_empty(const struct worker *w, uint32_t file)
{
	return w->files.fitted && !io_source_gen(&w->source, file, 0)->len;
}
enum next_io_result {
	NEXT_IO,   /* *io is filled */
	NEXT_WAIT, /* nothing now: not due (w->sched.due_ns), or files must drain first */
	NEXT_END,  /* the job has issued all */
};
/* After schedule_init. */
void next_io_start(struct worker *w);
/* Looks at all that may be due before the next I/O of any kind of job; next_io where that is not known to
   be nothing. */
enum next_io_result next_io_any(struct worker *w, struct io *io, uint64_t now);
enum next_io_result next_io(struct worker *w, struct io *io, uint64_t now);
/* Fills up to `room` idle I/Os and queues them; how many. */
unsigned next_io_many(struct worker *w, unsigned room);
/* The job issues no more. */
static inline void next_io_stop(struct worker *w)
{
	w->quota.exhausted = true;
	w->source.fast_left = 0;
}
/* Of the next I/O's section. */
static inline struct mixer *next_io_mix(struct worker *w)
{
	return __builtin_expect(w->source.thread_group != NULL, 0) ? thread_group_mix(w) : &w->source.mix;
}
/* The direction of the next I/O. */
static inline enum io_dir next_io_dir(struct worker *w)
{
	if (__builtin_expect(w->source.runs, 0)) {
		struct offset_gen *g = io_source_gen(&w->source, w->source.turn, 0);

		return offset_has_runs(g) ? offset_run_dir(g, next_io_mix(w)) : mix_next(next_io_mix(w));
	}
	return mix_next(&w->source.mix);
}
/* iodepth_per_file and teams: the file of this idle I/O. */
static inline uint32_t next_io_own_file(struct worker *w, const struct io *io)
{
	return w->source.thread_group ? thread_group_file(w, io) : io->index / w->source.own_depth;
}
/* For next_io_done alone. */
void next_io_returned(struct worker *w, const struct io *io);
/* The I/O has come back. */
static inline void next_io_done(struct worker *w, const struct io *io)
{
	if (__builtin_expect(w->files.count_inflight, 0))
		next_io_returned(w, io);
}

/* next_io_fast.c: the same I/Os as next_io_any's, in the same order, for less. */
bool next_io_fast_ok(const struct worker *w);
bool next_io_fast_row_ok(const struct worker *w);
/* Of a plain job: how many I/Os may be taken before next_io_any must look. */
uint64_t next_io_fast_left(const struct worker *w);
/* Takes idle I/Os and queues them, at most n and what is fast_left; how many. 0: next_io_any must. */
unsigned next_io_fast_many(struct worker *w, unsigned n);

/* schedule.c */
/* After io_source_init. False when memory is short. */
bool schedule_init(struct worker *w);
void schedule_fini(struct worker *w);
/* A phase begins: schedules start afresh. */
void schedule_begin(struct worker *w, uint64_t start, bool ramp);
/* For jobs with w->sched.paced: the direction of the next I/O and when it was due (in ns since
   arrive.start_ns); DIR_COUNT if none is due, and then w->sched.due_ns says when to ask again (0: when
   something comes back). */
enum io_dir schedule_next(struct worker *w, uint64_t now, uint64_t *due);
/* That I/O is filled in and will be issued. */
void schedule_take(struct worker *w, struct io *io, uint64_t due, uint64_t now);
/* The phase is over: I/Os that were due and never had their turn; not of a job that has issued all it should.
 */
void schedule_end(struct worker *w, uint64_t end);
/* This worker will issue no more, or never did. */
void schedule_leave(struct worker *w);
/* rate_min and rate_iops_min: judges the cycle that has ended, and fails the job. */
void schedule_floor(struct worker *w, uint64_t now);

/* fill.c: of files with schedules of their own (w->sched.nfiles): fills up to `room` idle I/Os that are due,
   and queues them; how many. */
unsigned fill_by_file(struct worker *w, unsigned room);

/* wait.c */
/* Sleeps, then spins, until `until` or stop. Learns how late this worker wakes up. */
void wait_until(struct worker *w, uint64_t until);
void wait_spin(struct worker *w, uint64_t until);
/* The earliest of `until`, the deadline and the next event. */
uint64_t wait_look(const struct worker *w, uint64_t until);
/* For what is due at w->sched.due_ns, as rate_wait says; the next event at the latest. */
void wait_due(struct worker *w);
/* How long an engine may sleep meanwhile; 0: poll it. */
uint64_t wait_due_timeout(struct worker *w);

/* io_errors.c: this I/O came back with err (positive): counts it, and fails the job unless it survives that.
 */
void io_errors_fail(struct worker *w, const struct io *io, int err, const char *what);
/* It is not done for want of something that may pass (EINTR, EAGAIN): false, and the job has failed, if that
   has gone on for seconds in which no I/O was completed. */
bool io_errors_retry(struct worker *w, const struct io *io, int err);
/* max_latency, over the batch of n that has just come back. */
void io_errors_latency(struct worker *w, unsigned n);

/* log_records.c: of a job whose I/Os are logged singly (w->observers.log). */
/* The n I/Os of w->q.reaped have come back at w->clock.now_ns, or one that was cut short; of the measured
 * phase. */
void log_records_batch(struct worker *w, unsigned n);
void log_records_one(struct worker *w, const struct io *io);
/* Waits until the next batch has room. */
void log_records_wait(struct worker *w);

/* ramp.c: whether more than ramp_size has been issued. */
bool ramp_reached(const struct worker *w);

/* loop.c: ramp, measurement, cool-down. */
void loop_run(struct worker *w);

/* cooldown.c: where the measured window begins and ends. */
static inline bool ramp_wanted(const struct worker *w)
{
	return w->clone.opts->time.ramp_ns || w->clone.opts->time.ramp_bytes;
}
static inline bool cooldown_wanted(const struct worker *w)
{
	return w->clone.opts->time.cooldown_ns || w->clone.opts->time.ramp_only;
}
/* False when memory is short. */
bool cooldown_init(struct worker *w);
/* The ramp is over, at `start`. */
void cool_ramp_over(struct worker *w, uint64_t start);
/* Time is up, at w->clock.measure_end_ns: the measurement ends now, or when the last I/O that counts is back.
   The number (slot seq) is odd. */
void cool_time_up(struct worker *w);
/* The worker issues no more: ends the measurement of a window that is cut. The number (slot seq) is odd. */
void cool_stop(struct worker *w);
/* Nothing completed: ends the measurement if none of the I/Os in flight counts. The number is odd. */
void cool_idle(struct worker *w);
/* The measurement has ended. The number (slot seq) is odd. */
void cooldown_begin(struct worker *w, uint64_t end);
/* After the last I/O: if none completed in the window, a note says how long I/Os take. */
void cool_note(struct worker *w);
/* Puts those of the n I/Os of w->q.reaped that count to its front; how many. */
unsigned cool_sort(struct worker *w, unsigned n);
/* After those have been counted: some I/O in flight may be on the other side of the edge, or none is. */
void cool_look(struct worker *w);
/* Counts n I/Os where nobody reads. */
void cool_discard(struct worker *w, struct io *const *ios, unsigned n);
void cooldown_fini(struct worker *w);

/* noio.c: the body of a job that does no I/O. */
void noio_run(struct worker *w);

#endif
