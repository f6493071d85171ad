/* target_name.h: for targets that do not exist: the name to which a dangling link points, and the device with
   the most similar name. */
#ifndef TARGET_NAME_H
#define TARGET_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Follows the symbolic links of the last component of path and writes the name that a write to path would
   create. Returns 0, -ELOOP, -ENAMETOOLONG, or -errno of readlink. */
int target_name_follow(const char *path, char *name, size_t size);

/* Finds the block device (or link) in path's directory with the most similar name and writes its whole
   path. Returns false if none is similar. */
bool target_name_nearest(const char *path, char *found, size_t size);

/* Writes what may be wrong with the name of a device that does not exist: "; did you mean /dev/sda?", or that
   the X of /dev/sdX stands for a disk; "" if nothing is known. */
void target_name_hint(const char *path, char *hint, size_t size);

#endif
