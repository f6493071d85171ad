/* log_file.h: one log file: opened, appended to, and optionally compressed in chunks. */
#ifndef LOG_FILE_H
#define LOG_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum log_file_format {
	LOG_FILE_TEXT,
	LOG_FILE_ZLIB, /* binary records, each chunk a zlib stream of its own, as in fio */
	LOG_FILE_GZIP, /* compressed text */
};

struct log_file {
	const char *path; /* the caller owns it */
	enum log_file_format format;
	size_t chunk_bytes; /* compressed at once */
	int fd;
	int error;   /* the first -errno; after an error nothing is written any more */
	char *chunk; /* NULL for text */
	size_t n;    /* bytes in `chunk` */
};

/* Creates the file or empties it. Returns 0 or f->error. */
int log_file_open(struct log_file *f);
void log_file_add(struct log_file *f, const char *text, size_t n);
/* Writes the last chunk and closes the file. */
void log_file_close(struct log_file *f);

#endif
