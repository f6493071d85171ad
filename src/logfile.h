/* logfile.h: one log file: opened, appended to, and compressed in chunks if that is asked for. */
#ifndef LOGFILE_H
#define LOGFILE_H

#include <stdbool.h>
#include <stddef.h>

enum logfile_kind {
	LOGFILE_TEXT,
	LOGFILE_ZLIB, /* each chunk a zlib stream, one after the other, as fio has them: of binary records */
	LOGFILE_GZIP, /* of text */
};

struct logfile {
	const char *path; /* the caller's */
	enum logfile_kind kind;
	size_t chunk_bytes; /* that are compressed at once */
	int fd;
	int error; /* negative: the first thing that went wrong; from then on nothing is written */
	char *chunk;
	size_t n;
};

/* Empties what is there. 0 or f->error. */
int logfile_open(struct logfile *f);
void logfile_add(struct logfile *f, const char *text, size_t n);
/* Writes what is left. */
void logfile_close(struct logfile *f);

#endif
