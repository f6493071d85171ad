#include "preflight.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "plan_build.h"
#include "units.h"

#define LONG_BYTES ((uint64_t)256 << 30) /* nobody waits for that much by mistake */
#define SHORT_NS   5000000000ull
#define FEW_IOS    1000u
#define NAMES_MAX  3u
#define LINES_MAX  5u /* of one check: whoever has that many targets has got the message */

struct preflight_ctx {
	const struct plan *p;
	const struct facts *f;
	const struct plan_job **job; /* all of the plan; in place of a thread_group's each of its sections */
	uint32_t jobs;
};

/* Says one thing of a job, or nothing. */
typedef void check(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out);

/* ---- what is asked of jobs ---- */

static const struct target_facts *target_of(const struct preflight_ctx *fl, const struct plan_file *pf)
{
	return fl->p->targets[pf->target].facts;
}

static const char *path_of(const struct preflight_ctx *fl, const struct plan_file *pf)
{
	return fl->p->targets[pf->target].path;
}

static const struct media *media_of(const struct preflight_ctx *fl, const struct plan_file *pf)
{
	static const struct media unknown;

	return pf->target < fl->f->ntargets ? &fl->f->target[pf->target].media : &unknown;
}

/* The job moves data of files or devices. */
static bool moves_data(const struct plan_job *pj)
{
	return pj->nfiles && !(pj->job->engine->caps &
			       (ENG_NOFILE | ENG_NOIO | ENG_META | ENG_VIRTUAL | ENG_CHANGES_FILES));
}

static bool in_memory(const struct preflight_ctx *fl, const struct plan_file *pf)
{
	const char *fs = target_of(fl, pf)->fstype;

	return !strcmp(fs, "tmpfs") || !strcmp(fs, "ramfs") || media_of(fl, pf)->in_memory;
}

/* It moves data of something that could be measured. */
static bool measures(const struct preflight_ctx *fl, const struct plan_job *pj)
{
	return moves_data(pj) && !in_memory(fl, &pj->files[0]) &&
	       target_of(fl, &pj->files[0])->type != TARGET_CHAR;
}

static bool cached(const struct plan_job *pj)
{
	return !pj->job->opts.file.direct;
}

static bool flushes(const struct job_opts *o)
{
	return o->sync.fsync || o->sync.fdatasync || o->sync.end_fsync || o->sync.end_syncfs ||
	       o->file.sync != FILE_SYNC_NONE || o->file.fsync_on_close;
}

static uint64_t footprint(const struct plan_job *pj)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < pj->nfiles; i++)
		bytes += pj->files[i].len;
	return bytes;
}

/* Blocks come up more than once. */
static bool repeats(const struct plan_job *pj)
{
	const struct time_cfg *t = &pj->job->opts.time;

	return t->time_based || t->loops > 1 || pj->pass_bytes > footprint(pj);
}

/* ---- memory in the way ---- */

#define OF_MEMORY "the figures are mostly those of memory"

bool preflight_expects_memory(const char *note)
{
	return strstr(note, OF_MEMORY);
}

static void check_memory(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct plan_file *pf = &pj->files[0];
	const char *fs = target_of(fl, pf)->fstype;

	if (moves_data(pj) && in_memory(fl, pf))
		message_printf(out,
			       "%s is in memory (%s): the figures are those of memory; name a file on the "
			       "device that is "
			       "to be measured",
			       path_of(fl, pf), media_of(fl, pf)->in_memory ? media_of(fl, pf)->disk : fs);
}

static void check_cache(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct job_opts *o = &pj->job->opts;
	bool reads = pj->rw & RW_READ && (repeats(pj) || !o->file.invalidate);
	bool writes = pj->rw & RW_WRITE && !flushes(o);

	if (!measures(fl, pj) || !cached(pj) || (!reads && !writes) || footprint(pj) > fl->f->memory_bytes)
		return;
	message_printf(out, "%s the page cache{? ({+direct=0})}, and its ",
		       reads && writes ? "reads and writes go through"
		       : reads         ? "reads go again and again through"
				       : "writes go to");
	units_put_bytes(out, footprint(pj));
	message_printf(out, " fit into memory: " OF_MEMORY "; {+direct=1} measures the device");
	if (writes)
		message_printf(out, ", {+end_fsync=1} counts the flush");
}

/* Read once, but by the kernel and ahead of time. */
static void check_ahead(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	if (measures(fl, pj) && cached(pj) && pj->rw & RW_READ && !(pj->rw & RW_RANDOM) && !repeats(pj) &&
	    pj->job->opts.file.invalidate && !(pj->job->engine->caps & ENG_NO_READAHEAD))
		message_printf(out,
			       "{?{+direct=0}: }the kernel reads ahead: the latencies of reads are mostly "
			       "those of memory, and the bandwidth is that of its reading ahead; "
			       "{+direct=1} measures the device");
}

static void check_loop(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct media *m = media_of(fl, &pj->files[0]);

	if (measures(fl, pj) && m->cached_loop)
		message_printf(out,
			       "%s is a loop device whose file goes through the page cache: the figures are "
			       "partly those of "
			       "memory; losetup --direct-io=on /dev/%s changes that",
			       m->disk, m->disk);
}

/* ---- depth that is none ---- */

static void check_depth(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	if (measures(fl, pj) && cached(pj) && pj->depth > 1 && pj->job->engine->caps & ENG_BUFFERED_SYNC)
		message_printf(out,
			       "%s{? with {+direct=0}} completes each I/O while it submits it, so "
			       "{iodepth=%u} is in effect 1{?; use {+direct=1}}{? or {+ioengine=io_uring}}",
			       pj->job->engine->name, pj->depth);
}

/* ---- nothing to read ---- */

/* Whether it has ended when the other one starts. */
static bool ended_before(const struct plan *p, const struct plan_job *other, const struct plan_job *pj)
{
	const struct plan_stage *st = &p->stages[pj->stage];

	while (st->count) {
		if (other->index >= st->after && other->index < st->after + st->count)
			return true;
		st = &p->stages[p->jobs[st->after].stage];
	}
	return other->wave < pj->wave;
}

static bool writes(const struct preflight_ctx *fl, const struct plan_job *pj, uint32_t target)
{
	uint32_t same = fl->p->targets[target].same;

	for (uint32_t k = 0; k < pj->nfiles && pj->rw & RW_WRITE; k++) {
		if (pj->files[k].user->rw & RW_WRITE && fl->p->targets[pj->files[k].target].same == same)
			return true;
	}
	return false;
}

static bool written_before(const struct preflight_ctx *fl, const struct plan_job *pj, uint32_t target)
{
	for (uint32_t i = 0; i < fl->p->njobs && fl->p->jobs[i].wave <= pj->wave; i++) {
		if (ended_before(fl->p, &fl->p->jobs[i], pj) && writes(fl, &fl->p->jobs[i], target))
			return true;
	}
	return false;
}

static void check_unwritten(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	for (uint32_t i = 0; i < pj->nfiles && moves_data(pj) && pj->rw & RW_READ; i++) {
		const struct plan_file *pf = &pj->files[i];
		const struct media *m = media_of(fl, pf);

		if (!m->unwritten || pf->layout != LAYOUT_NONE || written_before(fl, pj, pf->target))
			continue;
		message_printf(out, "%s: ", path_of(fl, pf));
		units_put_bytes(out, m->unwritten);
		strbuf_puts(out, " of ");
		units_put_bytes(out, target_of(fl, pf)->size);
		message_printf(out,
			       " were never written (%s): no device is asked for them, and the figures are "
			       "too good; write the whole file first, with {+rw=write}",
			       m->reserved ? "room is reserved for them" : "holes");
		return;
	}
}

/* ---- the same blocks ---- */

static const struct plan_job *next_clone(const struct preflight_ctx *fl, const struct plan_job *pj)
{
	if (!fl->p->jobs[pj->index].nmembers)
		return pj->job->opts.group.numjobs > 1 ? pj + 1 : NULL;
	for (uint32_t i = 0; i < fl->jobs; i++)
		if (fl->job[i]->job == pj->job && fl->job[i]->index > pj->index)
			return fl->job[i];
	return NULL;
}

static void check_clones(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct plan_job *next = next_clone(fl, pj);
	uint32_t clones = pj->job->opts.group.numjobs;

	if (fl->p->set->diskspd.profile)
		return; /* told in its words */
	if (!next || !moves_data(pj) || pj->rw & RW_RANDOM || next->files[0].target != pj->files[0].target ||
	    next->files[0].start != pj->files[0].start || next->files[0].first != pj->files[0].first ||
	    pj->files[0].walk)
		return;
	message_printf(out, "its %u {~clone|clones} go through the same blocks of %s in the same order: %s",
		       clones, path_of(fl, &pj->files[0]),
		       pj->rw & RW_READ ? "what one has read the others find in a cache, be it the drive's"
					: "each block is written by all of them");
	if (clones <= 100)
		message_printf(out, "; {+size=%u%%} with {offset_increment=%u%%} gives each its own",
			       100 / clones, 100 / clones);
}

/* ---- time ---- */

static uint64_t amount(const struct plan_job *pj)
{
	uint64_t loops = pj->job->opts.time.loops, bytes;

	return __builtin_mul_overflow(pj->pass_bytes, loops ? loops : 1, &bytes) ? UINT64_MAX : bytes;
}

static void check_time(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct time_cfg *t = &pj->job->opts.time;

	if (!measures(fl, pj))
		return;
	if (!t->runtime_ns && !t->number_ios && amount(pj) > LONG_BYTES) {
		strbuf_puts(out, "without runtime it ends when ");
		units_put_bytes(out, amount(pj));
		message_printf(
			out,
			" have been moved, however long that takes; {+runtime=60} and time_based bound it");
	} else if (t->runtime_ns && t->runtime_ns < SHORT_NS) {
		struct strbuf runtime = { 0 };

		units_print_time(&runtime, t->runtime_ns, 1000000000u);
		message_printf(out,
			       "{runtime=%s} is short: the start and chance weigh in every figure; 30 "
			       "seconds and more come out alike again",
			       strbuf_str(&runtime));
		strbuf_fini(&runtime);
	}
}

/* The most I/Os that a rate allows in the time there is; UINT64_MAX without a rate. */
static uint64_t rated_ios(const struct plan_job *pj)
{
	const struct pace_cfg *p = &pj->job->opts.pace;
	uint64_t seconds = pj->job->opts.time.runtime_ns / 1000000000u, most = 0;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		uint64_t bs = bsize_min(&pj->job->opts.offset.bsize, 1u << d);
		uint64_t iops = p->rate_iops[d] ? p->rate_iops[d] : bs ? p->rate[d] / bs : 0;

		if (!(pj->rw & 1u << d))
			continue;
		if (!iops || iops > FEW_IOS)
			return UINT64_MAX;
		most = most > iops * seconds ? most : iops * seconds;
	}
	return seconds ? most : UINT64_MAX;
}

static void check_rate(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	uint64_t ios = rated_ios(pj);

	(void)fl;
	if (ios < FEW_IOS && ios > 0)
		message_printf(out,
			       "its rate leaves %" PRIu64
			       " I/Os at most: the percentiles of latency from 99 on are single I/Os; a "
			       "longer {runtime} makes them mean something",
			       ios);
}

/* ---- the device ---- */

static void check_write_cache(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct media *m = media_of(fl, &pj->files[0]);

	if (measures(fl, pj) && !cached(pj) && pj->rw & RW_WRITE && m->write_back && !flushes(&pj->job->opts))
		message_printf(
			out,
			"%s has a volatile write cache: a write counts as done when it is in there; "
			"{?{+fsync=1} or }{+sync=dsync} measures writes that would survive a power cut",
			m->disk);
}

static void check_block(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct media *m = media_of(fl, &pj->files[0]);
	uint32_t bs;

	if (!measures(fl, pj) || cached(pj) || !(pj->rw & RW_WRITE))
		return;
	bs = bsize_min(&pj->job->opts.offset.bsize, RW_WRITE);
	if (bs % (m->physical_block ? m->physical_block : 1))
		message_printf(out,
			       "writes of %u bytes cover blocks of %s (%u bytes) in part: the device reads "
			       "before it writes; {+bs=%u} or a multiple avoids that",
			       bs, m->disk, m->physical_block, m->physical_block);
}

static void check_kind(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct media *m = media_of(fl, &pj->files[0]);

	if (!measures(fl, pj) || cached(pj))
		return;
	if (m->is_virtual)
		message_printf(out,
			       "%s is a virtual disk: what its host caches, limits and does for others is in "
			       "the figures",
			       m->disk);
	else if (m->rotational && pj->rw & RW_RANDOM)
		message_printf(out,
			       "%s calls itself a rotating disk: how fast random I/O is depends on how much "
			       "of it is used; "
			       "say so with the figures",
			       m->disk);
}

static void check_use(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct target_facts *t = target_of(fl, &pj->files[0]);

	if (measures(fl, pj) && t->type == TARGET_BLOCK && t->refuse[0])
		message_printf(out, "%s is in use (%s): the I/O of others is in the figures",
			       path_of(fl, &pj->files[0]), t->refuse);
}

static void check_governor(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const char *g = fl->f->governor;

	if (*g && strcmp(g, "performance") && (measures(fl, pj) || pj->job->engine->caps & ENG_VIRTUAL))
		message_printf(
			out,
			"the CPU governor is %s: clocks that rise and fall cost I/Os and lengthen latencies; "
			"performance is steady",
			g);
}

/* ---- */

static check *const checks[] = {
	check_memory,      check_cache,  check_ahead, check_loop,     check_depth,
	check_unwritten,   check_clones, check_time,  check_rate,     check_use,
	check_write_cache, check_block,  check_kind,  check_governor,
};

/* Clones are like their first; a job without files (cpuio, exec) and one that only makes them (create_only)
   measure nothing. */
static bool is_checked(const struct plan_job *pj)
{
	return !pj->clone && pj->nfiles && !pj->job->opts.files.create_only;
}

/* "a, b and 3 more" of the jobs of which the check says the same as of the one at `first`. */
static void put_names(const struct preflight_ctx *fl, check *c, uint32_t first, const char *text,
		      struct strbuf *out)
{
	struct strbuf said = { 0 };
	const char *last = NULL;
	uint32_t n = 0;

	for (uint32_t i = first; i < fl->jobs; i++) {
		const struct plan_job *pj = fl->job[i];

		if (!is_checked(pj))
			continue;
		strbuf_clear(&said);
		c(fl, pj, &said);
		if (strcmp(strbuf_str(&said), text) || (last && !strcmp(last, pj->job->name)))
			continue;
		last = pj->job->name;
		if (n++ < NAMES_MAX)
			message_printf(out, "%s%s", n > 1 ? ", " : "", last);
	}
	if (n > NAMES_MAX)
		strbuf_printf(out, " and %u more", n - NAMES_MAX);
	strbuf_fini(&said);
}

/* What a check has said already; few, as most jobs say the same. */
static bool has_line(const struct notes *said, const char *text)
{
	for (size_t i = 0; i < said->count; i++)
		if (!strcmp(said->message[i], text))
			return true;
	return false;
}

static void add_notes(const struct preflight_ctx *fl, check *c, struct notes *out)
{
	struct notes said = { 0 };
	struct strbuf text = { 0 }, names = { 0 };

	for (uint32_t i = 0; i < fl->jobs && said.count < LINES_MAX; i++) {
		if (!is_checked(fl->job[i]))
			continue;
		strbuf_clear(&text);
		c(fl, fl->job[i], &text);
		if (!text.len || has_line(&said, text.text))
			continue;
		notes_message(&said, text.text);
		strbuf_clear(&names);
		put_names(fl, c, i, text.text, &names);
		strbuf_puts(&names, ": ");
		strbuf_puts(&names, text.text);
		notes_message(out, strbuf_str(&names));
	}
	strbuf_fini(&text);
	strbuf_fini(&names);
	notes_fini(&said);
}

static void list_jobs(struct preflight_ctx *fl, const struct plan_job *pj)
{
	for (uint32_t i = 0; i < pj->nmembers; i++)
		fl->job[fl->jobs++] = &pj->members[i];
	if (!pj->nmembers)
		fl->job[fl->jobs++] = pj;
}

void preflight(const struct plan *p, const struct facts *f, struct notes *out)
{
	struct preflight_ctx fl = { .p = p, .f = f };
	size_t n = p->njobs;

	for (uint32_t i = 0; i < p->njobs; i++)
		n += p->jobs[i].nmembers;
	fl.job = calloc(n + 1, sizeof(struct plan_job *));
	for (uint32_t i = 0; i < p->njobs && fl.job; i++)
		list_jobs(&fl, &p->jobs[i]);
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		add_notes(&fl, checks[i], out);
	free(fl.job);
	plan_space_notes(p, out);
}
