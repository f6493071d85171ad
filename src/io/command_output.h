/* command_output.h: the files that receive the output of a job's commands. */
#ifndef COMMAND_OUTPUT_H
#define COMMAND_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

/* The parts of a path DIR/JOB.WHAT; for clones after the first it is DIR/JOB.N.WHAT. */
struct command_output {
	const char *dir; /* NULL: the working directory */
	const char *job;
	uint32_t clone;
	const char *what;
	const char *rank; /* NULL, or the name of the rank: .RANK follows */
};
/* Writes the path. Returns 0 or -ENAMETOOLONG. */
int command_output_path(char *path, size_t size, const struct command_output *o);
/* Creates or empties the file and returns its descriptor, or -errno. It refuses symbolic links, files with
   other hard links, and devices. */
int command_output_open(const char *path);

#endif
