#include "profile_line.h"

#include <string.h>
#include "profile.h"
#include "strbuf.h"

#define option(out, ...) strbuf_printf(out, " " __VA_ARGS__)

void ds_profile_line_size(struct strbuf *out, uint64_t bytes)
{
	static const char units[] = "TGMK";

	for (unsigned i = 0; units[i] && bytes; i++) {
		unsigned shift = 40 - 10 * i;

		if (!(bytes & ((1ull << shift) - 1))) {
			strbuf_printf(out, "%ju%c", (uintmax_t)(bytes >> shift), units[i]);
			return;
		}
	}
	strbuf_printf(out, "%ju", (uintmax_t)bytes);
}

static void size_option(struct strbuf *out, const char *name, uint64_t bytes)
{
	option(out, "%s", name);
	ds_profile_line_size(out, bytes);
}

static void put_area(struct strbuf *out, const struct ds_target *t)
{
	if (t->create_size)
		size_option(out, "-c", t->create_size);
	if (t->block != 64 * 1024)
		size_option(out, "-b", t->block);
	if (t->base)
		size_option(out, "-B", t->base);
	if (t->base && t->max_size > t->base) {
		strbuf_putc(out, ':');
		ds_profile_line_size(out, t->max_size - t->base);
	} else if (t->max_size) {
		size_option(out, "-f", t->max_size);
	}
}

/* Returns true if the last range is the one that DISKSPD implies. */
static bool has_tail(const struct ds_target *t)
{
	uint64_t io = 0, span = 0;
	const struct ds_range *last = &t->ranges[t->nranges - 1];

	if (t->nranges < 2)
		return false;
	for (size_t i = 0; i + 1 < t->nranges; i++) {
		io += t->ranges[i].io_percent;
		span += t->ranges[i].length;
	}
	if (io >= 100 || io + last->io_percent != 100)
		return false;
	return t->dist == DS_PERCENT ? span + last->length == 100 : !last->length;
}

static void put_distribution(struct strbuf *out, const struct ds_target *t)
{
	size_t n = t->nranges;

	if (t->dist == DS_UNIFORM || !n)
		return;
	n -= has_tail(t);
	option(out, "-rd%s", t->dist == DS_PERCENT ? "pct" : "abs");
	for (size_t i = 0; i < n; i++) {
		strbuf_printf(out, "%s%u/", i ? ":" : "", t->ranges[i].io_percent);
		if (t->dist == DS_PERCENT)
			strbuf_printf(out, "%ju", (uintmax_t)t->ranges[i].length);
		else
			ds_profile_line_size(out, t->ranges[i].length);
	}
}

static void put_order(struct strbuf *out, const struct ds_target *t)
{
	bool step = t->stride && t->stride != t->block;

	if (t->random_percent && t->random_percent < 100)
		option(out, "-rs%u", t->random_percent);
	if (t->random_percent == 100 || (t->random_percent && step))
		option(out, "-r");
	else if (!t->random_percent && (t->interlocked || step))
		option(out, "-s%s", t->interlocked ? "i" : "");
	if (step)
		ds_profile_line_size(out, t->stride);
	put_distribution(out, t);
	if (t->parallel)
		option(out, "-p");
	if (t->thread_stride)
		size_option(out, "-T", t->thread_stride);
	if (t->write_percent)
		option(out, "-w%u", t->write_percent);
}

static void put_cache(struct strbuf *out, const struct ds_target *t)
{
	static const char flushes[] = " vni", bypasses[] = " yY";
	bool all = t->cache == DS_UNBUFFERED && t->write_through;
	char letters[8];
	unsigned n = 0;

	if (t->cache)
		letters[n++] = all ? 'h' : t->cache == DS_UNBUFFERED ? 'u' : 'r';
	if (t->mapped)
		letters[n++] = 'm';
	if (t->write_through && !all)
		letters[n++] = 'w';
	if (t->bypass)
		letters[n++] = bypasses[t->bypass];
	letters[n] = '\0';
	if (n)
		option(out, "-S%s", letters);
	if (t->flush)
		option(out, "-N%c", flushes[t->flush]);
}

/* Returns true if the text has both kinds of quotation marks, so that no quotes can hold it. */
static bool has_quotes(const char *text)
{
	return strchr(text, '\'') && strpbrk(text, "\"$`%!");
}

/* Adds a word, in quotes if cmd.exe or a shell would split or expand it. */
static void put_word(struct strbuf *out, const char *before, const char *text)
{
	const char *quote = "";

	if (!*text || strpbrk(text, " \t&|<>^;()*?[]{}#'\\"))
		quote = "\"";
	if (strpbrk(text, "\"$`%!"))
		quote = "'";
	option(out, "%s%s%s%s", quote, before, text, quote);
}

static void put_pool(struct strbuf *out, const struct ds_target *t)
{
	struct strbuf word = { 0 };

	strbuf_puts(&word, "-Z");
	ds_profile_line_size(&word, t->pool_size);
	if (t->pool_file)
		strbuf_printf(&word, ",%s", t->pool_file);
	out->failed |= word.failed;
	put_word(out, "", strbuf_str(&word));
	strbuf_fini(&word);
}

static void put_content(struct strbuf *out, const struct ds_target *t)
{
	if (t->pattern == DS_ZERO)
		option(out, "-Z");
	if (t->pattern == DS_RANDOM)
		put_pool(out, t);
}

static void put_pace(struct strbuf *out, const struct ds_target *t)
{
	if (t->rate)
		option(out, "-g%ju%s", (uintmax_t)t->rate, t->rate_iops ? "i" : "");
	if (t->burst_given)
		option(out, "-i%u", t->burst_ios);
	if (t->think_given)
		option(out, "-j%u", t->think_ms);
	if (t->priority == 1 || t->priority == 2)
		option(out, "-I%u", t->priority);
}

static void put_target_flags(struct strbuf *out, const struct ds_span *s, const struct ds_target *t)
{
	put_area(out, t);
	if (s->threads)
		option(out, "-F%u", s->threads);
	else if (t->threads != 1)
		option(out, "-t%u", t->threads);
	if (s->threads && s->requests)
		option(out, "-O%u", s->requests);
	else if (t->depth != 2)
		option(out, "-o%u", t->depth);
	put_order(out, t);
	put_cache(out, t);
	put_content(out, t);
	put_pace(out, t);
	if (t->hint_random || t->hint_sequential || t->hint_temporary)
		option(out, "-f%s%s%s", t->hint_random ? "r" : "", t->hint_sequential ? "s" : "",
		       t->hint_temporary ? "t" : "");
	if (t->large_pages)
		option(out, "-l");
}

static void put_times(struct strbuf *out, const struct ds_span *s)
{
	if (s->duration_s != 10)
		option(out, "-d%u", s->duration_s);
	if (s->warmup_s != 5)
		option(out, "-W%u", s->warmup_s);
	if (s->cooldown_s)
		option(out, "-C%u", s->cooldown_s);
	if (s->seed_clock)
		option(out, "-z");
	else if (s->seed)
		option(out, "-z%ju", (uintmax_t)s->seed);
	if (s->random_data)
		option(out, "-Zr");
	if (s->latency)
		option(out, "-L");
	if (s->iops_stats && s->bucket_ms != 1000)
		option(out, "-D%u", s->bucket_ms);
	else if (s->iops_stats)
		option(out, "-D");
}

/* Adds one option for each run of processors of one group. */
static void put_affinity(struct strbuf *out, const struct ds_span *s)
{
	bool groups = false;

	if (s->no_affinity)
		option(out, "-n");
	for (size_t i = 0; i < s->ncpus; i++)
		groups |= s->cpus[i].group || s->cpus[i].cpu == DS_CPU_ALL;
	for (size_t i = 0; i < s->ncpus; i++) {
		const struct ds_cpu *c = &s->cpus[i];
		bool goes_on =
			i && c->cpu != DS_CPU_ALL && c[-1].cpu != DS_CPU_ALL && c[-1].group == c->group;

		if (!goes_on && groups)
			option(out, "-ag%u", c->group);
		else if (!goes_on)
			option(out, "-a%u", c->cpu);
		if (c->cpu != DS_CPU_ALL && (goes_on || groups))
			strbuf_printf(out, ",%u", c->cpu);
	}
}

static void put_threads(struct strbuf *out, const struct ds_span *s)
{
	put_affinity(out, s);
	if (strchr(s->traversal, 'u'))
		option(out, "-aup");
	if (strspn(s->traversal, "cspPeE"))
		option(out, "-a%.*s", (int)strspn(s->traversal, "cspPeE"), s->traversal);
	if (s->completion_routines)
		option(out, "-x");
	if (s->io_ring) {
		option(out, "-u%s", s->io_ring_unregistered ? "n" : "");
		if (s->io_ring_batch)
			strbuf_printf(out, "%u", s->io_ring_batch);
		else if (s->io_ring_percent != 25)
			strbuf_printf(out, "%up", s->io_ring_percent);
	}
	if (s->completion_depth_given && s->completion_depth != 16)
		option(out, "-oc%u", s->completion_depth);
	if (s->default_buffer_separation)
		option(out, "-bsn");
}

static void put_events(struct strbuf *out, const struct ds_profile *p)
{
	for (unsigned i = 0; i < DS_EVENTS; i++)
		if (p->event[i])
			option(out, "-e%s", ds_event_names[i]);
}

static void put_report(struct strbuf *out, const struct ds_profile *p)
{
	if (p->progress_ios == 65536)
		option(out, "-P");
	else if (p->progress_ios)
		option(out, "-P%u", p->progress_ios);
	if (p->verbose_stats)
		option(out, "-vs");
	else if (p->verbose)
		option(out, "-v");
	if (p->format == DS_XML)
		option(out, "-Rxml");
	put_events(out, p);
	if (p->experiment_flags)
		option(out, "-:%u", p->experiment_flags);
}

/* Adds a path. A path that begins with a dash would be read as an option, so it gets "./". */
static void put_path(struct strbuf *out, const char *path)
{
	if (ds_template_number(path) > 0)
		option(out, "%s", path);
	else
		put_word(out, *path == '-' ? "./" : "", path);
}

static void span_losses(const struct ds_profile *p, size_t span, struct notes *lost)
{
	if (p->nspans > 1)
		notes_add(lost, "the other time spans: this is time span %zu of %zu", span + 1, p->nspans);
	if (p->precreate)
		notes_add(lost,
			  "PrecreateFiles: only a profile can create the files before the first time span");
	if (p->verbose_stats && !p->verbose)
		notes_add(lost, "Verbose=false with VerboseStats=true: -vs turns both on");
}

static void target_losses(const struct ds_span *s, struct notes *lost)
{
	struct strbuf first = { 0 }, other = { 0 };

	put_target_flags(&first, s, &s->targets[0]);
	for (size_t i = 0; i < s->ntargets; i++) {
		const struct ds_target *t = &s->targets[i];

		if (s->threads && s->requests && t->weight != 1)
			notes_add(lost, "Weight=%u of %s", t->weight, t->path);
		if (t->nthread_targets)
			notes_add(lost, "ThreadTargets of %s: in a line every thread uses every target",
				  t->path);
		strbuf_clear(&other);
		put_target_flags(&other, s, t);
		if (strcmp(strbuf_str(&first), strbuf_str(&other)))
			notes_add(lost, "%s has other options than the first target: %s", t->path,
				  other.len ? strbuf_str(&other) + 1 : "the defaults");
	}
	strbuf_fini(&first);
	strbuf_fini(&other);
}

void ds_profile_line_unquotable(const struct ds_profile *p, size_t span, struct notes *lost)
{
	const struct ds_span *s = &p->spans[span];

	for (size_t i = 0; i < s->ntargets; i++) {
		const char *names[] = { s->targets[i].path, s->targets[i].pool_file };

		for (unsigned k = 0; k < 2; k++)
			if (names[k] && has_quotes(names[k]))
				notes_add(lost,
					  "%s: no line can have this name, because no quotes hold both ' and "
					  "one of \" $ ` %% !",
					  names[k]);
	}
}

void ds_profile_line(const struct ds_profile *p, size_t span, struct strbuf *out, struct notes *lost)
{
	const struct ds_span *s = &p->spans[span];
	static const struct ds_target none;

	strbuf_puts(out, "diskspd");
	put_target_flags(out, s, s->ntargets ? &s->targets[0] : &none);
	put_times(out, s);
	put_threads(out, s);
	put_report(out, p);
	for (size_t i = 0; i < s->ntargets; i++)
		put_path(out, s->targets[i].path);
	if (!lost)
		return;
	span_losses(p, span, lost);
	ds_profile_line_unquotable(p, span, lost);
	if (s->ntargets)
		target_losses(s, lost);
}

bool ds_profile_line_fits(const struct ds_profile *p)
{
	struct strbuf line = { 0 };
	struct notes lost = { 0 };
	bool fits;

	ds_profile_line(p, 0, &line, &lost);
	fits = !lost.count;
	notes_fini(&lost);
	strbuf_fini(&line);
	return fits;
}
