/* jsonr.h: a JSON reader that works in place. json_parse checks a text once; the values are slices of it, and
   only json_text allocates memory. So memory does not grow with the number of values, and 64-bit integers
   keep all their digits. The text must outlive its values.

   It accepts what fio writes: control characters in strings, and keys that occur twice. */
#ifndef JSONR_H
#define JSONR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arena.h"

#define JSON_DEPTH   64  /* of nested objects and arrays */
#define JSON_MEMBERS 128 /* of an object that is indexed */

/* The ends of the long objects and arrays of a text, so that a reader passes over them without scanning them
   once for each level: a hash table by the address of their first byte. */
#define JSON_ENDS 2048 /* a power of two */
struct json_ends {
	struct {
		const char *at, *end;
	} v[JSON_ENDS];
	unsigned n;
};

/* The text of a value. at is NULL if there is no value. */
struct json {
	const char *at, *end;
	const struct json_ends *ends; /* private; may be NULL */
};

enum json_kind { JSON_NONE, JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* Checks the object or array that text begins with, after blanks. Bytes after it are not read: v->end is the
   end of the value. Returns NULL, or a literal that says why the text is no JSON. Stores in *at where the
   check ended. */
const char *json_parse(const char *text, size_t len, struct json *v, const char **at);
/* The same, but a reader passes over long values faster. *ends needs no initialisation and must outlive the
   values. */
const char *json_parse_ends(const char *text, size_t len, struct json_ends *ends, struct json *v,
			    const char **at);

enum json_kind json_kind(struct json v);

/* An iterator over an array or object; any other value has no elements. */
struct json_iter {
	struct json key, value; /* key: in objects */
	const char *next;       /* this and the members below are private */
	bool object;
	const struct json_ends *ends;
};
struct json_iter json_iter(struct json v);
bool json_next(struct json_iter *it);

/* The members of an object, for several look-ups. */
struct json_index {
	struct json key[JSON_MEMBERS], value[JSON_MEMBERS];
	unsigned n;
};
/* Returns false if the object has more than JSON_MEMBERS members. A value that is no object has none. */
bool json_index(struct json_index *ix, struct json object);
/* Returns the last member with this key. at is NULL if there is none. */
struct json json_get(const struct json_index *ix, const char *key);

/* Compares a string without escapes. */
bool json_is(struct json string, const char *text);
/* Returns a copy of a string as valid UTF-8 without NUL: invalid bytes and escapes become U+FFFD. NULL when
   memory is short or the value is no string. */
char *json_text(struct json string, struct arena *a);
/* Returns 0; -EINVAL if the value is not a number, or not a whole one of 0 or more; -ERANGE if it does not
   fit. On errors *to stays as it is. */
int json_u64(struct json v, uint64_t *to);
int json_double(struct json v, double *to);
/* The same for text: a number in a string, or an object's key. */
int json_text_u64(struct json string, uint64_t *to);
int json_text_double(struct json string, double *to);

#endif
