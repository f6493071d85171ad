/* layout_worker.c: a worker lays out its files before its wave's gate opens. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "clone.h"
#include "created_files.h"
#include "layout.h"
#include "layout_worker.h"
#include "meta.h"
#include "worker.h"

/* The number of threads with which one worker lays out files. */
#define LAYOUT_THREADS 4
#define LAYOUT_BATCH   64
/* The size of one write in MiB (a device is slow with small writes, one at a time), and the limit for the
   buffers of all workers together. */
#define PIECES     8
#define PIECES_ALL 256

/* Layout opens files without any of the job's options. */
static const struct file_cfg layout_cfg = { 0 };

#define BYTES4(n)  (n), (n) + 1, (n) + 2, (n) + 3
#define BYTES16(n) BYTES4(n), BYTES4((n) + 4), BYTES4((n) + 8), BYTES4((n) + 12)
#define BYTES64(n) BYTES16(n), BYTES16((n) + 16), BYTES16((n) + 32), BYTES16((n) + 48)

/* Returns the contents for files that the layout writes. */
static const struct buffer_cfg *layout_content(const struct job_opts *o)
{
	static const unsigned char bytes[] = { BYTES64(0), BYTES64(64), BYTES64(128), BYTES64(192) };
	static const struct pattern all_bytes = { .bytes = bytes, .len = sizeof(bytes) };
	static const struct buffer_cfg pattern = { .pattern = &all_bytes }, zero = { .zero = true };

	switch (o->files.create_fill) {
	case CREATE_FILL_PATTERN:
		return &pattern;
	case CREATE_FILL_ZERO:
		return &zero;
	case CREATE_FILL_WRITE:
		break;
	}
	return &o->buffer;
}

/* create=always: removes the old contents. */
static int throw_away(const struct file *f, struct diag *d)
{
	if (!ftruncate(f->fd, 0))
		return 0;
	return diag_kind(d, DIAG_RUN, -errno, "%s: ftruncate to 0: %s%s", f->path, diag_errno(errno),
			 diag_hint(errno));
}

/* Opens one file for the layout. An existing file is rewritten only if the plan allows it. */
static int layout_open(struct worker *w, uint32_t i, struct file *f, struct diag *d)
{
	const struct plan_file *pf = &w->clone.job->files[i];
	int ret = created_files_open(&w->clone, i, f, &layout_cfg, true, d);

	if (ret)
		return ret;
	if (pf->layout == LAYOUT_FILL && pf->layout_from == 0 && f->type == TARGET_FILE &&
	    clone_target(&w->clone, i)->facts->type == TARGET_FILE)
		target_mark(f->fd, w->clone.job->seed, pf->size);
	return pf->recreate ? throw_away(f, d) : 0;
}

/* Returns true if the layout should bypass the page cache: fsync would wait for the data, and invalidate=1
   would then drop it. */
static bool bypass_cache(const struct worker *w, const struct plan_file *pf)
{
	return w->clone.opts->files.create_fsync && w->clone.opts->file.invalidate &&
	       !w->clone.opts->files.pre_read && !pf->fill;
}

static unsigned pieces(const struct worker *w)
{
	uint32_t each = PIECES_ALL / LAYOUT_THREADS / w->clone.plan->njobs;

	if (w->clone.opts->files.create_serialize || each > PIECES)
		return PIECES;
	return each ? each : 1;
}

/* Preallocates the file. On failure the file gets its old length back. */
static int preallocate(const struct file *f, const struct file_cfg *cfg, uint64_t size, struct diag *d)
{
	struct stat before;
	int known = fstat(f->fd, &before), ret = file_preallocate(f, cfg, size, d);

	if (ret && !known && S_ISREG(before.st_mode) && ftruncate(f->fd, before.st_size))
		diag_wrap(d, "and it could not be cut back: %s", diag_errno(errno));
	return ret;
}

/* Undoes a layout that failed: removes a file that this run created, and cuts off the data that it added to
   an older file. A file that it was rewriting stays, marked as unfinished. */
static void undo(struct worker *w, uint32_t i, const struct file *f)
{
	const struct plan_file *pf = &w->clone.job->files[i];
	struct stat st;

	if (f->fd < 0 || fstat(f->fd, &st) || !S_ISREG(st.st_mode))
		return;
	if (f->created)
		created_files_unlink(&w->clone, i);
	else if (pf->layout == LAYOUT_FILL && pf->layout_from && (uint64_t)st.st_size > pf->layout_from &&
		 (uint64_t)st.st_size < pf->size && ftruncate(f->fd, (off_t)pf->layout_from))
		clone_note(&w->clone, "%s: what its layout has added could not be taken away: %s", f->path,
			   diag_errno(errno));
}

/* Lays out the first *n files of `which`. *n becomes the number of files handled: as many as can be open at
   once. */
static int layout_batch(struct worker *w, const uint32_t *which, unsigned *n, struct diag *d)
{
	struct file files[LAYOUT_BATCH];
	struct layout_job jobs[LAYOUT_BATCH];
	unsigned opened = 0, njobs = 0;
	int ret = 0;

	for (; opened < *n && !ret; opened++) {
		const struct plan_file *pf = &w->clone.job->files[which[opened]];
		const struct job_opts *o = &pf->user->job->opts;
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
			ret = pf->fill ? 0 : preallocate(f, &o->file, pf->size, d);
			continue;
		}
		/* Another wave may have written the file in the meantime. */
		if (fstat(f->fd, &st) == 0 && (uint64_t)st.st_size >= pf->size)
			continue;
		jobs[njobs++] =
			(struct layout_job){ .fd = f->fd,
					     .path = f->path,
					     .from = pf->layout_from,
					     .to = pf->size,
					     .seed = w->clone.job->seed + which[opened],
					     .buffer = layout_content(o),
					     .allow_full = pf->fill,
					     .no_sync = !w->clone.opts->files.create_fsync,
					     .bypass_cache = bypass_cache(w, pf),
					     .pieces = pieces(w),
					     .unit = pf->user->content.unit,
					     .block = o->files.create_fill ? 0 : pf->user->content.block,
					     .progress = &w->clone.slot->layout_bytes,
					     .stop = &w->clone.slot->stop };
	}
	if (!ret && njobs)
		ret = layout_write_files(jobs, njobs,
					 w->clone.opts->files.create_serialize ? 1 : LAYOUT_THREADS, d);
	for (unsigned i = 0; i < opened; i++) {
		int r;

		if (ret)
			undo(w, which[i], &files[i]);
		r = file_close(&files[i], &layout_cfg);
		if (r && !ret)
			ret = diag_kind(d, DIAG_RUN, r, "%s: close: %s%s", files[i].path, diag_errno(r),
					diag_hint(r));
	}
	return ret;
}

static void settle(struct worker *w, const uint32_t *which, unsigned n, enum cell_state state)
{
	for (unsigned i = 0; i < n; i++)
		futex_set(&w->clone.region->cells[w->clone.job->files[which[i]].cell].state, state);
}

static bool waits(const struct worker *w)
{
	return w->clone.plan->stages[w->clone.job->stage].count > 0;
}

bool layout_worker_is_mine(const struct worker *w, uint32_t i, enum layout_round round)
{
	const struct plan_file *pf = &w->clone.job->files[i];

	if (!pf->owner || (pf->layout != LAYOUT_CREATE && pf->layout != LAYOUT_FILL))
		return false;
	return waits(w) ? pf->early == (round == LAYOUT_EARLY) : round == LAYOUT_LATE;
}

/* Adds files that this worker lays out in this round to `which`, from *next on, up to LAYOUT_BATCH. Returns
   how many it holds. */
static unsigned gather(const struct worker *w, enum layout_round round, uint32_t *next, uint32_t *which,
		       unsigned n)
{
	for (; *next < w->clone.job->nfiles && n < LAYOUT_BATCH; ++*next) {
		if (layout_worker_is_mine(w, *next, round))
			which[n++] = *next;
	}
	return n;
}

/* create_serialize=1: waits until the previous job has laid out its files. */
static void await_turn(const struct worker *w, enum layout_round round)
{
	bool late = waits(w) && round == LAYOUT_LATE;
	uint32_t before = w->clone.job->layout_after[late], seen;
	_Atomic uint32_t *laid;

	if (before == PLAN_NONE)
		return;
	laid = &region_slot(w->clone.region, before)->layout_rounds;
	while ((seen = atomic_load_explicit(laid, memory_order_acquire)) < 1u + late)
		futex_wait_until(laid, seen, UINT64_MAX);
}

bool layout_worker_files(struct worker *w, enum layout_round round)
{
	uint32_t which[LAYOUT_BATCH], next = 0;
	unsigned n;
	bool ok = true;

	for (unsigned left = 0; (n = gather(w, round, &next, which, left));) {
		struct diag d = { 0 };
		unsigned dealt = n;
		int ret = ok ? layout_batch(w, which, &dealt, &d) : -ECANCELED;

		if (ret && ok && !clone_stopped(&w->clone))
			clone_fail_diag(&w->clone, -ret, &d);
		ok = ok && ret == 0;
		diag_fini(&d);
		settle(w, which, dealt, ret ? CELL_FAILED : CELL_READY);
		left = n - dealt;
		memmove(which, which + dealt, left * sizeof(*which));
	}
	return ok;
}

bool layout_worker(struct worker *w, enum layout_round round)
{
	bool ok;

	await_turn(w, round);
	ok = meta_job(w) ? meta_lay_out(w, round) : layout_worker_files(w, round);
	futex_set(&w->clone.slot->layout_rounds, 1 + (uint32_t)round);
	return ok;
}

bool layout_worker_await_others(struct worker *w)
{
	for (uint32_t i = 0; i < w->clone.job->nfiles; i++) {
		const struct plan_file *pf = &w->clone.job->files[i];
		_Atomic uint32_t *cell = &w->clone.region->cells[pf->cell].state;

		if (pf->owner || (pf->layout != LAYOUT_CREATE && pf->layout != LAYOUT_FILL))
			continue;
		futex_wait_until(cell, CELL_TODO, UINT64_MAX);
		if (atomic_load_explicit(cell, memory_order_acquire) == CELL_FAILED) {
			if (!clone_stopped(&w->clone))
				clone_fail(&w->clone, EIO, "%s: its layout failed in another job",
					   clone_target(&w->clone, i)->path);
			return false;
		}
	}
	return true;
}
