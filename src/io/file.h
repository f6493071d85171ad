/* file.h: one open target of one worker. */
#ifndef FILE_H
#define FILE_H

#include <stdbool.h>
#include <stdint.h>
#include "target.h"

enum file_sync { FILE_SYNC_NONE, FILE_SYNC_SYNC, FILE_SYNC_DSYNC };
/* Advice to the kernel about the access pattern of a file. */
enum file_advice { FADVICE_NONE, FADVICE_PATTERN, FADVICE_RANDOM, FADVICE_SEQUENTIAL, FADVICE_NOREUSE };
/* What a trim does to its blocks. */
enum trim_kind { TRIM_DISCARD, TRIM_ZEROOUT, TRIM_SECURE };
enum file_falloc { FALLOC_NONE, FALLOC_NATIVE, FALLOC_POSIX, FALLOC_KEEP, FALLOC_TRUNCATE };

/* The kernel's numbers (RWH_WRITE_LIFE_*). HINT_UNSET leaves the file's hint as it is. */
enum file_hint { HINT_UNSET, HINT_NONE, HINT_SHORT, HINT_MEDIUM, HINT_LONG, HINT_EXTREME };

struct nvme_ns;
struct scsi_disk;

/* How a job opens and treats its files. */
struct file_cfg {
	bool direct;
	enum file_sync sync;
	enum file_hint hint; /* how long written data will live */
	enum file_falloc fallocate;
	bool invalidate;
	bool fsync_on_close;
	bool atomic; /* writes never tear */
	bool create_on_open;
	enum trim_kind trim_kind;
	bool write_only; /* opened for writing only, because the job reads nothing */
	enum file_advice advice;
};

struct file {
	const char *path; /* as the user wrote it, with the directory; not owned */
	int fd;           /* -1 while closed */
	uint32_t index;   /* position among the worker's files */
	bool write;       /* open for writing */
	bool created;     /* the last file_open created it */
	enum target_type type;
	enum file_advice advice;    /* set by file_advise, for engines that give advice themselves */
	uint64_t start, len;        /* the range that this worker uses, in bytes */
	uint64_t size;              /* size of the whole target, in bytes */
	const struct nvme_ns *nvme; /* fd is the character device of this namespace; else NULL; not owned */
	const struct nvme_ns *metadata; /* format of the metadata of a block device; NULL: it has none */
	const struct scsi_disk
		*scsi; /* the target is this SCSI disk, by its block or character device; else NULL */
	enum trim_kind trim_kind; /* set by file_open */
	uint64_t zone_bytes; /* a zoned device with zonemode=zbd: size of its zones, which trims reset; else 0
			      */
};

/* Opens the file for reading, or reading and writing (cfg->write_only: writing only). The caller has set
   path, index, nvme, metadata, scsi, start, len and size (size goes into the mark of a new file); file_open
   sets fd, write, created and type. It never truncates. It creates the file only with `create`: then it also
   creates missing parent directories and sets the mark user.fiord before any data is written.

   Unless the file is new, it must be the device and inode in `facts`: a target that changed since the plan
   is refused, and one that was missing, is to be written and does not carry fiord's mark gives -EEXIST. A
   target that the guard refuses is closed untouched. A caller that unlinks and creates a file again must
   renew its facts. facts may be NULL in tests. Returns 0 or -errno with d filled: DIAG_TARGET for a
   refusal, else DIAG_RUN. */
int file_open(struct file *f, const struct file_cfg *cfg, bool write, bool create,
	      const struct target_facts *facts, const struct target_allow *allow, struct diag *d);
/* Closes the file, after fsync if cfg->fsync_on_close. Returns 0 or -errno of fsync or close. */
int file_close(struct file *f, const struct file_cfg *cfg);
/* Makes what was written durable: fsync, or a command to the character device of a disk. Returns 0 or -errno.
 */
int file_sync(const struct file *f);
/* Drops the cached pages of the range: posix_fadvise on files, BLKFLSBUF on block devices. Returns 0 or
   -errno. */
int file_invalidate(const struct file *f);
/* The mode of the fallocate that trims this file, or makes zeros of blocks of this device. */
int file_trim_mode(const struct file *f);
/* Gives the kernel advice about the range. random decides what FADVICE_PATTERN means. */
void file_advise(struct file *f, enum file_advice advice, bool random);
/* Preallocates [0, size) as cfg->fallocate says; not for devices. Returns 0, or -errno with d filled.
   -EOPNOTSUPP of `native` is not an error. */
int file_preallocate(const struct file *f, const struct file_cfg *cfg, uint64_t size, struct diag *d);
/* Creates the missing directories above path, like mkdir -p. Returns 0, or -errno with d filled. */
int file_create_parents(const char *path, struct diag *d);

#endif
