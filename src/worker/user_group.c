/* identity.c: the user and group that a worker takes on, for good. */
#include <errno.h>
#include <grp.h>
#include <unistd.h>
#include "child.h"
#include "worker.h"

static bool refused(struct worker *w, const char *what, uint32_t id, const char *privilege)
{
	int err = errno;

	clone_fail(&w->clone, err, "%s=%u: %s%s", what, id, diag_errno(err),
		   err == EPERM    ? privilege
		   : err == EINVAL ? "; this id is not mapped in our user namespace"
				   : "");
	return false;
}

bool identity_take(struct worker *w)
{
	const struct user_cfg *u = &w->clone.opts->user;
	pid_t parent = getppid();
	bool uid = u->set_uid && u->uid != geteuid(), gid = u->set_gid && u->gid != getegid();

	if (!uid && !gid)
		return true;
	/* Root's other groups are privileges, too. */
	if (setgroups(0, NULL))
		return refused(w, uid ? "uid" : "gid", uid ? u->uid : u->gid, "; takes CAP_SETGID");
	if (gid && setresgid(u->gid, u->gid, u->gid))
		return refused(w, "gid", u->gid, "; takes CAP_SETGID");
	if (uid && setresuid(u->uid, u->uid, u->uid))
		return refused(w, "uid", u->uid, "; takes CAP_SETUID");
	child_tie(parent);
	return true;
}
