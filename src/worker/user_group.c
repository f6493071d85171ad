/* user_group.c: changes the user and group of a worker. It cannot change back. */
#include <errno.h>
#include <grp.h>
#include <unistd.h>
#include "child.h"
#include "clone.h"
#include "user_group.h"

static bool fail(struct clone *c, const char *option, uint32_t id, const char *hint)
{
	int err = errno;

	clone_fail(c, err, "{%s=%u}: %s%s", option, id, diag_errno(err),
		   err == EPERM    ? hint
		   : err == EINVAL ? "; this id is not mapped in this user namespace"
				   : "");
	return false;
}

bool user_group_set(struct clone *c)
{
	const struct user_cfg *u = &c->opts->user;
	pid_t parent = getppid();
	bool uid = u->set_uid && u->uid != geteuid(), gid = u->set_gid && u->gid != getegid();

	if (!uid && !gid)
		return true;
	/* Root's supplementary groups are privileges, too. */
	if (setgroups(0, NULL))
		return fail(c, uid ? "uid" : "gid", uid ? u->uid : u->gid, "; this needs CAP_SETGID");
	if (gid && setresgid(u->gid, u->gid, u->gid))
		return fail(c, "gid", u->gid, "; this needs CAP_SETGID");
	if (uid && setresuid(u->uid, u->uid, u->uid))
		return fail(c, "uid", u->uid, "; this needs CAP_SETUID");
	child_end_with_parent(parent);
	return true;
}
