#include "rank_targets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "mounts.h"
#include "rng.h"
#include "strbuf.h"
#include "vec.h"

/* A range of bytes; empty if end is 0. */
struct range {
	uint64_t start, end;
};

/* Of one target of a rank; its path without NUL follows in the pack. */
struct record {
	uint64_t fs, file;           /* identify the file */
	struct range writes, checks; /* of jobs that write, and of jobs that verify */
	uint32_t path_bytes;
	uint8_t changes; /* the rank writes, lays out or removes it */
	uint8_t shared;  /* all its users have rank_shared */
	uint16_t zero;
};

struct rank_target {
	struct record r;
	int rank;
	const char *path;
};

/* ---- identity ---- */

static uint64_t hash_bytes(uint64_t seed, const char *text, size_t n)
{
	uint64_t h = rng_mix64(seed + n);

	for (size_t i = 0; i < n; i++)
		h = rng_mix64(h ^ (unsigned char)text[i]);
	return h;
}

uint64_t rank_machine_id(void)
{
	char id[64];
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, id, sizeof(id));

	if (fd >= 0)
		close(fd);
	if (n > 0)
		return hash_bytes(1, id, (size_t)n);
	if (gethostname(id, sizeof(id)))
		return 1;
	return hash_bytes(2, id, strnlen(id, sizeof(id)));
}

/* Returns whether the inode numbers of this file system are the same on all hosts that mount it. */
static bool is_network_fs(const char *fstype)
{
	static const char *const types[] = { "nfs",    "nfs4", "cifs",           "smb3",         "ceph",
					     "lustre", "gpfs", "beegfs",         "panfs",        "pvfs2",
					     "wekafs", "afs",  "fuse.glusterfs", "fuse.juicefs", "fuse.ceph",
					     "ocfs2",  "gfs2" };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(fstype, types[i]))
			return true;
	return false;
}

uint64_t rank_fs_id(uint64_t machine, dev_t dev, const char *fstype, const char *source)
{
	/* A source without ':' or '/', such as "none", does not identify anything. */
	if (is_network_fs(fstype) && strpbrk(source, ":/"))
		return hash_bytes(hash_bytes(3, fstype, 3), source, strlen(source));
	return rng_mix64(machine ^ rng_mix64((uint64_t)dev));
}

struct mount_search {
	dev_t dev;
	char source[512];
};

static bool take_source(const struct mount_entry *m, void *arg)
{
	struct mount_search *s = arg;

	if (m->dev != s->dev)
		return false;
	snprintf(s->source, sizeof(s->source), "%s", m->source);
	return true;
}

static uint64_t fs_of(uint64_t machine, dev_t dev, const char *fstype)
{
	struct mount_search s = { .dev = dev };

	if (is_network_fs(fstype))
		mounts_any(take_source, &s);
	return rank_fs_id(machine, dev, fstype, s.source);
}

/* A missing file is known by its nearest directory and the names below it. */
static uint64_t missing_file(const struct target_facts *f, const char *path)
{
	uint64_t h = rng_mix64(f->dir_ino);

	if (f->dir_ino)
		path += f->missing_at;
	while (*path) {
		size_t n;

		path += strspn(path, "/");
		n = strcspn(path, "/");
		if (n && !(n == 1 && *path == '.'))
			h = hash_bytes(h, path, n);
		path += n;
	}
	return h;
}

static void identify(struct record *r, uint64_t machine, const struct target_facts *f, const char *path)
{
	if (f->type == TARGET_BLOCK || f->type == TARGET_CHAR) {
		r->fs = rng_mix64(machine);
		r->file = rng_mix64((uint64_t)f->rdev + (f->type == TARGET_CHAR));
	} else if (f->type == TARGET_MISSING) {
		r->fs = fs_of(machine, f->dir_ino ? f->dir_dev : f->dev, f->fstype);
		r->file = missing_file(f, path);
	} else {
		r->fs = fs_of(machine, f->dev, f->fstype);
		r->file = f->ino;
	}
}

/* ---- pack ---- */

static void extend_range(struct range *r, const struct plan_file *f)
{
	uint64_t end = f->start + f->len;

	if (!r->end || f->start < r->start)
		r->start = f->start;
	if (end > r->end)
		r->end = end;
}

static void add_use(struct record *r, const struct plan_job *pj, const struct plan_file *f)
{
	bool writes = job_access(pj->job) & (RW_WRITE | RW_TRIM);

	if (!r->shared)
		r->shared = 1; /* of the first user */
	if (!pj->job->opts.files.rank_shared)
		r->shared = 2;
	r->changes |= f->layout != LAYOUT_NONE || f->unlink || writes;
	if (writes)
		extend_range(&r->writes, f);
	if (plan_verifies(pj))
		extend_range(&r->checks, f);
}

static bool is_file(const struct target_facts *f)
{
	return f->type != TARGET_OTHER && f->type != TARGET_DIR && !target_keeps_nothing(f);
}

void rank_targets_pack(const struct plan *p, uint64_t machine, struct strbuf *out)
{
	struct record *r = calloc(p->ntargets + 1, sizeof(*r));

	if (!r) {
		out->failed = true;
		return;
	}
	for (uint32_t i = 0; i < p->njobs; i++)
		for (uint32_t k = 0; k < p->jobs[i].nfiles; k++) {
			const struct plan_file *f = &p->jobs[i].files[k];

			if (!(p->jobs[i].job->engine->caps & (ENG_NOFILE | ENG_NOIO)))
				add_use(&r[p->targets[f->target].same], f->user, f);
		}
	for (uint32_t i = 0; i < p->ntargets; i++) {
		const struct plan_target *t = &p->targets[i];

		r[t->same].changes |= t->write;
		if (!r[i].shared || !is_file(t->facts))
			continue;
		r[i].shared = r[i].shared == 1;
		r[i].path_bytes = (uint32_t)strlen(t->path);
		identify(&r[i], machine, t->facts, t->path);
	}
	for (uint32_t i = 0; i < p->ntargets; i++) {
		if (!r[i].path_bytes)
			continue;
		strbuf_add(out, (const char *)&r[i], sizeof(r[i]));
		strbuf_add(out, p->targets[i].path, r[i].path_bytes);
	}
	free(r);
}

/* ---- rank 0 ---- */

int rank_targets_add(struct rank_targets *t, int rank, const char *pack, size_t bytes)
{
	while (bytes) {
		struct rank_target x = { .rank = rank };

		if (bytes < sizeof(x.r))
			return -EPROTO;
		memcpy(&x.r, pack, sizeof(x.r));
		pack += sizeof(x.r);
		bytes -= sizeof(x.r);
		if (!x.r.path_bytes || x.r.path_bytes > bytes)
			return -EPROTO;
		/* Any number of ranks may read a file if none verifies it. */
		if (x.r.changes || x.r.checks.end) {
			x.path = arena_strndup(&t->paths, pack, x.r.path_bytes);
			if (!x.path || !VEC_PUSH(t, x))
				return -ENOMEM;
		}
		pack += x.r.path_bytes;
		bytes -= x.r.path_bytes;
	}
	return 0;
}

void rank_targets_fini(struct rank_targets *t)
{
	free(t->v);
	arena_fini(&t->paths);
}

static int by_file(const void *a, const void *b)
{
	const struct rank_target *x = a, *y = b;

	if (x->r.fs != y->r.fs)
		return x->r.fs < y->r.fs ? -1 : 1;
	if (x->r.file != y->r.file)
		return x->r.file < y->r.file ? -1 : 1;
	return x->rank - y->rank;
}

static bool overlap(const struct range *a, const struct range *b)
{
	return a->end && b->end && a->start < b->end && b->start < a->end;
}

struct check {
	const char *(*host)(const void *ctx, int rank);
	const void *ctx;
	const struct rank_target *a, *b; /* the first two ranks in conflict */
	const char *kind;
	size_t files; /* with a conflict */
};

/* Returns the conflict of these two uses of one file by two ranks: "write", "verify", or NULL for none. */
static const char *conflict(const struct rank_target *a, const struct rank_target *b)
{
	if (a->rank == b->rank)
		return NULL;
	if (a->r.changes && b->r.changes && !(a->r.shared && b->r.shared))
		return "write";
	return overlap(&a->r.checks, &b->r.writes) || overlap(&b->r.checks, &a->r.writes) ? "verify" : NULL;
}

/* Compares the n users of one file. */
static void check_file(struct check *c, const struct rank_target *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++) {
			const char *kind = conflict(&t[i], &t[k]);

			if (!kind)
				continue;
			if (!c->files++) {
				c->a = &t[i];
				c->b = &t[k];
				c->kind = kind;
			}
			return;
		}
}

static int refuse_pair(const struct check *c, struct diag *d)
{
	const struct rank_target *a = c->a, *b = c->b;
	const char *x = c->host(c->ctx, a->rank), *y = c->host(c->ctx, b->rank);
	const char *act = a->r.writes.end || b->r.writes.end ? "write" : "lay out";
	bool other_path = strcmp(a->path, b->path) != 0;
	char more[64] = "";

	if (c->files > 1)
		snprintf(more, sizeof(more), "; the same holds for %zu other files", c->files - 1);
	if (*c->kind == 'v')
		return diag_kind(d, DIAG_TARGET, -EBUSY,
				 "%s: of %s (rank %d) and %s (rank %d), one verifies bytes that the other "
				 "writes; give each rank its own "
				 "part of the file with {rank_offset_increment}, or a file of its own%s",
				 a->path, x, a->rank, y, b->rank, more);
	return diag_kind(d, DIAG_TARGET, -EBUSY,
			 "%s: %s (rank %d) and %s (rank %d%s%s) would both %s this file; give each rank its "
			 "own with ${{RANK} or ${{HOST} in its name, or permit it with {+rank_shared=1}%s",
			 a->path, x, a->rank, y, b->rank, other_path ? ", as " : "",
			 other_path ? b->path : "", act, more);
}

int rank_targets_check(struct rank_targets *t, const char *(*host)(const void *ctx, int rank),
		       const void *ctx, struct diag *d)
{
	struct check c = { .host = host, .ctx = ctx };

	if (t->n)
		qsort(t->v, t->n, sizeof(*t->v), by_file);
	for (size_t i = 0, n; i < t->n; i += n) {
		for (n = 1; i + n < t->n; n++)
			if (t->v[i + n].r.fs != t->v[i].r.fs || t->v[i + n].r.file != t->v[i].r.file)
				break;
		check_file(&c, &t->v[i], n);
	}
	return c.files ? refuse_pair(&c, d) : 0;
}
