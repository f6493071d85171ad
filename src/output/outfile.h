/* outfile.h: writes the result to stdout or to a file. A regular file is replaced at once, or stays as it
   was. */
#ifndef OUTFILE_H
#define OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include "diag.h"

/* Checks whether path, the value of --`option`, can be written, without touching it. Returns 0 or -errno with
   d. */
int outfile_check(const char *option, const char *path, struct diag *d);
/* Writes the whole text. For a regular file it writes a temporary file in the same directory and renames it.
   Returns 0 or -errno with d (DIAG_OUTPUT). */
int outfile_write(const char *path, const char *text, size_t len, struct diag *d);

/* Replaces a regular file likewise, but does not wait until the text is on the disk. Returns 0 or an errno.
 */
int outfile_replace(const char *path, const char *text, size_t len);

/* A process that is killed while it writes a file leaves a temporary one beside it. Returns the length of the
   name of the file that a file of this name would have replaced; 0 if it is no temporary file. */
size_t outfile_replaced_by(const char *name);
/* Removes a temporary file, unless it is written right now, or is not fiord's: a link, a file of another
   user. */
void outfile_remove_leftover(const char *path);

/* outfile_write for a text that comes in pieces. The file stays as it was until outfile_close. On standard
   output, pipes and terminals each piece is written at once. */
struct outfile {
	const char *path;
	char *real,
		*temp; /* the file to replace, and the one that replaces it; NULL: fd is written in place */
	int fd, err;   /* err: the first error, an errno */
};
void outfile_open(struct outfile *f, const char *path);
void outfile_add(struct outfile *f, const char *text, size_t len);
/* Completes the file. Returns 0 or -errno with d (DIAG_OUTPUT). */
int outfile_close(struct outfile *f, struct diag *d);
/* Drops what was added; a regular file stays as it was. */
void outfile_abort(struct outfile *f);

/* Writes the whole text to fd. path is for messages only; NULL: standard output. Returns 0 or -errno with
   d. */
int outfile_write_fd(int fd, const char *path, const char *text, size_t len, struct diag *d);

#endif
