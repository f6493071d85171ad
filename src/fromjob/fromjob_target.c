/* fromjob_target.c: translates options of a section to those of a target. */
#include <string.h>
#include "strbuf.h"
#include "tojob.h"
#include "fromjob_section.h"
#include "units.h"

static bool mixed(const struct section *s)
{
	return s->dirs == (RW_READ | RW_WRITE);
}

static bool section_writes(const struct section *s)
{
	return s->dirs & RW_WRITE;
}

static enum io_dir first_dir(const struct section *s)
{
	return s->dirs & RW_READ ? DIR_READ : DIR_WRITE;
}

/* Returns true if the threads draw each I/O's target from a pool (-F with -O). */
static bool is_pooled(const struct section *s)
{
	return (s->pool && !s->o->queue.per_file) || (s->o->thread_group.name && s->o->thread_group.depth);
}

static bool is_random(const struct section *s)
{
	return s->o->offset.rw & RW_RANDOM;
}

/* ---- sizes ---- */

static uint64_t common_size(const struct section *s)
{
	struct bsize_share list[BSSPLIT_MAX];
	const struct bsize_cfg *c = &s->o->offset.bsize;
	unsigned n = bsize_list(c, s->dirs, list, BSSPLIT_MAX), best = 0;

	if (!n)
		return bsize_max(c, s->dirs);
	for (unsigned i = 1; i < n; i++)
		if (list[i].percent >= list[best].percent)
			best = i;
	return list[best].bytes;
}

static void block_size(const struct section *s, struct ds_target *t)
{
	t->block = common_size(s);
	if (s->o->offset.bsize.unaligned)
		fromjob_drop(s, "bs_unaligned=1: in DISKSPD all blocks have one size");
	if (bsize_fixed(&s->o->offset.bsize, s->dirs))
		return;
	fromjob_drop(s, "several block sizes: a target has only one, here %s", units_suffixed(t->block).text);
}

/* ---- range ---- */

static uint64_t bytes_of(const struct section *s, const struct amount *a, const char *name)
{
	if (a->percent && job_user_option(s->job, name))
		fromjob_drop(s, "%s=%u%%: the size of the target is not known", name, a->percent);
	return a->percent ? 0 : a->bytes;
}

static void thread_stride(const struct section *s, struct ds_target *t)
{
	uint64_t step = bytes_of(s, &s->o->files.offset_increment, "offset_increment");

	if (!step || t->threads < 2)
		return;
	if (t->random_percent || t->interlocked || !s->shared)
		fromjob_drop(s, "offset_increment: -T is only for threads that use one file sequentially");
	else
		t->thread_stride = step;
	if (t->thread_stride && s->o->offset.wrap == SEQ_WRAP_START)
		fromjob_note(s, "each clone's own range: -T only sets the starts, and each thread goes on to "
				"the end");
}

/* Translates the contents of new files: -c writes the bytes 0 to 255, or zeroes with -Z. */
static void fill_of_created(const struct section *s, struct ds_target *t)
{
	enum create_fill fill = s->o->files.create_fill;

	if (fill == CREATE_FILL_WRITE && !s->o->buffer.zero && !s->o->buffer.pattern)
		fromjob_note(s, "the contents of new files: -c fills them with zeroes or the bytes 0 to 255");
	if (fill == CREATE_FILL_ZERO &&
	    (!section_writes(s) || (s->o->buffer.refill && !s->o->buffer.pattern)))
		t->pattern = DS_ZERO;
	else if (fill == CREATE_FILL_ZERO && t->pattern != DS_ZERO)
		fromjob_drop(s, "create_fill=zero: -c fills files with the bytes 0 to 255");
	else if (fill == CREATE_FILL_PATTERN && t->pattern == DS_ZERO && section_writes(s))
		fromjob_drop(s, "create_fill=pattern: with -Z, -c fills files with zeroes");
	else if (fill == CREATE_FILL_PATTERN)
		t->pattern = t->pattern == DS_ZERO ? DS_SEQUENTIAL : t->pattern;
}

static void make_files(const struct section *s, struct ds_target *t, uint64_t need)
{
	const struct files_cfg *c = &s->o->files;
	uint64_t size = c->create_size ? c->create_size : c->filesize_lo;

	if (c->filesize_hi > c->filesize_lo)
		fromjob_drop(s, "filesize: all files have one size, here the smallest");
	t->create_size = size ? size : need;
	if (size && need && need < size)
		t->max_size = need;
	if (!t->create_size)
		return;
	if (c->create != CREATE_ALWAYS)
		fromjob_note(s, "existing files, which the job keeps: -c creates them again");
	if (s->o->file.fallocate != FALLOC_NONE && job_user_option(s->job, "fallocate"))
		fromjob_drop(s, "fallocate: -c writes the whole file");
	fill_of_created(s, t);
}

static void area(const struct section *s, struct ds_target *t)
{
	const struct files_cfg *c = &s->o->files;
	uint64_t len = bytes_of(s, &c->size, "size"), need = 0;

	t->base = bytes_of(s, &c->offset, "offset");
	thread_stride(s, t);
	if (len && !c->filesize_lo && s->npaths > 1)
		len /= s->npaths;
	if (len)
		need = t->base + len;
	if (len && t->threads && s->o->offset.wrap != SEQ_WRAP_TARGET)
		need += (t->threads - 1) * t->thread_stride;
	if (ds_is_device(t) || !c->allow_create)
		t->max_size = need;
	else
		make_files(s, t, need);
}

/* ---- order ---- */

static void random_order(const struct section *s, struct ds_target *t)
{
	const struct offset_cfg *c = &s->o->offset;
	enum io_dir d = first_dir(s);
	uint64_t align = c->ba[d];

	t->random_percent = c->random_percent[d];
	if (mixed(s) && c->random_percent[DIR_READ] != c->random_percent[DIR_WRITE])
		fromjob_drop(s, "percentage_random: DISKSPD has one for both directions, here %u",
			     t->random_percent);
	if (c->rw_nr > 1) {
		t->random_percent = 100 / c->rw_nr ? 100 / c->rw_nr : 1;
		fromjob_drop(
			s,
			"rw=...:%u: -rs chooses each I/O at random, so runs have this length only on average",
			c->rw_nr);
	}
	if (c->generator == RANDGEN_LFSR)
		fromjob_drop(s, "random_generator=lfsr: DISKSPD has its own generator");
	if (t->random_percent == 100 && !c->norandommap && !c->dist)
		fromjob_note(s, "every block once (no norandommap): -r chooses each time from all blocks");
	if (t->random_percent && t->random_percent < 100 && mixed(s) && s->o->offset.runs == SEQ_RUNS_MIXED)
		fromjob_drop(
			s,
			"the random direction of each I/O: -rs keeps one direction during a sequential run");
	if (align && align != t->block)
		t->stride = align;
}

static void sequential_order(const struct section *s, struct ds_target *t)
{
	const struct offset_cfg *c = &s->o->offset;
	int64_t stride = (int64_t)t->block + c->rw_stride;

	t->interlocked = c->shared;
	t->parallel = c->per_slot && !is_pooled(s);
	if (c->per_slot && !t->parallel)
		fromjob_drop(s, "seq_per_slot: -p is not possible with -F and -O");
	if (stride <= 0)
		fromjob_drop(s, "rw=...:%jd: -s only moves forwards", (intmax_t)c->rw_stride);
	else if (c->rw_stride)
		t->stride = (uint64_t)stride;
	if (mixed(s) && !c->shared_pos && !c->shared)
		fromjob_note(s, "separate positions of reads and writes: DISKSPD has one for both");
}

static void zones(const struct section *s, struct ds_target *t)
{
	const struct dist_cfg *c = s->o->offset.dist;
	const struct dist_zones *z = c ? &c->dir[first_dir(s)] : NULL;
	uint64_t from = 0;

	if (c && c->kind != DIST_ZONED && t->random_percent)
		fromjob_drop(s,
			     "random_distribution=%s: DISKSPD has -rdpct and -rdabs, shares of zones, within "
			     "which all "
			     "blocks are equally likely",
			     s->o->distribution);
	if (!z || !z->n || !t->random_percent)
		return;
	t->ranges = arena_array(&s->f->profile->mem, z->n, sizeof(*t->ranges));
	if (!t->ranges) {
		s->f->no_memory = true;
		return;
	}
	t->dist = c->absolute ? DS_ABSOLUTE : DS_PERCENT;
	for (; t->nranges < z->n; t->nranges++) {
		const struct dist_zone *at = &z->zone[t->nranges];
		uint64_t end = at->end;

		if (end == UINT64_MAX)
			end = c->absolute ? from : 100;
		t->ranges[t->nranges] = (struct ds_range){ at->access, end - from };
		from = end;
	}
	if (mixed(s) && memcmp(&c->dir[DIR_READ], &c->dir[DIR_WRITE], sizeof(c->dir[0])))
		fromjob_drop(s,
			     "random_distribution: DISKSPD has one for both directions, here that of reads");
}

static void order(const struct section *s, struct ds_target *t)
{
	if (is_random(s))
		random_order(s, t);
	if (!t->random_percent)
		sequential_order(s, t);
	zones(s, t);
	t->write_percent = !section_writes(s) ? 0 : mixed(s) ? 100 - s->o->mix.read_percent : 100;
}

/* ---- rates ---- */

static uint64_t rate_of(const struct section *s, bool iops)
{
	const struct pace_cfg *c = &s->o->pace;
	uint64_t sum = 0;

	for (int d = 0; d < DIR_TRIM; d++)
		if (s->dirs >> d & 1)
			sum += iops ? c->rate_iops[d] : c->rate[d];
	if (mixed(s) && s->o->pace.total)
		return sum / 2;
	if (sum && mixed(s))
		fromjob_drop(s, "%s: DISKSPD has one for reads and writes together",
			     iops ? "rate_iops" : "rate");
	return sum;
}

/* DISKSPD converts I/Os per second to bytes per ms in 32 bits. A rate that does not fit is given in bytes. */
static void limit_rate(const struct section *s, struct ds_target *t)
{
	uint64_t iops = rate_of(s, true), bytes = rate_of(s, false);

	if (!iops && !bytes)
		return;
	if (is_pooled(s)) {
		fromjob_drop(s, "rate: -g is not possible with -F and -O");
		return;
	}
	if (!fromjob_per_file(s)) {
		iops /= s->npaths;
		bytes /= s->npaths;
	}
	bytes = iops ? iops * t->block : bytes;
	t->rate_iops = iops && bytes <= UINT32_MAX && bytes >= 1000;
	t->rate = t->rate_iops ? iops : bytes / 1000;
	if (!t->rate)
		fromjob_drop(s, "rate: -g cannot be below one byte per ms and target");
	else if (t->rate > UINT32_MAX) {
		fromjob_drop(s, "rate: too high for -g, so there is no limit");
		t->rate = 0;
	}
}

static unsigned whole(uint64_t v)
{
	return v > UINT32_MAX ? UINT32_MAX : (unsigned)v;
}

static void think(const struct section *s, struct ds_target *t)
{
	const struct think_cfg *c = &s->o->think;
	uint64_t threads = t->threads ? t->threads : 1;

	if (!c->most_ns)
		return;
	if (is_pooled(s) || t->rate) {
		fromjob_drop(s, "thinktime: -j is not possible with %s", is_pooled(s) ? "-F and -O" : "-g");
		return;
	}
	t->think_ms = whole(c->most_ns / 1000000 + (c->most_ns % 1000000 != 0));
	t->burst_ios = whole((c->blocks ? c->blocks : 1) * threads);
	t->think_given = t->burst_given = true;
	if (c->most_ns % 1000000)
		fromjob_drop(s, "thinktime: -j has whole ms, here %u", t->think_ms);
	if (c->least_ns < c->most_ns)
		fromjob_drop(s, "thinktime: -j has one length, here the longest of the range");
	if (c->by == THINK_COMPLETE && s->o->queue.iodepth > 1)
		fromjob_drop(s, "thinktime_blocks_type: -i counts I/Os when they are submitted");
}

/* ---- caches and content ---- */

/* mmap_flush is an option of the engine, so its text is read here. */
static enum ds_flush flush_of(const struct job *job)
{
	const struct user_option *g = job_user_option(job, "mmap_flush");
	const char *text = g && g->text ? g->text : "none";

	return !strcmp(text, "view")          ? DS_FLUSH_VIEW
	       : !strcmp(text, "nvm")         ? DS_FLUSH_NVM
	       : !strcmp(text, "nvm_nodrain") ? DS_FLUSH_NVM_NO_DRAIN
					      : DS_FLUSH_NONE;
}

static void caches(const struct section *s, struct ds_target *t)
{
	const struct file_cfg *c = &s->o->file;

	t->mapped = s->job->engine->caps & ENG_MAPPED;
	if (s->o->files.remote_only)
		t->cache = DS_REMOTE_ONLY;
	else if (c->direct && t->mapped)
		fromjob_drop(s, "direct=1: mapped files are in the page cache");
	else if (c->direct)
		t->cache = DS_UNBUFFERED;
	t->write_through = c->sync != FILE_SYNC_NONE;
	t->flush = t->mapped ? flush_of(s->job) : DS_FLUSH_NONE;
	if (c->sync == FILE_SYNC_SYNC)
		fromjob_drop(s, "sync=sync: write-through is nearer to sync=dsync");
	if (!c->direct && c->invalidate)
		fromjob_note(s, "invalidate: DISKSPD does not drop cached data before a run");
	t->hint_random = c->advice == FADVICE_RANDOM || (c->advice == FADVICE_PATTERN && is_random(s) &&
							 job_user_option(s->job, "fadvise_hint"));
	t->hint_sequential =
		c->advice == FADVICE_SEQUENTIAL ||
		(c->advice == FADVICE_PATTERN && !is_random(s) && job_user_option(s->job, "fadvise_hint"));
	if (c->advice == FADVICE_NOREUSE)
		fromjob_drop(s, "fadvise_hint=noreuse");
	t->large_pages = mem_kind_huge(s->o->memory.source.kind);
}

static bool counts_up(const struct pattern *p)
{
	for (uint32_t i = 0; i < p->len; i++)
		if (p->bytes[i] != (i & 255))
			return false;
	return p->len % 256 == 0 && !p->noffsets;
}

static bool is_zero(const struct pattern *p)
{
	for (uint32_t i = 0; i < p->len; i++)
		if (p->bytes[i])
			return false;
	return !p->noffsets;
}

static char *keep_text(const struct section *s, const char *text)
{
	char *copy = arena_strdup(&s->f->profile->mem, text);

	s->f->no_memory |= !copy;
	return copy;
}

/* refill_buffers: -Zr is for the whole span and overrides the content of targets without a pool. */
static void all_random(const struct section *s)
{
	bool others = false;

	if (!section_writes(s))
		return;
	for (size_t i = 0; i < s->first_target && !s->span->random_data; i++)
		others |= s->f->targets.v[i].write_percent && s->f->targets.v[i].pattern != DS_RANDOM;
	if (others)
		fromjob_drop(
			s, "refill_buffers: -Zr is for all targets of a time span, also for the jobs before");
	s->span->random_data = true;
}

static void content(const struct section *s, struct ds_target *t)
{
	const struct buffer_cfg *c = &s->o->buffer;
	const struct write_pool_cfg *pool = &s->o->write_pool;

	if (s->span->random_data && section_writes(s) && (c->zero || c->pattern))
		fromjob_drop(s, "%s: the -Zr of another job is for all targets of a time span",
			     c->zero ? "zero_buffers" : "buffer_pattern");
	if (c->zero || (c->pattern && is_zero(c->pattern))) {
		t->pattern = DS_ZERO;
	} else if (c->pattern) {
		if (!counts_up(c->pattern))
			fromjob_drop(s, "buffer_pattern: DISKSPD writes the bytes 0 to 255");
	} else if (c->refill) {
		all_random(s);
	} else if (section_writes(s)) {
		if (!c->scramble)
			fromjob_drop(s, "scramble_buffers=0: every write of the job has the same data");
		t->pattern = DS_RANDOM;
		t->pool_size = pool->bytes ? pool->bytes : 1 << 20;
		while (t->pool_size < t->block)
			t->pool_size <<= 1;
		if (pool->file)
			t->pool_file = keep_text(s, pool->file);
		if (!pool->bytes)
			fromjob_drop(s, "random data that never repeats: -Z writes slices of a pool of "
					"random data; -Zr writes new data each time, at a cost");
	}
}

static void priority(const struct section *s, struct ds_target *t)
{
	const struct place_cfg *c = &s->o->place;

	if (!c->set_prio || (c->prioclass == 2 && c->prio == 4) || !c->prioclass)
		return;
	if (c->prioclass == 3)
		t->priority = 1;
	else if (c->prioclass == 2 && c->prio > 4)
		t->priority = 2;
	else
		fromjob_drop(s, "prioclass=%u prio=%u: -I can only lower the priority", c->prioclass,
			     c->prio);
}

void fromjob_target(const struct section *s, struct ds_target *t)
{
	t->depth = s->o->queue.iodepth;
	if (s->o->queue.offload && !(s->job->engine->caps & ENG_SYNC))
		fromjob_drop(s, "io_submit_mode=offload: in DISKSPD each thread submits its own I/Os");
	block_size(s, t);
	order(s, t);
	caches(s, t);
	content(s, t);
	area(s, t);
	limit_rate(s, t);
	think(s, t);
	priority(s, t);
}
