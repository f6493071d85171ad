/* preflight_device.c: properties of the device and the CPUs that enter the figures. */
#include <string.h>
#include "preflight_checks.h"

static bool sends_commands(const struct plan_job *pj)
{
	return pj->job->engine->caps & ENG_PASSTHROUGH;
}

/* Returns whether each write is durable when it completes (writefua=1). */
static bool writes_are_durable(const struct plan_job *pj)
{
	const struct user_option *fua = job_user_option(pj->job, "writefua");

	return sends_commands(pj) && fua && fua->text && !strcmp(fua->text, "1");
}

void preflight_check_statistics(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct media *m = preflight_media_of(fl, &pj->files[0]);

	if (preflight_measures(fl, pj) && sends_commands(pj) && !m->counts_passthrough)
		message_printf(out,
			       "its commands go past the block layer, so the disk statistics of %s do not "
			       "count them",
			       m->disk);
}

void preflight_check_write_cache(const struct preflight_ctx *fl, const struct plan_job *pj,
				 struct strbuf *out)
{
	const struct media *m = preflight_media_of(fl, &pj->files[0]);

	if (preflight_measures(fl, pj) && !preflight_cached(pj) && pj->rw & RW_WRITE && m->write_back &&
	    !preflight_flushes(&pj->job->opts) && !writes_are_durable(pj))
		message_printf(out,
			       "%s has a volatile write cache: a write completes when it is in the cache; "
			       "{?{+fsync=1} or }{+%s} measures writes that would survive a power cut",
			       m->disk, sends_commands(pj) ? "writefua=1" : "sync=dsync");
}

void preflight_check_block(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct media *m = preflight_media_of(fl, &pj->files[0]);
	uint32_t bs;

	if (!preflight_measures(fl, pj) || preflight_cached(pj) || !(pj->rw & RW_WRITE))
		return;
	bs = bsize_min(&pj->job->opts.offset.bsize, RW_WRITE);
	if (bs % (m->physical_block ? m->physical_block : 1))
		message_printf(out,
			       "writes of %u bytes do not fill the blocks of %s (%u bytes), so the device "
			       "reads before it writes; {+bs=%u} or a multiple avoids that",
			       bs, m->disk, m->physical_block, m->physical_block);
}

void preflight_check_kind(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct media *m = preflight_media_of(fl, &pj->files[0]);

	if (!preflight_measures(fl, pj) || preflight_cached(pj))
		return;
	if (m->is_virtual)
		message_printf(out,
			       "%s is a virtual disk: the figures include caching, limits and other load of "
			       "its host",
			       m->disk);
	else if (m->rotational && pj->rw & RW_RANDOM)
		message_printf(out,
			       "%s is a rotating disk: the speed of random I/O depends on the size of the "
			       "range; report that size with the figures",
			       m->disk);
}

void preflight_check_use(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct target_facts *t = preflight_target_of(fl, &pj->files[0]);

	if (preflight_measures(fl, pj) && t->type == TARGET_BLOCK && t->in_use)
		message_printf(out, "%s is in use (%s): the figures include the I/O of its other users",
			       preflight_path_of(fl, &pj->files[0]), t->refusal);
}

void preflight_check_governor(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const char *g = fl->f->governor;

	if (*g && strcmp(g, "performance") &&
	    (preflight_measures(fl, pj) || pj->job->engine->caps & ENG_VIRTUAL))
		message_printf(out,
			       "the CPU governor is %s: frequency changes lower IOPS and lengthen "
			       "latencies; the governor performance avoids them",
			       g);
}
