/* worker.h: one job clone, running in its own process or thread. Private to src/worker. */
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

/* The next pass over the files has new random offsets (time_based), repeats the same offsets (loops), or
   continues the previous pass. */
enum pass_kind { PASS_FRESH, PASS_AGAIN, PASS_GOES_ON };

/* cooldown.c: I/Os count if they began from the edge on (EDGE_FROM), or before it (EDGE_UNTIL). */
enum window_edge { EDGE_NONE, EDGE_FROM, EDGE_UNTIL };

/* io_errors.c: the time since which no I/O has completed, and the number of I/Os before it. */
struct io_retry {
	uint64_t since_ns, ios;
};

struct window {
	bool cut;              /* the window ends with I/Os in flight, which do not count */
	enum window_edge edge; /* set while only some of the I/Os in flight count */
	uint64_t edge_ns;
	struct unread *unread; /* statistics of the I/Os that do not count; NULL: all I/Os count */
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
	bool prerun_done;       /* exec_prerun succeeded, or the job has none */
	struct content content; /* of writes. The last field: only jobs that write allocate it */
};

/* The measured phase begins: records the time of day and the CPU time used so far. */
void worker_mark_start(struct worker *w, uint64_t start_ns);
/* The measured phase is over. In the slot's sequence (phase.h). */
void worker_mark_end(struct worker *w, uint64_t end_ns);
/* Sets the CPU time and page faults since the start of the measured phase. */
void worker_usage(const struct worker *w, struct wcount *c);

/* live_reply.c: copies the worker's numbers for the parent, if the parent has asked. Called between two
   batches. */
void live_reply(struct worker *w);

/* layout_worker.c: these functions return false after clone_fail. */
/* Lays out the files and directories that this worker has to lay out in this round. */
bool layout_worker(struct worker *w, enum lay_round round);
/* Lays out files only, and does not wait for the worker's turn (create_serialize). */
bool layout_worker_files(struct worker *w, enum lay_round round);
/* Returns true if this worker lays out the file in this round. */
bool layout_worker_is_mine(const struct worker *w, uint32_t file, enum lay_round round);
/* Waits for the files that other workers lay out. */
bool layout_worker_await_others(struct worker *w);
/* exec.c: the user's commands. The job does not run if exec_prerun fails (false, mostly after clone_fail).
   exec_postrun runs only if exec_prerun succeeded. */
bool exec_prerun(struct worker *w);
void exec_postrun(struct worker *w);

/* write_pool_fill.c: fills this clone's share of the memory of write_pool. Returns false after clone_fail. */
bool write_pool_fill(struct worker *w);

/* meta.c: jobs whose I/O is one operation on a file or directory. */
/* Creates the files and directories that the operations need. Returns false after clone_fail. */
bool meta_lay_out(struct worker *w, enum lay_round round);
/* Prepares the file before its I/O, and records the result after it. meta_ready returns false after
   clone_fail. */
bool meta_ready(struct worker *w, uint32_t file);
void meta_done(struct worker *w, uint32_t file);
/* Marks the files and directories that the job has created. Called after the measurement. */
void meta_finish(struct worker *w);
static inline bool meta_job(const struct worker *w)
{
	return w->q.eng.engine->caps & ENG_META;
}

/* io_prio.c */
/* Sets up the priorities, before any file is opened. Returns false after clone_fail. */
bool io_prio_start(struct worker *w);
/* Gives each of these I/Os its priority. Only for jobs with w->observers.prio.set. */
void io_prio_draw(struct worker *w, struct io **ios, unsigned n);
/* Counts the first n I/Os of w->q.reaped, completed at w->clock.now_ns, by priority. Called before short I/Os
   are continued. */
void io_prio_account(struct worker *w, unsigned n);

/* per_file_account.c */
/* Sets up the counts by file and by interval. Called before the ramp. */
void per_file_start(struct worker *w);
/* Counts the first n I/Os of w->q.reaped, completed at w->clock.now_ns, by file. Called in the measured phase
   only, before short I/Os are continued, and only for jobs with w->observers.per_file. */
void per_file_account(struct worker *w, unsigned n);

/* setup.c: lays out the files, runs exec_prerun, pre-reads and opens the files. Returns false after
   clone_fail. */
bool setup_files(struct worker *w);
bool setup_open(struct worker *w, uint32_t file);
/* invalidate=1: drops the file's cached pages. This happens before every pass, as in fio. */
void setup_invalidate(struct worker *w, uint32_t file);
/* pre_read=1: brings the file's range into the page cache. Returns false after clone_fail. */
bool setup_pre_read(struct worker *w, uint32_t file);
void setup_close(struct worker *w, uint32_t file);
/* Between two loops: syncs (end_fsync, fsync_on_close), closes and reopens all files. With unlink_each_loop
   it removes them in between. If the worker fails, some files stay closed. */
void setup_renew(struct worker *w);
/* After the last loop: end_fsync, fsync_on_close, end_syncfs. */
void setup_sync(struct worker *w);
/* Closes all files. */
void setup_finish(struct worker *w);

/* thread_group.c: all functions but init and fini need w->source.thread_group. */
/* Called once the buffers are allocated. Returns false if memory is short. */
bool thread_group_init(struct worker *w);
void thread_group_fini(struct worker *w);
/* Returns the file of this idle I/O. */
uint32_t thread_group_file(struct worker *w, const struct io *io);
/* The current file has no I/O that is due. If files take turns, picks another file for this I/O. Returns the
   same as schedule_next; w->sched.due_ns is the earliest due time of all files. */
enum io_dir thread_group_other(struct worker *w, const struct io *io, uint64_t now, uint64_t *due);
/* Returns the mixer of the current file. */
struct mixer *thread_group_mix(struct worker *w);
/* Fills in the next I/O of the current file. Returns false if that file has no more I/Os. */
bool thread_group_take(struct worker *w, struct io *io, enum io_dir dir);
struct content *thread_group_content(const struct worker *w, uint32_t file);

/* io_source.c: sets up the generators. Returns false if memory is short. */
bool io_source_init(struct worker *w);
void io_source_fini(struct worker *w);
/* Sets the end of the job: each loop moves loop_bytes, and all loops together at most number_ios I/Os. */
void quota_set(struct worker *w, uint64_t loop_bytes);
/* Sets the length of a file that is shorter than planned. A file shorter than one block gets no I/O. */
void io_source_fit(struct worker *w, uint32_t file, uint64_t len);
static inline bool next_io_empty(const struct worker *w, uint32_t file)
{
	return w->files.fitted && !io_source_gen(&w->source, file, 0)->len;
}
enum next_io_result {
	NEXT_IO,   /* *io is filled */
	NEXT_WAIT, /* no I/O now: not due (w->sched.due_ns), or I/Os in flight must complete first */
	NEXT_END,  /* the job has issued all its I/Os */
};
/* Called after schedule_init. */
void next_io_start(struct worker *w);
/* next_io_any serves every kind of job and checks everything that may be due before the next I/O. next_io
   takes the fast path if it can, and calls next_io_any otherwise. */
enum next_io_result next_io_any(struct worker *w, struct io *io, uint64_t now);
enum next_io_result next_io(struct worker *w, struct io *io, uint64_t now);
/* Fills up to `room` idle I/Os and queues them. Returns how many. */
unsigned next_io_many(struct worker *w, unsigned room);
/* The job issues no more I/Os. */
static inline void next_io_stop(struct worker *w)
{
	w->quota.exhausted = true;
	w->source.fast_left = 0;
}
/* Returns the mixer of the section that issues the next I/O. */
static inline struct mixer *next_io_mix(struct worker *w)
{
	return __builtin_expect(w->source.thread_group != NULL, 0) ? thread_group_mix(w) : &w->source.mix;
}
/* Draws the direction of the next I/O. */
static inline enum io_dir next_io_dir(struct worker *w)
{
	if (__builtin_expect(w->source.runs, 0)) {
		struct offset_gen *g = io_source_gen(&w->source, w->source.turn, 0);

		return offset_has_runs(g) ? offset_run_dir(g, next_io_mix(w)) : mix_next(next_io_mix(w));
	}
	return mix_next(&w->source.mix);
}
/* Returns the file of this idle I/O. For jobs with iodepth_per_file or thread_group. */
static inline uint32_t next_io_own_file(struct worker *w, const struct io *io)
{
	return w->source.thread_group ? thread_group_file(w, io) : io->index / w->source.own_depth;
}
/* Only next_io_done calls this. */
void next_io_returned(struct worker *w, const struct io *io);
/* The I/O has completed: updates the counts of I/Os in flight. */
static inline void next_io_done(struct worker *w, const struct io *io)
{
	if (__builtin_expect(w->files.count_inflight, 0))
		next_io_returned(w, io);
}

/* next_io_fast.c: makes the same I/Os as next_io_any, in the same order, with fewer instructions. */
bool next_io_fast_ok(const struct worker *w);
bool next_io_fast_row_ok(const struct worker *w);
/* Returns how many I/Os the fast path may take before next_io_any must be called. Only if next_io_fast_ok. */
uint64_t next_io_fast_left(const struct worker *w);
/* Fills and queues at most n idle I/Os, and no more than fast_left. Returns how many. 0: next_io_any must be
   called. */
unsigned next_io_fast_many(struct worker *w, unsigned n);

/* schedule.c */
/* Called after io_source_init. Returns false if memory is short. */
bool schedule_init(struct worker *w);
void schedule_fini(struct worker *w);
/* A phase begins: resets the schedules. */
void schedule_begin(struct worker *w, uint64_t start, bool ramp);
/* For jobs with w->sched.paced. Returns the direction of the next I/O and its due time (ns since
   schedule.start_ns). Returns DIR_COUNT if no I/O is due; w->sched.due_ns is then the time to call again (0:
   after the next completion). */
enum io_dir schedule_next(struct worker *w, uint64_t now, uint64_t *due);
/* The worker will issue this I/O, which is filled in: the schedule moves on. */
void schedule_take(struct worker *w, struct io *io, uint64_t due, uint64_t now);
/* The phase is over: counts the I/Os that were due but were not issued, unless the job has issued all its
   I/Os. */
void schedule_end(struct worker *w, uint64_t end);
/* This worker issues no more I/Os, or has never issued any: it leaves its shared rate. */
void schedule_leave(struct worker *w);
/* rate_min and rate_iops_min: checks the cycle that has ended, and fails the job if it was too slow. */
void schedule_floor(struct worker *w, uint64_t now);

/* fill.c: for files with their own schedules (w->sched.nfiles). Fills up to `room` idle I/Os that are due and
   queues them. Returns how many. */
unsigned fill_by_file(struct worker *w, unsigned room);

/* wait.c */
/* Sleeps, then spins, until `until` or until the parent sets stop. Updates the estimate of the wake-up
   latency. */
void wait_until(struct worker *w, uint64_t until);
void wait_spin(struct worker *w, uint64_t until);
/* Returns the earliest of `until`, the deadline and the next event. */
uint64_t wait_look(const struct worker *w, uint64_t until);
/* Waits as rate_wait says for the I/O that is due at w->sched.due_ns, or until the next event. */
void wait_due(struct worker *w);
/* Returns how long an engine may sleep until that I/O is due; 0: the worker polls the engine. */
uint64_t wait_due_timeout(struct worker *w);

/* io_errors.c: the I/O failed with err (a positive errno). Counts the error, and fails the job unless the job
   continues after such errors. */
void io_errors_fail(struct worker *w, const struct io *io, int err, const char *what);
/* The I/O met a temporary error (EINTR, EAGAIN). Returns true if the worker shall try it again. Returns
   false, and fails the job, once no I/O has completed for several seconds. */
bool io_errors_retry(struct worker *w, const struct io *io, int err);
/* Checks max_latency for the first n I/Os of w->q.reaped. */
void io_errors_latency(struct worker *w, unsigned n);

/* log_records.c: for jobs that log single I/Os (w->observers.log). */
/* Log the first n I/Os of w->q.reaped, or one I/O that was cut short, completed at w->clock.now_ns. Called in
   the measured phase only. */
void log_records_batch(struct worker *w, unsigned n);
void log_records_one(struct worker *w, const struct io *io);
/* Waits until the ring has room for the next batch. */
void log_records_wait(struct worker *w);

/* ramp.c: returns true if the ramp by amount (ramp_size) is complete. */
bool ramp_reached(const struct worker *w);

/* loop.c: runs the ramp, the measurement and the cooldown. */
void loop_run(struct worker *w);

/* cooldown.c: the start and the end of the measured window. */
static inline bool ramp_wanted(const struct worker *w)
{
	return w->clone.opts->time.ramp_ns || w->clone.opts->time.ramp_bytes;
}
static inline bool cooldown_wanted(const struct worker *w)
{
	return w->clone.opts->time.cooldown_ns || w->clone.opts->time.ramp_only;
}
/* Returns false if memory is short. */
bool cooldown_init(struct worker *w);
/* The ramp has ended at `start`. */
void cool_ramp_over(struct worker *w, uint64_t start);
/* The runtime has ended at w->clock.measure_end_ns. The measurement ends now, or when the last I/O that
   counts completes. In the slot's sequence (phase.h). */
void cool_time_up(struct worker *w);
/* The worker issues no more I/Os: ends the measurement if the window is cut. In the slot's sequence. */
void cool_stop(struct worker *w);
/* No I/O completed: ends the measurement if none of the I/Os in flight counts. In the slot's sequence. */
void cool_idle(struct worker *w);
/* Ends the measurement at `end` and begins the cooldown. In the slot's sequence. */
void cooldown_begin(struct worker *w, uint64_t end);
/* Called after the last I/O: if no I/O completed in the window, notes how long I/Os take. */
void cool_note(struct worker *w);
/* Moves the I/Os that count to the front of the first n of w->q.reaped. Returns how many count. */
unsigned cool_sort(struct worker *w, unsigned n);
/* Called once these are counted: leaves the edge if no I/O in flight began before it. */
void cool_look(struct worker *w);
/* Counts n I/Os in the statistics that the parent never reads. */
void cool_discard(struct worker *w, struct io *const *ios, unsigned n);
void cooldown_fini(struct worker *w);

/* noio.c: runs a job that does no I/O. */
void noio_run(struct worker *w);

#endif
