/* props.h: a list of named facts in the order in which they were found, for output in documents. Unknown
   facts are not in the list. */
#ifndef PROPS_H
#define PROPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum prop_kind { PROP_TEXT, PROP_NUMBER, PROP_BOOL };

struct prop {
	const char *name; /* a literal: not owned */
	enum prop_kind kind;
	char *text; /* owned */
	uint64_t number;
};

struct props {
	struct prop *v;
	size_t n, cap;
	bool failed; /* memory was short: facts are missing */
};

/* text is copied; NULL and "" mean unknown and add nothing. */
void props_text(struct props *p, const char *name, const char *text);
void props_u64(struct props *p, const char *name, uint64_t v);
void props_bool(struct props *p, const char *name, bool v);
/* Adds copies of all facts of `from`. */
void props_add(struct props *p, const struct props *from);
/* Returns NULL if the fact is unknown. */
const struct prop *props_find(const struct props *p, const char *name);
/* Returns the text of the fact, or "" if it is unknown. */
const char *props_str(const struct props *p, const char *name);
/* Returns the number of the fact, or `unknown` if it is unknown. */
uint64_t props_num(const struct props *p, const char *name, uint64_t unknown);
void props_fini(struct props *p); /* accepts a zeroed struct */

#endif
