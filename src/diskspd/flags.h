/* flags.h: DISKSPD's options, one row per form of a flag. The parser dispatches by it, and usage text and
   mapping table are printed from it. */
#ifndef DISKSPD_FLAGS_H
#define DISKSPD_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include "profile.h"

struct strbuf;

/* What becomes of it in a job. */
enum ds_support {
	DS_EXACT,
	DS_APPROX,  /* the same load but for what `why` says */
	DS_IGNORED, /* accepted without effect; a note says so */
	DS_REFUSED, /* cannot be run here */
};

/* Bits by enum ds_dialect. */
#define DS_IN(dialect) (1u << (dialect))
#define DS_SINCE_20    (DS_IN(DS_DIALECT_20) | DS_SINCE_21)
#define DS_SINCE_21    (DS_IN(DS_DIALECT_22) | DS_SINCE_23)
#define DS_SINCE_23    DS_IN(DS_DIALECT_23)
#define DS_PORT        DS_IN(DS_DIALECT_LINUX)

struct ds_parse;

struct ds_flag {
	const char *form;  /* "-rs": what the argument begins with; the longest one that fits decides */
	const char *value; /* as the usage text shows it: "<1..100>"; "" for none */
	unsigned dialects; /* DS_IN bits */
	const char *help;  /* one line */
	enum ds_support support;
	const char *option; /* the job option(s) it becomes, fio's or ours; "" for none */
	const char *why;    /* what is lost, or why it is refused; "" */
	/* Reads what stands behind the form; -errno with the error told. NULL: the row documents a form that
	   a shorter row's reader reads, too. */
	int (*read)(struct ds_parse *p, const char *arg);
	int first_pass; /* 1: read before all others, wherever it stands */
};

extern const struct ds_flag ds_flags[];
extern const size_t ds_flag_count;

/* The row that reads `arg` ("-rs50"); NULL: no such option in this dialect. */
const struct ds_flag *ds_flag_find(enum ds_dialect dialect, const char *arg);
/* Whether none of the flag's rows has a value. */
bool ds_flag_bare(enum ds_dialect dialect, const struct ds_flag *flag);
/* Whether the flag becomes this job option. */
bool ds_flag_becomes(const struct ds_flag *flag, const char *option);
/* Adds the flags that become this job option, "-r, -s or -w"; false: none does. */
bool ds_flags_of_option(enum ds_dialect dialect, const char *option, struct strbuf *out);
/* The usage text of a dialect, of "fiord diskspd" or "diskspd". */
void ds_usage(enum ds_dialect dialect, const char *program, struct strbuf *out);

#endif
