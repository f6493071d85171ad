/* tojob_load.c: the job lines about each I/O: pattern, sizes, directions, rates and bursts. */
#include <inttypes.h>
#include "strbuf.h"
#include "tojob_section.h"
#include "units.h"

static bool mixed(const struct ds_target *t)
{
	return t->write_percent > 0 && t->write_percent < 100;
}

static const char *direction(const struct ds_target *t)
{
	return mixed(t) ? "rw" : t->write_percent ? "write" : "read";
}

/* ---- in order ---- */

/* Returns true if fio and DISKSPD go on at different offsets after the end of the range. They agree if every
   thread starts at the base and the step is the block size. */
static bool wraps_elsewhere(const struct section *s)
{
	return (s->target->thread_stride && ds_last_thread(s->span, s->target)) ||
	       ds_step(s->target) != s->target->block;
}

static void ordered_lines(struct section *s)
{
	const struct ds_target *t = s->target;
	uint64_t step = ds_step(t);
	/* -si has no effect with one thread; profile_check.c then adds a note. */
	bool shared = s->target->interlocked && ds_target_threads(s->span, s->target) > 1;

	if (step == t->block)
		section_line_local(s, "rw=%s", direction(t));
	else
		section_line_local(s, "rw=%s:%s%s", direction(t), step < t->block ? "-" : "",
				   units_suffixed(step < t->block ? t->block - step : step - t->block).text);
	if (shared)
		section_line_native(s, "-si", "in fio each thread has its own position", "offset_shared=1");
	else if (wraps_elsewhere(s))
		section_line_native(s, step != t->block ? "-s" : "-T",
				    "after the end fio goes on at the thread's own start, DISKSPD near the "
				    "start of the file",
				    "seq_wrap=target");
	if (mixed(t) && !shared)
		section_line_native(s, "-w", "in fio reads and writes have separate positions",
				    "rwmix_shared_pos=1");
	if (t->parallel && t->depth > 1)
		section_line_native(s, "-p", "in fio the I/Os in flight share one position",
				    "seq_per_slot=1");
}

/* ---- at random ---- */

static void zones_text(struct section *s, struct strbuf *b)
{
	const struct ds_target *t = s->target;

	strbuf_puts(b, t->dist == DS_PERCENT ? "zoned:" : "zoned_abs:");
	for (size_t i = 0; i < t->nranges; i++) {
		strbuf_printf(b, "%s%u", i ? ":" : "", t->ranges[i].io_percent);
		if (t->dist == DS_PERCENT)
			strbuf_printf(b, "/%" PRIu64, t->ranges[i].length);
		else if (t->ranges[i].length)
			strbuf_printf(b, "/%s", units_suffixed(t->ranges[i].length).text);
	}
}

static uint64_t zones_end(const struct ds_target *t)
{
	uint64_t end = 0;

	for (size_t i = 0; i < t->nranges; i++)
		end += t->ranges[i].length;
	return end;
}

static bool ends_in_blocks(const struct ds_target *t)
{
	uint64_t end = 0;

	for (size_t i = 0; i < t->nranges; i++) {
		end += t->ranges[i].length;
		if (end % ds_step(t))
			return true;
	}
	return false;
}

static bool holds_block(const struct ds_target *t, const struct ds_range *range, uint64_t size)
{
	return !range->io_percent || range->length >= 100 || size / 100 * range->length >= ds_step(t);
}

static bool may_be_less_than_block(const struct ds_target *t, uint64_t size)
{
	for (size_t i = 0; i < t->nranges; i++)
		if (size > t->base && !holds_block(t, &t->ranges[i], size - t->base))
			return true;
	return false;
}

/* Returns true if a range may end beyond the target or inside a block, or be smaller than a block, where fio
   and DISKSPD differ. The size of the target may be unknown. */
static bool may_clip(const struct section *s)
{
	const struct ds_target *t = s->target;
	uint64_t size = ds_creates_file(t) ? t->create_size : section_size(s);

	if (t->max_size && (!size || t->max_size < size))
		size = t->max_size;
	if (t->dist == DS_PERCENT)
		return may_be_less_than_block(t, size);
	return ends_in_blocks(t) || size <= t->base || zones_end(t) >= size - t->base;
}

static void zone_lines(struct section *s)
{
	struct strbuf b = { 0 };

	if (s->target->dist == DS_UNIFORM)
		return;
	zones_text(s, &b);
	s->no_memory |= b.failed;
	section_line(s, "random_distribution=%s", strbuf_str(&b));
	strbuf_fini(&b);
	if (may_clip(s))
		section_line_native(
			s, s->target->dist == DS_PERCENT ? "-rdpct" : "-rdabs",
			s->target->dist == DS_PERCENT
				? "a block gets the I/Os of a range that is smaller; in DISKSPD a "
				  "neighbouring range gets them"
				: "fio refuses ranges beyond the end of the target; DISKSPD cuts them off, "
				  "and rounds down to blocks",
			"random_clip=1");
}

static void random_lines(struct section *s)
{
	const struct ds_target *t = s->target;

	section_line_local(s, "rw=rand%s", direction(t));
	if (ds_step(t) != t->block)
		section_line(s, "blockalign=%s", units_suffixed(ds_step(t)).text);
	section_line(s, "norandommap=1");
	section_line(s, "random_generator=tausworthe64");
	if (t->random_percent < 100) {
		section_line(s, "percentage_random=%u", t->random_percent);
		section_line_native(s, "-rs",
				    "fio chooses the direction of every I/O, DISKSPD of every sequential run",
				    "seq_runs=homogeneous");
	}
	zone_lines(s);
}

/* ---- when the next one comes ---- */

static void rate_lines(struct section *s)
{
	const struct ds_target *t = s->target;
	const char *option = t->rate_iops ? "rate_iops" : "rate";
	uint64_t rate = t->rate_iops || t->rate > UINT64_MAX / 1000 ? t->rate : t->rate * 1000;

	if (t->rate_iops && rate > UINT32_MAX) {
		section_note(s, "{~flag|-g}: rates above %u IOPS are not limited", UINT32_MAX);
		return;
	}
	if (mixed(t) && s->cfg->for_fio) {
		uint64_t writes = rate / 100 * t->write_percent + rate % 100 * t->write_percent / 100;

		section_line(s, "%s=%" PRIu64 ",%" PRIu64, option, rate - writes, writes);
		section_fio_loss(s,
				 "-g: fio limits reads and writes separately, each to its share of the rate");
		return;
	}
	section_line(s, "%s=%" PRIu64, option, rate);
	if (mixed(t))
		section_line_native(s, "-g", "", "rate_total=1");
}

/* DISKSPD counts bursts over all threads of a file; jobs count them for each thread. */
static void burst_lines(struct section *s)
{
	const struct ds_target *t = s->target;
	unsigned threads = s->span->threads ? s->span->threads : t->threads;
	unsigned each = threads && t->burst_ios / threads ? t->burst_ios / threads : 1;

	section_line(s, "thinktime=%ums", t->think_ms);
	section_line(s, "thinktime_blocks=%u", each);
	section_line(s, "thinktime_blocks_type=issue");
}

void load_lines(struct section *s)
{
	const struct ds_target *t = s->target;

	section_line_local(s, "bs=%s", units_suffixed(t->block).text);
	if (t->random_percent)
		random_lines(s);
	else
		ordered_lines(s);
	if (mixed(t)) {
		section_line_local(s, "rwmixwrite=%u", t->write_percent);
		section_fio_loss(
			s,
			"-w: fio keeps the mix close to the percentage, DISKSPD chooses each I/O at random");
	}
	if (t->rate)
		rate_lines(s);
	else if (t->burst_ios && t->think_ms)
		burst_lines(s);
}
