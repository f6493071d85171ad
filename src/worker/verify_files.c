#include "verify_job.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include "clone.h"
#include "file_set.h"

int verify_files_reread(struct file_set *s, struct clone *c, uint32_t file)
{
	struct file *f = &s->file[file];

	if (f->write && f->type != TARGET_CHAR && fsync(f->fd)) {
		int err = errno;

		clone_fail(c, err, "%s: fsync before {verify}: %s%s", f->path, diag_errno(err),
			   diag_hint(err));
		return -err;
	}
	if (clone_file_opts(c, file)->file.invalidate)
		file_set_invalidate(s, c, file);
	return 0;
}

enum verify_open_result verify_files_open(struct file_set *s, struct clone *c, uint32_t file, bool reread)
{
	if (s->file[file].fd >= 0)
		return VERIFY_OPEN;
	if (!file_set_make_room(s, c))
		return VERIFY_OPEN_LATER;
	if (c->failed || !file_set_open(s, c, file) || (reread && verify_files_reread(s, c, file)))
		return VERIFY_OPEN_FAILED;
	return VERIFY_OPEN;
}

/* openfiles: all open files are in the list of idle ones, because no I/O is in flight. */
static void close_opened(struct file_set *s, struct clone *c)
{
	for (uint32_t next, i = s->idle.oldest; i; i = next) {
		next = s->idle.link[i - 1].newer;
		if (s->state[i - 1] != FILE_OPEN)
			file_set_close(s, c, i - 1);
	}
}

void verify_files_restore(struct file_set *s, struct clone *c)
{
	if (s->idle.link)
		close_opened(s, c);
	for (uint32_t i = 0; i < c->job->nfiles && s->dynamic && !s->idle.link; i++) {
		bool open = s->file[i].fd >= 0;

		if (s->state[i] == FILE_OPEN && !open)
			file_set_state(s, i, FILE_CLOSED);
		else if (s->state[i] != FILE_OPEN && open)
			file_set_close(s, c, i);
	}
}

uint64_t verify_files_size(const struct file *f)
{
	struct stat st;

	return f->type != TARGET_FILE || fstat(f->fd, &st) ? UINT64_MAX : (uint64_t)st.st_size;
}
