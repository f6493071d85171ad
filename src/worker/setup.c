/* setup.c: a worker's files: opened, closed, synced, removed. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "worker.h"

#define PRE_READ_BYTES ((size_t)1 << 20)

static bool writes(const struct worker *w, uint32_t i)
{
	return worker_of(w, i)->rw & (RW_WRITE | RW_TRIM) || w->eng.engine->caps & ENG_CHANGES_FILES;
}

void setup_invalidate(struct worker *w, uint32_t i)
{
	int ret = file_invalidate(&w->files[i]);

	if (ret)
		worker_note(w, "%s: its cached pages could not be dropped (invalidate=1): %s",
			    w->files[i].path, diag_errno(ret));
}

bool setup_open(struct worker *w, uint32_t i)
{
	const struct plan_file *pf = &w->pj->files[i];
	const struct file_cfg *cfg = &worker_opts(w, i)->file;
	struct file *f = &w->files[i];
	struct diag d = { 0 };
	struct stat st;
	int ret = created_open(w, i, f, cfg, writes(w, i), &d);

	if (ret) {
		worker_fail_diag(w, -ret, &d);
		diag_fini(&d);
		return false;
	}
	f->index = (uint16_t)i;
	f->start = pf->start;
	f->len = w->fitted ? io_source_gen(&w->source, i, 0)->len : pf->len;
	if (cfg->invalidate)
		setup_invalidate(w, i);
	file_advise(f, cfg->advice, pf->of->rw & RW_RANDOM);
	w->source.nopen++;
	atomic_store_explicit(&w->slot->open_files, w->source.nopen, memory_order_relaxed);
	if (f->type == TARGET_FILE && pf->of->rw & RW_READ && f->len &&
	    !(w->eng.engine->caps & ENG_CHANGES_FILES) && fstat(f->fd, &st) == 0 &&
	    (uint64_t)st.st_size < pf->start + f->len && pf->layout != LAYOUT_ON_OPEN) {
		worker_fail(w, EINVAL, "%s: has %" PRIu64 " bytes, less than the %" PRIu64 " to be read",
			    f->path, (uint64_t)st.st_size, pf->start + f->len);
		return false;
	}
	return true;
}

static void close_file(struct worker *w, uint32_t i, bool sync)
{
	struct file_cfg cfg = worker_opts(w, i)->file;
	struct file *f = &w->files[i];
	int ret;

	if (f->fd < 0)
		return;
	cfg.fsync_on_close &= sync;
	ret = file_close(f, &cfg);
	if (ret && !(ret == -ENOSPC && w->o->files.fill))
		worker_fail(w, -ret, "%s: close: %s%s", f->path, diag_errno(ret), diag_hint(ret));
	w->source.nopen--;
	atomic_store_explicit(&w->slot->open_files, w->source.nopen, memory_order_relaxed);
}

void setup_close(struct worker *w, uint32_t i)
{
	close_file(w, i, true);
}

/* fill_device of a job that reads: works on what fitted. */
static void fit(struct worker *w)
{
	uint64_t total = 0;
	struct stat st;

	for (uint32_t i = 0; i < w->pj->nfiles; i++) {
		const struct plan_file *pf = &w->pj->files[i];
		uint64_t size = pf->size;

		if (pf->layout == LAYOUT_FILL && !stat(setup_target(w, i)->path, &st))
			size = (uint64_t)st.st_size;
		size = size > pf->start ? size - pf->start : 0;
		next_io_fit(w, i, size < pf->len ? size : pf->len);
		total += io_source_gen(&w->source, i, 0)->len;
	}
	w->fitted = true;
	if (w->loop_bytes > total && !w->pj->repeat)
		serve_limit(w, total);
	if (!total) {
		worker_note(w, "fill_device=1: no room was left for its files");
		w->exhausted = true;
	}
}

static bool pre_read_all(struct worker *w)
{
	bool ok = true;

	worker_phase(w, PHASE_PRE_READ);
	for (uint32_t i = 0; i < w->pj->nfiles && ok; i++)
		ok = setup_pre_read(w, i);
	worker_phase(w, PHASE_SETUP);
	return ok;
}

/* Those that are not opened when they are needed. */
static bool open_all(struct worker *w)
{
	for (uint32_t i = 0; i < w->pj->nfiles && !w->dynamic_files; i++) {
		if (!setup_open(w, i))
			return false;
		if (!next_io_empty(w, i))
			w->source.state[i] = FILE_OPEN;
	}
	return true;
}

bool setup_files(struct worker *w)
{
	if (w->eng.engine->caps & ENG_NOFILE) {
		for (uint32_t i = 0; i < w->pj->nfiles; i++) {
			w->files[i].path = setup_target(w, i)->path;
			w->files[i].index = (uint16_t)i;
			w->files[i].start = w->pj->files[i].start;
			w->files[i].len = w->pj->files[i].len;
			w->source.state[i] = FILE_OPEN;
		}
		return exec_prerun(w);
	}
	if (!layout_worker(w, LAY_LATE) || !layout_worker_await_others(w) ||
	    (!w->o->files.create_only && !exec_prerun(w)))
		return false;
	if (meta_job(w))
		return true;
	if (w->o->files.fill)
		fit(w);
	if (w->o->files.pre_read && !pre_read_all(w))
		return false;
	return w->o->files.create_only || open_all(w);
}

static int read_through(struct worker *w, int fd, uint64_t at, uint64_t end)
{
	unsigned char *buf = malloc(PRE_READ_BYTES);
	int ret = buf ? 0 : -ENOMEM;

	while (!ret && at < end && !worker_stopped(w)) {
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

bool setup_pre_read(struct worker *w, uint32_t i)
{
	static const struct file_cfg plain = { 0 };
	const struct plan_file *pf = &w->pj->files[i];
	struct file f = { .index = (uint16_t)i };
	struct diag d = { 0 };
	int ret;

	if (pf->layout == LAYOUT_ON_OPEN)
		return true;
	ret = created_open(w, i, &f, &plain, false, &d);
	if (ret == 0) {
		ret = read_through(w, f.fd, pf->start, pf->start + pf->len);
		file_close(&f, &plain);
		if (ret)
			diag_kind(&d, DIAG_RUN, ret, "%s: reading it beforehand (pre_read=1): %s", f.path,
				  diag_errno(ret));
	}
	if (ret)
		worker_fail_diag(w, -ret, &d);
	diag_fini(&d);
	return ret == 0;
}

/* A file that was closed meanwhile is opened for that, as in fio. */
static void sync_file(struct worker *w, uint32_t i)
{
	struct file *f = &w->files[i];
	bool closed = f->fd < 0;

	if (!f->write || (closed && !setup_open(w, i)))
		return;
	if (fsync(f->fd) && !(errno == ENOSPC && w->o->files.fill))
		worker_fail(w, errno, "%s: fsync at the end: %s%s", f->path, diag_errno(errno),
			    diag_hint(errno));
	if (closed)
		close_file(w, i, false);
}

static void sync_all(struct worker *w)
{
	for (uint32_t i = 0; i < w->pj->nfiles && !w->failed; i++)
		if (w->o->sync.end_fsync || worker_opts(w, i)->file.fsync_on_close)
			sync_file(w, i);
	w->synced = !w->failed;
}

void setup_renew(struct worker *w)
{
	if (!meta_job(w)) {
		eng_reopen(&w->eng, false);
		for (uint32_t i = 0; i < w->pj->nfiles; i++)
			setup_close(w, i);
		sync_all(w);
		w->synced = false;
	}
	for (uint32_t i = 0; i < w->pj->nfiles && w->o->files.unlink_each_loop; i++)
		created_remove(w, i);
	if (!meta_job(w) && !w->failed && open_all(w))
		eng_reopen(&w->eng, true);
}

/* Of each file system once. */
static void sync_file_systems(struct worker *w)
{
	dev_t seen[16];
	unsigned n = 0;

	for (uint32_t i = 0; i < w->pj->nfiles; i++) {
		struct file *f = &w->files[i];
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
			worker_fail(w, errno, "%s: syncfs at the end: %s", f->path, diag_errno(errno));
	}
}

void setup_sync(struct worker *w)
{
	if (!w->failed)
		sync_all(w);
	if (w->o->sync.end_syncfs && !w->failed)
		sync_file_systems(w);
}

void setup_finish(struct worker *w)
{
	/* Never prepared, or nothing to close. */
	bool none = !w->files || w->eng.engine->caps & ENG_NOFILE, meta = !none && meta_job(w);

	for (uint32_t i = 0; i < w->pj->nfiles && !none && !meta; i++)
		close_file(w, i, !w->synced);
	exec_postrun(w);
	if (meta)
		meta_finish(w);
}
