/* created_files.c: the files that this run has created. A worker opens or removes such a file again only if
   its path still names the same file. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "clone.h"
#include "created_files.h"

/* create_on_open: another worker may have created the file and not have recorded it yet. The worker tries
   this many times, every 5 ms, before it treats the file as one of another program. */
#define OPEN_TRIES 200

static struct region_file *record_of(const struct clone *c, uint32_t i)
{
	return &c->region->files[clone_target(c, i)->same];
}

void created_files_record(struct clone *c, uint32_t i, int fd)
{
	struct region_file *record = record_of(c, i);
	struct stat st;

	if (fstat(fd, &st))
		return;
	atomic_store_explicit(&record->dev, (uint64_t)st.st_dev, memory_order_relaxed);
	atomic_store_explicit(&record->ino, (uint64_t)st.st_ino, memory_order_release);
}

void created_files_record_removal(struct clone *c, uint32_t i)
{
	atomic_store_explicit(&record_of(c, i)->ino, CREATED_GONE, memory_order_release);
}

bool created_files_has(const struct clone *c, uint32_t i)
{
	uint64_t ino = atomic_load_explicit(&record_of(c, i)->ino, memory_order_acquire);

	return ino && ino != CREATED_GONE;
}

struct target_facts created_files_facts(const struct clone *c, uint32_t i)
{
	const struct region_file *record = record_of(c, i);
	struct target_facts now = *clone_target(c, i)->facts;
	uint64_t ino = atomic_load_explicit(&record->ino, memory_order_acquire);

	if (ino == CREATED_GONE) {
		now.type = TARGET_MISSING;
		now.symlink = false;
		now.ino = 0;
	} else if (ino) {
		now.type = clone_caps(c) & ENG_DIRS ? TARGET_DIR : TARGET_FILE;
		now.ino = (ino_t)ino;
		now.dev = (dev_t)atomic_load_explicit(&record->dev, memory_order_relaxed);
	}
	return now;
}

int created_files_open(struct clone *c, uint32_t i, struct file *f, const struct file_cfg *cfg, bool write,
		       struct diag *d)
{
	const struct timespec nap = { .tv_nsec = 5000000 };
	enum plan_layout layout = c->job->files[i].layout;
	bool create;
	int ret;

	f->path = clone_target(c, i)->path;
	f->fd = -1;
	for (unsigned tries = 0;; tries++) {
		struct target_facts now = created_files_facts(c, i);

		create = layout == LAYOUT_ON_OPEN ||
			 ((layout != LAYOUT_NONE || record_of(c, i)->ino == CREATED_GONE) &&
			  now.type == TARGET_MISSING);
		ret = file_open(f, cfg, write, create, &now, &c->plan->allow, c->job->seed, d);
		if (layout != LAYOUT_ON_OPEN || (ret != -ENOENT && ret != -EEXIST && ret != -EPERM) ||
		    tries == OPEN_TRIES || clone_stopped(c))
			break;
		diag_fini(d);
		nanosleep(&nap, NULL);
	}
	if (ret == 0 && f->created)
		created_files_record(c, i, f->fd);
	else if (ret == 0 && write && clone_target(c, i)->facts->holds_nothing)
		(void)target_mark(f->fd, c->job->seed, c->job->files[i].size);
	return ret;
}

static bool may_remove(struct clone *c, uint32_t i)
{
	const struct plan_target *t = clone_target(c, i);

	if (created_files_has(c, i) || t->facts->marked)
		return true;
	clone_note(c, "%s: not removed: fiord did not create it", t->path);
	return false;
}

void created_files_unlink(struct clone *c, uint32_t i)
{
	const char *path = clone_target(c, i)->path;
	struct target_facts expected = created_files_facts(c, i);
	struct stat st;

	if ((expected.type != TARGET_FILE && expected.type != TARGET_DIR) || !may_remove(c, i))
		return;
	if (lstat(path, &st)) {
		if (errno != ENOENT) {
			clone_fail(c, errno, "%s: unlink: %s", path, diag_errno(errno));
			return;
		}
	} else if (st.st_dev != expected.dev || st.st_ino != expected.ino) {
		clone_note(c, "%s: not removed: another file, or a link, has this name now", path);
		return;
	} else if ((expected.type == TARGET_DIR ? rmdir(path) : unlink(path)) && errno != ENOENT) {
		clone_fail(c, errno, "%s: unlink: %s", path, diag_errno(errno));
		return;
	}
	created_files_record_removal(c, i);
}

/* Marks file i as complete, unless another file has its name now. */
static void mark_complete(struct clone *c, uint32_t i)
{
	struct target_facts created = created_files_facts(c, i);
	int fd = open(clone_target(c, i)->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_dev == created.dev && st.st_ino == created.ino)
		/* Without this mark the file looks like one that a killed run left behind. */
		(void)target_mark_complete(fd, c->job->seed);
	close(fd);
}

void created_files_mark_complete(struct clone *c)
{
	bool changes = clone_caps(c) & ENG_CHANGES_FILES;

	if (clone_caps(c) & (ENG_NOFILE | ENG_NOIO | ENG_META))
		return;
	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		const struct plan_file *pf = &c->job->files[i];
		bool writes = changes || job_access(pf->user->job) & (RW_WRITE | RW_TRIM);
		bool laid_out = pf->owner && (pf->layout == LAYOUT_FILL || pf->layout == LAYOUT_CREATE);

		if ((writes || laid_out) && !pf->unlink &&
		    (created_files_has(c, i) || clone_target(c, i)->facts->marked ||
		     clone_target(c, i)->facts->holds_nothing))
			mark_complete(c, i);
	}
}

void created_files_begin_use(const struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles; i++)
		if (c->job->files[i].unlink)
			atomic_fetch_or(&c->region->cells[c->job->files[i].cell].users, CELL_USED);
}

void created_files_end_use(struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		const struct plan_file *pf = &c->job->files[i];

		if (pf->unlink && atomic_fetch_sub(&c->region->cells[pf->cell].users, 1) == (CELL_USED | 1))
			created_files_unlink(c, i);
	}
}
