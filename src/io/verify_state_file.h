/* verify_state_file.h: the files of verify states (gen/verify_state.h): creates, maps, syncs and reads them.
 */
#ifndef VERIFY_STATE_FILE_H
#define VERIFY_STATE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include "verify_state.h"

struct diag;

/* A file that a worker writes. */
struct verify_state_file {
	void *mem; /* the file's mapping; of a synced file a copy of it */
	struct verify_state_layout layout;
	struct verify_state_writer writer;
	void *copy; /* of a synced file: the live words as they are written */
	int fd;     /* of a synced file; else -1 */
};

/* Writes the path DIR/local-JOB-CLONE-verify.state into path. dir NULL means the working directory. rank:
   NULL, or the name of the rank, and .RANK follows. Returns 0 or -ENAMETOOLONG. */
int verify_state_path(char *path, size_t size, const char *dir, const char *job, uint32_t clone,
		      const char *rank);

/* Creates the file with all its space. It replaces an earlier one only when it is complete. Returns 0, or
   -errno with d. Call verify_state_file_close in any case. */
int verify_state_file_create(struct verify_state_file *f, const char *path,
			     const struct verify_state_shape *s, const struct verify_state_setting *set,
			     struct diag *d);
void verify_state_file_close(struct verify_state_file *f);
/* Synced files: writes `bytes` of the map at `offset` in it. Returns 0 or -errno. */
int verify_state_file_put_map(struct verify_state_file *f, uint64_t offset, uint64_t bytes);
/* Synced files: writes the live words and waits until the disk has everything. Returns 0 or -errno. */
int verify_state_file_sync(struct verify_state_file *f);

/* A file that was read. */
struct verify_state_image {
	void *mem;
	size_t bytes;
	struct verify_state state;
};

/* Reads and parses a file. Returns 0, or -errno with d. Call verify_state_image_free in any case. */
int verify_state_image_read(struct verify_state_image *f, const char *path, struct diag *d);
void verify_state_image_free(struct verify_state_image *f);

#endif
