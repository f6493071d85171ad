/* layout_worker.h: a worker lays out its files before the gate of its stage opens.

   Functions that return bool return false after clone_fail. */
#ifndef LAYOUT_WORKER_H
#define LAYOUT_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include "region.h"

struct clone;

/* Lays out the files and directories that this worker has to lay out in this round. */
bool layout_worker(struct clone *c, enum layout_round round);
/* Lays out files only, and does not wait for the worker's turn (create_serialize). */
bool layout_worker_files(struct clone *c, enum layout_round round);
/* Returns true if this worker lays out the file in this round. */
bool layout_worker_is_mine(const struct clone *c, uint32_t file, enum layout_round round);
/* Waits for the files that other workers lay out. */
bool layout_worker_await_others(struct clone *c);

#endif
