/* quota.h: how much the job has issued, and when it has issued all. */
#ifndef QUOTA_H
#define QUOTA_H

#include <stdbool.h>
#include <stdint.h>

struct clone;
struct file;

struct quota {
	uint64_t issued_bytes, issued_ios; /* of all loops */
	uint64_t loop_bytes;               /* of one loop: as planned, or as much as fitted (fill_device) */
	uint64_t limit_bytes, limit_ios;   /* of all loops together; UINT64_MAX: none */
	uint32_t loops_left;
	bool renewing;  /* between two loops: when all I/Os are back, files are closed and opened again */
	bool exhausted; /* the job issues no more I/Os */
};

/* What fsync=N and fdatasync=N count. */
struct sync_count {
	uint32_t since_fsync, since_fdatasync; /* writes issued since the last one */
	struct file *file;                     /* the last one written: the next fsync goes there */
};

#endif
