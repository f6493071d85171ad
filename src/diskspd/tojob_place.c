/* tojob_place.c: the job lines about processors, priorities, contents, seeds and reports. */
#include <ctype.h>
#include <inttypes.h>
#include "strbuf.h"
#include "tojob_section.h"
#include "units.h"

/* ---- processors ---- */

/* Adds one CPU, or all CPUs of a group that this machine has (all 64 if that is unknown). */
static void add_cpu(const struct section *s, const struct ds_cpu *c, struct strbuf *b)
{
	unsigned first = c->group * DS_GROUP_CPUS;

	if (c->cpu != DS_CPU_ALL) {
		strbuf_printf(b, "%s%u", b->len ? "," : "", section_cpu(c));
		return;
	}
	for (unsigned n = first; n < first + DS_GROUP_CPUS; n++)
		if (!s->cfg->cpus || !cpuset_count(s->cfg->cpus) || cpuset_has(s->cfg->cpus, n))
			strbuf_printf(b, "%s%u", b->len ? "," : "", n);
	if (!b->len)
		strbuf_printf(b, "%u", first); /* the group does not exist here, and the plan refuses it */
}

static unsigned first_cpu(const struct ds_cpu *c)
{
	return c->cpu == DS_CPU_ALL ? c->group * DS_GROUP_CPUS : section_cpu(c);
}

/* Returns true if cpus_allowed can express the list: fio gives the CPUs to all threads of the run in
   ascending order. */
static bool is_set(const struct section *s)
{
	bool ascends = s->span_number == 1;

	for (size_t i = 1; ascends && i < s->span->ncpus; i++)
		ascends = first_cpu(&s->span->cpus[i]) > section_cpu(&s->span->cpus[i - 1]);
	return ascends;
}

static void split_lines(struct section *s, const char *list)
{
	section_line(s, "cpus_allowed=%s", list);
	section_line(s, "cpus_allowed_policy=split");
}

/* Pins the threads to the list of -a. */
static void listed_lines(struct section *s)
{
	struct strbuf b = { 0 };

	for (size_t i = 0; i < s->span->ncpus; i++)
		add_cpu(s, &s->span->cpus[i], &b);
	s->no_memory |= b.failed;
	if (is_set(s)) {
		split_lines(s, strbuf_str(&b));
	} else {
		section_line_native(s, "-a", "fio gives these CPUs to the threads in ascending order",
				    "cpu_list=%s", strbuf_str(&b));
		if (s->cfg->for_fio)
			split_lines(s, strbuf_str(&b));
	}
	strbuf_fini(&b);
}

/* By default threads are pinned to all processors in turn. */
static void all_lines(struct section *s)
{
	struct strbuf b = { 0 };

	if (!s->cfg->cpus || !cpuset_count(s->cfg->cpus)) {
		section_note(s, "{~flag|-ag}: threads are not pinned, because the processors are not known");
		return;
	}
	cpuset_print(s->cfg->cpus, &b);
	s->no_memory |= b.failed;
	if (s->span_number == 1 || s->cfg->for_fio)
		split_lines(s, strbuf_str(&b));
	else
		section_line_native(s, "-ag", "", "cpu_list=%s", strbuf_str(&b));
	if (s->span_number > 1)
		section_fio_loss(s, "-ag: in a second time span fio goes on with the next CPU, DISKSPD "
				    "begins with the first one");
	strbuf_fini(&b);
}

static void cpu_lines(struct section *s)
{
	if (s->span->no_affinity)
		return;
	if (s->span->traversal[0] && s->span->ncpus)
		section_note(s, "{~flag|-a%s}: no effect, because the list of processors gives their order",
			     s->span->traversal);
	else if (s->span->traversal[0])
		section_line_native(s, "-a", "fio pins threads in the order of CPU numbers", "cpu_order=%s",
				    s->span->traversal);
	if (s->span->ncpus)
		listed_lines(s);
	else if (!s->span->traversal[0] || s->cfg->for_fio)
		all_lines(s);
}

static void priority_lines(struct section *s)
{
	if (s->target->priority == 1)
		section_line(s, "prioclass=3");
	if (s->target->priority == 2) {
		section_line(s, "prioclass=2");
		section_line(s, "prio=7");
	}
}

/* ---- contents ---- */

/* Adds a pattern of the bytes 0 to 255. */
static void pattern_line(struct section *s)
{
	char hex[2 * 256 + 1];
	static const char digit[] = "0123456789abcdef";

	for (unsigned i = 0; i < 256; i++) {
		hex[2 * i] = digit[i >> 4];
		hex[2 * i + 1] = digit[i & 15];
	}
	hex[2 * 256] = '\0';
	section_line(s, "buffer_pattern=0x%s", hex);
}

/* Returns a size as DISKSPD writes it, such as "64K". */
static struct units_text diskspd_size(uint64_t bytes)
{
	struct units_text t = units_suffixed(bytes);

	for (char *c = t.text; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	return t;
}

static void pool_lines(struct section *s)
{
	const struct ds_target *t = s->target;
	const char *from = arena_printf(&s->out->mem, "-Z%s%s%s", diskspd_size(t->pool_size).text,
					t->pool_file ? "," : "", t->pool_file ? t->pool_file : "");

	if (!from) {
		s->no_memory = true;
		return;
	}
	section_line_native(s, from, "in fio each write has its own random data, not a slice of a pool",
			    "write_pool=%s", units_suffixed(t->pool_size).text);
	if (t->pool_file)
		section_line_native(s, from, "fio cannot write data from a file", "write_pool_file=%s",
				    t->pool_file);
}

/* DISKSPD fills new files with the bytes 0 to 255 (zeroes with -Z), whatever it writes to them later. */
static void fill_line(struct section *s)
{
	if (ds_creates_file(s->target))
		section_line_native(s, "-c",
				    "fio fills new files with random data, not with the bytes 0 to 255",
				    "create_fill=%s", s->target->pattern == DS_ZERO ? "zero" : "pattern");
}

static void content_lines(struct section *s)
{
	const struct ds_target *t = s->target;

	if (!t->write_percent && t->pool_size)
		section_note(s, "{~flag|-Z}: no effect, because nothing is written (a pool of %s)",
			     diskspd_size(t->pool_size).text);
	if (!t->write_percent && !ds_creates_file(t))
		return;
	if (t->write_percent && t->pool_size) {
		pool_lines(s);
		fill_line(s);
	} else if (t->write_percent && s->span->random_data) {
		section_line(s, "refill_buffers=1");
		fill_line(s);
		section_fio_loss(s, "-Zr: fio repeats random data within a buffer");
	} else if (t->pattern == DS_ZERO) {
		section_line(s, "zero_buffers=1");
	} else {
		pattern_line(s);
	}
}

/* ---- draws and report ---- */

static void seed_lines(struct section *s)
{
	if (s->span->seed_clock && !s->span->seed) {
		section_line(s, "randrepeat=0");
		return;
	}
	section_line(s, "randrepeat=1");
	section_line(s, "randseed=%" PRIu64, s->span->seed);
}

static void report_lines(struct section *s)
{
	if (s->span->latency) {
		section_line(s, "lat_percentiles=1");
		section_line(s, "clat_percentiles=0");
		section_line(s,
			     "percentile_list=25:50:75:90:95:99:99.9:99.99:99.999:99.9999:99.99999:99.999999:"
			     "99.9999999");
	}
	if (s->span->iops_stats)
		section_line(s, "iopsavgtime=%u", s->span->bucket_ms);
}

/* Returns true if the threads use large pages. They have the same buffers for all of their targets. */
static bool large_pages(struct section *s)
{
	bool any = s->target->large_pages;

	for (size_t i = 0; section_grouped(s) && i < s->span->ntargets; i++)
		any = any || s->span->targets[i].large_pages;
	if (any != s->target->large_pages)
		section_note(s,
			     "{~flag|-l}: the threads use large pages for the buffers of all their targets");
	return any;
}

void place_lines(struct section *s)
{
	cpu_lines(s);
	priority_lines(s);
	if (large_pages(s))
		section_line(s, "iomem=mmaphuge");
	content_lines(s);
	seed_lines(s);
	report_lines(s);
}
