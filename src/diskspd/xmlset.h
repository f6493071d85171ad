/* xmlset.h: setters for the values of elements. xmlvalue.c has the types, xmlspan.c and xmltarget.c the
   special cases. Private to xml*.c. */
#ifndef DISKSPD_XMLSET_H
#define DISKSPD_XMLSET_H

#include "xmlschema.h"

/* Returns the field that the row sets. */
void *xmlset_field(struct reader *r, const struct row *row);
/* Each reads a text: a decimal number from lo to hi; true or false; one of the words, of which the last is
   NULL and "" matches nothing. Returns 0, or -EINVAL with the allowed values added to `why`; then the output
   does not change. */
int xmlset_number(const char *text, uint64_t lo, uint64_t hi, uint64_t *out, struct strbuf *why);
int xmlset_boolean(const char *text, bool *v, struct strbuf *why);
int xmlset_word(const char *text, const char *const *words, unsigned *v, struct strbuf *why);
/* Reads attribute i, from 0, as a number up to hi. Returns 0 or -EINVAL with `why`. */
int xmlset_attr_number(struct reader *r, const struct row *row, unsigned i, uint64_t hi, uint64_t *out,
		       struct strbuf *why);

typedef int xmlset_leaf(struct reader *r, const struct row *row, char *text, struct strbuf *why);
typedef void xmlset_begin(struct reader *r);
typedef int xmlset_end(struct reader *r, struct strbuf *why);

xmlset_leaf xmlset_u64, xmlset_u32, xmlset_bool, xmlset_nothing, xmlset_enum, xmlset_string, xmlset_event,
	xmlset_affinity, xmlset_group_affinity, xmlset_group_mask, xmlset_traversal, xmlset_separation,
	xmlset_completion_depth, xmlset_ring_batch, xmlset_reg_buffer, xmlset_path, xmlset_random,
	xmlset_random_ratio, xmlset_stride, xmlset_os_cache, xmlset_all_cache, xmlset_write_through,
	xmlset_local_cache, xmlset_burst, xmlset_think, xmlset_throughput, xmlset_range;
xmlset_begin xmlset_begin_span, xmlset_begin_io_ring, xmlset_begin_target, xmlset_begin_thread_target;
xmlset_end xmlset_end_spans, xmlset_end_span, xmlset_end_target, xmlset_end_content, xmlset_end_percent,
	xmlset_end_absolute, xmlset_end_distribution, xmlset_end_thread_target;

#endif
