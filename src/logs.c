#include "logs.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "clock.h"
#include "logbw.h"
#include "logfile.h"
#include "logline.h"
#include "logwin.h"

/* How often the rings are looked at that are not half full. */
#define EVERY_NS 200000000u
/* After the second signal. */
#define GRACE_NS 400000000u
#define LOOK_NS  20000000u
/* Lines of intervals that may wait for the thread. */
#define QUEUE_BYTES (1u << 20)
/* Records that are written at once. */
#define SPAN 1024
/* Chunks of compressed logs. */
#define CHUNK_BYTES 65536u
#define CHUNK_MOST  (1u << 20)

/* One worker's. */
struct job_logs {
	struct logfile *file[LOG_FILES]; /* NULL: none */
	struct logline_form form;
	bool epoch;
	uint64_t shift_ns; /* from clock_ns() to the clock of the times */
};

/* Before what is queued. */
struct head {
	uint32_t file, len;
};

struct logs {
	const struct plan *plan;
	const struct run *run;
	struct logfile *file; /* each once */
	uint32_t nfiles;
	struct job_logs *job; /* by plan_job.index */
	struct logbw *bw;     /* of the whole run; NULL: none */
	pthread_t thread;
	bool started, hangs;
	int thread_error;
	_Atomic bool stop, stopped;
	pthread_mutex_t lock;
	struct strbuf queue; /* locked: lines of intervals, each behind a struct head */
	bool forgot;         /* locked: memory was short, and lines are lost */
	struct strbuf hist;  /* a line that is being made */
	char text[SPAN * LOGLINE_MAX];
};

/* ---- which files ---- */

static bool form_is_fios(const struct log_cfg *c)
{
	return !c->issue_time && c->window != LOG_WINDOW_BOTH;
}

static struct logfile file_for(const struct plan_job *pj, int kind)
{
	const struct log_cfg *c = &pj->job->opts.log;
	struct logfile f = { .path = pj->logs->path[kind], .fd = -1, .chunk_bytes = CHUNK_BYTES };

	if (c->compression)
		f.chunk_bytes = c->compression < CHUNK_MOST ? (size_t)c->compression : CHUNK_MOST;
	if (c->store_compressed)
		f.kind = form_is_fios(c) && kind != LOG_HIST ? LOGFILE_ZLIB : LOGFILE_GZIP;
	/* a multiple of what a record has, whichever */
	f.chunk_bytes -= f.chunk_bytes % 160;
	return f;
}

/* With per_job_logs=0 workers share theirs. */
static struct logfile *take_file(struct logs *l, const struct plan_job *pj, int kind)
{
	struct logfile *f = &l->file[l->nfiles];

	for (uint32_t i = l->nfiles; i-- > 0 && !pj->job->opts.log.per_job;)
		if (!strcmp(l->file[i].path, pj->logs->path[kind]))
			return &l->file[i];
	*f = file_for(pj, kind);
	l->nfiles++;
	return f;
}

static uint64_t clock_shift(uint32_t clock)
{
	uint64_t now = clock_ns();
	struct timespec ts;

	if (clock_gettime((clockid_t)clock, &ts))
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec - now;
}

static void plan_job_logs(struct logs *l, const struct plan_job *pj)
{
	const struct log_cfg *c = &pj->job->opts.log;
	struct job_logs *j = &l->job[pj->index];

	for (int k = 0; k < LOG_FILES; k++)
		if (pj->logs->path[k])
			j->file[k] = take_file(l, pj, k);
	j->form = (struct logline_form){ .max = c->window == LOG_WINDOW_BOTH,
					 .offset = c->offset,
					 .prio = c->prio,
					 .issue = c->issue_time };
	j->epoch = c->epoch;
}

static size_t count_files(const struct plan *p)
{
	size_t n = 0;

	for (uint32_t i = 0; i < p->njobs; i++)
		for (int k = 0; p->jobs[i].logs && k < LOG_FILES; k++)
			n += p->jobs[i].logs->path[k] != NULL;
	return n;
}

struct logs *logs_new(const struct plan *p, bool *failed)
{
	size_t n = count_files(p);
	struct logs *l;

	*failed = false;
	if (!n && !p->bandwidth_log[0])
		return NULL;
	*failed = true;
	l = calloc(1, sizeof(*l));
	if (!l)
		return NULL;
	l->plan = p;
	pthread_mutex_init(&l->lock, NULL);
	l->file = calloc(n + 1, sizeof(*l->file));
	l->job = calloc(p->njobs, sizeof(*l->job));
	l->bw = p->bandwidth_log[0] ? logbw_new(p) : NULL;
	if (!l->file || !l->job || (p->bandwidth_log[0] && !l->bw)) {
		logs_free(l);
		return NULL;
	}
	for (uint32_t i = 0; i < p->njobs; i++)
		if (p->jobs[i].logs)
			plan_job_logs(l, &p->jobs[i]);
	*failed = false;
	return l;
}

/* ---- lines ---- */

static uint64_t gap(uint64_t to, uint64_t from)
{
	return to > from ? to - from : 0;
}

static uint64_t kib_per_second(uint64_t bytes, uint64_t ns)
{
	__extension__ typedef unsigned __int128 u128;

	return (uint64_t)((u128)bytes * 1000000000u / 1024 / (ns ? ns : 1));
}

static uint64_t value_of(const struct log_rec *rec, int kind)
{
	switch ((enum log_file)kind) {
	case LOG_BW:
		return kib_per_second(rec->bytes, gap(rec->done_ns, rec->issue_ns));
	case LOG_SLAT:
		return gap(rec->issue_ns, rec->start_ns);
	case LOG_CLAT:
		return gap(rec->done_ns, rec->issue_ns);
	case LOG_LAT:
		return gap(rec->done_ns, rec->start_ns);
	case LOG_IOPS:
	case LOG_HIST:
	case LOG_FILES:
		break;
	}
	return 1;
}

/* A time of the worker's as its logs tell it. */
static uint64_t time_ms(const struct job_logs *j, uint64_t start_ns, uint64_t ns)
{
	return (j->epoch ? ns + j->shift_ns : gap(ns, start_ns)) / 1000000;
}

static void add_lines(struct logs *l, uint32_t i, int kind, const struct log_rec *rec, uint32_t n)
{
	struct job_logs *j = &l->job[i];
	struct logfile *f = j->file[kind];
	uint64_t start_ns = run_slot(l->run, i)->run_start_ns;
	size_t len = 0;

	for (uint32_t k = 0; k < n && !f->error; k++) {
		struct logline line = { .time_ms = time_ms(j, start_ns, rec[k].done_ns),
					.value = value_of(&rec[k], kind),
					.bytes = rec[k].bytes,
					.offset = rec[k].offset,
					.issue_ns = gap(rec[k].issue_ns, start_ns),
					.prio = rec[k].prio,
					.dir = rec[k].dir };

		line.max = line.value;
		len += f->kind == LOGFILE_ZLIB ? logline_binary(l->text + len, &j->form, &line)
					       : logline_text(l->text + len, &j->form, &line);
	}
	logfile_add(f, l->text, len);
}

static bool submits(const struct plan_job *pj)
{
	bool any = false;

	for (int d = 0; d < DIR_DATA; d++)
		any |= pj->layout.moments[d][LAT_SLAT] != 0;
	return any;
}

/* What one worker has put into its ring; of a sync engine submission takes no time, and as in fio has no
 * lines.
 */
static void drain_job(struct logs *l, uint32_t i)
{
	const struct plan_job *pj = &l->plan->jobs[i];
	const struct log_rec *rec;
	struct log_ring *ring;
	uint32_t n, left;

	if (!pj->logs || !pj->logs->entries)
		return;
	ring = slot_log(run_slot(l->run, i), pj);
	left = pj->logs->entries; /* the others want their turn, too */
	while (left && (n = log_ring_look(ring, pj->logs->entries, &rec)) > 0) {
		n = n < SPAN ? n : SPAN;
		n = n < left ? n : left;
		for (int k = 0; k < LOG_HIST; k++)
			if (l->job[i].file[k] && (k != LOG_SLAT || submits(pj)))
				add_lines(l, i, k, rec, n);
		log_ring_taken(ring, n);
		left -= n;
	}
}

static bool any_left(const struct logs *l)
{
	const struct log_rec *rec;

	for (uint32_t i = 0; i < l->plan->njobs; i++) {
		const struct plan_job *pj = &l->plan->jobs[i];

		if (pj->logs && pj->logs->entries &&
		    log_ring_look(slot_log(run_slot(l->run, i), pj), pj->logs->entries, &rec) >
			    pj->logs->entries / 4)
			return true;
	}
	return false;
}

/* ---- lines of intervals: from the main thread to the writer ---- */

static void queue(struct logs *l, const struct logfile *f, const char *text, size_t len)
{
	struct head h = { (uint32_t)(f - l->file), (uint32_t)len };

	pthread_mutex_lock(&l->lock);
	strbuf_add(&l->queue, (const char *)&h, sizeof(h));
	strbuf_add(&l->queue, text, len);
	pthread_mutex_unlock(&l->lock);
}

static void queue_lines(struct logs *l, uint32_t i, int kind, const struct ival *rec, uint64_t time,
			uint64_t len_ns)
{
	struct job_logs *j = &l->job[i];
	const struct logfile *f = j->file[kind];
	char text[DIR_DATA * LOGLINE_MAX];
	size_t len = 0;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		struct logline line;

		if (!logwin_line(rec, len_ns, (enum log_file)kind, d, l->plan->jobs[i].job->opts.log.window,
				 &line))
			continue;
		line.time_ms = time;
		len += f->kind == LOGFILE_ZLIB ? logline_binary(text + len, &j->form, &line)
					       : logline_text(text + len, &j->form, &line);
	}
	if (len)
		queue(l, f, text, len);
}

static void queue_hist(struct logs *l, uint32_t i, const struct ival *rec, uint64_t time)
{
	const struct job_opts *o = &l->plan->jobs[i].job->opts;
	uint64_t count[HIST_FIO_BUCKETS];

	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (!logwin_hist(rec, d, count))
			continue;
		strbuf_clear(&l->hist);
		logline_hist(&l->hist, time, d, bsize_max(&o->offset.bsize, 1u << d), count, HIST_FIO_BUCKETS,
			     o->log.hist_coarseness);
		queue(l, l->job[i].file[LOG_HIST], strbuf_str(&l->hist), l->hist.len);
	}
}

void logs_interval(struct logs *l, uint32_t i, unsigned track, const struct ival *rec)
{
	const struct plan_job *pj = &l->plan->jobs[i];
	uint64_t len_ns = pj->tracks.track[track].len_ns, end, time;
	uint64_t start = slot_tracks(run_slot(l->run, i), pj)->start_ns;
	unsigned mine;

	if (!pj->logs)
		return;
	end = start + logwin_end_ns(rec, len_ns);
	time = time_ms(&l->job[i], start, end);
	if (plan_track(pj, TRACK_LOG, &mine) && mine == track)
		for (int k = 0; k < LOG_HIST; k++)
			if (l->job[i].file[k])
				queue_lines(l, i, k, rec, time, len_ns);
	if (plan_track(pj, TRACK_HIST, &mine) && mine == track)
		queue_hist(l, i, rec, time);
}

bool logs_room(struct logs *l, uint32_t i, unsigned track)
{
	const struct plan_job *pj = &l->plan->jobs[i];
	unsigned lines, hists;
	bool room;

	if (!(plan_track(pj, TRACK_LOG, &lines) && lines == track) &&
	    !(plan_track(pj, TRACK_HIST, &hists) && hists == track))
		return true;
	pthread_mutex_lock(&l->lock);
	room = l->queue.len < QUEUE_BYTES;
	pthread_mutex_unlock(&l->lock);
	return room;
}

static void drain_queue(struct logs *l)
{
	struct strbuf all;
	struct head h;

	pthread_mutex_lock(&l->lock);
	all = l->queue;
	l->queue = (struct strbuf){ 0 };
	l->forgot |= all.failed;
	pthread_mutex_unlock(&l->lock);
	for (size_t at = 0; at + sizeof(h) <= all.len && !all.failed; at += h.len) {
		memcpy(&h, all.text + at, sizeof(h));
		at += sizeof(h);
		logfile_add(&l->file[h.file], all.text + at, h.len);
	}
	strbuf_fini(&all);
}

/* ---- the thread ---- */

static void go_to_cpus(const struct plan *p)
{
	struct cpuset all = { 0 };

	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct cpuset *c = &p->jobs[i].job->opts.log.compression_cpus;

		cpuset_or(&all, c);
	}
	if (cpuset_count(&all))
		sched_setaffinity(0, sizeof(all.bits), (const cpu_set_t *)(const void *)all.bits);
}

static void *writer(void *arg)
{
	struct logs *l = arg;
	bool last;

	go_to_cpus(l->plan);
	do {
		uint32_t seen = atomic_load_explicit(l->run->region.log_wake, memory_order_acquire);

		last = atomic_load_explicit(&l->stop, memory_order_acquire);
		for (uint32_t i = 0; i < l->plan->njobs; i++)
			drain_job(l, i);
		drain_queue(l);
		if (l->bw)
			logbw_sample(l->bw, l->run, last);
		if (!last && !any_left(l))
			futex_wait_until(l->run->region.log_wake, seen, clock_ns() + EVERY_NS);
	} while (!last);
	for (uint32_t i = 0; i < l->nfiles; i++)
		logfile_close(&l->file[i]);
	logbw_close(l->bw);
	atomic_store_explicit(&l->stopped, true, memory_order_release);
	futex_wake_all(l->run->region.log_wake);
	return NULL;
}

void logs_start(struct logs *l, const struct run *r)
{
	l->run = r;
	for (uint32_t i = 0; i < l->plan->njobs; i++)
		l->job[i].shift_ns = clock_shift(l->plan->jobs[i].job->opts.log.epoch_clock);
	for (uint32_t i = 0; i < l->nfiles; i++)
		logfile_open(&l->file[i]);
	logbw_open(l->bw);
	l->thread_error = pthread_create(&l->thread, NULL, writer, l);
	l->started = !l->thread_error;
}

/* Signals are blocked: those that came since the run has ended. */
static unsigned signals_since(void)
{
	const struct timespec now = { 0 };
	unsigned n = 0;
	sigset_t set;

	run_ending_signals(&set);
	while (sigtimedwait(&set, NULL, &now) > 0)
		n++;
	return n;
}

static bool wait_stopped(struct logs *l)
{
	_Atomic uint32_t *wake = l->run->region.log_wake;
	unsigned signals = l->run->signals;
	uint64_t until = UINT64_MAX;

	for (;;) {
		uint32_t seen = atomic_load_explicit(wake, memory_order_acquire);
		uint64_t now = clock_ns();

		if (atomic_load_explicit(&l->stopped, memory_order_acquire))
			return true;
		if (now >= until)
			return false;
		signals += signals_since();
		if (signals > 1 && until == UINT64_MAX)
			until = now + GRACE_NS;
		futex_wait_until(wake, seen, now + LOOK_NS);
	}
}

void logs_end(struct logs *l)
{
	if (!l || !l->started)
		return;
	atomic_store_explicit(&l->stop, true, memory_order_release);
	atomic_fetch_add_explicit(l->run->region.log_wake, 1, memory_order_release);
	futex_wake_all(l->run->region.log_wake);
	l->hangs = !wait_stopped(l);
	if (!l->hangs)
		pthread_join(l->thread, NULL);
	l->started = false;
}

/* ---- how it went ---- */

bool logs_failed(const struct logs *l, char *why, size_t size)
{
	const struct logfile *first = NULL;
	unsigned n = 0;

	if (!l || (!l->hangs && l->thread_error)) {
		if (l)
			snprintf(why, size, "the logs could not be written: cannot start a thread: %s",
				 diag_errno(l->thread_error));
		return l != NULL;
	}
	if (l->hangs) {
		snprintf(why, size, "the logs could not be written to their end: a write hangs");
		return true;
	}
	if (l->forgot) {
		snprintf(why, size, "lines of the logs are lost: out of memory");
		return true;
	}
	for (uint32_t i = 0; i < l->nfiles; i++) {
		n += l->file[i].error != 0;
		if (l->file[i].error && !first)
			first = &l->file[i];
	}
	for (unsigned d = 0; d < DIR_DATA && l->bw; d++) {
		const struct logfile *f = logbw_file(l->bw, d);

		n += f->error != 0;
		if (f->error && !first)
			first = f;
	}
	if (!first)
		return false;
	snprintf(why, size, "%.3000s: the log could not be written: %s%s", first->path,
		 diag_errno(first->error), diag_hint(first->error));
	if (n > 1)
		snprintf(why + strlen(why), size - strlen(why), " (and %u more)", n - 1);
	return true;
}

bool logs_free(struct logs *l)
{
	if (!l)
		return true;
	if (l->hangs)
		return false;
	logbw_free(l->bw);
	strbuf_fini(&l->queue);
	strbuf_fini(&l->hist);
	pthread_mutex_destroy(&l->lock);
	free(l->file);
	free(l->job);
	free(l);
	return true;
}
