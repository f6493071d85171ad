/* user_group.c: changes the user and group of a worker. It cannot change back. */
#include <errno.h>
#include <grp.h>
#include <unistd.h>
#include "child.h"
#include "clone.h"
#include "user_group.h"

static bool refused(struct clone *c, const char *what, uint32_t id, const char *privilege)
{
	int err = errno;

	clone_fail(c, err, "{%s=%u}: %s%s", what, id, diag_errno(err),
		   err == EPERM    ? privilege
		   : err == EINVAL ? "; this id is not mapped in our user namespace"
				   : "");
	return false;
}

bool user_group_take(struct clone *c)
{
	const struct user_cfg *u = &c->opts->user;
	pid_t parent = getppid();
	bool uid = u->set_uid && u->uid != geteuid(), gid = u->set_gid && u->gid != getegid();

	if (!uid && !gid)
		return true;
	/* Root's supplementary groups are privileges, too. */
	if (setgroups(0, NULL))
		return refused(c, uid ? "uid" : "gid", uid ? u->uid : u->gid, "; takes CAP_SETGID");
	if (gid && setresgid(u->gid, u->gid, u->gid))
		return refused(c, "gid", u->gid, "; takes CAP_SETGID");
	if (uid && setresuid(u->uid, u->uid, u->uid))
		return refused(c, "uid", u->uid, "; takes CAP_SETUID");
	child_tie(parent);
	return true;
}
