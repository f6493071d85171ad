#include "target_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define WANTED (STATX_BASIC_STATS | STATX_MNT_ID | STATX_DIOALIGN | STATX_WRITE_ATOMIC_BIT)
/* Attributes that deny what the mode permits. */
#define DENYING (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)

/* Opens the directory of a path, unless it is open already. Returns a descriptor for lookups, or -1. */
static int open_dir(struct target_scan *s, const char *path, size_t n)
{
	if (!n)
		return AT_FDCWD;
	if (s->dir_open && strlen(s->dir) == n && !memcmp(s->dir, path, n))
		return s->dir_fd;
	if (s->dir_open)
		close(s->dir_fd);
	s->dir_open = false;
	if (n >= sizeof(s->dir))
		return -1;
	memcpy(s->dir, path, n);
	s->dir[n] = '\0';
	s->dir_fd = open(s->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	s->dir_open = s->dir_fd >= 0;
	return s->dir_fd;
}

static bool has_override(void)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct v[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return !syscall(SYS_capget, &h, v) && v[0].effective & 1u << CAP_DAC_OVERRIDE;
}

/* Returns whether the two files have the same owner, mode and attributes. */
static bool same_rights(const struct target_rights *a, const struct target_rights *b)
{
	return a->mode == b->mode && a->uid == b->uid && a->gid == b->gid && a->denied == b->denied;
}

static struct target_rights rights_of(const struct statx *sx)
{
	return (struct target_rights){ .mode = sx->stx_mode,
				       .uid = sx->stx_uid,
				       .gid = sx->stx_gid,
				       .denied = sx->stx_attributes & DENYING };
}

static uint64_t mount_of(const struct statx *sx)
{
	return sx->stx_mask & STATX_MNT_ID ? sx->stx_mnt_id : 0;
}

void target_neighbour_remember(struct target_scan *s, const struct target_facts *f, const char *path)
{
	struct statx sx;
	struct stat dev;
	size_t n = target_dir_length(path);

	s->known = n < sizeof(s->file_dir) && !statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, WANTED, &sx) &&
		   sx.stx_ino == f->ino;
	if (!s->known)
		return;
	memcpy(s->file_dir, path, n);
	s->file_dir[n] = '\0';
	s->file = *f;
	s->file.refusal[0] = '\0';
	s->file.in_use = false;
	s->file.marked = s->file.mark_ended = s->file.no_marks = false;
	s->mount = mount_of(&sx);
	s->rights = rights_of(&sx);
	s->may_be_in_dev = stat("/dev", &dev) || dev.st_dev == f->dev;
	s->overrides = has_override();
	s->euid = geteuid();
}

/* Finds out whether the file may be read and written. Files of one mount with the same owner and mode have
   the same answer, unless an access control list treats users other than the owner differently. That does not
   matter if the run only reads the file: the run then fails when it opens the file. */
static void probe_access(struct target_facts *f, int dir, const char *name, const struct statx *sx,
			 bool read_only, struct target_scan *s)
{
	struct target_rights rights = rights_of(sx);

	if (same_rights(&rights, &s->rights) && (read_only || s->overrides || rights.uid == s->euid)) {
		f->read_error = s->file.read_error;
		f->write_error = s->file.write_error;
		return;
	}
	f->read_error = faccessat(dir, name, R_OK, AT_EACCESS) ? -errno : 0;
	f->write_error = faccessat(dir, name, W_OK, AT_EACCESS) ? -errno : 0;
	s->rights = rights;
	s->file.read_error = f->read_error;
	s->file.write_error = f->write_error;
}

/* Fills in the facts from one statx of the file, and those that it shares with the file before. */
static void set_facts(struct target_facts *f, const union target_statx *now,
		      const struct target_facts *before)
{
	const struct statx *sx = &now->sx;

	*f = (struct target_facts){ .type = TARGET_FILE,
				    .in_dev = before->in_dev,
				    .size = sx->stx_size,
				    .blocks = sx->stx_blocks * 512,
				    .modified_s = sx->stx_mtime.tv_sec,
				    .modified_ns = sx->stx_mtime.tv_nsec,
				    .links = sx->stx_nlink,
				    .logical_block = before->logical_block,
				    .own_block = before->own_block,
				    .dev = before->dev,
				    .ino = sx->stx_ino,
				    .rdev = makedev(sx->stx_rdev_major, sx->stx_rdev_minor),
				    .fs_size = before->fs_size,
				    .fs_free = before->fs_free,
				    .fs_reserved = before->fs_reserved };
	memcpy(f->fstype, before->fstype, sizeof(f->fstype));
	if (f->own_block && sx->stx_mask & STATX_DIOALIGN)
		f->logical_block = sx->stx_dio_offset_align;
	target_set_atomic(f, now);
}

/* Returns whether the file is in /dev if the file before is. In some containers /dev is part of another file
   system; there only files of one directory have the same answer. */
static bool same_place(const struct target_scan *s, const char *path, size_t n)
{
	return !s->may_be_in_dev || (strlen(s->file_dir) == n && !memcmp(s->file_dir, path, n));
}

bool target_neighbour_probe(struct target_facts *f, const char *path, bool read_only, struct target_scan *s)
{
	size_t n = target_dir_length(path);
	const char *name = path + n;
	union target_statx now = { .byte = { 0 } };
	int dir;

	if (!s->known || !*name || !same_place(s, path, n))
		return false;
	dir = open_dir(s, path, n);
	if (dir == -1 || statx(dir, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, WANTED, &now.sx) ||
	    !S_ISREG(now.sx.stx_mode) || mount_of(&now.sx) != s->mount ||
	    makedev(now.sx.stx_dev_major, now.sx.stx_dev_minor) != s->file.dev)
		return false;
	set_facts(f, &now, &s->file);
	probe_access(f, dir, name, &now.sx, read_only, s);
	if (!read_only) {
		target_read_mark(f, path);
		target_check_backing(f, s);
	}
	return true;
}

void target_scan_fini(struct target_scan *s)
{
	if (s->dir_open)
		close(s->dir_fd);
	loop_devices_fini(&s->loops);
	*s = (struct target_scan){ .known = false };
}
