/* merge_notes.h: the notes of several hosts. A note that several hosts have is listed once. For merge.c. */
#ifndef MERGE_NOTES_H
#define MERGE_NOTES_H

#include "result.h"

/* Zeroed: empty. The texts are memory of the merged result. */
struct merge_notes {
	struct merge_note {
		const char *text, *host; /* host: the first one with this note */
		size_t hosts;
	} * v;
	size_t n, cap;
	size_t left_out; /* notes that are not listed, because there are too many */
};

/* Adds the notes of a host. */
void merge_notes_add(struct merge_notes *m, struct result *out, const struct notes *notes, const char *host);
/* Adds all of them to the result, each with its hosts. */
void merge_notes_finish(const struct merge_notes *m, struct result *out);
void merge_notes_fini(struct merge_notes *m);

#endif
