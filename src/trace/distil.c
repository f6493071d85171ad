#include "distil.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "scale.h"
#include "units.h"

#define SECTOR          512
#define WHOLE           10000u /* parts of the shares of sizes: hundredths of a percent, as bssplit has them */
#define PERCENT         100u
#define NEAR_SHARE      0.04 /* whole percents may be this far from a share */
#define SLOW_IOPS       100  /* below it, rates in bytes are finer than whole I/Os */
#define LEAST_THETA     0.15 /* less is called uniform */
#define DENSE           0.06 /* how far the working set may be from that of the whole range */
#define DATASYNC_TRIES  65536
#define DEPTH_MAX       65536
#define DEPTH_UNKNOWN   64
#define BLOCK_BYTES_MAX ((uint64_t)1 << 30) /* of a job */

/* What the options of a section are computed from. */
struct section {
	const struct trace_summary *s;
	const struct trace_device_counts *device;
	uint64_t smallest, largest; /* of the sizes of the job */
	unsigned random_percent[2]; /* of reads and writes */
	bool sequential;            /* all I/Os of the job are */
	bool skewed;
	bool map;                       /* each address once before any is repeated */
	uint64_t align;                 /* blockalign; 0: none */
	uint64_t begin, size, io_bytes; /* the range of the job, and how much it moves */
};

bool distil_has_section(const struct trace_summary *s)
{
	return s->op[TRACE_READ].ios || s->op[TRACE_WRITE].ios;
}

static bool has(const struct section *c, unsigned dir)
{
	return c->s->op[dir].ios != 0;
}

static bool is_mixed(const struct section *c)
{
	return has(c, TRACE_READ) && has(c, TRACE_WRITE);
}

static void put_size(struct strbuf *b, const char *name, uint64_t bytes)
{
	strbuf_printf(b, "%s=%s\n", name, units_suffixed(bytes).text);
}

/* ---- block sizes ---- */

struct size_share {
	uint64_t bytes, ios;
	uint64_t parts; /* of WHOLE */
	uint64_t rest;  /* what rounding down to parts left */
};

/* Returns the size; of a range the mean, in whole sectors if it has one. */
static uint64_t size_of(const struct trace_summary *s, const struct trace_size *size, unsigned dir)
{
	uint64_t mean = size->bytes;

	if (s->size_ranges) {
		mean = size->sum[dir] / size->ios[dir];
		mean = mean > SECTOR ? mean / SECTOR * SECTOR : mean;
	}
	return mean < BLOCK_BYTES_MAX ? mean : BLOCK_BYTES_MAX;
}

static unsigned list_sizes(const struct trace_summary *s, unsigned dir, struct size_share *share)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->sizes; i++)
		if (s->size[i].ios[dir])
			share[n++] = (struct size_share){ size_of(s, &s->size[i], dir), s->size[i].ios[dir],
							  0, 0 };
	return n;
}

static struct size_share *largest_rest(struct size_share *share, unsigned n)
{
	struct size_share *largest = share;

	for (unsigned i = 1; i < n; i++)
		if (share[i].rest > largest->rest)
			largest = &share[i];
	return largest;
}

/* Rounds the shares to multiples of `unit` parts with the sum WHOLE: down, and those up that lost most. */
static void round_shares(struct size_share *share, unsigned n, uint64_t ios, uint64_t unit)
{
	uint64_t left = WHOLE / unit;

	for (unsigned i = 0; i < n; i++) {
		uint64_t exact = share[i].ios * (WHOLE / unit);

		share[i].parts = exact / ios * unit;
		share[i].rest = exact % ios;
		left -= exact / ios;
	}
	while (left--) {
		struct size_share *up = largest_rest(share, n);

		up->parts += unit;
		up->rest = 0;
	}
}

/* Sets the parts: whole percents if they are near enough to the shares. */
static void set_parts(struct size_share *share, unsigned n, uint64_t ios)
{
	bool near = true;

	round_shares(share, n, ios, PERCENT);
	for (unsigned i = 0; i < n; i++) {
		double exact = WHOLE * (double)share[i].ios / (double)ios;

		near &= fabs((double)share[i].parts - exact) <= NEAR_SHARE * exact;
	}
	if (!near)
		round_shares(share, n, ios, 1);
}

static unsigned section_sizes(const struct trace_summary *s, unsigned dir, struct size_share *share)
{
	unsigned n = list_sizes(s, dir, share), used = 0;

	if (n)
		set_parts(share, n, s->op[dir].ios);
	for (unsigned i = 0; i < n; i++)
		if (share[i].parts)
			share[used++] = share[i];
	return used;
}

static void find_size_limits(struct section *c)
{
	struct size_share share[TRACE_SIZES_MAX];

	c->smallest = UINT64_MAX;
	for (unsigned dir = 0; dir < 2; dir++) {
		unsigned n = section_sizes(c->s, dir, share);

		for (unsigned i = 0; i < n; i++) {
			c->smallest = share[i].bytes < c->smallest ? share[i].bytes : c->smallest;
			c->largest = share[i].bytes > c->largest ? share[i].bytes : c->largest;
		}
	}
}

static void put_split(struct strbuf *b, const struct trace_summary *s, unsigned dir, bool one_size)
{
	struct size_share share[TRACE_SIZES_MAX];
	unsigned n = section_sizes(s, dir, share);

	for (unsigned i = 0; i < n; i++) {
		strbuf_printf(b, "%s%s", i ? ":" : "", units_suffixed(share[i].bytes).text);
		if (!one_size)
			strbuf_printf(b, "/%.15g", (double)share[i].parts / PERCENT);
	}
}

static void put_size_options(struct strbuf *b, const struct section *c)
{
	struct size_share share[TRACE_SIZES_MAX];
	struct strbuf split[2] = { { 0 } };
	bool one_size = true;

	for (unsigned dir = 0; dir < 2; dir++)
		one_size &= section_sizes(c->s, dir, share) <= 1;
	for (unsigned dir = 0; dir < 2; dir++)
		put_split(&split[dir], c->s, dir, one_size);
	strbuf_puts(b, one_size ? "bs=" : "bssplit=");
	strbuf_puts(b, strbuf_str(&split[!has(c, TRACE_READ)]));
	if (is_mixed(c) && strcmp(strbuf_str(&split[0]), strbuf_str(&split[1])) != 0)
		strbuf_printf(b, ",%s", strbuf_str(&split[1]));
	strbuf_putc(b, '\n');
	for (unsigned dir = 0; dir < 2; dir++) {
		b->failed |= split[dir].failed;
		strbuf_fini(&split[dir]);
	}
}

/* ---- order ---- */

/* Returns the percentage of random I/Os, as percentage_random means it. A pass over the range begins with one
   that is not sequential. */
static unsigned random_percent(const struct section *c, unsigned dir, double passes)
{
	double ios = (double)c->s->op[dir].ios, random = ios - (double)c->device->sequential[dir];

	return random <= passes + 1 ? 0 : (unsigned)(100 * random / ios + 0.5);
}

static void find_order(struct section *c)
{
	uint64_t span = c->device->end - c->device->begin;
	bool sequential = true;

	for (unsigned dir = 0; dir < 2; dir++) {
		c->random_percent[dir] = random_percent(c, dir, (double)c->s->op[dir].bytes / (double)span);
		sequential &= !has(c, dir) || !c->random_percent[dir];
	}
	c->sequential = sequential;
}

/* Returns whether random I/Os visit each address once before they visit any again. Draws at random would
   repeat some addresses earlier. */
static bool uses_map(const struct section *c)
{
	const struct zipf_figures *f = &c->s->skew;
	double ios = (double)c->s->begins.accesses, span = (double)(c->device->end - c->device->begin);
	double places = span / (double)c->smallest;

	if (ios > places)
		return f->even > 0.99;
	return f->repeats < 0.5 * (1 - zipf_fit_touched(0, places, ios) / ios);
}

static bool is_partly_sequential(const struct section *c)
{
	return (has(c, TRACE_READ) && c->random_percent[TRACE_READ] < 100) ||
	       (has(c, TRACE_WRITE) && c->random_percent[TRACE_WRITE] < 100);
}

static void put_order_options(struct strbuf *b, const struct section *c)
{
	static const char *const names[] = { "read", "write", "rw" };

	strbuf_printf(b, "rw=%s%s\n", c->sequential ? "" : "rand",
		      names[is_mixed(c)           ? 2
			    : has(c, TRACE_WRITE) ? 1
						  : 0]);
	if (is_mixed(c)) {
		double reads = (double)c->s->op[TRACE_READ].ios;
		unsigned percent =
			(unsigned)(100 * reads / (reads + (double)c->s->op[TRACE_WRITE].ios) + 0.5);

		strbuf_printf(b, "rwmixread=%u\n", percent < 1 ? 1 : percent > 99 ? 99 : percent);
	}
	if (c->sequential)
		return;
	if (is_partly_sequential(c)) {
		strbuf_printf(b, "percentage_random=%u", c->random_percent[!has(c, TRACE_READ)]);
		if (is_mixed(c) && c->random_percent[TRACE_READ] != c->random_percent[TRACE_WRITE])
			strbuf_printf(b, ",%u", c->random_percent[TRACE_WRITE]);
		strbuf_putc(b, '\n');
	}
	if (c->skewed)
		strbuf_printf(b, "random_distribution=zipf:%.2f\n", c->s->skew.theta);
	else if (!c->map)
		strbuf_puts(b, "norandommap\n");
	if (c->align)
		put_size(b, "blockalign", c->align);
}

/* ---- the range ---- */

/* Returns whether a pass touches the whole range. */
static bool covers(const struct section *c)
{
	return c->sequential || (c->map && !is_partly_sequential(c));
}

/* Returns the bytes that random I/O is expected to touch in a range. */
static double expected_touched(const struct section *c, double range)
{
	double bytes = (double)c->io_bytes;

	return covers(c) ? fmin(bytes, range) : range * -expm1(-bytes / range);
}

/* Returns the range in which random I/O is expected to touch as many bytes as the trace did. */
static double range_touched(const struct section *c, double most)
{
	double touched = (double)c->s->touched_all_bytes, low = fmin(touched, most), high = most;

	if (covers(c))
		return low;
	while (high > 1.001 * low) {
		double middle = sqrt(low * high);

		if (expected_touched(c, middle) < touched)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static bool is_near(double value, double wanted)
{
	return fabs(value - wanted) <= DENSE * wanted;
}

static double uniform_range(const struct section *c, double span)
{
	/* The working set is counted in blocks. */
	double touched = (double)c->s->touched_all_bytes;

	if (c->sequential || is_near(expected_touched(c, span), touched) || span <= 16 * TRACE_BLOCK_BYTES)
		return span;
	return range_touched(c, span);
}

static double skewed_range(const struct section *c, double span)
{
	const struct zipf_figures *f = &c->s->skew;
	double unit = (double)(c->align ? c->align : c->smallest);

	if (is_near(zipf_fit_touched(f->theta, span / unit, (double)c->s->begins.accesses), f->touched))
		return span;
	return fmin(f->addresses * unit, span);
}

/* Returns where the range begins: at 0 if the trace only happened to leave out the first addresses. */
static uint64_t range_begin(const struct section *c)
{
	uint64_t begin = c->device->begin, end = c->device->end;

	return !c->sequential && begin < end / 50 ? 0 : begin;
}

/* Returns the bytes that the I/Os of a direction have with the sizes of the job. */
static double job_bytes(const struct section *c, unsigned dir)
{
	struct size_share share[TRACE_SIZES_MAX];
	unsigned n = section_sizes(c->s, dir, share);
	double mean = 0;

	for (unsigned i = 0; i < n; i++)
		mean += (double)share[i].bytes * (double)share[i].parts / WHOLE;
	return mean * (double)c->s->op[dir].ios;
}

static void find_range(struct section *c)
{
	uint64_t span, unit = c->smallest, align = c->s->align;
	double range;

	c->begin = range_begin(c);
	span = c->device->end - c->begin;
	c->io_bytes = (uint64_t)(job_bytes(c, TRACE_READ) + job_bytes(c, TRACE_WRITE) + 0.5);
	range = c->skewed ? skewed_range(c, (double)span) : uniform_range(c, (double)span);
	if (!c->sequential && align > unit && is_near(range, (double)span))
		c->align = align;
	c->size = (uint64_t)(range / (double)unit + 0.5) * unit;
	if (c->size > span)
		c->size = span;
	if (c->size < c->largest)
		c->size = c->largest;
}

static void put_range_options(struct strbuf *b, const struct section *c)
{
	if (c->begin > c->size)
		strbuf_printf(b, "# The range of the trace begins at offset=%" PRIu64 ".\n", c->begin);
	else if (c->begin)
		put_size(b, "offset", c->begin);
	put_size(b, "size", c->size);
	if (fabs((double)c->io_bytes - (double)c->size) > 0.02 * (double)c->size)
		put_size(b, "io_size", c->io_bytes);
}

/* ---- flushes ---- */

/* Returns after how many writes a flush comes; 0: never. */
static uint64_t flush_every(uint64_t flushes, uint64_t writes)
{
	uint64_t every = flushes ? (writes + flushes / 2) / flushes : 0;

	return flushes && writes ? every ? every : 1 : 0;
}

/* Returns how far the fdatasyncs of a job are from `share`, a number for each write. Those that are due
   together with an fsync are not done. */
static double datasync_error(uint64_t every, uint64_t fsync, double share)
{
	double together = fsync ? (double)common_divisor(every, fsync) / (double)fsync : 0;

	return fabs((1 - together) / (double)every - share);
}

/* Returns the number of writes between fdatasyncs in a job that also has this fsync. The job leaves out an
   fdatasync that is due together with an fsync. The search begins where each fsync replaces an fdatasync, and
   ends where none does. */
static uint64_t datasync_every(const struct trace_summary *s, uint64_t fsync)
{
	uint64_t writes = s->op[TRACE_WRITE].ios, syncs = s->op[TRACE_DATASYNC].ios;
	uint64_t most = flush_every(syncs, writes), best = most;
	uint64_t every = most && fsync ? writes / (syncs + writes / fsync) : most;

	for (unsigned i = 0; every <= most && i < DATASYNC_TRIES; every++, i++)
		if (every && datasync_error(every, fsync, (double)syncs / (double)writes) <
				     datasync_error(best, fsync, (double)syncs / (double)writes))
			best = every;
	return best;
}

static void put_flush(struct strbuf *b, const char *name, uint64_t every)
{
	if (every && every <= UINT32_MAX)
		strbuf_printf(b, "%s=%" PRIu64 "\n", name, every);
}

static void put_flushes(struct strbuf *b, const struct section *c)
{
	const struct trace_summary *s = c->s;
	uint64_t fsync = flush_every(s->op[TRACE_SYNC].ios + s->preflush, s->op[TRACE_WRITE].ios);

	put_flush(b, "fsync", fsync);
	put_flush(b, "fdatasync", datasync_every(s, fsync));
}

/* ---- rates ---- */

static double section_rate(const struct rate_step *step, unsigned dir, bool by_bytes)
{
	return (by_bytes ? step->bytes[dir] : step->ios[dir]) / step->seconds;
}

/* last: the rate lasts until the job ends, so it must not be 0. */
static void put_rate_option(struct strbuf *b, const struct section *c, const struct rate_step *step,
			    bool by_bytes, const char *unit, bool last)
{
	for (unsigned dir = 0; dir < 2; dir++) {
		double rate = section_rate(step, dir, by_bytes) + 0.5;

		if (has(c, dir))
			strbuf_printf(b, "%s%" PRIu64 "%s", dir && is_mixed(c) ? "," : "",
				      (uint64_t)(last ? fmax(rate, 1) : rate), unit);
	}
}

/* Independent arrivals have exponential gaps: their median is 0.69 of the mean, and the 95th percentile 3 of
 * it. */
static bool is_poisson(const struct trace_summary *s)
{
	return !s->facts.coarse && s->gaps > 100 &&
	       fabs((double)s->gap_percentile_ns[3] / s->gap_mean_ns - 0.69) < 0.1 &&
	       fabs((double)s->gap_percentile_ns[5] / s->gap_mean_ns - 3) < 0.4;
}

static void put_step_options(struct strbuf *b, const struct section *c, const struct rate_step *step,
			     unsigned n, bool by_bytes)
{
	double start = 0;

	strbuf_puts(b, "rate_steps=");
	for (unsigned i = 0; i < n; i++) {
		strbuf_printf(b, "%s%.0fms:", i ? "," : "", start * 1e3);
		put_rate_option(b, c, &step[i], by_bytes, by_bytes ? "/s" : "", i == n - 1);
		start += step[i].seconds;
	}
	strbuf_putc(b, '\n');
}

static void put_rate_options(struct strbuf *b, const struct section *c, struct rate_step *step)
{
	unsigned n = distil_rates(c->s, step);
	bool by_bytes = false;

	if (!n) {
		strbuf_puts(b, "# The trace has no times, so the job has no rate.\n");
		return;
	}
	for (unsigned dir = 0; dir < 2; dir++)
		by_bytes |= has(c, dir) && (double)c->s->op[dir].ios / c->s->seconds < SLOW_IOPS;
	if (n > 1) {
		put_step_options(b, c, step, n, by_bytes);
		return;
	}
	strbuf_puts(b, by_bytes ? "rate=" : "rate_iops=");
	put_rate_option(b, c, step, by_bytes, "", true);
	strbuf_putc(b, '\n');
	if (is_poisson(c->s))
		strbuf_puts(b, "rate_process=poisson\n");
}

static void put_start(struct strbuf *b, const struct section *c, uint64_t trace_first_ns)
{
	uint64_t ms = (c->s->first_ns - trace_first_ns) / 1000000;

	if (ms)
		strbuf_printf(b, "startdelay=%" PRIu64 "ms\n", ms);
}

/* ---- engine ---- */

static bool in_sectors(const struct section *c)
{
	bool whole = c->begin % SECTOR == 0 && c->s->align % SECTOR == 0 && c->size % SECTOR == 0;

	for (unsigned i = 0; i < c->s->sizes; i++)
		whole &= c->s->size_ranges || c->s->size[i].bytes % SECTOR == 0;
	return whole;
}

/* blktrace and the traces of storage systems see what comes below the page cache. */
static void put_engine(struct strbuf *b, const struct section *c)
{
	uint64_t depth = c->s->depth_known ? c->s->depth_max : DEPTH_UNKNOWN;

	if (c->s->facts.format == TRACE_IOLOG) {
		strbuf_puts(b, "# An iolog does not tell ioengine, iodepth and direct.\n");
		return;
	}
	strbuf_printf(b, "ioengine=libaio\niodepth=%" PRIu64 "\n",
		      depth < DEPTH_MAX ? depth ? depth : 1 : DEPTH_MAX);
	if (in_sectors(c))
		strbuf_puts(b, "direct=1\n");
}

static void put_left_out(struct strbuf *b, const struct trace_summary *s)
{
	if (s->op[TRACE_TRIM].ios)
		strbuf_printf(b, "# %" PRIu64 " trims of the trace are left out.\n", s->op[TRACE_TRIM].ios);
	if (s->fua)
		strbuf_printf(b, "# %" PRIu64 " writes of the trace had FUA; those of the job do not.\n",
			      s->fua);
}

void distil_section(const char *section, const struct trace_summary *s, uint64_t trace_first_ns,
		    struct strbuf *b)
{
	struct rate_step *step = malloc(TRACE_INTERVALS * sizeof(*step));
	struct section c = { .s = s, .device = &s->device[0] };

	b->failed |= !step;
	if (!step)
		return;
	find_size_limits(&c);
	find_order(&c);
	c.skewed = !c.sequential && s->skew.known && s->skew.theta >= LEAST_THETA && s->skew.low > 0;
	c.map = !c.sequential && !c.skewed && uses_map(&c);
	find_range(&c);
	strbuf_printf(b, "[%s]\n", section);
	put_left_out(b, s);
	put_order_options(b, &c);
	put_size_options(b, &c);
	put_range_options(b, &c);
	put_flushes(b, &c);
	put_rate_options(b, &c, step);
	put_start(b, &c, trace_first_ns);
	put_engine(b, &c);
	free(step);
}
