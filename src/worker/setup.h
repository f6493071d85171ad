/* setup.h: what a worker does before the gate of its stage opens and after its last I/O: its place on the
   machine, its user, its memory, its files, and the user's commands. */
#ifndef SETUP_H
#define SETUP_H

#include <stdbool.h>
#include "clone.h"

struct file_set;
struct io_source;
struct worker;

/* setup.c: prepares the worker's files before the gate of its stage opens, and closes them at the end. */

/* Lays out the files, runs exec_prerun, pre-reads and opens the files. Returns false after clone_fail. */
bool setup_files(struct worker *w);
/* Closes all files and runs exec_postrun. */
void setup_finish(struct file_set *s, struct clone *c);

/* place.c: the CPUs, memory nodes and priorities of a worker, its user, its control group, and the memory
 * that it locks. */

/* Gives the calling worker its CPUs, memory nodes and priorities. Returns false after clone_fail. */
bool place_worker(struct clone *c);

/* Changes the worker to the user and group of the job (uid, gid). It cannot change back. Returns false after
   clone_fail. */
bool user_group_set(struct clone *c);

/* Moves the worker into the control group of its job, if the job has one. Returns false after clone_fail. */
bool worker_cgroup_join(struct clone *c);

/* Allocates and locks memory until the worker ends (lockmem). *locked is the memory, or NULL if the job locks
   none. Returns false after clone_fail. */
bool lockmem_lock(struct clone *c, void **locked);
void lockmem_unlock(const struct clone *c, void *locked);

/* user_command.c: the user's commands around a job (exec_prerun, exec_postrun). */

/* The job does not run if exec_prerun fails. Returns false then, in most cases after clone_fail. */
bool user_command_prerun(struct clone *c);
/* Runs the command only if exec_prerun succeeded. */
void user_command_postrun(struct clone *c);

/* write_pool_fill.c: fills this clone's share of the memory that writes send (write_pool). */

/* Returns false after clone_fail. */
bool write_pool_fill(struct clone *c, const struct io_source *s);

#endif
