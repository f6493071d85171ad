/* limit.h: the parts that conditions on figures have in common: compare's --fail-if and --assert. */
#ifndef LIMIT_H
#define LIMIT_H

#include <stdbool.h>

/* The unit of a figure, and so of a limit on it. */
enum limit_unit {
	LIMIT_COUNT,   /* 12, 20k (base 1000) */
	LIMIT_RATE,    /* I/Os per second; written like a count */
	LIMIT_BW,      /* bytes per second: 200M, 100MiB/s (base 1024) */
	LIMIT_BYTES,   /* 4k, 1GiB (base 1024) */
	LIMIT_TIME,    /* ns: 500us, 2ms; it needs its unit */
	LIMIT_PERCENT, /* 50, 50% */
};

/* The names of the units in documents; ends with NULL. */
extern const char *const limit_unit_name[];

enum limit_op { LIMIT_LT, LIMIT_LE, LIMIT_GT, LIMIT_GE, LIMIT_EQ, LIMIT_NE };
/* How they are written. */
extern const char *const limit_op_name[];
/* The kinds of latency, by enum lat_kind; ends with NULL. */
extern const char *const limit_kind_name[];

/* Parses digits with a fraction. Returns the end of the number; NULL if there is none. */
const char *limit_number(const char *s, double *out);
/* Parses a number with the unit. Returns 0, or -EINVAL. */
int limit_parse(enum limit_unit unit, const char *text, double *out);

/* A condition names its figure by words with periods between, of which a part is parsed from the end. `name`
   is the beginning of these words. Both functions return the new end. */
/* Parses a percentile, such as "p99.9", before `end`. Returns its beginning; NULL if there is none between
   10^-6 and 100 - 10^-6. */
const char *limit_percentile(const char *name, const char *end, double *percentile);
/* Parses "word." before `end`. *found is the index of the word; -1 if another word stands there. */
const char *limit_word(const char *const *words, const char *name, const char *end, int *found);

/* Both are for errors about a job that does not exist, whose name may be a part of the condition. */
/* Returns whether the text up to `end` has a comparison with a number: "read.lat.p99 < 2ms and read". */
bool limit_has_comparison(const char *text, const char *end);
/* Returns the kind of latency that was probably meant, "lat" for "latency" or "lta"; NULL: none. */
const char *limit_nearest_kind(const char *word);

#endif
