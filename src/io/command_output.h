/* command_output.h: the files that receive the output of a job's commands. */
#ifndef COMMAND_OUTPUT_H
#define COMMAND_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

/* Writes the path DIR/JOB.WHAT into path; for clones after the first it is DIR/JOB.N.WHAT. dir NULL means
   the working directory. Returns 0 or -ENAMETOOLONG. */
int command_output_path(char *path, size_t size, const char *dir, const char *job, uint32_t clone,
			const char *what);
/* Creates or empties the file and returns its descriptor, or -errno. It refuses symbolic links, files with
   other hard links, and devices. */
int command_output_open(const char *path);

#endif
