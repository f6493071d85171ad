/* file_set.h: the worker's files: which are open, which of them this run has created, how they are laid out,
   and jobs whose I/O is one operation on a file. */
#ifndef FILE_SET_H
#define FILE_SET_H

#include <stdbool.h>
#include <stdint.h>
#include "clone.h"
#include "file.h"
#include "numset.h"
#include "region.h"

struct engine_ctx;

/* The open files without I/Os in flight, in the order of their last use, so that the one that
   was used longest ago can make room for another one (openfiles). */

#define OPEN_FILES_NONE UINT32_MAX

/* A list linked by file number. Some of its files may have I/Os in flight again, so the caller checks those
   that it takes. */
struct open_files {
	struct open_files_link {
		uint32_t older, newer; /* 1 + number; 0: none. If a file is not in the list, both are 0 and
					  it is not `oldest` */
	} * link;
	uint32_t oldest, newest; /* 1 + number */
};

/* n: the number of files. Memory is used only for files that are opened. Returns false if memory is short. */
bool open_files_init(struct open_files *s, uint32_t n);
void open_files_fini(struct open_files *s);
/* Makes the file the newest one, whether it is in the list or not. */
void open_files_use(struct open_files *s, uint32_t file);
/* Removes the file if it is in the list. */
void open_files_remove(struct open_files *s, uint32_t file);
/* Removes the oldest file and returns it; OPEN_FILES_NONE: the list is empty. */
uint32_t open_files_take(struct open_files *s);

/* file_set.c: the worker's files and their states. It opens, closes, syncs and reopens them.

   A failure becomes the worker's error (clone_fail). */

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

/* created_files.c: the files that this run has created or removed. */

/* Records that this run has created the file that fd refers to, or has removed it. */
void created_files_record(struct clone *c, uint32_t file, int fd);
void created_files_record_removal(struct clone *c, uint32_t file);
/* Returns true if this run has created the file. */
bool created_files_has(const struct clone *c, uint32_t file);
/* Returns the facts that the plan saw, corrected by the files that this run has created or removed since. */
struct target_facts created_files_facts(const struct clone *c, uint32_t file);
/* Opens a file of the plan. It must be the same file that the plan saw or that this run has created. A
   missing file is created. With create_on_open another worker may have created the file just now and not have
   recorded it yet. */
int created_files_open(struct clone *c, uint32_t file, struct file *f, const struct file_cfg *cfg, bool write,
		       struct diag *d);
/* Count the workers that use each file. With unlink=1 the last worker that leaves a file removes it. */
void created_files_begin_use(const struct clone *c);
void created_files_end_use(struct clone *c);
/* Removes the file if this run or an earlier run of fiord created it and the path still names that file. */
void created_files_unlink(struct clone *c, uint32_t file);

/* layout_worker.c: a worker lays out its files before the gate of its stage opens.

   Functions that return bool return false after clone_fail. */

/* Lays out the files and directories that this worker has to lay out in this round. */
bool layout_worker(struct clone *c, enum layout_round round);
/* Lays out files only, and does not wait for the worker's turn (create_serialize). */
bool layout_worker_files(struct clone *c, enum layout_round round);
/* Returns true if this worker lays out the file in this round. */
bool layout_worker_is_mine(const struct clone *c, uint32_t file, enum layout_round round);
/* Waits for the files that other workers lay out. */
bool layout_worker_await_others(struct clone *c);

/* meta.c: jobs whose I/O is one operation on a file or directory (ENG_META). */

/* Creates the files and directories that the operations need. Returns false after clone_fail. */
bool meta_lay_out(struct clone *c, enum layout_round round);
/* Prepares the file for its I/O. Returns false after clone_fail. */
bool meta_prepare(struct clone *c, struct file *f);
/* Records the result of the file's I/O. */
void meta_record(struct clone *c, struct file *f);
/* Marks the files and directories that the job has created. Called after the measurement. */
void meta_finish(const struct file_set *s, struct clone *c);

static inline bool meta_job(const struct clone *c)
{
	return clone_caps(c) & ENG_META;
}

#endif
