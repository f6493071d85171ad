/* worker_cgroup.c: a worker enters the control group of its job. */
#include <errno.h>
#include "cgroup_file.h"
#include "clone.h"
#include "worker_cgroup.h"

static const char *hint(int err)
{
	switch (err) {
	case EACCES:
	case EPERM:
		return "; this needs root, or a group that was delegated together with the group of this "
		       "process";
	case EBUSY:
		return "; the group has child groups that share its controllers, so it accepts no processes";
	case EOPNOTSUPP:
		return "; the group is threaded";
	default:
		return "";
	}
}

bool worker_cgroup_join(struct clone *c)
{
	int ret = c->job->cgroup ? cgroup_file_write(c->job->cgroup, "cgroup.procs", "0\n") : 0;

	if (ret)
		clone_fail(c, -ret, "{cgroup=%s}: cannot join %s: %s%s", c->job->cgroup_name, c->job->cgroup,
			   diag_errno(ret), hint(-ret));
	return ret == 0;
}
