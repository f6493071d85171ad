/* cgroup.c: a worker enters the control group of its job. */
#include <errno.h>
#include "cgroup_file.h"
#include "worker.h"

static const char *hint(int err)
{
	switch (err) {
	case EACCES:
	case EPERM:
		return "; takes root, or a group that was delegated to us together with the one that we are "
		       "in";
	case EBUSY:
		return "; the group has groups below it that share its controllers, so it takes no processes";
	case EOPNOTSUPP:
		return "; the group is threaded";
	default:
		return "";
	}
}

bool cgroup_join(struct worker *w)
{
	int ret = w->clone.job->cgroup ? cgroup_write(w->clone.job->cgroup, "cgroup.procs", "0\n") : 0;

	if (ret)
		clone_fail(&w->clone, -ret, "cgroup=%s: cannot join %s: %s%s", w->clone.job->cgroup_name,
			   w->clone.job->cgroup, diag_errno(ret), hint(-ret));
	return ret == 0;
}
