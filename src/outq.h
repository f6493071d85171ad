/* outq.h: output that is told while a run goes on: the parent must not wait for whoever reads it. To stdout
   it goes as it comes; a file is not touched before there is something to tell early, and else appears whole
   at the end. */
#ifndef OUTQ_H
#define OUTQ_H

#include <stdbool.h>
#include <stddef.h>
#include "diag.h"
#include "strbuf.h"

struct outq {
	const char *path; /* NULL: stdout */
	int fd;           /* -1: not begun */
	struct strbuf text;
	size_t done; /* of the text: written */
	int error;   /* the first errno */
};

void outq_init(struct outq *q, const char *path);
/* Adds to the end; outq_flush writes it. */
void outq_put(struct outq *q, const char *text, size_t len);
/* From now on a file is written while the run goes on. Sets q->error. */
void outq_begin(struct outq *q);
/* Writes what can be written without waiting; a file that is not begun waits. Sets q->error. */
void outq_flush(struct outq *q);
static inline size_t outq_waiting(const struct outq *q)
{
	return q->text.len - q->done;
}
/* Writes all that is left and this text. 0 or -errno with d (DIAG_OUTPUT). */
int outq_finish(struct outq *q, const char *text, size_t len, struct diag *d);
/* After an error: a file that was begun holds this text and nothing else, if there is room for it. */
void outq_replace(struct outq *q, const char *text, size_t len);
void outq_fini(struct outq *q);

#endif
