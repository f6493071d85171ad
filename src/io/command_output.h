/* command_output.h: the files into which the output of a job's commands goes. */
#ifndef COMMAND_OUTPUT_H
#define COMMAND_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

/* DIR/JOB.WHAT, of further clones DIR/JOB.N.WHAT; dir NULL: the working directory. -ENAMETOOLONG, or 0. */
int command_output_path(char *path, size_t size, const char *dir, const char *job, uint32_t clone,
			const char *what);
/* A descriptor of the empty file, or -errno. A file of that name loses its content, but neither links, other
   names of the same file nor devices are written. */
int command_output_open(const char *path);

#endif
