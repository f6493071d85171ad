/* peak_target.c: the targets of fiord peak. Refuses those whose reads would measure something else. */
#include "peak_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blockdev.h"
#include "machine.h"
#include "media.h"
#include "nvme.h"
#include "opt.h"
#include "target.h"
#include "units.h"
#include "vec.h"

#define SIZE_LEAST (16ull << 20)
#define SIZE_SMALL (1ull << 30)

static int add_note(struct peak *p, const char *note, struct diag *d)
{
	return note && VEC_ADD(p->notes, p->nnotes, p->notes_cap, note) ? 0 : diag_no_memory(d);
}

static int refuse_kind(const char *path, const struct target_facts *f, struct diag *d)
{
	if (f->error)
		return diag_kind(d, DIAG_TARGET, f->error, "%s: %s", path, diag_errno(f->error));
	if (f->type == TARGET_MISSING)
		return diag_kind(d, DIAG_TARGET, -ENOENT,
				 "%s: no such file or device; fiord peak reads what exists", path);
	if (f->type == TARGET_DIR)
		return diag_kind(d, DIAG_TARGET, -EISDIR,
				 "%s: is a directory; name a block device, or a file on it", path);
	if (f->commands == COMMANDS_SCSI && strncmp(path, "/dev/sg", 7) == 0)
		return diag_kind(d, DIAG_TARGET, -EINVAL,
				 "%s: is the SCSI generic device of a disk; name its block device", path);
	if (f->type != TARGET_FILE && f->type != TARGET_BLOCK)
		return diag_kind(d, DIAG_TARGET, -EINVAL,
				 "%s: is neither a block device, nor a file, nor an NVMe device such as "
				 "/dev/ng0n1",
				 path);
	return 0;
}

/* A file needs direct I/O, or the page cache answers. */
static int check_direct(const char *path, const struct target_facts *f, struct diag *d)
{
	int fd = f->commands ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
			     : open(path, O_RDONLY | O_DIRECT | O_CLOEXEC | O_NONBLOCK);
	int err = fd < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	if (err == -EINVAL)
		return diag_kind(d, DIAG_TARGET, err,
				 "%s: its file system (%s) has no direct I/O, so that the page cache would "
				 "be measured",
				 path, *f->fstype ? f->fstype : "unknown");
	return err ? diag_kind(d, DIAG_TARGET, err, "%s: cannot be opened for reading: %s", path,
			       diag_errno(err))
		   : 0;
}

static int check_data(const char *path, const struct target_facts *f, struct diag *d)
{
	struct media holes = { 0 };

	if (f->size < SIZE_LEAST)
		return diag_kind(d, DIAG_TARGET, -EINVAL, "%s: has %s; fiord peak needs %s at least", path,
				 units_exact(f->size).text, units_bytes(SIZE_LEAST).text);
	media_probe_holes(&holes, f, path);
	if (holes.unwritten)
		return diag_kind(d, DIAG_TARGET, -ENODATA,
				 "%s: %s of the file were never written, and reads of them reach no device; "
				 "write the whole file first",
				 path, units_bytes(holes.unwritten).text);
	return 0;
}

static int describe(struct peak *p, const char *path, const struct target_facts *f, const struct media *m,
		    struct diag *d)
{
	int err = 0;

	if (m->in_memory || !strcmp(f->fstype, "tmpfs"))
		err = add_note(p, arena_printf(&p->mem, "%s: lies in memory, and no device is read", path),
			       d);
	if (!err && f->type == TARGET_FILE && f->size < SIZE_SMALL)
		err = add_note(p,
			       arena_printf(&p->mem, "%s: has only %s, which a cache of the device may hold",
					    path, units_bytes(f->size).text),
			       d);
	if (!err && m->cached_loop)
		err = add_note(p,
			       arena_printf(&p->mem,
					    "%s: the file behind this loop device goes through the page "
					    "cache; losetup --direct-io=on changes that",
					    path),
			       d);
	return err;
}

/* Finds the character device of a namespace that takes NVMe commands. */
static const char *find_commands(struct peak *p, const char *path, const char *disk,
				 const struct target_facts *f)
{
	char *name;

	if (f->commands == COMMANDS_NVME)
		return path;
	if (f->type != TARGET_BLOCK || strncmp(disk, "nvme", 4) != 0 || blockdev_whole(f->rdev) != f->rdev)
		return NULL;
	name = arena_printf(&p->mem, "/dev/ng%s", disk + 4);
	return name && !access(name, R_OK) ? name : NULL;
}

static int probe(struct peak *p, struct peak_target *t, const struct target_facts *f, const struct machine *m,
		 struct diag *d)
{
	const char *slash = strrchr(t->path, '/');
	struct media media = { 0 };

	media_probe(&media, f, NULL, NULL);
	t->label = slash && slash[1] ? slash + 1 : t->path;
	t->disk = arena_strdup(&p->mem, media.disk);
	t->size = f->size;
	t->block = f->logical_block > 4096 ? f->logical_block : 4096;
	t->only_commands = f->commands == COMMANDS_NVME;
	if (!t->disk || peak_device_probe(t, m, &p->mem))
		return diag_no_memory(d);
	t->commands = find_commands(p, t->path, media.disk, f);
	return describe(p, t->path, f, &media, d);
}

static int check_twice(const struct peak *p, const struct target_facts *facts, size_t i, struct diag *d)
{
	for (size_t k = 0; k < i; k++)
		if (target_is_same(&facts[k], &facts[i]))
			return diag_err(d, -EINVAL, "%s: is the same as %s; name it once", p->paths[i],
					p->paths[k]);
	return 0;
}

int peak_open(struct peak *p, struct diag *d)
{
	struct target_facts *facts = calloc(p->ntargets, sizeof(*facts));
	struct machine m = { 0 };
	int err = facts && !machine_probe(&m) && !machine_probe_places(&m) ? 0 : diag_no_memory(d);

	p->targets = arena_array(&p->mem, p->ntargets, sizeof(*p->targets));
	if (!err && !p->targets)
		err = diag_no_memory(d);
	for (size_t i = 0; i < p->ntargets && !err; i++) {
		const char *path = p->targets[i].path = p->paths[i];

		target_probe(&facts[i], path);
		if (opt_path_check(path, d) || refuse_kind(path, &facts[i], d) ||
		    check_twice(p, facts, i, d) || check_direct(path, &facts[i], d) ||
		    check_data(path, &facts[i], d) || probe(p, &p->targets[i], &facts[i], &m, d))
			err = d->err;
	}
	p->cpus = cpuset_count(&m.allowed);
	machine_fini(&m);
	free(facts);
	return err;
}
