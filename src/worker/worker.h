/* worker.h: one job clone at work, in a process or a thread of its own. Private to run/. */
#ifndef WORKER_H
#define WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include "schedule.h"
#include "content.h"
#include "engine.h"
#include "mix.h"
#include "offload.h"
#include "offset.h"
#include "plan.h"
#include "prio.h"
#include "region.h"
#include "file_order.h"
#include "worker_main.h"

enum file_state { FILE_CLOSED, FILE_OPEN, FILE_DONE };
/* The next pass over the files: in a new order (time_based), in the same one (loops), or as the one before
 * goes on. */
enum pass_kind { PASS_FRESH, PASS_AGAIN, PASS_GOES_ON };

/* Which I/O comes next, over all files of the job: next_io.c. */
struct io_source {
	unsigned char *gens; /* struct offset_gen, per file `each` of them: io_source_gen */
	size_t gen_bytes;
	uint32_t own_depth;   /* iodepth_per_file: of each file; not 0 for a team, either; else 0 */
	uint32_t turn;        /* the file that the next I/O will most likely go to */
	uint32_t each, slots; /* seq_per_slot: one for each I/O in flight, and all bits; else 1 and 0 */
	uint8_t *state;       /* enum file_state */
	uint32_t *inflight;
	struct file_order file_order; /* whose turn it is */
	uint32_t nopen;
	bool counts; /* inflight is kept: somebody wants to know */
	/* next_io_fast.c: jobs of whose I/Os nothing depends on time, or on which ones are under way. */
	bool plain;
	bool row_ok;          /* and many I/Os in a row are alike but for their offsets and directions */
	uint64_t fast_left;   /* plain: I/Os until something else than an I/O of an open file may be due */
	enum io_dir held_dir; /* of an I/O that next_io_fast could not take; DIR_COUNT: none */
};

static inline struct offset_gen *io_source_gen(const struct io_source *s, uint32_t file, uint32_t slot)
{
	return (struct offset_gen *)(void *)(s->gens + ((size_t)file * s->each + slot) * s->gen_bytes);
}

/* cooldown.c: which I/Os count. */
enum window_edge { EDGE_NONE, EDGE_FROM, EDGE_UNTIL };

struct worker {
	const struct region *region;
	struct slot *slot;
	struct wstat *st;      /* in the slot, and ... */
	struct wcount *cnt;    /* ... so are these; while the job cools down neither is */
	struct tracks *tracks; /* likewise */
	const struct plan *plan;
	const struct plan_job *pj;
	const struct job_opts *o;

	struct file *files;
	struct io_source source;
	bool dynamic_files; /* opened and closed while running */

	struct engine_ctx eng;
	struct engine wrapper; /* io_submit_mode=offload: of the engine behind its threads */
	struct io *ios;
	struct iobuf bufs;
	void *locked;        /* lockmem bytes */
	bool begun;          /* exec_prerun is over */
	struct io **batch;   /* just reaped */
	struct io **queue;   /* filled, or to be continued, and not with the engine yet */
	struct io **free_io; /* a stack of idle I/Os */
	unsigned nfree, nqueue;
	uint64_t now_ns;    /* the stamp of the last batch */
	uint64_t issued_ns; /* and of the last submission */

	struct thread_group *thread_group; /* of a thread_group; NULL: the job is one section */
	struct mixer mix;
	struct prio_gen prio; /* set NULL: all I/Os have the worker's priority */
	unsigned
		paced; /* bits of the directions with a rate, PACED_THINK; 0: I/Os come as fast as they can */
	struct schedule *schedule;  /* the one at hand: only_schedule, or ... */
	struct schedule *schedules; /* ... iodepth_per_file: that of a file; */
	uint32_t nschedules;        /* 0: there are none of their own */
	struct schedule only_schedule;
	uint64_t pace_due_ns; /* when to ask again; absolute, 0: when something comes back, UINT64_MAX: never
			       */
	unsigned syncs;       /* of the I/Os under way */
	uint64_t late_ns;     /* moving estimate of how late this worker wakes up */
	uint64_t gap_ns;      /* between the I/Os of its rates, the mean */

	uint64_t phase_start_ns, ramp_end_ns, deadline_ns; /* UINT64_MAX: none */
	uint64_t measure_end_ns;                           /* when cooldown begins; UINT64_MAX: never */
	struct cooldown *cool;                             /* cooldown.c; NULL: it does not */
	uint64_t event_ns;                                 /* next interval close, end of ramp, floor */
	uint64_t issued_bytes, issued_ios;                 /* of all loops */
	uint32_t loops_left;
	uint32_t writes_since_fsync, writes_since_fdatasync;
	struct file *sync_file;          /* where the next fsync goes */
	uint64_t waited_ns;              /* for a core, until the start of the measured phase */
	uint64_t loop_bytes;             /* as in the plan, or what fitted (fill_device) */
	uint64_t limit_bytes, limit_ios; /* of the job: its loops together; UINT64_MAX: none */
	bool fitted;                     /* files are shorter than planned (fill_device) */
	bool renewing; /* between two loops: when all I/Os are back, files are closed and opened again */
	bool synced;   /* the last loop's data */
	bool runs;     /* the direction depends on the file: runs that are all reads or all writes, or team */
	bool thread, ramping, cooling, exhausted, failed;
	bool window_cut;       /* cooldown.c: it ends with I/Os in flight, which do not count */
	enum window_edge edge; /* of which I/Os count, while some in flight do and others do not */
	uint64_t edge_ns;
	bool plain; /* nobody counts its I/Os in flight, none is due, and all stamps are this thread's */
	bool watch_latency;   /* max_latency */
	bool watched;         /* that, priorities, a log, parts or an edge: more to do with each batch */
	void *per_file;       /* per_file.h, in the slot; NULL: nothing is counted apart */
	uint64_t waits_seen;  /* eng.waits that per_file_account has told */
	struct log_ring *log; /* of single I/Os; NULL: none */
	uint64_t log_head;
	struct content *writes;           /* of the next write: content, or that of its file in a team */
	uint64_t passing_ns, passing_ios; /* since when, and after how many I/Os, nothing has been done */
	struct content content;           /* of writes; large, and there for jobs that write only */
};

/* What holds for this file, whoever's section it is. */
static inline const struct plan_job *worker_of(const struct worker *w, uint32_t file)
{
	return w->pj->files[file].of;
}
static inline const struct job_opts *worker_opts(const struct worker *w, uint32_t file)
{
	return &worker_of(w, file)->job->opts;
}

/* Records the first error of the worker (later ones are counted only). err is positive. */
void worker_fail(struct worker *w, int err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void worker_fail_diag(struct worker *w, int err, const struct diag *d);

/* One line for the report; the first is kept. */
void worker_note(struct worker *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The measured phase begins: notes the time of day and the CPU time used so far. */
void worker_mark_start(struct worker *w, uint64_t start_ns);
/* It is over. The number (slot seq) is odd. */
void worker_mark_end(struct worker *w, uint64_t end_ns);
/* CPU time and faults since its start. */
void worker_usage(const struct worker *w, struct wcount *c);

static inline void worker_phase(const struct worker *w, enum worker_phase phase)
{
	region_set_phase(w->region, w->pj->index, phase);
}

static inline bool worker_stopped(const struct worker *w)
{
	return atomic_load_explicit(&w->slot->stop, memory_order_relaxed) & STOP_END;
}

/* It is to end, or to answer: no time to wait. */
static inline bool worker_called(const struct worker *w)
{
	return atomic_load_explicit(&w->slot->stop, memory_order_relaxed) != 0;
}

static inline const struct plan_target *setup_target(const struct worker *w, uint32_t file)
{
	return &w->plan->targets[w->pj->files[file].target];
}

/* live_reply.c: between two batches: copies the worker's numbers for whoever has asked. */
void live_reply(struct worker *w);

/* created_files.c */
/* This run has made the file that fd is open on, or removed it; whether it has made one. */
void created_remember(struct worker *w, uint32_t file, int fd);
void created_forget(struct worker *w, uint32_t file);
bool created_here(const struct worker *w, uint32_t file);
/* What the plan saw, or this run has made since. */
struct target_facts created_facts(const struct worker *w, uint32_t file);
/* Opens a file of the plan: the very one that the plan saw or this run has made; what was missing is created.
   With create_on_open another worker may have made it a moment ago and not said so yet. */
int created_open(struct worker *w, uint32_t file, struct file *f, const struct file_cfg *cfg, bool write,
		 struct diag *d);
/* unlink=1: the last one to use a file removes it. */
void created_use(const struct worker *w);
void created_leave(struct worker *w);
/* Its marked files are now as this run leaves them. */
void created_settle(struct worker *w);
/* Removes the file if fiord has made it, now or earlier, and its name is still its own. */
void created_remove(struct worker *w, uint32_t file);

/* layout_worker.c: false after worker_fail. */
/* Lays out what is this worker's to lay out. */
bool layout_worker(struct worker *w, enum lay_round round);
/* The same of files alone, and not waiting for its turn (create_serialize). */
bool layout_worker_files(struct worker *w, enum lay_round round);
bool layout_worker_is_mine(const struct worker *w, uint32_t file, enum lay_round round);
/* Waits for those that others lay out. */
bool layout_worker_await_others(struct worker *w);
/* place.c: takes its CPUs, memory nodes and priorities; false after worker_fail. */
bool place_worker(struct worker *w);
/* lockmem.c: takes the memory of lockmem away; false after worker_fail. */
bool lockmem_get(struct worker *w);
void lockmem_free(struct worker *w);
/* cgroup.c: enters the control group; false after worker_fail. */
bool cgroup_join(struct worker *w);
/* identity.c: becomes the user and group that were asked for; false after worker_fail. */
bool identity_take(struct worker *w);
/* exec.c: the user's commands. The job does not run if the first fails (false, mostly after worker_fail); the
   second follows whenever the first went well. */
bool exec_prerun(struct worker *w);
void exec_postrun(struct worker *w);

/* write_pool_fill.c: this clone's share of filling the memory of write_pool; false after worker_fail. */
bool write_pool_fill(struct worker *w);

/* meta.c: jobs whose I/O is one operation on a file or directory. */
/* Makes what must be there beforehand; false after worker_fail. */
bool meta_lay_out(struct worker *w, enum lay_round round);
/* Before and after each I/O. ready: false after worker_fail. */
bool meta_ready(struct worker *w, uint32_t file);
void meta_done(struct worker *w, uint32_t file);
/* After the measurement: marks what was made. */
void meta_finish(struct worker *w);
static inline bool meta_job(const struct worker *w)
{
	return w->eng.engine->caps & ENG_META;
}

/* io_prio.c */
/* Before any file is opened; false after worker_fail. */
bool io_prio_start(struct worker *w);
/* Gives each of these I/Os its priority. Only where w->prio.set. */
void io_prio_draw(struct worker *w, struct io **ios, unsigned n);
/* Counts the n I/Os of w->batch under their priorities; at w->now_ns, before they are continued. */
void io_prio_account(struct worker *w, unsigned n);

/* per_file_account.c */
/* Before the ramp. */
void per_file_start(struct worker *w);
/* Counts the n I/Os of w->batch for their files; at w->now_ns, in the measured phase, before they are
   continued. Only where w->per_file. */
void per_file_account(struct worker *w, unsigned n);

/* setup.c: lays out, runs exec_prerun, reads beforehand and opens; false after worker_fail. */
bool setup_files(struct worker *w);
bool setup_open(struct worker *w, uint32_t file);
/* invalidate=1: drops the file's cached pages. As in fio before every pass, not only the first. */
void setup_invalidate(struct worker *w, uint32_t file);
/* pre_read=1: brings the file's range into the page cache. False after worker_fail. */
bool setup_pre_read(struct worker *w, uint32_t file);
void setup_close(struct worker *w, uint32_t file);
/* Between two loops: syncs (end_fsync, fsync_on_close), closes and opens all files; unlink_each_loop removes
   them in between. After worker_fail some are closed. */
void setup_renew(struct worker *w);
/* After the last loop: end_fsync, fsync_on_close, end_syncfs. */
void setup_sync(struct worker *w);
/* Closes everything. */
void setup_finish(struct worker *w);

/* thread_group.c: only where w->thread_group, but for init and fini. */
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

/* next_io.c */
bool next_io_init(struct worker *w);
void next_io_fini(struct worker *w);
/* The job is over when its loops have moved loop_bytes each, or number_ios. */
void serve_limit(struct worker *w, uint64_t loop_bytes);
/* The file has turned out to be this long: less than planned. Without room for one block it gets no I/O. */
void next_io_fit(struct worker *w, uint32_t file, uint64_t len);
static inline bool next_io_empty(const struct worker *w, uint32_t file)
{
	return w->fitted && !io_source_gen(&w->source, file, 0)->len;
}
enum next_io_result {
	NEXT_IO,   /* *io is filled */
	NEXT_WAIT, /* nothing now: not due (w->pace_due_ns), or files must drain first */
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
	w->exhausted = true;
	w->source.fast_left = 0;
}
/* Of the next I/O's section. */
static inline struct mixer *next_io_mix(struct worker *w)
{
	return __builtin_expect(w->thread_group != NULL, 0) ? thread_group_mix(w) : &w->mix;
}
/* The direction of the next I/O. */
static inline enum io_dir next_io_dir(struct worker *w)
{
	if (__builtin_expect(w->runs, 0)) {
		struct offset_gen *g = io_source_gen(&w->source, w->source.turn, 0);

		return offset_has_runs(g) ? offset_run_dir(g, next_io_mix(w)) : mix_next(next_io_mix(w));
	}
	return mix_next(&w->mix);
}
/* iodepth_per_file and teams: the file of this idle I/O. */
static inline uint32_t next_io_own_file(struct worker *w, const struct io *io)
{
	return w->thread_group ? thread_group_file(w, io) : io->index / w->source.own_depth;
}
/* For next_io_done alone. */
void next_io_returned(struct worker *w, const struct io *io);
/* The I/O has come back. */
static inline void next_io_done(struct worker *w, const struct io *io)
{
	if (__builtin_expect(w->source.counts, 0))
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
/* After next_io_init. False when memory is short. */
bool schedule_init(struct worker *w);
void schedule_fini(struct worker *w);
/* A phase begins: schedules start afresh. */
void schedule_begin(struct worker *w, uint64_t start, bool ramp);
/* For jobs with w->paced: the direction of the next I/O and when it was due (in ns since arrive.start_ns);
   DIR_COUNT if none is due, and then w->pace_due_ns says when to ask again (0: when something comes back). */
enum io_dir schedule_next(struct worker *w, uint64_t now, uint64_t *due);
/* That I/O is filled in and will be issued. */
void schedule_take(struct worker *w, struct io *io, uint64_t due, uint64_t now);
/* Where files have times of their own (w->nschedules): fills and queues idle I/Os of those whose turn it is.
 */
unsigned schedule_fill(struct worker *w, unsigned room);
/* The phase is over: I/Os that were due and never had their turn; not of a job that has issued all it should.
 */
void schedule_end(struct worker *w, uint64_t end);
/* This worker will issue no more, or never did. */
void schedule_leave(struct worker *w);
/* rate_min and rate_iops_min: judges the cycle that has ended, and fails the job. */
void schedule_floor(struct worker *w, uint64_t now);

/* wait.c */
/* Sleeps, then spins, until `until` or stop. Learns how late this worker wakes up. */
void wait_until(struct worker *w, uint64_t until);
void wait_spin(struct worker *w, uint64_t until);
/* The earliest of `until`, the deadline and the next event. */
uint64_t wait_look(const struct worker *w, uint64_t until);
/* For what is due at w->pace_due_ns, as rate_wait says; the next event at the latest. */
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

/* log_records.c: of a job whose I/Os are logged singly (w->log). */
/* The n I/Os of w->batch have come back at w->now_ns, or one that was cut short; of the measured phase. */
void log_records_batch(struct worker *w, unsigned n);
void log_records_one(struct worker *w, const struct io *io);
/* Waits until the next batch has room. */
void log_records_wait(struct worker *w);

/* ramp.c: whether more than ramp_size has been issued. */
bool ramp_reached(const struct worker *w);

/* loop.c: ramp, measurement, cool-down. */
void loop_run(struct worker *w);
/* The measurement is over at `end`: what was counted until then is final. The number (slot seq) is odd. */
void loop_measured(struct worker *w, uint64_t end);
/* Sleeps until then, the job's end at the latest; what falls due meanwhile is done. True: the job is over. */
bool loop_rest(struct worker *w, uint64_t until);

/* cooldown.c: where the measured window begins and ends. */
static inline bool ramp_wanted(const struct worker *w)
{
	return w->o->time.ramp_ns || w->o->time.ramp_bytes;
}
static inline bool cooldown_wanted(const struct worker *w)
{
	return w->o->time.cooldown_ns || w->o->time.ramp_only;
}
/* False when memory is short. */
bool cooldown_init(struct worker *w);
/* The ramp is over, at `start`. */
void cool_ramp_over(struct worker *w, uint64_t start);
/* Time is up, at w->measure_end_ns: the measurement ends now, or when the last I/O that counts is back. The
   number (slot seq) is odd. */
void cool_time_up(struct worker *w);
/* The worker issues no more: ends the measurement of a window that is cut. The number (slot seq) is odd. */
void cool_stop(struct worker *w);
/* Nothing completed: ends the measurement if none of the I/Os in flight counts. The number is odd. */
void cool_idle(struct worker *w);
/* The measurement has ended. The number (slot seq) is odd. */
void cooldown_begin(struct worker *w, uint64_t end);
/* After the last I/O: if none completed in the window, a note says how long I/Os take. */
void cool_note(struct worker *w);
/* Puts those of the n I/Os of w->batch that count to its front; how many. */
unsigned cool_sort(struct worker *w, unsigned n);
/* After those have been counted: some I/O in flight may be on the other side of the edge, or none is. */
void cool_look(struct worker *w);
/* Counts n I/Os where nobody reads. */
void cool_discard(struct worker *w, struct io *const *ios, unsigned n);
void cooldown_fini(struct worker *w);

/* noio.c: the body of a job that does no I/O. */
void noio_run(struct worker *w);

#endif
