/* guard.h: shared by target.c and guard.c. The guard itself is declared in target.h. */
#ifndef GUARD_H
#define GUARD_H

#include <sys/stat.h>
#include "target.h"

/* Type, size, device numbers and inode. */
void target_from_stat(struct target_facts *f, const struct stat *st);
/* -EEXIST with d: someone else has put a file where nothing was. */
int target_appeared(const char *path, struct diag *d);

#endif
