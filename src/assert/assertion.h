/* assertion.h: conditions on the figures of a run (--assert).

	[JOB.][LIST[ENTRY].][DIRECTION.][KIND.]FIGURE OP LIMIT

   assertion_parse reads an expression, assertion_check refuses figures that the jobs cannot have, and
   assertion_judge adds the verdicts to a result. figures.h has the figures, figure_lists.h the lists. */
#ifndef ASSERTION_H
#define ASSERTION_H

#include "diag.h"
#include "figure_lists.h"
#include "result.h"

/* The entries of a list that are meant: all of them, those with this name, or the one with this index. */
struct selector {
	char *name; /* owned; NULL: not by name */
	bool indexed;
	size_t index;
};

struct assertion {
	const char *text; /* as typed; the caller's */
	const struct figure *figure;
	struct selector part;           /* the jobs, disks, ranks, or groups of the series */
	const struct figure_list *list; /* the list that has the figure; NULL: none */
	struct selector entry;          /* of the list */
	unsigned dir;                   /* DIR_COUNT: each data direction */
	bool mixed;                     /* all directions together; dir is DIR_READ */
	enum lat_kind kind;             /* LAT_KINDS: the one with percentiles */
	double percentile;              /* such as 99.9, if the figure is a percentile */
	enum limit_op op;
	double limit; /* in the base unit of figure->unit */
};

struct assertions {
	struct assertion *v;
	size_t n, cap;
};

/* What an entry of the report can measure. */
struct assertion_entry {
	const char *name;
	unsigned dirs, rated, open; /* bits of directions: with I/O, with a rate, with rate_open */
	bool mixed, both;           /* unified_rw_reporting: mixed, or both */
	/* Bits of enum lat_kind: what is measured, and what has percentiles. */
	unsigned kinds[DIR_COUNT], percentiles_of[DIR_COUNT];
	unsigned npercentiles;
	double percentiles[SUMMARY_PERCENTILES];
	unsigned has; /* bits of enum figure_needs: what the options of its jobs provide */
	size_t steps; /* of rate_steps */
	unsigned step_dirs;
	size_t prios; /* the most that a direction can have */
	enum lat_kind prio_kind;
	const char **files; /* owned: their paths; NULL: there are none */
	size_t nfiles;
};

/* A job without an entry of its own. */
struct assertion_absent {
	const char *name, *with; /* with: the entry of its group; NULL: it has stats=0 */
};

/* The entries of a run, in the order of result.job. The arrays are owned, the names are the plan's or the
 * result's. */
struct assertion_facts {
	struct assertion_entry *entries;
	size_t nentries;
	struct assertion_absent *absents;
	size_t nabsents;
	bool disks; /* the run watches disks */
	bool idle;  /* the run has --idle-prof */
	bool cpus;  /* the run has --idle-prof=percpu */
	/* Owned arrays: the names of the ranks and of the groups of the series, in the order of the document.
	 */
	const char **hosts, **groups;
	size_t nhosts, ngroups;
	unsigned resp; /* bits of directions: the series has their response times */
};

/* assertion_parse.c. Adds the expression to the list. Returns 0 or -errno with d. */
int assertion_parse(struct assertions *list, const char *text, struct diag *d);
void assertions_fini(struct assertions *list);

/* assertion_path.c. Sets what the path from `name` to `end` names: the job, the list, the direction and the
   figure. Returns 0 or -errno with d. */
int assertion_path(struct assertion *a, const char *name, const char *end, struct diag *d);

/* Returns 0 unless a comparison stands in the path: "read.iops > 3 and write.iops". */
int assertion_bad_chain(const struct assertion *a, const char *name, const char *end, struct diag *d);

/* selector.c */
/* Parses "[3]", "[name]" or "["name"]" at `at`. Returns what follows, which is `end` or a period; NULL with
   d. */
const char *selector_parse(struct selector *s, const char *at, const char *end, const char *text,
			   struct diag *d);
/* Sets the name. Returns 0 or -ENOMEM with d. */
int selector_set(struct selector *s, const char *from, const char *to, struct diag *d);
/* Returns whether entry i, which has this name (NULL: none), is meant. */
bool selector_has(const struct selector *s, size_t i, const char *name);
void selector_fini(struct selector *s);

/* assertion_check.c. Returns 0, or -EINVAL with d if no entry can have the figure of one of them. */
int assertion_check(const struct assertions *list, const struct assertion_facts *facts, struct diag *d);

/* assertion_possible.c */
/* The directions that an assertion means in this entry, as bits; 1 << DIR_COUNT for a figure that has none.
 */
struct assertion_dirs {
	unsigned bits;
	bool mixed; /* the one direction stands for all together */
};
struct assertion_dirs assertion_dirs(const struct assertion *a, const struct assertion_entry *entry);
/* Returns whether the entry does I/O in this direction; *why as below. */
bool assertion_has_dir(const struct assertion_entry *entry, unsigned dir, bool mixed, const char **why);
/* Returns how many entries the list has in this job; SIZE_MAX: that is not known before the run. */
size_t assertion_list_length(const struct figure_list *list, const struct assertion_entry *entry);
/* Returns whether the entry can have the figure in this direction; otherwise *why completes the sentence "it
   ..." with the reason. `mixed`: all directions together. */
bool assertion_possible(const struct assertion *a, const struct assertion_entry *entry, unsigned dir,
			bool mixed, const char **why);
/* Returns the kind of latency that the assertion means in this direction of the entry. */
enum lat_kind assertion_kind(const struct assertion *a, const struct assertion_entry *entry, unsigned dir);
extern const char *const assertion_dir_name[]; /* by direction; the last one is "mixed" */

/* assertion_facts.c. Fills in *f from a result that was read. Returns 0 or -ENOMEM; call assertion_facts_fini
   in any case. */
int assertion_facts_of(struct assertion_facts *f, const struct result *r);
void assertion_facts_fini(struct assertion_facts *f);

/* assertion_measure.c */
/* One assertion on one part of the result: a direction of a job, a job, a disk, a rank, a group of the
   series, or the whole run. */
struct measure {
	const struct assertion *a;
	struct figure_place at;
	bool mixed; /* at.dir stands for all directions together */
	/* The entry of a list that the value is of; it is known if the list has an entry that is meant. */
	bool entry_known;
	size_t entry;
	const char *why; /* there is no measured value; NULL: there is */
};
/* Returns the value. If several entries of a list are meant, it is the worst of their values. */
double assertion_measure(struct measure *m);
/* Returns whether the value meets the limit. */
bool assertion_compare(const struct assertion *a, double v);

/* assertion_judge.c. Adds the verdicts to res->verdicts, and EXIT_THRESHOLD to its codes if one failed. facts
   has an entry for each job of the result. Returns 0 or -ENOMEM. */
int assertion_judge(const struct assertions *list, const struct assertion_facts *facts, struct result *res);

#endif
