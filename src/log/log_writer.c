#include "log_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>
#include "clock.h"
#include "scale.h"
#include "strbuf.h"

/* The writer empties rings that are not half full this often. */
#define EVERY_NS 200000000u

/* ---- lines ---- */

static uint64_t gap(uint64_t to, uint64_t from)
{
	return to > from ? to - from : 0;
}

static uint64_t kib_per_second(uint64_t bytes, uint64_t ns)
{
	return scale(bytes, SCALE_NS, ns ? ns : 1) / 1024;
}

static uint64_t log_value(const struct log_rec *rec, int kind)
{
	switch ((enum log_kind)kind) {
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
	case LOG_IOLOG:
	case LOG_KINDS:
		break;
	}
	return 1;
}

/* As in fio only the logs of submission and completion have the time of issue. */
static uint64_t issue_of(const struct log_rec *rec, int kind, uint64_t start_ns)
{
	return kind == LOG_SLAT || kind == LOG_CLAT ? gap(rec->issue_ns, start_ns) : 0;
}

static void add_lines(struct log_writer *l, uint32_t i, int kind, const struct log_rec *rec, uint32_t n)
{
	struct job_logs *j = &l->set->job[i];
	struct log_file *f = j->file[kind];
	uint64_t start_ns = run_slot(l->run, i)->run_start_ns;
	size_t len = 0;

	for (uint32_t k = 0; k < n && !f->error; k++) {
		struct log_line line = { .time_ms = log_set_time_ms(j, start_ns, rec[k].done_ns),
					 .value = log_value(&rec[k], kind),
					 .bytes = rec[k].bytes,
					 .offset = rec[k].offset,
					 .issue_ns = issue_of(&rec[k], kind, start_ns),
					 .prio = rec[k].prio,
					 .dir = rec[k].dir };

		line.max = line.value;
		len += log_set_line(l->text + len, j, f, &line);
	}
	log_file_add(f, l->text, len);
}

static bool submits(const struct plan_job *pj)
{
	bool any = false;

	for (int d = 0; d < DIR_DATA; d++)
		any |= pj->layout.moments[d][LAT_SLAT] != 0;
	return any;
}

/* Writes the records in the ring of one worker. As in fio, a sync engine has no slat lines, because its
   submission takes no time. */
static void drain_job(struct log_writer *l, uint32_t i)
{
	const struct plan_job *pj = &l->plan->jobs[i];
	const struct log_rec *rec;
	struct log_ring *ring;
	uint32_t n, left;

	if (!pj->logs || !pj->logs->entries)
		return;
	ring = slot_log(run_slot(l->run, i), pj);
	left = pj->logs->entries; /* so that other workers get their turn */
	while (left && (n = log_ring_peek(ring, pj->logs->entries, &rec)) > 0) {
		n = n < LOG_WRITER_SPAN ? n : LOG_WRITER_SPAN;
		n = n < left ? n : left;
		for (int k = 0; k < LOG_HIST; k++)
			if (l->set->job[i].file[k] && (k != LOG_SLAT || submits(pj)))
				add_lines(l, i, k, rec, n);
		log_ring_drop(ring, n);
		left -= n;
	}
}

static bool filled(const struct log_ring *r, uint32_t entries)
{
	return entries && log_ring_used(r) > entries / 4;
}

static bool needs_drain(const struct log_writer *l)
{
	for (uint32_t i = 0; i < l->plan->njobs; i++) {
		const struct plan_job *pj = &l->plan->jobs[i];
		struct slot *s = run_slot(l->run, i);

		if (pj->logs && (filled(slot_log(s, pj), pj->logs->entries) ||
				 filled(slot_iolog(s, pj), pj->logs->iolog_entries)))
			return true;
	}
	return false;
}

/* ---- lines of intervals ---- */

/* Writes the complete lines from the pipe. */
static void write_piped_lines(struct log_writer *l)
{
	struct log_writer_head h;
	size_t at = 0;

	while (l->input.len - at >= sizeof(h)) {
		memcpy(&h, l->input.text + at, sizeof(h));
		if (l->input.len - at - sizeof(h) < h.len)
			break;
		log_file_add(&l->set->files[h.file], l->input.text + at + sizeof(h), h.len);
		at += sizeof(h) + h.len;
	}
	if (at) {
		memmove(l->input.text, l->input.text + at, l->input.len - at);
		l->input.len -= at;
	}
}

static void drain_pipe(struct log_writer *l)
{
	ssize_t n;

	while ((n = read(l->pipe[0], l->text, LOG_WRITER_TEXT)) > 0) {
		strbuf_add(&l->input, l->text, (size_t)n);
		if (l->input.failed)
			_exit(1); /* the parent reports that the writer was lost */
		write_piped_lines(l);
	}
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		_exit(1);
}

/* ---- the process ---- */

static void pin_to_cpus(const struct plan *p)
{
	struct cpuset all = { 0 };

	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct cpuset *c = &p->jobs[i].job->opts.log.compression_cpus;

		cpuset_or(&all, c);
	}
	if (cpuset_count(&all))
		sched_setaffinity(0, sizeof(all.bits), (const cpu_set_t *)(const void *)all.bits);
}

/* Closes all files of the parent, so that the reader of its output sees the end when the run ends. */
static void close_inherited(const struct log_writer *l)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= STDERR_FILENO && null >= 0; fd++)
		dup2(null, fd);
	if (l->pipe[0] > STDERR_FILENO + 1)
		close_range(STDERR_FILENO + 1, (unsigned)l->pipe[0] - 1, 0);
	close_range((unsigned)l->pipe[0] + 1, ~0u, 0);
}

static void open_all(struct log_writer *l)
{
	for (uint32_t i = 0; i < l->set->nfiles; i++)
		log_file_open(&l->set->files[i]);
	bw_log_open(l->bw_log);
	if (!iologs_begin(l))
		_exit(1); /* the parent reports that the writer was lost */
}

static void close_all(struct log_writer *l)
{
	for (uint32_t i = 0; i < l->set->nfiles; i++) {
		log_file_close(&l->set->files[i]);
		l->state->error[i] = l->set->files[i].error;
	}
	bw_log_close(l->bw_log);
	for (unsigned d = 0; d < DIR_DATA && l->bw_log; d++)
		l->state->error[l->set->nfiles + d] = bw_log_file(l->bw_log, d)->error;
}

void log_writer_main(void *writer)
{
	struct log_writer *l = writer;
	_Atomic uint32_t *wake = l->run->region.log_wake;
	bool last;

	close_inherited(l);
	pin_to_cpus(l->plan);
	open_all(l);
	do {
		uint32_t seen = atomic_load_explicit(wake, memory_order_acquire);
		uint64_t until = clock_ns() + EVERY_NS;

		last = atomic_load_explicit(&l->state->stop, memory_order_acquire);
		for (uint32_t i = 0; i < l->plan->njobs; i++)
			drain_job(l, i);
		iologs_drain(l, last);
		drain_pipe(l);
		if (l->bw_log)
			until = bw_log_sample(l->bw_log, l->run, last, until);
		if (!last && !needs_drain(l))
			futex_wait_until(wake, seen, until);
	} while (!last);
	close_all(l);
	strbuf_fini(&l->input);
	iologs_free(l);
	atomic_store_explicit(&l->state->stopped, 1, memory_order_release);
	futex_wake_all(wake);
}
