/* xmlset.c: setters for the types of values: numbers, booleans, words and texts; and special cases. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "line.h"
#include "profile.h"
#include "strbuf.h"
#include "vec.h"
#include "xml.h"
#include "profile_xml.h"

int xmlset_number(const char *text, uint64_t lo, uint64_t hi, uint64_t *out, struct strbuf *why)
{
	uint64_t v = 0;
	const char *s = text;
	bool over = false;

	for (; *s >= '0' && *s <= '9'; s++)
		over |= __builtin_mul_overflow(v, 10, &v) ||
			__builtin_add_overflow(v, (uint64_t)(*s - '0'), &v);
	if (s == text || *s || over || v < lo || v > hi) {
		strbuf_printf(why, "a whole number from %ju to %ju", (uintmax_t)lo, (uintmax_t)hi);
		return -EINVAL;
	}
	*out = v;
	return 0;
}

int xmlset_attr_number(struct xml_reader *r, const struct xml_row *row, unsigned i, uint64_t hi,
		       uint64_t *out, struct strbuf *why)
{
	strbuf_printf(why, "%s=\"%s\": ", row->attr[i], r->attr[i]);
	if (xmlset_number(r->attr[i], 0, hi, out, why))
		return -EINVAL;
	strbuf_clear(why);
	return 0;
}

int xmlset_u64(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	return xmlset_number(text, row->min, row->max, xmlset_field(r, row), why);
}

int xmlset_u32(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	uint64_t v;
	int ret = xmlset_number(text, row->min, row->max, &v, why);

	if (!ret)
		*(unsigned *)xmlset_field(r, row) = (unsigned)v;
	return ret;
}

int xmlset_boolean(const char *text, bool *v, struct strbuf *why)
{
	bool yes = !strcmp(text, "true") || !strcmp(text, "1");

	if (!yes && strcmp(text, "false") && strcmp(text, "0")) {
		strbuf_puts(why, "true or false");
		return -EINVAL;
	}
	*v = yes;
	return 0;
}

/* Several elements turn on one switch: none turns it off. */
int xmlset_bool(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	bool v, *also = row->also ? (bool *)((char *)r + row->also) : &v;
	int ret = xmlset_boolean(text, &v, why);

	if (!ret) {
		*(bool *)xmlset_field(r, row) |= v;
		*also |= v;
	}
	return ret;
}

int xmlset_word(const char *text, const char *const *words, unsigned *v, struct strbuf *why)
{
	for (unsigned i = 0; words[i]; i++) {
		if (*text && !strcmp(text, words[i])) {
			*v = i;
			return 0;
		}
	}
	for (unsigned i = 0; words[i]; i++)
		if (*words[i])
			strbuf_printf(why, "%s%s", !why->len ? "" : words[i + 1] ? ", " : " or ", words[i]);
	return -EINVAL;
}

int xmlset_enum(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	return xmlset_word(text, row->words, xmlset_field(r, row), why);
}

int xmlset_string(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	char **s = xmlset_field(r, row);

	if (!*text) {
		strbuf_puts(why, "a path");
		return -EINVAL;
	}
	*s = arena_strdup(&r->p.mem, text);
	return *s ? 0 : -ENOMEM;
}

void *xmlset_copy(struct xml_reader *r, const void *v, size_t n, size_t bytes)
{
	void *copy = arena_array(&r->p.mem, n + 1, bytes);

	if (copy && n)
		memcpy(copy, v, n * bytes);
	return copy;
}

/* ---- setters of the profile's and the time spans' elements ---- */

int xmlset_end_spans(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	(void)row;
	(void)why;
	r->p.nspans = r->spans.n;
	r->p.spans = xmlset_copy(r, r->spans.v, r->spans.n, sizeof(*r->p.spans));
	return r->p.spans ? 0 : -ENOMEM;
}

void xmlset_begin_span(struct xml_reader *r)
{
	ds_span_init(&r->span);
	r->targets.n = r->cpus.n = 0;
}

int xmlset_end_span(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	struct ds_span *s = &r->span;

	(void)row;
	(void)why;
	s->xml_line = r->line;
	s->ntargets = r->targets.n;
	s->ncpus = r->cpus.n;
	s->targets = xmlset_copy(r, r->targets.v, r->targets.n, sizeof(*s->targets));
	s->cpus = xmlset_copy(r, r->cpus.v, r->cpus.n, sizeof(*s->cpus));
	return s->targets && s->cpus && VEC_PUSH(&r->spans, *s) ? 0 : -ENOMEM;
}

int xmlset_affinity(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	uint64_t cpu;

	(void)row;
	if (xmlset_number(text, 0, 255, &cpu, why))
		return -EINVAL;
	return VEC_PUSH(&r->cpus, (struct ds_cpu){ .cpu = (unsigned)cpu }) ? 0 : -ENOMEM;
}

static int no_text(const char *text, struct strbuf *why)
{
	if (*text)
		strbuf_puts(why, "no text; it has only attributes");
	return *text ? -EINVAL : 0;
}

int xmlset_group_affinity(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	uint64_t group, cpu;

	if (no_text(text, why) || xmlset_attr_number(r, row, 0, 65535, &group, why) ||
	    xmlset_attr_number(r, row, 1, 255, &cpu, why))
		return -EINVAL;
	return VEC_PUSH(&r->cpus, (struct ds_cpu){ (unsigned)group, (unsigned)cpu }) ? 0 : -ENOMEM;
}

/* DISKSPD 2.3: reads the processors of a group as a mask, "0xff" or "ff". */
int xmlset_group_mask(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	const char *hex = r->attr[1] + (strncmp(r->attr[1], "0x", 2) ? 0 : 2);
	size_t digits = strspn(hex, "0123456789abcdefABCDEF");
	uint64_t group, mask;

	if (no_text(text, why) || xmlset_attr_number(r, row, 0, 65535, &group, why))
		return -EINVAL;
	mask = strtoull(hex, NULL, 16);
	if (!digits || digits > 16 || hex[digits] || !mask) {
		strbuf_printf(why, "Mask=\"%s\": processors as a hexadecimal number that is not 0",
			      r->attr[1]);
		return -EINVAL;
	}
	if (mask == UINT64_MAX)
		return VEC_PUSH(&r->cpus, (struct ds_cpu){ (unsigned)group, DS_CPU_ALL }) ? 0 : -ENOMEM;
	for (unsigned cpu = 0; cpu < 64; cpu++)
		if (mask >> cpu & 1 && !VEC_PUSH(&r->cpus, (struct ds_cpu){ (unsigned)group, cpu }))
			return -ENOMEM;
	return 0;
}

static const char *const group_orders[] = { "Fill", "Span", NULL };
static const char *const efficiency_orders[] = { "",           "PFirst",    "FillPFirst", "EFirst",
						 "FillEFirst", "Unordered", NULL };
static const char *const cpu_orders[] = { "", "Cpu", "Core", NULL };

/* DISKSPD 2.3: reads the element for the letters of -ac -as -ap -aP -ae -aE -aup. */
int xmlset_traversal(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	unsigned cpu = 0, group = 0, efficiency = 0;
	char *to = r->span.traversal;

	if ((*text && xmlset_word(text, cpu_orders, &cpu, why)) ||
	    (r->has_attr[0] && xmlset_word(r->attr[0], group_orders, &group, why)) ||
	    (r->has_attr[1] && xmlset_word(r->attr[1], efficiency_orders, &efficiency, why)))
		return -EINVAL;
	(void)row;
	memset(to, 0, sizeof(r->span.traversal));
	if (cpu == 2)
		*to++ = 'c';
	if (group == 1)
		*to++ = 's';
	if (efficiency)
		*to++ = " pPeEu"[efficiency];
	return 0;
}

int xmlset_separation(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	unsigned v;
	int ret = xmlset_word(text, row->words, &v, why);

	if (!ret)
		r->span.default_buffer_separation = v == 1;
	return ret;
}

int xmlset_ring_batch(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	bool percent = false;
	uint64_t v;

	(void)row;
	if (r->has_attr[0] && xmlset_boolean(r->attr[0], &percent, why))
		return -EINVAL;
	if (xmlset_number(text, 1, percent ? 100 : 65536, &v, why))
		return -EINVAL;
	if (percent)
		r->span.io_ring_percent = (unsigned)v;
	else
		r->span.io_ring_batch = (unsigned)v;
	return 0;
}

int xmlset_reg_buffer(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	bool v = true;

	(void)row;
	if (xmlset_boolean(text, &v, why))
		return -EINVAL;
	r->span.io_ring_unregistered = !v;
	return 0;
}

/* ---- setters of a target's elements ---- */

int xmlset_path(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	(void)row;
	if (ds_template_number(text) < 0) {
		strbuf_puts(why, "a template is * and a number from 1, such as *1");
		return -EINVAL;
	}
	/* As in DISKSPD, an empty path is valid here and fails when the target is opened. */
	r->target.path = arena_strdup(&r->p.mem, text);
	return r->target.path ? 0 : -ENOMEM;
}

void xmlset_begin_target(struct xml_reader *r)
{
	ds_target_init(&r->target);
	memset(&r->given, 0, sizeof(r->given));
	r->ranges.n = r->thread_targets.n = 0;
}

static const char *target_conflict(const struct xml_reader *r)
{
	if (r->given.stride && (r->given.random || r->given.ratio))
		return "<Target>: <StrideSize> is for sequential I/O and not possible with <Random> or "
		       "<RandomRatio>: leave one of them out";
	if (r->given.os_cache && r->given.local_cache)
		return "<Target>: <DisableOSCache> and <DisableLocalCache> exclude each other: leave one of "
		       "them out";
	return NULL;
}

int xmlset_end_target(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	(void)row;
	struct ds_target *t = &r->target;
	const char *conflict = target_conflict(r);

	if (++r->target_count > XMLREAD_TARGETS_MAX) {
		strbuf_printf(why, "<Target>: a profile may have at most %u of them", XMLREAD_TARGETS_MAX);
		return -EINVAL;
	}
	if (conflict) {
		strbuf_puts(why, conflict);
		return -EINVAL;
	}
	/* Older profiles have a 0 in place of a missing element. */
	t->burst_given &= t->burst_ios || t->think_given;
	t->think_given &= t->think_ms || t->burst_given;
	if (r->given.os_cache)
		t->cache = DS_UNBUFFERED;
	if (r->given.local_cache)
		t->cache = DS_REMOTE_ONLY;
	if (r->given.random)
		t->stride = r->given.random_align;
	t->xml_line = r->line;
	if (r->given.random && !r->given.ratio)
		t->random_percent = 100;
	t->nranges = r->ranges.n;
	t->ranges = xmlset_copy(r, r->ranges.v, r->ranges.n, sizeof(*t->ranges));
	t->nthread_targets = r->thread_targets.n;
	t->thread_targets =
		xmlset_copy(r, r->thread_targets.v, r->thread_targets.n, sizeof(*t->thread_targets));
	if (!t->ranges || !t->thread_targets || !ds_add_last_range(&r->p, t))
		return -ENOMEM;
	return VEC_PUSH(&r->targets, *t) ? 0 : -ENOMEM;
}

static const char *const rate_units[] = { "BPMS", "IOPS", NULL };

int xmlset_throughput(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	unsigned unit = 0;

	if (r->has_attr[0]) {
		struct strbuf allowed = { 0 };
		int ret = xmlset_word(r->attr[0], rate_units, &unit, &allowed);

		if (ret)
			strbuf_printf(why, "unit=\"%s\": %s", r->attr[0], strbuf_str(&allowed));
		strbuf_fini(&allowed);
		if (ret)
			return ret;
	}
	r->target.rate_iops = unit == 1;
	return xmlset_u64(r, row, text, why);
}

int xmlset_end_content(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	(void)row;
	struct ds_target *t = &r->target;

	if (t->pattern == DS_RANDOM && !t->pool_size) {
		strbuf_puts(why, "<WriteBufferContent>: <Pattern>random</Pattern> needs a <RandomDataSource> "
				 "with a <SizeInBytes>");
		return -EINVAL;
	}
	if (t->pattern != DS_RANDOM) {
		t->pool_size = 0;
		t->pool_file = NULL;
	}
	return 0;
}

int xmlset_range(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	uint64_t io, span;

	if (xmlset_attr_number(r, row, 0, 100, &io, why) ||
	    xmlset_number(text, row->min, row->max, &span, why))
		return -EINVAL;
	return VEC_PUSH(&r->ranges, (struct ds_range){ (unsigned)io, span }) ? 0 : -ENOMEM;
}

/* Checks a range of length 0: it is the rest of the target, which takes the rest of the I/O. */
static int check_rest(const struct xml_reader *r, struct strbuf *why)
{
	uint64_t io = 0;

	for (size_t i = 0; i < r->ranges.n; i++) {
		bool last = i + 1 == r->ranges.n;

		io += r->ranges.v[i].io_percent;
		if (r->ranges.v[i].length || (last && io == 100))
			continue;
		strbuf_puts(why,
			    last ? "<Absolute>: its last <Range> is 0 (the rest of the target), so the "
				   "shares of the I/O must total 100"
				 : "<Absolute>: only its last <Range> may be 0 (the rest of the target)");
		return -EINVAL;
	}
	return 0;
}

/* The end of <Percent> or <Absolute>. */
int xmlset_end_ranges(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	bool absolute = row->node == NODE_ABSOLUTE;

	if (absolute && check_rest(r, why))
		return -EINVAL;
	if (r->target.dist != DS_UNIFORM) {
		strbuf_printf(why, "<%s>: a <Distribution> has either <Percent> or <Absolute>", row->name);
		return -EINVAL;
	}
	r->target.dist = absolute ? DS_ABSOLUTE : DS_PERCENT;
	return 0;
}

int xmlset_end_distribution(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	(void)row;
	if (r->target.dist != DS_UNIFORM)
		return 0;
	strbuf_puts(why, "<Distribution>: needs a <Percent> or an <Absolute>");
	return -EINVAL;
}

void xmlset_begin_thread_target(struct xml_reader *r)
{
	memset(&r->thread_target, 0, sizeof(r->thread_target));
}

int xmlset_end_thread_target(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	(void)row;
	if (++r->thread_target_count > XMLREAD_THREAD_TARGETS_MAX) {
		strbuf_printf(why, "<ThreadTarget>: a profile may have at most %u of them",
			      XMLREAD_THREAD_TARGETS_MAX);
		return -EINVAL;
	}
	return VEC_PUSH(&r->thread_targets, r->thread_target) ? 0 : -ENOMEM;
}
