/* child.h: child processes that end with their parent, and the user's shell commands as such children. */
#ifndef CHILD_H
#define CHILD_H

#include <sys/types.h>

/* Makes the kernel kill the caller when its parent ends; kills the caller at once if the parent has ended
   already. The kernel drops this setting when the user or group changes, and children do not inherit it, so
   the caller must call this again then. */
void child_end_with_parent(pid_t parent);

/* Starts `sh -c command` without input, with stdout and stderr in `out` and with default signal handling. The
   child leads a process group that holds the shell and its children, and ends with the shell's exit status.
   If the calling thread ends first, the child kills the group. Returns the child's pid or -errno. A process
   with several threads may call this. */
pid_t child_shell(const char *command, int out);

#endif
