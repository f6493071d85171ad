/* plan_space.c: compares the space that files need on each file system, wave after wave, with the free space.
 */
#include <string.h>
#include "plan_build.h"
#include "scale.h"
#include "strbuf.h"
#include "units.h"

#define NO_FILE_SYSTEM UINT32_MAX
/* Advice leaves 1/MARGIN of the free space: the file system needs blocks for metadata. */
#define MARGIN 256

/* Bytes that a file occupies: for certain, and at most, after its jobs have written everything. */
struct occupied {
	uint64_t bytes, most;
	uint32_t fs; /* index, or NO_FILE_SYSTEM */
};

/* Another value of one option, to find the largest one that fits. */
struct change {
	const struct user_option *option; /* NULL: as planned */
	uint64_t from, to;                /* bytes */
};

struct tally {
	struct build *b;
	const struct change *change;
	struct occupied *file; /* by target */
	struct plan_space *fs;
	int64_t *now, *now_most; /* by file system: growth since the start of the run */
	uint32_t nfs;
	const struct plan_file *full; /* the first file that does not fit */
	bool strict;                  /* leaves out reserved blocks and the margin */
};

static uint32_t file_system(struct tally *t, const struct target_facts *f, const char *path)
{
	for (uint32_t i = t->nfs; i-- > 0;)
		if (t->fs[i].dev == f->dev)
			return i;
	if (!f->fs_size)
		return NO_FILE_SYSTEM;
	t->fs[t->nfs] = (struct plan_space){ .dev = f->dev,
					     .path = path,
					     .fstype = f->fstype,
					     .free_bytes = f->fs_free,
					     .reserved_bytes = f->fs_reserved };
	return t->nfs++;
}

static void tally_reset(struct tally *t)
{
	const struct plan *p = t->b->p;

	t->nfs = 0;
	t->full = NULL;
	memset(t->now, 0, p->ntargets * sizeof(*t->now));
	memset(t->now_most, 0, p->ntargets * sizeof(*t->now_most));
	for (uint32_t i = 0; i < p->ntargets; i++) {
		const struct target_facts *f = p->targets[i].facts;
		bool file = f->type == TARGET_FILE || f->type == TARGET_MISSING;

		t->file[i] =
			(struct occupied){ f->blocks, f->blocks,
					   file ? file_system(t, f, p->targets[i].path) : NO_FILE_SYSTEM };
	}
}

static bool same_option(const struct user_option *a, const struct user_option *b)
{
	return a && a->at.line == b->at.line && !strcmp(a->text, b->text) && !strcmp(a->at.file, b->at.file);
}

/* Returns the length of the file under t->change. */
static uint64_t planned_size(const struct tally *t, const struct plan_file *pf)
{
	const struct change *c = t->change;
	uint64_t part;

	if (!c || !same_option(job_user_option(pf->user->job, c->option->name), c->option))
		return pf->size;
	part = strcmp(c->option->name, "size") ? pf->size : pf->len;
	part = part < pf->size ? part : pf->size;
	return pf->size - part + scale(part, c->to, c->from);
}

static bool preallocates(const struct plan_file *pf)
{
	enum file_falloc how = pf->user->job->opts.file.fallocate;

	return how == FALLOC_NATIVE || how == FALLOC_POSIX || how == FALLOC_KEEP;
}

/* Returns the bytes that the file occupies after layout or preallocation. */
static uint64_t bytes_laid_out(const struct plan_file *pf, uint64_t size, uint64_t there)
{
	if (pf->layout == LAYOUT_FILL && pf->layout_from)
		return size > pf->layout_from ? there + size - pf->layout_from : there;
	if (pf->layout == LAYOUT_FILL || (pf->layout == LAYOUT_CREATE && preallocates(pf)))
		return size > there ? size : there;
	return there;
}

/* Adds to a sum and its peak. The sum saturates, because a job may have files of exabytes. */
static void grow_sum(int64_t *sum, uint64_t bytes, uint64_t *highest)
{
	if (bytes > INT64_MAX || __builtin_add_overflow(*sum, (int64_t)bytes, sum))
		*sum = INT64_MAX;
	if (*sum > 0 && (uint64_t)*sum > *highest)
		*highest = (uint64_t)*sum;
}

static void add_planned_file(struct tally *t, const struct plan_file *pf)
{
	const struct plan_target *target = &t->b->p->targets[pf->target];
	struct occupied *o = &t->file[target->same];
	uint64_t size = planned_size(t, pf), bytes, most;
	struct plan_space *fs;
	uint64_t limit;

	if (!pf->owner || pf->fill || pf->filled || o->fs == NO_FILE_SYSTEM)
		return;
	bytes = bytes_laid_out(pf, size, o->bytes);
	most = target->write && size > o->most ? size : o->most;
	most = most > bytes ? most : bytes;
	fs = &t->fs[o->fs];
	grow_sum(&t->now[o->fs], bytes - o->bytes, &fs->need_bytes);
	grow_sum(&t->now_most[o->fs], most - o->most, &fs->most_bytes);
	limit = t->strict ? fs->free_bytes - fs->free_bytes / MARGIN : fs->free_bytes + fs->reserved_bytes;
	if (bytes > o->bytes && fs->need_bytes > limit && !t->full)
		t->full = pf;
	o->bytes = bytes;
	o->most = most;
}

/* Subtracts files that their last user removes. The sums may become negative. */
static void remove_file(struct tally *t, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *target = &t->b->p->targets[pf->target];
	struct occupied *o = &t->file[target->same];
	bool ours = target->facts->type == TARGET_MISSING || target->facts->marked;

	if (!ours || o->fs == NO_FILE_SYSTEM || !(pf->unlink || pj->job->engine->caps & ENG_DELETES))
		return;
	t->now[o->fs] -= (int64_t)o->bytes;
	t->now_most[o->fs] -= (int64_t)o->most;
	o->bytes = o->most = 0;
}

/* Adds the jobs [first, end) of one wave: files that are laid out before it starts, then those of later
   stages. */
static void tally_wave(struct tally *t, uint32_t first, uint32_t end)
{
	const struct plan *p = t->b->p;
	uint32_t base = p->stages[p->jobs[first].stage].base, last = base;

	for (uint32_t i = first; i < end; i++)
		last = p->jobs[i].stage > last ? p->jobs[i].stage : last;
	for (uint32_t s = base; s <= last; s++) {
		for (uint32_t i = first; i < end; i++) {
			const struct plan_job *pj = &p->jobs[i];

			for (uint32_t k = 0; k < pj->nfiles; k++) {
				bool early = pj->stage == base || pj->files[k].early;

				if (early ? s == base : pj->stage == s)
					add_planned_file(t, &pj->files[k]);
			}
		}
		for (uint32_t i = first; i < end; i++)
			for (uint32_t k = 0; p->jobs[i].stage == s && k < p->jobs[i].nfiles; k++)
				remove_file(t, &p->jobs[i], &p->jobs[i].files[k]);
	}
}

static void tally_run(struct tally *t)
{
	const struct plan *p = t->b->p;

	tally_reset(t);
	for (uint32_t first = 0, end; first < p->njobs; first = end) {
		for (end = first + 1; end < p->njobs && p->jobs[end].wave == p->jobs[first].wave;)
			end++;
		tally_wave(t, first, end);
	}
}

/* Finds the largest value that fits, in round steps; 0 if none fits. */
static uint64_t largest_fit(struct tally *t, const struct user_option *g, uint64_t asked)
{
	uint64_t step = asked >= (1ull << 26) ? 1u << 20 : 4096, lo = 0, hi = asked / step;
	struct change c = { g, asked, 0 };

	t->change = &c;
	t->strict = true;
	while (lo < hi) {
		uint64_t mid = hi - (hi - lo) / 2;

		c.to = mid * step;
		tally_run(t);
		if (t->full)
			hi = mid - 1;
		else
			lo = mid;
	}
	t->change = NULL;
	t->strict = false;
	return lo * step;
}

static uint64_t configured_bytes(const struct files_cfg *c, const struct job_opts *o, const char *name)
{
	if (!strcmp(name, "create_size"))
		return o->files.create_size;
	if (!strcmp(name, "filesize"))
		return c->filesize_lo == c->filesize_hi ? c->filesize_lo : 0;
	return c->size.bytes;
}

/* Adds the advice to choose the largest value of the option that fits, if one does. */
static void put_advice(struct tally *t, const struct user_option *g, const struct job *job,
		       struct strbuf *out)
{
	uint64_t asked = g ? configured_bytes(&job->opts.files, &job->opts, g->name) : 0, fits;

	if (!asked)
		return;
	fits = largest_fit(t, g, asked);
	if (fits < bsize_min(&job->opts.offset.bsize, job->opts.offset.rw) || !fits)
		return;
	message_printf(out, "{?; the largest that fits is {+%s=%s}}", g->name, units_suffixed(fits).text);
}

static int refuse_full(struct tally *t)
{
	static const char *const by[] = { "create_size", "filesize", "size" };
	const struct plan_target *target = &t->b->p->targets[t->full->target];
	const struct plan_space fs = t->fs[t->file[target->same].fs];
	const struct job *job = t->full->user->job;
	struct strbuf message = { 0 };
	const struct user_option *g = NULL;

	bool replays = job->opts.replay.log;

	for (unsigned i = 0; i < sizeof(by) / sizeof(*by) && !g && !replays; i++)
		g = job_user_option(job, by[i]);
	if (g)
		message_printf(&message, "{%s=%s}: ", g->name, g->text);
	message_printf(&message, "the layout of %s needs %s in all, but its file system%s%s%s has %s free; ",
		       target->path, units_bytes(fs.need_bytes).text, *fs.fstype ? " (" : "", fs.fstype,
		       *fs.fstype ? ")" : "", units_bytes(fs.free_bytes).text);
	message_printf(&message,
		       replays ? "make a smaller file for {+replay_address=wrap} or another of its values"
			       : "choose a smaller size");
	put_advice(t, g, job, &message);
	message_printf(&message, "%s", plan_overridden_size(t->b, job));
	plan_err_message(t->b, job, g ? g->name : NULL, strbuf_str(&message));
	strbuf_fini(&message);
	if (t->b->p->set->is_translation)
		t->b->d->kind = DIAG_RUN; /* as in DISKSPD, which fails when it creates the file */
	return t->b->d->err;
}

/* Notes that the run needs blocks reserved for root, or that files may outgrow the free space. */
static void note_space(const struct plan_space *fs, struct notes *out)
{
	bool reserve = fs->need_bytes > fs->free_bytes;

	if (!reserve && fs->most_bytes <= fs->free_bytes + fs->reserved_bytes)
		return;
	notes_add(out,
		  reserve ? "%s: the files on its file system need %s, of which only %s are free without the "
			    "blocks "
			    "that are reserved for root"
			  : "%s: the files on its file system may grow by %s, and %s are free: writes fail "
			    "when "
			    "it is full",
		  fs->path, units_bytes(reserve ? fs->need_bytes : fs->most_bytes).text,
		  units_bytes(fs->free_bytes).text);
}

int plan_space(struct build *b)
{
	struct plan *p = b->p;
	struct tally t = { .b = b };

	t.file = arena_array(&p->arena, p->ntargets, sizeof(*t.file));
	t.fs = arena_array(&p->arena, p->ntargets, sizeof(*t.fs));
	t.now = arena_array(&p->arena, p->ntargets, sizeof(*t.now));
	t.now_most = arena_array(&p->arena, p->ntargets, sizeof(*t.now_most));
	if (!t.file || !t.fs || !t.now || !t.now_most)
		return plan_no_memory(b);
	tally_run(&t);
	if (t.full)
		return refuse_full(&t);
	p->spaces = t.fs;
	p->nspaces = t.nfs;
	return 0;
}

void plan_space_notes(const struct plan *p, struct notes *out)
{
	for (uint32_t i = 0; i < p->nspaces; i++)
		note_space(&p->spaces[i], out);
}
