/* collect_lats.h: adds up latencies of reads and writes for a time span. For collect_spans.c. */
#ifndef COLLECT_LATS_H
#define COLLECT_LATS_H

#include "arena.h"
#include "per_file.h"
#include "snapshot.h"
#include "spans.h"

struct collect_lats {
	struct moments m[PER_FILE_DIRS];
	struct hist *hist[PER_FILE_DIRS]; /* NULL: moments only */
};

/* hists: with histograms, in the arena. Returns false if memory is short. */
bool collect_lats_init(struct collect_lats *l, bool hists, struct arena *mem);
void collect_lats_add_snapshot(struct collect_lats *to, const struct snapshot *from);
void collect_lats_add_file(struct collect_lats *to, const struct per_file *from, bool hists);
/* Converts the latencies of reads, of writes and of both; buckets are in the arena. Returns false if memory
   is short. */
bool collect_lats_convert(const struct collect_lats *l, struct span_lat *to[SPAN_KINDS], struct arena *mem);

/* Converts moments; the deviation is that of the population, as in DISKSPD. */
void collect_lats_moments(struct span_lat *to, const struct moments *m);

#endif
