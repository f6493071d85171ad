/* opt.h: an option is one row. Parsing, printing, help, JSON, the manual and the tests loop over rows. */
#ifndef OPT_H
#define OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "diag.h"
#include "strbuf.h"

/* What the program does with a name of fio's. */
enum opt_status {
	OPT_WORKS,   /* supported */
	OPT_NOT_YET, /* refused: "not supported yet" */
	OPT_REFUSED, /* refused for good, for the reason in row->why */
	OPT_NOTED,   /* has no meaning here: accepted, with the note in row->why */
};

struct opt_row;
/* What parsers of values need to know. */
struct opt_ctx {
	unsigned kb_base; /* 1024 or 1000 */
	struct notes *notes;
};

/* A kind of value. field points into the struct that the row's table describes. */
struct opt_type {
	const char *name; /* for help: "size", "time", "bool", ... */
	/* 0 or -errno with d saying what is allowed ("not a size (a number with k, m, g, t)"). The caller
	   puts file:line and name=value before it. text is NULL for a bare word. */
	int (*parse)(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		     struct diag *d);
	/* Text that parses back to the same value. */
	void (*print)(const struct opt_row *row, const void *field, struct strbuf *out);
	/* Releases what parse allocated; NULL if nothing. */
	void (*fini)(const struct opt_row *row, void *field);
	/* Deep copy (a job begins as a copy of its globals); NULL: plain assignment of `bytes`. */
	int (*copy)(const struct opt_row *row, void *to, const void *from);
	size_t bytes; /* of the field */
};

/* Values of choices that fio has and that are refused here. */
enum { CHOICE_NOT_YET = -1, CHOICE_REFUSED = -2 };

struct opt_choice {
	const char *name;
	int64_t value;
	const char *help;
	const char *why; /* of a choice that is refused; NULL: help is enough */
};

struct opt_row {
	const char *name;
	const char *alias[3];
	const struct opt_type *type;
	size_t offset;
	const char *def;                  /* default as text; NULL: the zeroed field */
	uint64_t min, max;                /* of numbers; max 0: no bound */
	const struct opt_choice *choices; /* ends with a NULL name */
	uint64_t unit_ns;                 /* of a bare time */
	bool bare;                        /* may be a bare word (flags) */
	bool word;                        /* if bare: a next argument that begins with no '-' is its value */
	enum opt_status status;
	const char *group; /* of the help and the manual */
	const char *help;
	const char *why; /* of NOT_YET, REFUSED, NOTED */
};

struct opt_table {
	const struct opt_row *rows; /* ends with a NULL name */
	size_t struct_bytes;
};

/* By name or alias, exactly; NULL if there is none. */
const struct opt_row *opt_find(const struct opt_table *t, const char *name);
/* Sets one field of *opts from text. 0 or -errno with d ("not a size; ..."), *opts then unchanged. Refuses
   rows that are OPT_NOT_YET or OPT_REFUSED; OPT_NOTED adds its note. */
int opt_set(const struct opt_row *row, void *opts, const char *text, const struct opt_ctx *ctx,
	    struct diag *d);
/* *opts is zeroed memory of t->struct_bytes. */
int opt_defaults(const struct opt_table *t, void *opts, struct diag *d);
int opt_copy(const struct opt_table *t, void *to, const void *from);
void opt_fini(const struct opt_table *t, void *opts);
/* The nearest name of the tables (edit distance, prefixes), for "did you mean"; NULL if nothing is near. */
const char *opt_nearest(const struct opt_table *const *tables, unsigned ntables, const char *name);

#endif
