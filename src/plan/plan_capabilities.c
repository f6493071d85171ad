/* plan_capabilities.c: whether a target and the range of it support the job: trims, zones, atomic writes. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include "message.h"
#include "plan_build.h"
#include "strbuf.h"
#include "units.h"

/* Returns whether the job trims only what it has written (trim_percentage). */
static bool trims_writes(const struct plan_job *pj)
{
	return !(pj->rw & RW_TRIM);
}

static __attribute__((format(printf, 3, 4))) int refuse_trim(struct build *b, const struct plan_job *pj,
							     const char *fmt, ...)
{
	const struct job *job = pj->job;
	struct strbuf m = { 0 };
	va_list ap;
	int ret;

	if (trims_writes(pj))
		message_printf(&m, "{trim_percentage=%u}", job->opts.verify.trim_percentage);
	else
		message_printf(&m, "{rw=%s}", plan_rw_name(pj->rw));
	va_start(ap, fmt);
	message_vprintf(&m, fmt, ap);
	va_end(ap);
	ret = plan_err_message(b, job, trims_writes(pj) ? "trim_percentage" : "rw", strbuf_str(&m));
	strbuf_fini(&m);
	return ret;
}

static int check_trim_size(struct build *b, const struct plan_job *pj, const struct plan_target *t,
			   uint32_t bytes)
{
	uint32_t block = t->facts->logical_block;

	if (bytes % block == 0)
		return 0;
	return refuse_trim(b, pj, " with trims of %u bytes: %s trims multiples of %u bytes", bytes, t->path,
			   block);
}

/* Refuses an option that places trims within blocks of the device. */
static int check_trim_place(struct build *b, const struct plan_job *pj, const struct plan_target *t,
			    const char *name, uint64_t bytes)
{
	uint32_t block = t->facts->logical_block;

	if (bytes % block == 0)
		return 0;
	return plan_err(b, pj->job, name, "{%s=%" PRIu64 "}: %s trims multiples of %u bytes", name, bytes,
			t->path, block);
}

static int check_aligned(struct build *b, const struct plan_job *pj, const struct plan_file *pf,
			 uint32_t smallest)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	const struct offset_cfg *o = &pj->job->opts.offset;
	unsigned dir = trims_writes(pj) ? DIR_WRITE : DIR_TRIM;
	struct bsize_share list[BSSPLIT_MAX];
	unsigned n = bsize_list(&o->bsize, 1u << dir, list, BSSPLIT_MAX);
	uint32_t largest = bsize_max(&o->bsize, 1u << dir);
	uint64_t stride = o->rw_stride < 0 ? -(uint64_t)o->rw_stride : (uint64_t)o->rw_stride;
	int ret;

	if (t->facts->logical_block < 2)
		return 0;
	ret = check_trim_size(b, pj, t, smallest);
	ret = ret ? ret : check_trim_size(b, pj, t, largest);
	for (unsigned i = 0; i < n && !ret; i++)
		ret = check_trim_size(b, pj, t, list[i].bytes);
	if (!ret && o->bsize.unaligned && smallest < largest)
		ret = plan_err(b, pj->job, "bs_unaligned", "{bs_unaligned=1}: %s trims multiples of %u bytes",
			       t->path, t->facts->logical_block);
	ret = ret ? ret : check_trim_place(b, pj, t, "offset", pf->start);
	if (!ret && pj->rw & RW_RANDOM)
		ret = check_trim_place(b, pj, t, "ba", o->ba[dir]);
	if (!ret && !(pj->rw & RW_RANDOM) && stride % t->facts->logical_block)
		ret = refuse_trim(b, pj,
				  ", which moves on by %" PRIu64 " bytes: %s trims multiples of %u bytes",
				  stride, t->path, t->facts->logical_block);
	return ret;
}

/* Notes trims smaller than the device's unit. It accepts them, but gives up only whole units. */
static void note_unit(struct build *b, const struct plan_job *pj, const struct plan_file *pf,
		      uint32_t smallest)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	uint64_t unit = t->facts->trim_unit;

	if (!unit || pj->job->opts.file.trim_kind != TRIM_DISCARD ||
	    (smallest % unit == 0 && pf->start % unit == 0) || pj->clone || pf != pj->files)
		return;
	notes_add(&b->p->notes,
		  "%s: %s frees space in units of %" PRIu64
		  " bytes (discard_granularity), so a unit that a trim covers in part is not freed",
		  pj->job->name, t->path, unit);
}

static int check_trim(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	uint32_t smallest = bsize_min(&pj->job->opts.offset.bsize, trims_writes(pj) ? RW_WRITE : RW_TRIM);
	int ret = 0;

	if (!(job_access(pj->job) & RW_TRIM) || pf->zone_size ||
	    pj->job->engine->caps & (ENG_NOFILE | ENG_NOIO | ENG_META))
		return 0;
	if (t->facts->type == TARGET_CHAR)
		return refuse_trim(b, pj, ": %s is a character device, which cannot be trimmed", t->path);
	if (t->facts->type != TARGET_BLOCK && pj->job->opts.file.trim_kind == TRIM_SECURE)
		return plan_err(b, pj->job, "trim_kind",
				"{trim_kind=secure}: %s is a file; only block devices have secure discards",
				t->path);
	if (t->facts->no_trim && pj->job->opts.file.trim_kind == TRIM_DISCARD)
		return refuse_trim(b, pj, ": %s does not support trims (its discard_max_bytes is 0)",
				   t->path);
	if (t->facts->type == TARGET_BLOCK)
		ret = check_aligned(b, pj, pf, smallest);
	if (!ret)
		note_unit(b, pj, pf, smallest);
	return ret;
}

/* Refuses a sequence with blocks beyond the range. */
static int check_sequence(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct offset_cfg *o = &pj->job->opts.offset;

	for (unsigned dir = 0; dir < DIR_DATA && o->dist && pj->rw & RW_RANDOM; dir++) {
		uint32_t least = bsize_entry_min(&o->bsize, bsize_entry(&o->bsize, true, dir));
		uint64_t align = o->ba[dir] ? o->ba[dir] : least;
		uint64_t places = pf->len < least || !align ? 0 : (pf->len - least) / align + 1;

		if (o->dist->kind == DIST_SEQUENCE && pj->rw & 1u << dir && o->dist->sequence_blocks > places)
			return plan_err(b, pj->job, "random_distribution",
					"{random_distribution=%.80s}: block %" PRIu64
					" lies beyond the end of %s, of which the job uses %" PRIu64
					" blocks, counted from 0",
					pj->job->opts.distribution, o->dist->sequence_blocks - 1,
					b->p->targets[pf->target].path, places);
	}
	return 0;
}

/* Refuses zones in bytes beyond the range, as fio does. */
static int check_zones(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct offset_cfg *o = &pj->job->opts.offset;

	for (unsigned dir = 0; dir < DIR_DATA && o->dist && pj->rw & RW_RANDOM; dir++) {
		uint64_t reach = pj->rw & 1u << dir ? dist_end(o->dist, (enum io_dir)dir) : 0;

		if (pj->rw & 1u << dir && !dist_accesses(o->dist, (enum io_dir)dir, pf->len))
			return plan_err(b, pj->job, "random_distribution",
					"{random_distribution=%.80s}: all its accesses lie beyond the end of "
					"%s, of which the job uses %" PRIu64 " bytes",
					pj->job->opts.distribution, b->p->targets[pf->target].path, pf->len);
		if (reach > pf->len && !o->dist->clip)
			return plan_err(b, pj->job, "random_distribution",
					"{random_distribution=%.80s}: its zones need %" PRIu64
					" bytes, of %s the job uses %" PRIu64,
					pj->job->opts.distribution, reach, b->p->targets[pf->target].path,
					pf->len);
	}
	return 0;
}

/* Refuses zones whose starts O_DIRECT or trims cannot reach. */
static int check_zone_starts(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const struct zone_cfg *z = &pj->job->opts.offset.zone;
	bool direct = pj->job->opts.file.direct;

	if ((direct || job_access(pj->job) & RW_TRIM) && t->facts->type == TARGET_BLOCK &&
	    t->facts->logical_block && (z->range + z->skip) % t->facts->logical_block)
		return plan_err(b, pj->job, "zoneskip",
				"{%s} with zones every %" PRIu64 " bytes ({zonesize}, {zonerange} and "
				"{zoneskip}): %s needs multiples of %u bytes",
				direct ? "direct=1" : "rw=trim", z->range + z->skip, t->path,
				t->facts->logical_block);
	return 0;
}

/* Refuses zones that the range cannot hold (zonemode=strided). */
static int check_strided(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct zone_cfg *z = &pj->job->opts.offset.zone;
	const struct plan_target *t = &b->p->targets[pf->target];
	bool by_range = job_user_option(pj->job, "zonerange");

	if (z->mode != ZONE_STRIDED)
		return 0;
	if (z->range > pf->len)
		return plan_err(b, pj->job, by_range ? "zonerange" : "zonesize",
				"{%s=%s}: a zone is larger than the area of %s (%s)",
				by_range ? "zonerange" : "zonesize", units_suffixed(z->range).text, t->path,
				units_exact(pf->len).text);
	return check_zone_starts(b, pj, t);
}

/* zonemode=zbd. Zones of a zoned device begin where O_DIRECT can reach. */
static int check_zbd(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	int ret = plan_check_zbd(b, pj, pf);

	if (ret || pj->job->opts.offset.zone.mode != ZONE_ZBD || t->facts->zones)
		return ret;
	return check_zone_starts(b, pj, t);
}

/* Returns whether the kernel writes all sizes atomically: powers of two within bounds. */
static bool atomic_sizes(const struct bsize_cfg *c, const struct target_facts *f)
{
	struct bsize_share list[BSSPLIT_MAX];
	unsigned n = bsize_list(c, RW_WRITE, list, BSSPLIT_MAX);

	for (unsigned i = 0; i < n; i++)
		if (list[i].bytes & (list[i].bytes - 1) || list[i].bytes < f->atomic_min ||
		    list[i].bytes > f->atomic_max)
			return false;
	return n > 0;
}

static int check_atomic(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	const struct bsize_cfg *sizes = &pj->job->opts.offset.bsize;

	if (!pj->job->opts.file.atomic || !plan_writes(pj) || t->facts->type == TARGET_MISSING ||
	    t->facts->type == TARGET_OTHER)
		return 0;
	if (!t->facts->atomic_max)
		return plan_err(b, pj->job, "atomic",
				"{atomic=1}: %s, its file system or the kernel (Linux 6.11 or later) cannot "
				"write atomically",
				t->path);
	if (!atomic_sizes(sizes, t->facts) || pf->start % bsize_max(sizes, RW_WRITE))
		return plan_err(b, pj->job, "atomic",
				"{atomic=1}: atomic writes to %s have a power of two of %u to %u bytes, at "
				"multiples of their length",
				t->path, t->facts->atomic_min, t->facts->atomic_max);
	return 0;
}

/* For remote_only: refuses local files, which DISKSPD fails to open. */
static int check_remote(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	static const char *const network[] = { "nfs", "nfs4", "cifs", "smb3" };
	const struct plan_target *t = &b->p->targets[pf->target];

	if (!pj->job->opts.files.remote_only || pj->job->engine->caps & ENG_VIRTUAL)
		return 0;
	for (size_t i = 0; i < sizeof(network) / sizeof(*network); i++)
		if (!strcmp(t->facts->fstype, network[i]))
			return 0;
	return diag_kind(b->d, DIAG_RUN, -EINVAL,
			 "%s: {remote_only=1} is for files on NFS and SMB, but this is %s%s", t->path,
			 t->facts->type == TARGET_BLOCK ? "a device" : "on ",
			 t->facts->type == TARGET_BLOCK ? ""
			 : t->facts->fstype[0]          ? t->facts->fstype
							: "another file system");
}

int plan_capabilities(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	static int (*const checks[])(struct build *, const struct plan_job *, const struct plan_file *) = {
		check_trim, check_zones, check_sequence, check_strided, check_zbd, check_remote, check_atomic,
	};
	int ret = 0;

	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks) && !ret; i++)
		ret = checks[i](b, pj, pf);
	return ret;
}
