/* guard.h: functions that target.c, target_owner.c and guard.c share. The write guard itself is declared in
 * target.h. */
#ifndef GUARD_H
#define GUARD_H

#include <sys/stat.h>
#include "target.h"

/* Fills in type, size, device numbers and inode. */
void target_from_stat(struct target_facts *f, const struct stat *st);
/* Returns what to add to a message about an open that failed with err (-errno): a reason why root may not
   open a device, or "". */
const char *target_open_hint(enum target_type type, int err);
/* Fills in holds_nothing, system and system_link of a regular file without the mark. */
void target_find_owner(struct target_facts *f, const char *path, struct target_owner_dir *last);
/* Returns -EEXIST with d filled: another program created a file where the plan found none. */
int target_appeared(const char *path, struct diag *d);

#endif
