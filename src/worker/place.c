/* place.c: where a worker runs, as whom, and with how much memory. CPUs, memory nodes and priorities apply to
   the calling thread and are inherited by the threads and processes that it starts, so workers that are
   threads have their own settings, too. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "cgroup_file.h"
#include "child.h"
#include "clone.h"
#include "setup.h"
#include "strbuf.h"

#define WHO_PROCESS 1 /* IOPRIO_WHO_PROCESS, which means one thread */

#define SAME(a, b) _Static_assert((int)(a) == (int)(b), "enum numa_mode has the kernel's values")
SAME(NUMA_DEFAULT, MPOL_DEFAULT);
SAME(NUMA_PREFER, MPOL_PREFERRED);
SAME(NUMA_BIND, MPOL_BIND);
SAME(NUMA_INTERLEAVE, MPOL_INTERLEAVE);
SAME(NUMA_LOCAL, MPOL_LOCAL);

static const char *privilege(int err, const char *needed)
{
	return err == EPERM || err == EACCES ? needed : "";
}

static bool set_cpus(struct clone *c)
{
	const struct cpuset *s = c->job->cpus;
	struct strbuf b = { 0 };

	if (!s || !sched_setaffinity(0, sizeof(s->bits), (const cpu_set_t *)(const void *)s->bits))
		return true;
	cpuset_print(s, &b);
	clone_fail(c, errno, "cannot run on CPU %s: %s", strbuf_str(&b), diag_errno(errno));
	strbuf_fini(&b);
	return false;
}

static bool set_nodes(struct clone *c)
{
	const struct numa_policy *p = &c->opts->place.memory;
	const struct user_option *g = job_user_option(c->job->job, "numa_mem_policy");
	const struct cpuset *nodes = c->job->mem_nodes;

	if (p->mode == NUMA_DEFAULT)
		return true;
	if (!syscall(SYS_set_mempolicy, (int)p->mode, nodes ? nodes->bits : NULL, nodes ? CPUSET_MAX : 0))
		return true;
	clone_fail(c, errno, "{numa_mem_policy=%s}: %s%s", g ? g->text : "", diag_errno(errno),
		   errno == ENOSYS ? "; this kernel has no NUMA"
				   : privilege(errno, "; this needs CAP_SYS_NICE"));
	return false;
}

static bool set_nice(struct clone *c)
{
	int nice = c->opts->place.nice;

	if (!c->opts->place.set_nice || !setpriority(PRIO_PROCESS, 0, nice))
		return true;
	clone_fail(c, errno, "{nice=%d}: %s%s", nice, diag_errno(errno),
		   privilege(errno, "; this needs CAP_SYS_NICE, or a limit (ulimit -e) that allows it"));
	return false;
}

static bool set_ioprio(struct clone *c)
{
	const struct place_cfg *o = &c->opts->place;

	if (!c->job->ioprio || !syscall(SYS_ioprio_set, WHO_PROCESS, 0, c->job->ioprio))
		return true;
	clone_fail(c, errno, "{prioclass=%u}, {prio=%u}, {priohint=%u}: %s%s%s", o->prioclass, o->prio,
		   o->priohint, diag_errno(errno),
		   privilege(errno, "; the real-time class needs CAP_SYS_NICE or CAP_SYS_ADMIN"),
		   errno == EINVAL && o->priohint ? "; hints need Linux 6.5" : "");
	return false;
}

/* The kernel drops the request when the process ends, because the file is then closed. */
static bool request_cpu_dma_latency(struct clone *c)
{
	int32_t us = (int32_t)(c->opts->place.cpu_dma_latency_ns / 1000);
	int fd, err;

	if (!job_user_option(c->job->job, "cpu_dma_latency"))
		return true;
	fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, &us, sizeof(us)) == sizeof(us))
		return true;
	err = errno;
	if (fd >= 0)
		close(fd);
	clone_fail(c, err, "cpu_dma_latency=%d us: /dev/cpu_dma_latency: %s%s", us, diag_errno(err),
		   privilege(err, "; this needs root"));
	return false;
}

bool place_worker(struct clone *c)
{
	return set_cpus(c) && set_nodes(c) && set_nice(c) && set_ioprio(c) && request_cpu_dma_latency(c);
}

/* ---- user and group ---- */

static bool fail_user(struct clone *c, const char *option, uint32_t id, const char *hint)
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
		return fail_user(c, uid ? "uid" : "gid", uid ? u->uid : u->gid, "; this needs CAP_SETGID");
	if (gid && setresgid(u->gid, u->gid, u->gid))
		return fail_user(c, "gid", u->gid, "; this needs CAP_SETGID");
	if (uid && setresuid(u->uid, u->uid, u->uid))
		return fail_user(c, "uid", u->uid, "; this needs CAP_SETUID");
	child_end_with_parent(parent);
	return true;
}

/* ---- control group ---- */

static const char *cgroup_hint(int err)
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
			   diag_errno(ret), cgroup_hint(-ret));
	return ret == 0;
}

/* ---- locked memory ---- */

/* The worker checks the stop flag each time it has locked this many bytes. */
#define LOCK_STEP ((size_t)64 << 20)

static bool fail_lock(struct clone *c, int err)
{
	struct rlimit rl = { .rlim_cur = RLIM_INFINITY };
	char limit[120] = "";

	getrlimit(RLIMIT_MEMLOCK, &rl);
	if (rl.rlim_cur != RLIM_INFINITY && (err == EPERM || err == ENOMEM || err == EAGAIN))
		snprintf(limit, sizeof(limit),
			 "; %" PRIu64 " KiB may be locked (ulimit -l); more needs CAP_IPC_LOCK",
			 (uint64_t)rl.rlim_cur >> 10);
	clone_fail(c, err, "lockmem=%" PRIu64 ": %s%s", c->opts->lockmem, diag_errno(err), limit);
	return false;
}

bool lockmem_lock(struct clone *c, void **locked)
{
	size_t bytes = c->opts->lockmem;

	if (!bytes)
		return true;
	*locked =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (*locked == MAP_FAILED) {
		*locked = NULL;
		clone_fail(c, errno, "lockmem=%" PRIu64 ": %s; the address space (ulimit -v) is used up",
			   c->opts->lockmem, diag_errno(errno));
		return false;
	}
	/* The address sanitizer replaces mlock() by a function that does nothing, but not the system call. */
	for (size_t at = 0; at < bytes && !clone_stopped(c); at += LOCK_STEP)
		if (syscall(SYS_mlock, (char *)*locked + at, bytes - at < LOCK_STEP ? bytes - at : LOCK_STEP))
			return fail_lock(c, errno);
	return true;
}

void lockmem_unlock(const struct clone *c, void *locked)
{
	if (locked)
		munmap(locked, c->opts->lockmem);
}
