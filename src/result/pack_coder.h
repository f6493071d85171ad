/* pack_coder.h: packs or unpacks the values of a result. Each part of a result has one function, code_*(),
   that does both, so that both always agree. Private to the files of result_pack. */
#ifndef PACK_CODER_H
#define PACK_CODER_H

#include "figures.h"
#include "result.h"

struct strbuf;

struct coder {
	struct strbuf *out;            /* NULL: unpacks */
	const unsigned char *at, *end; /* the rest of the pack */
	struct result *r;              /* owns what is unpacked */
	bool bad;                      /* the pack is damaged */
};

/* An integer, bool or enum of any width. */
#define CODE(c, field)                                            \
	do {                                                      \
		uint64_t number_ = (uint64_t)(field);             \
                                                                  \
		code_u64(c, &number_);                            \
		if (!(c)->out) {                                  \
			(field) = (__typeof__(field))number_;     \
			(c)->bad |= (uint64_t)(field) != number_; \
		}                                                 \
	} while (0)

void code_u64(struct coder *c, uint64_t *v);
/* A struct or array that consists of 64-bit numbers alone. */
void code_u64s(struct coder *c, void *v, size_t bytes);
void code_double(struct coder *c, double *v);
/* The length of a list whose entries take at least one byte each. */
void code_length(struct coder *c, size_t *n);
void code_text(struct coder *c, const char **text);
/* Returns the array of a list: *v when packing, else new memory, with *n set to 0 if there is none. */
void *code_array(struct coder *c, const void *v, size_t *n, size_t bytes);
void code_bins(struct coder *c, struct result_bins *b);
void code_notes(struct coder *c, struct notes *notes);
void code_options(struct coder *c, const struct result_opt **list, size_t *n);
/* The rows of figures.h in the struct `of`. */
void code_figures(struct coder *c, const struct figure *rows, void *of);
/* Packs a number, seven bits in a byte. */
void pack_put_number(struct strbuf *out, uint64_t v);

/* pack_jobs.c: the entries of the report, whose figures it computes when it unpacks them. */
void code_jobs(struct coder *c);
/* pack_series.c: the run over time. */
void code_series(struct coder *c);

#endif
