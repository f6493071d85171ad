/* series.h: the course of a run over time. Each group has intervals of equal length with I/Os, bytes, errors
   and latencies per direction; latencies have a histogram. The records of the workers' tracks fill a series.
   A series never takes more memory than its limit: before it would, the interval doubles and pairs of
   intervals are merged, so that a run of any length fits. Sums over a series are exact.

   The intervals of all groups lie on one grid, which begins with the run. */
#ifndef SERIES_H
#define SERIES_H

#include "interval.h"

struct series_cell {
	unsigned char *rec; /* for ival_read; NULL: no I/O */
	uint32_t bytes;
};

struct series_group {
	uint64_t first; /* number of cells[0] on the grid */
	struct {
		struct series_cell *v;
		size_t n, cap;
	} cells;
	uint64_t begin_ns;  /* beginning of the first record, since the start of the grid; within cells[0] */
	uint64_t end_ns;    /* end of the last record, likewise */
	enum lat_kind kind; /* which latency; LAT_KINDS: none */
	bool resp;          /* some of the cells hold LAT_RESP as well */
	bool has_records;
	const struct ival *decoded; /* of a view: all cells; NULL: none */
};

struct series {
	uint64_t start_ns;  /* start of the grid; set by the user of the series */
	uint64_t len_ns;    /* length of the intervals of the records */
	unsigned doublings; /* the interval is len_ns << doublings */
	size_t max_bytes, used_bytes;
	struct series_group *groups;
	unsigned ngroups;
	bool failed;            /* memory was short: the series is not complete */
	unsigned char *scratch; /* for one record */
};

/* A zeroed struct is an empty series without groups. Returns 0 or -ENOMEM. */
int series_init(struct series *s, unsigned ngroups, uint64_t len_ns, size_t max_bytes);
void series_fini(struct series *s);

/* Adds a group. Returns its number, or -ENOMEM. */
int series_add_group(struct series *s);
/* Moves the start of the grid to the first interval of any group. Returns the number of ns by which it moved.
 */
uint64_t series_rebase(struct series *s);
/* Doubles the interval until it has at least this length. */
void series_coarsen(struct series *s, uint64_t interval_ns);

/* Adds a worker's record to its group. start is the interval of the grid (in steps of len_ns) in which the
   worker's first interval began. The series stores only latencies of `kind` (LAT_KINDS: none), and only if
   all records of the group have the same kind; response times (LAT_RESP) are stored beside it where they were
   measured. A record of several intervals is spread over them. */
void series_add(struct series *s, unsigned group, uint64_t start, enum lat_kind kind, const struct ival *rec);

/* series_hist.c: adds the latencies of a histogram as those of DIR_READ and LAT_CLAT, spread over `intervals`
   from `start` on. Sums are those of the midpoints of the buckets. */
void series_add_hist(struct series *s, unsigned group, uint64_t start, uint64_t intervals,
		     const struct hist *h);

/* Makes the interval longer until the series takes at most max_bytes, or until it cannot get shorter. */
void series_limit(struct series *s, size_t max_bytes);

static inline uint64_t series_interval_ns(const struct series *s)
{
	return s->len_ns << s->doublings;
}
/* Reads cell i of the group. */
void series_get(const struct series *s, unsigned group, size_t i, struct ival *v);
/* Returns cell i of the group: the decoded one, or *v after reading the cell into it. */
const struct ival *series_at(const struct series *s, unsigned group, size_t i, struct ival *v);

/* Makes `view` a series whose only group is a group of `s`. It shares the cells of `s`, and decodes them once
   for all readers unless there are very many. Add nothing to a view, and call series_view_fini before you
   free `s`. Returns 0 or -ENOMEM. */
int series_view(struct series *view, const struct series *s, unsigned group);
void series_view_fini(struct series *view);

/* series_regroup.c: copies a series, with groups added up and intervals made longer. */

#define SERIES_LEAVE_OUT UINT32_MAX

/* Fills `to` with ngroups groups: group i of `from` is added to group to_group[i], or left out. Intervals are
   1 << doublings times as long as those of `from`. Sums are exact. Returns 0 or -ENOMEM; the caller frees
   `to` with series_fini. */
int series_regroup(struct series *to, const struct series *from, const uint32_t *to_group, unsigned ngroups,
		   unsigned doublings);
/* The same without the histograms of the latencies. Counts, sums, minima and maxima stay. */
int series_regroup_without_bins(struct series *to, const struct series *from, const uint32_t *to_group,
				unsigned ngroups, unsigned doublings);

#endif
