#include "diskstat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "blockdev.h"
#include "clock.h"
#include "mounts.h"
#include "sysfs.h"
#include "vec.h"

/* The first eleven fields of a disk's stat file. */
enum field {
	READ_IOS,
	READ_MERGES,
	READ_SECTORS,
	READ_TICKS,
	WRITE_IOS,
	WRITE_MERGES,
	WRITE_SECTORS,
	WRITE_TICKS,
	IN_FLIGHT,
	BUSY_TICKS,
	QUEUE_TICKS,
	FIELDS,
};

struct disk {
	struct blockdev id;
	bool member;
	uint64_t before[FIELDS];
};

/* disk[above] is stacked on disk[below]. */
struct edge {
	size_t above, below;
};

struct diskstat {
	VEC(struct disk) disks;
	VEC(struct edge) edges;
	uint64_t begin_ns;
};

static int read_stat(uint64_t v[FIELDS], dev_t dev)
{
	char line[512], *at = line, *end;
	int ret = sysfs_line(line, sizeof(line), "/sys/dev/block/%u:%u/stat", major(dev), minor(dev));

	if (ret)
		return ret;
	for (int i = 0; i < FIELDS; i++, at = end) {
		v[i] = strtoull(at, &end, 10);
		if (end == at)
			return -EINVAL;
	}
	return 0;
}

static bool is_mount_source(const struct mount_entry *m, void *arg)
{
	dev_t *dev = arg;
	struct stat st;

	if (m->dev != *dev || strncmp(m->source, "/dev/", 5) || stat(m->source, &st) || !S_ISBLK(st.st_mode))
		return false;
	*dev = st.st_rdev;
	return true;
}

static int add_disk(struct diskstat *s, dev_t dev, bool member, size_t *index);

static int add_slaves(struct diskstat *s, size_t above)
{
	struct blockdev_list l;
	struct edge e = { .above = above };
	int ret = blockdev_relatives(&l, s->disks.v[above].id.dev, BLOCKDEV_SLAVES);

	for (size_t i = 0; !ret && i < l.n; i++) {
		ret = add_disk(s, blockdev_whole(l.v[i].dev), true, &e.below);
		if (ret == -ENOENT)
			ret = 0;
		else if (!ret && !VEC_PUSH(&s->edges, e))
			ret = -ENOMEM;
	}
	blockdev_list_fini(&l);
	return ret;
}

/* Returns -ENOENT if dev is not a disk or has no statistics. The recursion ends, because devices cannot be
   stacked in a circle. */
static int add_disk(struct diskstat *s, dev_t dev, bool member, size_t *index)
{
	struct disk disk = { .member = member };

	for (size_t i = 0; i < s->disks.n; i++) {
		if (s->disks.v[i].id.dev == dev) {
			s->disks.v[i].member &= member;
			*index = i;
			return 0;
		}
	}
	if (blockdev_get(&disk.id, dev) || read_stat(disk.before, dev))
		return -ENOENT;
	*index = s->disks.n;
	if (!VEC_PUSH(&s->disks, disk))
		return -ENOMEM;
	return add_slaves(s, *index);
}

struct diskstat *diskstat_begin(const dev_t *devs, unsigned n)
{
	struct diskstat *s = calloc(1, sizeof(*s));
	size_t index;

	if (!s)
		return NULL;
	for (unsigned i = 0; i < n; i++) {
		dev_t dev = devs[i];

		if (!major(dev)) /* an anonymous device number, as btrfs has */
			mounts_any(is_mount_source, &dev);
		if (add_disk(s, blockdev_whole(dev), false, &index) == -ENOMEM) {
			diskstat_free(s);
			return NULL;
		}
	}
	s->begin_ns = clock_raw_ns();
	return s;
}

static void count(struct disk_count *c, const uint64_t before[FIELDS], const uint64_t now[FIELDS],
		  uint64_t elapsed_ns)
{
	uint64_t d[FIELDS];

	for (int i = 0; i < FIELDS; i++)
		d[i] = now[i] - before[i];
	*c = (struct disk_count){
		.ios = { d[READ_IOS], d[WRITE_IOS] },
		.merges = { d[READ_MERGES], d[WRITE_MERGES] },
		.sectors = { d[READ_SECTORS], d[WRITE_SECTORS] },
		.ticks = { d[READ_TICKS], d[WRITE_TICKS] },
		.in_queue = d[QUEUE_TICKS],
	};
	if (elapsed_ns)
		c->util = 100.0 * (double)d[BUSY_TICKS] * 1e6 / (double)elapsed_ns;
	if (c->util > 100.0)
		c->util = 100.0;
}

static void add_count(struct disk_count *sum, const struct disk_count *c)
{
	for (int i = 0; i < 2; i++) {
		sum->ios[i] += c->ios[i];
		sum->merges[i] += c->merges[i];
		sum->sectors[i] += c->sectors[i];
		sum->ticks[i] += c->ticks[i];
	}
	sum->in_queue += c->in_queue;
	if (c->util > sum->util)
		sum->util = c->util;
}

static void divide_count(struct disk_count *sum, uint64_t by)
{
	for (int i = 0; i < 2; i++) {
		sum->ios[i] /= by;
		sum->merges[i] /= by;
		sum->sectors[i] /= by;
		sum->ticks[i] /= by;
	}
	sum->in_queue /= by;
}

static void aggregate(const struct diskstat *s, struct disk_use *use, size_t above)
{
	uint64_t members = 0;

	for (size_t i = 0; i < s->edges.n; i++) {
		if (s->edges.v[i].above != above)
			continue;
		add_count(&use[above].aggr, &use[s->edges.v[i].below].self);
		members++;
	}
	if (members)
		divide_count(&use[above].aggr, members);
}

int diskstat_end(struct diskstat *s, struct disk_use **out, unsigned *n)
{
	uint64_t elapsed_ns, now[FIELDS];
	struct disk_use *use;

	*out = NULL;
	*n = 0;
	if (!s || !s->disks.n)
		return 0;
	use = calloc(s->disks.n, sizeof(*use));
	if (!use)
		return -ENOMEM;
	elapsed_ns = clock_raw_ns() - s->begin_ns;
	for (size_t i = 0; i < s->disks.n; i++) {
		const struct disk *disk = &s->disks.v[i];

		snprintf(use[i].name, sizeof(use[i].name), "%s", disk->id.name);
		use[i].member = disk->member;
		if (!read_stat(now, disk->id.dev)) /* a disk that was removed counts nothing */
			count(&use[i].self, disk->before, now, elapsed_ns);
	}
	for (size_t i = 0; i < s->disks.n; i++)
		aggregate(s, use, i);
	*out = use;
	*n = (unsigned)s->disks.n;
	return 0;
}

void diskstat_free(struct diskstat *s)
{
	if (!s)
		return;
	free(s->disks.v);
	free(s->edges.v);
	free(s);
}
