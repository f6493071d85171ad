/* created_files.h: the files that this run has created or removed. */
#ifndef CREATED_FILES_H
#define CREATED_FILES_H

#include "clone.h"

/* Records that this run has created the file that fd refers to, or has removed it. */
void created_files_record(struct clone *c, uint32_t file, int fd);
void created_files_record_removal(struct clone *c, uint32_t file);
/* Returns true if this run has created the file. */
bool created_files_has(const struct clone *c, uint32_t file);
/* Returns the facts that the plan saw, corrected by the files that this run has created or removed since. */
struct target_facts created_files_facts(const struct clone *c, uint32_t file);
/* Opens a file of the plan. It must be the same file that the plan saw or that this run has created. A
   missing file is created. With create_on_open another worker may have created the file just now and not have
   recorded it yet. */
int created_files_open(struct clone *c, uint32_t file, struct file *f, const struct file_cfg *cfg, bool write,
		       struct diag *d);
/* Count the workers that use each file. With unlink=1 the last worker that leaves a file removes it. */
void created_files_begin_use(const struct clone *c);
void created_files_end_use(struct clone *c);
/* Removes the file if this run or an earlier run of fiord created it and the path still names that file. */
void created_files_unlink(struct clone *c, uint32_t file);

#endif
