/* diskspd_probe.c: facts about this machine that the translation of a DISKSPD line needs. */
#include <linux/io_uring.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "cmd_diskspd.h"
#include "engine.h"
#include "machine.h"
#include "target.h"

/* Returns true if the kernel and the sandbox around this process allow io_uring. */
static bool io_uring_works(void)
{
	struct io_uring_params p = { 0 };
	long fd = engine_find("io_uring") ? syscall(SYS_io_uring_setup, 1, &p) : -1;

	if (fd >= 0)
		close((int)fd);
	return fd >= 0;
}

void ds_probe_machine(struct ds_job_cfg *cfg, struct cpuset *cpus)
{
	struct machine m = { 0 };

	if (!machine_probe(&m))
		*cpus = m.allowed;
	machine_fini(&m);
	cfg->cpus = cpus;
	if (!io_uring_works())
		cfg->cached_engine = "posixaio";
}

uint64_t ds_probe_size(void *ctx, const char *path)
{
	struct target_facts f;

	(void)ctx;
	target_probe(&f, path);
	return f.type == TARGET_FILE || f.type == TARGET_BLOCK ? f.size : 0;
}

/* Returns whether the path is a file that fiord did not create and that --allow_write does not name. */
static bool is_theirs(const struct ds_cmd *c, const char *path, struct target_facts *f)
{
	for (size_t i = 0; i < c->run_args.n; i++)
		if (!strncmp(c->run_args.v[i], "--allow_write=", 14) && strstr(c->run_args.v[i], path))
			return false;
	target_probe(f, path);
	return f->type == TARGET_FILE && !f->marked;
}

bool ds_probe_preserved(void *ctx, const char *path)
{
	const struct ds_cmd *c = ctx;
	struct target_facts f;

	return is_theirs(c, path, &f) && !c->recreate;
}

bool ds_probe_refused(void *ctx, const char *path)
{
	struct target_facts f;

	return is_theirs(ctx, path, &f) && !f.holds_nothing;
}
