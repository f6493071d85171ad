/* exec.h: the user's commands around a job (exec_prerun, exec_postrun). */
#ifndef EXEC_H
#define EXEC_H

#include <stdbool.h>

struct clone;

/* The job does not run if exec_prerun fails. Returns false then, in most cases after clone_fail. */
bool exec_prerun(struct clone *c);
/* Runs the command only if exec_prerun succeeded. */
void exec_postrun(struct clone *c);

#endif
