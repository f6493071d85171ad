/* trace_distance.h: how far the I/Os of a job are from those of a trace, by the figures of both. Pure. */
#ifndef TRACE_DISTANCE_H
#define TRACE_DISTANCE_H

#include "trace_summary.h"

#define TRACE_DISTANCES 20

enum trace_unit { TRACE_UNIT_NUMBER, TRACE_UNIT_BYTES, TRACE_UNIT_PERCENT, TRACE_UNIT_NS };

struct trace_distance {
	const char *name, *key; /* for the text, and for JSON */
	enum trace_unit unit;
	double trace, job;
	/* Percent of the trace's value, or infinite if that is 0; of figures in percent the plain difference.
	 */
	double difference;
};

/* Sets the figures that both have. Returns their number. */
unsigned trace_distances(const struct trace_summary *trace, const struct trace_summary *job,
			 struct trace_distance to[TRACE_DISTANCES]);

#endif
