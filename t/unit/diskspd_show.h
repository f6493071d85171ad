/* diskspd_show.h: prints a parsed DISKSPD line as one readable line, for the tables in t/diskspd:
   "block 4K, 32 deep, 2 threads, 0% writes, random/4K, 5+120+0s, cached, more ... : targets". */
#ifndef DISKSPD_SHOW_H
#define DISKSPD_SHOW_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "line.h"
#include "strbuf.h"

static inline void show_size(struct strbuf *b, uint64_t v)
{
	static const char letters[] = "KMGT";
	char letter = '\0';

	for (const char *l = letters; *l && v && !(v % 1024); l++) {
		v /= 1024;
		letter = *l;
	}
	strbuf_printf(b, "%" PRIu64, v);
	if (letter)
		strbuf_putc(b, letter);
}

static inline void show_named(struct strbuf *b, const char *before, uint64_t v, const char *after)
{
	if (!v)
		return;
	strbuf_puts(b, before);
	show_size(b, v);
	strbuf_puts(b, after);
}

static inline void show_order(struct strbuf *b, const struct ds_target *t)
{
	if (t->random_percent && t->random_percent < 100)
		strbuf_printf(b, ", random %u%%/", t->random_percent);
	else
		strbuf_puts(b, t->random_percent ? ", random/" : ", sequential/");
	show_size(b, t->stride ? t->stride : t->block);
	if (t->interlocked)
		strbuf_puts(b, " shared");
	if (t->parallel)
		strbuf_puts(b, " each");
	show_named(b, " starts ", t->thread_stride, " apart");
	for (size_t i = 0; i < t->nranges; i++) {
		strbuf_printf(b, "%s%u/",
			      i                       ? ":"
			      : t->dist == DS_PERCENT ? " pct"
						      : " abs",
			      t->ranges[i].io_percent);
		show_size(b, t->ranges[i].length);
	}
}

static inline void show_caching(struct strbuf *b, const struct ds_target *t)
{
	static const char *const caches[] = { ", cached", ", unbuffered", ", remote cache only" };
	static const char *const flushes[] = { "", " flush view", " flush nvm", " flush nvm no drain" };

	strbuf_puts(b, t->mapped ? ", mapped" : caches[t->cache]);
	if (t->mapped && t->cache != DS_CACHED)
		strbuf_puts(b, caches[t->cache]);
	strbuf_puts(b, flushes[t->flush]);
	if (t->write_through)
		strbuf_puts(b, "+through");
	if (t->bypass != DS_BYPASS_NONE)
		strbuf_puts(b, t->bypass == DS_BYPASS_FULL ? " bypass required" : " bypass");
}

static inline void show_data(struct strbuf *b, const struct ds_span *s, const struct ds_target *t)
{
	if (t->pattern == DS_ZERO)
		strbuf_puts(b, ", zeros");
	show_named(b, ", pool ", t->pool_size, "");
	if (t->pool_file)
		strbuf_printf(b, " of %s", t->pool_file);
	if (s->random_data)
		strbuf_puts(b, ", fresh data");
}

static inline void show_target(struct strbuf *b, const struct ds_span *s, const struct ds_target *t)
{
	strbuf_puts(b, "block ");
	show_size(b, t->block);
	if (s->threads)
		strbuf_printf(b, ", %u deep, %u threads in all", t->depth, s->threads);
	else
		strbuf_printf(b, ", %u deep, %u thread%s", t->depth, t->threads, t->threads == 1 ? "" : "s");
	if (s->requests)
		strbuf_printf(b, " pool of %u", s->requests);
	strbuf_printf(b, ", %u%% writes", t->write_percent);
	show_order(b, t);
	strbuf_printf(b, ", %u+%u+%us", s->warmup_s, s->duration_s, s->cooldown_s);
	show_caching(b, t);
	show_named(b, ", create ", t->create_size, "");
	show_named(b, ", from ", t->base, "");
	show_named(b, ", up to ", t->max_size, "");
	show_data(b, s, t);
	if (t->rate)
		strbuf_printf(b, ", %" PRIu64 "%s", t->rate, t->rate_iops ? " IOPS" : " bytes/ms");
	if (t->burst_ios || t->think_ms)
		strbuf_printf(b, ", bursts of %u then %ums", t->burst_ios, t->think_ms);
	if (t->priority != 3)
		strbuf_printf(b, ", priority %u", t->priority);
	if (t->hint_random || t->hint_sequential || t->hint_temporary)
		strbuf_printf(b, ", hints %s%s%s", t->hint_random ? "r" : "", t->hint_sequential ? "s" : "",
			      t->hint_temporary ? "t" : "");
	if (t->large_pages)
		strbuf_puts(b, ", large pages");
}

static inline void show_cpus(struct strbuf *b, const struct ds_span *s)
{
	for (size_t i = 0; i < s->ncpus; i++) {
		strbuf_printf(b, "%s%u.", i ? " " : ", cpus ", s->cpus[i].group);
		if (s->cpus[i].cpu == DS_CPU_ALL)
			strbuf_puts(b, "all");
		else
			strbuf_printf(b, "%u", s->cpus[i].cpu);
	}
	if (s->traversal[0])
		strbuf_printf(b, ", cpu order %s", s->traversal);
	if (s->no_affinity)
		strbuf_puts(b, ", not pinned");
}

static inline void show_span(struct strbuf *b, const struct ds_span *s)
{
	if (s->latency)
		strbuf_puts(b, ", latencies");
	if (s->iops_stats)
		strbuf_printf(b, ", every %ums", s->bucket_ms);
	if (s->seed_clock)
		strbuf_puts(b, ", seed of the clock");
	if (s->seed)
		strbuf_printf(b, ", seed %" PRIu64, s->seed);
	show_cpus(b, s);
	if (s->completion_routines)
		strbuf_puts(b, ", routines");
	if (s->io_ring)
		strbuf_printf(b, ", ring%s %u%s", s->io_ring_unregistered ? " unregistered" : "",
			      s->io_ring_batch ? s->io_ring_batch : s->io_ring_percent,
			      s->io_ring_batch ? "" : "%");
	if (s->completion_depth_given)
		strbuf_printf(b, ", %u completions", s->completion_depth);
	if (s->default_buffer_separation)
		strbuf_puts(b, ", buffers as the system has it");
}

static inline void show_events(struct strbuf *b, const struct ds_profile *p)
{
	static const char *const names[DS_EVENTS] = { "PROCESS",    "THREAD",       "IMAGE_LOAD",
						      "DISK_IO",    "SOFT_FAULTS",  "HARD_FAULTS",
						      "NETWORK",    "REGISTRY",     "paged",
						      "perf timer", "system timer", "cycles" };

	for (size_t i = 0; i < DS_EVENTS; i++)
		if (p->event[i])
			strbuf_printf(b, ", count %s", names[i]);
}

static inline void show_line(struct strbuf *b, const struct ds_line *l)
{
	const struct ds_profile *p = &l->profile;
	static const char *const shows[] = { "", ", show the profile", ", show the system" };

	if (p->format == DS_XML)
		strbuf_puts(b, ", xml");
	if (p->verbose)
		strbuf_puts(b, p->verbose_stats ? ", verbose+" : ", verbose");
	if (p->progress_ios)
		strbuf_printf(b, ", dots %u", p->progress_ios);
	if (p->experiment_flags)
		strbuf_printf(b, ", experiments %u", p->experiment_flags);
	show_events(b, p);
	strbuf_puts(b, shows[l->show]);
	if (l->signals.start || l->signals.finish || l->signals.wait || l->signals.stop || l->signals.set)
		strbuf_printf(b, ", events %s/%s/%s/%s/%s", l->signals.start ? l->signals.start : "",
			      l->signals.finish ? l->signals.finish : "",
			      l->signals.wait ? l->signals.wait : "", l->signals.stop ? l->signals.stop : "",
			      l->signals.set ? l->signals.set : "");
	if (l->engine)
		strbuf_printf(b, ", engine %c", l->engine);
	if (l->keeps_files && p->spans->ntargets && p->spans->targets->create_size)
		strbuf_puts(b, ", keep a large one");
	if (l->usage)
		strbuf_puts(b, ", usage");
	if (l->xml_file)
		strbuf_printf(b, ", profile %s", l->xml_file);
}

/* Prints the values of the first target, which all targets share, then all paths. */
static inline void ds_show(struct strbuf *b, const struct ds_line *l)
{
	const struct ds_span *s = l->profile.spans;
	struct ds_target none;

	ds_target_init(&none);
	show_target(b, s, s->ntargets ? s->targets : &none);
	show_span(b, s);
	show_line(b, l);
	strbuf_puts(b, " :");
	for (size_t i = 0; i < s->ntargets; i++)
		strbuf_printf(b, " %s", s->targets[i].path);
}

/* Reads a file of t/diskspd. The caller frees the buffer. */
static inline char *ds_table(const char *name)
{
	const char *dir = getenv("UNIT_DIR");
	struct strbuf path = { 0 }, text = { 0 };
	char buf[4096];
	size_t n;
	FILE *f;

	strbuf_printf(&path, "%s/../diskspd/%s", dir ? dir : "t/unit", name);
	f = fopen(strbuf_str(&path), "r");
	if (!f)
		fail_msg("%s: cannot be read", strbuf_str(&path));
	while (f && (n = fread(buf, 1, sizeof(buf), f)))
		strbuf_add(&text, buf, n);
	if (f)
		fclose(f);
	strbuf_fini(&path);
	return text.text;
}

/* True if a text contains each of the words, which " & " separates, in any case. */
static inline bool says_all(const char *text, const char *words)
{
	while (*words) {
		const char *end = strstr(words, " & ");
		size_t n = end ? (size_t)(end - words) : strlen(words);
		bool found = false;

		for (const char *s = text; *s && !found; s++)
			found = !strncasecmp(s, words, n);
		if (!found)
			return false;
		words += n + (end ? 3 : 0);
	}
	return true;
}

#endif
