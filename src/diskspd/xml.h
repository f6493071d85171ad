/* xml.h: the elements of a profile as rows: their parents, values and setters. xmlset.c has the setters of
   the types of values, then the special cases. Private to xml*.c and result_table.c. */
#ifndef DISKSPD_XML_H
#define DISKSPD_XML_H

#include <expat.h>
#include "diag.h"
#include "profile.h"
#include "vec.h"

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
struct xml_reader {
	struct ds_profile p;
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
		bool os_cache, local_cache, random, ratio, stride, group_affinity;
		uint64_t random_align;
	} given;
	VEC(struct ds_span) spans;
	VEC(struct ds_target) targets;
	VEC(struct ds_range) ranges;
	VEC(struct ds_thread_target) thread_targets;
	VEC(struct ds_cpu) cpus;
};

struct xml_row {
	const char *name;
	enum node parent, node;
	/* For a leaf: sets the value. Returns 0, -ENOMEM, or -EINVAL with the allowed values in `why`. */
	int (*set)(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why);
	size_t offset; /* of the field in struct xml_reader */
	size_t also;   /* of a second switch that the element turns on; 0: none */
	size_t given;  /* of the switch that an element of this kind turns on, whatever its value; 0: none */
	uint64_t min, max;
	const char *hint;         /* added to the error about the value; NULL: nothing */
	const char *const *words; /* names of an enum's values, in their order; ends with NULL */
	/* For a node: called before its first child, and after its last one. `why` is the whole error. */
	void (*begin)(struct xml_reader *r);
	int (*end)(struct xml_reader *r, const struct xml_row *row, struct strbuf *why);
	const char *attr[ATTRS_MAX];
	bool attr_optional;
	bool repeatable, required, since_23;
};

extern const struct xml_row xmlschema[];
extern const unsigned xmlschema_rows;
extern const char *const xml_precreates[], *const xml_flushes[], *const xml_bypasses[], *const xml_patterns[];

void xmlschema_fini(struct xml_reader *r);

/* Returns a parser that calls these functions with ctx and loads nothing from outside; NULL: memory is short.
 */
XML_Parser xml_parser_new(void *ctx, XML_StartElementHandler start, XML_EndElementHandler end,
			  XML_CharacterDataHandler text, XML_StartDoctypeDeclHandler doctype);

/* The line that the parser is at. Expat 2.9 has another function, which counts to 64 bits on all machines,
   and calls the first deprecated. */
static inline unsigned long xml_line(XML_Parser parser)
{
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
	return (unsigned long)XML_GetCurrentLineNumber64(parser);
#else
	return (unsigned long)XML_GetCurrentLineNumber(parser);
#endif
}

/* Returns the field that the row sets. */
static inline void *xmlset_field(struct xml_reader *r, const struct xml_row *row)
{
	return (char *)r + row->offset;
}
/* Copies a list of n elements to the profile's memory. Returns NULL if memory is short. */
void *xmlset_copy(struct xml_reader *r, const void *v, size_t n, size_t bytes);
/* Each reads a text: a decimal number from lo to hi; true or false; one of the words, of which the last is
   NULL and "" matches nothing. Returns 0, or -EINVAL with the allowed values added to `why`; then the output
   does not change. */
int xmlset_number(const char *text, uint64_t lo, uint64_t hi, uint64_t *out, struct strbuf *why);
int xmlset_boolean(const char *text, bool *v, struct strbuf *why);
int xmlset_word(const char *text, const char *const *words, unsigned *v, struct strbuf *why);
/* Reads attribute i, from 0, as a number up to hi. Returns 0 or -EINVAL with `why`. */
int xmlset_attr_number(struct xml_reader *r, const struct xml_row *row, unsigned i, uint64_t hi,
		       uint64_t *out, struct strbuf *why);

typedef int xmlset_leaf(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why);
typedef void xmlset_begin(struct xml_reader *r);
typedef int xmlset_end(struct xml_reader *r, const struct xml_row *row, struct strbuf *why);

xmlset_leaf xmlset_u64, xmlset_u32, xmlset_bool, xmlset_enum, xmlset_string, xmlset_affinity,
	xmlset_group_affinity, xmlset_group_mask, xmlset_traversal, xmlset_separation, xmlset_ring_batch,
	xmlset_reg_buffer, xmlset_path, xmlset_throughput, xmlset_range;
xmlset_begin xmlset_begin_span, xmlset_begin_target, xmlset_begin_thread_target;
xmlset_end xmlset_end_spans, xmlset_end_span, xmlset_end_target, xmlset_end_content, xmlset_end_ranges,
	xmlset_end_distribution, xmlset_end_thread_target;

#endif
