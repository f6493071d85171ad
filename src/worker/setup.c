/* setup.c: opens, closes, syncs and removes the worker's files. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "clone.h"
#include "created_files.h"
#include "exec.h"
#include "io_source.h"
#include "layout_worker.h"
#include "meta.h"
#include "next_io.h"
#include "setup.h"
#include "worker.h"

#define PRE_READ_BYTES ((size_t)1 << 20)

static bool writes(const struct worker *w, uint32_t i)
{
	return clone_file_job(&w->clone, i)->rw & (RW_WRITE | RW_TRIM) ||
	       w->q.eng.engine->caps & ENG_CHANGES_FILES;
}

void setup_invalidate(struct worker *w, uint32_t i)
{
	int ret = file_invalidate(&w->files.file[i]);

	if (ret)
		clone_note(&w->clone, "%s: its cached pages could not be dropped (invalidate=1): %s",
			   w->files.file[i].path, diag_errno(ret));
}

bool setup_open(struct worker *w, uint32_t i)
{
	const struct plan_file *pf = &w->clone.job->files[i];
	const struct file_cfg *cfg = &clone_file_opts(&w->clone, i)->file;
	struct file *f = &w->files.file[i];
	struct diag d = { 0 };
	struct stat st;
	int ret = created_files_open(&w->clone, i, f, cfg, writes(w, i), &d);

	if (ret) {
		clone_fail_diag(&w->clone, -ret, &d);
		diag_fini(&d);
		return false;
	}
	f->index = (uint16_t)i;
	f->start = pf->start;
	f->len = w->files.fitted ? io_source_gen(&w->source, i, 0)->len : pf->len;
	if (cfg->invalidate)
		setup_invalidate(w, i);
	file_advise(f, cfg->advice, pf->user->rw & RW_RANDOM);
	w->files.nopen++;
	atomic_store_explicit(&w->clone.slot->open_files, w->files.nopen, memory_order_relaxed);
	if (f->type == TARGET_FILE && pf->user->rw & RW_READ && f->len &&
	    !(w->q.eng.engine->caps & ENG_CHANGES_FILES) && fstat(f->fd, &st) == 0 &&
	    (uint64_t)st.st_size < pf->start + f->len && pf->layout != LAYOUT_ON_OPEN) {
		clone_fail(&w->clone, EINVAL,
			   "%s: has %" PRIu64 " bytes, less than the %" PRIu64 " to be read", f->path,
			   (uint64_t)st.st_size, pf->start + f->len);
		return false;
	}
	return true;
}

static void close_file(struct worker *w, uint32_t i, bool sync)
{
	struct file_cfg cfg = clone_file_opts(&w->clone, i)->file;
	struct file *f = &w->files.file[i];
	int ret;

	if (f->fd < 0)
		return;
	cfg.fsync_on_close &= sync;
	ret = file_close(f, &cfg);
	if (ret && !(ret == -ENOSPC && w->clone.opts->files.fill))
		clone_fail(&w->clone, -ret, "%s: close: %s%s", f->path, diag_errno(ret), diag_hint(ret));
	w->files.nopen--;
	atomic_store_explicit(&w->clone.slot->open_files, w->files.nopen, memory_order_relaxed);
}

void setup_close(struct worker *w, uint32_t i)
{
	close_file(w, i, true);
}

/* fill_device: limits a job that reads to the data that fitted. */
static void fit(struct worker *w)
{
	uint64_t total = 0;
	struct stat st;

	for (uint32_t i = 0; i < w->clone.job->nfiles; i++) {
		const struct plan_file *pf = &w->clone.job->files[i];
		uint64_t size = pf->size;

		if (pf->layout == LAYOUT_FILL && !stat(clone_target(&w->clone, i)->path, &st))
			size = (uint64_t)st.st_size;
		size = size > pf->start ? size - pf->start : 0;
		io_source_fit(w, i, size < pf->len ? size : pf->len);
		total += io_source_gen(&w->source, i, 0)->len;
	}
	w->files.fitted = true;
	if (w->quota.loop_bytes > total && !w->clone.job->repeat)
		quota_set(w, total);
	if (!total) {
		clone_note(&w->clone, "{fill_device=1}: no room was left for its files");
		w->quota.exhausted = true;
	}
}

static int read_through(struct worker *w, int fd, uint64_t at, uint64_t end)
{
	unsigned char *buf = malloc(PRE_READ_BYTES);
	int ret = buf ? 0 : -ENOMEM;

	while (!ret && at < end && !clone_stopped(&w->clone)) {
		uint64_t left = end - at;
		ssize_t n = pread(fd, buf, left < PRE_READ_BYTES ? left : PRE_READ_BYTES, (off_t)at);

		if (n == 0)
			break;
		if (n > 0)
			at += (uint64_t)n;
		else if (errno != EINTR)
			ret = -errno;
	}
	free(buf);
	return ret;
}

/* pre_read=1: brings the file's range into the page cache. Returns false after clone_fail. */
static bool pre_read(struct worker *w, uint32_t i)
{
	static const struct file_cfg plain = { 0 };
	const struct plan_file *pf = &w->clone.job->files[i];
	struct file f = { .index = (uint16_t)i };
	struct diag d = { 0 };
	int ret;

	if (pf->layout == LAYOUT_ON_OPEN)
		return true;
	ret = created_files_open(&w->clone, i, &f, &plain, false, &d);
	if (ret == 0) {
		ret = read_through(w, f.fd, pf->start, pf->start + pf->len);
		file_close(&f, &plain);
		if (ret)
			diag_kind(&d, DIAG_RUN, ret, "%s: reading it beforehand (pre_read=1): %s", f.path,
				  diag_errno(ret));
	}
	if (ret)
		clone_fail_diag(&w->clone, -ret, &d);
	diag_fini(&d);
	return ret == 0;
}

static bool pre_read_all(struct worker *w)
{
	bool ok = true;

	clone_set_phase(&w->clone, PHASE_PRE_READ);
	for (uint32_t i = 0; i < w->clone.job->nfiles && ok; i++)
		ok = pre_read(w, i);
	clone_set_phase(&w->clone, PHASE_SETUP);
	return ok;
}

/* Opens all files, unless they are opened on demand. */
static bool open_all(struct worker *w)
{
	for (uint32_t i = 0; i < w->clone.job->nfiles && !w->files.dynamic; i++) {
		if (!setup_open(w, i))
			return false;
		if (!next_io_empty(w, i))
			w->files.state[i] = FILE_OPEN;
	}
	return true;
}

bool setup_files(struct worker *w)
{
	if (w->q.eng.engine->caps & ENG_NOFILE) {
		for (uint32_t i = 0; i < w->clone.job->nfiles; i++) {
			w->files.file[i].path = clone_target(&w->clone, i)->path;
			w->files.file[i].index = (uint16_t)i;
			w->files.file[i].start = w->clone.job->files[i].start;
			w->files.file[i].len = w->clone.job->files[i].len;
			w->files.state[i] = FILE_OPEN;
		}
		return exec_prerun(w);
	}
	if (!layout_worker(w, LAYOUT_LATE) || !layout_worker_await_others(w) ||
	    (!w->clone.opts->files.create_only && !exec_prerun(w)))
		return false;
	if (meta_job(w))
		return true;
	if (w->clone.opts->files.fill)
		fit(w);
	if (w->clone.opts->files.pre_read && !pre_read_all(w))
		return false;
	return w->clone.opts->files.create_only || open_all(w);
}

/* Syncs a file at the end. A file that was closed meanwhile is opened for the sync, as in fio. */
static void sync_file(struct worker *w, uint32_t i)
{
	struct file *f = &w->files.file[i];
	bool closed = f->fd < 0;

	if (!f->write || (closed && !setup_open(w, i)))
		return;
	if (fsync(f->fd) && !(errno == ENOSPC && w->clone.opts->files.fill))
		clone_fail(&w->clone, errno, "%s: fsync at the end: %s%s", f->path, diag_errno(errno),
			   diag_hint(errno));
	if (closed)
		close_file(w, i, false);
}

static void sync_all(struct worker *w)
{
	for (uint32_t i = 0; i < w->clone.job->nfiles && !w->clone.failed; i++)
		if (w->clone.opts->sync.end_fsync || clone_file_opts(&w->clone, i)->file.fsync_on_close)
			sync_file(w, i);
	w->files.synced = !w->clone.failed;
}

void setup_renew(struct worker *w)
{
	if (!meta_job(w)) {
		engine_reopen(&w->q.eng, false);
		for (uint32_t i = 0; i < w->clone.job->nfiles; i++)
			setup_close(w, i);
		sync_all(w);
		w->files.synced = false;
	}
	for (uint32_t i = 0; i < w->clone.job->nfiles && w->clone.opts->files.unlink_each_loop; i++)
		created_files_unlink(&w->clone, i);
	if (!meta_job(w) && !w->clone.failed && open_all(w))
		engine_reopen(&w->q.eng, true);
}

/* Syncs the file system of each written file, mostly once per file system. */
static void sync_file_systems(struct worker *w)
{
	dev_t seen[16];
	unsigned n = 0;

	for (uint32_t i = 0; i < w->clone.job->nfiles; i++) {
		struct file *f = &w->files.file[i];
		struct stat st;
		unsigned k = 0;

		if (f->fd < 0 || !f->write || fstat(f->fd, &st))
			continue;
		while (k < n && seen[k] != st.st_dev)
			k++;
		if (k < n)
			continue;
		if (n < sizeof(seen) / sizeof(*seen))
			seen[n++] = st.st_dev;
		if (syncfs(f->fd))
			clone_fail(&w->clone, errno, "%s: syncfs at the end: %s", f->path, diag_errno(errno));
	}
}

void setup_sync(struct worker *w)
{
	if (!w->clone.failed)
		sync_all(w);
	if (w->clone.opts->sync.end_syncfs && !w->clone.failed)
		sync_file_systems(w);
}

void setup_finish(struct worker *w)
{
	/* The worker was never prepared, or its engine uses no files. */
	bool none = !w->files.file || w->q.eng.engine->caps & ENG_NOFILE, meta = !none && meta_job(w);

	for (uint32_t i = 0; i < w->clone.job->nfiles && !none && !meta; i++)
		close_file(w, i, !w->files.synced);
	exec_postrun(w);
	if (meta)
		meta_finish(w);
}
