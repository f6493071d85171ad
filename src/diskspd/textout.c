#include "textout.h"

#include <stdio.h>
#include "check.h"

void ds_textout_size(struct strbuf *out, uint64_t bytes)
{
	static const char *const units[] = { "TiB", "GiB", "MiB", "KiB" };

	for (unsigned i = 0; i < 4; i++) {
		uint64_t unit = 1ull << (40 - 10 * i);

		if (bytes < unit)
			continue;
		if (bytes % unit)
			strbuf_printf(out, "%.2f%s", (double)bytes / (double)unit, units[i]);
		else
			strbuf_printf(out, "%ju%s", (uintmax_t)(bytes / unit), units[i]);
		return;
	}
	strbuf_printf(out, "%ju", (uintmax_t)bytes);
}

static void size_line(struct strbuf *out, const char *what, uint64_t bytes, const char *end)
{
	strbuf_printf(out, "\t\t%s: ", what);
	ds_textout_size(out, bytes);
	strbuf_printf(out, "%s\n", end);
}

static void put_cache(struct strbuf *out, const struct ds_target *t)
{
	static const char *const caches[] = { "using software cache", "software cache disabled",
					      "local software cache disabled, remote cache enabled" };
	static const char *const flushes[] = { "", ", flush mode: FlushViewOfFile",
					       ", flush mode: FlushNonVolatileMemory",
					       ", flush mode: FlushNonVolatileMemory with no drain" };
	const char *through = "using hardware write cache, writethrough off";

	if (t->write_through)
		through = t->cache == DS_CACHED
				  ? "hardware and software write caches disabled, writethrough on"
				  : "hardware write cache disabled, writethrough on";
	strbuf_printf(out, "\t\t%s\n\t\t%s\n", caches[t->cache], through);
	if (t->mapped)
		strbuf_printf(out, "\t\tmemory mapped I/O enabled%s\n", flushes[t->flush]);
}

static void put_content(struct strbuf *out, const struct ds_target *t)
{
	if (t->pattern == DS_ZERO)
		strbuf_puts(out, "\t\tzeroing write buffers\n");
	if (t->pattern != DS_RANDOM)
		return;
	size_line(out, "write buffer size", t->pool_size, "");
	if (t->pool_file)
		strbuf_printf(out, "\t\twrite buffer source: '%s'\n", t->pool_file);
	else
		strbuf_puts(out, "\t\twrite buffer source: random fill\n");
}

static void put_order(struct strbuf *out, const struct ds_target *t)
{
	uint64_t stride = t->stride ? t->stride : t->block;
	char mixed[80];

	if (!t->write)
		strbuf_puts(out, "\t\tperforming read test\n");
	else if (t->write == 100)
		strbuf_puts(out, "\t\tperforming write test\n");
	else
		strbuf_printf(out, "\t\tperforming mix test (read/write ratio: %u/%u)\n", 100 - t->write,
			      t->write);
	size_line(out, "block size", t->block, "");
	snprintf(mixed, sizeof(mixed), "using mixed random/sequential I/O (%u%% random) (alignment/stride",
		 t->random);
	size_line(out,
		  t->random == 100 ? "using random I/O (alignment"
		  : t->random      ? mixed
		  : t->interlocked ? "using interlocked sequential I/O (stride"
				   : "using sequential I/O (stride",
		  stride, ")");
}

static void put_hints(struct strbuf *out, const struct ds_target *t)
{
	if (t->hint_sequential)
		strbuf_puts(out, "\t\tusing FILE_FLAG_SEQUENTIAL_SCAN hint\n");
	if (t->hint_random)
		strbuf_puts(out, "\t\tusing FILE_FLAG_RANDOM_ACCESS hint\n");
	if (t->hint_temporary)
		strbuf_puts(out, "\t\tusing FILE_ATTRIBUTE_TEMPORARY hint\n");
}

static void put_bound(struct strbuf *out, const struct ds_target *t, uint64_t at)
{
	struct strbuf b = { 0 };

	if (t->dist == DS_PERCENT)
		strbuf_printf(out, "%2ju%%", (uintmax_t)at);
	else if (at) {
		ds_textout_size(&b, at);
		strbuf_printf(out, "%9s", strbuf_str(&b));
	} else {
		strbuf_puts(out, "     0   ");
	}
	strbuf_fini(&b);
}

static void put_distribution(struct strbuf *out, const struct ds_target *t)
{
	uint64_t at = 0;

	if (t->dist == DS_UNIFORM)
		return;
	strbuf_puts(out, "\t\tIO Distribution:\n");
	for (size_t i = 0; i < t->ranges; i++) {
		strbuf_printf(out, "\t\t%3u%% of IO => [", t->range[i].io);
		put_bound(out, t, at);
		strbuf_puts(out, " - ");
		at += t->range[i].span;
		if (t->dist == DS_PERCENT)
			strbuf_printf(out, "%3ju%%) of target\n", (uintmax_t)at);
		else if (t->range[i].span) {
			put_bound(out, t, at);
			strbuf_puts(out, ")\n");
		} else {
			strbuf_puts(out, "end)\n");
		}
	}
}

static void put_threads(struct strbuf *out, const struct ds_span *s, const struct ds_target *t)
{
	if (s->threads && s->requests)
		strbuf_printf(out, "\t\trelative IO weight in thread pool: %u\n", t->weight);
	else
		strbuf_printf(out, "\t\tnumber of outstanding I/O operations per thread: %u\n", t->depth);
	if (t->base)
		size_line(out, "base file offset", t->base, "");
	if (t->max_size)
		size_line(out, "max file size", t->max_size, "");
	if (t->thread_stride)
		size_line(out, "thread stride size", t->thread_stride, "");
	put_hints(out, t);
	if (!s->threads)
		strbuf_printf(out, "\t\tthreads per file: %u\n", t->threads);
	if (!s->threads && t->depth > 1)
		strbuf_puts(out, s->completion_routines
					 ? "\t\tusing completion routines (ReadFileEx/WriteFileEx)\n"
					 : "\t\tusing I/O Completion Ports\n");
}

static void put_target(struct strbuf *out, const struct ds_span *s, const struct ds_target *t)
{
	static const char *const priorities[] = { "normal", "very low", "low", "normal" };
	int template = ds_template(t->path);

	if (template > 0)
		strbuf_printf(out, "\tpath: template target '%d'\n", template);
	else
		strbuf_printf(out, "\tpath: '%s'\n", t->path);
	strbuf_printf(out, "\t\tthink time: %ums\n\t\tburst size: %u\n", t->think_ms, t->burst);
	put_cache(out, t);
	put_content(out, t);
	if (t->parallel)
		strbuf_puts(out, "\t\tusing parallel async I/O\n");
	put_order(out, t);
	put_threads(out, s, t);
	strbuf_printf(out, "\t\tIO priority: %s\n", priorities[t->priority]);
	if (t->rate)
		strbuf_printf(out, "\t\tthroughput rate-limited to %ju %s\n", (uintmax_t)t->rate,
			      t->rate_iops ? "IOPS" : "B/ms");
	put_distribution(out, t);
}

static void put_affinity(struct strbuf *out, const struct ds_span *s)
{
	if (!s->cpus)
		return;
	strbuf_puts(out, "\tadvanced affinity round robin (group/core): ");
	for (size_t i = 0; i < s->cpus; i++) {
		strbuf_printf(out, "%s%u/", i ? ", " : "", s->cpu[i].group);
		if (s->cpu[i].cpu == DS_CPU_ALL)
			strbuf_puts(out, "all");
		else
			strbuf_printf(out, "%u", s->cpu[i].cpu);
	}
	strbuf_putc(out, '\n');
}

static void put_span(struct strbuf *out, const struct ds_span *s, size_t number)
{
	strbuf_printf(out, "\ttimespan: %3zu\n\t-------------\n", number);
	strbuf_printf(out, "\tduration: %us\n\twarm up time: %us\n\tcool down time: %us\n", s->duration_s,
		      s->warmup_s, s->cooldown_s);
	if (s->no_affinity)
		strbuf_puts(out, "\taffinity disabled\n");
	if (s->latency)
		strbuf_puts(out, "\tmeasuring latency\n");
	if (s->iops_stats)
		strbuf_printf(out, "\tgathering IOPS at intervals of %ums\n", s->bucket_ms);
	strbuf_printf(out, "\trandom seed: %ju\n", (uintmax_t)s->seed);
	if (s->threads)
		strbuf_printf(out,
			      "\tthread pool with %u threads\n"
			      "\tnumber of outstanding I/O operations per thread: %u\n",
			      s->threads, s->requests);
	put_affinity(out, s);
	if (s->random_data)
		strbuf_puts(out, "\tgenerating random data for each write IO\n"
				 "\t  WARNING: this costs processor time and can lower the rate of writes\n"
				 "\t           and raise the processor usage that is shown below\n");
	for (size_t i = 0; i < s->targets; i++)
		put_target(out, s, &s->target[i]);
}

void ds_textout(const struct ds_profile *p, const char *command, struct strbuf *out)
{
	strbuf_printf(out, "\nCommand Line: %s\n\n", command);
	if (p->experiments)
		strbuf_printf(out, "Experiment Flags: 0x%x (%u)\n\n", p->experiments, p->experiments);
	strbuf_puts(out, "Input parameters:\n\n");
	if (p->verbose)
		strbuf_puts(out, "using verbose mode\n");
	for (size_t i = 0; i < p->spans; i++) {
		put_span(out, &p->span[i], i + 1);
		if (i + 1 < p->spans)
			strbuf_putc(out, '\n');
	}
}
