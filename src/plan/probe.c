/* probe.c: finds the facts about every path that the job set names. Reads only. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include "clock.h"
#include "placement_ids.h"
#include "plan.h"
#include "rng.h"
#include "vec.h"
#include "zoned.h"

/* fiord searches at most this many files of opendir for holes: half of them are the first sparse ones, the
   others lie at equal distances in the list. One file with holes is enough for the note. */
#define HOLE_FILES 4096u

struct target_list {
	struct facts_target *v;
	size_t n, cap;
};

static bool writes(const struct job *job)
{
	return job_access(job) & (RW_WRITE | RW_TRIM) || job->engine->caps & ENG_CHANGES_FILES;
}

static int by_path(const void *a, const void *b)
{
	const struct facts_target *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* Adds a target. job: its user, or NULL for a directory. path lives as long as the facts. */
static int add_target(struct target_list *out, const char *path, const struct job *job, bool listed)
{
	bool write = job && writes(job);
	struct facts_target t = {
		.path = path, .write = write, .from_opendir = listed, .read_only = listed && !write
	};

	t.placement = job && job->opts.placement.kind;
	t.zones = job && job->opts.offset.zone.mode == ZONE_ZBD;
	if (job && job_access(job) & RW_TRIM && job->engine->queues_trims)
		t.trim_engine = job->engine;
	return path && VEC_PUSH(out, t) ? 0 : -ENOMEM;
}

static int add_path(struct target_list *out, struct arena *paths, const char *path, const struct job *job)
{
	return add_target(out, arena_strdup(paths, path), job, false);
}

const struct facts_tree *facts_find_tree(const struct facts *f, const struct job *job)
{
	const struct files_cfg *c = &job->opts.files;

	for (size_t i = 0; i < f->ntrees; i++) {
		const struct facts_tree *t = &f->trees[i];

		if (!strcmp(t->dir, c->opendir) && !t->match == !c->opendir_match &&
		    (!t->match || !strcmp(t->match, c->opendir_match)))
			return t;
	}
	return NULL;
}

/* Lists the files of opendir, unless an earlier job has the same directory and patterns. */
static int list_tree(struct facts *f, const struct job *job, struct diag *d)
{
	const struct files_cfg *c = &job->opts.files;
	struct facts_tree *all;

	if (!c->opendir || facts_find_tree(f, job))
		return 0;
	all = realloc(f->trees, (f->ntrees + 1) * sizeof(*all));
	if (!all)
		return diag_err(d, -ENOMEM, "out of memory for the list of files");
	f->trees = all;
	f->trees[f->ntrees++] = (struct facts_tree){ .dir = c->opendir, .match = c->opendir_match };
	return file_tree_list(&f->trees[f->ntrees - 1].files, c->opendir, c->opendir_match, d);
}

static int collect_tree(struct target_list *out, const struct facts_tree *t, const struct job *job)
{
	int ret = add_target(out, t->dir, NULL, false);

	for (size_t i = 0; i < t->files.n && !ret; i++)
		ret = add_target(out, t->files.v[i], job, true);
	return ret;
}

/* paths: memory for the paths of the targets; a: memory that lasts only for this call. */
static int collect(struct target_list *out, struct arena *paths, struct arena *a, const struct job *job)
{
	uint32_t clones = job->opts.group.numjobs, count;
	const char **dirs = plan_directories(a, job);
	int ret = dirs ? 0 : -ENOMEM;

	for (; !ret && *dirs; dirs++)
		ret = add_path(out, paths, *dirs, NULL);
	if (ret)
		return ret;
	for (uint32_t c = 0; c < clones; c++) {
		const char **names = plan_paths(a, job, c, &count);

		if (!names)
			return -ENOMEM;
		for (uint32_t i = 0; i < count; i++) {
			if (add_path(out, paths, names[i], job))
				return -ENOMEM;
		}
		if (job->opts.files.filename && (!job->opts.files.directory || !*job->opts.files.directory))
			break; /* all clones have the same paths */
	}
	return 0;
}

/* Sorts the targets. Those of one tree are sorted already. */
static void sort(struct target_list *f)
{
	size_t i = 1;

	while (i < f->n && by_path(&f->v[i - 1], &f->v[i]) <= 0)
		i++;
	if (i < f->n)
		qsort(f->v, f->n, sizeof(*f->v), by_path);
}

static void remove_duplicates(struct target_list *f)
{
	size_t unique = 0;

	for (size_t i = 0; i < f->n; i++) {
		if (unique && !strcmp(f->v[unique - 1].path, f->v[i].path)) {
			f->v[unique - 1].write |= f->v[i].write;
			if (f->v[i].trim_engine)
				f->v[unique - 1].trim_engine = f->v[i].trim_engine;
			f->v[unique - 1].zones |= f->v[i].zones;
			f->v[unique - 1].placement |= f->v[i].placement;
			f->v[unique - 1].from_opendir &= f->v[i].from_opendir;
			f->v[unique - 1].read_only &= f->v[i].read_only;
		} else {
			f->v[unique++] = f->v[i];
		}
	}
	f->n = unique;
}

/* Returns whether some job has an option that is checked against the machine. */
static bool needs_machine(const struct job_set *set)
{
	for (size_t i = 0; i < set->njobs; i++) {
		const struct job_opts *o = &set->jobs[i].opts;
		const struct place_cfg *p = &o->place;

		if (cpuset_count(&p->cpus) || cpuset_count(&p->cpu_nodes) || p->memory.mode)
			return true;
		if (mem_kind_huge(o->memory.source.kind) || o->lockmem || o->cgroup.name ||
		    o->write_pool.bytes || o->report.file_stats || o->verify.format.kind)
			return true;
	}
	return false;
}

static bool needs_cpu_order(const struct job_set *set)
{
	for (size_t i = 0; i < set->njobs; i++)
		if (set->jobs[i].opts.place.cpu_order)
			return true;
	return false;
}

static bool is_file(const struct facts_target *t)
{
	return t->facts.type == TARGET_FILE && !t->facts.error;
}

/* Fills in what is known about the disk. Neighbours in the list are mostly on one disk. */
static void examine_media(struct target_list *f, size_t i)
{
	struct facts_target *t = &f->v[i];
	const struct facts_target *before = i ? &f->v[i - 1] : NULL;
	bool same = before && (is_file(before) || before->media.disk[0]);

	media_probe(&t->media, &t->facts, before ? &before->facts : NULL, same ? &before->media : NULL);
}

/* Searches files for holes. */
static void examine_holes(struct target_list *f)
{
	size_t sparse = HOLE_FILES / 2, step = f->n / (HOLE_FILES / 2) + 1;

	for (size_t i = 0; i < f->n; i++) {
		struct facts_target *t = &f->v[i];

		if (t->from_opendir && i % step) {
			if (!sparse || t->facts.blocks >= t->facts.size)
				continue;
			sparse--;
		}
		media_probe_holes(&t->media, &t->facts, t->path);
	}
}

static void examine_trims(struct facts_target *t)
{
	int fd = open(t->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	t->facts.queued_trims = fd >= 0 && t->trim_engine->queues_trims(NULL, fd);
	if (fd >= 0)
		close(fd);
}

/* Reads the zones of a zoned device. Returns false if memory is short. */
static bool examine_zones(struct facts_target *t)
{
	struct target_facts *f = &t->facts;

	if (!t->zones || f->error || f->type != TARGET_BLOCK || !strcmp(f->zoned, "none"))
		return true;
	f->zones = calloc(1, sizeof(*f->zones));
	if (f->zones)
		f->zones_error = zoned_read(f->zones, t->path);
	return f->zones;
}

/* Reads the placement ids of a namespace, or the write streams of a block device. Returns false if memory is
   short. */
static bool examine_placement(struct facts_target *t)
{
	struct target_facts *f = &t->facts;

	if (!t->placement || f->error || f->type != TARGET_BLOCK || (f->commands && f->nvme_error))
		return true;
	f->placement = calloc(1, sizeof(*f->placement));
	if (f->placement)
		f->placement_error = f->commands ? placement_ids_read(f->placement, t->path, f->nvme.nsid)
						 : placement_streams_read(f->placement, f->rdev);
	return f->placement;
}

static int examine(struct target_list *f)
{
	struct target_scan *scan = calloc(1, sizeof(*scan));
	struct target_owner_dir dir = { .known = false };
	int ret = 0;

	if (!scan)
		return -ENOMEM;
	for (size_t i = 0; i < f->n; i++) {
		struct facts_target *t = &f->v[i];

		target_probe_next(&t->facts, t->path, t->read_only, scan);
		if (t->write)
			target_examine(&t->facts, t->path, &dir);
		if (t->trim_engine && t->facts.type == TARGET_BLOCK && !t->facts.error)
			examine_trims(t);
		examine_media(f, i);
		if (!examine_zones(t) || !examine_placement(t))
			ret = -ENOMEM;
	}
	target_scan_fini(scan);
	free(scan);
	examine_holes(f);
	return ret;
}

/* Returns a random number that is not 0. All ranks of a run have the same one. */
static uint32_t new_run_number(const struct rank_info *rank)
{
	uint32_t run;

	if (rank->entropy)
		run = (uint32_t)rng_mix64(rank->entropy);
	else if (getrandom(&run, sizeof(run), GRND_NONBLOCK) < 0)
		run = (uint32_t)rng_mix64(clock_ns() ^ (uint64_t)getpid());
	return run ? run : 1;
}

int plan_probe(struct facts *f, const struct job_set *set, struct diag *d)
{
	struct arena a = { 0 };
	struct target_list list = { 0 };
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	int ret = 0;

	for (size_t i = 0; i < set->njobs && !ret; i++) {
		const struct job *job = &set->jobs[i];

		if (job->engine->caps & (ENG_NOFILE | ENG_NOIO))
			continue;
		ret = list_tree(f, job, d);
		if (!ret)
			ret = job->opts.files.opendir ? collect_tree(&list, facts_find_tree(f, job), job)
						      : collect(&list, &f->paths, &a, job);
	}
	if (!ret && (needs_machine(set) || needs_cpu_order(set)))
		ret = machine_probe(&f->machine);
	if (!ret && needs_cpu_order(set))
		ret = machine_probe_places(&f->machine);
	arena_fini(&a);
	sort(&list);
	remove_duplicates(&list);
	ret = ret ? ret : examine(&list);
	media_governor(f->governor, sizeof(f->governor));
	f->now_s = time(NULL);
	f->tsc = clock_tsc_trusted();
	f->no_proc = access("/proc/self", F_OK) != 0;
	f->no_sys = access("/sys/dev/block", F_OK) != 0;
	f->targets = list.v;
	f->ntargets = list.n;
	f->memory_bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
	f->entropy = set->run.rank.entropy;
	if (!f->entropy && getrandom(&f->entropy, sizeof(f->entropy), GRND_NONBLOCK) < 0)
		f->entropy = (uint64_t)getpid();
	f->run = new_run_number(&set->run.rank);
	return ret && !d->err ? diag_err(d, ret, "out of memory for the list of files") : ret;
}

void facts_fini(struct facts *f)
{
	for (size_t i = 0; i < f->ntargets; i++) {
		if (f->targets[i].facts.zones)
			zoned_fini(f->targets[i].facts.zones);
		free(f->targets[i].facts.zones);
		free(f->targets[i].facts.placement);
	}
	free(f->targets);
	arena_fini(&f->paths);
	for (size_t i = 0; i < f->ntrees; i++)
		file_tree_fini(&f->trees[i].files);
	free(f->trees);
	machine_fini(&f->machine);
	*f = (struct facts){ 0 };
}
