/* trend.h: many documents over time, or over another key: which figures changed for good, with which
   settings, and conditions on the last document. Documents are added one after the other; of each only its
   figures and the settings that differ from those of others stay in memory. The figures, their names, the
   settings and the conditions are those of compare.h. The result is plain data for trend_report.h. */
#ifndef TREND_H
#define TREND_H

#include "compare.h"

#define TREND_SETS_MAX 64

/* A setting of a document. */
struct trend_setting {
	const char *job, *name; /* as in struct compare_difference */
	const char *usual;      /* of the first document of the set */
	const char *value;
};

/* A document. */
struct trend_point {
	const char *source;
	const char *key;            /* value of the key (--by); NULL: by time */
	uint64_t time_ms, first_ms; /* first_ms: the earliest one with its key */
	size_t number;              /* of the document, in the order in which they were added */
	double *value;              /* of each line of the set that it knows, NAN: none */
	size_t nvalues;
	struct trend_setting *setting; /* those in which it differs from the first document */
	size_t nsettings;
	struct compare_lost *lost;
	size_t nlost;
};

/* A lasting change of a figure. */
struct trend_change {
	size_t at;            /* the first point of the new stretch */
	double before, after; /* medians of the stretches */
};

/* A figure of a job over all points. */
struct trend_line {
	const char *job, *plain_name;
	struct compare_figure figure; /* what, dir, mixed, kind, of_part, part, percentile */
	size_t known;                 /* points that have it */
	double first, now;            /* medians of the first stretch and of the last one */
	double last;                  /* of the last point; NAN: it has none */
	double noise; /* how far a point is from the median of its stretch: as a share of it, 1.4826 times the
			 median */
	struct trend_change *change;
	size_t nchanges;
};

/* A setting that differs between a point and the one before it. */
struct trend_step {
	size_t at;
	struct trend_setting setting; /* usual: before; value: from this point on */
};

/* Documents whose jobs have the same names, patterns and block sizes. */
struct trend_set {
	struct result *first; /* owned */
	const char *first_source;
	VEC(struct trend_point) point; /* in their order after trend_finish */
	VEC(struct trend_line) line;   /* by job */
	VEC(struct trend_step) step;
};

/* A file, or a document of one, that is not in the trend. */
struct trend_left_out {
	const char *source, *why;
};

struct trend {
	struct arena mem;
	bool failed; /* memory was short */
	struct compare_cfg cfg;
	const char *by; /* NULL: by time */
	size_t documents;
	size_t without_key; /* documents that are left out because they lack it */
	VEC(struct trend_set) set;
	VEC(struct trend_left_out) left_out;
	struct compare judged; /* the conditions' verdicts, and the jobs that they are about */
	bool judges;           /* there are conditions */
	struct notes notes;
};

/* cfg: its conditions, and what they point to, must outlive *t. by: NULL, or a key that trend_key_check
   accepts. */
void trend_init(struct trend *t, const struct compare_cfg *cfg, const char *by);
void trend_fini(struct trend *t);
/* Adds a document, and takes *r over. Returns 0 or -ENOMEM; a document that does not belong is left out. */
int trend_add(struct trend *t, struct result *r, const char *source);
void trend_leave_out(struct trend *t, const char *source, const char *why);
/* Orders the points, finds the changes and judges the conditions. Returns 0, or -errno with d. */
int trend_finish(struct trend *t, struct diag *d);
/* Returns whether a condition fails. */
bool trend_fails(const struct trend *t);

/* trend_key.c: */
/* Returns 0, or -EINVAL with d: there is no such key. */
int trend_key_check(const char *by, struct diag *d);
/* Returns the value of the key in this document, in the memory of the arena; NULL: it has none. */
const char *trend_key_value(struct arena *a, const struct result *r, const char *by);

/* trend_lines.c: finds the changes of a set whose points are in their order. Returns 0 or -ENOMEM. */
int trend_find_lines(struct trend *t, struct trend_set *s);
/* Returns the figure of a point, NAN if it has none. */
double trend_value(const struct trend_set *s, size_t point, size_t line);
/* Joins the points from `from` to before `to`: sets the median, the lowest and the highest of their figures.
   Returns how many have one, or -ENOMEM. */
struct trend_joined {
	double median, lowest, highest;
};
int trend_join(struct trend_joined *j, const struct trend_set *s, size_t line, size_t from, size_t to);
/* trend_judge.c: fills t->judged. Returns 0, or -errno with d. */
int trend_judge(struct trend *t, struct diag *d);

#endif
