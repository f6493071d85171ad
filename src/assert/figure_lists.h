/* figure_lists.h: the lists of a result as rows: its parts, such as the jobs, and the lists in them, such as
   the steps of rate_steps. The entries of a list have figures. Keys are those of the JSON document. */
#ifndef FIGURE_LISTS_H
#define FIGURE_LISTS_H

#include "figures.h"
#include "result.h"

enum figure_list_id {
	LIST_JOBS = PART_JOB,
	LIST_DISKS = PART_DISK,
	LIST_RUN = PART_RUN, /* one entry, the result */
	LIST_HOSTS = PART_HOST,
	LIST_GROUPS = PART_GROUP,
	/* Lists in these parts. */
	LIST_STEPS,
	LIST_FILES,
	LIST_PRIOS,
	LIST_DEPTHS,
	LIST_SAMPLES,
	LIST_LOST,
	LIST_SPLITS,
	LIST_OTHERS,
	LIST_DAMAGE,
	LIST_INTERVALS,
	LIST_WAVES,
	LIST_CPUS,
	FIGURE_LISTS
};
#define LIST_PARTS LIST_STEPS

struct figure_list {
	enum figure_part part; /* whose struct has the list */
	const char *key;   /* NULL: the entries are numbers, and the name of the figure is that of the list */
	const char *alias; /* another key; NULL: none */
	unsigned of;       /* bits of enum figure_of: what the entries have */
	unsigned kinds;    /* bits of enum lat_kind: the latencies that the entries have */
	bool in_dir;       /* the key follows a direction: read.prios[0] */
	bool named;        /* the entries have names */
	const char *empty; /* why a result has no entries */
	const char *lacks; /* what a job without the list lacks, after "it ..."; NULL: its figures say that */
	size_t array;      /* where the struct of the part has the array */
	size_t bytes;      /* of an entry */
	struct figure_member count; /* where it has the number of entries */
};

extern const struct figure_list figure_lists[]; /* by id */

/* Where a figure is. */
struct figure_place {
	const struct figure *figure;
	const struct figure_list *list; /* NULL: it is a figure of the part itself */
	const struct result *res;
	size_t part;        /* index of the job, disk, rank, or group of the series */
	unsigned dir;       /* of a figure that has one */
	enum lat_kind kind; /* of a latency */
};

/* Memory for a value that the result does not store as such. */
union figure_room {
	struct summary_lat lat;
	struct figure_sample sample;
	struct figure_interval interval;
	char name[24];
};

/* Returns the struct of the part, such as struct result_job; struct result for a group of the series. */
const void *figure_part_of(const struct figure_place *p);
size_t figure_list_count(const struct figure_place *p);
/* Returns the struct that figure->of names; NULL: entry i has measured nothing of it. */
const void *figure_list_entry(const struct figure_place *p, size_t i, union figure_room *room);
/* Returns the name of entry i, which may be in *room; NULL: entries of this list have no names. */
const char *figure_list_name(const struct figure_place *p, size_t i, union figure_room *room);

/* Returns the list whose entries are the values of this figure; NULL: there is none. */
const struct figure_list *figure_list_of(const struct figure *figure);
/* Returns the key that is near to the word before the bracket in `path`; NULL: there is none. */
const char *figure_list_nearest(const char *path);

#endif
