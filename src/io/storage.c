#include "storage.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include "blockdev.h"
#include "mounts.h"
#include "vec.h"

/* These limits are enough for a mirror of RAIDs; deeper levels are left out. */
#define LEVELS  6
#define DEVICES 64

static void add_device(struct storage *s, dev_t dev, unsigned level)
{
	struct storage_dev d = { .level = level, .dev = dev };
	dev_t whole = blockdev_whole(dev);
	struct blockdev_list l;

	diskinfo_add(&d.props, dev);
	if (!d.props.n)
		return;
	if (!VEC_PUSH(s, d)) {
		props_fini(&d.props);
		s->failed = true;
		return;
	}
	if (level == LEVELS || s->n >= DEVICES)
		return;
	if (whole != dev) {
		add_device(s, whole, level + 1);
		return;
	}
	if (blockdev_relatives(&l, dev, BLOCKDEV_SLAVES)) {
		s->failed = true;
		return;
	}
	for (size_t i = 0; i < l.n && s->n < DEVICES; i++)
		add_device(s, l.v[i].dev, level + 1);
	blockdev_list_fini(&l);
}

struct mount_query {
	struct props *fs;
	uint64_t id; /* mount ID; 0: unknown, search by device number */
	dev_t dev;
	dev_t source; /* the mounted device; 0: none */
};

static const char *location_of(const char *fstype)
{
	static const char *const network[] = { "nfs",       "nfs4",        "cifs",           "smb3",
					       "ceph",      "9p",          "lustre",         "gfs2",
					       "ocfs2",     "glusterfs",   "fuse.glusterfs", "fuse.sshfs",
					       "fuse.s3fs", "fuse.juicefs" };
	static const char *const memory[] = { "tmpfs", "ramfs", "devtmpfs", "hugetlbfs" };

	for (size_t i = 0; i < sizeof(network) / sizeof(network[0]); i++) {
		if (!strcmp(fstype, network[i]))
			return "network";
	}
	for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++) {
		if (!strcmp(fstype, memory[i]))
			return "memory";
	}
	return NULL;
}

static bool is_mount(const struct mount_entry *m, void *arg)
{
	struct mount_query *q = arg;
	struct stat st;

	if (q->id ? m->id != q->id : m->dev != q->dev)
		return false;
	props_text(q->fs, "type", m->fstype);
	props_text(q->fs, "mount_point", m->point);
	props_text(q->fs, "source", m->source);
	props_text(q->fs, "options", m->options);
	props_text(q->fs, "super_options", m->super);
	props_text(q->fs, "kept_in", location_of(m->fstype));
	if (!strncmp(m->source, "/dev/", 5) && !stat(m->source, &st) && S_ISBLK(st.st_mode))
		q->source = st.st_rdev;
	return true;
}

/* Removes the last component of a path: "/a/b", "/a", "/"; "a", ".". Returns false when none is left. */
static bool cut_last(char *path)
{
	char *slash = strrchr(path, '/');

	if (!strcmp(path, "/") || !strcmp(path, "."))
		return false;
	if (slash)
		slash[slash == path] = '\0';
	else
		strcpy(path, ".");
	return true;
}

/* Finds the path itself, or its nearest existing directory. */
static bool nearest_existing(char near[PATH_MAX], const char *path, struct statvfs *fs)
{
	if (snprintf(near, PATH_MAX, "%s", *path ? path : ".") >= PATH_MAX)
		return false;
	while (statvfs(near, fs)) {
		if (!cut_last(near))
			return false;
	}
	return true;
}

static void probe_fs(struct storage *s, const struct target_facts *f, const char *path)
{
	struct mount_query q = { .fs = &s->fs, .dev = f->dev };
	struct statx sx = { 0 };
	char near[PATH_MAX];
	struct statvfs fs;
	bool known = nearest_existing(near, path, &fs);

	if (known && !statx(AT_FDCWD, near, 0, STATX_MNT_ID, &sx) && sx.stx_mask & STATX_MNT_ID)
		q.id = sx.stx_mnt_id;
	if (!mounts_any(is_mount, &q))
		props_text(&s->fs, "type", f->fstype);
	if (known) {
		props_u64(&s->fs, "block_bytes", fs.f_frsize);
		props_u64(&s->fs, "size_bytes", (uint64_t)fs.f_blocks * fs.f_frsize);
		props_u64(&s->fs, "free_bytes", (uint64_t)fs.f_bavail * fs.f_frsize);
	}
	add_device(s, major(f->dev) || !q.source ? f->dev : q.source, 0);
}

void storage_probe(struct storage *s, const struct target_facts *f, const char *path)
{
	if (f->error || f->type == TARGET_CHAR || f->type == TARGET_OTHER)
		return;
	if (f->type == TARGET_BLOCK)
		add_device(s, f->rdev, 0);
	else
		probe_fs(s, f, path);
}

void storage_fini(struct storage *s)
{
	props_fini(&s->fs);
	for (size_t i = 0; i < s->n; i++)
		props_fini(&s->v[i].props);
	free(s->v);
	*s = (struct storage){ 0 };
}

bool storage_same(const struct target_facts *a, const struct target_facts *b)
{
	bool device = a->type == TARGET_BLOCK;

	if (device != (b->type == TARGET_BLOCK))
		return false;
	return device ? a->rdev == b->rdev : a->dev == b->dev;
}
