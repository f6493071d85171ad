/* exec.h: the user's commands around a job (exec_prerun, exec_postrun). */
#ifndef EXEC_H
#define EXEC_H

#include <stdbool.h>

struct worker;

/* The job does not run if exec_prerun fails. Returns false then, in most cases after clone_fail. */
bool exec_prerun(struct worker *w);
/* Runs the command only if exec_prerun succeeded. */
void exec_postrun(struct worker *w);

#endif
