/* setup.c: a worker's files: laid out before its wave's gate opens, opened, closed, removed. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "layout.h"
#include "worker.h"

/* Files that one worker lays out at the same time. */
#define LAYOUT_THREADS 4
#define LAYOUT_BATCH   64
/* How often, each 5 ms, a file that has appeared is looked at before it counts as someone else's. */
#define MADE_TRIES 200

static const struct plan_target *target_of(const struct worker *w, uint32_t i)
{
	return &w->plan->targets[w->pj->files[i].target];
}

static bool writes(const struct worker *w)
{
	return w->pj->rw & (RW_WRITE | RW_TRIM);
}

static void remember(struct worker *w, uint32_t i, int fd)
{
	struct region_made *m = &w->region->made[w->pj->files[i].target];
	struct stat st;

	if (fstat(fd, &st))
		return;
	atomic_store_explicit(&m->dev, (uint64_t)st.st_dev, memory_order_relaxed);
	atomic_store_explicit(&m->ino, (uint64_t)st.st_ino, memory_order_release);
}

/* What the plan saw, or this run has made since. */
static struct target_facts facts_now(const struct worker *w, uint32_t i)
{
	const struct region_made *m = &w->region->made[w->pj->files[i].target];
	struct target_facts now = *target_of(w, i)->facts;

	if (now.type == TARGET_MISSING && atomic_load_explicit(&m->ino, memory_order_acquire)) {
		now.type = TARGET_FILE;
		now.ino = (ino_t)atomic_load_explicit(&m->ino, memory_order_relaxed);
		now.dev = (dev_t)atomic_load_explicit(&m->dev, memory_order_relaxed);
	}
	return now;
}

/* Opens a file of the plan: the very one that the plan saw or this run has made; what was missing is created.
   With create_on_open another worker may have made it a moment ago and not said so yet, or have removed it at
   its end. */
static int open_planned(struct worker *w, uint32_t i, struct file *f, const struct file_cfg *cfg, bool write,
			struct diag *d)
{
	const struct timespec nap = { .tv_nsec = 5000000 };
	enum plan_layout layout = w->pj->files[i].layout;
	bool create;
	int ret;

	f->path = target_of(w, i)->path;
	f->fd = -1;
	for (unsigned tries = 0;; tries++) {
		struct target_facts now = facts_now(w, i);

		create = layout == LAYOUT_ON_OPEN || (layout != LAYOUT_NONE && now.type == TARGET_MISSING);
		ret = file_open(f, cfg, write, create, &now, &w->plan->allow, w->pj->seed, d);
		if (layout != LAYOUT_ON_OPEN || (ret != -ENOENT && ret != -EEXIST && ret != -EPERM) ||
		    tries == MADE_TRIES || worker_stopped(w))
			break;
		diag_fini(d);
		nanosleep(&nap, NULL);
	}
	if (ret == 0 && f->created)
		remember(w, i, f->fd);
	return ret;
}

/* How layout opens: plainly, whatever the job will do. */
static const struct file_cfg layout_cfg = { 0 };

/* Opens one file to be laid out. An existing file is laid out anew only where the plan found that it may. */
static int layout_open(struct worker *w, uint32_t i, struct file *f, struct diag *d)
{
	const struct plan_file *pf = &w->pj->files[i];
	int ret = open_planned(w, i, f, &layout_cfg, true, d);

	if (ret)
		return ret;
	if (pf->layout == LAYOUT_FILL && pf->layout_from == 0 && f->type == TARGET_FILE &&
	    target_of(w, i)->facts->type == TARGET_FILE)
		target_mark(f->fd, w->pj->seed, pf->size);
	return 0;
}

/* The files of `which`, up to *n; *n becomes the number that was dealt with: as many as may be open at once.
 */
static int layout_batch(struct worker *w, const uint32_t *which, unsigned *n, struct diag *d)
{
	struct file files[LAYOUT_BATCH];
	struct layout_job jobs[LAYOUT_BATCH];
	unsigned opened = 0, njobs = 0;
	int ret = 0;

	for (; opened < *n && !ret; opened++) {
		const struct plan_file *pf = &w->pj->files[which[opened]];
		struct file *f = &files[opened];
		struct stat st;

		ret = layout_open(w, which[opened], f, d);
		if (ret == -EMFILE && opened) {
			diag_fini(d);
			ret = 0;
			*n = opened;
			break;
		}
		if (ret)
			break;
		if (pf->layout == LAYOUT_CREATE) {
			ret = file_preallocate(f, &w->o->file, pf->size, d);
			continue;
		}
		/* Another wave may have written it in the meantime. */
		if (fstat(f->fd, &st) == 0 && (uint64_t)st.st_size >= pf->size)
			continue;
		jobs[njobs++] = (struct layout_job){ .fd = f->fd,
						     .path = f->path,
						     .from = pf->layout_from,
						     .to = pf->size,
						     .seed = w->pj->seed + which[opened],
						     .buffer = &w->o->buffer,
						     .progress = &w->slot->layout_bytes,
						     .stop = &w->slot->stop };
	}
	if (!ret && njobs)
		ret = layout_many(jobs, njobs, LAYOUT_THREADS, d);
	for (unsigned i = 0; i < opened; i++) {
		int r = file_close(&files[i], &layout_cfg);

		if (r && !ret)
			ret = diag_kind(d, DIAG_RUN, r, "%s: close: %s", files[i].path, diag_errno(r));
	}
	return ret;
}

static void settle(struct worker *w, const uint32_t *which, unsigned n, enum cell_state state)
{
	for (unsigned i = 0; i < n; i++)
		futex_set(&w->region->cells[w->pj->files[which[i]].cell], state);
}

/* Up to LAYOUT_BATCH of the files from *next on that this worker lays out. */
static unsigned gather(const struct worker *w, uint32_t *next, uint32_t *which, unsigned n)
{
	for (; *next < w->pj->nfiles && n < LAYOUT_BATCH; ++*next) {
		const struct plan_file *pf = &w->pj->files[*next];

		if (pf->owner && (pf->layout == LAYOUT_CREATE || pf->layout == LAYOUT_FILL))
			which[n++] = *next;
	}
	return n;
}

static bool lay_out_own(struct worker *w)
{
	uint32_t which[LAYOUT_BATCH], next = 0;
	unsigned n;
	bool ok = true;

	for (unsigned left = 0; (n = gather(w, &next, which, left));) {
		struct diag d = { 0 };
		unsigned dealt = n;
		int ret = ok ? layout_batch(w, which, &dealt, &d) : -ECANCELED;

		if (ret && ok && !worker_stopped(w))
			worker_fail(w, -ret, "%s", diag_text(&d));
		ok = ok && ret == 0;
		diag_fini(&d);
		settle(w, which, dealt, ret ? CELL_FAILED : CELL_READY);
		left = n - dealt;
		memmove(which, which + dealt, left * sizeof(*which));
	}
	return ok;
}

static bool await_others(struct worker *w)
{
	for (uint32_t i = 0; i < w->pj->nfiles; i++) {
		const struct plan_file *pf = &w->pj->files[i];
		_Atomic uint32_t *cell = &w->region->cells[pf->cell];

		if (pf->owner || (pf->layout != LAYOUT_CREATE && pf->layout != LAYOUT_FILL))
			continue;
		futex_wait_until(cell, CELL_TODO, UINT64_MAX);
		if (atomic_load_explicit(cell, memory_order_acquire) == CELL_FAILED) {
			if (!worker_stopped(w))
				worker_fail(w, EIO, "%s: its layout failed in another job",
					    target_of(w, i)->path);
			return false;
		}
	}
	return true;
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
	struct file *f = &w->files[i];
	struct diag d = { 0 };
	struct stat st;
	int ret = open_planned(w, i, f, &w->o->file, writes(w), &d);

	if (ret) {
		worker_fail(w, -ret, "%s", diag_text(&d));
		diag_fini(&d);
		return false;
	}
	f->index = (uint16_t)i;
	f->start = pf->start;
	f->len = pf->len;
	file_advise(f, w->pj->rw & RW_RANDOM);
	if (w->o->file.invalidate)
		setup_invalidate(w, i);
	w->serve.nopen++;
	atomic_store_explicit(&w->slot->open_files, w->serve.nopen, memory_order_relaxed);
	if (f->type == TARGET_FILE && w->pj->rw & RW_READ && fstat(f->fd, &st) == 0 &&
	    (uint64_t)st.st_size < pf->start + pf->len && pf->layout != LAYOUT_ON_OPEN) {
		worker_fail(w, EINVAL, "%s: has %" PRIu64 " bytes, less than the %" PRIu64 " to be read",
			    f->path, (uint64_t)st.st_size, pf->start + pf->len);
		return false;
	}
	return true;
}

void setup_close(struct worker *w, uint32_t i)
{
	struct file *f = &w->files[i];
	int ret;

	if (f->fd < 0)
		return;
	ret = file_close(f, &w->o->file);
	if (ret)
		worker_fail(w, -ret, "%s: close: %s", f->path, diag_errno(ret));
	w->serve.nopen--;
	atomic_store_explicit(&w->slot->open_files, w->serve.nopen, memory_order_relaxed);
}

bool setup_files(struct worker *w)
{
	if (w->eng.engine->caps & ENG_NOFILE) {
		for (uint32_t i = 0; i < w->pj->nfiles; i++) {
			w->files[i].path = target_of(w, i)->path;
			w->files[i].index = (uint16_t)i;
			w->serve.state[i] = FILE_OPEN;
		}
		return true;
	}
	if (!lay_out_own(w) || !await_others(w))
		return false;
	for (uint32_t i = 0; i < w->pj->nfiles && !w->dynamic_files; i++) {
		if (!setup_open(w, i))
			return false;
		w->serve.state[i] = FILE_OPEN;
	}
	return true;
}

static void sync_all(struct worker *w)
{
	for (uint32_t i = 0; i < w->pj->nfiles; i++) {
		struct file *f = &w->files[i];

		if (f->fd >= 0 && f->write && fsync(f->fd))
			worker_fail(w, errno, "%s: fsync at the end: %s", f->path, diag_errno(errno));
	}
}

/* Removes the file that is meant, not one that has taken its name since. */
static void remove_file(struct worker *w, const char *path, const struct target_facts *meant)
{
	struct stat st;

	if (lstat(path, &st)) {
		if (errno != ENOENT)
			worker_fail(w, errno, "%s: unlink: %s", path, diag_errno(errno));
		return;
	}
	if (st.st_dev != meant->dev || st.st_ino != meant->ino)
		worker_note(w, "%s: not removed (unlink=1): another file, or a link, has this name now",
			    path);
	else if (unlink(path) && errno != ENOENT)
		worker_fail(w, errno, "%s: unlink: %s", path, diag_errno(errno));
}

/* unlink=1 removes what carries fiord's mark or was made by this run, nothing else. */
static void remove_files(struct worker *w)
{
	for (uint32_t i = 0; i < w->pj->nfiles; i++) {
		const struct plan_target *t = target_of(w, i);
		struct target_facts meant = facts_now(w, i);

		if (meant.type != TARGET_FILE)
			continue;
		if (t->facts->type == TARGET_FILE && !t->facts->marked)
			worker_note(w, "%s: not removed (unlink=1): fiord has not made it", t->path);
		else
			remove_file(w, t->path, &meant);
	}
}

void setup_sync(struct worker *w)
{
	if (w->o->sync.end_fsync && !w->failed)
		sync_all(w);
}

void setup_finish(struct worker *w)
{
	if (!w->files || w->eng.engine->caps & ENG_NOFILE) /* never prepared, or nothing to close */
		return;
	for (uint32_t i = 0; i < w->pj->nfiles; i++)
		setup_close(w, i);
	if (w->o->files.unlink)
		remove_files(w);
}
