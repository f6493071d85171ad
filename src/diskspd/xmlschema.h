/* xmlschema.h: the elements of a profile as rows: their parents, values and setters. Private to xml*.c. */
#ifndef DISKSPD_XMLSCHEMA_H
#define DISKSPD_XMLSCHEMA_H

#include "diag.h"
#include "profile.h"

struct strbuf;

#define XMLSCHEMA_ROWS_MAX 128
#define ATTRS_MAX          2

enum node {
	NODE_TOP,
	NODE_LEAF, /* holds text */
	NODE_PROFILE,
	NODE_ETW,
	NODE_SPANS,
	NODE_SPAN,
	NODE_AFFINITY,
	NODE_IO_RING,
	NODE_TARGETS,
	NODE_TARGET,
	NODE_CONTENT,
	NODE_SOURCE,
	NODE_DIST,
	NODE_PERCENT,
	NODE_ABSOLUTE,
	NODE_THREAD_TARGETS,
	NODE_THREAD_TARGET,
};

/* The state of the reader. The lists belong to the innermost open span and target. */
struct reader {
	struct ds_profile *p;
	struct diag *diag;
	unsigned line;            /* line on which the ending node began */
	char attr[ATTRS_MAX][64]; /* of the current element */
	bool has_attr[ATTRS_MAX];
	unsigned target_count; /* in all time spans */
	unsigned thread_target_count;
	struct ds_span span;
	struct ds_target target;
	struct ds_thread_target thread_target;
	struct target_given {
		bool os_cache, local_cache, random, ratio, stride;
		uint64_t random_align;
	} given;
	struct {
		struct ds_span *v;
		size_t n, cap;
	} spans;
	struct {
		struct ds_target *v;
		size_t n, cap;
	} targets;
	struct {
		struct ds_range *v;
		size_t n, cap;
	} ranges;
	struct {
		struct ds_thread_target *v;
		size_t n, cap;
	} thread_targets;
	struct {
		struct ds_cpu *v;
		size_t n, cap;
	} cpus;
};

struct row {
	const char *name;
	enum node parent, node;
	/* For a leaf: sets the value. Returns 0, -ENOMEM, or -EINVAL with the allowed values in `why`. */
	int (*set)(struct reader *r, const struct row *row, char *text, struct strbuf *why);
	size_t offset; /* of the field in the parent's struct */
	uint64_t min, max;
	const char *const *words; /* names of an enum's values, in their order; ends with NULL */
	/* For a node: called before its first child, and after its last one. `why` is the whole error. */
	void (*begin)(struct reader *r);
	int (*end)(struct reader *r, struct strbuf *why);
	const char *attr[ATTRS_MAX];
	bool attr_optional;
	bool repeatable, required, since_23;
};

extern const struct row xmlschema[];
extern const unsigned xmlschema_rows;

void xmlschema_fini(struct reader *r);

#endif
