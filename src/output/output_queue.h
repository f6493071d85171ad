/* output_queue.h: output that is told while a run goes on: the parent must not wait for whoever reads it. To
   stdout it goes as it comes; a file is not touched before there is something to tell early, and else appears
   whole at the end. */
#ifndef OUTPUT_QUEUE_H
#define OUTPUT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include "diag.h"
#include "strbuf.h"

struct output_queue {
	const char *path; /* NULL: stdout */
	int fd;           /* -1: not begun */
	struct strbuf text;
	size_t done; /* of the text: written */
	int error;   /* the first errno */
};

void output_queue_init(struct output_queue *q, const char *path);
/* Adds to the end; output_queue_flush writes it. */
void output_queue_put(struct output_queue *q, const char *text, size_t len);
/* From now on a file is written while the run goes on. Sets q->error. */
void output_queue_begin(struct output_queue *q);
/* Writes what can be written without waiting; a file that is not begun waits. Sets q->error. */
void output_queue_flush(struct output_queue *q);
static inline size_t output_queue_waiting(const struct output_queue *q)
{
	return q->text.len - q->done;
}
/* Writes all that is left and this text. 0 or -errno with d (DIAG_OUTPUT). */
int output_queue_finish(struct output_queue *q, const char *text, size_t len, struct diag *d);
/* After an error: a file that was begun holds this text and nothing else, if there is room for it. */
void output_queue_replace(struct output_queue *q, const char *text, size_t len);
void output_queue_fini(struct output_queue *q);

#endif
