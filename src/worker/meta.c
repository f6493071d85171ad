/* meta.c: jobs whose I/O is one operation on a file or directory. The latency of an I/O is that of its
   operation alone: all preparation and clean-up happens before the I/O starts, after it completes, or after
   the measurement. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "clone.h"
#include "created_files.h"
#include "layout_worker.h"
#include "meta.h"
#include "worker.h"

static unsigned caps(const struct worker *w)
{
	return w->q.eng.engine->caps;
}

/* Opens the directory, but does not follow a symbolic link of that name. */
static int open_dir(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Creates a directory for the job's operations to stat or remove. */
static int lay_out_dir(struct worker *w, uint32_t i)
{
	const char *path = clone_target(&w->clone, i)->path;
	struct diag d = { 0 };
	int ret = file_create_parents(path, &d), fd = -1;

	if (ret) {
		clone_fail_diag(&w->clone, -ret, &d);
		diag_fini(&d);
		return ret;
	}
	ret = mkdir(path, 0755) ? -errno : 0;
	if (!ret)
		fd = open_dir(path);
	if (fd < 0) {
		ret = ret ? ret : -errno;
		clone_fail(&w->clone, -ret, "%s: cannot make the directory: %s", path, diag_errno(ret));
		return ret;
	}
	created_files_record(&w->clone, i, fd);
	(void)target_mark(fd, w->clone.job->seed, 0);
	close(fd);
	return 0;
}

static bool lay_out_dirs(struct worker *w, enum layout_round round)
{
	bool ok = true;

	for (uint32_t i = 0; i < w->clone.job->nfiles; i++) {
		const struct plan_file *pf = &w->clone.job->files[i];

		if (!layout_worker_is_mine(w, i, round))
			continue;
		ok = ok && !clone_stopped(&w->clone) && !lay_out_dir(w, i);
		futex_set(&w->clone.region->cells[pf->cell].state, ok ? CELL_READY : CELL_FAILED);
	}
	return ok;
}

/* Creates the parent directories of all files and directories that the job will create. */
static bool make_parents(struct worker *w)
{
	char last[PATH_MAX] = "", dir[PATH_MAX];
	struct diag d = { 0 };

	for (uint32_t i = 0; i < w->clone.job->nfiles; i++) {
		const char *path = clone_target(&w->clone, i)->path;
		int ret;

		snprintf(dir, sizeof(dir), "%s", path);
		if (!strcmp(dirname(dir), last))
			continue;
		ret = file_create_parents(path, &d);
		if (ret) {
			clone_fail_diag(&w->clone, -ret, &d);
			diag_fini(&d);
			return false;
		}
		snprintf(dir, sizeof(dir), "%s", path);
		snprintf(last, sizeof(last), "%s", dirname(dir));
	}
	return true;
}

bool meta_lay_out(struct worker *w, enum layout_round round)
{
	if (caps(w) & ENG_CREATES)
		return round == LAYOUT_EARLY || make_parents(w);
	return caps(w) & ENG_DIRS ? lay_out_dirs(w, round) : layout_worker_files(w, round);
}

/* Checks that the path still names the file that the plan saw or this run created: no other is removed. */
static bool still_meant(struct worker *w, const char *path, const struct target_facts *meant)
{
	struct stat st;

	if (lstat(path, &st))
		return true; /* the operation will report the error */
	if (meant->type != TARGET_MISSING && st.st_dev == meant->dev && st.st_ino == meant->ino)
		return true;
	clone_fail(&w->clone, EPERM,
		   "%s: not removed: it is another file, directory or link than at the start", path);
	return false;
}

bool meta_ready(struct worker *w, uint32_t i)
{
	struct file *f = &w->files.file[i];
	struct target_facts meant = created_files_facts(&w->clone, i);

	f->path = clone_target(&w->clone, i)->path;
	f->index = (uint16_t)i;
	f->type = meant.type;
	f->created = false;
	f->fd = -1;
	return !(caps(w) & ENG_DELETES) || still_meant(w, f->path, &meant);
}

/* Records the identity of a new file or directory. It runs between the I/Os, so it does no more work. */
static void note_made(struct worker *w, uint32_t i, const struct file *f)
{
	int fd = f->fd >= 0 ? f->fd : open_dir(f->path);

	if (fd < 0)
		return; /* it has been removed */
	created_files_record(&w->clone, i, fd);
	close(fd);
}

void meta_done(struct worker *w, uint32_t i)
{
	struct file *f = &w->files.file[i];

	if (f->created)
		note_made(w, i, f);
	else if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	f->created = false;
}

/* Marks a file or directory as fiord's, so that a later run may remove it. Returns 0 or -errno. */
static int mark(const char *path, const struct target_facts *made, uint64_t seed)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), ret = 0;
	struct stat st;

	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && st.st_dev == made->dev && st.st_ino == made->ino) {
		if (!target_has_mark(fd))
			ret = target_mark(fd, seed, 0);
		if (!ret && S_ISREG(st.st_mode))
			ret = target_mark_complete(fd, seed);
	}
	close(fd);
	return ret;
}

static void mark_all(struct worker *w)
{
	for (uint32_t i = 0; i < w->clone.job->nfiles; i++) {
		const struct plan_target *t = clone_target(&w->clone, i);
		struct target_facts made = created_files_facts(&w->clone, i);
		int ret;

		if (!created_files_has(&w->clone, i))
			continue;
		ret = mark(t->path, &made, w->clone.job->seed);
		if (!ret)
			continue;
		clone_note(&w->clone,
			   "%s: cannot be marked as fiord's: %s; another invocation removes it only with "
			   "allow_write of it or its directory",
			   t->path, diag_errno(ret));
		return;
	}
}

/* Records the removed files and directories, so that later jobs can create them again. */
static void forget_removed(struct worker *w)
{
	for (uint32_t i = 0; i < w->clone.job->nfiles; i++) {
		struct stat st;

		if (lstat(clone_target(&w->clone, i)->path, &st) && errno == ENOENT)
			created_files_record_removal(&w->clone, i);
	}
}

void meta_finish(struct worker *w)
{
	for (uint32_t i = 0; i < w->clone.job->nfiles; i++) {
		if (w->files.file[i].path)
			meta_done(w, i);
	}
	if (caps(w) & ENG_CREATES && !w->clone.opts->files.unlink)
		mark_all(w);
	if (caps(w) & ENG_DELETES)
		forget_removed(w);
}
