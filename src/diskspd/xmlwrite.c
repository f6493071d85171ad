#include "profile_xml.h"

#include <string.h>
#include "strbuf.h"
#include "xml.h"
#include "xmlout.h"

static bool is_xml_text(const char *s)
{
	unsigned n;

	for (; *s; s += n) {
		n = xmlout_char(s);
		if (!n)
			return false;
	}
	return true;
}

static void write_events(struct xmlout *w, const struct ds_profile *p)
{
	if (!p->any_event)
		return;
	xmlout_open(w, "ETW");
	for (const struct xml_row *row = xmlschema; row < xmlschema + xmlschema_rows; row++)
		if (row->parent == NODE_ETW)
			xmlout_bool(w, row->name,
				    ((const bool *)p)[row->offset - offsetof(struct xml_reader, p)]);
	xmlout_close(w, "ETW");
}

static void write_affinity(struct xmlout *w, const struct ds_span *s)
{
	if (!s->ncpus)
		return;
	xmlout_open(w, "Affinity");
	for (size_t i = 0; i < s->ncpus; i++) {
		if (s->cpus[i].cpu == DS_CPU_ALL)
			xmlout_line(w, "<Group Group=\"%u\" Mask=\"0x%jx\"/>", s->cpus[i].group,
				    (uintmax_t)UINT64_MAX);
		else
			xmlout_line(w, "<AffinityGroupAssignment Group=\"%u\" Processor=\"%u\"/>",
				    s->cpus[i].group, s->cpus[i].cpu);
	}
	xmlout_close(w, "Affinity");
}

static void write_traversal(struct xmlout *w, const char *letters)
{
	static const char *const efficiency[] = { "PFirst", "FillPFirst", "EFirst", "FillEFirst",
						  "Unordered" };
	static const char order[] = "pPeEu";
	const char *letter = strpbrk(letters, order);

	if (!*letters)
		return;
	xmlout_line(w, "<AffinityTraversal Group=\"%s\"%s%s%s>%s</AffinityTraversal>",
		    strchr(letters, 's') ? "Span" : "Fill", letter ? " Efficiency=\"" : "",
		    letter ? efficiency[strchr(order, *letter) - order] : "", letter ? "\"" : "",
		    strchr(letters, 'c') ? "Core" : "Cpu");
}

/* Writes the elements that only DISKSPD 2.3 has. */
static void write_span_23(struct xmlout *w, const struct ds_span *s)
{
	if (s->io_ring) {
		xmlout_open(w, "IoRing");
		if (s->io_ring_batch)
			xmlout_number(w, "IoRingBatchSize", s->io_ring_batch);
		else
			xmlout_line(w, "<IoRingBatchSize Percent=\"true\">%u</IoRingBatchSize>",
				    s->io_ring_percent);
		xmlout_bool(w, "UseRegBuffer", !s->io_ring_unregistered);
		xmlout_close(w, "IoRing");
	}
	write_traversal(w, s->traversal);
	if (s->default_buffer_separation)
		xmlout_word(w, "BufferSeparation", "SystemDefault");
	if (s->completion_depth_given)
		xmlout_number(w, "CompletionDepth", s->completion_depth);
}

static void write_cache(struct xmlout *w, const struct ds_target *t)
{
	if (t->cache == DS_REMOTE_ONLY)
		xmlout_bool(w, "DisableLocalCache", true);
	if (t->cache == DS_UNBUFFERED)
		xmlout_bool(w, "DisableOSCache", true);
	if (t->write_through)
		xmlout_bool(w, "WriteThrough", true);
	if (t->mapped)
		xmlout_bool(w, "MemoryMappedIo", true);
	if (t->flush)
		xmlout_word(w, "FlushType", xml_flushes[t->flush]);
	if (t->bypass)
		xmlout_word(w, "BypassIO", xml_bypasses[t->bypass]);
}

static void write_content(struct xmlout *w, const struct ds_target *t)
{
	xmlout_open(w, "WriteBufferContent");
	xmlout_word(w, "Pattern", xml_patterns[t->pattern]);
	if (t->pattern == DS_RANDOM) {
		xmlout_open(w, "RandomDataSource");
		xmlout_number(w, "SizeInBytes", t->pool_size);
		if (t->pool_file)
			xmlout_text(w, "FilePath", t->pool_file);
		xmlout_close(w, "RandomDataSource");
	}
	xmlout_close(w, "WriteBufferContent");
}

static void write_order(struct xmlout *w, const struct ds_target *t)
{
	uint64_t stride = t->stride ? t->stride : t->block;

	if (!t->random_percent) {
		xmlout_number(w, "StrideSize", stride);
		xmlout_bool(w, "InterlockedSequential", t->interlocked);
		return;
	}
	xmlout_number(w, "Random", stride);
	if (t->random_percent < 100)
		xmlout_number(w, "RandomRatio", t->random_percent);
}

static void write_distribution(struct xmlout *w, const struct ds_target *t)
{
	const char *kind = t->dist == DS_PERCENT ? "Percent" : "Absolute";

	if (t->dist == DS_UNIFORM)
		return;
	xmlout_open(w, "Distribution");
	xmlout_open(w, kind);
	for (size_t i = 0; i < t->nranges; i++)
		xmlout_line(w, "<Range IO=\"%u\">%ju</Range>", t->ranges[i].io_percent,
			    (uintmax_t)t->ranges[i].length);
	xmlout_close(w, kind);
	xmlout_close(w, "Distribution");
}

static void write_thread_targets(struct xmlout *w, const struct ds_target *t)
{
	if (!t->nthread_targets)
		return;
	xmlout_open(w, "ThreadTargets");
	for (size_t i = 0; i < t->nthread_targets; i++) {
		xmlout_open(w, "ThreadTarget");
		xmlout_number(w, "Thread", t->thread_targets[i].thread);
		if (t->thread_targets[i].weight)
			xmlout_number(w, "Weight", t->thread_targets[i].weight);
		xmlout_close(w, "ThreadTarget");
	}
	xmlout_close(w, "ThreadTargets");
}

static void write_load(struct xmlout *w, const struct ds_target *t)
{
	xmlout_number(w, "ThreadStride", t->thread_stride);
	xmlout_number(w, "MaxFileSize", t->max_size);
	xmlout_number(w, "RequestCount", t->depth);
	xmlout_number(w, "WriteRatio", t->write_percent);
	if (t->rate_iops)
		xmlout_line(w, "<Throughput unit=\"IOPS\">%ju</Throughput>", (uintmax_t)t->rate);
	else
		xmlout_number(w, "Throughput", t->rate);
	xmlout_number(w, "ThreadsPerFile", t->threads);
	xmlout_number(w, "IOPriority", t->priority);
	xmlout_number(w, "Weight", t->weight);
}

static void write_target(struct xmlout *w, const struct ds_target *t)
{
	xmlout_open(w, "Target");
	xmlout_text(w, "Path", t->path);
	xmlout_number(w, "BlockSize", t->block);
	xmlout_number(w, "BaseFileOffset", t->base);
	xmlout_bool(w, "SequentialScan", t->hint_sequential);
	xmlout_bool(w, "RandomAccess", t->hint_random);
	xmlout_bool(w, "TemporaryFile", t->hint_temporary);
	xmlout_bool(w, "UseLargePages", t->large_pages);
	write_cache(w, t);
	write_content(w, t);
	xmlout_bool(w, "ParallelAsyncIO", t->parallel);
	if (t->burst_given)
		xmlout_number(w, "BurstSize", t->burst_ios);
	if (t->think_given)
		xmlout_number(w, "ThinkTime", t->think_ms);
	if (t->create_size)
		xmlout_number(w, "FileSize", t->create_size);
	write_order(w, t);
	write_distribution(w, t);
	write_load(w, t);
	write_thread_targets(w, t);
	xmlout_close(w, "Target");
}

static void write_span(struct xmlout *w, const struct ds_span *s)
{
	xmlout_open(w, "TimeSpan");
	xmlout_bool(w, "CompletionRoutines", s->completion_routines);
	xmlout_bool(w, "MeasureLatency", s->latency);
	xmlout_bool(w, "CalculateIopsStdDev", s->iops_stats);
	xmlout_bool(w, "DisableAffinity", s->no_affinity);
	xmlout_number(w, "Duration", s->duration_s);
	xmlout_number(w, "Warmup", s->warmup_s);
	xmlout_number(w, "Cooldown", s->cooldown_s);
	xmlout_number(w, "ThreadCount", s->threads);
	xmlout_number(w, "RequestCount", s->requests);
	xmlout_number(w, "IoBucketDuration", s->bucket_ms);
	xmlout_number(w, "RandSeed", s->seed);
	write_affinity(w, s);
	write_span_23(w, s);
	xmlout_open(w, "Targets");
	for (size_t i = 0; i < s->ntargets; i++)
		write_target(w, &s->targets[i]);
	xmlout_close(w, "Targets");
	xmlout_close(w, "TimeSpan");
}

void ds_xmlwrite(const struct ds_profile *p, unsigned indent, struct strbuf *out)
{
	struct xmlout w = { .out = out, .indent = indent };

	xmlout_open(&w, "Profile");
	xmlout_number(&w, "Progress", p->progress_ios);
	if (p->experiment_flags)
		xmlout_number(&w, "ExperimentFlags", p->experiment_flags);
	xmlout_word(&w, "ResultFormat", p->format == DS_XML ? "xml" : "text");
	xmlout_bool(&w, "Verbose", p->verbose);
	if (p->verbose_stats)
		xmlout_bool(&w, "VerboseStats", true);
	if (p->precreate)
		xmlout_word(&w, "PrecreateFiles", xml_precreates[p->precreate]);
	write_events(&w, p);
	xmlout_open(&w, "TimeSpans");
	for (size_t i = 0; i < p->nspans; i++)
		write_span(&w, &p->spans[i]);
	xmlout_close(&w, "TimeSpans");
	xmlout_close(&w, "Profile");
}

static void target_losses(const struct ds_target *t, struct notes *lost)
{
	if (!is_xml_text(t->path))
		notes_add(lost, "a path has bytes that XML cannot hold (each is replaced by U+FFFD)");
	if (t->pool_file && !is_xml_text(t->pool_file))
		notes_add(lost, "-Z: the path has bytes that XML cannot hold (each is replaced by U+FFFD)");
}

void ds_xmlwrite_losses(const struct ds_profile *p, struct notes *lost)
{
	for (size_t i = 0; i < p->nspans; i++) {
		const struct ds_span *s = &p->spans[i];

		if (s->random_data)
			notes_add(lost, "-Zr: DISKSPD does not write it to profiles");
		if (s->seed_clock)
			notes_add(lost, "-z without a seed: a profile has a fixed seed, here %ju",
				  (uintmax_t)s->seed);
		for (size_t k = 0; k < s->ntargets; k++)
			target_losses(&s->targets[k], lost);
	}
}

void ds_xmlwrite_comments(const struct notes *lost, struct strbuf *out)
{
	struct xmlout w = { .out = out };
	struct strbuf b = { 0 };

	for (size_t i = 0; i < lost->count; i++) {
		strbuf_clear(&b);
		strbuf_printf(&b, "not translated: %s", lost->line[i]);
		xmlout_comment(&w, strbuf_str(&b));
	}
	strbuf_fini(&b);
}
