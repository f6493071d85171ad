#include "media.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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

/* Returns the bytes of the holes before `end`. */
static uint64_t sum_holes(int fd, off_t end, unsigned *most)
{
	uint64_t sum = 0;
	off_t hole = 0, data;

	for (; *most; --*most) {
		hole = lseek(fd, hole, SEEK_HOLE);
		if (hole < 0 || hole >= end)
			break;
		data = lseek(fd, hole, SEEK_DATA);
		if (data < 0 || data > end)
			data = end;
		sum += (uint64_t)(data - hole);
		hole = data;
	}
	return sum;
}

uint64_t media_unwritten(const char *path, uint64_t *size, unsigned *most)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	uint64_t sum = 0;
	struct stat st;

	*size = 0;
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode)) {
		*size = (uint64_t)st.st_size;
		sum = sum_holes(fd, st.st_size, most);
	}
	if (fd >= 0)
		close(fd);
	return sum;
}

void media_probe_holes(struct media *m, const struct target_facts *f, const char *path)
{
	unsigned most = HOLES_MAX;
	uint64_t size;

	if (f->error || f->type != TARGET_FILE || !f->size)
		return;
	m->unwritten = media_unwritten(path, &size, &most);
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
