#include "resolve.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "rows.h"
#include "rules.h"
#include "strbuf.h"

#define JOBS_MAX     65536
#define SECTOR_BYTES 512
#define BS_MAX       (1u << 30)

static const char *const dir_name[DIR_DATA] = { "reads", "writes", "trims" };

/* ---- words ---- */

/* "jobs/db.fio:12: bs=4q" or "--bs=4q"; without such an option the section. */
static void name_option(const struct job *job, const char *name, struct strbuf *out)
{
	const struct opt_given *g = job_given(job, name);
	const struct place *at = g ? &g->at : &job->at;

	if (at->line)
		strbuf_printf(out, "%s:%u: ", at->file, at->line);
	if (!g)
		strbuf_printf(out, at->line ? "[%.80s]" : "--name=%.80s", job->name);
	else
		strbuf_printf(out, "%s%s%s%.80s", at->line ? "" : "--", g->name, g->text ? "=" : "",
			      g->text ? g->text : "");
}

/* "FILE:LINE: option=value: " and what is said of it. */
__attribute__((format(printf, 4, 0))) static void word(const struct rules *r, struct strbuf *out,
						       const char *option, const char *fmt, va_list ap)
{
	name_option(r->job, option, out);
	strbuf_puts(out, ": ");
	strbuf_vprintf(out, fmt, ap);
}

int refuse(struct rules *r, const char *option, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	word(r, &b, option, fmt, ap);
	va_end(ap);
	diag_err(r->d, -EINVAL, "%s", strbuf_str(&b));
	strbuf_fini(&b);
	return -EINVAL;
}

void note(struct rules *r, const char *option, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	word(r, &b, option, fmt, ap);
	va_end(ap);
	notes_add(&r->set->notes, "%s", strbuf_str(&b));
	strbuf_fini(&b);
}

const struct opt_given *own(const struct rules *r, const char *name)
{
	for (size_t i = 0; i < r->job->own.n; i++)
		if (!strcmp(r->job->own.v[i].name, name))
			return &r->job->own.v[i];
	return NULL;
}

/* ---- directions ---- */

static int rule_directions(struct rules *r)
{
	bool trims = moves(r, DIR_TRIM);

	if (r->set->run.readonly && (moves(r, DIR_WRITE) || trims))
		return refuse(r, "rw", "the job %s, and --readonly was given", trims ? "trims" : "writes");
	return 0;
}

/* Reads and writes overlap with trims, trims with each other do not. */
static int rule_trims(struct rules *r)
{
	const struct engine *e = r->job->engine;

	if (moves(r, DIR_TRIM) && !(e->caps & (ENG_SYNC | ENG_VIRTUAL)) && r->o->queue.iodepth > 1 &&
	    !r->o->queue.offload)
		note(r, "rw",
		     "trims are done one at a time whatever the iodepth: %s has no asynchronous call for "
		     "them",
		     e->name);
	return 0;
}

/* ---- block sizes: bssplit before bsrange before bs, in any order, as in fio ---- */

static int join_split(struct rules *r)
{
	struct bsize_cfg *b = &r->o->offset.bsize;
	unsigned kb_base = r->o->report.kb_base ? r->o->report.kb_base : 1024;

	if (!r->o->bssplit || !opt_bssplit(r->o->bssplit, kb_base, b, r->d))
		return 0;
	return diag_wrap(r->d, "bssplit=%s", r->o->bssplit);
}

static void join_direction(const struct job_opts *o, struct bsize_cfg *b, unsigned dir)
{
	b->lo[dir] = o->bsrange[dir].hi ? o->bsrange[dir].lo : o->bs[dir];
	b->hi[dir] = o->bsrange[dir].hi ? o->bsrange[dir].hi : o->bs[dir];
	for (unsigned i = 0; i < b->split_n[dir]; i++) {
		uint64_t bytes = b->split[dir][i].bytes;

		b->lo[dir] = i && b->lo[dir] < bytes ? b->lo[dir] : bytes;
		b->hi[dir] = i && b->hi[dir] > bytes ? b->hi[dir] : bytes;
	}
}

/* A size in the section itself that something inherited decides otherwise surprises. */
static void note_sizes(struct rules *r)
{
	const char *winner = r->o->bssplit ? "bssplit" : job_given(r->job, "bsrange") ? "bsrange" : NULL;
	const char *const losers[] = { "bs", "bsrange" };

	for (unsigned i = 0; winner && i < 2; i++)
		if (strcmp(losers[i], winner) && own(r, losers[i]))
			note(r, losers[i], "has no effect in the directions that %s decides", winner);
}

static int rule_block_sizes(struct rules *r)
{
	struct bsize_cfg *b = &r->o->offset.bsize;
	int err = join_split(r);

	if (err)
		return err;
	note_sizes(r);
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		const char *by = b->split_n[dir] ? "bssplit" : r->o->bsrange[dir].hi ? "bsrange" : "bs";

		join_direction(r->o, b, dir);
		if (!b->lo[dir])
			return refuse(r, by, "a block size of 0 (%s)", dir_name[dir]);
		if (b->hi[dir] > BS_MAX)
			return refuse(r, by, "block sizes go up to 1g (%s)", dir_name[dir]);
	}
	return 0;
}

/* ---- where random I/O goes ---- */

static void note_ordered(struct rules *r)
{
	static const char *const names[] = { "percentage_random", "random_distribution" };

	for (unsigned i = 0; i < 2 && !(r->o->offset.rw & RW_RANDOM); i++)
		if (own(r, names[i]))
			note(r, names[i], "has no effect: rw=%s is ordered",
			     job_given(r->job, "rw") ? job_given(r->job, "rw")->text : "read");
}

static int rule_distribution(struct rules *r)
{
	struct dist_cfg *c;

	note_ordered(r);
	if (!r->o->distribution || opt_distribution_even(r->o->distribution))
		return 0;
	c = arena_alloc(&r->set->arena, sizeof(*c));
	if (!c)
		return diag_err(r->d, -ENOMEM, "out of memory for the zones of random_distribution");
	r->o->offset.dist = c;
	return opt_distribution(r->o->distribution, r->o->report.kb_base ? r->o->report.kb_base : 1024, c,
				r->d);
}

/* ---- direct I/O ---- */

static int check_aligned(struct rules *r, const char *option, uint64_t bytes)
{
	if (bytes % SECTOR_BYTES == 0)
		return 0;
	return refuse(r, option,
		      "%" PRIu64 " bytes: direct=1 needs multiples of the device's block size (%d or more)",
		      bytes, SECTOR_BYTES);
}

static int check_direction_aligned(struct rules *r, unsigned dir)
{
	const struct bsize_cfg *b = &r->o->offset.bsize;
	const char *by = b->split_n[dir] ? "bssplit" : r->o->bsrange[dir].hi ? "bsrange" : "bs";
	int err = check_aligned(r, by, b->lo[dir]);

	err = err ? err : check_aligned(r, by, b->hi[dir]);
	for (unsigned i = 0; i < b->split_n[dir] && !err; i++)
		err = check_aligned(r, by, b->split[dir][i].bytes);
	return err ? err : check_aligned(r, "ba", r->o->offset.ba[dir]);
}

static int rule_direct(struct rules *r)
{
	const struct opt_given *direct = own(r, "direct"), *buffered = own(r, "buffered");
	const struct files_cfg *f = &r->o->files;
	int err = 0;

	if (direct && buffered && direct->text && buffered->text && !strcmp(direct->text, buffered->text))
		return refuse(r, "buffered", "contradicts direct=%s; they are one switch, say one of them",
			      direct->text);
	if (!r->o->file.direct || r->job->engine->caps & (ENG_NOFILE | ENG_NOIO | ENG_META | ENG_VIRTUAL))
		return 0;
	if (r->o->offset.bsize.unaligned)
		return refuse(r, "bs_unaligned", "direct=1 needs multiples of the device's block size");
	for (unsigned dir = 0; dir < DIR_DATA && !err; dir++)
		if (moves(r, dir))
			err = check_direction_aligned(r, dir);
	err = err ? err : check_aligned(r, "offset", f->offset.percent ? 0 : f->offset.bytes);
	return err ? err
		   : check_aligned(r, "offset_increment",
				   f->offset_increment.percent ? 0 : f->offset_increment.bytes);
}

/* ---- engines that move no data ---- */

/* One I/O is one operation on a file: a block is only what is counted for it. */
static void one_block_size(struct rules *r)
{
	struct bsize_cfg *b = &r->o->offset.bsize;
	uint64_t least = bsize_min(b, r->o->offset.rw);

	if (b->lo[0] != b->hi[0] || b->split_n[0])
		note(r, b->split_n[0] ? "bssplit" : "bsrange", "%s counts %" PRIu64 " bytes for each file",
		     r->job->engine->name, least);
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		b->lo[dir] = b->hi[dir] = least;
		b->split_n[dir] = 0;
	}
}

static bool makes(const struct engine *e)
{
	return e->caps & ENG_MAKES;
}

static int rule_once(struct rules *r)
{
	const char *again = r->o->time.time_based && r->o->time.runtime_ns ? "time_based"
			    : r->o->time.loops > 1                         ? "loops"
									   : NULL;

	if (!again || !eng_once(r->job->engine) || (makes(r->job->engine) && r->o->files.unlink_each_loop))
		return 0;
	return refuse(r, again, "%s can %s each of its %s only once", r->job->engine->name,
		      r->job->engine->caps & ENG_REMOVES ? "remove" : "make",
		      r->job->engine->caps & ENG_DIRS ? "directories" : "files");
}

/* A job without I/O has no end of its own, or does its work once. */
static int rule_no_io(struct rules *r)
{
	static const char *const moot[] = { "rw",    "bs",         "size", "io_size",  "filename",
					    "loops", "number_ios", "rate", "rate_iops" };
	const struct engine *e = r->job->engine;
	const char *why = e->refuse ? e->refuse(r->job->engine_opts) : NULL;

	if (why)
		return refuse(r, "ioengine", "%s", why);
	for (unsigned i = 0; e->caps & ENG_NOIO && i < sizeof(moot) / sizeof(*moot); i++)
		if (own(r, moot[i]))
			note(r, moot[i], "has no effect: %s does no I/O", e->name);
	return 0;
}

static int rule_no_data(struct rules *r)
{
	static const char *const moot[] = { "fsync", "fdatasync", "end_fsync", "fsync_on_close",
					    "overwrite" };
	const struct engine *e = r->job->engine;

	if (e->only && r->o->offset.rw & RW_DIRS & ~e->only)
		return refuse(r, "rw", "the engine %s has only %s", e->name,
			      dir_name[__builtin_ctz(e->only)]);
	if (r->set->run.readonly && e->caps & (ENG_MAKES | ENG_REMOVES | ENG_ALTERS))
		return refuse(r, "ioengine", "it changes files whatever rw says, and --readonly was given");
	if (e->caps & ENG_ALTERS && !job_given(r->job, "fallocate"))
		r->o->file.fallocate = moves(r, DIR_WRITE)  ? FALLOC_NONE
				       : moves(r, DIR_READ) ? FALLOC_TRUNCATE
							    : FALLOC_NATIVE;
	if (!(e->caps & ENG_META))
		return 0;
	if (r->o->offset.rw & RW_TRIMWRITE)
		return refuse(r, "rw", "%s has one operation for each of its files, not two", e->name);
	one_block_size(r);
	for (unsigned i = 0; i < sizeof(moot) / sizeof(*moot); i++)
		if (own(r, moot[i]))
			note(r, moot[i], "has no effect: %s moves no data", e->name);
	return rule_once(r);
}

static int rule_written(struct rules *r)
{
	if (r->o->file.hint && !moves(r, DIR_WRITE))
		note(r, "write_hint", "has no effect: the job does not write");
	if (!r->o->file.atomic || r->job->engine->caps & ENG_VIRTUAL)
		return 0;
	if (!moves(r, DIR_WRITE)) {
		note(r, "atomic", "has no effect: the job does not write");
		return 0;
	}
	if (!r->o->file.direct)
		return refuse(r, "atomic", "needs direct=1: the page cache tears writes");
	if (!(r->job->engine->caps & ENG_RWF))
		return refuse(r, "atomic",
			      "the system call of ioengine=%s cannot; pvsync2, libaio and io_uring can",
			      r->job->engine->name);
	return 0;
}

/* ---- sizes, files, clones ---- */

static int rule_offset(struct rules *r)
{
	if (r->o->files.offset.percent < 100)
		return 0;
	return refuse(r, "offset", "leaves nothing of the file or device; below 100%%");
}

static int rule_files(struct rules *r)
{
	struct files_cfg *f = &r->o->files;

	if (!f->nrfiles)
		return refuse(r, "nrfiles", "1 or more");
	if (f->filesize_hi < f->filesize_lo)
		return refuse(r, "filesize", "the range ends before it begins");
	if (f->openfiles > f->nrfiles && !f->filename) {
		note(r, "openfiles", "there are %u files: all of them are open at once", f->nrfiles);
		f->openfiles = f->nrfiles;
	}
	if (f->append && (own(r, "offset") || own(r, "offset_increment")))
		note(r, own(r, "offset") ? "offset" : "offset_increment",
		     "has no effect on files: with file_append=1 each begins where it ends now");
	if (f->allow_mounted_write && !f->allow_write)
		note(r, "allow_mounted_write",
		     "opens nothing by itself; allow_write=DEVICE opens exactly that device");
	return 0;
}

static int rule_creation(struct rules *r)
{
	const struct files_cfg *f = &r->o->files;

	if (f->create_only && r->o->file.create_on_open)
		return refuse(r, "create_only",
			      "create_on_open=1 leaves the files to the first I/O, and there will be none");
	return 0;
}

static int rule_fill(struct rules *r)
{
	const struct files_cfg *f = &r->o->files;
	unsigned caps = r->job->engine->caps, rw = r->o->offset.rw;

	if (!f->fill)
		return 0;
	if (caps & (ENG_NOFILE | ENG_NOIO | ENG_META | ENG_VIRTUAL))
		return refuse(r, "fill_device", "the engine %s writes no data to a file",
			      r->job->engine->name);
	if (caps & ENG_MAPPED)
		return refuse(r, "fill_device",
			      "the engine %s needs room for its files beforehand; psync writes without",
			      r->job->engine->name);
	if (rw & RW_RANDOM && !(rw & (RW_READ | RW_TRIM)) && !f->overwrite && !f->size.bytes &&
	    !f->size.percent && !f->filesize_lo)
		return refuse(r, "fill_device", "random writes need a range; say size=, or rw=write");
	return 0;
}

/* Whether more than one loop may come. */
static bool loops(const struct rules *r)
{
	return r->o->time.loops > 1 || r->o->time.time_based;
}

static int rule_renewal(struct rules *r)
{
	struct files_cfg *f = &r->o->files;

	if (!f->unlink_each_loop)
		return 0;
	if (r->job->engine->caps & (ENG_NOFILE | ENG_NOIO) ||
	    (r->job->engine->caps & ENG_META && !makes(r->job->engine)))
		return refuse(r, "unlink_each_loop", "the engine %s has no files that last for a loop",
			      r->job->engine->name);
	if (!loops(r)) {
		note(r, "unlink_each_loop",
		     "has no effect: there is one loop; unlink=1 removes the files at the end");
		f->unlink_each_loop = false;
		return 0;
	}
	if (r->o->offset.rw & (RW_READ | RW_TRIM) && !makes(r->job->engine))
		return refuse(r, "unlink_each_loop",
			      "after the first loop there would be nothing to read or trim");
	return 0;
}

static int rule_cache(struct rules *r)
{
	const struct opt_given *invalidate = own(r, "invalidate");

	if (!r->o->files.pre_read)
		return 0;
	if (r->o->file.invalidate && invalidate)
		note(r, "invalidate",
		     "has no effect: pre_read=1 has just brought the files into the page cache");
	if (r->o->file.direct)
		note(r, "pre_read", "direct=1 goes past the page cache that it fills");
	r->o->file.invalidate = false;
	return 0;
}

static int rule_clones(struct rules *r)
{
	return r->o->group.numjobs ? 0 : refuse(r, "numjobs", "1 or more");
}

/* ---- depth ---- */

static void clamp_depth(struct rules *r, const char *option, uint32_t *v)
{
	uint32_t depth = r->o->queue.iodepth;

	if (*v <= depth)
		return;
	if (job_given(r->job, option) && (!(r->job->engine->caps & ENG_SYNC) || r->o->queue.offload))
		note(r, option, "taken as %u, which is the iodepth", depth);
	*v = depth;
}

static int rule_offload(struct rules *r)
{
	const struct engine *e = r->job->engine;

	if (!r->o->queue.offload)
		return 0;
	if (e->caps & (ENG_NOIO | ENG_META))
		return refuse(r, "io_submit_mode", "the engine %s %s; there is nothing to hand over", e->name,
			      e->caps & ENG_NOIO ? "does no I/O" : "does one file operation at a time");
	if (e->caps & ENG_SEEKS && r->o->queue.iodepth > 1)
		return refuse(
			r, "io_submit_mode",
			"the engine %s moves the file's position, which its %u threads would share; use "
			"ioengine=psync, or iodepth=1",
			e->name, r->o->queue.iodepth);
	return 0;
}

static int rule_depth(struct rules *r)
{
	struct queue_cfg *q = &r->o->queue;

	if (!q->iodepth)
		return refuse(r, "iodepth", "1 or more");
	if (r->job->engine->caps & ENG_SYNC && q->iodepth > 1 && !q->offload) {
		note(r, "iodepth", "the engine %s does one I/O at a time: the depth is 1, not %u",
		     r->job->engine->name, q->iodepth);
		q->iodepth = 1;
	}
	clamp_depth(r, "iodepth_batch", &q->batch);
	clamp_depth(r, "iodepth_batch_complete_min", &q->complete_min);
	clamp_depth(r, "iodepth_batch_complete_max", &q->complete_max);
	clamp_depth(r, "iodepth_low", &q->low);
	if (q->complete_max && q->complete_max < q->complete_min) {
		if (job_given(r->job, "iodepth_batch_complete_max"))
			note(r, "iodepth_batch_complete_max",
			     "taken as %u, which is iodepth_batch_complete_min", q->complete_min);
		q->complete_max = q->complete_min;
	}
	return 0;
}

/* ---- time ---- */

static int rule_time(struct rules *r)
{
	struct time_cfg *t = &r->o->time;

	if (!t->loops)
		return refuse(r, "loops", "1 or more");
	if (t->startdelay_hi_ns && t->startdelay_hi_ns < t->startdelay_lo_ns)
		return refuse(r, "startdelay", "the range ends before it begins");
	if (t->time_based && !t->runtime_ns) {
		note(r, "time_based", "has no effect without runtime");
		t->time_based = false;
	}
	if (t->ramp_bytes && t->ramp_ns)
		return refuse(r, "ramp_size", "ramp_time is a ramp, too; say one of them");
	if (t->time_based && t->number_ios)
		note(r, "number_ios", "has no effect with time_based, as in fio");
	return 0;
}

static int rule_mix(struct rules *r)
{
	const struct opt_given *reads = own(r, "rwmixread"), *writes = own(r, "rwmixwrite");
	unsigned percent = r->o->mix.read_percent;

	/* own is in the order of the last mention */
	if (reads && writes && reads < writes && strtoul(reads->text, NULL, 0) != percent)
		note(r, "rwmixread", "rwmixwrite=%s comes later and counts", writes->text);
	if (reads && writes && reads > writes && strtoul(writes->text, NULL, 0) != 100 - percent)
		note(r, "rwmixwrite", "rwmixread=%s comes later and counts", reads->text);
	return 0;
}

static int rule_sync(struct rules *r)
{
	static const char *const names[] = { "fsync", "fdatasync", "end_fsync", "end_syncfs" };

	for (unsigned i = 0; i < 4 && !moves(r, DIR_WRITE); i++)
		if (own(r, names[i]))
			note(r, names[i], "has no effect: the job does not write");
	return 0;
}

static int rule_user(struct rules *r)
{
	struct user_cfg *u = &r->o->user;

	u->set_uid = job_given(r->job, "uid");
	u->set_gid = job_given(r->job, "gid");
	if (r->o->group.thread && (u->set_uid || u->set_gid))
		return refuse(r, u->set_uid ? "uid" : "gid",
			      "takes processes: with thread=1 the workers are threads of one process, which "
			      "has one user");
	return 0;
}

/* Below the mount: no part of the name is empty, "." or "..". */
static bool cgroup_name_ok(const char *name)
{
	name += strspn(name, "/");
	for (;; name++) {
		size_t n = strcspn(name, "/");

		if (!n || n > 200 || strchr(name, '\n') ||
		    (name[0] == '.' && (n == 1 || (n == 2 && name[1] == '.'))))
			return false;
		name += n;
		if (!*name)
			return true;
	}
}

static int rule_cgroup(struct rules *r)
{
	const struct cgroup_cfg *c = &r->o->cgroup;

	if (c->name && !cgroup_name_ok(c->name))
		return refuse(r, "cgroup", "not the name of a group, such as mine or system.slice/mine");
	if (c->name && r->o->group.thread)
		return refuse(r, "cgroup",
			      "takes processes: with thread=1 the workers are threads of one process, which "
			      "is in one group");
	if (!c->name && c->weight)
		note(r, "cgroup_weight", "has no effect without cgroup");
	if (!c->name && c->nodelete)
		note(r, "cgroup_nodelete", "has no effect without cgroup");
	return 0;
}

/* ---- contents ---- */

static int rule_dedupe(struct rules *r)
{
	static const char *const details[] = { "dedupe_mode", "dedupe_working_set_percentage",
					       "dedupe_global" };
	const struct buffer_cfg *b = &r->o->buffer;

	for (unsigned i = 0; i < 3 && !b->dedupe; i++)
		if (own(r, details[i]))
			note(r, details[i], "has no effect without dedupe_percentage");
	if (!b->dedupe)
		return 0;
	if (b->pattern && !b->compress)
		return refuse(r, "dedupe_percentage",
			      "buffer_pattern makes all blocks alike; with buffer_compress_percentage the "
			      "pattern is only "
			      "a part of each");
	if (b->pattern && b->pattern->noffsets)
		return refuse(r, "dedupe_percentage", "%%o in buffer_pattern makes all blocks different");
	if (b->dedupe_mode == DEDUPE_WORKING_SET && b->dedupe + b->dedupe_set > 100)
		return refuse(
			r, "dedupe_percentage",
			"cannot be reached: the blocks of the working set are unique, and those are %u%% "
			"(dedupe_working_set_percentage)",
			b->dedupe_set);
	return 0;
}

static int rule_contents(struct rules *r)
{
	const struct buffer_cfg *b = &r->o->buffer;
	const char *made = b->dedupe     ? "dedupe_percentage"
			   : b->compress ? "buffer_compress_percentage"
					 : NULL;
	const struct opt_given *chunk = own(r, "buffer_compress_chunk");

	if (chunk && !b->compress)
		note(r, "buffer_compress_chunk", "has no effect without buffer_compress_percentage");
	if (own(r, "zero_buffers") && b->zero && (made || b->pattern))
		note(r, "zero_buffers", "has no effect: %s says what is written",
		     made ? made : "buffer_pattern");
	if (own(r, "refill_buffers") && !b->refill && made)
		note(r, "refill_buffers", "has no effect: %s makes every block anew", made);
	return 0;
}

static int rule_memory(struct rules *r)
{
	const struct mem_cfg *m = &r->o->memory;

	if (m->align & (m->align - 1))
		return refuse(r, "iomem_align", "not a power of two");
	if (m->hugepage && !mem_kind_huge(m->source.kind))
		note(r, "hugepage-size", "has no effect without mem=shmhuge or mmaphuge");
	return 0;
}

static int rule_place(struct rules *r)
{
	struct place_cfg *p = &r->o->place;

	p->set_nice = job_given(r->job, "nice");
	p->set_prio =
		job_given(r->job, "prio") || job_given(r->job, "prioclass") || job_given(r->job, "priohint");
	if (p->policy == CPUS_SPLIT && !cpuset_count(&p->cpus))
		note(r, "cpus_allowed_policy", "has no effect without cpus_allowed");
	return 0;
}

int resolve_count(struct job_set *set, struct diag *d)
{
	uint32_t most = set->run.max_jobs ? set->run.max_jobs : JOBS_MAX;
	uint64_t total = 0;

	for (size_t i = 0; i < set->njobs; i++) {
		struct rules r = { .set = set, .job = &set->jobs[i], .d = d };

		total += set->jobs[i].opts.group.numjobs;
		if (total > most)
			return refuse(&r, "numjobs", "makes %" PRIu64 " jobs; at most %u are allowed%s",
				      total, most, set->run.max_jobs ? " (--max-jobs)" : "");
	}
	return 0;
}

/* Less to measure; the rows of bandwidth stay, as in fio: here they cost nothing. */
static int rule_measure(struct rules *r)
{
	struct report_cfg *c = &r->o->report;

	if (c->gtod_reduce)
		c->no_slat = c->no_clat = c->no_lat = true;
	return 0;
}

int resolve_job(struct job_set *set, struct job *job, struct diag *d)
{
	static int (*const rules[])(struct rules *) = {
		/* clang-format off */
		rule_place,
		rule_memory,
		rule_user,
		rule_cgroup,
		rule_directions,
		rule_trims,
		rule_block_sizes,
		rule_distribution,
		rule_no_data,
		rule_no_io,
		rule_direct,
		rule_written,
		rule_offset,
		rule_files,
		rule_creation,
		rule_fill,
		rule_cache,
		rule_clones,
		rule_offload, rule_depth,
		rule_time,
		rule_renewal,
		rule_rates,
		rule_think,
		rule_mix,
		rule_sync,
		rule_dedupe,
		rule_contents,
		rule_measure,
		/* clang-format on */
	};
	struct rules r = { .set = set, .job = job, .o = &job->opts, .d = d };
	int err = 0;

	for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]) && !err; i++)
		err = rules[i](&r);
	return err;
}
