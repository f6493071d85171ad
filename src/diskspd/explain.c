#include "explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "profile_text.h"
#include "strbuf.h"

/* The span being explained. */
struct explanation {
	const struct ds_profile *profile;
	const struct ds_explain_cfg *cfg;
	const struct ds_span *span;
	struct strbuf *out;
	unsigned warnings;
};

bool ds_explain_has(const struct ds_explain_cfg *cfg, const char *flag)
{
	for (int i = 0; i < cfg->argc; i++)
		if (!strncmp(cfg->argv[i], flag, strlen(flag)))
			return true;
	return false;
}

/* Returns a size for use in a sentence. */
static struct units_text bytes_text(uint64_t bytes)
{
	struct units_text t = ds_profile_text_size(bytes);

	if (bytes < 1024)
		snprintf(t.text, sizeof(t.text), "%" PRIu64 " bytes", bytes);
	return t;
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static uint64_t existing_size(const struct explanation *w, const struct ds_target *t)
{
	return w->cfg->size ? w->cfg->size(w->cfg->ctx, t->path) : 0;
}

/* Returns true if -c leaves an existing file as it is. */
static bool is_preserved(const struct explanation *w, const struct ds_target *t)
{
	if (w->cfg->keeps_files && existing_size(w, t) >= t->create_size)
		return true;
	return w->cfg->is_preserved && w->cfg->is_preserved(w->cfg->ctx, t->path);
}

/* Returns true if -c creates the file in this run. */
static bool is_created(const struct explanation *w, const struct ds_target *t)
{
	return ds_creates_file(t) && !is_preserved(w, t);
}

static uint64_t size_of(const struct explanation *w, const struct ds_target *t)
{
	return is_created(w, t) ? t->create_size : existing_size(w, t);
}

/* ---- time ---- */

static void explain_time(struct explanation *w)
{
	const struct ds_span *s = w->span;

	strbuf_puts(w->out, "  time: ");
	if (s->warmup_s)
		strbuf_printf(w->out, "%u s of warm-up, not measured; ", s->warmup_s);
	if (s->duration_s)
		strbuf_printf(w->out, "%u s measured", s->duration_s);
	else
		strbuf_puts(w->out, "nothing is measured (-d0)");
	if (s->cooldown_s)
		strbuf_printf(w->out, "; %u s of cool-down, not measured", s->cooldown_s);
	strbuf_printf(w->out, "; %" PRIu64 " s in all",
		      (uint64_t)s->warmup_s + s->duration_s + s->cooldown_s);
	for (size_t i = 0; i < s->ntargets; i++) {
		if (is_created(w, &s->targets[i])) {
			strbuf_puts(w->out, ", after the time to create the files");
			break;
		}
	}
	strbuf_putc(w->out, '\n');
}

/* ---- depth ---- */

static uint64_t span_depth(const struct ds_span *s)
{
	uint64_t n = 0;

	if (s->threads && s->requests)
		return (uint64_t)s->threads * s->requests;
	for (size_t i = 0; i < s->ntargets; i++)
		n += (uint64_t)ds_target_threads(s, &s->targets[i]) * s->targets[i].depth;
	return n;
}

static bool one_depth(const struct ds_span *s)
{
	for (size_t i = 1; i < s->ntargets; i++)
		if (s->targets[i].depth != s->targets[0].depth ||
		    ds_target_threads(s, &s->targets[i]) != ds_target_threads(s, &s->targets[0]))
			return false;
	return s->ntargets > 0;
}

static void explain_depth(struct explanation *w)
{
	const struct ds_span *s = w->span;
	uint64_t threads = ds_span_threads(s);

	strbuf_printf(w->out, "  threads: %" PRIu64, threads);
	if (s->threads && s->ntargets > 1)
		strbuf_puts(w->out, ", each working on every target (-F)");
	else if (s->ntargets > 1)
		strbuf_puts(w->out, ", each working on one target");
	strbuf_printf(w->out, "\n  in flight: %" PRIu64 " I/O%s", span_depth(s), plural(span_depth(s)));
	if (s->threads && s->requests)
		strbuf_printf(w->out, " = %u threads x %u in a pool over all targets", s->threads,
			      s->requests);
	else if (one_depth(s))
		strbuf_printf(w->out, " = %u thread%s x %zu target%s x %u", ds_target_threads(s, s->targets),
			      plural(ds_target_threads(s, s->targets)), s->ntargets, plural(s->ntargets),
			      s->targets[0].depth);
	strbuf_putc(w->out, '\n');
}

/* ---- footprint ---- */

static uint64_t span_buffer_bytes(const struct ds_span *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->ntargets; i++) {
		const struct ds_target *t = &s->targets[i];
		unsigned depth = s->threads && s->requests ? s->requests : t->depth;

		n += 2ull * ds_target_threads(s, t) * depth * t->block;
	}
	return n;
}

static void explain_footprint(struct explanation *w)
{
	const struct ds_span *s = w->span;
	uint64_t disk = 0, pools = 0;
	bool preserved = false;

	for (size_t i = 0; i < s->ntargets; i++) {
		disk += is_created(w, &s->targets[i]) ? s->targets[i].create_size : 0;
		preserved |= ds_creates_file(&s->targets[i]) && is_preserved(w, &s->targets[i]);
		pools += s->targets[i].write_percent ? s->targets[i].pool_size : 0;
	}
	strbuf_puts(w->out, "  on disk: ");
	if (disk)
		strbuf_printf(w->out, "%s of files, created by -c", bytes_text(disk).text);
	else
		strbuf_printf(w->out, "nothing is created%s",
			      preserved ? ": existing files are kept" : "; the targets must exist");
	strbuf_printf(w->out, "\n  in memory: %s of buffers (one to read, one to write for each I/O)",
		      bytes_text(span_buffer_bytes(s)).text);
	if (pools)
		strbuf_printf(w->out, " and %s of data to write (-Z)", bytes_text(pools).text);
	strbuf_putc(w->out, '\n');
}

/* ---- targets ---- */

static void explain_direction(const struct ds_target *t, struct strbuf *out)
{
	if (!t->write_percent)
		strbuf_puts(out, "reads");
	else if (t->write_percent == 100)
		strbuf_puts(out, "writes");
	else
		strbuf_printf(out, "%u%% reads, %u%% writes", 100 - t->write_percent, t->write_percent);
}

static void explain_order(struct explanation *w, const struct ds_target *t)
{
	static const char uneven[] = ", more often in some ranges than in others (-rd)";
	struct strbuf *out = w->out;
	struct units_text step = bytes_text(ds_step(t));
	unsigned threads = ds_target_threads(w->span, t);

	if (t->random_percent == 100) {
		strbuf_printf(
			out, "at random places that are multiples of %s%s", step.text,
			t->dist ? uneven
				: ", each with the same probability, so some are hit twice and some never");
		return;
	}
	if (t->random_percent) {
		strbuf_printf(out, "%u%% at random places%s, the others %s after the previous I/O (-rs)",
			      t->random_percent, t->dist ? uneven : "",
			      ds_step(t) == t->block ? "right" : step.text);
		return;
	}
	strbuf_puts(out, "in order");
	if (ds_step(t) != t->block)
		strbuf_printf(out, ", in steps of %s", step.text);
	if (t->interlocked && threads > 1)
		strbuf_puts(out, ", all threads together: each I/O of any thread takes the next block (-si)");
	else if (t->parallel && t->depth > 1)
		strbuf_puts(out, ", each I/O in flight with its own position in the file (-p)");
	else if (threads > 1 && t->thread_stride)
		strbuf_printf(out, ", each thread on its own, beginning %s after the previous one (-T)",
			      bytes_text(t->thread_stride).text);
	else if (threads > 1)
		strbuf_puts(out, ", each thread on its own, all from the same start");
}

static void explain_cache(struct explanation *w, const struct ds_target *t)
{
	static const char *const cache[] = {
		"through the page cache, as ordinary programs do",
		"without the page cache (O_DIRECT)",
		"without the local cache, for NFS and SMB only (-Sr)",
	};

	strbuf_printf(w->out, "    caching: %s",
		      t->mapped ? "copies to and from the mapped file (-Sm)" : cache[t->cache]);
	if (!t->write_percent)
		strbuf_puts(w->out, "\n");
	else if (t->write_through)
		strbuf_puts(w->out, "; a write completes when it is on stable storage (O_DSYNC)\n");
	else
		strbuf_printf(w->out, "; a write completes when it is %s\n",
			      t->cache == DS_CACHED ? "in memory"
						    : "at the device, perhaps in a volatile cache");
}

static void explain_pace(struct explanation *w, const struct ds_target *t)
{
	if (t->rate)
		strbuf_printf(w->out, "    rate: %" PRIu64 " %s for each thread at most (-g)\n", t->rate,
			      t->rate_iops ? "I/Os per second" : "bytes per millisecond");
	else if (t->burst_ios && t->think_ms)
		strbuf_printf(w->out,
			      "    bursts: %u I/Os of all threads together, then a pause of %u ms (-i, -j)\n",
			      t->burst_ios, t->think_ms);
}

static void explain_content(struct explanation *w, const struct ds_target *t)
{
	if (!t->write_percent)
		return;
	strbuf_puts(w->out, "    data: ");
	if (t->pool_size) {
		strbuf_printf(w->out, "slices, taken at random, of %s", bytes_text(t->pool_size).text);
		if (t->pool_file)
			strbuf_printf(w->out, " read from %s\n", t->pool_file);
		else
			strbuf_puts(w->out, " of random data, the same in every run\n");
	} else if (w->span->random_data) {
		strbuf_puts(w->out, "new random data for every write\n");
	} else {
		strbuf_puts(w->out,
			    t->pattern == DS_ZERO ? "zeroes\n" : "the bytes 0 to 255, over and over\n");
	}
}

static void explain_name(struct explanation *w, const struct ds_target *t)
{
	uint64_t size = size_of(w, t);

	strbuf_puts(w->out, t->path);
	if (t->given_path && strcmp(t->given_path, t->path))
		strbuf_printf(w->out, " (%s)", t->given_path);
	if (size)
		strbuf_printf(w->out, ", %s", bytes_text(size).text);
}

/* Returns true if the explanation of the target before covers this one, too. */
static bool is_explained(const struct explanation *w, const struct ds_target *t)
{
	return t != w->span->targets && ds_same_load(t, t - 1) && size_of(w, t) == size_of(w, t - 1);
}

/* Returns the number of targets after t that the explanation of t covers. */
static size_t count_same_targets(const struct explanation *w, const struct ds_target *t)
{
	size_t n = 0;

	while (t + n + 1 < w->span->targets + w->span->ntargets && is_explained(w, t + n + 1))
		n++;
	return n;
}

static void explain_target(struct explanation *w, const struct ds_target *t)
{
	size_t n = count_same_targets(w, t);

	for (size_t i = 0; i <= n; i++) {
		strbuf_puts(w->out, i ? ",\n  " : "  ");
		explain_name(w, t + i);
	}
	strbuf_puts(w->out, ":\n    ");
	explain_direction(t, w->out);
	strbuf_printf(w->out, " of %s, ", bytes_text(t->block).text);
	explain_order(w, t);
	strbuf_putc(w->out, '\n');
	if (t->base || t->max_size)
		strbuf_printf(w->out, "    range: from %s to %s\n", bytes_text(t->base).text,
			      t->max_size ? bytes_text(t->max_size).text : "the end");
	explain_cache(w, t);
	explain_pace(w, t);
	explain_content(w, t);
}

/* ---- what people trip over ---- */

__attribute__((format(printf, 2, 3))) static void warn(struct explanation *w, const char *fmt, ...)
{
	va_list ap;

	strbuf_puts(w->out, w->warnings++ ? "  - " : "  watch out:\n  - ");
	va_start(ap, fmt);
	strbuf_vprintf(w->out, fmt, ap);
	va_end(ap);
	strbuf_putc(w->out, '\n');
}

static void warn_order(struct explanation *w, const struct ds_target *t)
{
	unsigned threads = ds_target_threads(w->span, t);
	uint64_t size = size_of(w, t), each = w->span->duration_s ? size / w->span->duration_s >> 20 : 0;

	if (t->random_percent)
		return;
	if (threads > 1 && !t->thread_stride && !t->interlocked)
		warn(w,
		     "%s: its %u threads read or write the same blocks, so caches serve all but the first; "
		     "-si divides the blocks among them, -T gives each thread another start",
		     t->path, threads);
	if (each && w->span->duration_s <= 10)
		warn(w, "%s: the I/O reaches its end in %u s only at %" PRIu64 " MiB/s or more", t->path,
		     w->span->duration_s, each);
}

static void warn_cache(struct explanation *w, const struct ds_target *t)
{
	uint64_t size = size_of(w, t);

	if (t->cache != DS_CACHED || t->mapped)
		return;
	if (size && w->cfg->memory_bytes && size < w->cfg->memory_bytes)
		warn(w,
		     "%s: its %s fit into memory (%s), so this measures the page cache, not the device; -Su "
		     "avoids the cache",
		     t->path, bytes_text(size).text, bytes_text(w->cfg->memory_bytes).text);
	if (t->write_percent && !t->write_through)
		warn(w, "%s: writes go to memory, and reach the device later; -Sh measures the device",
		     t->path);
}

static bool is_refused(const struct explanation *w, const struct ds_target *t)
{
	return t->write_percent && !is_created(w, t) && w->cfg->is_refused &&
	       w->cfg->is_refused(w->cfg->ctx, t->path);
}

static void warn_refused(struct explanation *w, const struct ds_target *t)
{
	if (is_refused(w, t))
		warn(w,
		     "%s: exists, has data and was not created by fiord, so the line is refused, because it "
		     "writes; %s--allow_write=%s permits it",
		     t->path, ds_creates_file(t) ? "--recreate or " : "", t->path);
}

static void warn_preserved(struct explanation *w, const struct ds_target *t)
{
	bool too_short = existing_size(w, t) < t->create_size;

	if (!ds_creates_file(t) || !is_preserved(w, t) || is_refused(w, t))
		return;
	if (w->cfg->keeps_files && !too_short)
		warn(w, "%s: exists and is long enough, so -c keeps it", t->path);
	else
		warn(w,
		     "%s: exists and was not created by fiord, so -c %s; --recreate or --allow_write=%s "
		     "replaces it",
		     t->path, too_short ? "is refused, because the file is shorter" : "keeps it", t->path);
}

static void warn_data(struct explanation *w, const struct ds_target *t)
{
	if (t->pool_size && t->write_percent)
		warn(w, "%s: -Z takes %s of memory", t->path, bytes_text(t->pool_size).text);
	else if (t->pool_size)
		warn(w,
		     "%s: nothing is written; DISKSPD would still take %s of memory for -Z, fiord takes none",
		     t->path, bytes_text(t->pool_size).text);
	if (is_created(w, t))
		warn(w,
		     "%s: -c fills the file with %s; storage with compression or deduplication stores hardly "
		     "any of that%s",
		     t->path, t->pattern == DS_ZERO ? "zeroes" : "the bytes 0 to 255, or zeroes",
		     w->span->random_data || t->pool_size ? "; -Z only changes later writes" : "");
}

static void warn_depth(struct explanation *w)
{
	const struct ds_span *s = w->span;

	if (s->ntargets > 1 && !s->requests)
		warn(w, "the depth is for each target: %zu targets have %" PRIu64 " in flight", s->ntargets,
		     span_depth(s));
	if (span_depth(s) == ds_span_threads(s) && ds_span_threads(s) == 1)
		warn(w, "one I/O at a time (-o1): this measures latency, not the device's throughput");
	if (s->threads && !s->requests && s->ntargets > 1)
		warn(w,
		     "DISKSPD 2.2 itself sends all I/O of this line to %s: without -O its requests stay at "
		     "the "
		     "first target; fiord uses all targets",
		     s->targets[0].path);
	if (!w->cfg->argc)
		return;
	if (!ds_explain_has(w->cfg, "-o") && !ds_explain_has(w->cfg, "-O"))
		warn(w, "-o was not given: 2 I/Os in flight for each thread and target");
	if (!ds_explain_has(w->cfg, "-W"))
		warn(w, "-W was not given: 5 s of load come before the measurement; a write test writes in "
			"that time, too");
	if (!ds_explain_has(w->cfg, "-d"))
		warn(w, "-d was not given: 10 s are measured");
}

static void explain_span(struct explanation *w)
{
	explain_time(w);
	explain_depth(w);
	explain_footprint(w);
	for (size_t i = 0; i < w->span->ntargets; i++)
		if (!is_explained(w, &w->span->targets[i]))
			explain_target(w, &w->span->targets[i]);
	w->warnings = 0;
	for (size_t i = 0; i < w->span->ntargets; i++) {
		warn_refused(w, &w->span->targets[i]);
		warn_preserved(w, &w->span->targets[i]);
		if (is_explained(w, &w->span->targets[i]))
			continue;
		warn_order(w, &w->span->targets[i]);
		warn_cache(w, &w->span->targets[i]);
		warn_data(w, &w->span->targets[i]);
	}
	warn_depth(w);
}

void ds_explain(const struct ds_profile *p, const struct ds_explain_cfg *cfg, struct strbuf *out)
{
	struct explanation w = { .profile = p, .cfg = cfg, .out = out };

	if (cfg->command)
		strbuf_printf(out, "%s\n", cfg->command);
	for (size_t i = 0; i < p->nspans; i++) {
		w.span = &p->spans[i];
		if (p->nspans > 1)
			strbuf_printf(out, "time span %zu of %zu:\n", i + 1, p->nspans);
		explain_span(&w);
	}
	ds_explain_versions(cfg, out);
}
