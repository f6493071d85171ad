#include "xmlwrite.h"

#include <string.h>

struct writer {
	struct strbuf *out;
	unsigned indent;
};

static void line_begin(struct writer *w)
{
	for (unsigned i = 0; i < w->indent; i++)
		strbuf_putc(w->out, ' ');
}

static void line(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void line(struct writer *w, const char *fmt, ...)
{
	va_list ap;

	line_begin(w);
	va_start(ap, fmt);
	strbuf_vprintf(w->out, fmt, ap);
	va_end(ap);
	strbuf_putc(w->out, '\n');
}

static void open_node(struct writer *w, const char *name)
{
	line(w, "<%s>", name);
	w->indent += 2;
}

static void close_node(struct writer *w, const char *name)
{
	w->indent -= 2;
	line(w, "</%s>", name);
}

static void number(struct writer *w, const char *name, uint64_t v)
{
	line(w, "<%s>%ju</%s>", name, (uintmax_t)v, name);
}

static void boolean(struct writer *w, const char *name, bool v)
{
	line(w, "<%s>%s</%s>", name, v ? "true" : "false", name);
}

static void word(struct writer *w, const char *name, const char *v)
{
	line(w, "<%s>%s</%s>", name, v, name);
}

/* The bytes of the well-formed UTF-8 character at s that XML may hold; 0 if there is none. */
static unsigned xml_char(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned n = s[0] < 0x80   ? 1
		     : s[0] < 0xc2 ? 0
		     : s[0] < 0xe0 ? 2
		     : s[0] < 0xf0 ? 3
		     : s[0] < 0xf5 ? 4
				   : 0;

	for (unsigned i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if (n == 1)
		return s[0] >= 0x20 || s[0] == '\t' || s[0] == '\n' || s[0] == '\r';
	if (n == 3) {
		unsigned c = (s[0] & 0xfu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);

		return c < 0x800 || (c >= 0xd800 && c < 0xe000) || c >= 0xfffe ? 0 : 3;
	}
	if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)))
		return 0;
	return n;
}

static bool is_xml_text(const char *s)
{
	unsigned n;

	for (; *s; s += n) {
		n = xml_char(s);
		if (!n)
			return false;
	}
	return true;
}

static void escaped(struct strbuf *out, const char *s)
{
	while (*s) {
		unsigned n = xml_char(s);

		if (!n)
			strbuf_puts(out, "\xef\xbf\xbd");
		else if (*s == '&')
			strbuf_puts(out, "&amp;");
		else if (*s == '<')
			strbuf_puts(out, "&lt;");
		else if (*s == '>')
			strbuf_puts(out, "&gt;");
		else if (n == 1 && *s < 0x20)
			strbuf_printf(out, "&#%d;", *s);
		else
			strbuf_add(out, s, n);
		s += n ? n : 1;
	}
}

static void text(struct writer *w, const char *name, const char *v)
{
	line_begin(w);
	strbuf_printf(w->out, "<%s>", name);
	escaped(w->out, v);
	strbuf_printf(w->out, "</%s>\n", name);
}

static void write_events(struct writer *w, const struct ds_profile *p)
{
	static const char *const names[DS_EVENTS] = {
		[DS_EV_PROCESS] = "Process",
		[DS_EV_THREAD] = "Thread",
		[DS_EV_IMAGE_LOAD] = "ImageLoad",
		[DS_EV_DISK_IO] = "DiskIO",
		[DS_EV_SOFT_FAULTS] = "MemoryPageFaults",
		[DS_EV_HARD_FAULTS] = "MemoryHardFaults",
		[DS_EV_NETWORK] = "Network",
		[DS_EV_REGISTRY] = "Registry",
		[DS_EV_PAGED] = "UsePagedMemory",
		[DS_EV_PERF_TIMER] = "UsePerfTimer",
		[DS_EV_SYSTEM_TIMER] = "UseSystemTimer",
		[DS_EV_CYCLES] = "UseCyclesCounter",
	};

	if (!p->events)
		return;
	open_node(w, "ETW");
	for (unsigned i = 0; i < DS_EVENTS; i++)
		boolean(w, names[i], p->event[i]);
	close_node(w, "ETW");
}

static void write_affinity(struct writer *w, const struct ds_span *s)
{
	if (!s->cpus)
		return;
	open_node(w, "Affinity");
	for (size_t i = 0; i < s->cpus; i++) {
		if (s->cpu[i].cpu == DS_CPU_ALL)
			line(w, "<Group Group=\"%u\" Mask=\"0x%jx\"/>", s->cpu[i].group,
			     (uintmax_t)UINT64_MAX);
		else
			line(w, "<AffinityGroupAssignment Group=\"%u\" Processor=\"%u\"/>", s->cpu[i].group,
			     s->cpu[i].cpu);
	}
	close_node(w, "Affinity");
}

static void write_traversal(struct writer *w, const char *letters)
{
	static const char *const efficiency[] = { "PFirst", "FillPFirst", "EFirst", "FillEFirst",
						  "Unordered" };
	static const char order[] = "pPeEu";
	const char *letter = strpbrk(letters, order);

	if (!*letters)
		return;
	line_begin(w);
	strbuf_printf(w->out, "<AffinityTraversal Group=\"%s\"", strchr(letters, 's') ? "Span" : "Fill");
	if (letter)
		strbuf_printf(w->out, " Efficiency=\"%s\"", efficiency[strchr(order, *letter) - order]);
	strbuf_printf(w->out, ">%s</AffinityTraversal>\n", strchr(letters, 'c') ? "Core" : "Cpu");
}

/* What only 2.3 has. */
static void write_span_23(struct writer *w, const struct ds_span *s)
{
	if (s->io_ring) {
		open_node(w, "IoRing");
		if (s->io_ring_batch)
			number(w, "IoRingBatchSize", s->io_ring_batch);
		else
			line(w, "<IoRingBatchSize Percent=\"true\">%u</IoRingBatchSize>", s->io_ring_percent);
		boolean(w, "UseRegBuffer", !s->io_ring_unregistered);
		close_node(w, "IoRing");
	}
	write_traversal(w, s->traversal);
	if (s->separation_default)
		word(w, "BufferSeparation", "SystemDefault");
	if (s->completion_depth_given)
		number(w, "CompletionDepth", s->completion_depth);
}

static void write_cache(struct writer *w, const struct ds_target *t)
{
	static const char *const flushes[] = { NULL, "ViewOfFile", "NonVolatileMemory",
					       "NonVolatileMemoryNoDrain" };
	static const char *const bypasses[] = { NULL, "Partial", "Full" };

	if (t->cache == DS_REMOTE_ONLY)
		boolean(w, "DisableLocalCache", true);
	else
		boolean(w, "DisableOSCache", t->cache == DS_UNBUFFERED);
	boolean(w, "WriteThrough", t->write_through);
	if (t->mapped)
		boolean(w, "MemoryMappedIo", true);
	if (t->flush)
		word(w, "FlushType", flushes[t->flush]);
	if (t->bypass)
		word(w, "BypassIO", bypasses[t->bypass]);
}

static void write_content(struct writer *w, const struct ds_target *t)
{
	static const char *const patterns[] = { "sequential", "zero", "random" };

	open_node(w, "WriteBufferContent");
	word(w, "Pattern", patterns[t->pattern]);
	if (t->pattern == DS_RANDOM) {
		open_node(w, "RandomDataSource");
		number(w, "SizeInBytes", t->pool_size);
		if (t->pool_file)
			text(w, "FilePath", t->pool_file);
		close_node(w, "RandomDataSource");
	}
	close_node(w, "WriteBufferContent");
}

static void write_order(struct writer *w, const struct ds_target *t)
{
	uint64_t stride = t->stride ? t->stride : t->block;

	if (!t->random) {
		number(w, "StrideSize", stride);
		boolean(w, "InterlockedSequential", t->interlocked);
		return;
	}
	number(w, "Random", stride);
	if (t->random < 100)
		number(w, "RandomRatio", t->random);
}

static void write_distribution(struct writer *w, const struct ds_target *t)
{
	const char *kind = t->dist == DS_PERCENT ? "Percent" : "Absolute";

	if (t->dist == DS_UNIFORM)
		return;
	open_node(w, "Distribution");
	open_node(w, kind);
	for (size_t i = 0; i < t->ranges; i++)
		line(w, "<Range IO=\"%u\">%ju</Range>", t->range[i].io, (uintmax_t)t->range[i].span);
	close_node(w, kind);
	close_node(w, "Distribution");
}

static void write_thread_targets(struct writer *w, const struct ds_target *t)
{
	if (!t->thread_targets)
		return;
	open_node(w, "ThreadTargets");
	for (size_t i = 0; i < t->thread_targets; i++) {
		open_node(w, "ThreadTarget");
		number(w, "Thread", t->thread_target[i].thread);
		if (t->thread_target[i].weight)
			number(w, "Weight", t->thread_target[i].weight);
		close_node(w, "ThreadTarget");
	}
	close_node(w, "ThreadTargets");
}

static void write_load(struct writer *w, const struct ds_target *t)
{
	number(w, "ThreadStride", t->thread_stride);
	number(w, "MaxFileSize", t->max_size);
	number(w, "RequestCount", t->depth);
	number(w, "WriteRatio", t->write);
	if (t->rate_iops)
		line(w, "<Throughput unit=\"IOPS\">%ju</Throughput>", (uintmax_t)t->rate);
	else
		number(w, "Throughput", t->rate);
	number(w, "ThreadsPerFile", t->threads);
	if (t->priority)
		number(w, "IOPriority", t->priority);
	number(w, "Weight", t->weight);
}

static void write_target(struct writer *w, const struct ds_target *t)
{
	open_node(w, "Target");
	text(w, "Path", t->path);
	number(w, "BlockSize", t->block);
	number(w, "BaseFileOffset", t->base);
	boolean(w, "SequentialScan", t->hint_sequential);
	boolean(w, "RandomAccess", t->hint_random);
	boolean(w, "TemporaryFile", t->hint_temporary);
	boolean(w, "UseLargePages", t->large_pages);
	write_cache(w, t);
	write_content(w, t);
	boolean(w, "ParallelAsyncIO", t->parallel);
	if (t->burst_given)
		number(w, "BurstSize", t->burst);
	if (t->think_given)
		number(w, "ThinkTime", t->think_ms);
	if (t->create_size)
		number(w, "FileSize", t->create_size);
	write_order(w, t);
	write_distribution(w, t);
	write_load(w, t);
	write_thread_targets(w, t);
	close_node(w, "Target");
}

static void write_span(struct writer *w, const struct ds_span *s)
{
	open_node(w, "TimeSpan");
	boolean(w, "CompletionRoutines", s->completion_routines);
	boolean(w, "MeasureLatency", s->latency);
	boolean(w, "CalculateIopsStdDev", s->iops_stats);
	boolean(w, "DisableAffinity", s->no_affinity);
	number(w, "Duration", s->duration_s);
	number(w, "Warmup", s->warmup_s);
	number(w, "Cooldown", s->cooldown_s);
	number(w, "ThreadCount", s->threads);
	number(w, "RequestCount", s->requests);
	number(w, "IoBucketDuration", s->bucket_ms);
	number(w, "RandSeed", s->seed);
	write_affinity(w, s);
	write_span_23(w, s);
	open_node(w, "Targets");
	for (size_t i = 0; i < s->targets; i++)
		write_target(w, &s->target[i]);
	close_node(w, "Targets");
	close_node(w, "TimeSpan");
}

void ds_xmlwrite(const struct ds_profile *p, unsigned indent, struct strbuf *out)
{
	static const char *const precreates[] = { NULL, "UseMaxSize", "CreateOnlyFilesWithConstantSizes",
						  "CreateOnlyFilesWithConstantOrZeroSizes" };
	struct writer w = { .out = out, .indent = indent };

	open_node(&w, "Profile");
	number(&w, "Progress", p->progress);
	if (p->experiments)
		number(&w, "ExperimentFlags", p->experiments);
	word(&w, "ResultFormat", p->format == DS_XML ? "xml" : "text");
	boolean(&w, "Verbose", p->verbose);
	if (p->verbose_stats)
		boolean(&w, "VerboseStats", true);
	if (p->precreate)
		word(&w, "PrecreateFiles", precreates[p->precreate]);
	write_events(&w, p);
	open_node(&w, "TimeSpans");
	for (size_t i = 0; i < p->spans; i++)
		write_span(&w, &p->span[i]);
	close_node(&w, "TimeSpans");
	close_node(&w, "Profile");
}

static void target_losses(const struct ds_target *t, struct notes *lost)
{
	if (!is_xml_text(t->path))
		notes_add(lost, "a path with bytes that XML cannot hold (each is U+FFFD here)");
	if (t->pool_file && !is_xml_text(t->pool_file))
		notes_add(lost, "-Z: a path with bytes that XML cannot hold (each is U+FFFD here)");
}

void ds_xmlwrite_losses(const struct ds_profile *p, struct notes *lost)
{
	for (size_t i = 0; i < p->spans; i++) {
		const struct ds_span *s = &p->span[i];

		if (s->random_data)
			notes_add(lost, "-Zr: DISKSPD does not write it into profiles");
		if (s->seed_clock)
			notes_add(lost, "-z without a seed: a profile has a fixed seed, %ju here",
				  (uintmax_t)s->seed);
		for (size_t k = 0; k < s->targets; k++)
			target_losses(&s->target[k], lost);
	}
}

/* Two dashes in a row would end a comment. */
static void comment(struct strbuf *out, const char *s)
{
	while (*s) {
		unsigned n = xml_char(s);

		if (!n || (n == 1 && (unsigned char)*s < 0x20))
			strbuf_putc(out, '?');
		else if (s[0] == '-' && s[1] == '-')
			strbuf_puts(out, "- ");
		else
			strbuf_add(out, s, n);
		s += n ? n : 1;
	}
}

void ds_xmlwrite_comments(const struct notes *lost, struct strbuf *out)
{
	for (size_t i = 0; i < lost->count; i++) {
		strbuf_puts(out, "<!-- not carried: ");
		comment(out, lost->line[i]);
		strbuf_puts(out, " -->\n");
	}
}
