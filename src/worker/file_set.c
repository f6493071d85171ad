/* file_set.c: opens, closes, syncs and reopens the worker's files. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "clone.h"
#include "file_set.h"
#include "account.h"
#include "engine.h"

bool file_set_init(struct file_set *s, const struct clone *c)
{
	uint32_t n = c->job->nfiles;

	s->file = calloc(n, sizeof(*s->file));
	s->state = calloc(n, sizeof(*s->state));
	s->inflight = calloc(n, sizeof(*s->inflight));
	if (!s->file || !s->state || !s->inflight || !numset_init(&s->active, n) ||
	    !numset_init(&s->open, n) || (c->job->openfiles < n && !open_files_init(&s->idle, n)))
		return false;
	numset_fill(&s->active);
	for (uint32_t i = 0; i < n; i++) {
		s->file[i].fd = -1;
		s->file[i].index = i;
		s->file[i].start = c->job->files[i].start;
		s->file[i].len = c->job->files[i].len;
	}
	return true;
}

void file_set_fini(struct file_set *s)
{
	free(s->file);
	free(s->state);
	free(s->inflight);
	numset_fini(&s->active);
	numset_fini(&s->open);
	open_files_fini(&s->idle);
}

void file_set_state(struct file_set *s, uint32_t i, enum file_state state)
{
	s->state[i] = (uint8_t)state;
	(state == FILE_OPEN ? numset_add : numset_remove)(&s->open, i);
	(state == FILE_DONE ? numset_remove : numset_add)(&s->active, i);
}

static bool writes(const struct clone *c, uint32_t i)
{
	return job_access(clone_file_job(c, i)->job) & (RW_WRITE | RW_TRIM) ||
	       clone_caps(c) & ENG_CHANGES_FILES;
}

void file_set_invalidate(const struct file_set *s, const struct clone *c, uint32_t i)
{
	int ret = file_invalidate(&s->file[i]);

	if (ret)
		clone_note(c, "%s: its cached pages could not be dropped (invalidate=1): %s", s->file[i].path,
			   diag_errno(ret));
}

static void set_open_files(struct file_set *s, const struct clone *c, uint32_t nopen)
{
	s->nopen = nopen;
	atomic_store_explicit(&c->slot->open_files, nopen, memory_order_relaxed);
}

/* Returns whether the job needs the data of the file from its first I/O on. */
static bool reads(const struct plan_file *pf)
{
	return pf->user->rw & RW_READ || job_checks_earlier(pf->user->job);
}

/* Checks that a file to be read has all the bytes that the job reads. */
static bool check_length(struct clone *c, uint32_t i, const struct file *f)
{
	const struct plan_file *pf = &c->job->files[i];
	struct stat st;

	if (f->type != TARGET_FILE || !reads(pf) || !f->len || clone_caps(c) & ENG_CHANGES_FILES ||
	    pf->layout == LAYOUT_ON_OPEN || plan_verify_takes_short(pf->user->job) || fstat(f->fd, &st) ||
	    (uint64_t)st.st_size >= pf->start + f->len)
		return true;
	clone_fail(c, EINVAL, "%s: has %" PRIu64 " bytes, but the job reads up to byte %" PRIu64, f->path,
		   (uint64_t)st.st_size, pf->start + f->len);
	return false;
}

bool file_set_open(struct file_set *s, struct clone *c, uint32_t i)
{
	const struct file_cfg *cfg = &clone_file_opts(c, i)->file;
	struct file *f = &s->file[i];
	struct diag d = { 0 };
	int ret = created_files_open(c, i, f, cfg, writes(c, i), &d);

	if (ret) {
		clone_fail_diag(c, -ret, &d);
		diag_fini(&d);
		return false;
	}
	if (cfg->invalidate && s->state[i] != FILE_PAUSED)
		file_set_invalidate(s, c, i);
	file_advise(f, cfg->advice, clone_file_job(c, i)->rw & RW_RANDOM);
	set_open_files(s, c, s->nopen + 1);
	if (c->recorder)
		recorder_file(c, i, IOLOG_OPEN);
	file_set_idle(s, i);
	return check_length(c, i, f);
}

static void close_file(struct file_set *s, struct clone *c, uint32_t i, bool sync)
{
	struct file_cfg cfg = clone_file_opts(c, i)->file;
	struct file *f = &s->file[i];
	int ret;

	if (f->fd < 0)
		return;
	cfg.fsync_on_close &= sync;
	ret = file_close(f, &cfg);
	if (ret && !(ret == -ENOSPC && c->opts->files.fill))
		clone_fail(c, -ret, "%s: close: %s%s", f->path, diag_errno(ret), diag_hint(ret));
	set_open_files(s, c, s->nopen - 1);
	if (c->recorder)
		recorder_file(c, i, IOLOG_CLOSE);
	if (s->idle.link)
		open_files_remove(&s->idle, i);
}

bool file_set_make_room(struct file_set *s, struct clone *c)
{
	uint32_t i;

	while (s->nopen >= c->job->openfiles) {
		i = open_files_take(&s->idle);
		if (i == OPEN_FILES_NONE)
			return false;
		if (s->inflight[i])
			continue; /* it returns to the list when they have completed */
		close_file(s, c, i, true);
		if (s->state[i] == FILE_OPEN)
			file_set_state(s, i, FILE_PAUSED);
	}
	return true;
}

void file_set_close(struct file_set *s, struct clone *c, uint32_t i)
{
	close_file(s, c, i, true);
}

bool file_set_open_all(struct file_set *s, struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles && !s->dynamic; i++) {
		if (!file_set_open(s, c, i))
			return false;
		if (!file_set_empty(s, i))
			file_set_state(s, i, FILE_OPEN);
	}
	return true;
}

void file_set_close_all(struct file_set *s, struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles; i++)
		close_file(s, c, i, !s->synced);
}

/* Syncs a file at the end. A file that was closed meanwhile is opened for the sync, as in fio. */
static void sync_file(struct file_set *s, struct clone *c, uint32_t i)
{
	struct file *f = &s->file[i];
	bool closed = f->fd < 0;
	int ret;

	if (!f->write || (closed && !file_set_open(s, c, i)))
		return;
	ret = file_sync(f);
	if (ret && !(ret == -ENOSPC && c->opts->files.fill))
		clone_fail(c, -ret, "%s: fsync at the end: %s%s", f->path, diag_errno(ret), diag_hint(ret));
	if (closed)
		close_file(s, c, i, false);
}

static void sync_all(struct file_set *s, struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles && !c->failed; i++)
		if (c->opts->sync.end_fsync || clone_file_opts(c, i)->file.fsync_on_close)
			sync_file(s, c, i);
	s->synced = !c->failed;
}

void file_set_renew(struct file_set *s, struct clone *c, struct engine_ctx *eng)
{
	bool meta = meta_job(c);

	if (!meta) {
		engine_reopen(eng, false);
		for (uint32_t i = 0; i < c->job->nfiles; i++)
			file_set_close(s, c, i);
		sync_all(s, c);
		s->synced = false;
	}
	for (uint32_t i = 0; i < c->job->nfiles && c->opts->files.unlink_each_loop; i++)
		created_files_unlink(c, i);
	if (!meta && !c->failed && file_set_open_all(s, c))
		engine_reopen(eng, true);
}

/* Syncs the file system of each written file, mostly once per file system. */
static void sync_file_systems(const struct file_set *s, struct clone *c)
{
	dev_t seen[16];
	unsigned n = 0;

	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		struct file *f = &s->file[i];
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
			clone_fail(c, errno, "%s: syncfs at the end: %s", f->path, diag_errno(errno));
	}
}

void file_set_sync(struct file_set *s, struct clone *c)
{
	if (!c->failed)
		sync_all(s, c);
	if (c->opts->sync.end_syncfs && !c->failed)
		sync_file_systems(s, c);
}

/* ---- the files that are open, by their last use ---- */

bool open_files_init(struct open_files *s, uint32_t n)
{
	*s = (struct open_files){ .link = calloc((size_t)n + 1, sizeof(*s->link)) };
	return s->link;
}

void open_files_fini(struct open_files *s)
{
	free(s->link);
	*s = (struct open_files){ .link = NULL };
}

void open_files_remove(struct open_files *s, uint32_t file)
{
	struct open_files_link *l = &s->link[file];

	if (!l->older && s->oldest != file + 1)
		return;
	*(l->older ? &s->link[l->older - 1].newer : &s->oldest) = l->newer;
	*(l->newer ? &s->link[l->newer - 1].older : &s->newest) = l->older;
	*l = (struct open_files_link){ 0 };
}

void open_files_use(struct open_files *s, uint32_t file)
{
	open_files_remove(s, file);
	s->link[file].older = s->newest;
	*(s->newest ? &s->link[s->newest - 1].newer : &s->oldest) = file + 1;
	s->newest = file + 1;
}

uint32_t open_files_take(struct open_files *s)
{
	uint32_t file = s->oldest - 1;

	if (!s->oldest)
		return OPEN_FILES_NONE;
	open_files_remove(s, file);
	return file;
}
