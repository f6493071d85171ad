/* thread_group.h: a worker of a thread_group. The section of an I/O's file sets its direction, offset and
   contents.

   Either each file has its own I/Os in flight, and an I/O stays with its file; or the I/Os are one pool, and
   each idle I/O draws a file, which it keeps while it waits for that file's rate. */
#ifndef THREAD_GROUP_H
#define THREAD_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include "dir.h"

struct clone;
struct content;
struct file_order;
struct io;
struct iobuf;
struct io_source;
struct mixer;
struct thread_group;
struct worker;

/* Called once the buffers are allocated. Sets *group to NULL if the job is one section. Returns false if
   memory is short. */
bool thread_group_init(struct thread_group **group, const struct clone *c, const struct iobuf *bufs);
/* group may be NULL. */
void thread_group_fini(struct thread_group *t);
/* Returns the file of this idle I/O. */
uint32_t thread_group_file(struct thread_group *t, struct file_order *order, const struct io *io);
/* The current file has no I/O that is due. If files take turns, picks another file for this I/O. Returns the
   same as schedule_next; w->sched.due_ns is the earliest due time of all files. */
enum io_dir thread_group_try_others(struct worker *w, const struct io *io, uint64_t now, uint64_t *due);
/* Returns the mixer of the file. */
struct mixer *thread_group_mix(const struct thread_group *t, uint32_t file);
/* Fills in the next I/O of the current file. Returns false if that file has no more I/Os. */
bool thread_group_take(struct io_source *s, struct io *io, enum io_dir dir);
/* Returns the contents of the file's writes, or NULL if the job does not write the file. */
struct content *thread_group_content(const struct thread_group *t, uint32_t file);

#endif
