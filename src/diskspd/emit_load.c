/* emit_load.c: what each I/O of a section is like, and when it comes. */
#include <inttypes.h>
#include <string.h>
#include "emit_section.h"

static bool mixed(const struct ds_target *t)
{
	return t->write > 0 && t->write < 100;
}

static const char *direction(const struct ds_target *t)
{
	return mixed(t) ? "rw" : t->write ? "write" : "read";
}

/* ---- in order ---- */

/* Its own start is where DISKSPD goes on, too, when it begins at the base and leaves nothing out. */
static bool wraps_elsewhere(const struct section *s)
{
	return (s->t->thread_stride && ds_last_thread(s->span, s->t)) || ds_step(s->t) != s->t->block;
}

/* With one thread it has no effect (check.c says so). */
static bool shared_offset(const struct section *s)
{
	return s->t->interlocked && ds_threads_on(s->span, s->t) > 1;
}

static void ordered_lines(struct section *s)
{
	const struct ds_target *t = s->t;
	uint64_t step = ds_step(t);
	bool shared = shared_offset(s);

	if (step == t->block)
		line_here(s, "rw=%s", direction(t));
	else
		line_here(s, "rw=%s:%s%s", direction(t), step < t->block ? "-" : "",
			  line_size(s, step < t->block ? t->block - step : step - t->block));
	if (shared)
		line_own(s, "-si", "each thread has a position of its own", "offset_shared=1");
	else if (wraps_elsewhere(s))
		line_own(s, step != t->block ? "-s" : "-T",
			 "at the end fio goes on at the thread's own start, DISKSPD near the file's",
			 "seq_wrap=target");
	if (mixed(t) && !shared)
		line_own(s, "-w", "reads and writes have a position each", "rwmix_shared_pos=1");
	if (t->parallel && t->depth > 1)
		line_own(s, "-p", "the I/Os in flight share one position", "seq_per_slot=1");
}

/* ---- at random ---- */

static void zones_text(struct section *s, struct strbuf *b)
{
	const struct ds_target *t = s->t;

	strbuf_puts(b, t->dist == DS_PERCENT ? "zoned:" : "zoned_abs:");
	for (size_t i = 0; i < t->ranges; i++) {
		strbuf_printf(b, "%s%u", i ? ":" : "", t->range[i].io);
		if (t->dist == DS_PERCENT)
			strbuf_printf(b, "/%" PRIu64, t->range[i].span);
		else if (t->range[i].span)
			strbuf_printf(b, "/%s", line_size(s, t->range[i].span));
	}
}

static uint64_t zones_end(const struct ds_target *t)
{
	uint64_t end = 0;

	for (size_t i = 0; i < t->ranges; i++)
		end += t->range[i].span;
	return end;
}

static bool ends_in_blocks(const struct ds_target *t)
{
	uint64_t end = 0;

	for (size_t i = 0; i < t->ranges; i++) {
		end += t->range[i].span;
		if (end % ds_step(t))
			return true;
	}
	return false;
}

/* Ranges that go beyond the target are cut off, and all end at a block's edge. How large it is may not be
 * known. */
static bool may_clip(const struct section *s)
{
	uint64_t size = ds_is_made(s->t) ? s->t->create_size : section_size(s);

	if (s->t->max_size && (!size || s->t->max_size < size))
		size = s->t->max_size;
	return s->t->dist == DS_ABSOLUTE &&
	       (ends_in_blocks(s->t) || size <= s->t->base || zones_end(s->t) >= size - s->t->base);
}

static void zone_lines(struct section *s)
{
	struct strbuf b = { 0 };

	if (s->t->dist == DS_UNIFORM)
		return;
	zones_text(s, &b);
	s->failed |= b.failed;
	line_any(s, "random_distribution=%s", strbuf_str(&b));
	strbuf_fini(&b);
	if (may_clip(s))
		line_own(s, "-rdabs",
			 "fio refuses ranges behind the target's end, DISKSPD cuts them off, and rounds down "
			 "to blocks",
			 "random_clip=1");
}

static void random_lines(struct section *s)
{
	const struct ds_target *t = s->t;

	line_here(s, "rw=rand%s", direction(t));
	if (ds_step(t) != t->block)
		line_any(s, "blockalign=%s", line_size(s, ds_step(t)));
	line_any(s, "norandommap=1");
	line_any(s, "random_generator=tausworthe64");
	if (t->random < 100) {
		line_any(s, "percentage_random=%u", t->random);
		line_own(s, "-rs", "fio draws the direction of every I/O, DISKSPD that of every run",
			 "seq_runs=homogeneous");
	}
	zone_lines(s);
}

/* ---- when the next one comes ---- */

static void rate_lines(struct section *s)
{
	const struct ds_target *t = s->t;
	const char *option = t->rate_iops ? "rate_iops" : "rate";
	uint64_t rate = t->rate_iops || t->rate > UINT64_MAX / 1000 ? t->rate : t->rate * 1000;

	if (t->rate_iops && rate > UINT32_MAX) {
		line_note(s, "{~flag|-g}: more than %u I/Os per second are no limit here", UINT32_MAX);
		return;
	}
	if (mixed(t) && s->cfg->fio) {
		uint64_t writes = rate / 100 * t->write + rate % 100 * t->write / 100;

		line_any(s, "%s=%" PRIu64 ",%" PRIu64, option, rate - writes, writes);
		line_near(s, "-g: reads and writes have their shares of the rate apart");
		return;
	}
	line_any(s, "%s=%" PRIu64, option, rate);
	if (mixed(t))
		line_own(s, "-g", "", "rate_total=1");
}

/* The burst is divided by the threads that work on the file. */
static void burst_lines(struct section *s)
{
	const struct ds_target *t = s->t;
	unsigned threads = s->span->threads ? s->span->threads : t->threads;
	unsigned each = threads && t->burst / threads ? t->burst / threads : 1;

	line_any(s, "thinktime=%ums", t->think_ms);
	line_any(s, "thinktime_blocks=%u", each);
	line_any(s, "thinktime_blocks_type=issue");
}

void load_lines(struct section *s)
{
	const struct ds_target *t = s->t;

	line_here(s, "bs=%s", line_size(s, t->block));
	if (t->random)
		random_lines(s);
	else
		ordered_lines(s);
	if (mixed(t)) {
		line_here(s, "rwmixwrite=%u", t->write);
		line_near(s, "-w: fio steers towards the share, DISKSPD tosses a coin for each I/O");
	}
	if (t->rate)
		rate_lines(s);
	else if (t->burst && t->think_ms)
		burst_lines(s);
}
