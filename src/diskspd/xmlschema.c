#include "xmlschema.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "line.h"
#include "vec.h"

static void *field(struct reader *r, const struct row *row)
{
	char *base;

	switch (row->parent) {
	case NODE_SPAN:
	case NODE_IO_RING:
		base = (char *)&r->span;
		break;
	case NODE_TARGET:
	case NODE_CONTENT:
	case NODE_SOURCE:
		base = (char *)&r->target;
		break;
	case NODE_THREAD_TARGET:
		base = (char *)&r->thread_target;
		break;
	default:
		base = (char *)r->p;
		break;
	}
	return base + row->offset;
}

/* Decimal digits and nothing else, from lo to hi. */
static int number(const char *text, uint64_t lo, uint64_t hi, uint64_t *out, struct strbuf *why)
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

static int attr_number(struct reader *r, const struct row *row, unsigned i, uint64_t hi, uint64_t *out,
		       struct strbuf *why)
{
	strbuf_printf(why, "%s=\"%s\": ", row->attr[i], r->attr[i]);
	if (number(r->attr[i], 0, hi, out, why))
		return -EINVAL;
	strbuf_clear(why);
	return 0;
}

static int set_u64(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	return number(text, row->lo, row->hi, field(r, row), why);
}

static int set_u32(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	uint64_t v;
	int ret = number(text, row->lo, row->hi, &v, why);

	if (!ret)
		*(unsigned *)field(r, row) = (unsigned)v;
	return ret;
}

static int boolean(const char *text, bool *v, struct strbuf *why)
{
	bool yes = !strcmp(text, "true") || !strcmp(text, "1");

	if (!yes && strcmp(text, "false") && strcmp(text, "0")) {
		strbuf_puts(why, "true or false");
		return -EINVAL;
	}
	*v = yes;
	return 0;
}

static int set_bool(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	return boolean(text, field(r, row), why);
}

/* Read and of no consequence: GroupAffinity is what happens anyway. */
static int set_nothing(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	bool v;

	(void)r;
	(void)row;
	return boolean(text, &v, why);
}

static int word(const char *text, const char *const *words, unsigned *v, struct strbuf *why)
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

static int set_enum(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	return word(text, row->words, field(r, row), why);
}

static int set_string(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	char **s = field(r, row);

	if (!*text) {
		strbuf_puts(why, "a path");
		return -EINVAL;
	}
	*s = arena_strdup(&r->p->mem, text);
	return *s ? 0 : -ENOMEM;
}

/* Profile */

static int set_event(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	int ret = set_bool(r, row, text, why);

	if (!ret)
		r->p->events |= *(bool *)field(r, row);
	return ret;
}

static int end_spans(struct reader *r, struct strbuf *why)
{
	struct ds_profile *p = r->p;

	(void)why;
	p->span = arena_array(&p->mem, r->spans.n, sizeof(*p->span));
	if (!p->span)
		return -ENOMEM;
	memcpy(p->span, r->spans.v, r->spans.n * sizeof(*p->span));
	p->spans = r->spans.n;
	return 0;
}

/* TimeSpan */

static void begin_span(struct reader *r)
{
	ds_span_init(&r->span);
	r->targets.n = r->cpus.n = 0;
}

static int end_span(struct reader *r, struct strbuf *why)
{
	struct ds_span *s = &r->span;

	(void)why;
	s->target = arena_array(&r->p->mem, r->targets.n, sizeof(*s->target));
	s->cpu = arena_array(&r->p->mem, r->cpus.n + 1, sizeof(*s->cpu));
	if (!s->target || !s->cpu)
		return -ENOMEM;
	memcpy(s->target, r->targets.v, r->targets.n * sizeof(*s->target));
	if (r->cpus.n)
		memcpy(s->cpu, r->cpus.v, r->cpus.n * sizeof(*s->cpu));
	s->line = r->line;
	s->targets = r->targets.n;
	s->cpus = r->cpus.n;
	return VEC_PUSH(&r->spans, *s) ? 0 : -ENOMEM;
}

static int set_affinity(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	uint64_t cpu;

	(void)row;
	if (number(text, 0, 255, &cpu, why))
		return -EINVAL;
	return VEC_PUSH(&r->cpus, (struct ds_cpu){ .cpu = (unsigned)cpu }) ? 0 : -ENOMEM;
}

static int no_text(const char *text, struct strbuf *why)
{
	if (*text)
		strbuf_puts(why, "no text, only attributes");
	return *text ? -EINVAL : 0;
}

static int set_group_affinity(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	uint64_t group, cpu;

	if (no_text(text, why) || attr_number(r, row, 0, 65535, &group, why) ||
	    attr_number(r, row, 1, 255, &cpu, why))
		return -EINVAL;
	return VEC_PUSH(&r->cpus, (struct ds_cpu){ (unsigned)group, (unsigned)cpu }) ? 0 : -ENOMEM;
}

/* 2.3: the processors of a group as a mask, "0xff" or "ff". */
static int set_group_mask(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	const char *hex = r->attr[1] + (strncmp(r->attr[1], "0x", 2) ? 0 : 2);
	size_t digits = strspn(hex, "0123456789abcdefABCDEF");
	uint64_t group, mask;

	if (no_text(text, why) || attr_number(r, row, 0, 65535, &group, why))
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

/* 2.3: what the letters of -ac -as -ap -aP -ae -aE -aup say. */
static int set_traversal(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	unsigned cpu = 0, group = 0, efficiency = 0;
	char *to = r->span.traversal;

	if ((*text && word(text, cpu_orders, &cpu, why)) ||
	    (r->has_attr[0] && word(r->attr[0], group_orders, &group, why)) ||
	    (r->has_attr[1] && word(r->attr[1], efficiency_orders, &efficiency, why)))
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

static int set_separation(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	unsigned v;
	int ret = word(text, row->words, &v, why);

	if (!ret)
		r->span.separation_default = v == 1;
	return ret;
}

static int set_completion_depth(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	r->span.completion_depth_given = true;
	return set_u32(r, row, text, why);
}

static void begin_io_ring(struct reader *r)
{
	r->span.io_ring = true;
}

static int set_ring_batch(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	bool percent = false;
	uint64_t v;

	(void)row;
	if (r->has_attr[0] && boolean(r->attr[0], &percent, why))
		return -EINVAL;
	if (number(text, 1, percent ? 100 : 65536, &v, why))
		return -EINVAL;
	if (percent)
		r->span.io_ring_percent = (unsigned)v;
	else
		r->span.io_ring_batch = (unsigned)v;
	return 0;
}

static int set_reg_buffer(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	bool v = true;

	(void)row;
	if (boolean(text, &v, why))
		return -EINVAL;
	r->span.io_ring_unregistered = !v;
	return 0;
}

/* Target */

static int set_path(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	if (ds_template(text) < 0) {
		strbuf_puts(why, "a template is * and a number from 1, such as *1");
		return -EINVAL;
	}
	return set_string(r, row, text, why);
}

static void begin_target(struct reader *r)
{
	ds_target_init(&r->target);
	memset(&r->said, 0, sizeof(r->said));
	r->ranges.n = r->thread_targets.n = 0;
}

static const char *target_conflict(const struct reader *r)
{
	if (r->said.stride && (r->said.random || r->said.ratio))
		return "<Target>: <StrideSize> is for sequential I/O and does not go with <Random> or "
		       "<RandomRatio>: leave out one";
	if (r->said.os_cache && r->said.local_cache)
		return "<Target>: <DisableOSCache> and <DisableLocalCache> are two choices for one thing: "
		       "leave "
		       "out one";
	return NULL;
}

static int copy_lists(struct reader *r, struct ds_target *t)
{
	struct arena *a = &r->p->mem;

	t->range = arena_array(a, r->ranges.n + 1, sizeof(*t->range));
	t->thread_target = arena_array(a, r->thread_targets.n + 1, sizeof(*t->thread_target));
	if (!t->range || !t->thread_target)
		return -ENOMEM;
	if (r->ranges.n)
		memcpy(t->range, r->ranges.v, r->ranges.n * sizeof(*t->range));
	if (r->thread_targets.n)
		memcpy(t->thread_target, r->thread_targets.v,
		       r->thread_targets.n * sizeof(*t->thread_target));
	t->ranges = r->ranges.n;
	t->thread_targets = r->thread_targets.n;
	return 0;
}

static int end_target(struct reader *r, struct strbuf *why)
{
	struct ds_target *t = &r->target;
	const char *conflict = target_conflict(r);

	if (conflict) {
		strbuf_puts(why, conflict);
		return -EINVAL;
	}
	/* Older profiles have a 0 where nothing is meant. */
	t->burst_given &= t->burst || t->think_given;
	t->think_given &= t->think_ms || t->burst_given;
	if (r->said.os_cache)
		t->cache = DS_UNBUFFERED;
	if (r->said.local_cache)
		t->cache = DS_REMOTE_ONLY;
	if (r->said.random)
		t->stride = r->said.random_align;
	t->line = r->line;
	t->stride_given = t->stride;
	if (r->said.random && !r->said.ratio)
		t->random = 100;
	if (copy_lists(r, t) || !ds_tail_add(r->p, t))
		return -ENOMEM;
	return VEC_PUSH(&r->targets, *t) ? 0 : -ENOMEM;
}

static int set_random(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	r->said.random = true;
	return number(text, row->lo, row->hi, &r->said.random_align, why);
}

static int set_random_ratio(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	int ret = set_u32(r, row, text, why);

	r->said.ratio = true;
	if (ret)
		strbuf_puts(why, "; all random is <Random> alone, none is <StrideSize> alone");
	return ret;
}

static int set_stride(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	r->said.stride = true;
	return set_u64(r, row, text, why);
}

static int set_os_cache(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	bool off = false;
	int ret = boolean(text, &off, why);

	(void)row;
	if (!ret)
		r->said.os_cache |= off;
	return ret;
}

static int set_all_cache(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	bool off = false;
	int ret = boolean(text, &off, why);

	(void)row;
	if (!ret) {
		r->said.os_cache |= off;
		r->target.write_through |= off;
	}
	return ret;
}

static int set_write_through(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	bool on = false;
	int ret = boolean(text, &on, why);

	(void)row;
	if (!ret)
		r->target.write_through |= on;
	return ret;
}

static int set_local_cache(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	(void)row;
	return boolean(text, &r->said.local_cache, why);
}

static int set_burst(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	r->target.burst_given = true;
	return set_u32(r, row, text, why);
}

static int set_think(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	r->target.think_given = true;
	return set_u32(r, row, text, why);
}

static const char *const rate_units[] = { "BPMS", "IOPS", NULL };

static int set_throughput(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	unsigned unit = 0;

	if (r->has_attr[0]) {
		struct strbuf allowed = { 0 };
		int ret = word(r->attr[0], rate_units, &unit, &allowed);

		if (ret)
			strbuf_printf(why, "unit=\"%s\": %s", r->attr[0], strbuf_str(&allowed));
		strbuf_fini(&allowed);
		if (ret)
			return ret;
	}
	r->target.rate_iops = unit == 1;
	return set_u64(r, row, text, why);
}

static int end_content(struct reader *r, struct strbuf *why)
{
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

static int set_range(struct reader *r, const struct row *row, char *text, struct strbuf *why)
{
	uint64_t io, span;

	if (attr_number(r, row, 0, 100, &io, why) || number(text, row->lo, row->hi, &span, why))
		return -EINVAL;
	return VEC_PUSH(&r->ranges, (struct ds_range){ (unsigned)io, span }) ? 0 : -ENOMEM;
}

static int end_percent(struct reader *r, struct strbuf *why)
{
	if (r->target.dist != DS_UNIFORM) {
		strbuf_puts(why, "<Percent>: a <Distribution> has either <Percent> or <Absolute>");
		return -EINVAL;
	}
	r->target.dist = DS_PERCENT;
	return 0;
}

/* A range of 0 is the rest, of the target and of the I/O. */
static int check_rest(const struct reader *r, struct strbuf *why)
{
	uint64_t io = 0;

	for (size_t i = 0; i < r->ranges.n; i++) {
		bool last = i + 1 == r->ranges.n;

		io += r->ranges.v[i].io;
		if (r->ranges.v[i].span || (last && io == 100))
			continue;
		strbuf_puts(
			why,
			last ? "<Absolute>: its last <Range> is 0, the rest of the target, so the shares of "
			       "the I/O must total 100"
			     : "<Absolute>: only its last <Range> may be 0, the rest of the target");
		return -EINVAL;
	}
	return 0;
}

static int end_absolute(struct reader *r, struct strbuf *why)
{
	if (check_rest(r, why))
		return -EINVAL;
	if (r->target.dist != DS_UNIFORM) {
		strbuf_puts(why, "<Absolute>: a <Distribution> has either <Percent> or <Absolute>");
		return -EINVAL;
	}
	r->target.dist = DS_ABSOLUTE;
	return 0;
}

static int end_distribution(struct reader *r, struct strbuf *why)
{
	if (r->target.dist != DS_UNIFORM)
		return 0;
	strbuf_puts(why, "<Distribution>: needs a <Percent> or an <Absolute>");
	return -EINVAL;
}

static void begin_thread_target(struct reader *r)
{
	memset(&r->thread_target, 0, sizeof(r->thread_target));
}

static int end_thread_target(struct reader *r, struct strbuf *why)
{
	(void)why;
	return VEC_PUSH(&r->thread_targets, r->thread_target) ? 0 : -ENOMEM;
}

static const char *const formats[] = { "text", "xml", NULL };
static const char *const precreates[] = { "", "UseMaxSize", "CreateOnlyFilesWithConstantSizes",
					  "CreateOnlyFilesWithConstantOrZeroSizes", NULL };
static const char *const flushes[] = { "", "ViewOfFile", "NonVolatileMemory", "NonVolatileMemoryNoDrain",
				       NULL };
static const char *const bypasses[] = { "", "Partial", "Full", NULL };
static const char *const patterns[] = { "sequential", "zero", "random", NULL };
static const char *const separations[] = { "PDECacheLine", "SystemDefault", NULL };

/* clang-format off */
#define NODE(name_, parent_, node_) .name = (name_), .parent = NODE_##parent_, .node = NODE_##node_
#define LEAF(name_, parent_, set_)  .name = (name_), .parent = NODE_##parent_, .node = NODE_LEAF, .set = (set_)
#define P(f) .offset = offsetof(struct ds_profile, f)
#define S(f) .offset = offsetof(struct ds_span, f)
#define T(f) .offset = offsetof(struct ds_target, f)
#define TT(f) .offset = offsetof(struct ds_thread_target, f)
#define U32  .hi = UINT32_MAX
#define U64  .hi = UINT64_MAX

const struct row xmlschema[] = {
	{ NODE("Profile", TOP, PROFILE), .required = true },

	{ NODE("TimeSpans", PROFILE, SPANS), .required = true, .end = end_spans },
	{ LEAF("Verbose", PROFILE, set_bool), P(verbose) },
	{ LEAF("VerboseStats", PROFILE, set_bool), P(verbose_stats) },
	{ LEAF("Progress", PROFILE, set_u32), P(progress), U32 },
	{ LEAF("ExperimentFlags", PROFILE, set_u32), P(experiments), U32 },
	{ LEAF("ResultFormat", PROFILE, set_enum), P(format), .words = formats },
	{ LEAF("PrecreateFiles", PROFILE, set_enum), P(precreate), .words = precreates },
	{ NODE("ETW", PROFILE, ETW) },

	{ LEAF("Process", ETW, set_event), P(event[DS_EV_PROCESS]) },
	{ LEAF("Thread", ETW, set_event), P(event[DS_EV_THREAD]) },
	{ LEAF("ImageLoad", ETW, set_event), P(event[DS_EV_IMAGE_LOAD]) },
	{ LEAF("DiskIO", ETW, set_event), P(event[DS_EV_DISK_IO]) },
	{ LEAF("MemoryPageFaults", ETW, set_event), P(event[DS_EV_SOFT_FAULTS]) },
	{ LEAF("MemoryHardFaults", ETW, set_event), P(event[DS_EV_HARD_FAULTS]) },
	{ LEAF("Network", ETW, set_event), P(event[DS_EV_NETWORK]) },
	{ LEAF("Registry", ETW, set_event), P(event[DS_EV_REGISTRY]) },
	{ LEAF("UsePagedMemory", ETW, set_event), P(event[DS_EV_PAGED]) },
	{ LEAF("UsePerfTimer", ETW, set_event), P(event[DS_EV_PERF_TIMER]) },
	{ LEAF("UseSystemTimer", ETW, set_event), P(event[DS_EV_SYSTEM_TIMER]) },
	{ LEAF("UseCyclesCounter", ETW, set_event), P(event[DS_EV_CYCLES]) },

	{ NODE("TimeSpan", SPANS, SPAN), .many = true, .required = true, .begin = begin_span, .end = end_span },

	{ NODE("Targets", SPAN, TARGETS), .required = true },
	{ LEAF("Duration", SPAN, set_u32), S(duration_s), U32 },
	{ LEAF("Warmup", SPAN, set_u32), S(warmup_s), U32 },
	{ LEAF("Cooldown", SPAN, set_u32), S(cooldown_s), U32 },
	{ LEAF("RandSeed", SPAN, set_u64), S(seed), U64 },
	{ LEAF("ThreadCount", SPAN, set_u32), S(threads), U32 },
	{ LEAF("RequestCount", SPAN, set_u32), S(requests), U32 },
	{ LEAF("IoBucketDuration", SPAN, set_u32), S(bucket_ms), .lo = 1, U32 },
	{ LEAF("RandomWriteData", SPAN, set_bool), S(random_data) },
	{ LEAF("GroupAffinity", SPAN, set_nothing) },
	{ LEAF("DisableAffinity", SPAN, set_bool), S(no_affinity) },
	{ LEAF("CompletionRoutines", SPAN, set_bool), S(completion_routines) },
	{ LEAF("MeasureLatency", SPAN, set_bool), S(latency) },
	{ LEAF("CalculateIopsStdDev", SPAN, set_bool), S(iops_stats) },
	{ NODE("Affinity", SPAN, AFFINITY) },
	{ NODE("IoRing", SPAN, IO_RING), .begin = begin_io_ring, .since_23 = true },
	{ LEAF("AffinityTraversal", SPAN, set_traversal), .attr = { "Group", "Efficiency" },
	  .attr_optional = true, .since_23 = true },
	{ LEAF("BufferSeparation", SPAN, set_separation), .words = separations, .since_23 = true },
	{ LEAF("CompletionDepth", SPAN, set_completion_depth), S(completion_depth), .lo = 1, .hi = 16,
	  .since_23 = true },

	{ LEAF("AffinityAssignment", AFFINITY, set_affinity), .many = true },
	{ LEAF("AffinityGroupAssignment", AFFINITY, set_group_affinity), .attr = { "Group", "Processor" },
	  .many = true },
	{ LEAF("Group", AFFINITY, set_group_mask), .attr = { "Group", "Mask" }, .many = true, .since_23 = true },

	{ LEAF("IoRingBatchSize", IO_RING, set_ring_batch), .attr = { "Percent" }, .attr_optional = true },
	{ LEAF("UseRegBuffer", IO_RING, set_reg_buffer) },

	{ NODE("Target", TARGETS, TARGET), .many = true, .required = true, .begin = begin_target,
	  .end = end_target },

	{ LEAF("Path", TARGET, set_path), T(path), .required = true },
	{ LEAF("BlockSize", TARGET, set_u64), T(block), U32 },
	{ LEAF("RequestCount", TARGET, set_u32), T(depth), U32 },
	{ LEAF("ThreadsPerFile", TARGET, set_u32), T(threads), U32 },
	{ LEAF("BurstSize", TARGET, set_burst), T(burst), U32 },
	{ LEAF("ThinkTime", TARGET, set_think), T(think_ms), U32 },
	{ LEAF("Weight", TARGET, set_u32), T(weight), U32 },
	{ LEAF("IOPriority", TARGET, set_u32), T(priority), .hi = 3 },
	{ LEAF("BaseFileOffset", TARGET, set_u64), T(base), U64 },
	{ LEAF("MaxFileSize", TARGET, set_u64), T(max_size), U64 },
	{ LEAF("FileSize", TARGET, set_u64), T(create_size), U64 },
	{ LEAF("ThreadStride", TARGET, set_u64), T(thread_stride), U64 },
	{ LEAF("StrideSize", TARGET, set_stride), T(stride), U64 },
	{ LEAF("Random", TARGET, set_random), U64 },
	{ LEAF("RandomRatio", TARGET, set_random_ratio), T(random), .lo = 1, .hi = 99 },
	{ NODE("Distribution", TARGET, DIST), .end = end_distribution },
	{ LEAF("WriteRatio", TARGET, set_u32), T(write), .hi = 100 },
	{ LEAF("Throughput", TARGET, set_throughput), T(rate), U32, .attr = { "unit" }, .attr_optional = true },
	{ LEAF("InterlockedSequential", TARGET, set_bool), T(interlocked) },
	{ LEAF("ParallelAsyncIO", TARGET, set_bool), T(parallel) },
	{ LEAF("SequentialScan", TARGET, set_bool), T(hint_sequential) },
	{ LEAF("RandomAccess", TARGET, set_bool), T(hint_random) },
	{ LEAF("TemporaryFile", TARGET, set_bool), T(hint_temporary) },
	{ LEAF("UseLargePages", TARGET, set_bool), T(large_pages) },
	{ LEAF("DisableOSCache", TARGET, set_os_cache) },
	{ LEAF("DisableAllCache", TARGET, set_all_cache) },
	{ LEAF("DisableLocalCache", TARGET, set_local_cache) },
	{ LEAF("WriteThrough", TARGET, set_write_through) },
	{ LEAF("MemoryMappedIo", TARGET, set_bool), T(mapped) },
	{ LEAF("FlushType", TARGET, set_enum), T(flush), .words = flushes },
	{ NODE("WriteBufferContent", TARGET, CONTENT), .end = end_content },
	{ NODE("ThreadTargets", TARGET, THREAD_TARGETS) },
	{ LEAF("BypassIO", TARGET, set_enum), T(bypass), .words = bypasses, .since_23 = true },

	{ LEAF("Pattern", CONTENT, set_enum), T(pattern), .words = patterns, .required = true },
	{ NODE("RandomDataSource", CONTENT, SOURCE) },
	{ LEAF("SizeInBytes", SOURCE, set_u64), T(pool_size), .lo = 1, U64, .required = true },
	{ LEAF("FilePath", SOURCE, set_string), T(pool_file) },

	{ NODE("Percent", DIST, PERCENT), .end = end_percent },
	{ NODE("Absolute", DIST, ABSOLUTE), .end = end_absolute },
	{ LEAF("Range", PERCENT, set_range), .lo = 1, .hi = 100, .attr = { "IO" }, .many = true, .required = true },
	{ LEAF("Range", ABSOLUTE, set_range), U64, .attr = { "IO" }, .many = true, .required = true },

	{ NODE("ThreadTarget", THREAD_TARGETS, THREAD_TARGET), .many = true, .required = true,
	  .begin = begin_thread_target, .end = end_thread_target },
	{ LEAF("Thread", THREAD_TARGET, set_u32), TT(thread), U32, .required = true },
	{ LEAF("Weight", THREAD_TARGET, set_u32), TT(weight), U32 },
};
/* clang-format on */

const unsigned xmlschema_rows = sizeof(xmlschema) / sizeof(xmlschema[0]);
_Static_assert(sizeof(xmlschema) / sizeof(xmlschema[0]) <= XMLSCHEMA_ROWS_MAX, "one line number per row");

void xmlschema_fini(struct reader *r)
{
	free(r->spans.v);
	free(r->targets.v);
	free(r->ranges.v);
	free(r->thread_targets.v);
	free(r->cpus.v);
}
