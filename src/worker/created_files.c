/* created_files.c: the files that this run has created. A worker opens or removes such a file again only if
   its path still names the same file. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "clone.h"
#include "file_set.h"
#include "region.h"

/* create_on_open: another worker may have created the file and not have recorded it yet. The worker tries
   this many times, every 5 ms, before it treats the file as one of another program. */
#define OPEN_TRIES 200

static struct region_file *record_of(const struct clone *c, uint32_t i)
{
	return region_files_record(c->region, clone_target(c, i));
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
	return region_files_created(c->region, clone_target(c, i));
}

struct target_facts created_files_facts(const struct clone *c, uint32_t i)
{
	return region_files_facts(c->region, clone_target(c, i), clone_caps(c) & ENG_DIRS);
}

int created_files_open(struct clone *c, uint32_t i, struct file *f, const struct file_cfg *cfg, bool write,
		       struct diag *d)
{
	const struct timespec nap = { .tv_nsec = 5000000 };
	enum plan_layout layout = c->job->files[i].layout;
	bool create;
	int ret;

	f->path = clone_target(c, i)->path;
	f->nvme = target_namespace(clone_target(c, i)->facts);
	f->metadata = target_metadata(clone_target(c, i)->facts);
	f->scsi = target_scsi_disk(clone_target(c, i)->facts);
	f->fd = -1;
	for (unsigned tries = 0;; tries++) {
		struct target_facts now = created_files_facts(c, i);

		create = layout == LAYOUT_ON_OPEN ||
			 ((layout != LAYOUT_NONE || record_of(c, i)->ino == CREATED_GONE) &&
			  now.type == TARGET_MISSING);
		ret = file_open(f, cfg, write, create, &now, &c->plan->allow, d);
		if (layout != LAYOUT_ON_OPEN || (ret != -ENOENT && ret != -EEXIST && ret != -EPERM) ||
		    tries == OPEN_TRIES || clone_stopped(c))
			break;
		diag_fini(d);
		nanosleep(&nap, NULL);
	}
	if (ret == 0 && (write || f->created))
		atomic_store_explicit(&record_of(c, i)->written, FILE_WRITTEN, memory_order_relaxed);
	if (ret == 0 && f->created)
		created_files_record(c, i, f->fd);
	else if (ret == 0 && write && clone_target(c, i)->facts->holds_nothing)
		(void)target_mark(f->fd);
	return ret;
}

/* Returns whether a file that an earlier run created still is as fiord left it, or has been changed only by
   this wave. */
static bool still_ours(const struct clone *c, uint32_t i)
{
	int fd;
	bool ours;

	if (atomic_load_explicit(&record_of(c, i)->written, memory_order_relaxed) == FILE_WRITTEN)
		return true;
	fd = open(clone_target(c, i)->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ours = fd >= 0 && target_has_mark(fd);
	if (fd >= 0)
		close(fd);
	return ours;
}

static bool may_remove(struct clone *c, uint32_t i)
{
	const struct plan_target *t = clone_target(c, i);

	if (created_files_has(c, i) || (t->facts->marked && still_ours(c, i)))
		return true;
	clone_note(c, "%s: not removed: %s", t->path,
		   t->facts->marked || t->facts->mark_ended ? "it has changed since fiord wrote it"
							    : "fiord did not create it");
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

void created_files_begin_use(const struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles; i++)
		if (c->job->files[i].unlink)
			atomic_fetch_or(&c->region->layouts[c->job->files[i].layout_index].users,
					LAYOUT_STATE_USED);
}

void created_files_end_use(struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		const struct plan_file *pf = &c->job->files[i];

		if (pf->unlink && atomic_fetch_sub(&c->region->layouts[pf->layout_index].users, 1) ==
					  (LAYOUT_STATE_USED | 1))
			created_files_unlink(c, i);
	}
}
