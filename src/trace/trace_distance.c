#include "trace_distance.h"

#include <math.h>

struct list {
	struct trace_distance *to;
	unsigned n;
};

static double difference(enum trace_unit unit, double trace, double job)
{
	if (unit == TRACE_UNIT_PERCENT || !(fabs(job - trace) > 0))
		return job - trace;
	return 100 * (job - trace) / trace;
}

static void add_distance(struct list *l, const char *name, const char *key, enum trace_unit unit,
			 double trace, double job)
{
	l->to[l->n++] = (struct trace_distance){ name, key, unit, trace, job, difference(unit, trace, job) };
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static uint64_t device_ios(const struct trace_summary *s)
{
	return s->op[TRACE_READ].ios + s->op[TRACE_WRITE].ios;
}

static double mean_bytes(const struct trace_counts *c)
{
	return c->ios ? (double)c->bytes / (double)c->ios : 0;
}

static uint64_t syncs(const struct trace_summary *s)
{
	return s->op[TRACE_SYNC].ios + s->op[TRACE_DATASYNC].ios + s->preflush;
}

/* Returns the share of the I/Os that have a size of another class, by powers of two. */
static double other_sizes(const struct trace_summary *a, const struct trace_summary *b, unsigned op)
{
	double sum = 0;

	for (unsigned i = 0; i < TRACE_SIZE_RANGES; i++)
		sum += fabs(share(a->range[i].ios[op], a->op[op].ios) -
			    share(b->range[i].ios[op], b->op[op].ios));
	return sum / 2;
}

static void add_operations(struct list *l, const struct trace_summary *t, const struct trace_summary *j)
{
	static const char *const name[][3] = {
		{ "bytes per read", "bytes_per_read", "reads of another size" },
		{ "bytes per write", "bytes_per_write", "writes of another size" },
	};
	static const char *const key[] = { "other_read_sizes_percent", "other_write_sizes_percent" };

	add_distance(l, "reads and writes", "ios", TRACE_UNIT_NUMBER, (double)device_ios(t),
		     (double)device_ios(j));
	add_distance(l, "share of reads", "read_percent", TRACE_UNIT_PERCENT,
		     share(t->op[TRACE_READ].ios, device_ios(t)),
		     share(j->op[TRACE_READ].ios, device_ios(j)));
	for (unsigned op = 0; op < 2; op++)
		if (t->op[op].ios && j->op[op].ios) {
			add_distance(l, name[op][0], name[op][1], TRACE_UNIT_BYTES, mean_bytes(&t->op[op]),
				     mean_bytes(&j->op[op]));
			add_distance(l, name[op][2], key[op], TRACE_UNIT_PERCENT, 0, other_sizes(t, j, op));
		}
	if (syncs(t) || syncs(j))
		add_distance(l, "flushes", "flushes", TRACE_UNIT_NUMBER, (double)syncs(t), (double)syncs(j));
	if (t->op[TRACE_TRIM].ios)
		add_distance(l, "trims", "trims", TRACE_UNIT_NUMBER, (double)t->op[TRACE_TRIM].ios,
			     (double)j->op[TRACE_TRIM].ios);
}

static void add_places(struct list *l, const struct trace_summary *t, const struct trace_summary *j)
{
	add_distance(l, "sequential", "sequential_percent", TRACE_UNIT_PERCENT,
		     share(t->sequential.ios, device_ios(t)), share(j->sequential.ios, device_ios(j)));
	add_distance(l, "working set", "working_set_bytes", TRACE_UNIT_BYTES, (double)t->touched_all_bytes,
		     (double)j->touched_all_bytes);
	add_distance(l, "accesses again", "reuse_percent", TRACE_UNIT_PERCENT, t->reuse_percent,
		     j->reuse_percent);
	if (t->reuse_percent >= 1 && j->reuse_percent >= 1)
		add_distance(l, "LRU cache for half of these", "lru_50_bytes", TRACE_UNIT_BYTES,
			     (double)t->reuse_bytes[1], (double)j->reuse_bytes[1]);
	if (t->skew.known && j->skew.known)
		add_distance(l, "theta of the skew", "zipf_theta", TRACE_UNIT_NUMBER, t->skew.theta,
			     j->skew.theta);
}

static void add_times(struct list *l, const struct trace_summary *t, const struct trace_summary *j)
{
	if (t->seconds <= 0 || j->seconds <= 0)
		return;
	add_distance(l, "IOPS", "iops", TRACE_UNIT_NUMBER, t->iops, j->iops);
	if (t->interval_ns == j->interval_ns)
		add_distance(l, "peak of the IOPS", "peak_iops", TRACE_UNIT_NUMBER, t->peak_iops,
			     j->peak_iops);
	if (t->facts.coarse)
		return;
	add_distance(l, "median interarrival time", "interarrival_50_ns", TRACE_UNIT_NS,
		     (double)t->gap_percentile_ns[3], (double)j->gap_percentile_ns[3]);
	add_distance(l, "99 % of them", "interarrival_99_ns", TRACE_UNIT_NS, (double)t->gap_percentile_ns[6],
		     (double)j->gap_percentile_ns[6]);
}

unsigned trace_distances(const struct trace_summary *trace, const struct trace_summary *job,
			 struct trace_distance to[TRACE_DISTANCES])
{
	struct list l = { to, 0 };

	add_operations(&l, trace, job);
	add_places(&l, trace, job);
	if (!trace->facts.waits)
		add_times(&l, trace, job);
	return l.n;
}
