/* file.h: one open target of one worker. */
#ifndef FILE_H
#define FILE_H

#include <stdbool.h>
#include <stdint.h>
#include "target.h"

enum file_sync { FILE_SYNC_NONE, FILE_SYNC_SYNC, FILE_SYNC_DSYNC };
/* What the kernel is told about how a file will be used. */
enum file_advice { FADVICE_NONE, FADVICE_PATTERN, FADVICE_RANDOM, FADVICE_SEQUENTIAL, FADVICE_NOREUSE };
enum file_falloc { FALLOC_NONE, FALLOC_NATIVE, FALLOC_POSIX, FALLOC_KEEP, FALLOC_TRUNCATE };

/* As the kernel numbers them (RWH_WRITE_LIFE_*); unset: the file keeps what it has. */
enum file_hint { HINT_UNSET, HINT_NONE, HINT_SHORT, HINT_MEDIUM, HINT_LONG, HINT_EXTREME };

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
	bool write_only; /* nothing is read: opened for writing alone */
	enum file_advice advice;
};

struct file {
	const char *path; /* as the user wrote it, with directory; not owned */
	int fd;           /* -1 while closed */
	uint16_t index;   /* among the worker's files */
	bool write;       /* open for writing */
	bool created;     /* by the last opening */
	enum target_type type;
	enum file_advice advice; /* as file_advise was told, for engines that have advice of their own */
	uint64_t start, len;     /* the range this worker uses */
	uint64_t size;           /* of the whole target */
};

/* Opens for reading, or reading and writing (cfg->write_only: writing alone). The caller has set path, index,
   start, len and size (which the mark of a new file tells); fd, write, created and type are set here. Never
   truncates; creates only with `create` (then the mark user.fiord is set before anything is written, and
   missing parent directories are made). The descriptor must be the device and inode that `facts` holds unless
   it was created here (a target that changed since the plan is refused; -EEXIST one that was missing, is to
   be written and is not fiord's), and what the guard refuses is closed again untouched. After unlinking and
   making a file anew the caller renews its facts; facts may be NULL in tests. 0 or -errno with d filled:
   DIAG_TARGET if refused, else DIAG_RUN. */
int file_open(struct file *f, const struct file_cfg *cfg, bool write, bool create,
	      const struct target_facts *facts, const struct target_allow *allow, uint64_t seed,
	      struct diag *d);
/* fsync first if cfg says so. 0 or -errno of fsync or close. */
int file_close(struct file *f, const struct file_cfg *cfg);
/* Drops the cached pages of the range: posix_fadvise on files, BLKFLSBUF on block devices. 0 or -errno. */
int file_invalidate(const struct file *f);
/* Tells the kernel how the range will be used. random: what FADVICE_PATTERN stands for. */
void file_advise(struct file *f, enum file_advice advice, bool random);
/* Preallocates [0, size) as cfg->fallocate says; not for devices. 0 or -errno. -EOPNOTSUPP of `native` is no
 * error. */
int file_preallocate(const struct file *f, const struct file_cfg *cfg, uint64_t size, struct diag *d);
/* mkdir -p of the directories above path. */
int file_create_parents(const char *path, struct diag *d);

#endif
