#include "media.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "blockdev.h"
#include "sysfs.h"

#define SYS_FMT      "/sys/dev/block/%u:%u/"
#define SYS_ARG(dev) major(dev), minor(dev)
/* Examines at most this many holes; the rest of the file counts as written. */
#define HOLES_MAX 4096

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/* Reads the active scheduler, which is in brackets: "none [mq-deadline] kyber". */
static void probe_scheduler(struct media *m, dev_t whole)
{
	char text[128], *at;

	if (sysfs_line(text, sizeof(text), SYS_FMT "queue/scheduler", SYS_ARG(whole)))
		return;
	at = strchr(text, '[');
	at = at ? at + 1 : text;
	at[strcspn(at, "]")] = '\0';
	snprintf(m->scheduler, sizeof(m->scheduler), "%.*s", (int)sizeof(m->scheduler) - 1, at);
}

static void probe_disk(struct media *m, dev_t dev)
{
	dev_t whole = blockdev_whole(dev);
	struct blockdev b;
	char text[64] = "";
	uint64_t v;

	if (blockdev_get(&b, whole))
		return;
	snprintf(m->disk, sizeof(m->disk), "%s", b.name);
	m->in_memory = begins(b.name, "zram") || begins(b.name, "ram");
	m->is_virtual = begins(b.name, "vd") || begins(b.name, "xvd");
	m->rotational =
		!begins(b.name, "loop") && !sysfs_u64(&v, SYS_FMT "queue/rotational", SYS_ARG(whole)) && v;
	if (!sysfs_u64(&v, SYS_FMT "queue/physical_block_size", SYS_ARG(whole)))
		m->physical_block = (uint32_t)v;
	m->write_back = !sysfs_line(text, sizeof(text), SYS_FMT "queue/write_cache", SYS_ARG(whole)) &&
			!strcmp(text, "write back");
	m->counts_passthrough = !sysfs_u64(&v, SYS_FMT "queue/iostats_passthrough", SYS_ARG(whole)) && v;
	probe_scheduler(m, whole);
	m->cached_loop = !sysfs_u64(&v, SYS_FMT "loop/dio", SYS_ARG(whole)) && !v;
}

void media_probe_holes(struct media *m, const struct target_facts *f, const char *path)
{
	off_t hole = 0, data, end = (off_t)f->size;
	int fd;

	if (f->error || f->type != TARGET_FILE || !f->size)
		return;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	for (unsigned i = 0; fd >= 0 && i < HOLES_MAX; i++) {
		hole = lseek(fd, hole, SEEK_HOLE);
		if (hole < 0 || hole >= end)
			break;
		data = lseek(fd, hole, SEEK_DATA);
		if (data < 0 || data > end)
			data = end;
		m->unwritten += (uint64_t)(data - hole);
		hole = data;
	}
	if (fd >= 0)
		close(fd);
	m->unwritten_allocated = f->blocks >= f->size;
}

static dev_t disk_of(const struct target_facts *f)
{
	return f->type == TARGET_BLOCK ? f->rdev : f->dev;
}

void media_probe(struct media *m, const struct target_facts *f, const struct target_facts *other,
		 const struct media *before)
{
	*m = (struct media){ 0 };
	if (f->error || f->type == TARGET_CHAR || f->type == TARGET_DIR || f->type == TARGET_OTHER)
		return;
	if (before && disk_of(other) == disk_of(f)) {
		*m = *before;
		m->unwritten = 0;
		m->unwritten_allocated = false;
	} else {
		probe_disk(m, disk_of(f));
	}
}

void media_governor(char *buf, size_t size)
{
	buf[0] = '\0';
	if (sysfs_line(buf, size, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"))
		buf[0] = '\0';
}
