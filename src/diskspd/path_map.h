/* path_map.h: maps Windows paths to Linux paths, by --map or by the file's name. Pure: looks at names
   only, never at the file system. */
#ifndef DISKSPD_PATH_MAP_H
#define DISKSPD_PATH_MAP_H

#include "diag.h"
#include "profile.h"

struct ds_map_entry {
	char *from, *to;
};

/* The entries of --map, in the order given. */
struct ds_map {
	struct arena mem;
	struct ds_map_entry *entries;
	size_t nentries;
};

/* Adds "C:=/mnt/data", "#4=/dev/sdb", "\\srv\share=/mnt/s" or "C:\dir=/x". Returns 0 or -errno with d. */
int ds_map_add(struct ds_map *m, const char *text, struct diag *d);
void ds_map_fini(struct ds_map *m);

/* Maps one path. The longest matching entry counts; case and the kind of slash do not matter. Without an
   entry, a path that ends in a file name becomes this name in the current directory, with a note, and a
   drive, a volume or a directory is refused. Linux paths and templates (*1) do not change. Returns the
   path, in mem, or NULL with d. */
char *ds_map_path(const struct ds_map *m, struct arena *mem, const char *path, struct notes *notes,
		  struct diag *d);

/* Maps all targets and -Z files of a profile in place. given_path of a changed target keeps the old path.
   Refuses two different paths that become the same one. Returns 0 or -errno with d. */
int ds_map_profile(const struct ds_map *m, struct ds_profile *p, struct notes *notes, struct diag *d);

#endif
