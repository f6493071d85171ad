/* child.h: processes that end with the one that started them, and commands of the user's run that way. */
#ifndef CHILD_H
#define CHILD_H

#include <sys/types.h>

/* From now on the caller is killed when its parent ends, also if that has happened already. The kernel
   forgets it when the user or group changes, and a process that is started does not inherit it: say it again
   then. */
void child_tie(pid_t parent);

/* Starts `sh -c command` with no input, both outputs in `out` and signals as they are when a program begins.
   The child that is returned leads a process group of the shell and all that it starts, ends as the shell
   does, and takes the group with it when the calling thread ends before. Its pid, or -errno. Safe beside
   other threads. */
pid_t child_shell(const char *command, int out);

#endif
