#include "profile_text.h"

#include <stdio.h>
#include <string.h>
#include "profile.h"
#include "strbuf.h"

struct units_text ds_profile_text_size(uint64_t bytes)
{
	static const char *const units[] = { "", "KiB", "MiB", "GiB", "TiB" };
	struct units_text t;
	unsigned i = 0;

	while (i < 4 && bytes >> (10 * i + 10))
		i++;
	snprintf(t.text, sizeof(t.text), "%.*f%s", bytes & ((1ull << 10 * i) - 1) ? 2 : 0,
		 (double)bytes / (double)(1ull << 10 * i), units[i]);
	return t;
}

/* Levels of indentation. */
enum { HEAD, SPAN, TARGET };

struct pen {
	struct strbuf *out;
	const struct ds_layout_form *form;
	bool layout_23;
};

static void put(struct pen *w, unsigned level, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void put(struct pen *w, unsigned level, const char *fmt, ...)
{
	static const char *const indents[][3] = { { "\t", "\t", "\t\t" }, { "  ", "    ", "      " } };
	va_list ap;

	strbuf_puts(w->out, indents[w->layout_23][level]);
	va_start(ap, fmt);
	strbuf_vprintf(w->out, fmt, ap);
	va_end(ap);
}

static void size_line(struct pen *w, const char *what, uint64_t bytes, const char *end)
{
	if (w->form->plain_sizes)
		put(w, TARGET, "%s: %ju%s\n", what, (uintmax_t)bytes, end);
	else
		put(w, TARGET, "%s: %s%s\n", what, ds_profile_text_size(bytes).text, end);
}

/* Returns the single cache line that DISKSPD printed before 2.0.17. */
static const char *cache_line(const struct ds_target *t)
{
	if (t->cache == DS_REMOTE_ONLY)
		return "local software cache disabled, remote cache enabled";
	if (t->cache == DS_UNBUFFERED)
		return t->write_through ? "software and hardware write cache disabled"
					: "software write cache disabled";
	return t->write_through ? "hardware write cache disabled" : "using software and hardware write cache";
}

static void put_caches(struct pen *w, const struct ds_target *t)
{
	static const char *const caches[] = { "using software cache", "software cache disabled",
					      "local software cache disabled, remote cache enabled" };
	const char *through = "using hardware write cache, writethrough off";

	if (t->write_through)
		through = t->cache == DS_CACHED
				  ? "hardware and software write caches disabled, writethrough on"
				  : "hardware write cache disabled, writethrough on";
	put(w, TARGET, "%s\n", caches[t->cache]);
	put(w, TARGET, "%s\n", through);
}

static void put_cache(struct pen *w, const struct ds_target *t)
{
	static const char *const flushes[] = { "", ", flush mode: FlushViewOfFile",
					       ", flush mode: FlushNonVolatileMemory",
					       ", flush mode: FlushNonVolatileMemory with no drain" };

	if (w->form->one_cache_line)
		put(w, TARGET, "%s\n", cache_line(t));
	else
		put_caches(w, t);
	if (t->mapped)
		put(w, TARGET, "memory mapped I/O enabled%s\n", flushes[t->flush]);
}

static void put_content(struct pen *w, const struct ds_target *t)
{
	if (t->pattern == DS_ZERO)
		put(w, TARGET, "zeroing write buffers\n");
	if (t->pattern != DS_RANDOM)
		return;
	size_line(w, "write buffer size", t->pool_size, "");
	if (t->pool_file)
		put(w, TARGET, "write buffer source: '%s'\n", t->pool_file);
	else if (!w->form->plain_sizes)
		put(w, TARGET, "write buffer source: random fill\n");
}

static void put_order(struct pen *w, const struct ds_target *t)
{
	uint64_t stride = t->stride ? t->stride : t->block;
	char mixed[80];

	if (!t->write_percent)
		put(w, TARGET, "performing read test\n");
	else if (t->write_percent == 100)
		put(w, TARGET, "performing write test\n");
	else
		put(w, TARGET, "performing mix test (read/write ratio: %u/%u)\n", 100 - t->write_percent,
		    t->write_percent);
	size_line(w, "block size", t->block, "");
	snprintf(mixed, sizeof(mixed), "using mixed random/sequential I/O (%u%% random) (alignment/stride",
		 t->random_percent);
	size_line(w,
		  t->random_percent == 100 ? "using random I/O (alignment"
		  : t->random_percent      ? mixed
		  : t->interlocked         ? "using interlocked sequential I/O (stride"
					   : "using sequential I/O (stride",
		  stride, ")");
}

static void put_hints(struct pen *w, const struct ds_target *t)
{
	if (t->hint_sequential)
		put(w, TARGET, "using FILE_FLAG_SEQUENTIAL_SCAN hint\n");
	if (t->hint_random)
		put(w, TARGET, "using FILE_FLAG_RANDOM_ACCESS hint\n");
	if (t->hint_temporary)
		put(w, TARGET, "using FILE_ATTRIBUTE_TEMPORARY hint\n");
}

static void put_bound(struct pen *w, const struct ds_target *t, uint64_t at)
{
	if (t->dist == DS_PERCENT)
		strbuf_printf(w->out, "%2ju%%", (uintmax_t)at);
	else
		strbuf_printf(w->out, "%9s", at ? ds_profile_text_size(at).text : "0   ");
}

static void put_distribution_text(struct pen *w, const struct ds_target *t)
{
	uint64_t at = 0;

	if (t->dist == DS_UNIFORM)
		return;
	put(w, TARGET, "IO Distribution:\n");
	for (size_t i = 0; i < t->nranges; i++) {
		put(w, TARGET, "   %3u%% of IO => [", t->ranges[i].io_percent);
		put_bound(w, t, at);
		strbuf_puts(w->out, " - ");
		at += t->ranges[i].length;
		if (t->dist == DS_PERCENT)
			strbuf_printf(w->out, "%3ju%%) of target\n", (uintmax_t)at);
		else if (t->ranges[i].length) {
			put_bound(w, t, at);
			strbuf_puts(w->out, ")\n");
		} else {
			strbuf_puts(w->out, "      end)\n");
		}
	}
}

static void put_threads(struct pen *w, const struct ds_span *s, const struct ds_target *t)
{
	if (s->threads && s->requests && !w->form->plain_sizes)
		put(w, TARGET, "relative IO weight in thread pool: %u\n", t->weight);
	else if (!s->threads || !s->requests)
		put(w, TARGET, "number of outstanding I/O operations%s: %u\n",
		    w->form->plain_sizes ? "" : " per thread", t->depth);
	if (t->base)
		size_line(w, "base file offset", t->base, "");
	if (t->max_size)
		size_line(w, "max file size", t->max_size, "");
	if (t->thread_stride || w->form->plain_sizes)
		size_line(w, "thread stride size", t->thread_stride, "");
	put_hints(w, t);
	if (!s->threads)
		put(w, TARGET, "threads per file: %u\n", t->threads);
	if (!s->threads && t->depth > 1)
		put(w, TARGET, "%s\n",
		    s->completion_routines ? "using completion routines (ReadFileEx/WriteFileEx)"
					   : "using I/O Completion Ports");
}

static void put_target_text(struct pen *w, const struct ds_span *s, const struct ds_target *t)
{
	static const char *const priorities[] = { "normal", "very low", "low", "normal" };
	int template = ds_template_number(t->path);

	if (template > 0)
		put(w, SPAN, "path: template target '%d'\n", template);
	else
		put(w, SPAN, "path: '%s'\n", t->path);
	put(w, TARGET, "think time: %ums\n", t->think_ms);
	put(w, TARGET, "burst size: %u\n", t->burst_ios);
	put_cache(w, t);
	put_content(w, t);
	if (t->parallel)
		put(w, TARGET, "using parallel async I/O\n");
	put_order(w, t);
	put_threads(w, s, t);
	put(w, TARGET, "IO priority: %s\n", priorities[t->priority]);
	if (t->rate)
		put(w, TARGET, "throughput rate-limited to %ju %s\n", (uintmax_t)t->rate,
		    t->rate_iops ? "IOPS" : "B/ms");
	put_distribution_text(w, t);
}

static void put_affinity(struct pen *w, const struct ds_span *s)
{
	if (!s->ncpus)
		return;
	put(w, SPAN, "advanced affinity round robin (group/core): ");
	for (size_t i = 0; i < s->ncpus; i++) {
		strbuf_printf(w->out, "%s%u/", i ? ", " : "", s->cpus[i].group);
		if (s->cpus[i].cpu == DS_CPU_ALL)
			strbuf_puts(w->out, "all");
		else
			strbuf_printf(w->out, "%u", s->cpus[i].cpu);
	}
	strbuf_putc(w->out, '\n');
}

/* Adds the order in which threads take processors, from the letters of -a. */
static void put_traversal(struct pen *w, const char *letters)
{
	const char *efficiency = "P-cores first";

	if (strchr(letters, 'P'))
		efficiency = "fill P-cores first";
	else if (strchr(letters, 'e'))
		efficiency = "E-cores first";
	else if (strchr(letters, 'E'))
		efficiency = "fill E-cores first";
	else if (strchr(letters, 'u'))
		efficiency = "unordered";
	put(w, SPAN, "affinity assignment: %s order, %s groups, %s\n", strchr(letters, 'c') ? "core" : "cpu",
	    strchr(letters, 's') ? "span" : "fill", efficiency);
}

/* Adds the lines that only DISKSPD 2.3 has. */
static void put_span_23(struct pen *w, const struct ds_span *s)
{
	const char *buffers = s->io_ring_unregistered ? "without" : "with";

	if (s->io_ring && s->io_ring_batch)
		put(w, SPAN, "using IoRing (batch size: %u) %s registered buffers\n", s->io_ring_batch,
		    buffers);
	else if (s->io_ring)
		put(w, SPAN, "using IoRing (batch size: %u%%) %s registered buffers\n", s->io_ring_percent,
		    buffers);
	put_traversal(w, s->traversal);
	put(w, SPAN, "buffer separation: %s\n",
	    s->default_buffer_separation ? "system default" : "thread optimized (16MiB)");
	if (s->completion_depth_given)
		put(w, SPAN, "completion depth: %u\n", s->completion_depth);
}

static void put_span(struct pen *w, const struct ds_span *s, size_t number)
{
	put(w, HEAD, "timespan: %3zu\n", number);
	put(w, HEAD, "-------------\n");
	put(w, SPAN, "duration: %us\n", s->duration_s);
	put(w, SPAN, "warm up time: %us\n", s->warmup_s);
	put(w, SPAN, "cool down time: %us\n", s->cooldown_s);
	if (s->no_affinity)
		put(w, SPAN, "affinity disabled\n");
	if (s->latency)
		put(w, SPAN, "measuring latency\n");
	if (s->iops_stats)
		put(w, SPAN, "gathering IOPS at intervals of %ums\n", s->bucket_ms);
	put(w, SPAN, "random seed: %ju\n", (uintmax_t)s->seed);
	if (w->layout_23)
		put_span_23(w, s);
	if (s->threads && !w->form->plain_sizes) {
		put(w, SPAN, "thread pool with %u threads\n", s->threads);
		put(w, SPAN, "number of outstanding I/O operations per thread: %u\n", s->requests);
	}
	put_affinity(w, s);
	if (s->random_data) {
		put(w, SPAN, "generating random data for each write IO\n");
		put(w, SPAN, "  WARNING: this increases the CPU cost of issuing writes and should only\n");
		put(w, SPAN, "           be compared to other results using the -Zr flag\n");
	}
	for (size_t i = 0; i < s->ntargets; i++)
		put_target_text(w, s, &s->targets[i]);
}

void ds_profile_text(const struct ds_profile *p, const char *command, enum ds_layout layout,
		     struct strbuf *out)
{
	struct pen w = { out, ds_layout_form(layout), layout == DS_LAYOUT_23 };

	strbuf_printf(out, "\nCommand Line: %s\n\n", command);
	if (p->experiment_flags)
		strbuf_printf(out, "Experiment Flags: 0x%x (%u)\n\n", p->experiment_flags,
			      p->experiment_flags);
	strbuf_puts(out, "Input parameters:\n\n");
	if (p->verbose)
		put(&w, HEAD, "using verbose mode\n");
	for (size_t i = 0; i < p->nspans; i++) {
		put_span(&w, &p->spans[i], i + 1);
		strbuf_putc(out, '\n');
	}
}
