#include "trace_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COARSE_NS 1000000000 /* no interval is shorter if the stamps are whole seconds */

const double trace_percentile[TRACE_PERCENTILES] = { 1, 5, 25, 50, 75, 95, 99 };
const double trace_reuse_percentile[TRACE_REUSE_PERCENTILES] = { 25, 50, 75, 90, 99 };

void trace_summary_init(struct trace_summary *s, const struct trace_facts *facts)
{
	hist_init(&s->gap);
	reuse_init(&s->reuse);
	s->gap_min_ns = UINT64_MAX;
	s->interval_ns = 1000000;
	s->latency = facts->latency;
}

void trace_summary_fini(struct trace_summary *s)
{
	trace_depth_fini(&s->depth);
	free(s->device);
	s->device = NULL;
}

static void count(struct trace_counts *c, const struct trace_event *e)
{
	c->ios++;
	if (__builtin_add_overflow(c->bytes, e->length, &c->bytes))
		c->bytes = UINT64_MAX;
}

/* ---- sizes ---- */

static void add_range(struct trace_summary *s, const struct trace_event *e)
{
	unsigned log2 = 63u - (unsigned)__builtin_clzll(e->length);
	struct trace_size *range = &s->range[log2];

	range->bytes = (uint64_t)1 << log2;
	range->most = 2 * range->bytes - 1;
	range->ios[e->op]++;
	range->sum[e->op] += e->length;
}

static void add_size(struct trace_summary *s, const struct trace_event *e)
{
	unsigned i = 0;

	add_range(s, e);
	if (s->size_ranges)
		return;
	while (i < s->sizes && s->size[i].bytes < e->length)
		i++;
	if (i == s->sizes || s->size[i].bytes != e->length) {
		if (s->sizes == TRACE_SIZES_MAX) {
			s->size_ranges = true;
			return;
		}
		memmove(&s->size[i + 1], &s->size[i], (s->sizes++ - i) * sizeof(s->size[0]));
		s->size[i] = (struct trace_size){ .bytes = e->length, .most = e->length };
	}
	s->size[i].ios[e->op]++;
}

/* ---- devices ---- */

/* Makes room for the device. */
static int keep_device(struct trace_summary *s, uint32_t device)
{
	size_t n = s->devices ? s->devices : 16;
	struct trace_device_counts *more;

	if (device < s->devices)
		return 0;
	while (n <= device)
		n *= 2;
	more = realloc(s->device, n * sizeof(*more));
	if (!more)
		return -ENOMEM;
	memset(more + s->devices, 0, (n - s->devices) * sizeof(*more));
	s->device = more;
	s->devices = n;
	return 0;
}

static uint64_t address_hash(uint32_t device, uint64_t address)
{
	return hyperloglog_hash(hyperloglog_hash(device + 1) ^ address);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void add_begin(struct trace_summary *s, const struct trace_event *e)
{
	zipf_fit_add(&s->begins, address_hash(e->device, e->offset));
	if (!s->align || e->offset % s->align)
		s->align = common_divisor(e->offset, s->align);
}

static void add_to_device(struct trace_summary *s, const struct trace_event *e)
{
	struct trace_device_counts *dev = &s->device[e->device];
	uint64_t end = e->offset + e->length;

	count(&dev->op[e->op], e);
	if (end > dev->end)
		dev->end = end;
	if (e->op > TRACE_WRITE)
		return;
	if (e->offset < dev->begin || dev->op[TRACE_READ].ios + dev->op[TRACE_WRITE].ios == 1)
		dev->begin = e->offset;
	if (dev->next_offset[e->op] == e->offset + 1) {
		count(&s->sequential, e);
		dev->sequential[e->op]++;
	} else {
		add_begin(s, e);
	}
	dev->next_offset[e->op] = end + 1;
}

/* ---- the working set ---- */

static void add_blocks(struct trace_summary *s, const struct trace_event *e)
{
	uint64_t block = e->offset / TRACE_BLOCK_BYTES,
		 last = (e->offset + e->length - 1) / TRACE_BLOCK_BYTES;

	if (e->length > TRACE_LARGE_BYTES) {
		s->large_ios++;
		return;
	}
	for (; block <= last; block++) {
		uint64_t hash = address_hash(e->device, block);

		hyperloglog_add(&s->blocks[e->op], hash);
		hyperloglog_add(&s->all_blocks, hash);
		reuse_add(&s->reuse, hash);
	}
}

static uint64_t touched_bytes(const struct hyperloglog *h)
{
	double blocks = hyperloglog_estimate(h) + 0.5, most = (double)(INT64_MAX / TRACE_BLOCK_BYTES);

	return (uint64_t)(blocks < most ? blocks : most) * TRACE_BLOCK_BYTES;
}

/* ---- time ---- */

static void add_interval(struct trace_interval *to, const struct trace_interval *from)
{
	for (unsigned i = 0; i < TRACE_IO_OPS; i++)
		to->ios[i] += from->ios[i];
	for (unsigned i = 0; i < TRACE_DATA_OPS; i++)
		to->bytes[i] += from->bytes[i];
	to->touched_bytes = from->touched_bytes;
}

/* Merges each ten intervals into one, so that intervals are ten times as long. */
static void join_intervals(struct trace_summary *s)
{
	for (unsigned i = 0; i < s->intervals; i++) {
		const struct trace_interval from = s->interval[i];

		if (i % 10 == 0)
			s->interval[i / 10] = (struct trace_interval){ 0 };
		add_interval(&s->interval[i / 10], &from);
	}
	s->intervals = (s->intervals + 9) / 10;
	memset(&s->interval[s->intervals], 0, (TRACE_INTERVALS - s->intervals) * sizeof(s->interval[0]));
	s->interval_ns *= 10;
}

/* Interval i begins: sets the working set of those that end before it. */
static void reach_interval(struct trace_summary *s, unsigned i)
{
	uint64_t touched = i >= s->intervals && s->intervals ? touched_bytes(&s->all_blocks) : 0;

	for (unsigned k = s->intervals ? s->intervals - 1 : 0; touched && k < i; k++)
		s->interval[k].touched_bytes = touched;
	if (i >= s->intervals)
		s->intervals = i + 1;
}

static void add_to_interval(struct trace_summary *s, const struct trace_event *e)
{
	unsigned i;

	while ((e->time_ns - s->first_ns) / s->interval_ns >= TRACE_INTERVALS)
		join_intervals(s);
	i = (unsigned)((e->time_ns - s->first_ns) / s->interval_ns);
	reach_interval(s, i);
	s->interval[i].ios[e->op]++;
	if (e->op < TRACE_DATA_OPS)
		s->interval[i].bytes[e->op] += e->length;
}

static void add_gap(struct trace_summary *s, const struct trace_event *e)
{
	uint64_t gap = e->time_ns - s->last_ns;

	if (!s->all.ios) {
		s->first_ns = s->last_ns = e->time_ns;
		return;
	}
	s->last_ns = e->time_ns;
	hist_add(&s->gap, gap);
	s->gaps++;
	s->gap_min_ns = gap < s->gap_min_ns ? gap : s->gap_min_ns;
	s->gap_max_ns = gap > s->gap_max_ns ? gap : s->gap_max_ns;
}

int trace_summary_add(struct trace_summary *s, const struct trace_event *e, enum trace_stage stage)
{
	if (e->op >= TRACE_IO_OPS)
		return 0;
	if (trace_depth_add(&s->depth, e, s->latency))
		return -ENOMEM;
	if (e->stage != stage)
		return 0;
	if (keep_device(s, e->device))
		return -ENOMEM;
	add_gap(s, e);
	add_to_interval(s, e);
	count(&s->op[e->op], e);
	count(&s->all, e);
	add_to_device(s, e);
	if (e->op >= TRACE_DATA_OPS)
		return 0;
	s->preflush += e->flags & TRACE_PREFLUSH ? 1 : 0;
	s->fua += e->flags & TRACE_FUA ? 1 : 0;
	add_size(s, e);
	if (e->op <= TRACE_WRITE)
		add_blocks(s, e);
	return 0;
}

/* ---- figures ---- */

/* Replaces the list of sizes by the ranges. */
static void use_ranges(struct trace_summary *s)
{
	s->sizes = 0;
	for (unsigned i = 0; i < TRACE_SIZE_RANGES; i++)
		if (s->range[i].bytes)
			s->size[s->sizes++] = s->range[i];
}

uint64_t trace_interval_ns(const struct trace_summary *s)
{
	uint64_t trace_ns = s->last_ns - s->first_ns;

	return trace_ns && trace_ns < s->interval_ns ? trace_ns : s->interval_ns;
}

static void find_peaks(struct trace_summary *s)
{
	for (unsigned i = 0; i < s->intervals; i++) {
		uint64_t ios = 0, bytes = 0;
		double per_s = 1e9 / (double)trace_interval_ns(s);

		for (unsigned op = 0; op < TRACE_IO_OPS; op++)
			ios += s->interval[i].ios[op];
		for (unsigned op = 0; op < TRACE_TRIM; op++)
			bytes += s->interval[i].bytes[op];
		if ((double)ios * per_s > s->peak_iops) {
			s->peak_iops = (double)ios * per_s;
			s->peak_iops_ns = s->first_ns + i * s->interval_ns;
		}
		if ((double)bytes * per_s > s->peak_bytes_per_s) {
			s->peak_bytes_per_s = (double)bytes * per_s;
			s->peak_bytes_ns = s->first_ns + i * s->interval_ns;
		}
	}
}

static void finish_gaps(struct trace_summary *s)
{
	if (!s->gaps) {
		s->gap_min_ns = 0;
		return;
	}
	s->gap_mean_ns = (double)(s->last_ns - s->first_ns) / (double)s->gaps;
	for (unsigned i = 0; i < TRACE_PERCENTILES; i++)
		s->gap_percentile_ns[i] =
			hist_percentile(&s->gap, s->gaps, trace_percentile[i], s->gap_min_ns, s->gap_max_ns);
}

double trace_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static void finish_caches(struct trace_summary *s)
{
	uint64_t blocks = 1;

	while (s->reuse.again && s->caches < TRACE_CACHES) {
		struct trace_cache *c = &s->cache[s->caches++];

		c->bytes = blocks * TRACE_BLOCK_BYTES;
		c->served_percent = trace_percent(reuse_served(&s->reuse, blocks), s->reuse.accesses);
		if (blocks > s->reuse.longest)
			break;
		blocks *= 2;
	}
}

static void finish_reuse(struct trace_summary *s)
{
	s->reuse_percent = trace_percent(s->reuse.again, s->reuse.accesses);
	finish_caches(s);
	s->reuse_followed = 1 / (double)((uint64_t)1 << s->reuse.halvings);
	for (unsigned i = 0; i < TRACE_REUSE_PERCENTILES && s->reuse.again; i++)
		s->reuse_bytes[i] =
			reuse_percentile(&s->reuse, trace_reuse_percentile[i]) * TRACE_BLOCK_BYTES;
}

static void finish_skew(struct trace_summary *s)
{
	double addresses = 0;

	for (size_t i = 0; i < s->devices; i++)
		addresses += (double)s->device[i].end;
	s->skew = zipf_fit_figures(&s->begins, addresses / (double)(s->align ? s->align : 1));
	if (s->skew.known)
		s->shares = zipf_fit_shares(&s->begins, &s->skew, s->share);
}

static void finish_depth(struct trace_summary *s)
{
	trace_depth_finish(&s->depth);
	s->depth_known = trace_depth_known(&s->depth);
	s->depth_mean = trace_depth_mean(&s->depth);
	s->depth_max = s->depth.max;
}

void trace_summary_finish(struct trace_summary *s, const struct trace_facts *facts)
{
	s->facts = *facts;
	if (s->size_ranges)
		use_ranges(s);
	while (facts->coarse && s->interval_ns < COARSE_NS)
		join_intervals(s);
	s->seconds = (double)(s->last_ns - s->first_ns) / 1e9;
	if (s->seconds > 0) {
		s->iops = (double)s->all.ios / s->seconds;
		s->bytes_per_s = (double)(s->op[TRACE_READ].bytes + s->op[TRACE_WRITE].bytes) / s->seconds;
		find_peaks(s);
	}
	finish_gaps(s);
	finish_reuse(s);
	finish_skew(s);
	for (unsigned i = 0; i < 2; i++)
		s->touched_bytes[i] = touched_bytes(&s->blocks[i]);
	s->touched_all_bytes = touched_bytes(&s->all_blocks);
	if (s->intervals)
		s->interval[s->intervals - 1].touched_bytes = s->touched_all_bytes;
	finish_depth(s);
}
