/* shell_assign.h: a statement that gives a name its value: $x = "a", set X=a, x=a. Pure. */
#ifndef DISKSPD_SHELL_ASSIGN_H
#define DISKSPD_SHELL_ASSIGN_H

struct diag;
struct shell_vars;

/* Reads one at *at and moves behind it: 1. A value that only a shell can work out leaves the name without
   one. 0: no assignment stands here, or the output of a command is assigned. -errno with d. */
int shell_assign_read(const char **at, struct shell_vars *vars, struct diag *d);

#endif
