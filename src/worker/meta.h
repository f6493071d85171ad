/* meta.h: jobs whose I/O is one operation on a file or directory (ENG_META). */
#ifndef META_H
#define META_H

#include <stdbool.h>
#include <stdint.h>
#include "worker.h"

/* Creates the files and directories that the operations need. Returns false after clone_fail. */
bool meta_lay_out(struct worker *w, enum layout_round round);
/* Prepares the file for its I/O. Returns false after clone_fail. */
bool meta_ready(struct worker *w, uint32_t file);
/* Records the result of the file's I/O. */
void meta_done(struct worker *w, uint32_t file);
/* Marks the files and directories that the job has created. Called after the measurement. */
void meta_finish(struct worker *w);

static inline bool meta_job(const struct worker *w)
{
	return w->q.eng.engine->caps & ENG_META;
}

#endif
