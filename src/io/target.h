/* target.h: read-only facts about a path, and whether it may be written. Nothing is created or changed.

   The write guard refuses writes and trims to a block device if it, one of its partitions or its disk is
   mounted, held (dm, md, swap, another exclusive opener) or carries a file system or partition signature
   (libblkid). The name does not matter: symbolic links are resolved, and other nodes are matched by device
   number. allow_write permits exactly one device or file, matched by device number (or device and inode). One
   that somebody uses needs allow_mounted_write beside it.
   A missing name below /dev (and not on another file system such as /dev/shm) is a typing error, never a
   file to create. */
#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <stddef.h>
#include "diag.h"
#include "in_use.h"
#include "nvme.h"
#include "scsi.h"

struct device_zones;
struct placement_ids;

/* Whether a file lies in a directory of the running system, such as /etc. */
enum target_system { SYSTEM_NO, SYSTEM_YES, SYSTEM_UNKNOWN };

/* The directory of the file whose owner was found last: files beside it need fewer system calls. Zero it
   before the first. */
struct target_owner_dir {
	char path[4096]; /* as written, with the last '/' */
	bool known;
	uint64_t mount; /* of the file */
	enum target_system system;
};

enum target_type { TARGET_MISSING, TARGET_FILE, TARGET_BLOCK, TARGET_CHAR, TARGET_DIR, TARGET_OTHER };

/* Whether a path is a character device that takes commands for a disk: that of an NVMe namespace (/dev/ng0n1)
   or of a SCSI disk (/dev/sg0). Type and guard are then those of the block device. */
enum target_commands { COMMANDS_NONE, COMMANDS_NVME, COMMANDS_SCSI };

/* The facts are plain data, so that tests can plan with facts of their own. */
struct target_facts {
	enum target_type type;
	int error;                   /* 0, or the -errno of stat/open other than ENOENT */
	int read_error, write_error; /* of an existing file or device: 0, or -errno if it may not be read, or
					written */
	bool symlink; /* the path is a symbolic link; the facts are those of its target (TARGET_MISSING if it
			 dangles) */
	bool in_dev;  /* lies, or would lie, in the file system of /dev */
	bool parent_missing;
	uint64_t size;                   /* bytes, also of devices */
	uint64_t blocks;                 /* allocated bytes (st_blocks * 512) */
	int64_t modified_s;              /* last change of a file, in seconds since 1970, */
	uint32_t modified_ns;            /* and the rest of that time */
	uint32_t logical_block;          /* alignment for direct I/O, from BLKSSZGET or statx; 0 unknown */
	bool own_block;                  /* each file of the file system has its own, from statx */
	uint64_t trim_unit;              /* block devices: discard_granularity; 0 unknown */
	bool no_trim;                    /* a block device that cannot discard */
	bool queued_trims;               /* a block device whose trims some job's engine can queue */
	struct device_zones *zones;      /* of a zoned device that a job uses with zonemode=zbd; else NULL */
	int zones_error;                 /* 0, or -errno if they could not be read */
	struct placement_ids *placement; /* of a device that a job uses with dataplacement; else NULL */
	int placement_error;             /* 0, or -errno if it could not be read */
	char zoned[16];                  /* block devices: "none", "host-aware", "host-managed"; "" unknown */
	uint32_t atomic_min, atomic_max; /* bytes of an atomic write; 0: not supported */
	bool marked;                     /* carries the mark user.fiord, and is as fiord left it */
	bool mark_ended; /* carries the mark, but has changed since, or fiord has not finished it */
	/* Of a file that is to be written and carries no mark. */
	bool no_marks;             /* its file system keeps no marks */
	bool holds_nothing;        /* it has no data: it is empty, or it is one hole */
	enum target_system system; /* by whatever name or mount it is reached */
	bool system_link;          /* it has several names (hard links), of which one may lie there */
	uint64_t links;            /* names of a file */
	dev_t dev;                 /* device number of the file system that holds, or would hold, the file */
	ino_t ino;                 /* 0 if missing */
	dev_t rdev;                /* of a device; with `commands` that of its block device */
	enum target_commands commands;
	struct scsi_disk scsi; /* of a SCSI disk, by either name */
	int nvme_error;        /* -errno: the namespace, or the kernel about the device, could not be asked */
	struct nvme_ns nvme;   /* format of a namespace; of a block device only that of its metadata */
	/* If the target is missing: its nearest existing directory (dir_ino 0: unknown), and the position
	   in the path where the missing part begins. */
	dev_t dir_dev;
	ino_t dir_ino;
	uint16_t missing_at;
	char fstype[24];
	/* Of the file system that holds, or would hold, the file: all bytes (0: unknown), those free for
	   any user, and those free only for root if we are root. */
	uint64_t fs_size, fs_free, fs_reserved;
	/* The guard's verdict on block devices and files behind loop devices when they were probed:
	   "" if writing is safe, else the reason, such as "it is mounted on /mnt/data" or "it carries a file
	   system (ext4)". */
	char refusal[160];
	/* Of these, allow_write alone does not permit a write: */
	bool in_use; /* another program or the kernel uses the device, or the file behind a loop device */
	bool use_unknown; /* a file: fiord could not find out whether a loop device uses it */
	bool unexamined;  /* a block device that target_examine has not examined yet */
};

/* Names in allow_write, matched by identity. */
struct target_allow {
	const char *const *paths; /* as the user wrote them */
	unsigned count;
	const bool *in_use; /* by path: allow_mounted_write stands beside it; NULL: beside none */
};

/* Fills *f. Returns 0, also for a missing path (type TARGET_MISSING). */
int target_probe(struct target_facts *f, const char *path);
/* Who may use a file, according to its inode. */
struct target_rights {
	uint32_t mode, uid, gid;
	uint64_t denied; /* STATX_ATTR_*: bits that deny writing */
};
/* Facts that earlier paths of a list share with later ones. */
struct target_scan {
	/* The last missing file: files of its directory share its facts. dir_ino 0: none. */
	char missing_dir[4096];
	struct target_facts missing;
	/* The last regular file that was examined alone: files of its mount share the facts of its file
	   system. */
	bool known;
	char file_dir[4096];
	struct target_facts file;
	struct target_rights rights; /* file.read_error and file.write_error are for these */
	uint64_t mount;              /* the number of its mount */
	bool may_be_in_dev;          /* the file system of /dev is that of the file */
	bool overrides;              /* the process has CAP_DAC_OVERRIDE */
	uint32_t euid;
	/* The directory of the last file. */
	char dir[4096];
	int dir_fd;
	bool dir_open;
	struct loop_devices loops;
};
/* Does the same for many paths. Sort them, so that files of one directory follow each other: then most files
   take a single call relative to it. read_only: the run only reads the target, and never lays it out or
   removes it, so the mark and the guard's verdict on a file may stay unknown. Block devices stay unexamined.
   The caller zeroes *scan and calls target_scan_fini at the end. */
void target_probe_next(struct target_facts *f, const char *path, bool read_only, struct target_scan *scan);
void target_scan_fini(struct target_scan *scan);
/* Completes the facts that matter only for targets that the job writes: the guard's verdict on a block
   device, for which it reads from the device, and whose data a file holds. */
void target_examine(struct target_facts *f, const char *path, struct target_owner_dir *last);
/* Compares two missing names: 0 if they would be the same file, else their order. */
int target_missing_cmp(const struct target_facts *f, const char *path, const struct target_facts *g,
		       const char *other);
/* Returns whether both are facts of one file or device. */
bool target_is_same(const struct target_facts *f, const struct target_facts *g);
/* Returns whether allow_write names this device or file. */
bool target_allowed(const struct target_facts *f, const char *path, const struct target_allow *allow);
/* Returns the namespace whose character device the target is, or NULL. */
static inline const struct nvme_ns *target_namespace(const struct target_facts *f)
{
	return f->commands == COMMANDS_NVME ? &f->nvme : NULL;
}
/* Returns the format of the metadata that the kernel transfers with the blocks of a block device, or NULL. */
static inline const struct nvme_ns *target_metadata(const struct target_facts *f)
{
	return !f->commands && f->nvme.md_bytes ? &f->nvme : NULL;
}
/* Returns the SCSI disk that the target is, or NULL. */
static inline const struct scsi_disk *target_scsi_disk(const struct target_facts *f)
{
	return f->scsi.lba_shift ? &f->scsi : NULL;
}
/* Returns whether the device discards what is written to it: null, zero and full. */
bool target_keeps_nothing(const struct target_facts *f);
/* Returns 0 if the job may write and trim the target or create the missing file; else -EPERM (or f->error)
   with d (DIAG_TARGET) that names the path, the reason and what would permit it. Besides block devices in
   use it refuses directories, FIFOs, sockets, character devices other than null, zero and full, missing
   names and regular files below /dev, and dangling symbolic links. */
int target_may_write(const struct target_facts *f, const char *path, const struct target_allow *allow,
		     struct diag *d);
/* Does the same for an open descriptor. Its device and inode must be those of `f` (unless f is NULL or was
   missing), and the check whether a block device is in use is repeated before a write. A file that was
   missing in `f` and is to be written must carry the mark, else -EEXIST: another program created it. */
int target_check_fd(int fd, const char *path, const struct target_facts *f, bool write,
		    const struct target_allow *allow, struct diag *d);
/* For a target that could not be examined: returns f->error, with d (DIAG_TARGET) filled. If `write`, the
   message names the use of a device that is in use before the error. */
int target_error(const struct target_facts *f, const char *path, bool write, struct diag *d);

/* Fills in atomic_min and atomic_max of dir/path, or of dir itself if path is "". */
void target_atomic(struct target_facts *f, int dir, const char *path);
/* Returns -EOPNOTSUPP with d filled. */
int target_not_atomic(const char *path, struct diag *d);

/* The mark is an extended attribute of the files and directories that fiord has created. Of a file it holds
   the length and the time of the last change when fiord let go of it, "1 size=N
   time=SECONDS.NANOSECONDS done". It has at most 64 characters, which ext4 keeps in an inode of 256 bytes; a
   longer value would take a block of the device for each file. If either differs later, another program has
   changed the file, and it counts as not marked. While fiord writes a file, the mark lacks "done". If the run
   is killed then, another program may have written last, so the file counts as not marked, unless it still is
   as it was when it got the mark.
 */
#define TARGET_MARK "user.fiord"
/* Marks an open file that fiord is going to write, or a directory. Best effort: returns -errno if the file
   system has no such attributes. */
int target_mark(int fd);
/* Returns whether the file is as fiord left it. */
bool target_has_mark(int fd);
/* Returns whether it is that, or a worker writes it now. */
bool target_has_any_mark(int fd);
/* Marks a file that carries the mark as complete, with its present length and time. */
int target_mark_complete(int fd);

/* target_name.c: for targets that do not exist: the name to which a dangling link points, and the device with
   the most similar name. */

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
