/* dist_text.h: the curve of a distribution as text and as JSON. Private to cmd/. */
#ifndef DIST_TEXT_H
#define DIST_TEXT_H

#include "dist.h"

struct strbuf;

/* What is printed above the curve. */
struct dist_title {
	const char *distribution; /* as given */
	uint64_t size, bs;        /* bytes */
};

void dist_text(const struct dist_title *t, const struct dist_curve *c, struct strbuf *out);
void dist_json(const struct dist_title *t, const struct dist_curve *c, struct strbuf *out);

#endif
