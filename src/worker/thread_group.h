/* thread_group.h: a worker of a thread_group. The section of an I/O's file sets its direction, offset and
   contents. All functions but init and fini need io_source.thread_group. */
#ifndef THREAD_GROUP_H
#define THREAD_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include "dir.h"

struct content;
struct io;
struct mixer;
struct worker;

/* Called once the buffers are allocated. Returns false if memory is short. */
bool thread_group_init(struct worker *w);
void thread_group_fini(struct worker *w);
/* Returns the file of this idle I/O. */
uint32_t thread_group_file(struct worker *w, const struct io *io);
/* The current file has no I/O that is due. If files take turns, picks another file for this I/O. Returns the
   same as schedule_next; w->sched.due_ns is the earliest due time of all files. */
enum io_dir thread_group_other(struct worker *w, const struct io *io, uint64_t now, uint64_t *due);
/* Returns the mixer of the current file. */
struct mixer *thread_group_mix(struct worker *w);
/* Fills in the next I/O of the current file. Returns false if that file has no more I/Os. */
bool thread_group_take(struct worker *w, struct io *io, enum io_dir dir);
/* Returns the contents of the file's writes, or NULL if the job does not write the file. */
struct content *thread_group_content(const struct worker *w, uint32_t file);

#endif
