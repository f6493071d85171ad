/* name.h: names of targets that do not exist: where a dangling link leads, and what else may have been meant.
 */
#ifndef TARGET_NAME_H
#define TARGET_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Follows the links that the last component of path is, by their text: the name that writing to path would
   create. 0, -ELOOP, -ENAMETOOLONG, or -errno of readlink. */
int target_name_follow(const char *path, char *name, size_t size);

/* The block device (or link) beside path whose name is most like it, as a whole path. False if none is near.
 */
bool target_name_nearest(const char *path, char *found, size_t size);

#endif
