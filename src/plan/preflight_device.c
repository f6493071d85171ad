/* preflight_device.c: properties of the device and the CPUs that enter the figures. */
#include <string.h>
#include "preflight_checks.h"
#include "strbuf.h"

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

/* ---- the disks that a note names ---- */

#define DISKS_MAX 3u

struct disks {
	const char *name[DISKS_MAX];
	uint32_t n; /* DISKS_MAX + 1: there are more */
};

typedef bool disk_test(const struct media *m);

static bool has_disk(const struct disks *d, const char *name)
{
	for (uint32_t i = d->n; i-- > 0;)
		if (!strcmp(d->name[i], name))
			return true;
	return false;
}

/* Finds the disks below the files of the job that pass the test. */
static struct disks find_disks(const struct preflight_ctx *fl, const struct plan_job *pj, disk_test *test)
{
	struct disks d = { 0 };

	for (uint32_t i = 0; i < pj->nfiles && d.n <= DISKS_MAX; i++) {
		const struct media *m = preflight_media_of(fl, &pj->files[i]);

		if (!*m->disk || !test(m) || has_disk(&d, m->disk))
			continue;
		if (d.n < DISKS_MAX)
			d.name[d.n] = m->disk;
		d.n++;
	}
	return d;
}

/* Adds "a", "a and b", or "a, b, c and others". */
static void put_disks(const struct disks *d, struct strbuf *out)
{
	for (uint32_t i = 0; i < d->n && i < DISKS_MAX; i++)
		message_printf(out, "%s%s", i == 0 ? "" : i + 1 == d->n ? " and " : ", ", d->name[i]);
	if (d->n > DISKS_MAX)
		strbuf_puts(out, " and others");
}

/* ---- checks ---- */

static bool counts_no_passthrough(const struct media *m)
{
	return !m->counts_passthrough;
}

void preflight_check_statistics(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	struct disks d;

	if (!preflight_measures(fl, pj) || !sends_commands(pj))
		return;
	d = find_disks(fl, pj, counts_no_passthrough);
	if (!d.n)
		return;
	strbuf_puts(out, "its commands go past the block layer, so the disk statistics of ");
	put_disks(&d, out);
	strbuf_puts(out, " do not count them");
}

static bool has_write_cache(const struct media *m)
{
	return m->write_back;
}

void preflight_check_write_cache(const struct preflight_ctx *fl, const struct plan_job *pj,
				 struct strbuf *out)
{
	struct disks d;

	if (!preflight_measures(fl, pj) || preflight_cached(pj) || !(pj->rw & RW_WRITE) ||
	    preflight_flushes(&pj->job->opts) || writes_are_durable(pj))
		return;
	d = find_disks(fl, pj, has_write_cache);
	if (!d.n)
		return;
	put_disks(&d, out);
	message_printf(out,
		       " %s a volatile write cache: a write completes when it is in the cache; "
		       "{?{+fsync=1} or }{+%s} measures writes that would survive a power cut",
		       d.n > 1 ? "have" : "has", sends_commands(pj) ? "writefua=1" : "sync=dsync");
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

static bool is_virtual(const struct media *m)
{
	return m->is_virtual;
}

static bool is_rotating(const struct media *m)
{
	return m->rotational && !m->is_virtual;
}

void preflight_check_kind(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	struct disks d;

	if (!preflight_measures(fl, pj) || preflight_cached(pj))
		return;
	d = find_disks(fl, pj, is_virtual);
	put_disks(&d, out);
	if (d.n)
		message_printf(out, " %s: the figures include caching, limits and other load of %s host",
			       d.n > 1 ? "are virtual disks" : "is a virtual disk",
			       d.n > 1 ? "their" : "its");
	if (d.n || !(pj->rw & RW_RANDOM))
		return;
	d = find_disks(fl, pj, is_rotating);
	put_disks(&d, out);
	if (d.n)
		message_printf(out,
			       " %s: the speed of random I/O depends on the size of the range; report that "
			       "size with the figures",
			       d.n > 1 ? "are rotating disks" : "is a rotating disk");
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
