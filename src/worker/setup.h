/* setup.h: prepares the worker's files before the gate of its stage opens, and closes them at the end. */
#ifndef SETUP_H
#define SETUP_H

#include <stdbool.h>

struct clone;
struct file_set;
struct worker;

/* Lays out the files, runs exec_prerun, pre-reads and opens the files. Returns false after clone_fail. */
bool setup_files(struct worker *w);
/* Closes all files and runs exec_postrun. */
void setup_finish(struct file_set *s, struct clone *c);

#endif
