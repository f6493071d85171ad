/* meta.h: jobs whose I/O is one operation on a file or directory (ENG_META). */
#ifndef META_H
#define META_H

#include <stdbool.h>
#include <stdint.h>
#include "clone.h"

struct file;
struct file_set;

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
