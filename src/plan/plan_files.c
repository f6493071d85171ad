/* plan_files.c: the files of a clone, the range of bytes that it uses of each, and how much I/O it does. */
#include <inttypes.h>
#include "plan_build.h"
#include "rng.h"
#include "rows.h"
#include "scale.h"
#include "units.h"

/* The size of a file with fill_device and without size: more than any file system has. */
#define FILL_BYTES ((uint64_t)1 << 60)

static bool has_no_target(const struct job *job)
{
	return job->engine->caps & (ENG_NOFILE | ENG_NOIO);
}

static uint64_t percent_of(uint64_t of, uint32_t percent)
{
	return scale(of, percent, 100);
}

/* Returns an amount in bytes. zone: bytes of a zone. */
static uint64_t amount_of(const struct amount *a, uint64_t whole, uint64_t zone)
{
	uint64_t bytes;

	if (a->zones && zone)
		return __builtin_mul_overflow(a->zones, zone, &bytes) ? UINT64_MAX / 2 : bytes;
	return a->percent ? percent_of(whole, a->percent) : a->bytes;
}

/* Returns the size of one file by filesize or size; 0 if neither is given. whole: bytes of the target, for
   percentages. */
static uint64_t configured_size(const struct plan_job *pj, uint32_t i, uint64_t whole)
{
	const struct files_cfg *c = &pj->job->opts.files;
	uint64_t lo = c->filesize_lo, hi = c->filesize_hi, unit = pj->bs_min;
	struct rng r;

	if (lo && hi > lo && unit) {
		/* As in fio the size is a random number of bytes of the range, rounded down to a multiple of
		   the block size. */
		rng_init(&r, pj->seed ^ (i + 77));
		lo = (lo + rng_below(&r, hi - lo + 1)) / unit * unit;
		return lo ? lo : unit;
	}
	if (lo)
		return lo;
	if (c->size.percent && unit)
		return percent_of(whole, c->size.percent) / unit * unit;
	return c->opendir ? 0 : amount_of(&c->size, 0, pj->files[i].zone_size) / pj->nfiles;
}

/* As in fio, an offset in percent is rounded up to a multiple of offset_align, by default of the smallest
   block. */
static uint64_t round_up(const struct plan_job *pj, bool percent, uint64_t at)
{
	uint64_t align = pj->job->opts.files.offset_align;

	align = align ? align : pj->bs_min;
	if (!percent || !align || at > UINT64_MAX / 4) /* check_range refuses the last */
		return at;
	return (at + align - 1) / align * align;
}

static bool has_percentage(const struct files_cfg *c)
{
	return c->size.percent || c->offset.percent || c->offset_increment.percent ||
	       c->rank_offset_increment.percent;
}

/* Returns the end of the range if it does not depend on the offset: filesize is the length of the file, and a
   percentage stays inside of the target. Returns 0 if size counts from the offset. */
static uint64_t file_end(const struct files_cfg *c, uint64_t size, uint64_t whole)
{
	if (c->filesize_lo)
		return size;
	return has_percentage(c) ? (whole ? whole : size) : 0;
}

/* Returns whether the job appends. As in fio it appends to files only, because devices have a fixed end. */
static bool appends(const struct files_cfg *c, const struct plan_target *t)
{
	return c->append && (t->facts->type == TARGET_FILE || t->facts->type == TARGET_MISSING);
}

/* The facts from which the range of a file is computed. */
struct range {
	const struct plan_target *t;
	uint64_t target_size; /* bytes of the target when the job starts */
	uint64_t size;        /* bytes by filesize, size or fill_device; 0: not given */
	bool is_device;       /* a device, which cannot grow */
	bool exists;          /* exists when the job starts */
};

/* A job that verifies has a map of its writes, which needs an end: the size of the file system, which only
   compressed data could pass. */
static uint64_t fill_bytes(const struct plan_job *pj, const struct target_facts *f)
{
	uint64_t bytes = FILL_BYTES / pj->nfiles;

	if (pj->job->opts.verify.format.kind && f->fs_size && f->fs_size < bytes)
		bytes = f->fs_size + pj->bs_max;
	return bytes / pj->bs_max * pj->bs_max;
}

static int find_size(struct build *b, const struct plan_job *pj, const struct plan_file *pf, struct range *r)
{
	const struct job *job = pj->job;
	const struct files_cfg *c = &job->opts.files;
	const struct plan_target *t = &b->p->targets[pf->target];

	r->t = t;
	r->is_device = t->facts->type == TARGET_BLOCK;
	r->exists = plan_wait_for_found(b, pj, pf->target, &r->target_size);
	if (!r->exists && c->size.percent && !c->filesize_lo && !has_no_target(job))
		return plan_err(
			b, job, "size",
			"{size=%u%%}: %s does not exist, so a percentage has no base; use {+size=BYTES}",
			c->size.percent, t->path);
	r->size = plan_replay_layout(pj, (uint32_t)(pf - pj->files), t);
	if (!r->size)
		r->size = configured_size(pj, (uint32_t)(pf - pj->files), r->target_size);
	if (!r->size && c->fill && (t->facts->type == TARGET_FILE || t->facts->type == TARGET_MISSING))
		r->size = fill_bytes(pj, t->facts);
	return 0;
}

static int check_size(struct build *b, const struct plan_job *pj, const struct range *r)
{
	const struct job *job = pj->job;
	const struct files_cfg *c = &job->opts.files;
	const struct plan_target *t = r->t;

	if (!r->size && (!r->target_size || has_no_target(job)))
		return plan_err(b, job, "size",
				r->exists && !has_no_target(job)
					? "{size=}: %s is empty; set a size, such as {+size=1g}"
					: "{size=}: %s does not exist yet; set its size, such as {+size=1g}",
				has_no_target(job) ? "the target" : t->path);
	if (has_percentage(c) && !r->target_size && !r->size)
		return plan_err(b, job, NULL, "a percentage needs a size, and %s has none", t->path);
	return 0;
}

/* Sets where the range of this clone begins. */
static int set_start(struct build *b, const struct plan_job *pj, struct plan_file *pf, const struct range *r)
{
	const struct job *job = pj->job;
	const struct files_cfg *c = &job->opts.files;
	const struct plan_target *t = r->t;
	uint64_t base = r->target_size ? r->target_size : r->size;
	uint64_t later = amount_of(&c->offset_increment, base, pf->zone_size) * pj->clone;
	uint64_t rank = b->p->set->run.rank.rank, of_rank;
	bool percent = c->offset.percent;

	pf->start = amount_of(&c->offset, base, pf->zone_size);
	if (__builtin_mul_overflow(amount_of(&c->rank_offset_increment, base, pf->zone_size), rank,
				   &of_rank) ||
	    __builtin_add_overflow(pf->start, of_rank, &pf->start))
		pf->start = UINT64_MAX / 2; /* check_range refuses it */
	percent |= rank && c->rank_offset_increment.percent;
	if (offset_wraps(&job->opts.offset) && job->opts.offset.wrap == SEQ_WRAP_TARGET) {
		pf->first = round_up(pj, c->offset_increment.percent, later);
	} else {
		pf->start += later;
		percent |= c->offset_increment.percent;
	}
	pf->start = round_up(pj, percent, pf->start);
	if (appends(c, t)) {
		if (!r->size)
			return plan_err(b, job, "file_append",
					"{file_append=1}: set the number of bytes to append to %s, such as "
					"{+size=1g}",
					t->path);
		pf->start = r->target_size;
	}
	if (c->append && r->is_device && !pj->clone)
		notes_add(&b->p->notes,
			  "%s: {file_append=1} has no effect on %s: a device cannot grow, so writing begins "
			  "at offset %" PRIu64,
			  job->name, t->path, pf->start);
	return 0;
}

/* The zones of zonemode=strided reach to the end of the target, as in fio, and size is what a pass moves. The
   zones of a file that the job verifies end with size: a later run must find the same ones, even if other
   jobs have made the file longer. */
static void set_reach(const struct plan_job *pj, struct plan_file *pf, const struct range *r)
{
	const struct job_opts *o = &pj->job->opts;

	pf->pass_bytes = pf->len;
	if (o->offset.zone.mode == ZONE_ZBD)
		plan_whole_zones(pj, pf, r->t);
	if (o->offset.zone.mode == ZONE_STRIDED && (r->is_device || !o->verify.format.kind) &&
	    !appends(&o->files, r->t) && r->target_size > pf->start + pf->len)
		pf->len = r->target_size - pf->start;
}

static int set_length(struct build *b, const struct plan_job *pj, struct plan_file *pf, const struct range *r)
{
	const struct job *job = pj->job;
	const struct files_cfg *c = &job->opts.files;
	const struct plan_target *t = r->t;
	uint64_t limit;

	if ((r->is_device || !r->size) && pf->start >= r->target_size)
		return plan_err(b, job, "offset", "{offset=%s} lies beyond the end of %s (%s)%s",
				units_suffixed(pf->start).text, t->path, units_exact(r->target_size).text,
				plan_overridden_size(b, job));
	pf->len = r->size ? r->size : r->target_size - pf->start;
	limit = appends(c, t) ? 0 : file_end(c, r->size, r->target_size);
	if (limit && pf->start >= limit)
		return plan_err(b, job, "offset", "{offset=%s} lies beyond the end of %s (%s)%s",
				units_suffixed(pf->start).text, t->path, units_exact(limit).text,
				plan_overridden_size(b, job));
	if (limit && pf->len > limit - pf->start)
		pf->len = limit - pf->start;
	if (r->is_device && pf->len > r->target_size - pf->start) {
		if (!c->size.percent)
			notes_add(&b->p->notes, "%s: {size} is reduced to the end of %s, %s", job->name,
				  t->path, units_exact(r->target_size - pf->start).text);
		pf->len = r->target_size - pf->start;
	}
	return 0;
}

static int check_range(struct build *b, const struct plan_job *pj, const struct plan_file *pf,
		       const struct range *r)
{
	const struct job *job = pj->job;
	const struct plan_target *t = r->t;
	uint32_t least = bsize_least_range(&job->opts.offset.bsize, job->opts.offset.rw);

	if (pf->len > UINT64_MAX / 4 || pf->start > UINT64_MAX / 4)
		return plan_err(b, job, "offset",
				"{offset=%" PRIu64 "} and {size=%" PRIu64
				"} of %s are too large; at most 2^62 - 1",
				pf->start, pf->len, has_no_target(job) ? "the target" : t->path);
	if (pf->len < least)
		return plan_err(b, job, "size", "{size=%s} of %s is smaller than one block ({bs=%s})%s",
				units_suffixed(pf->len).text, t->path, units_suffixed(least).text,
				plan_overridden_size(b, job));
	if (pf->first > pf->len - pj->bs_min)
		return plan_err(b, job, NULL,
				"{~clone|clone} %u would begin at offset %s + %u x %s of %s, whose range "
				"ends at %s%s",
				pj->clone + 1, units_suffixed(pf->start).text, pj->clone,
				units_suffixed(pf->first / pj->clone).text, t->path,
				units_exact(pf->start + pf->len).text, plan_overridden_size(b, job));
	return 0;
}

/* Sets the range of one file: [start, start + len). */
static int file_range(struct build *b, struct plan_job *pj, uint32_t i)
{
	uint64_t create_size = pj->job->opts.files.create_size;
	struct plan_file *pf = &pj->files[i];
	struct range r;
	int ret = plan_zone_sizes(b, pj, pf);

	ret = ret ? ret : find_size(b, pj, pf, &r);
	if (!ret && plan_is_meta(pj)) {
		plan_meta_range(pj, pf, r.size);
		pf->pass_bytes = pf->len;
		return 0;
	}
	ret = ret ? ret : check_size(b, pj, &r);
	ret = ret ? ret : set_start(b, pj, pf, &r);
	ret = ret ? ret : set_length(b, pj, pf, &r);
	ret = ret ? ret : check_range(b, pj, pf, &r);
	ret = ret ? ret : plan_zone_offset(b, pj, pf);
	if (ret)
		return ret;
	set_reach(pj, pf, &r);
	pf->size = pf->start + pf->len;
	if (create_size > pf->size && !r.is_device)
		pf->size = create_size;
	return 0;
}

/* Passthrough is direct by nature, so its users need not know the option. */
static int refuse_alignment(struct build *b, const struct plan_job *pj, const struct plan_target *t,
			    const char *name, uint64_t value)
{
	uint32_t block = t->facts->logical_block;

	if (pj->job->engine->caps & ENG_PASSTHROUGH)
		return plan_err(b, pj->job, name,
				"{%s=%" PRIu64 "}: %s needs multiples of its block size, %u bytes", name,
				value, t->path, block);
	return plan_err(b, pj->job, "direct",
			"{direct=1} with {%s=%" PRIu64 "}: %s needs multiples of %u bytes", name, value,
			t->path, block);
}

static int check_alignment(struct build *b, struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	uint32_t block = t->facts->logical_block;

	if (pj->job->opts.file.direct && appends(&pj->job->opts.files, t) && block > 1 && pf->start % block)
		return plan_err(b, pj->job, "file_append",
				"{file_append=1} with {direct=1}: %s ends at %" PRIu64
				", which is no multiple of %u bytes",
				t->path, pf->start, block);
	if (!pj->job->opts.file.direct || t->facts->type != TARGET_BLOCK || block < 2)
		return 0;
	if (pj->bs_min % block)
		return refuse_alignment(b, pj, t, "bs", pj->bs_min);
	return pf->start % block ? refuse_alignment(b, pj, t, "offset", pf->start) : 0;
}

static int check_directory(struct build *b, const struct job *job, const char *path)
{
	uint32_t t = *path ? plan_targets_find(b, path) : UINT32_MAX;

	return t == UINT32_MAX ? 0 : plan_access_directory(b, job, path, b->p->targets[t].facts);
}

/* Plans the file `i` of the clone. dir: the directory that its name must not leave, or NULL. */
static int plan_file(struct build *b, struct plan_job *pj, uint32_t i, const char *path, const char *dir)
{
	bool has_target = !has_no_target(pj->job);
	struct plan_file *pf = &pj->files[i];
	int ret;

	pf->user = pj;
	pf->target =
		has_target ? plan_targets_next(b, path, i ? pf[-1].target : UINT32_MAX) : b->p->ntargets - 1;
	if (pf->target == UINT32_MAX)
		return plan_err(b, pj->job, NULL, "%s: the probe has no facts about this path", path);
	ret = dir ? plan_access_inside(b, pj->job, path, dir) : 0;
	if (!ret && has_target)
		ret = plan_replay_target(b, pj, i, &b->p->targets[pf->target]);
	if (!ret && has_target)
		ret = plan_passthrough(b, pj, &b->p->targets[pf->target]);
	if (!ret && has_target)
		ret = plan_access(b, pj, &b->p->targets[pf->target]);
	if (!ret && has_target)
		ret = plan_error_at(b, pj->job, plan_verify_data(b, pj, pf));
	ret = ret ? ret : file_range(b, pj, i);
	if (!ret && has_target)
		ret = plan_error_at(b, pj->job, plan_verify_length(b, pj, pf));
	ret = ret ? ret : check_alignment(b, pj, pf);
	ret = ret ? ret : plan_capabilities(b, pj, pf);
	if (!ret && has_target)
		plan_wait_for_use(b, pj, pf);
	return ret;
}

static int check_directories(struct build *b, const struct job *job, const char *const *dirs, uint32_t *count)
{
	int ret = 0;

	for (*count = 0; dirs[*count] && !ret && !has_no_target(job); ++*count)
		ret = check_directory(b, job, dirs[*count]);
	return ret;
}

static int plan_named_files(struct build *b, struct plan_job *pj)
{
	uint32_t count, ndirs;
	const char **paths = plan_paths(&b->p->arena, pj->job, pj->clone, &count);
	const char **dirs = plan_directories(&b->p->arena, pj->job);
	int ret;

	if (!paths || !dirs)
		return plan_no_memory(b);
	if (pj->job->engine->caps & ENG_NOIO)
		return 0;
	ret = check_directories(b, pj->job, dirs, &ndirs);
	pj->nfiles = count;
	if (!ret && count > UINT16_MAX)
		return plan_err(b, pj->job, "nrfiles", "{nrfiles=%u}: a job can have at most %u files", count,
				UINT16_MAX);
	pj->files = arena_array(&b->p->arena, count, sizeof(*pj->files));
	if (!pj->files)
		return plan_no_memory(b);
	for (uint32_t i = 0; i < count && !ret; i++) {
		ret = plan_file(b, pj, i, paths[i], ndirs ? dirs[pj->clone % ndirs] : NULL);
		pj->pass_bytes += pj->files[i].pass_bytes;
		if (!ret && pj->pass_bytes > UINT64_MAX / 4)
			return plan_err(b, pj->job, NULL, "its files of %s each are too large in total",
					units_exact(pj->files[i].pass_bytes).text);
	}
	return ret;
}

/* Plans the files of opendir. Files without a whole block are left out. */
static int plan_tree(struct build *b, struct plan_job *pj)
{
	const struct files_cfg *c = &pj->job->opts.files;
	const struct facts_tree *tree = facts_find_tree(b->f, pj->job);
	size_t n = tree ? tree->files.n : 0;
	uint32_t target = UINT32_MAX;
	int ret = 0;

	if (!n && tree && tree->files.unmatched)
		return plan_err(b, pj->job, "opendir_match",
				"{opendir_match=%s}: matches none of the %zu files below %s",
				c->opendir_match, tree->files.unmatched, c->opendir);
	if (!n)
		return plan_err(b, pj->job, "opendir",
				"{opendir=%s}: there is no regular file below this directory", c->opendir);
	pj->nfiles = 0;
	pj->files = arena_array(&b->p->arena, n, sizeof(*pj->files));
	if (!pj->files)
		return plan_no_memory(b);
	for (size_t i = 0; i < n && !ret; i++) {
		target = plan_targets_next(b, tree->files.v[i], target);
		if (target == UINT32_MAX)
			return plan_err(b, pj->job, NULL, "%s: the probe has no facts about this path",
					tree->files.v[i]);
		if (!plan_is_meta(pj) && b->p->targets[target].facts->size < pj->bs_min)
			continue;
		ret = plan_file(b, pj, pj->nfiles++, tree->files.v[i], NULL);
		pj->pass_bytes += pj->files[pj->nfiles - 1].len;
	}
	if (!ret && !pj->nfiles)
		return plan_err(b, pj->job, "opendir",
				"{opendir=%s}: none of its %zu files has a whole block ({bs=%s})", c->opendir,
				n, units_suffixed(pj->bs_min).text);
	if (!ret && pj->nfiles < n && !pj->clone)
		notes_add(&b->p->notes,
			  "%s: {opendir=%s}: %zu of %zu files are left out, because they have no "
			  "whole block ({bs=%s})",
			  pj->job->name, c->opendir, n - pj->nfiles, n, units_suffixed(pj->bs_min).text);
	return ret;
}

int plan_files(struct build *b, struct plan_job *pj)
{
	if (pj->job->opts.files.opendir)
		return plan_tree(b, pj);
	return plan_named_files(b, pj);
}

/* Returns how long the files are together, with the bytes before the offset. */
static uint64_t files_length(const struct plan_job *pj)
{
	uint64_t length = 0;

	for (uint32_t i = 0; i < pj->nfiles; i++)
		length += pj->files[i].start + pj->files[i].len;
	return length;
}

int plan_files_amount(struct build *b, struct plan_job *pj)
{
	const struct files_cfg *c = &pj->job->opts.files;
	bool files = plan_is_meta(pj); /* not their bytes */
	uint64_t size = 0;

	if (c->filesize_lo || (c->opendir && c->size.bytes))
		size = amount_of(&c->size, files_length(pj), 0);
	if (!files && size && size < pj->pass_bytes)
		pj->pass_bytes = size;
	if (c->io_size.bytes || c->io_size.percent || c->io_size.zones) {
		pj->pass_bytes =
			amount_of(&c->io_size, pj->pass_bytes, pj->nfiles ? pj->files[0].zone_size : 0);
		pj->repeat = !engine_not_repeatable(pj->job->engine);
	}
	if (pj->pass_bytes < pj->bs_min && !(pj->job->engine->caps & ENG_NOIO))
		return plan_err(b, pj->job, "io_size", "{io_size=%s} is smaller than one block ({bs=%s})%s",
				units_suffixed(pj->pass_bytes).text, units_suffixed(pj->bs_min).text,
				plan_overridden_size(b, pj->job));
	return 0;
}

int plan_files_depth(struct build *b, struct plan_job *pj)
{
	if (pj->nfiles > DEPTH_MAX / pj->depth)
		return plan_err(b, pj->job, "iodepth_per_file",
				"{iodepth_per_file=1}: %u I/Os for each of %u files are more than %u",
				pj->depth, pj->nfiles, DEPTH_MAX);
	pj->depth *= pj->nfiles;
	return 0;
}

int plan_files_weights(struct build *b, struct plan_job *pj)
{
	const char *list = pj->job->opts.files.weights;
	uint32_t *v, n;

	if (!list)
		return 0;
	v = arena_array(&b->p->arena, pj->nfiles, sizeof(*v));
	if (!v)
		return plan_no_memory(b);
	n = file_weights_read(list, v, pj->nfiles);
	if (n != pj->nfiles)
		return plan_err(b, pj->job, "file_weights",
				"{file_weights=%.80s}: %u weight%s for %u file%s; each file needs one", list,
				n, n == 1 ? "" : "s", pj->nfiles, pj->nfiles == 1 ? "" : "s");
	pj->weights = v;
	return 0;
}
