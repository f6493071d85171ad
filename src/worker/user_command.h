/* user_command.h: the user's commands around a job (exec_prerun, exec_postrun). */
#ifndef USER_COMMAND_H
#define USER_COMMAND_H

#include <stdbool.h>

struct clone;

/* The job does not run if exec_prerun fails. Returns false then, in most cases after clone_fail. */
bool user_command_prerun(struct clone *c);
/* Runs the command only if exec_prerun succeeded. */
void user_command_postrun(struct clone *c);

#endif
