/* preflight_cache.c: the page cache and other memory between the jobs and the device. */
#include "preflight_checks.h"
#include "units.h"

void preflight_check_memory(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct plan_file *pf = &pj->files[0];
	const char *fs = preflight_target_of(fl, pf)->fstype;

	if (preflight_moves_data(pj) && preflight_in_memory(fl, pf))
		message_printf(out,
			       "%s is in memory (%s), so the figures are those of memory; name a file on the "
			       "device to measure",
			       preflight_path_of(fl, pf),
			       preflight_media_of(fl, pf)->in_memory ? preflight_media_of(fl, pf)->disk : fs);
}

void preflight_check_cache(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct job_opts *o = &pj->job->opts;
	bool reads = pj->rw & RW_READ && (preflight_repeats(pj) || !o->file.invalidate);
	bool writes = pj->rw & RW_WRITE && !preflight_flushes(o);

	if (!preflight_measures(fl, pj) || !preflight_cached(pj) || (!reads && !writes) ||
	    preflight_footprint(pj) > fl->f->memory_bytes)
		return;
	message_printf(
		out,
		"%s the page cache{? ({+direct=0})}, and its %s fit into memory: the figures are mostly "
		"those of memory; {+direct=1} measures the device",
		reads && writes ? "reads and writes go through"
		: reads         ? "repeated reads go through"
				: "writes go to",
		units_bytes(preflight_footprint(pj)).text);
	if (writes)
		message_printf(out, ", {+end_fsync=1} counts the flush");
}

/* Notes sequential buffered reads of blocks that are not cached, for which the kernel reads ahead. */
void preflight_check_ahead(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	if (preflight_measures(fl, pj) && preflight_cached(pj) && pj->rw & RW_READ && !(pj->rw & RW_RANDOM) &&
	    !preflight_repeats(pj) && pj->job->opts.file.invalidate &&
	    !(pj->job->engine->caps & ENG_NO_READAHEAD))
		message_printf(out, "{?{+direct=0}: }the kernel reads ahead: read latencies are mostly those "
				    "of memory, and the bandwidth is that of readahead; "
				    "{+direct=1} measures the device");
}

void preflight_check_loop(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct media *m = preflight_media_of(fl, &pj->files[0]);

	if (preflight_measures(fl, pj) && m->cached_loop)
		message_printf(out,
			       "%s is a loop device whose file goes through the page cache: the figures are "
			       "partly those of "
			       "memory; losetup --direct-io=on /dev/%s changes that",
			       m->disk, m->disk);
}

void preflight_check_depth(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	if (preflight_measures(fl, pj) && preflight_cached(pj) && pj->depth > 1 &&
	    pj->job->engine->caps & ENG_BUFFERED_SYNC)
		message_printf(out,
			       "%s{? with {+direct=0}} completes each I/O while it submits it, so "
			       "{iodepth=%u} is in effect 1{?; use {+direct=1}}{? or {+ioengine=io_uring}}",
			       pj->job->engine->name, pj->depth);
}
