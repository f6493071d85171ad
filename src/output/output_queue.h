/* output_queue.h: output during a run, without ever making the parent wait for the reader. Text for stdout is
   written as soon as possible. A file is written at the end, unless output_queue_begin is called. */
#ifndef OUTPUT_QUEUE_H
#define OUTPUT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include "diag.h"
#include "strbuf.h"

struct output_queue {
	const char *path; /* NULL: stdout */
	int fd;           /* -1: a file that is not begun */
	struct strbuf text;
	size_t done; /* bytes of `text` that are written */
	int error;   /* the first errno; 0: none */
};

/* path: the caller owns it. */
void output_queue_init(struct output_queue *q, const char *path);
/* Adds text to the end of the queue; output_queue_flush writes it. */
void output_queue_put(struct output_queue *q, const char *text, size_t len);
/* From now on a file is written while the run goes on. Sets q->error. */
void output_queue_begin(struct output_queue *q);
/* Writes as much as is possible without waiting; nothing to a file that is not begun. Sets q->error. */
void output_queue_flush(struct output_queue *q);
/* Returns how many bytes are not written yet. */
static inline size_t output_queue_waiting(const struct output_queue *q)
{
	return q->text.len - q->done;
}
/* Writes the rest of the queue and this text, waits for the reader, and closes a file. Returns 0 or -errno
   with d (DIAG_OUTPUT). */
int output_queue_finish(struct output_queue *q, const char *text, size_t len, struct diag *d);
/* After an error: replaces the content of a file that was begun by this text, if there is room for it. */
void output_queue_replace(struct output_queue *q, const char *text, size_t len);
void output_queue_fini(struct output_queue *q);

#endif
