/* chart_series.h: series for the tests of charts, made of records with one latency each. */
#ifndef CHART_SERIES_H
#define CHART_SERIES_H

#include "series.h"

#define CHART_LEN_NS 100000000u /* the interval: 100 ms */

/* Adds `ios` I/Os of 4096 bytes with latency `ns` to interval `cell`. part_ms: the length of the last
   interval of a job that ends within it; 0: a whole interval. */
static inline void chart_series_add(struct series *s, uint64_t cell, unsigned part_ms, unsigned dir,
				    uint64_t ios, uint64_t ns)
{
	static unsigned char bytes[IVAL_BYTES(4, 4)];
	const struct ival head = { .first = cell,
				   .intervals = part_ms ? 0 : 1,
				   .part_ns = part_ms * 1000000ull };
	const struct ival_dir d = { .ios = ios, .bytes = ios * 4096 };
	const struct ival_lat l = { .n = ios, .sum = ios * ns, .min = ns, .max = ns };
	struct ival_out o;
	struct ival v;
	size_t n;

	ival_begin(&o, bytes, sizeof(bytes), &head);
	if (ios) {
		ival_put_dir(&o, dir, &d);
		ival_put_lat(&o, LAT_CLAT, &l);
		ival_put_bin(&o, hist_index(ns), ios);
	}
	n = ival_end(&o, bytes);
	if (!n || !ival_read(&v, bytes, n))
		__builtin_abort();
	series_add(s, 0, 0, LAT_CLAT, &v);
}

#endif
