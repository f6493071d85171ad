/* opt.h: an option is one row of a table. Parsing, printing, help, JSON, the manual and the tests loop over
   rows. The types in types.h say how each kind of value behaves. */
#ifndef OPT_H
#define OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "diag.h"

struct strbuf;

/* How the program treats an option. */
enum opt_status {
	OPT_WORKS,   /* supported */
	OPT_REFUSED, /* refused, for the reason in row->why */
	OPT_NOTED,   /* accepted without effect, with the note in row->why */
};

struct opt_row;
/* The context in which a value is parsed. */
struct opt_ctx {
	unsigned kb_base;    /* 1024 or 1000 */
	struct notes *notes; /* NULL: no notes */
};

/* The unit of the numbers in a value. */
enum opt_unit {
	OPT_UNIT_NONE, /* no plain numbers, but words or a form of their own */
	OPT_UNIT_COUNT,
	OPT_UNIT_SIZE,
	OPT_UNIT_TIME, /* a bare number is in row->unit_ns */
};

/* A kind of value. All that the program knows about a kind stands here; no code compares the address of a
   type. field points into the struct that the row's table describes. */
struct opt_type {
	const char *name;    /* for help: "size", "time", "bool", ... */
	const char *accepts; /* for help, when the name does not say it: "0 or 1" */
	enum opt_unit unit;  /* of each number in the value */
	bool negative;       /* the row's min and max are (uint64_t)(int64_t) */
	bool free_text;      /* any text: commas and blanks belong to the value; min and max are lengths */
	bool no_percent;     /* an amount cannot be a percentage */
	bool any_percent;    /* 100 % is the whole, and more means the same */
	char adds; /* stands between values that add up; 0: a later value replaces the earlier one */
	/* Returns 0, or -errno with d, which says what is allowed ("not a size; write a number with k, m, g
	   or t"). The caller puts file:line and name=value before it. text is NULL for a bare word. *field is
	   unchanged on failure. */
	int (*parse)(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		     struct diag *d);
	/* Prints text that parses back to the same value. */
	void (*print)(const struct opt_row *row, const void *field, struct strbuf *out);
	/* Releases what parse allocated; NULL if nothing. */
	void (*fini)(const struct opt_row *row, void *field);
	size_t bytes; /* of the field */
};

/* The value of choices that fio has and that are refused here, for the reason in their why. */
enum { CHOICE_REFUSED = -1 };

struct opt_choice {
	const char *name;
	int64_t value;
	const char *help;
	const char *why; /* of CHOICE_REFUSED; NULL only in rows that are refused themselves */
};

struct opt_row {
	const char *name;
	const char *alias[3];
	const struct opt_type *type;
	size_t offset;
	const char *def;                  /* default as text; NULL: the zeroed field */
	uint64_t min, max;                /* of numbers; max 0: no bound */
	const char *why_max;              /* the reason for max, or NULL */
	const struct opt_choice *choices; /* ends with a NULL name */
	uint64_t unit_ns;                 /* of a bare time */
	bool bare;                        /* the name alone is allowed (flags) */
	bool word;                        /* if bare: a next argument without a leading '-' is the value */
	enum opt_status status;
	const char *group; /* of the help and the manual */
	const char *help;
	const char *why; /* the reason for OPT_REFUSED and OPT_NOTED */
};

struct opt_table {
	const struct opt_row *rows; /* ends with a NULL name */
	size_t struct_bytes;
};

/* Finds a row by its exact name or alias; NULL if there is none. */
const struct opt_row *opt_find(const struct opt_table *t, const char *name);
/* Sets one field of *opts from text. Returns 0, or -errno with d ("not a size; ...") and *opts unchanged.
   Rows that are OPT_REFUSED are an error; OPT_NOTED adds its note and sets nothing. */
int opt_set(const struct opt_row *row, void *opts, const char *text, const struct opt_ctx *ctx,
	    struct diag *d);
/* Returns the character between values that add up; 0 if a later value replaces the earlier one. row may be
 * NULL. */
char opt_adds(const struct opt_row *row);
/* Returns 0 if a job file can hold this path, or -EINVAL with d. */
int opt_path_check(const char *path, struct diag *d);
/* Fills in the defaults. *opts is zeroed memory of t->struct_bytes. Returns 0 or -errno with d. */
int opt_defaults(const struct opt_table *t, void *opts, struct diag *d);
void opt_fini(const struct opt_table *t, void *opts);
/* Returns the name in the tables that is most like the given one (by edit distance, or as its only
   completion), for "did you mean"; NULL if no name is near. */
const char *opt_nearest(const struct opt_table *const *tables, unsigned ntables, const char *name);

#endif
