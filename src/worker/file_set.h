/* file_set.h: the worker's files and their states. It opens, closes, syncs and reopens them.

   A failure becomes the worker's error (clone_fail). */
#ifndef FILE_SET_H
#define FILE_SET_H

#include <stdbool.h>
#include <stdint.h>
#include "clone.h"
#include "file.h"
#include "numset.h"
#include "open_files.h"

struct engine_ctx;

enum file_state {
	FILE_UNUSED, /* closed, and its generators are not set up */
	FILE_CLOSED,
	FILE_OPEN,
	FILE_PAUSED, /* closed in the middle of its pass, because another file was opened */
	FILE_DONE
};

struct file_set {
	struct file *file;          /* by number in the plan */
	uint8_t *state;             /* enum file_state; file_set_state() changes it */
	struct numset active, open; /* files that are not done, and those of them that are open */
	struct open_files idle;     /* only if fewer files may be open than the job has; else link is NULL */
	uint32_t *inflight;         /* I/Os in flight per file, if count_inflight */
	uint32_t nopen;
	bool count_inflight;
	bool dynamic; /* files are opened and closed while the job runs */
	bool limited; /* fill_device: files may be shorter than planned, or empty */
	bool synced;  /* the data of the last loop has been synced */
};

/* Returns false if memory is short. */
bool file_set_init(struct file_set *s, const struct clone *c);
void file_set_fini(struct file_set *s);

/* Returns true if the file is too short for one block (fill_device). */
static inline bool file_set_empty(const struct file_set *s, uint32_t file)
{
	return s->limited && !s->file[file].len;
}

/* Sets the state of a file, and whether the next I/O may be one of this file. */
void file_set_state(struct file_set *s, uint32_t file, enum file_state state);
/* openfiles: the file is open and has no I/Os in flight. */
static inline void file_set_idle(struct file_set *s, uint32_t file)
{
	if (s->idle.link)
		open_files_use(&s->idle, file);
}
/* Makes sure that one more file can be opened: closes the open file without I/Os in flight that was used
   longest ago. Returns false if all open files have I/Os in flight. */
bool file_set_make_room(struct file_set *s, struct clone *c);
/* Opens one file. Returns false after clone_fail. */
bool file_set_open(struct file_set *s, struct clone *c, uint32_t file);
void file_set_close(struct file_set *s, struct clone *c, uint32_t file);
/* Opens all files, unless they are opened while the job runs. Returns false after clone_fail. */
bool file_set_open_all(struct file_set *s, struct clone *c);
/* Closes all files after the last loop. */
void file_set_close_all(struct file_set *s, struct clone *c);
/* invalidate=1: drops the file's cached pages. This happens before every pass, as in fio. */
void file_set_invalidate(const struct file_set *s, const struct clone *c, uint32_t file);
/* Between two loops: syncs (end_fsync, fsync_on_close), closes and reopens all files. With unlink_each_loop
   it removes them in between. If the worker fails, some files stay closed. */
void file_set_renew(struct file_set *s, struct clone *c, struct engine_ctx *eng);
/* After the last loop: end_fsync, fsync_on_close, end_syncfs. */
void file_set_sync(struct file_set *s, struct clone *c);

#endif
