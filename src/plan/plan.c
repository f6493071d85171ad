/* plan.c: jobs, waves, groups, files and their ranges. Layouts and refusals: plan_layout.c. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "plan_build.h"
#include "rows.h"
#include "rng.h"
#include "scale.h"

/* fill_device without a size: more than fits anywhere. */
#define FILL_BYTES ((uint64_t)1 << 60)

static int no_memory(struct build *b)
{
	return diag_err(b->d, -ENOMEM, "out of memory for the plan");
}

static bool virtual_target(const struct job *job)
{
	return job->engine->caps & (ENG_NOFILE | ENG_NOIO);
}

/* The index of a path among the facts, which the plan's targets mirror; the one after the last is virtual. */
static uint32_t find_target(const struct build *b, const char *path)
{
	size_t lo = 0, hi = b->f->ntargets;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = strcmp(b->f->target[mid].path, path);

		if (c == 0)
			return (uint32_t)mid;
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return UINT32_MAX;
}

static int by_identity(const void *a, const void *b, void *arg)
{
	const struct plan_target *t = arg;
	const struct plan_target *v = &t[*(const uint32_t *)a], *w = &t[*(const uint32_t *)b];
	const struct target_facts *x = v->facts, *y = w->facts;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	if (x->ino != y->ino)
		return x->ino < y->ino ? -1 : 1;
	return x->ino ? 0 : target_missing_cmp(x, v->path, y, w->path);
}

/* One file by several names is one file: `same` names the first of them. */
static bool find_same(struct build *b)
{
	struct plan *p = b->p;
	uint32_t *order = arena_array(&p->arena, p->ntargets, sizeof(*order));

	if (!order)
		return false;
	for (uint32_t i = 0; i < p->ntargets; i++)
		order[i] = p->targets[i].same = i;
	qsort_r(order, p->ntargets, sizeof(*order), by_identity, p->targets);
	for (uint32_t i = 1; i < p->ntargets; i++) {
		if (by_identity(&order[i], &order[i - 1], p->targets) == 0)
			p->targets[order[i]].same = p->targets[order[i - 1]].same;
	}
	return true;
}

static bool make_targets(struct build *b)
{
	static const struct target_facts nothing = { .type = TARGET_OTHER };
	struct plan *p = b->p;

	p->ntargets = (uint32_t)b->f->ntargets + 1;
	p->targets = arena_array(&p->arena, p->ntargets, sizeof(*p->targets));
	b->state = arena_array(&p->arena, p->ntargets, sizeof(*b->state));
	if (!p->targets || !b->state)
		return false;
	for (uint32_t i = 0; i + 1 < p->ntargets; i++) {
		p->targets[i].path = b->f->target[i].path;
		p->targets[i].facts = &b->f->target[i].facts;
		b->state[i].size = p->targets[i].facts->size;
		b->state[i].exists = p->targets[i].facts->type != TARGET_MISSING;
	}
	p->targets[p->ntargets - 1].path = "(no file)";
	p->targets[p->ntargets - 1].facts = &nothing;
	return find_same(b);
}

/* allow_write of all jobs: what one names is open to all. */
static bool collect_allow(struct build *b)
{
	struct plan *p = b->p;
	const char **paths = NULL;
	unsigned n = 0;

	for (size_t i = 0; i < p->set->njobs; i++) {
		struct job named = { .name = "",
				     .opts.files.filename = p->set->jobs[i].opts.files.allow_write };
		uint32_t count;
		const char **more, **all;

		if (!named.opts.files.filename || !*named.opts.files.filename)
			continue;
		more = plan_paths(&p->arena, &named, 0, &count);
		all = arena_array(&p->arena, n + count, sizeof(*all));
		if (!more || !all)
			return false;
		if (n)
			memcpy(all, paths, n * sizeof(*all));
		memcpy(all + n, more, count * sizeof(*all));
		paths = all;
		n += count;
	}
	p->allow = (struct target_allow){ paths, n };
	return true;
}

static uint64_t share(uint64_t of, uint32_t percent)
{
	return scale(of, percent, 100);
}

/* The size that filesize= or size= give one file, 0 if neither does. whole: bytes of the target, for
 * percentages. */
static uint64_t asked_size(const struct plan_job *pj, uint32_t i, uint64_t whole)
{
	const struct files_cfg *c = &pj->job->opts.files;
	uint64_t lo = c->filesize_lo, hi = c->filesize_hi, unit = pj->bs_min;
	struct rng r;

	if (lo && hi > lo && unit) {
		/* As in fio: any number of bytes of the range, rounded down to a multiple of the block size.
		 */
		rng_init(&r, pj->seed ^ (i + 77));
		lo = (lo + rng_below(&r, hi - lo + 1)) / unit * unit;
		return lo ? lo : unit;
	}
	if (lo)
		return lo;
	if (c->size.percent && unit)
		return share(whole, c->size.percent) / unit * unit;
	return c->size.bytes / pj->nfiles;
}

static uint64_t amount_of(const struct amount *a, uint64_t whole)
{
	return a->percent ? share(whole, a->percent) : a->bytes;
}

/* As in fio a share that says where to begin is rounded up to the smallest block. */
static uint64_t place_of(const struct amount *a, uint64_t whole, uint32_t block)
{
	uint64_t v = amount_of(a, whole);

	return a->percent && block ? (v + block - 1) / block * block : v;
}

static bool relative(const struct files_cfg *c)
{
	return c->size.percent || c->offset.percent || c->offset_increment.percent;
}

/* Where the file ends whatever the offset: filesize= says how long it is, and a share stays inside of what it
   is a share of. 0: size= counts from the offset. */
static uint64_t file_end(const struct files_cfg *c, uint64_t asked, uint64_t whole)
{
	if (c->filesize_lo)
		return asked;
	return relative(c) ? (whole ? whole : asked) : 0;
}

/* As in fio only files have an end that moves. */
static bool appends(const struct files_cfg *c, const struct plan_target *t)
{
	return c->append && (t->facts->type == TARGET_FILE || t->facts->type == TARGET_MISSING);
}

/* The range of one file: [start, start + len). */
static int file_range(struct build *b, struct plan_job *pj, uint32_t i)
{
	const struct job *job = pj->job;
	const struct files_cfg *c = &job->opts.files;
	struct plan_file *pf = &pj->files[i];
	const struct plan_target *t = &b->p->targets[pf->target];
	uint64_t whole, asked, base, limit, later;
	bool fixed = t->facts->type == TARGET_BLOCK, there = plan_wait_for_found(b, pj, pf->target, &whole);

	if (!there && c->size.percent && !c->filesize_lo && !virtual_target(job))
		return plan_err(b, job, "size",
				"{size=%u%%}: %s does not exist, so it has no size to take a share of; say "
				"{+size=BYTES}",
				c->size.percent, t->path);
	asked = asked_size(pj, i, whole);
	if (!asked && c->fill && (t->facts->type == TARGET_FILE || t->facts->type == TARGET_MISSING))
		asked = FILL_BYTES / pj->nfiles / pj->bs_max * pj->bs_max;
	if (plan_is_meta(pj)) {
		plan_meta_range(pj, pf, asked);
		return 0;
	}
	if (!asked && (!whole || virtual_target(job)))
		return plan_err(b, job, "size",
				there && !virtual_target(job)
					? "{size=}: %s is empty; say how much to use, such as {+size=1g}"
					: "{size=}: %s does not exist yet; say how large it should be, such "
					  "as {+size=1g}",
				virtual_target(job) ? "the target" : t->path);
	base = whole ? whole : asked;
	if (relative(c) && !base)
		return plan_err(b, job, NULL, "a percentage of %s, which has no size", t->path);
	pf->start = place_of(&c->offset, base, pj->bs_min);
	later = place_of(&c->offset_increment, base, pj->bs_min) * pj->clone;
	if (offset_wraps(&job->opts.offset) && job->opts.offset.wrap == SEQ_WRAP_TARGET)
		pf->first = later;
	else
		pf->start += later;
	if (appends(c, t)) {
		if (!asked)
			return plan_err(b, job, "file_append",
					"{file_append=1}: say how much to append to %s, such as {+size=1g}",
					t->path);
		pf->start = whole;
	}
	if (c->append && fixed && !pj->clone)
		notes_add(&b->p->notes,
			  "%s: {file_append=1} has no effect on %s: a device has no end that moves, and "
			  "writing begins at offset %" PRIu64,
			  job->name, t->path, pf->start);
	if ((fixed || !asked) && pf->start >= whole)
		return plan_err(b, job, "offset", "{offset=%s} lies beyond the end of %s (%s)%s",
				plan_size_text(b, pf->start), t->path, plan_bytes(b, whole),
				plan_lost_size(b, job));
	pf->len = asked ? asked : whole - pf->start;
	limit = appends(c, t) ? 0 : file_end(c, asked, whole);
	if (limit && pf->start >= limit)
		return plan_err(b, job, "offset", "{offset=%s} lies beyond the end of %s (%s)%s",
				plan_size_text(b, pf->start), t->path, plan_bytes(b, limit),
				plan_lost_size(b, job));
	if (limit && pf->len > limit - pf->start)
		pf->len = limit - pf->start;
	if (fixed && pf->len > whole - pf->start) {
		if (!c->size.percent)
			notes_add(&b->p->notes, "%s: size is cut to the end of %s, %s", job->name, t->path,
				  plan_bytes(b, whole - pf->start));
		pf->len = whole - pf->start;
	}
	if (pf->len > UINT64_MAX / 4 || pf->start > UINT64_MAX / 4)
		return plan_err(b, job, "offset",
				"{offset=%" PRIu64 "} and {size=%" PRIu64
				"} of %s are too large; at most 2^62 - 1",
				pf->start, pf->len, virtual_target(job) ? "the target" : t->path);
	if (pf->len < pj->bs_min)
		return plan_err(b, job, "size", "{size=%s} of %s is smaller than one block ({bs=%s})%s",
				plan_size_text(b, pf->len), t->path, plan_size_text(b, pj->bs_min),
				plan_lost_size(b, job));
	if (pf->first > pf->len - pj->bs_min)
		return plan_err(b, job, NULL,
				"{~clone|clone} %u would begin at offset %s + %u x %s of %s, whose range "
				"ends at %s%s",
				pj->clone + 1, plan_size_text(b, pf->start), pj->clone,
				plan_size_text(b, pf->first / pj->clone), t->path,
				plan_bytes(b, pf->start + pf->len), plan_lost_size(b, job));
	pf->size = pf->start + pf->len;
	if (job->opts.native.create_size > pf->size && !fixed)
		pf->size = job->opts.native.create_size;
	return 0;
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
		return plan_err(b, pj->job, "direct",
				"{direct=1} with {bs=%u}: %s needs multiples of %u bytes", pj->bs_min,
				t->path, block);
	if (pf->start % block)
		return plan_err(b, pj->job, "direct",
				"{direct=1} with {offset=%" PRIu64 "}: %s needs multiples of %u bytes",
				pf->start, t->path, block);
	return 0;
}

static int check_directory(struct build *b, const struct job *job, const char *path)
{
	uint32_t t = *path ? find_target(b, path) : UINT32_MAX;

	return t == UINT32_MAX ? 0 : plan_reach_directory(b, job, path, b->p->targets[t].facts);
}

static int make_files(struct build *b, struct plan_job *pj)
{
	uint32_t count, ndirs = 0;
	const char **paths = plan_paths(&b->p->arena, pj->job, pj->clone, &count);
	const char **dirs = plan_directories(&b->p->arena, pj->job);
	uint64_t total = 0;
	int ret = 0;

	if (!paths || !dirs)
		return no_memory(b);
	if (pj->job->engine->caps & ENG_NOIO)
		return 0;
	for (; dirs[ndirs] && !ret && !virtual_target(pj->job); ndirs++)
		ret = check_directory(b, pj->job, dirs[ndirs]);
	pj->nfiles = count;
	if (ret == 0 && count > UINT16_MAX)
		return plan_err(b, pj->job, "nrfiles", "{nrfiles=%u}: at most %u files a job", count,
				UINT16_MAX);
	pj->files = arena_array(&b->p->arena, count, sizeof(*pj->files));
	if (!pj->files)
		return no_memory(b);
	for (uint32_t i = 0; i < count && !ret; i++) {
		pj->files[i].user = pj;
		pj->files[i].target = virtual_target(pj->job) ? b->p->ntargets - 1 : find_target(b, paths[i]);
		if (pj->files[i].target == UINT32_MAX)
			return plan_err(b, pj->job, NULL, "%s: nothing is known of this path", paths[i]);
		if (ndirs)
			ret = plan_reach_inside(b, pj->job, paths[i], dirs[pj->clone % ndirs]);
		if (!ret && !virtual_target(pj->job))
			ret = plan_reach(b, pj, &b->p->targets[pj->files[i].target]);
		if (!ret)
			ret = file_range(b, pj, i);
		if (!ret)
			ret = check_alignment(b, pj, &pj->files[i]);
		if (!ret)
			ret = plan_fit(b, pj, &pj->files[i]);
		if (!ret && !virtual_target(pj->job))
			plan_wait_for_use(b, pj, &pj->files[i]);
		total += pj->files[i].len;
		if (!ret && total > UINT64_MAX / 4)
			return plan_err(b, pj->job, NULL, "its files of %s are too large together",
					plan_bytes(b, pj->files[i].len));
	}
	pj->pass_bytes = total;
	return ret;
}

static int set_amount(struct build *b, struct plan_job *pj)
{
	const struct files_cfg *c = &pj->job->opts.files;
	bool files = plan_is_meta(pj); /* not their bytes */

	if (!files && c->size.bytes && c->filesize_lo && c->size.bytes < pj->pass_bytes)
		pj->pass_bytes = c->size.bytes;
	if (!files && c->size.percent && c->filesize_lo)
		pj->pass_bytes = share(pj->pass_bytes, c->size.percent);
	if (c->io_size.bytes || c->io_size.percent) {
		pj->pass_bytes = amount_of(&c->io_size, pj->pass_bytes);
		pj->repeat = !eng_not_repeatable(pj->job->engine);
	}
	if (pj->pass_bytes < pj->bs_min && !(pj->job->engine->caps & ENG_NOIO))
		return plan_err(b, pj->job, "io_size", "{io_size=%s} is smaller than one block ({bs=%s})%s",
				plan_size_text(b, pj->pass_bytes), plan_size_text(b, pj->bs_min),
				plan_lost_size(b, pj->job));
	return 0;
}

/* A ramp by amount that leaves nothing to be measured. In a group all jobs get there together. */
static void note_ramp(struct build *b, const struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;
	uint32_t loops = o->time.loops ? o->time.loops : 1;

	if (!pj->clone && o->time.ramp_bytes && !o->time.time_based && !o->group.group_reporting &&
	    o->time.ramp_bytes / loops >= pj->pass_bytes)
		notes_add(&b->p->notes,
			  "%s: {ramp_size=%" PRIu64
			  "} is all that the job does: nothing is left to be measured",
			  pj->job->name, o->time.ramp_bytes);
}

static void measure_one(struct wstat_layout *l, int dir, enum lat_kind kind, bool moments, bool hist)
{
	l->moments[dir][kind] = moments;
	if (moments && hist)
		l->hist[dir][kind] = (uint8_t)++l->nhist;
}

/* Which moments and histograms the workers keep. A synchronous engine has no submission latency; only an I/O
   of a rate has a moment at which it is due, and so a response time. */
static void measure(struct plan_job *pj)
{
	const struct report_cfg *r = &pj->job->opts.report;
	const struct engine *e = pj->job->engine;
	bool sync = !pj->job->opts.queue.offload &&
		    (e->caps & ENG_SYNC || (e->caps & ENG_VIRTUAL && pj->depth == 1));
	struct wstat_layout *l = &pj->layout;

	for (int d = 0; d < DIR_DATA; d++) {
		if (!(pj->rw & 1u << d))
			continue;
		measure_one(l, d, LAT_SLAT, !r->no_slat && !sync, r->slat_percentiles);
		measure_one(l, d, LAT_CLAT, !r->no_clat, true); /* the shares of latencies need it, too */
		measure_one(l, d, LAT_LAT, !r->no_lat, r->lat_percentiles);
		if (!pj->job->opts.pace.rate[d] && !pj->job->opts.pace.rate_iops[d])
			continue;
		measure_one(l, d, LAT_RESP, !r->gtod_reduce, true);
	}
	if (pj->rw & RW_WRITE && (pj->job->opts.sync.fsync || pj->job->opts.sync.fdatasync))
		measure_one(l, DIR_SYNC, LAT_CLAT, !r->gtod_reduce, true);
}

static uint64_t seed_of(const struct build *b, const struct job *job, uint64_t section, uint32_t clone)
{
	uint64_t s = rng_mix64(job->opts.offset.randseed);

	if (!job->opts.offset.randrepeat)
		s ^= b->f->entropy;
	return rng_mix64(s ^ section << 32 ^ clone);
}

/* The entry under which a job is reported; one that is left out (stats=0) is nobody's member. */
static uint32_t report_of(struct plan *p, const struct plan_job *pj)
{
	if (!pj->job->opts.group.group_reporting || !pj->job->opts.report.stats)
		return p->nreports++;
	for (uint32_t i = pj->index; i-- > 0 && p->jobs[i].group == pj->group;) {
		const struct job_opts *o = &p->jobs[i].job->opts;

		if (o->group.group_reporting && o->report.stats)
			return p->jobs[i].report;
	}
	return p->nreports++;
}

/* iodepth_per_file. */
static int deepen(struct build *b, struct plan_job *pj)
{
	if (pj->nfiles > DEPTH_MAX / pj->depth)
		return plan_err(b, pj->job, "iodepth_per_file",
				"{iodepth_per_file=1}: %u I/Os for each of %u files are more than %u",
				pj->depth, pj->nfiles, DEPTH_MAX);
	pj->depth *= pj->nfiles;
	return 0;
}

/* file_weights: one for each file. */
static int weigh_files(struct build *b, struct plan_job *pj)
{
	const char *list = pj->job->opts.files.weights;
	uint32_t *v, n;

	if (!list)
		return 0;
	v = arena_array(&b->p->arena, pj->nfiles, sizeof(*v));
	if (!v)
		return no_memory(b);
	n = file_weights_read(list, v, pj->nfiles);
	if (n != pj->nfiles)
		return plan_err(b, pj->job, "file_weights",
				"{file_weights=%.80s}: %u weight%s for %u file%s; each has one", list, n,
				n == 1 ? "" : "s", pj->nfiles, pj->nfiles == 1 ? "" : "s");
	pj->weights = v;
	return 0;
}

void plan_job_begin(struct build *b, struct plan_job *pj, const struct job *job, size_t section,
		    uint32_t clone)
{
	const struct plan *p = b->p;
	const struct job_opts *o = &job->opts;

	pj->job = job;
	pj->clone = clone;
	pj->group = p->ngroups - 1;
	pj->wave = p->nwaves - 1;
	pj->section = (uint32_t)section;
	pj->stage = b->section[section].stage;
	pj->seed = seed_of(b, job, section, clone);
	pj->rw = o->offset.rw;
	pj->depth = job->engine->caps & ENG_SYNC && !o->queue.offload ? 1 : o->queue.iodepth;
	pj->bs_min = bsize_min(&o->offset.bsize, pj->rw);
	pj->bs_max = bsize_max(&o->offset.bsize, pj->rw);
	if (job->engine->caps & ENG_NOIO)
		pj->rw = 0;
}

struct plan_job *plan_job_new(struct build *b, const struct job *job, size_t section, uint32_t clone)
{
	struct plan *p = b->p;
	struct plan_job *pj = &p->jobs[p->njobs];

	pj->index = p->njobs++;
	plan_job_begin(b, pj, job, section, clone);
	pj->report = report_of(p, pj);
	return pj;
}

int plan_job_files(struct build *b, struct plan_job *pj)
{
	int ret = make_files(b, pj);

	ret = ret ? ret : set_amount(b, pj);
	ret = ret ? ret : plan_scheduler(b, pj);
	if (!ret && pj->job->opts.queue.per_file)
		ret = deepen(b, pj);
	return ret ? ret : weigh_files(b, pj);
}

int plan_job_end(struct build *b, struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;
	struct rng r;
	int ret;

	pj->openfiles =
		o->files.openfiles && o->files.openfiles < pj->nfiles ? o->files.openfiles : pj->nfiles;
	if (o->offset.endless && pj->openfiles < pj->nfiles)
		return plan_err(b, pj->job, "openfiles",
				"{openfiles=%u}: its %u files have I/Os in flight all the time (%s), and so "
				"are open all the time; leave it out",
				pj->openfiles, pj->nfiles,
				pj->nmembers        ? "thread_group"
				: o->queue.per_file ? "iodepth_per_file"
						    : "file_weights");
	rng_init(&r, pj->seed ^ 0x5de1a7);
	pj->startdelay_ns = o->time.startdelay_lo_ns;
	if (o->time.startdelay_hi_ns > o->time.startdelay_lo_ns)
		pj->startdelay_ns += rng_below(&r, o->time.startdelay_hi_ns - o->time.startdelay_lo_ns + 1);
	plan_submit(b, pj);
	measure(pj);
	note_ramp(b, pj);
	plan_layout_after(b->p, pj);
	ret = plan_memory(b, pj);
	ret = ret ? ret : plan_cgroup(b, pj);
	ret = ret ? ret : plan_place(b, pj);
	return ret ? ret : plan_prio(b, pj);
}

static int make_job(struct build *b, const struct job *job, size_t section, uint32_t clone)
{
	struct plan_job *pj = plan_job_new(b, job, section, clone);
	int ret = plan_job_files(b, pj);

	return ret ? ret : plan_job_end(b, pj);
}

static int make_section(struct build *b, uint32_t i)
{
	const struct job *job = &b->p->set->jobs[i];
	int ret = plan_wait_for_stage(b, i);

	if (!ret && job->opts.native.thread_group)
		return plan_thread_group(b, i);
	for (uint32_t c = 0; !ret && c < job->opts.group.numjobs; c++)
		ret = make_job(b, job, i, c);
	return ret;
}

static int make_jobs(struct build *b)
{
	struct plan *p = b->p;
	uint32_t first = 0;
	size_t total = 0;

	for (size_t i = 0; i < p->set->njobs; i++)
		total += p->set->jobs[i].opts.group.numjobs;
	p->jobs = arena_array(&p->arena, total, sizeof(*p->jobs));
	p->stages = arena_array(&p->arena, p->set->njobs, sizeof(*p->stages));
	b->section = arena_array(&p->arena, p->set->njobs, sizeof(*b->section));
	if (!p->jobs || !p->stages || !b->section)
		return no_memory(b);
	for (size_t i = 0; i < p->set->njobs; i++) {
		const struct job *job = &p->set->jobs[i];
		bool wall = i == 0 || job->opts.group.stonewall || job->first_of_file;
		int ret;

		if (thread_group_lead(p->set, job) != job)
			continue; /* made with the first one of its thread_group */
		if (wall && i) {
			ret = plan_layout_wave(b, first);
			if (ret)
				return ret;
			first = p->njobs;
		}
		p->nwaves += wall;
		p->ngroups += wall || job->opts.group.new_group;
		ret = make_section(b, (uint32_t)i);
		if (ret)
			return ret;
	}
	return plan_layout_wave(b, first);
}

static bool list_members(struct plan *p)
{
	uint32_t *at = arena_array(&p->arena, p->nreports + 2, sizeof(*at));

	p->members = arena_array(&p->arena, p->njobs, sizeof(*p->members));
	if (!at || !p->members)
		return false;
	for (uint32_t i = 0; i < p->njobs; i++)
		at[p->jobs[i].report + 2]++;
	for (uint32_t i = 2; i <= p->nreports; i++)
		at[i] += at[i - 1];
	for (uint32_t i = 0; i < p->njobs; i++)
		p->members[at[p->jobs[i].report + 1]++] = i;
	p->member_at = at;
	return true;
}

int plan_build(struct plan *p, const struct job_set *set, const struct facts *f, struct diag *d)
{
	struct build b = { .p = p, .f = f, .d = d };
	int ret;

	p->set = set;
	p->arena.shared = true;
	if (!set->njobs)
		return diag_err(d, -EINVAL, "no job to run");
	if (!make_targets(&b) || !collect_allow(&b))
		return no_memory(&b);
	ret = make_jobs(&b);
	if (!ret && !list_members(p))
		ret = no_memory(&b);
	if (!ret)
		ret = plan_rates(&b);
	if (!ret)
		ret = plan_logs(&b);
	if (ret)
		return ret;
	plan_shared_offset(&b);
	plan_content(&b);
	plan_clock(&b);
	ret = plan_tracks(&b);
	if (!ret)
		ret = plan_per_file(&b);
	return ret ? ret : plan_space(&b);
}

void plan_fini(struct plan *p)
{
	notes_fini(&p->notes);
	notes_fini(&p->overwrite_notes);
	arena_fini(&p->arena);
}
