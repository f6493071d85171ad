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
#include "file_set.h"

/* Opens the directory, but does not follow a symbolic link of that name. */
static int open_dir(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Creates a directory for the job's operations to stat or remove. */
static int lay_out_dir(struct clone *c, uint32_t i)
{
	const char *path = clone_target(c, i)->path;
	struct diag d = { 0 };
	int ret = file_create_parents(path, &d), fd = -1;

	if (ret) {
		clone_fail_diag(c, -ret, &d);
		diag_fini(&d);
		return ret;
	}
	ret = mkdir(path, 0755) ? -errno : 0;
	if (!ret)
		fd = open_dir(path);
	if (fd < 0) {
		ret = ret ? ret : -errno;
		clone_fail(c, -ret, "%s: cannot make the directory: %s", path, diag_errno(ret));
		return ret;
	}
	created_files_record(c, i, fd);
	(void)target_mark(fd);
	close(fd);
	return 0;
}

static bool lay_out_dirs(struct clone *c, enum layout_round round)
{
	bool ok = true;

	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		const struct plan_file *pf = &c->job->files[i];

		if (!layout_worker_is_mine(c, i, round))
			continue;
		ok = ok && !clone_stopped(c) && !lay_out_dir(c, i);
		futex_set(&c->region->layouts[pf->layout_index].state,
			  ok ? LAYOUT_STATE_READY : LAYOUT_STATE_FAILED);
	}
	return ok;
}

/* Creates the parent directories of all files and directories that the job will create. */
static bool make_parents(struct clone *c)
{
	char last[PATH_MAX] = "", dir[PATH_MAX];
	struct diag d = { 0 };

	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		const char *path = clone_target(c, i)->path;
		int ret;

		snprintf(dir, sizeof(dir), "%s", path);
		if (!strcmp(dirname(dir), last))
			continue;
		ret = file_create_parents(path, &d);
		if (ret) {
			clone_fail_diag(c, -ret, &d);
			diag_fini(&d);
			return false;
		}
		snprintf(dir, sizeof(dir), "%s", path);
		snprintf(last, sizeof(last), "%s", dirname(dir));
	}
	return true;
}

bool meta_lay_out(struct clone *c, enum layout_round round)
{
	if (clone_caps(c) & ENG_CREATES)
		return round == LAYOUT_EARLY || make_parents(c);
	return clone_caps(c) & ENG_DIRS ? lay_out_dirs(c, round) : layout_worker_files(c, round);
}

/* Checks that the path still names the file that the plan saw or this run created, so that no other file is
   removed. */
static bool same_file(struct clone *c, const char *path, const struct target_facts *expected)
{
	struct stat st;

	if (lstat(path, &st))
		return true; /* the operation will report the error */
	if (expected->type != TARGET_MISSING && st.st_dev == expected->dev && st.st_ino == expected->ino)
		return true;
	clone_fail(c, EPERM, "%s: not removed: another file, directory or link has this name now", path);
	return false;
}

bool meta_prepare(struct clone *c, struct file *f)
{
	struct target_facts expected = created_files_facts(c, f->index);

	f->path = clone_target(c, f->index)->path;
	f->type = expected.type;
	f->created = false;
	f->fd = -1;
	return !(clone_caps(c) & ENG_DELETES) || same_file(c, f->path, &expected);
}

/* Records the identity of a new file or directory. It runs between the I/Os, so it does no more work. */
static void record_created(struct clone *c, const struct file *f)
{
	int fd = f->fd >= 0 ? f->fd : open_dir(f->path);

	if (fd < 0)
		return; /* it has been removed */
	created_files_record(c, f->index, fd);
	close(fd);
}

void meta_record(struct clone *c, struct file *f)
{
	if (f->created)
		record_created(c, f);
	else if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	f->created = false;
}

/* Marks a file or directory as fiord's, so that a later run may remove it. Returns 0 or -errno. */
static int mark(const char *path, const struct target_facts *created)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), ret = 0;
	struct stat st;

	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && st.st_dev == created->dev && st.st_ino == created->ino) {
		if (!target_has_mark(fd))
			ret = target_mark(fd);
		if (!ret && S_ISREG(st.st_mode))
			ret = target_mark_complete(fd);
	}
	close(fd);
	return ret;
}

static void mark_all(struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		const struct plan_target *t = clone_target(c, i);
		struct target_facts created = created_files_facts(c, i);
		int ret;

		if (!created_files_has(c, i))
			continue;
		ret = mark(t->path, &created);
		if (!ret)
			continue;
		clone_note(c,
			   "%s: cannot be marked as fiord's: %s; a later run removes it only if "
			   "allow_write names it or its directory",
			   t->path, diag_errno(ret));
		return;
	}
}

/* Records the removed files and directories, so that later jobs can create them again. */
static void record_removed(struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		struct stat st;

		if (lstat(clone_target(c, i)->path, &st) && errno == ENOENT)
			created_files_record_removal(c, i);
	}
}

void meta_finish(const struct file_set *s, struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		if (s->file[i].path)
			meta_record(c, &s->file[i]);
	}
	if (clone_caps(c) & ENG_CREATES && !c->opts->files.unlink)
		mark_all(c);
	if (clone_caps(c) & ENG_DELETES)
		record_removed(c);
}
