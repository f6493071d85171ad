/* tojob_section.c: the job lines about the engine, times, files and caches of one section. */
#include "strbuf.h"
#include "opt.h"
#include "tojob_section.h"
#include "units.h"

#include <inttypes.h>
#include <string.h>

/* ---- who does the I/O ---- */

static unsigned depth(const struct section *s)
{
	bool whole = s->pool || !section_shares_threads(s);

	if (s->span->threads && s->span->requests && whole)
		return s->span->requests;
	return s->target->depth;
}

/* Returns true if each thread does one I/O at a time, which DISKSPD does by a synchronous call. */
static bool waits_for_each(const struct section *s)
{
	return depth(s) == 1 && (!section_shares_threads(s) || (s->pool && s->span->requests));
}

/* diskspd-for-linux uses O_SYNC, and names its engine. */
static bool is_linux_port(const struct section *s)
{
	return s->cfg->line && s->cfg->line->dialect == DS_DIALECT_LINUX;
}

static bool uses_page_cache(const struct section *s)
{
	for (size_t i = 0; section_grouped(s) && i < s->span->ntargets; i++)
		if (s->span->targets[i].cache == DS_CACHED)
			return true;
	return s->target->cache == DS_CACHED;
}

static const char *engine(const struct section *s)
{
	if (s->target->mapped)
		return "mmap";
	if (is_linux_port(s) && s->cfg->line->engine)
		return s->cfg->line->engine == 'p' ? "posixaio" : "libaio";
	if (s->span->io_ring)
		return "io_uring";
	if (waits_for_each(s))
		return "psync";
	if (uses_page_cache(s))
		return s->cfg->cached_engine ? s->cfg->cached_engine : "io_uring";
	return "libaio";
}

/* Without -oc, DISKSPD reaps this many completions at a time. */
#define RING_REAPS 16u

static void ring_lines(struct section *s)
{
	uint64_t batch = s->span->io_ring_batch;

	if (!batch)
		batch = (uint64_t)(s->span->requests && section_grouped(s) ? s->span->requests : depth(s)) *
			s->span->io_ring_percent / 100;
	section_line(s, "iodepth_batch=%" PRIu64, batch ? batch : 1);
	/* without this option a job that submits batches reaps one completion at a time, as in fio */
	if (!s->span->completion_depth_given)
		section_line(s, "iodepth_batch_complete_max=%u",
			     depth(s) < RING_REAPS ? depth(s) : RING_REAPS);
	section_line(s, "fixedbufs=%d", !s->span->io_ring_unregistered);
}

static void engine_lines(struct section *s)
{
	const char *name = engine(s);

	section_line(s, "ioengine=%s", name);
	section_line(s, "thread");
	section_line(s, "group_reporting");
	if (!strcmp(name, "io_uring") && s->span->io_ring)
		ring_lines(s);
	if (s->span->completion_depth_given && !waits_for_each(s) && !s->target->mapped)
		section_line(s, "iodepth_batch_complete_max=%u", s->span->completion_depth);
	if (s->span->completion_routines)
		section_note(
			s, "{~flag|-x}: no effect here, because it only changes how DISKSPD waits for I/Os");
	if (s->span->default_buffer_separation)
		section_note(s, "{~flag|-bs}: no effect here, because it only changes where DISKSPD puts its "
				"buffers");
}

/* ---- when ---- */

static void time_lines(struct section *s)
{
	const struct ds_span *p = s->span;

	if (p->warmup_s)
		section_line(s, "ramp_time=%u", p->warmup_s);
	if (p->duration_s)
		section_line(s, "runtime=%u", p->duration_s);
	else if (s->cfg->for_fio)
		section_line(s, "runtime=1");
	section_line(s, "time_based");
	if (!p->duration_s)
		section_line_native(s, "-d0", "fio measures for a second, DISKSPD measures nothing",
				    "ramp_only=1");
	if (p->cooldown_s)
		section_line_native(s, "-C", "fio stops when the measurement ends", "cooldown=%u",
				    p->cooldown_s);
}

static void event_line(struct section *s, const char *from, const char *option, const char *name)
{
	if (name)
		section_line_native(s, from, "fio waits for no event and sets none", "%s=%s", option, name);
}

static void event_lines(struct section *s)
{
	const struct ds_signals *e = s->cfg->line ? &s->cfg->line->signals : NULL;

	if (!e)
		return;
	event_line(s, "-ys", "event_start", e->start);
	event_line(s, "-yf", "event_finish", e->finish);
	event_line(s, "-yr", "event_wait", e->wait);
	event_line(s, "-yp", "event_stop", e->stop);
}

/* ---- files ---- */

void ds_put_filename(struct strbuf *b, const char *path)
{
	for (; *path; path++) {
		if (*path == ':')
			strbuf_putc(b, '\\');
		strbuf_putc(b, *path);
	}
}

static int name_line(struct section *s, struct diag *d)
{
	struct strbuf b = { 0 };
	int err = 0;

	for (size_t i = 0; i < s->span->ntargets && !err; i++) {
		const struct ds_target *t = &s->span->targets[i];

		if (s->pool ? !section_weight(s, t) : t != s->target)
			continue;
		err = opt_path_check(t->path, d);
		if (b.len)
			strbuf_putc(&b, ':');
		ds_put_filename(&b, t->path);
	}
	s->no_memory |= b.failed;
	if (!err)
		section_line_local(s, "filename=%s", strbuf_str(&b));
	strbuf_fini(&b);
	return err;
}

/* Returns the end of the range that -f sets; 0: the end of the target. */
static uint64_t end_of_range(struct section *s)
{
	const struct ds_target *t = s->target;
	uint64_t end = t->max_size, existing = ds_creates_file(t) ? t->create_size : section_size(s);

	if (!end || (existing && end == existing))
		return 0;
	if (!existing || end < existing)
		return end;
	section_note(s, "{~flag|-f}: %s is smaller (%" PRIu64 " bytes), so I/O ends at its end", t->path,
		     existing);
	return 0;
}

static void create_lines(struct section *s, uint64_t end)
{
	const struct ds_target *t = s->target;

	if (!end)
		section_line_local(s, "filesize=%s", units_suffixed(t->create_size).text);
	else
		section_line_native(s, "-c", "fio creates the file only as long as the range of the I/O",
				    "create_size=%s", units_suffixed(t->create_size).text);
	if (!(s->cfg->line && s->cfg->line->keeps_files))
		section_line_native(s, "-c", "fio keeps an existing file, DISKSPD creates it again",
				    "create=always");
}

static void range_lines(struct section *s)
{
	const struct ds_target *t = s->target;
	uint64_t end = end_of_range(s);

	if (ds_creates_file(t))
		create_lines(s, end);
	else if (!ds_is_device(t))
		section_line(s, "allow_file_create=0");
	if (t->create_size && ds_is_device(t))
		section_note(s, "{~flag|-c}: no effect on %s, because it is a device", t->path);
	if (t->base)
		section_line(s, "offset=%s", units_suffixed(t->base).text);
	if (end > t->base && end - t->base <= UINT64_MAX / section_files(s))
		section_line(s, "size=%s", units_suffixed((end - t->base) * section_files(s)).text);
	if (t->thread_stride && ds_last_thread(s->span, t))
		section_line(s, "offset_increment=%s", units_suffixed(t->thread_stride).text);
	if (!ds_is_device(t) && (t->write_percent || ds_creates_file(t)))
		section_line(s, "fallocate=none");
	if (!ds_is_device(t) && t->write_percent)
		section_line(s, "overwrite=1");
}

static void cache_lines(struct section *s)
{
	const struct ds_target *t = s->target;

	if (t->cache != DS_CACHED)
		section_line(s, "direct=1");
	else
		section_line(s, "invalidate=0");
	if (t->write_through)
		section_line(s, "sync=%s", is_linux_port(s) ? "sync" : "dsync");
	if (t->cache == DS_REMOTE_ONLY)
		section_line_native(s, "-Sr", "fio accepts local files, too", "remote_only=1");
	if (t->flush != DS_FLUSH_NONE)
		section_line_native(s, "-N", "fio cannot flush parts of a mapping", "mmap_flush=%s",
				    t->flush == DS_FLUSH_VIEW  ? "view"
				    : t->flush == DS_FLUSH_NVM ? "nvm"
							       : "nvm_nodrain");
	if (t->bypass)
		section_note(
			s, "{~flag|-Sy}: no effect here, because BypassIO avoids filter drivers of Windows");
	section_line(s, "fadvise_hint=%s",
		     t->hint_random       ? "random"
		     : t->hint_sequential ? "sequential"
					  : "0");
	if (t->hint_temporary)
		section_note(s, "{~flag|-ft}: Linux has no such hint for a file");
}

/* ---- threads over targets ---- */

static void weight_line(struct section *s)
{
	const struct ds_target *t = s->target;
	struct strbuf b = { 0 };

	for (size_t i = 0; i < t->nthread_targets; i++) {
		const struct ds_thread_target *tt = &t->thread_targets[i];

		strbuf_printf(&b, "%s%u/%u", i ? ":" : "", tt->thread,
			      tt->weight ? tt->weight : ds_target_weight(t));
	}
	if (!t->nthread_targets && ds_target_weight(t) != 1)
		strbuf_printf(&b, "%u", t->weight);
	s->no_memory |= b.failed;
	if (b.len)
		section_line_native(s, "Weight", "fio chooses all targets equally often",
				    "thread_group_weight=%s", strbuf_str(&b));
	strbuf_fini(&b);
}

/* -O: each I/O goes to one of the targets, by their weights. */
static void pool_lines(struct section *s)
{
	unsigned n = 0, first = section_weight(s, s->target);
	bool same_weights = true;
	struct strbuf b = { 0 };

	for (size_t i = 0; i < s->span->ntargets; i++) {
		unsigned weight = section_weight(s, &s->span->targets[i]);

		if (!weight)
			continue;
		strbuf_printf(&b, "%s%u", n++ ? ":" : "", weight);
		same_weights = same_weights && weight == first;
	}
	s->no_memory |= b.failed;
	if (n > 1)
		section_line_local(s, "file_service_type=random");
	if (n > 1 && !s->target->random_percent && same_weights)
		section_line_native(s, "-O", "in fio a target that is at its end waits for the others",
				    "file_weights=%s", strbuf_str(&b));
	else if (!same_weights)
		section_line_native(s, "Weight", "fio chooses all targets equally often", "file_weights=%s",
				    strbuf_str(&b));
	strbuf_fini(&b);
}

static void group_lines(struct section *s)
{
	const struct ds_span *p = s->span;

	if (s->pool && p->requests) {
		pool_lines(s);
		return;
	}
	if (s->pool && s->target->mapped)
		return; /* each thread copies from one target after the other */
	if (s->pool) {
		section_line_native(s, "-F", "in fio the I/Os of a thread go to the targets in turn",
				    "iodepth_per_file=1");
		return;
	}
	if (!section_shares_threads(s) && !s->target->nthread_targets)
		return;
	section_line_native(s, "-F",
			    "in fio each target has its own threads; DISKSPD's threads work on all targets",
			    "thread_group=span%zu", s->span_number);
	if (p->requests)
		section_line_native(s, "-O",
				    "in fio each target has its own depth; DISKSPD's threads have one depth "
				    "for all targets",
				    "thread_group_depth=%u", p->requests);
	weight_line(s);
}

static unsigned threads(const struct section *s)
{
	if (s->pool)
		return s->threads;
	return s->span->threads ? s->span->threads : s->target->threads;
}

int section_lines(struct section *s, struct diag *d)
{
	int err = section_limits(s, d);

	err = err ? err : name_line(s, d);
	if (err)
		return err;
	engine_lines(s);
	cache_lines(s);
	time_lines(s);
	range_lines(s);
	load_lines(s);
	section_line_local(s, "iodepth=%u", s->target->mapped ? 1 : depth(s));
	if (s->target->mapped && depth(s) > 1)
		section_note(s, "{~flag|-o}: no effect, because threads copy to and from mapped files one "
				"I/O at a time, in DISKSPD, too");
	section_line_local(s, "numjobs=%u", threads(s));
	group_lines(s);
	place_lines(s);
	event_lines(s);
	return 0;
}
