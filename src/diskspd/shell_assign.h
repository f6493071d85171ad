/* shell_assign.h: assignments of cmd, PowerShell and sh: $x = "a", set X=a, x=a. Pure. */
#ifndef DISKSPD_SHELL_ASSIGN_H
#define DISKSPD_SHELL_ASSIGN_H

struct diag;
struct shell_vars;

/* Reads an assignment at *at, and moves *at after it. Returns 1; 0 if no assignment stands there, or if
   it assigns the output of a command; or -errno with d. A value that only a shell can compute leaves the
   name without a value. */
int shell_assign_read(const char **at, struct shell_vars *vars, struct diag *d);

#endif
