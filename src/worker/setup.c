/* setup.c: prepares the worker's files and closes them at the end. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "clone.h"
#include "file_set.h"
#include "setup.h"
#include "io_source.h"
#include "quota.h"
#include "worker.h"

#define PRE_READ_BYTES ((size_t)1 << 20)

/* Returns how many bytes of its range the file has. */
static uint64_t usable_bytes(const struct clone *c, uint32_t i)
{
	const struct plan_file *pf = &c->job->files[i];
	uint64_t size = pf->size;
	struct stat st;

	if ((pf->layout == LAYOUT_FILL || pf->filled) && !stat(clone_target(c, i)->path, &st))
		size = (uint64_t)st.st_size;
	size = size > pf->start ? size - pf->start : 0;
	return size < pf->len ? size : pf->len;
}

static bool may_be_short(const struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles; i++)
		if (c->job->files[i].filled)
			return true;
	return c->opts->files.fill;
}

/* fill_device: limits a job that reads to the data that fitted. Returns false after clone_fail. */
static bool limit_to_data(struct worker *w)
{
	struct clone *c = &w->clone;
	uint64_t total = 0;

	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		struct file *f = &w->files.file[i];

		f->len = usable_bytes(c, i);
		if (!io_source_limit(&w->source, c, i, &f->len)) {
			clone_fail(c, ENOMEM, "out of memory");
			return false;
		}
		file_set_state(&w->files, i, f->len ? FILE_CLOSED : FILE_DONE);
		total += f->len;
	}
	w->files.limited = true;
	if (w->quota.loop_bytes > total && !c->job->repeat)
		quota_set(&w->quota, &c->opts->time, total);
	if (!total) {
		clone_note(c, "{fill_device=1}: no room was left for its files");
		w->quota.exhausted = true;
	}
	return true;
}

static int read_through(const struct clone *c, int fd, uint64_t at, uint64_t end)
{
	unsigned char *buf = malloc(PRE_READ_BYTES);
	int ret = buf ? 0 : -ENOMEM;

	while (!ret && at < end && !clone_stopped(c)) {
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
static bool pre_read(struct clone *c, uint32_t i)
{
	static const struct file_cfg plain = { 0 };
	const struct plan_file *pf = &c->job->files[i];
	struct file f = { .index = i };
	struct diag d = { 0 };
	int ret;

	if (pf->layout == LAYOUT_ON_OPEN)
		return true;
	ret = created_files_open(c, i, &f, &plain, false, &d);
	if (ret == 0) {
		ret = read_through(c, f.fd, pf->start, pf->start + pf->len);
		file_close(&f, &plain);
		if (ret)
			diag_kind(&d, DIAG_RUN, ret, "%s: reading it beforehand (pre_read=1): %s", f.path,
				  diag_errno(ret));
	}
	if (ret)
		clone_fail_diag(c, -ret, &d);
	diag_fini(&d);
	return ret == 0;
}

static bool pre_read_all(struct clone *c)
{
	bool ok = true;

	clone_set_phase(c, PHASE_PRE_READ);
	for (uint32_t i = 0; i < c->job->nfiles && ok; i++)
		ok = pre_read(c, i);
	clone_set_phase(c, PHASE_SETUP);
	return ok;
}

/* The engine opens no files: each counts as open. */
static void set_all_open(struct file_set *s, const struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		s->file[i].path = clone_target(c, i)->path;
		file_set_state(s, i, FILE_OPEN);
	}
}

bool setup_files(struct worker *w)
{
	struct clone *c = &w->clone;

	if (clone_caps(c) & ENG_NOFILE) {
		set_all_open(&w->files, c);
		return user_command_prerun(c);
	}
	if (!layout_worker(c, LAYOUT_LATE) || !layout_worker_await_others(c) ||
	    (!c->opts->files.create_only && !user_command_prerun(c)))
		return false;
	if (meta_job(c))
		return true;
	if (may_be_short(c) && !limit_to_data(w))
		return false;
	if (c->opts->files.pre_read && !pre_read_all(c))
		return false;
	return c->opts->files.create_only || file_set_open_all(&w->files, c);
}

void setup_finish(struct file_set *s, struct clone *c)
{
	/* Without files the worker was never prepared, or its engine opens none. */
	bool files = s->file && !(clone_caps(c) & ENG_NOFILE);

	if (files && !meta_job(c))
		file_set_close_all(s, c);
	user_command_postrun(c);
	if (files && meta_job(c))
		meta_finish(s, c);
}
