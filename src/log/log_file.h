/* log_file.h: one log file: opened, appended to, and compressed in chunks if that is asked for. */
#ifndef LOG_FILE_H
#define LOG_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum log_file_format {
	LOG_FILE_TEXT,
	LOG_FILE_ZLIB, /* each chunk a zlib stream, one after the other, as fio has them: of binary records */
	LOG_FILE_GZIP, /* of text */
};

struct log_file {
	const char *path; /* the caller's */
	enum log_file_format format;
	size_t chunk_bytes; /* that are compressed at once */
	int fd;
	int error; /* negative: the first thing that went wrong; from then on nothing is written */
	char *chunk;
	size_t n;
};

/* Empties what is there. 0 or f->error. */
int log_file_open(struct log_file *f);
void log_file_add(struct log_file *f, const char *text, size_t n);
/* Writes what is left. */
void log_file_close(struct log_file *f);

#endif
