/* place.c: sets CPUs, memory nodes and priorities of a worker. They apply to the calling thread and are
   inherited by the threads and processes that it starts, so workers that are threads have their own settings,
   too. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "clone.h"
#include "place.h"

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
