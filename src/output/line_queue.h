/* line_queue.h: lines for a reader who may come late, read slowly, go away or never come. The parent never
   waits for the reader: a line for which there is no reader or no room is lost as a whole, and counted. Every
   reader begins with the first line, and gets whole lines. A part of a pipe is left for the line of the end,
   so that a reader who is far behind gets it, too, and with it the number of lost lines.

   A regular file is emptied when its first line is written. After an error, such as a full disk, later lines
   are tried again; the lines in between are lost. */
#ifndef LINE_QUEUE_H
#define LINE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "output_queue.h"

struct line_queue {
	struct output_queue q; /* the line that is being written */
	struct strbuf lines;   /* those that wait for it, from `taken` on */
	size_t taken;
	const char *path;         /* NULL: standard output */
	struct strbuf first_line; /* the line with which every reader begins */
	bool append;              /* a regular file keeps its content */
	bool was_open;            /* it was open before */
	bool reader_gone; /* no line can be written any more: the reader of standard output has closed it */
	uint64_t lost_lines; /* lines */
	int error;           /* the first errno other than that of a missing reader; 0: none */
};

/* path: "-" is standard output; the caller owns it. */
void line_queue_init(struct line_queue *l, const char *path, bool append);
/* Sets the first line, and writes it if there is a reader. Call it once. Lines end with a newline. */
void line_queue_begin(struct line_queue *l, const char *line, size_t len);
/* Adds a line. Returns false if it is lost at once. */
bool line_queue_put(struct line_queue *l, const char *line, size_t len);
/* Writes as much as the reader takes now. */
void line_queue_flush(struct line_queue *l);
/* Returns how many bytes wait for the reader. */
static inline size_t line_queue_waiting(const struct line_queue *l)
{
	return output_queue_waiting(&l->q) + l->lines.len - l->taken;
}
static inline bool line_queue_waits(const struct line_queue *l)
{
	return line_queue_waiting(l) > 0;
}
/* No line but the last one will come: waits as long as the reader goes on reading, at most two seconds. The
   lines that are not begun by then are lost, so lost_lines is final. */
void line_queue_drain(struct line_queue *l);
/* Writes the last line, and closes a file. Waits only if the pipe has no room for it. */
void line_queue_finish(struct line_queue *l, const char *line, size_t len);
void line_queue_fini(struct line_queue *l);

#endif
