/* setup.h: opens, closes, syncs and removes the worker's files. */
#ifndef SETUP_H
#define SETUP_H

#include <stdbool.h>
#include <stdint.h>

struct worker;

/* Lays out the files, runs exec_prerun, pre-reads and opens the files. Returns false after clone_fail. */
bool setup_files(struct worker *w);
/* Opens one file. Returns false after clone_fail. */
bool setup_open(struct worker *w, uint32_t file);
void setup_close(struct worker *w, uint32_t file);
/* invalidate=1: drops the file's cached pages. This happens before every pass, as in fio. */
void setup_invalidate(struct worker *w, uint32_t file);
/* Between two loops: syncs (end_fsync, fsync_on_close), closes and reopens all files. With unlink_each_loop
   it removes them in between. If the worker fails, some files stay closed. */
void setup_renew(struct worker *w);
/* After the last loop: end_fsync, fsync_on_close, end_syncfs. */
void setup_sync(struct worker *w);
/* Closes all files. */
void setup_finish(struct worker *w);

#endif
