/* verify_files.h: opens the files of a job that closes them while it runs (openfiles, create_on_open), so
   that the verify phase can read them. */
#ifndef VERIFY_FILES_H
#define VERIFY_FILES_H

#include <stdbool.h>
#include <stdint.h>

struct clone;
struct file;
struct file_set;

enum verify_open_result { VERIFY_OPEN, VERIFY_OPEN_LATER, VERIFY_OPEN_FAILED };

/* Opens the file if it is closed; with `reread` it also syncs it and drops its cached pages, which once in a
   phase is enough, because a phase writes nothing. Closes another file if too many are open. Returns
   VERIFY_OPEN_LATER if all of those have I/Os in flight, and VERIFY_OPEN_FAILED after clone_fail. */
enum verify_open_result verify_files_open(struct file_set *s, struct clone *c, uint32_t file, bool reread);
/* Call this when the job goes on writing: closes the files that were opened for the reads, and lets the job
   open those again that were closed for them. */
void verify_files_restore(struct file_set *s, struct clone *c);
/* Syncs an open file and drops its cached pages, so that reads come from the device. Returns 0, or -errno
   after clone_fail. */
int verify_files_reread(struct file_set *s, struct clone *c, uint32_t file);

/* Returns the size of the open file; UINT64_MAX for devices, and if it is not known. */
uint64_t verify_files_size(const struct file *f);

#endif
