#include "layout.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>
#include "helper_cpu.h"

#define PIECE_BYTES  ((uint64_t)1 << 20)
#define DIRECT_ALIGN 4096u
/* Write-back of dirty pages is started after this many bytes and awaited one round later, so that the last
   fsync is short. */
#define FLUSH_BYTES ((uint64_t)32 << 20)
/* Smaller files are faster through the page cache. */
#define BYPASS_MIN_BYTES ((uint64_t)4 << 20)

/* The state of one layout. */
struct layout {
	const struct layout_job *j;
	const atomic_bool *failed; /* set when another file of the same call fails */
	unsigned char *buf;        /* room for `pieces` pieces, aligned */
	unsigned pieces;
	struct content content;
	int flags; /* file status flags of the descriptor */
	uint64_t at, flushed;
	uint64_t free_bytes; /* free on the file system at the start */
};

static uint64_t free_bytes(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) ? 0 : (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize;
}

static bool stopped(const struct layout *l)
{
	return (l->j->stop && atomic_load_explicit(l->j->stop, memory_order_relaxed)) ||
	       (l->failed && atomic_load_explicit(l->failed, memory_order_relaxed));
}

static int describe_error(const struct layout *l, int err, struct diag *d)
{
	const struct layout_job *j = l->j;

	if (err == -EINTR)
		return diag_kind(d, DIAG_RUN, err, "%s: layout was interrupted", j->path);
	if (err == -ENOSPC)
		return diag_kind(d, DIAG_RUN, err,
				 "%s: no space left after %" PRIu64 " of %" PRIu64 " MiB: %" PRIu64
				 " MiB were free on its file system",
				 j->path, (l->at - j->from) >> 20, (j->to - j->from) >> 20,
				 l->free_bytes >> 20);
	return diag_kind(d, DIAG_RUN, err, "%s: layout failed at byte %" PRIu64 ": %s%s", j->path, l->at,
			 diag_errno(err), diag_hint(err));
}

/* Writes without O_DIRECT. */
static ssize_t write_buffered(const struct layout *l, const void *buf, size_t bytes)
{
	ssize_t n;
	int err;

	if (fcntl(l->j->fd, F_SETFL, l->flags & ~O_DIRECT))
		return -1;
	n = pwrite(l->j->fd, buf, bytes, (off_t)l->at);
	err = errno;
	if (fcntl(l->j->fd, F_SETFL, l->flags))
		return -1;
	errno = err;
	return n;
}

/* Does one write: only the aligned part if the descriptor is direct. */
static ssize_t write_some(const struct layout *l, const void *buf, uint64_t bytes)
{
	uint64_t aligned = bytes & ~(DIRECT_ALIGN - 1);

	if (!(l->flags & O_DIRECT))
		return pwrite(l->j->fd, buf, bytes, (off_t)l->at);
	if (l->at % DIRECT_ALIGN || !aligned) {
		aligned = DIRECT_ALIGN - l->at % DIRECT_ALIGN;
		return write_buffered(l, buf, aligned < bytes ? aligned : bytes);
	}
	return pwrite(l->j->fd, buf, aligned, (off_t)l->at);
}

/* Fills a piece. The content depends on the number of the piece in the file, so a range may start
   anywhere. */
static void fill_piece(struct layout *l, uint64_t piece, unsigned char *buf)
{
	const struct buffer_cfg *c = l->j->buffer;
	bool unique = !c->zero && (c->scramble || c->refill);
	uint64_t left = l->j->to - piece * PIECE_BYTES, bytes = left < PIECE_BYTES ? left : PIECE_BYTES;

	if (content_at(&l->content, buf, bytes, piece * PIECE_BYTES))
		return;
	if (!unique && l->at != l->j->from)
		return;
	if (!unique && buf != l->buf) {
		memcpy(buf, l->buf, bytes);
		return;
	}
	rng_init(&l->content.rng, rng_mix64(l->j->seed) + (unique ? piece : 0));
	content_init_buffer(&l->content, buf, bytes);
}

/* Returns the size of the buffer. Small files need less memory than a piece. */
static size_t buffer_bytes(const struct layout *l)
{
	uint64_t need = l->j->to - l->at / PIECE_BYTES * PIECE_BYTES;

	need = (need + DIRECT_ALIGN - 1) / DIRECT_ALIGN * DIRECT_ALIGN;
	return need < l->pieces * PIECE_BYTES ? need : l->pieces * PIECE_BYTES;
}

static void init_content(struct layout *l)
{
	const struct layout_job *j = l->j;
	struct content_geometry place = { .seed = rng_mix64(j->seed), .unit = j->unit, .block = j->block };

	place.unit = place.unit ? place.unit : DIRECT_ALIGN;
	place.block = place.block ? place.block : DIRECT_ALIGN;
	place.units = j->to / place.unit;
	content_init(&l->content, j->buffer, &place);
}

/* Switches O_DIRECT off if the write failed because of it: some file systems reject it only at the first
   write. Returns whether it did. */
static bool not_direct(struct layout *l, int err)
{
	if (err != EINVAL || !l->j->bypass_cache || !(l->flags & O_DIRECT))
		return false;
	l->flags &= ~O_DIRECT;
	return !fcntl(l->j->fd, F_SETFL, l->flags);
}

static int write_pieces(struct layout *l)
{
	uint64_t piece = l->at / PIECE_BYTES, start = piece * PIECE_BYTES;
	uint64_t end = start + l->pieces * PIECE_BYTES;
	ssize_t n;

	end = end < l->j->to ? end : l->j->to;
	for (uint64_t i = 0; start + i * PIECE_BYTES < end; i++)
		fill_piece(l, piece + i, l->buf + i * PIECE_BYTES);
	while (l->at < end) {
		n = write_some(l, l->buf + (l->at - start), end - l->at);
		if (n < 0 && ((errno == EINTR && !stopped(l)) || not_direct(l, errno)))
			continue;
		if (n <= 0)
			return n ? -errno : -ENOSPC;
		l->at += (uint64_t)n;
		if (l->j->progress)
			atomic_fetch_add_explicit(l->j->progress, (uint64_t)n, memory_order_relaxed);
	}
	return 0;
}

/* Starts and awaits write-back. It ignores errors, because fsync reports the same failure later. */
static void start_writeback(struct layout *l)
{
	uint64_t done = l->at - l->flushed;

	if (done < FLUSH_BYTES || l->j->no_sync || l->flags & O_DIRECT)
		return;
	if (l->flushed > l->j->from)
		(void)sync_file_range(l->j->fd, (off_t)l->j->from, (off_t)(l->flushed - l->j->from),
				      SYNC_FILE_RANGE_WAIT_BEFORE);
	(void)sync_file_range(l->j->fd, (off_t)l->flushed, (off_t)done, SYNC_FILE_RANGE_WRITE);
	l->flushed = l->at;
}

static int write_layout(struct layout *l)
{
	int ret = 0;

	while (!ret && l->at < l->j->to) {
		ret = stopped(l) ? -EINTR : write_pieces(l);
		start_writeback(l);
	}
	if (ret == -ENOSPC && l->j->allow_full)
		ret = 0;
	if (!ret && stopped(l))
		return -EINTR;
	if (!ret && !l->j->no_sync && fsync(l->j->fd) && !(errno == ENOSPC && l->j->allow_full))
		ret = -errno;
	return ret;
}

static int run_layout(const struct layout_job *j, const atomic_bool *failed, struct diag *d)
{
	struct layout l = { .j = j, .failed = failed, .at = j->from, .flushed = j->from };
	int ret;

	l.flags = fcntl(j->fd, F_GETFL);
	ret = l.flags < 0 ? -errno : 0;
	if (j->bypass_cache && j->to - j->from >= BYPASS_MIN_BYTES && l.flags >= 0 &&
	    !fcntl(j->fd, F_SETFL, l.flags | O_DIRECT))
		l.flags |= O_DIRECT;
	l.free_bytes = free_bytes(j->fd);
	init_content(&l);
	l.pieces = j->pieces ? j->pieces : 1;
	l.buf = aligned_alloc(DIRECT_ALIGN, buffer_bytes(&l));
	if (!ret)
		ret = l.buf ? write_layout(&l) : -ENOMEM;
	free(l.buf);
	return ret ? describe_error(&l, ret, d) : 0;
}

/* The files that several threads lay out together. */
struct layout_set {
	const struct layout_job *jobs;
	unsigned n;
	atomic_uint next;
	atomic_bool failed;
	pthread_mutex_t lock; /* protects d */
	struct diag *d;
};

/* Records the first error only: the other files stop because of it. */
static void set_error(struct layout_set *set, struct diag *d)
{
	pthread_mutex_lock(&set->lock);
	if (!atomic_exchange(&set->failed, true))
		diag_message(set->d, d->kind, d->err, d->message ? d->message : diag_text(d));
	pthread_mutex_unlock(&set->lock);
	diag_fini(d);
}

static void *work(void *arg)
{
	struct layout_set *set = arg;
	struct diag d = { 0 };
	unsigned i;

	while (!atomic_load(&set->failed) && (i = atomic_fetch_add(&set->next, 1)) < set->n)
		if (run_layout(&set->jobs[i], &set->failed, &d))
			set_error(set, &d);
	return NULL;
}

static void *work_as_helper(void *arg)
{
	helper_cpu_thread_begins(0);
	work(arg);
	helper_cpu_thread_ends();
	return NULL;
}

/* Returns the number of helpers started; the caller does the rest of the work. */
static unsigned start_helpers(struct layout_set *set, pthread_t *ids, unsigned count)
{
	sigset_t all, old;
	unsigned started = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (started < count && !pthread_create(&ids[started], NULL, work_as_helper, set))
		started++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return started;
}

int layout_write_files(const struct layout_job *jobs, unsigned n, unsigned threads, struct diag *d)
{
	struct layout_set set = { .jobs = jobs, .n = n, .lock = PTHREAD_MUTEX_INITIALIZER, .d = d };
	unsigned helpers = threads < n ? threads : n, started = 0;
	pthread_t *ids = NULL;

	if (helpers > 1)
		ids = calloc(helpers - 1, sizeof(*ids));
	if (ids)
		started = start_helpers(&set, ids, helpers - 1);
	work(&set);
	while (started)
		pthread_join(ids[--started], NULL);
	free(ids);
	pthread_mutex_destroy(&set.lock);
	return atomic_load(&set.failed) ? d->err : 0;
}
