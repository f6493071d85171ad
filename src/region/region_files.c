#include "region.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct region_file *region_files_record(const struct region *r, const struct plan_target *t)
{
	return &r->files[t->same];
}

bool region_files_created(const struct region *r, const struct plan_target *t)
{
	uint64_t ino = atomic_load_explicit(&region_files_record(r, t)->ino, memory_order_acquire);

	return ino && ino != CREATED_GONE;
}

struct target_facts region_files_facts(const struct region *r, const struct plan_target *t, bool dir)
{
	const struct region_file *record = region_files_record(r, t);
	struct target_facts now = *t->facts;
	uint64_t ino = atomic_load_explicit(&record->ino, memory_order_acquire);

	if (ino == CREATED_GONE) {
		now.type = TARGET_MISSING;
		now.symlink = false;
		now.ino = 0;
	} else if (ino) {
		now.type = dir ? TARGET_DIR : TARGET_FILE;
		now.ino = (ino_t)ino;
		now.dev = (dev_t)atomic_load_explicit(&record->dev, memory_order_relaxed);
		now.marked = true;
	}
	return now;
}

/* Marks the file as complete, unless another file has its name now. Between the look at the file and the
   mark, another worker may write to the file for the last time and mark it; the mark is then set once more.
 */
static void mark_complete(const struct region *r, const struct plan_target *t)
{
	struct target_facts expected = region_files_facts(r, t, false);
	struct region_file *record = region_files_record(r, t);
	int fd = open(t->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	uint32_t marks;

	if (fd < 0)
		return;
	atomic_fetch_add(&record->marks, 1);
	do {
		marks = atomic_load(&record->marks);
		if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_dev == expected.dev &&
		    st.st_ino == expected.ino)
			(void)target_mark_complete(fd);
	} while (marks != atomic_load(&record->marks));
	close(fd);
}

void region_files_mark_complete(const struct region *r, const struct plan *p, const struct plan_job *pj)
{
	if (pj->job->engine->caps & (ENG_NOFILE | ENG_NOIO | ENG_META))
		return;
	for (uint32_t i = 0; i < pj->nfiles; i++) {
		const struct plan_target *t = &p->targets[pj->files[i].target];
		bool ours = region_files_created(r, t) || t->facts->marked || t->facts->holds_nothing;

		if (ours && !pj->files[i].unlink &&
		    atomic_load_explicit(&region_files_record(r, t)->written, memory_order_relaxed) ==
			    FILE_WRITTEN)
			mark_complete(r, t);
	}
}
