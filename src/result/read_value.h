/* read_value.h: typed values of a document, with errors that name their place: "run.json: jobs[2].read.iops:
   1e400 is too large". Private to the files read*.c.

   Only the first error is reported. It stays in rd->err, and calls after it do no harm. A key that is
   absent, or null, leaves its value as it is. */
#ifndef READ_VALUE_H
#define READ_VALUE_H

#include "diag.h"
#include "jsonr.h"
#include "result.h"

struct reader {
	const char *name; /* of the input */
	struct diag *d;
	struct result *r;       /* owns the texts */
	struct arena scratch;   /* for the job that is being read */
	struct summary_cfg cfg; /* its percentiles */
	bool contradiction;     /* its counts contradict its figures */
	size_t room;            /* bytes that may still be allocated */
	char path[160];         /* of the open object: "jobs[2].read" */
	size_t path_len;
	int err;
};

/* An object of the document with its members. */
struct read_object {
	struct json_index ix;
	size_t outer; /* length of the path around it */
};

/* Returns false if there is no such object, or on errors. The caller closes each open object with read_close.
 */
bool read_open(struct reader *rd, struct read_object *o, struct json v, const char *label);
bool read_open_key(struct reader *rd, struct read_object *o, const struct read_object *in, const char *key);
/* Opens an element of an array. */
bool read_open_at(struct reader *rd, struct read_object *o, struct json v, const char *array, size_t index);
void read_close(struct reader *rd, const struct read_object *o);

/* Returns an iterator over the elements of the array, or the members of the object, `key`. Without this key
   it is empty. */
struct json_iter read_array(struct reader *rd, const struct read_object *o, const char *key);
struct json_iter read_members(struct reader *rd, const struct read_object *o, const char *key);
bool read_has(const struct read_object *o, const char *key);
bool read_is_array(const struct read_object *o, const char *key);

void read_u64(struct reader *rd, const struct read_object *o, const char *key, uint64_t *to);
void read_unsigned(struct reader *rd, const struct read_object *o, const char *key, unsigned *to);
void read_int(struct reader *rd, const struct read_object *o, const char *key, int *to);
/* Reads a number. -ERANGE: it is beyond 64 bits, as no figure of a run is; reports print figures as whole
 * numbers. */
int read_figure(struct json v, double *to);
void read_double(struct reader *rd, const struct read_object *o, const char *key, double *to);
void read_positive(struct reader *rd, const struct read_object *o, const char *key, double *to); /* >= 0 */
void read_bool(struct reader *rd, const struct read_object *o, const char *key, bool *to);
/* The text belongs to the result. */
void read_text(struct reader *rd, const struct read_object *o, const char *key, const char **to);
/* Returns the text `before`, followed by the JSON of the value; NULL if the JSON has control characters or is
   not ASCII. The text belongs to the result. */
char *read_json_text(struct reader *rd, struct json v, const char *before);
/* A number written as a string. */
void read_count(struct reader *rd, const struct read_object *o, const char *key, uint64_t *to);

/* Checks the result of json_u64 and its like for the value v of `key`. */
void read_check(struct reader *rd, const char *key, struct json v, int ret);
/* Copies a string of the document into an arena. Never NULL. */
const char *read_string(struct reader *rd, const char *key, struct json v, struct arena *a);
/* Sets the error. key may be NULL: the error is that of the open object. */
void read_fail(struct reader *rd, int err, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Counts memory against the limit. Returns false and sets the error if the limit is exceeded. */
bool read_charge(struct reader *rd, size_t bytes);
/* Returns zeroed memory of the result. On failure it sets the error and returns NULL. */
void *read_alloc(struct reader *rd, size_t count, size_t bytes);

#endif
