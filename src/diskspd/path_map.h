/* path_map.h: Windows targets -> Linux paths, through --map or by the rules for a line without one. Pure:
   looks at names only, never at the file system. */
#ifndef DISKSPD_PATH_MAP_H
#define DISKSPD_PATH_MAP_H

#include "diag.h"
#include "profile.h"

struct ds_map_entry {
	char *from, *to;
};

/* --map, in the order given. */
struct ds_map {
	struct arena mem;
	struct ds_map_entry *entry;
	size_t entries;
};

/* "C:=/mnt/data", "#4=/dev/sdb", "\\srv\share=/mnt/s", "C:\dir=/x". 0, or -errno with d. */
int ds_map_add(struct ds_map *m, const char *text, struct diag *d);
void ds_map_fini(struct ds_map *m);

/* One path. The longest entry that fits wins; letters of either case, slashes of either kind. Without one a
   path that ends in a file name becomes that name here, with a note; a drive, a volume or a directory is
   refused. A Linux path and a template (*1) stay as they are. NULL with d; else in mem (may be `path`). */
char *ds_map_path(const struct ds_map *m, struct arena *mem, const char *path, struct notes *notes,
		  struct diag *d);

/* All targets and -Z files of a profile, in place; target.given keeps what a changed target was. Two
   different paths that would become one are refused. */
int ds_map_profile(const struct ds_map *m, struct ds_profile *p, struct notes *notes, struct diag *d);

#endif
