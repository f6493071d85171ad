/* figure_lists.h: the lists of a result whose entries have figures of their own, such as the steps of
   rate_steps. Their keys are those of the JSON document. */
#ifndef FIGURE_LISTS_H
#define FIGURE_LISTS_H

#include "figures.h"
#include "result.h"

enum figure_list_id {
	LIST_STEPS,
	LIST_FILES,
	LIST_PRIOS,
	LIST_DEPTHS,
	LIST_SAMPLES,
	LIST_LOST,
	LIST_DAMAGE,
	LIST_INTERVALS,
	LIST_WAVES,
	LIST_CPUS
};

/* Where a figure is. */
struct figure_place {
	const struct figure *figure;
	const struct result *res;
	const struct result_job *job; /* NULL: not of a job */
	size_t part;                  /* index of the host or group of the series */
	unsigned dir;                 /* of FIGURE_LAT, FIGURE_STEP_DIR, FIGURE_STEP_LAT and FIGURE_FILE */
	enum lat_kind kind;           /* of FIGURE_LAT and FIGURE_STEP_LAT */
};

/* Memory for a struct that the result does not store as such. */
union figure_room {
	struct summary_lat lat;
	struct figure_sample sample;
	struct figure_interval interval;
	char name[24];
};

struct figure_list {
	enum figure_list_id id;
	enum figure_part part;
	const char *key;   /* NULL: the entries are numbers, and the name of the figure is that of the list */
	const char *alias; /* a shorter key; NULL: none */
	unsigned of;       /* bits of enum figure_of: what the entries have */
	unsigned kinds;    /* bits of enum lat_kind: the latencies that the entries have */
	bool in_dir;       /* the key follows a direction: read.prios[0] */
	const char *empty; /* why it has no entries */
	size_t (*count)(const struct figure_place *p);
	/* Returns the struct that figure->of names; NULL: entry i has no value. */
	const void *(*at)(const struct figure_place *p, size_t i, union figure_room *room);
	/* Returns whether an entry without a value has none because nothing was to be measured. */
	bool (*idle)(const struct figure_place *p, size_t i);
	/* Returns the name of entry i, which may be in *room; NULL: entries of this list have no names. */
	const char *(*name)(const struct figure_place *p, size_t i, union figure_room *room);
};

extern const struct figure_list figure_lists[]; /* by id */
#define FIGURE_LISTS (LIST_CPUS + 1)

/* Returns the list whose entries are the values of this figure; NULL: there is none. */
const struct figure_list *figure_list_of(const struct figure *figure);

/* Returns the key that is near to the word before the bracket in `path`; NULL: there is none. */
const char *figure_list_nearest(const char *path);

#endif
