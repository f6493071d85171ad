/* target_parts.h: the parts of target.c. Private to src/io. */
#ifndef TARGET_PARTS_H
#define TARGET_PARTS_H

#include <string.h>
#include <sys/stat.h>
#include "target.h"

/* The fields of statx about atomic writes, which exist since Linux 6.11 and which older
   headers lack. */

#define STATX_WRITE_ATOMIC_BIT 0x10000u
#define STATX_ATOMIC_MIN_AT    0xa8
union target_statx {
	struct statx sx;
	unsigned char byte[256];
};

static inline void target_set_atomic(struct target_facts *f, const union target_statx *now)
{
	if (!(now->sx.stx_mask & STATX_WRITE_ATOMIC_BIT))
		return;
	memcpy(&f->atomic_min, now->byte + STATX_ATOMIC_MIN_AT, sizeof(f->atomic_min));
	memcpy(&f->atomic_max, now->byte + STATX_ATOMIC_MIN_AT + 4, sizeof(f->atomic_max));
}

/* Returns the length of the directory part of a path as written, for comparisons; 0 if it has none. */
static inline size_t target_dir_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* target_neighbour.c: facts about a file from those of a file before it, on the same file system. Private to
   target.c. */

/* Records the facts of a regular file that is no symbolic link, for the files after it. */
void target_neighbour_remember(struct target_scan *s, const struct target_facts *f, const char *path);
/* Fills *f with one statx, relative to the directory of the file, if the path is a regular file on the same
   mount as the file that was recorded last. Returns false if it is anything else, or if a fact must be found
   out anew; *f is then unchanged. read_only: as for target_probe_next. */
bool target_neighbour_probe(struct target_facts *f, const char *path, bool read_only, struct target_scan *s);

/* target_mark.c: fills in marked, mark_ended and no_marks of a directory, or of a file whose size and time
   are known. */
void target_read_mark(struct target_facts *f, const char *path);
/* target.c: fills in f->refusal of a file that may back a loop device. */
void target_check_backing(struct target_facts *f, struct target_scan *s);

/* guard.c: functions that target.c, target_owner.c and guard.c share. The write guard itself is declared in
 * target.h. */

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
