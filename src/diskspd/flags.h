/* flags.h: DISKSPD's options, one row for each form of a flag. The parser looks up the reader here; the
   usage text and the manual's table are printed from it. */
#ifndef DISKSPD_FLAGS_H
#define DISKSPD_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include "profile.h"

struct strbuf;

/* How well a job can express the option. */
enum ds_support {
	DS_EXACT,
	DS_APPROX,  /* the same load except for `why` */
	DS_IGNORED, /* accepted without effect, with a note */
};

/* One bit for each enum ds_dialect. */
#define DS_IN(dialect) (1u << (dialect))
#define DS_SINCE_20    (DS_IN(DS_DIALECT_20) | DS_SINCE_21)
#define DS_SINCE_21    (DS_IN(DS_DIALECT_22) | DS_SINCE_23)
#define DS_SINCE_23    DS_IN(DS_DIALECT_23)
#define DS_PORT        DS_IN(DS_DIALECT_LINUX)

struct ds_parse;

struct ds_flag {
	const char *form;  /* "-rs": the beginning of the argument; the longest matching form counts */
	const char *value; /* the value in the usage text: "<1..100>"; "": none */
	unsigned dialects; /* bits of DS_IN */
	const char *help;  /* one line of the usage text */
	enum ds_support support;
	const char *option; /* the job options that it becomes, of fio or of fiord; "": none */
	const char *why;    /* the difference, or the reason why it has no effect; "": none */
	/* Reads the text after the form. Returns 0 or -errno with p->d. NULL: the reader of a shorter form
	   reads this one, too. */
	int (*read)(struct ds_parse *p, const char *arg);
	bool first_pass; /* read before all other options, wherever it stands */
	bool of_span;    /* `field` is one of the span, otherwise of the target */
	size_t field;    /* for the readers of switches and counts */
};

extern const struct ds_flag ds_flags[];
extern const size_t ds_flag_count;

/* Returns the row whose reader reads `arg` ("-rs50"); NULL: the dialect has no such option. */
const struct ds_flag *ds_flag_find(enum ds_dialect dialect, const char *arg);
/* Returns true if no row of the flag has a value. */
bool ds_flag_bare(enum ds_dialect dialect, const struct ds_flag *flag);
/* Returns true if the flag becomes this job option. */
bool ds_flag_becomes(const struct ds_flag *flag, const char *option);
/* Adds the usage text of a dialect. program: "fiord diskspd" or "diskspd". */
void ds_usage(enum ds_dialect dialect, const char *program, struct strbuf *out);

#endif
