/* target.h: read-only facts about a path, and whether it may be written. Creates nothing, changes nothing.

   The write guard. A block device is refused for writes and trims when it, a partition of it or the disk it
   is a part of is mounted, held (dm, md, swap, another exclusive opener) or carries a file system or
   partition signature (libblkid); by whatever name: symlinks are resolved, other nodes are matched by device
   number. allow_write names exactly one device or file, matched by device number (or device and inode). A
   missing name below /dev (and not on another file system such as /dev/shm) is a typing error, never a file
   to create. */
#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "diag.h"

enum target_type { TARGET_MISSING, TARGET_FILE, TARGET_BLOCK, TARGET_CHAR, TARGET_DIR, TARGET_OTHER };

/* Plain data: plans are made from canned facts in tests. */
struct target_facts {
	enum target_type type;
	int error; /* 0, or the -errno of stat/open other than ENOENT */
	int read_error,
		write_error; /* of a file or device that is there: 0, or why it may not be read, written */
	bool symlink; /* the name given is a symbolic link (facts are those of what it points to; a dangling
			 one is TARGET_MISSING) */
	bool in_dev;  /* lies, or would lie, in the file system of /dev */
	bool parent_missing;
	uint64_t size;                   /* bytes; of devices too */
	uint64_t blocks;                 /* allocated bytes (st_blocks * 512) */
	int64_t modified_s;              /* of files: when, in seconds since 1970 */
	uint32_t logical_block;          /* alignment for direct I/O, from BLKSSZGET or statx; 0 unknown */
	uint64_t trim_unit;              /* block devices: discard_granularity; 0 unknown */
	bool no_trim;                    /* a block device that cannot discard */
	uint32_t atomic_min, atomic_max; /* bytes of a write that cannot tear; 0 none */
	bool marked;                     /* carries user.fiord, and is as fiord has left it */
	dev_t dev;                       /* of the file system that the file lies or would lie on */
	ino_t ino;                       /* 0 if missing */
	dev_t rdev;
	/* If missing: the directory that is nearest to it, and where in the path what lies below that begins.
	   dir_ino 0: unknown. */
	dev_t dir_dev;
	ino_t dir_ino;
	uint16_t tail;
	char fstype[24];
	/* Of the file system the file lies or would lie on: bytes in all (0: it does not say), free for us,
	   and free besides for root, who we are. */
	uint64_t fs_size, fs_free, fs_reserved;
	/* The guard's verdict for block devices and for files behind loop devices, taken when probed: "" if
	   it may be written, else the reason, such as "it is mounted on /mnt/data" or "it carries a file
	   system (ext4)". */
	char refuse[160];
	bool unexamined; /* a block device, and there is no verdict: target_examine was not asked */
};

/* Names that the user opened for writing: resolved once, matched by identity. */
struct target_allow {
	const char *const *paths; /* as written */
	unsigned count;
};

/* Fills *f. Returns 0 also for a missing path (type TARGET_MISSING). */
int target_probe(struct target_facts *f, const char *path);
/* The same for many paths: missing files share what is known of their directory. facts.dir_ino is 0 to begin
   with. Block devices stay unexamined. */
struct target_dir {
	char path[4096];
	struct target_facts facts;
};
int target_probe_next(struct target_facts *f, const char *path, struct target_dir *last);
/* The guard's verdict on a block device that target_probe_next has left unexamined. Reads from the device:
   for those alone that are to be written. */
void target_examine(struct target_facts *f, const char *path);
/* Whether two missing names mean the same file: 0, or their order. */
int target_missing_cmp(const struct target_facts *f, const char *path, const struct target_facts *g,
		       const char *other);
/* Whether `allow` names this very device or file. */
bool target_allowed(const struct target_facts *f, const char *path, const struct target_allow *allow);
/* 0 if writes and trims may go to the target, or the missing file may be created; else -EPERM (or f->error)
   with d (DIAG_TARGET) naming the path, the reason and what would open it. Refuses besides block devices in
   use: directories, FIFOs and sockets, character devices other than null, zero and full, missing names and
   plain files below /dev, and symbolic links to nothing. */
int target_may_write(const struct target_facts *f, const char *path, const struct target_allow *allow,
		     struct diag *d);
/* The same for an open descriptor, looked at now: the device and inode must be those of `f` (unless f is NULL
   or was missing then), and whether a block device that is to be written is in use is looked at anew. A file
   that was missing then and is to be written must carry the mark, or else -EEXIST: someone else has put it
   there. */
int target_check_fd(int fd, const char *path, const struct target_facts *f, bool write,
		    const struct target_allow *allow, struct diag *d);

/* Fills in atomic_min and atomic_max of dir/path, or of dir itself if path is "". */
void target_atomic(struct target_facts *f, int dir, const char *path);
/* -EOPNOTSUPP with d. */
int target_not_atomic(const char *path, struct diag *d);

/* The mark, an extended attribute: "1 seed=S size=N" before the first byte is written, N being how long the
   file is to become; "1 seed=S size=N done" once it is as it should be. From then on a file of another length
   is the work of somebody else, and counts as not marked. Best effort where the file system has none: returns
   -errno. */
#define TARGET_MARK "user.fiord"
int target_mark(int fd, uint64_t seed, uint64_t size);
bool target_marked_fd(int fd);
/* A file that carries the mark is now as this run leaves it. */
int target_mark_done(int fd, uint64_t seed);

#endif
