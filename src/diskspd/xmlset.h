/* xmlset.h: how elements are read: xmlvalue.c has their types, xmlspan.c and xmltarget.c what is special.
   Private to xmlschema.c. */
#ifndef DISKSPD_XMLSET_H
#define DISKSPD_XMLSET_H

#include "xmlschema.h"

/* Where the row's value goes. */
void *xmlset_field(struct reader *r, const struct row *row);
/* 0, or -EINVAL with what is allowed added to `why`; *out and *v then unchanged. Decimal digits; true or
   false; one of a list that ends with NULL, where "" is nobody's name. */
int xmlset_number(const char *text, uint64_t lo, uint64_t hi, uint64_t *out, struct strbuf *why);
int xmlset_boolean(const char *text, bool *v, struct strbuf *why);
int xmlset_word(const char *text, const char *const *words, unsigned *v, struct strbuf *why);
/* Of the element's i-th attribute, from 0. */
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
