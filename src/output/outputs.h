/* outputs.h: standard output or the file of --output, and the files of single formats, each with a queue of
   its own. */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "out_format.h"
#include "output_queue.h"

struct output {
	unsigned formats; /* enum out_format bits; 0: nothing goes there */
	struct output_queue queue;
};

struct outputs {
	struct output *v;
	size_t n;
};

/* first: standard output or the file of --output. The caller owns the paths. Returns 0 or -ENOMEM with d. */
int outputs_init(struct outputs *o, const struct out_file *first, const struct out_file *files, size_t n,
		 struct diag *d);
/* Puts what the regular files contain into their queues: the output of earlier runs, which the next one
   writes again. Returns 0 or -errno with d. */
int outputs_load(struct outputs *o, struct diag *d);
/* Adds text to the outputs that have one of these formats, and writes as much as is possible without waiting.
 */
void outputs_put(struct outputs *o, unsigned formats, const char *text, size_t len);
void outputs_flush(struct outputs *o);
/* Returns whether standard output, and no file, has these formats. */
bool outputs_only_stdout(const struct outputs *o, unsigned formats);
/* Returns whether text waits for standard output. */
bool outputs_waiting(const struct outputs *o);
/* Returns whether an output has more than this many bytes that are not written yet. */
bool outputs_backlog_exceeds(const struct outputs *o, size_t bytes);
/* Returns whether writing to an output has failed. */
bool outputs_failed(const struct outputs *o);
/* Returns whether writing can wait for a reader for ever: to a pipe or a terminal. */
bool output_may_block(const struct output *o);
/* Writes the text, after the output of the run so far, and waits for the reader. If an earlier write failed,
   a file still gets the whole text; a closed pipe gets nothing. Returns 0 or -errno with d (DIAG_OUTPUT). */
int output_finish(struct output *o, const struct strbuf *text, struct diag *d);
void outputs_fini(struct outputs *o);

#endif
