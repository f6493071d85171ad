/* collect_lats.h: latencies of reads and writes, added up, as a span tells them. For collect_spans.c. */
#ifndef COLLECT_LATS_H
#define COLLECT_LATS_H

#include "arena.h"
#include "per_file.h"
#include "snapshot.h"
#include "spans.h"

struct lats {
	struct moments m[PER_FILE_DIRS];
	struct hist *hist[PER_FILE_DIRS]; /* NULL: moments alone are kept */
};

/* hists: kept, too. Memory of the arena. False when that is short. */
bool lats_init(struct lats *l, bool hists, struct arena *mem);
void lats_add_snapshot(struct lats *to, const struct snapshot *from);
void lats_add_part(struct lats *to, const struct per_file *from, bool hists);
/* Of reads, writes and both; bins, where kept, in the arena. False when memory is short. */
bool lats_tell(const struct lats *l, struct span_lat *to[SPAN_KINDS], struct arena *mem);

/* The population's deviation. */
void lats_moments(struct span_lat *to, const struct moments *m);

#endif
