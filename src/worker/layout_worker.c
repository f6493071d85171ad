/* layout_worker.c: a worker lays out its files before the gate of its stage opens. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "clone.h"
#include "file_set.h"
#include "layout.h"

/* One worker lays out files with this many threads. */
#define LAYOUT_THREADS 4
#define LAYOUT_BATCH   64
/* PIECES is the size of one write in MiB, because a device is slow with small writes, one at a time.
   PIECES_ALL limits the buffers of all workers together. */
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
static int truncate_file(const struct file *f, struct diag *d)
{
	if (!ftruncate(f->fd, 0))
		return 0;
	return diag_kind(d, DIAG_RUN, -errno, "%s: ftruncate to 0: %s%s", f->path, diag_errno(errno),
			 diag_hint(errno));
}

/* Opens one file for the layout. An existing file is rewritten only if the plan allows it. */
static int layout_open(struct clone *c, uint32_t i, struct file *f, struct diag *d)
{
	const struct plan_file *pf = &c->job->files[i];
	int ret = created_files_open(c, i, f, &layout_cfg, true, d);

	if (ret)
		return ret;
	if (pf->layout == LAYOUT_FILL && pf->layout_from == 0 && f->type == TARGET_FILE &&
	    clone_target(c, i)->facts->type == TARGET_FILE)
		target_mark(f->fd);
	ret = pf->recreate ? truncate_file(f, d) : 0;
	if (ret)
		file_close(f, &layout_cfg);
	return ret;
}

/* Returns true if the layout should bypass the page cache: fsync would wait for the data, and invalidate=1
   would then drop it. */
static bool bypass_cache(const struct clone *c, const struct plan_file *pf)
{
	return c->opts->files.create_fsync && c->opts->file.invalidate && !c->opts->files.pre_read &&
	       !pf->fill;
}

/* Returns the size of one write, in pieces of 1 MiB. */
static unsigned pieces(const struct clone *c)
{
	uint32_t share = PIECES_ALL / LAYOUT_THREADS / c->plan->njobs;

	if (c->opts->files.create_serialize || share > PIECES)
		return PIECES;
	return share ? share : 1;
}

/* Preallocates the file. On failure the file gets its old length back. */
static int preallocate(const struct file *f, const struct file_cfg *cfg, uint64_t size, struct diag *d)
{
	struct stat before;
	int known = fstat(f->fd, &before), ret = file_preallocate(f, cfg, size, d);

	if (ret && !known && S_ISREG(before.st_mode) && ftruncate(f->fd, before.st_size))
		diag_wrap(d, "and its old length could not be restored: %s", diag_errno(errno));
	return ret;
}

/* The files of a batch. All are open at once. */
struct batch {
	struct file files[LAYOUT_BATCH];
	uint64_t length[LAYOUT_BATCH];        /* when the layout began; UINT64_MAX: unknown */
	struct layout_job jobs[LAYOUT_BATCH]; /* the files that the layout writes */
	unsigned nfiles, njobs;
};

/* Undoes a layout that failed: removes a file that this run created, and gives an older file its length
   back. The contents that it was rewriting below that length stay. */
static void undo(struct clone *c, uint32_t i, const struct file *f, uint64_t length)
{
	const struct plan_file *pf = &c->job->files[i];
	struct stat st;

	if (f->fd < 0 || fstat(f->fd, &st) || !S_ISREG(st.st_mode))
		return;
	if (f->created)
		created_files_unlink(c, i);
	else if (pf->layout == LAYOUT_FILL && (uint64_t)st.st_size > length &&
		 (uint64_t)st.st_size < pf->size && ftruncate(f->fd, (off_t)length))
		clone_note(c, "%s: the data that its layout added could not be cut off: %s", f->path,
			   diag_errno(errno));
}

static struct layout_job layout_job(const struct clone *c, uint32_t i, const struct file *f)
{
	const struct plan_file *pf = &c->job->files[i];
	const struct job_opts *o = &pf->user->job->opts;

	return (struct layout_job){ .fd = f->fd,
				    .path = f->path,
				    .from = pf->layout_from,
				    .to = pf->size,
				    .seed = c->job->content_seed + i,
				    .buffer = layout_content(o),
				    .allow_full = pf->fill,
				    .no_sync = !c->opts->files.create_fsync,
				    .bypass_cache = bypass_cache(c, pf),
				    .pieces = pieces(c),
				    .unit = pf->user->content.unit,
				    .block = o->files.create_fill ? 0 : pf->user->content.block,
				    .progress = &c->slot->layout_bytes,
				    .stop = &c->slot->stop };
}

/* Opens file i as the next one of the batch, and preallocates it or adds it to the files to be written. */
static int add_file(struct clone *c, struct batch *b, uint32_t i, struct diag *d)
{
	const struct plan_file *pf = &c->job->files[i];
	struct file *f = &b->files[b->nfiles];
	int ret = layout_open(c, i, f, d);
	struct stat st;
	bool known;

	if (ret)
		return ret;
	known = fstat(f->fd, &st) == 0;
	b->length[b->nfiles++] = known ? (uint64_t)st.st_size : UINT64_MAX;
	if (pf->layout == LAYOUT_CREATE)
		return pf->fill ? 0 : preallocate(f, &pf->user->job->opts.file, pf->size, d);
	/* Another wave may have written the file in the meantime. */
	if (!known || (uint64_t)st.st_size < pf->size)
		b->jobs[b->njobs++] = layout_job(c, i, f);
	return 0;
}

/* Closes the files of the batch, and undoes the layout of each if ret or an earlier close is an error.
   Returns the first error. */
static int close_batch(struct clone *c, struct batch *b, const uint32_t *numbers, int ret, struct diag *d)
{
	for (unsigned i = 0; i < b->nfiles; i++) {
		struct file *f = &b->files[i];
		int err;

		if (ret)
			undo(c, numbers[i], f, b->length[i]);
		else
			(void)target_mark_complete(f->fd); /* -ENODATA: it is not fiord's */
		err = file_close(f, &layout_cfg);
		if (err && !ret)
			ret = diag_kind(d, DIAG_RUN, err, "%s: close: %s%s", f->path, diag_errno(err),
					diag_hint(err));
	}
	return ret;
}

/* Lays out the first *n files of `numbers`. *n becomes the number of files handled: as many as can be open at
   once. */
static int layout_batch(struct clone *c, const uint32_t *numbers, unsigned *n, struct diag *d)
{
	struct batch b = { .nfiles = 0 };
	int ret = 0;

	while (b.nfiles < *n && !ret)
		ret = add_file(c, &b, numbers[b.nfiles], d);
	if (ret == -EMFILE && b.nfiles) {
		diag_fini(d);
		ret = 0;
		*n = b.nfiles;
	}
	if (!ret && b.njobs)
		ret = layout_write_files(b.jobs, b.njobs,
					 c->opts->files.create_serialize ? 1 : LAYOUT_THREADS, d);
	return close_batch(c, &b, numbers, ret, d);
}

static void set_state(struct clone *c, const uint32_t *numbers, unsigned n, enum layout_state state)
{
	for (unsigned i = 0; i < n; i++)
		futex_set(&c->region->layouts[c->job->files[numbers[i]].layout_index].state, state);
}

static bool has_wait_for(const struct clone *c)
{
	return c->plan->stages[c->job->stage].nawaited > 0;
}

bool layout_worker_is_mine(const struct clone *c, uint32_t i, enum layout_round round)
{
	const struct plan_file *pf = &c->job->files[i];

	if (!pf->owner || !plan_lays_out(pf))
		return false;
	return has_wait_for(c) ? pf->early == (round == LAYOUT_EARLY) : round == LAYOUT_LATE;
}

/* Adds files that this worker lays out in this round to `numbers`, from *next on, up to LAYOUT_BATCH. Returns
   how many it holds. */
static unsigned collect(const struct clone *c, enum layout_round round, uint32_t *next, uint32_t *numbers,
			unsigned n)
{
	for (; *next < c->job->nfiles && n < LAYOUT_BATCH; ++*next) {
		if (layout_worker_is_mine(c, *next, round))
			numbers[n++] = *next;
	}
	return n;
}

/* create_serialize=1: waits until the previous job has laid out its files. */
static void await_turn(const struct clone *c, enum layout_round round)
{
	bool late = has_wait_for(c) && round == LAYOUT_LATE;
	uint32_t previous = c->job->layout_after[late], seen;
	_Atomic uint32_t *rounds;

	if (previous == PLAN_NONE)
		return;
	rounds = &region_slot(c->region, previous)->layout_rounds;
	while ((seen = atomic_load_explicit(rounds, memory_order_acquire)) < 1u + late)
		futex_wait_until(rounds, seen, UINT64_MAX);
}

bool layout_worker_files(struct clone *c, enum layout_round round)
{
	uint32_t numbers[LAYOUT_BATCH], next = 0;
	unsigned n;
	bool ok = true;

	for (unsigned left = 0; (n = collect(c, round, &next, numbers, left));) {
		struct diag d = { 0 };
		unsigned handled = n;
		int ret = ok ? layout_batch(c, numbers, &handled, &d) : -ECANCELED;

		if (ret && ok && !clone_stopped(c))
			clone_fail_diag(c, -ret, &d);
		ok = ok && ret == 0;
		diag_fini(&d);
		set_state(c, numbers, handled, ret ? LAYOUT_STATE_FAILED : LAYOUT_STATE_READY);
		left = n - handled;
		memmove(numbers, numbers + handled, left * sizeof(*numbers));
	}
	return ok;
}

bool layout_worker(struct clone *c, enum layout_round round)
{
	bool ok;

	await_turn(c, round);
	ok = meta_job(c) ? meta_lay_out(c, round) : layout_worker_files(c, round);
	futex_set(&c->slot->layout_rounds, 1 + (uint32_t)round);
	return ok;
}

bool layout_worker_await_others(struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		const struct plan_file *pf = &c->job->files[i];
		_Atomic uint32_t *state = &c->region->layouts[pf->layout_index].state;

		if (pf->owner || !plan_lays_out(pf))
			continue;
		futex_wait_until(state, LAYOUT_STATE_TODO, UINT64_MAX);
		if (atomic_load_explicit(state, memory_order_acquire) == LAYOUT_STATE_FAILED) {
			if (!clone_stopped(c))
				clone_fail(c, EIO, "%s: another job failed to lay it out",
					   clone_target(c, i)->path);
			return false;
		}
	}
	return true;
}
