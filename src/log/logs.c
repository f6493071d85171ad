#include "logs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "clock.h"
#include "ending_signals.h"
#include "log_parts.h"
#include "strbuf.h"

/* The writer may take this long after the second signal. */
#define GRACE_NS 400000000u
#define CHECK_NS 20000000u
/* At most this many bytes of lines wait for the writer. */
#define QUEUE_BYTES (1u << 20)
#define PIPE_BYTES  (1 << 20)

/* The last interval of a job. It has no lines yet, because a short interval at the end is added to it. */
struct log_last {
	struct ival rec;
	uint64_t start_ns; /* of its phase */
	uint64_t len_ns;   /* 0: none */
};

struct logs {
	struct log_set set;
	struct log_writer writer;
	struct log_last *last; /* of each job */
	size_t state_bytes;
	int pid;    /* of the writer; 0: it does not run */
	int error;  /* -errno if it could not be started */
	bool hangs; /* it did not end in time */
	bool died;
	int lines_error;     /* -errno: why lines of intervals are lost; 0: none are */
	struct strbuf queue; /* lines that the pipe had no room for, with their heads */
	struct strbuf hist;  /* buffer for a histogram line */
};

static bool shared_memory(struct logs *l)
{
	void *p;

	l->state_bytes = sizeof(struct log_writer_state) + (l->set.nfiles + DIR_DATA) * sizeof(int);
	p = mmap(NULL, l->state_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	l->writer.state = p == MAP_FAILED ? NULL : p;
	return l->writer.state;
}

struct logs *logs_new(const struct plan *p, bool *failed)
{
	struct logs *l;

	*failed = false;
	if (!log_set_wanted(p))
		return NULL;
	l = calloc(1, sizeof(*l));
	if (l && log_set_init(&l->set, p) && shared_memory(l)) {
		l->writer.plan = p;
		l->writer.set = &l->set;
		l->writer.text = malloc(LOG_WRITER_TEXT);
		l->last = calloc(p->njobs, sizeof(*l->last));
		l->writer.bw_log = p->bandwidth_log[0] ? bw_log_new(p) : NULL;
		l->writer.pipe[0] = l->writer.pipe[1] = -1;
		if (l->writer.text && l->last && (l->writer.bw_log || !p->bandwidth_log[0]))
			return l;
	}
	*failed = true;
	logs_free(l);
	return NULL;
}

/* ---- the writer ---- */

/* Without a writer, workers must not wait for room in their rings. */
static void switch_off(struct logs *l)
{
	futex_set(l->writer.run->region.log_off, 1);
	l->queue.len = 0;
}

void logs_start(struct logs *l, struct run *r)
{
	int *p = l->writer.pipe;

	l->writer.run = r;
	log_set_clocks(&l->set, l->writer.plan);
	l->error = pipe2(p, O_CLOEXEC | O_NONBLOCK) ? -errno : 0;
	if (!l->error) {
		fcntl(p[1], F_SETPIPE_SZ, PIPE_BYTES); /* best effort */
		l->pid = processes_fork_helper(log_writer_main, &l->writer);
		l->error = l->pid < 0 ? l->pid : 0;
		close(p[0]);
	}
	if (!l->error)
		return;
	l->pid = 0;
	switch_off(l);
}

/* Returns whether the writer still runs. The run may have reaped it already, because it reaps all children.
 */
static bool runs(struct logs *l)
{
	int status;

	if (!l->pid || l->died)
		return false;
	if (kill(l->pid, 0) == 0 && waitpid(l->pid, &status, WNOHANG) == 0)
		return true;
	if (!atomic_load_explicit(&l->writer.state->stopped, memory_order_acquire)) {
		l->died = true;
		switch_off(l);
	}
	return false;
}

/* Writes as much of the queue as the pipe has room for. Without the pipe its lines are lost. */
static void send_queue(struct logs *l)
{
	size_t at = 0;
	ssize_t n = 0;

	while (at < l->queue.len && (n = write(l->writer.pipe[1], l->queue.text + at, l->queue.len - at)) > 0)
		at += (size_t)n;
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		l->lines_error = -errno;
		strbuf_clear(&l->queue);
		return;
	}
	if (!at)
		return;
	memmove(l->queue.text, l->queue.text + at, l->queue.len - at);
	l->queue.len -= at;
	atomic_fetch_add_explicit(l->writer.run->region.log_wake, 1, memory_order_release);
	futex_wake_all(l->writer.run->region.log_wake);
}

void logs_tick(struct logs *l)
{
	if (runs(l))
		send_queue(l);
}

/* ---- lines of intervals ---- */

static void queue(struct logs *l, const struct log_file *f, const char *text, size_t len)
{
	struct log_writer_head h = { (uint32_t)(f - l->set.files), (uint32_t)len };

	if (l->error || l->died || l->lines_error)
		return;
	strbuf_add(&l->queue, (const char *)&h, sizeof(h));
	strbuf_add(&l->queue, text, len);
	l->lines_error = l->queue.failed ? -ENOMEM : 0;
}

static void queue_lines(struct logs *l, uint32_t i, int kind, const struct ival *rec, uint64_t time,
			uint64_t len_ns)
{
	struct job_logs *j = &l->set.job[i];
	const struct log_file *f = j->file[kind];
	char text[DIR_DATA * LOG_LINE_MAX];
	size_t len = 0;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		struct log_line line;

		if (!log_window_line(rec, len_ns, (enum log_kind)kind, d,
				     l->writer.plan->jobs[i].job->opts.log.window, &line))
			continue;
		line.time_ms = time;
		len += log_set_line(text + len, j, f, &line);
	}
	if (len)
		queue(l, f, text, len);
}

static void queue_hist(struct logs *l, uint32_t i, const struct ival *rec, uint64_t time)
{
	const struct job_opts *o = &l->writer.plan->jobs[i].job->opts;
	uint64_t count[HIST_FIO_BUCKETS];

	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (!log_window_hist(rec, d, count))
			continue;
		strbuf_clear(&l->hist);
		log_line_hist(&l->hist, time, d, bsize_max(&o->offset.bsize, 1u << d), count,
			      HIST_FIO_BUCKETS, o->log.hist_coarseness);
		queue(l, l->set.job[i].file[LOG_HIST], strbuf_str(&l->hist), l->hist.len);
	}
}

static uint64_t end_ms(const struct logs *l, uint32_t i, uint64_t start_ns, const struct ival *rec,
		       uint64_t len_ns)
{
	return log_set_time_ms(&l->set.job[i], start_ns, start_ns + log_window_end_ns(rec, len_ns));
}

static void queue_last(struct logs *l, uint32_t i)
{
	struct log_last *last = &l->last[i];

	for (int k = 0; k < LOG_HIST && last->len_ns; k++)
		if (l->set.job[i].file[k])
			queue_lines(l, i, k, &last->rec,
				    end_ms(l, i, last->start_ns, &last->rec, last->len_ns), last->len_ns);
	last->len_ns = 0;
}

static void next_window(struct logs *l, uint32_t i, uint64_t start_ns, const struct ival *rec,
			uint64_t len_ns)
{
	struct log_last *last = &l->last[i];

	if (last->len_ns && last->start_ns == start_ns && log_window_is_short(rec, len_ns)) {
		log_window_add(&last->rec, rec, len_ns);
		return;
	}
	queue_last(l, i);
	*last = (struct log_last){ *rec, start_ns, len_ns };
}

void logs_interval(struct logs *l, uint32_t i, unsigned track, const struct ival *rec)
{
	const struct plan_job *pj = &l->writer.plan->jobs[i];
	uint64_t len_ns = pj->tracks.track[track].len_ns;
	uint64_t start = slot_tracks(run_slot(l->writer.run, i), pj)->start_ns;
	unsigned number;

	if (!pj->logs)
		return;
	if (plan_track(pj, TRACK_LOG, &number) && number == track)
		next_window(l, i, start, rec, len_ns);
	if (plan_track(pj, TRACK_HIST, &number) && number == track)
		queue_hist(l, i, rec, end_ms(l, i, start, rec, len_ns));
	send_queue(l);
}

bool logs_room(struct logs *l, uint32_t i, unsigned track)
{
	const struct plan_job *pj = &l->writer.plan->jobs[i];
	unsigned lines, hists;

	if (!(plan_track(pj, TRACK_LOG, &lines) && lines == track) &&
	    !(plan_track(pj, TRACK_HIST, &hists) && hists == track))
		return true;
	return l->queue.len < QUEUE_BYTES;
}

/* ---- the end ---- */

/* Counts the blocked signals that came after the end of the run. */
static unsigned signals_since(void)
{
	const struct timespec now = { 0 };
	unsigned n = 0;
	sigset_t set;

	ending_signals(&set);
	while (sigtimedwait(&set, NULL, &now) > 0)
		n++;
	return n;
}

/* Closes the pipe and asks the writer to stop. */
static void stop_writer(struct logs *l)
{
	close(l->writer.pipe[1]);
	l->writer.pipe[1] = -1;
	atomic_store_explicit(&l->writer.state->stop, 1, memory_order_release);
	atomic_fetch_add_explicit(l->writer.run->region.log_wake, 1, memory_order_release);
	futex_wake_all(l->writer.run->region.log_wake);
}

/* Returns false if the writer did not end in time after a second signal. */
static bool wait_stopped(struct logs *l)
{
	_Atomic uint32_t *wake = l->writer.run->region.log_wake;
	unsigned signals = l->writer.run->signals.count;
	uint64_t until = UINT64_MAX;

	while (runs(l)) {
		uint32_t seen = atomic_load_explicit(wake, memory_order_acquire);
		uint64_t now = clock_ns();

		send_queue(l);
		if (!l->queue.len && l->writer.pipe[1] >= 0)
			stop_writer(l);
		if (now >= until)
			return false;
		signals += signals_since();
		if (signals > 1 && until == UINT64_MAX)
			until = now + GRACE_NS;
		if (!atomic_load_explicit(&l->writer.state->stopped, memory_order_acquire))
			futex_wait_until(wake, seen, now + CHECK_NS);
	}
	return true;
}

void logs_end(struct logs *l)
{
	if (!l || !l->pid)
		return;
	for (uint32_t i = 0; i < l->writer.plan->njobs; i++)
		queue_last(l, i);
	l->hangs = !wait_stopped(l);
	if (l->hangs)
		kill(l->pid, SIGKILL);
	l->pid = 0;
}

/* ---- errors ---- */

static const char *path_of(const struct logs *l, uint32_t i)
{
	return i < l->set.nfiles ? l->set.files[i].path
				 : bw_log_file(l->writer.bw_log, i - l->set.nfiles)->path;
}

static bool file_failed(const struct logs *l, char *why, size_t size)
{
	uint32_t n = 0, first = 0;

	for (uint32_t i = l->set.nfiles + DIR_DATA; i-- > 0;) {
		if (!l->writer.state->error[i])
			continue;
		n++;
		first = i;
	}
	if (!n)
		return false;
	snprintf(why, size, "%.3000s: the log could not be written: %s%s", path_of(l, first),
		 diag_errno(l->writer.state->error[first]), diag_hint(l->writer.state->error[first]));
	if (n > 1)
		snprintf(why + strlen(why), size - strlen(why), " (and %u more)", n - 1);
	return true;
}

bool logs_failed(const struct logs *l, char *why, size_t size)
{
	if (!l)
		return false;
	if (l->error)
		snprintf(why, size,
			 "the logs could not be written: cannot start the process that writes them: %s%s",
			 diag_errno(l->error), diag_hint(l->error));
	else if (l->hangs)
		snprintf(why, size, "the logs are incomplete: a write hangs");
	else if (l->died)
		snprintf(why, size, "the logs are incomplete: the process that writes them was killed");
	else if (l->lines_error)
		snprintf(why, size, "the logs are incomplete: lines of intervals are lost: %s%s",
			 diag_errno(l->lines_error), diag_hint(l->lines_error));
	else
		return file_failed(l, why, size);
	return true;
}

void logs_free(struct logs *l)
{
	if (!l)
		return;
	if (l->writer.state)
		munmap(l->writer.state, l->state_bytes);
	if (l->writer.pipe[1] > 0)
		close(l->writer.pipe[1]);
	bw_log_free(l->writer.bw_log);
	log_set_fini(&l->set);
	free(l->writer.text);
	free(l->last);
	strbuf_fini(&l->queue);
	strbuf_fini(&l->hist);
	free(l);
}
