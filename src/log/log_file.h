/* log_file.h: one log file: opened, appended to, and compressed in chunks if that is asked for. */
#ifndef LOG_FILE_H
#define LOG_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum log_file_kind {
	LOGFILE_TEXT,
	LOGFILE_ZLIB, /* each chunk a zlib stream, one after the other, as fio has them: of binary records */
	LOGFILE_GZIP, /* of text */
};

struct logfile {
	const char *path; /* the caller's */
	enum log_file_kind kind;
	size_t chunk_bytes; /* that are compressed at once */
	int fd;
	int error; /* negative: the first thing that went wrong; from then on nothing is written */
	char *chunk;
	size_t n;
};

/* Empties what is there. 0 or f->error. */
int log_file_open(struct logfile *f);
void log_file_add(struct logfile *f, const char *text, size_t n);
/* Writes what is left. */
void log_file_close(struct logfile *f);

#endif
