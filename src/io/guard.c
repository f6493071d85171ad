#include "target_parts.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "blockdev.h"
#include "in_use.h"
#include "target.h"

bool target_is_same(const struct target_facts *f, const struct target_facts *g)
{
	if (f->type != g->type)
		return false;
	if (f->type == TARGET_BLOCK || f->type == TARGET_CHAR)
		return f->rdev == g->rdev;
	return f->dev == g->dev && f->ino == g->ino;
}

/* Returns whether this entry of allow_write names the target. */
static bool names_target(const struct target_facts *f, const char *path, const char *entry)
{
	struct target_facts named = { 0 };
	struct stat st;

	if (!strcmp(entry, path))
		return true;
	if (stat(entry, &st))
		return false;
	target_from_stat(&named, &st);
	return target_is_same(f, &named);
}

static bool is_listed(const struct target_facts *f, const char *path, const struct target_allow *allow,
		      bool in_use)
{
	if (f->type != TARGET_BLOCK && f->type != TARGET_CHAR && f->type != TARGET_FILE)
		return false;
	for (unsigned i = 0; allow && i < allow->count; i++) {
		if (in_use && !(allow->in_use && allow->in_use[i]))
			continue;
		if (names_target(f, path, allow->paths[i]))
			return true;
	}
	return false;
}

bool target_allowed(const struct target_facts *f, const char *path, const struct target_allow *allow)
{
	return is_listed(f, path, allow, false);
}

/* Returns whether the user permits writing to this target even while it is in use: allow_write names it, and
   allow_mounted_write is set. */
static bool target_allowed_in_use(const struct target_facts *f, const char *path,
				  const struct target_allow *allow)
{
	return is_listed(f, path, allow, true);
}

/* Refuses a target that allow_write could permit. */
static int refuse_openable(struct diag *d, const char *path, const char *why, const char *noun)
{
	return diag_kind(d, DIAG_TARGET, -EPERM,
			 "%s: refusing to write: %s; {+allow_write=%s} permits it for this %s", path, why,
			 path, noun);
}

/* Refuses a target that somebody uses, unless allow_mounted_write permits it. named: allow_write names it. */
static int check_in_use(const struct target_facts *f, const char *path, const struct target_allow *allow,
			bool named, struct diag *d)
{
	if (!(f->in_use || f->use_unknown) || target_allowed_in_use(f, path, allow))
		return 0;
	if (named)
		return diag_kind(d, DIAG_TARGET, -EPERM,
				 "%s: refusing to write: %s; end that use first, or put "
				 "{+allow_mounted_write=1} beside {+allow_write=%s}",
				 path, f->refusal, path);
	return diag_kind(
		d, DIAG_TARGET, -EPERM,
		"%s: refusing to write: %s; end that use first, because {+allow_write=%s} alone does "
		"not permit it",
		path, f->refusal, path);
}

static int refuse_missing(const struct target_facts *f, const char *path, struct diag *d)
{
	char to[PATH_MAX], hint[PATH_MAX + 32] = "";
	bool known = !target_name_follow(path, to, sizeof(to));

	if (!f->in_dev)
		return diag_kind(d, DIAG_TARGET, -EPERM,
				 "%s: refusing to write: it is a symbolic link to %s, which does not exist",
				 path, known ? to : "something");
	if (known)
		target_name_hint(to, hint, sizeof(hint));
	return diag_kind(d, DIAG_TARGET, -EPERM, "%s: no such device%s", path,
			 *hint ? hint : ", and fiord creates no files below /dev");
}

const char *target_open_hint(enum target_type type, int err)
{
	bool device = type == TARGET_BLOCK || type == TARGET_CHAR;

	return device && err == -EPERM && !geteuid() ? "; a container's device rules may forbid opening it"
						     : "";
}

int target_error(const struct target_facts *f, const char *path, bool write, struct diag *d)
{
	const char *hint = target_open_hint(f->type, f->error);

	if (write && f->type == TARGET_BLOCK && f->refusal[0])
		return diag_kind(d, DIAG_TARGET, f->error,
				 "%s: refusing to write: %s; it cannot be opened either: %s%s", path,
				 f->refusal, diag_errno(f->error), hint);
	return diag_kind(d, DIAG_TARGET, f->error, "%s: %s%s", path, diag_errno(f->error), hint);
}

static bool harmless_char(dev_t rdev)
{
	return rdev == makedev(1, 3) || rdev == makedev(1, 5) || rdev == makedev(1, 7); /* null, zero, full */
}

bool target_keeps_nothing(const struct target_facts *f)
{
	return f->type == TARGET_CHAR && harmless_char(f->rdev);
}

int target_may_write(const struct target_facts *f, const char *path, const struct target_allow *allow,
		     struct diag *d)
{
	bool allowed = target_allowed(f, path, allow);

	if (f->error && !(f->type == TARGET_MISSING && f->in_dev))
		return target_error(f, path, !allowed, d);
	if (check_in_use(f, path, allow, allowed, d))
		return d->err;
	switch (f->type) {
	case TARGET_MISSING:
		return f->in_dev || f->symlink ? refuse_missing(f, path, d) : 0;
	case TARGET_FILE:
		return allowed || !f->in_dev
			       ? 0
			       : refuse_openable(d, path, "it is a file below /dev, not a device", "file");
	case TARGET_BLOCK:
		if (!allowed && f->unexamined)
			return refuse_openable(d, path, "its contents have not been examined", "device");
		return allowed || !f->refusal[0] ? 0 : refuse_openable(d, path, f->refusal, "device");
	case TARGET_CHAR:
		return allowed || harmless_char(f->rdev)
			       ? 0
			       : refuse_openable(d, path, "it is a character device", "device");
	case TARGET_DIR:
		return diag_kind(
			d, DIAG_TARGET, -EPERM,
			"%s: refusing to write: it is a directory; {+directory=%s} creates files in it", path,
			path);
	case TARGET_OTHER:
		break;
	}
	return diag_kind(d, DIAG_TARGET, -EPERM, "%s: refusing to write: it is not a file or block device",
			 path);
}

/* Returns whether the target is still that of the plan. One that was missing may be a file now, because
   another worker created it. */
static bool still_same(const struct target_facts *f, const struct target_facts *now)
{
	return f->type == TARGET_MISSING ? now->type == TARGET_FILE : target_is_same(f, now);
}

int target_appeared(const char *path, struct diag *d)
{
	return diag_kind(d, DIAG_TARGET, -EEXIST,
			 "%s: refused: another program has created it since the start", path);
}

/* Examines the device again, because another program may have started to use it since the plan. Its contents
   are read only once in a run, because these reads are load that the user did not ask for. */
static void examine_again(struct target_facts *now, int fd, const struct target_facts *before)
{
	bool known = before && before->type == TARGET_BLOCK && !before->unexamined;
	int block = now->commands ? blockdev_open(now->rdev) : fd;

	if (block < 0) {
		now->error = block;
		return;
	}
	now->in_use =
		in_use_device(block, now->rdev, !known, now->refusal, sizeof(now->refusal)) == IN_USE_BUSY;
	if (now->commands)
		close(block);
	if (known && !now->refusal[0])
		memcpy(now->refusal, before->refusal, sizeof(now->refusal));
}

int target_check_fd(int fd, const char *path, const struct target_facts *f, bool write,
		    const struct target_allow *allow, struct diag *d)
{
	struct target_facts now = { 0 };
	struct stat st;

	if (fstat(fd, &st))
		return diag_kind(d, DIAG_TARGET, -errno, "%s: %s", path, diag_errno(errno));
	target_from_stat(&now, &st);
	if (f && !still_same(f, &now))
		return diag_kind(d, DIAG_TARGET, -EPERM,
				 "%s: refused: it is another file or device than at the start", path);
	if (!write)
		return 0;
	if (f && f->type == TARGET_MISSING && !target_has_any_mark(fd) && !target_allowed(&now, path, allow))
		return target_appeared(path, d);
	now.in_dev = f && f->in_dev;
	if (now.type == TARGET_BLOCK)
		examine_again(&now, fd, f);
	return target_may_write(&now, path, allow, d);
}
