#include "sweep_snia.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "in_use.h"
#include "readable.h"
#include "strbuf.h"
#include "sweep_args.h"

#define PASSES     2
#define GB_PER_SEC 1e9

static const struct result_units units = { .kb_base = 1024 };

int sweep_snia_check(const struct sweep_points *p, struct diag *d)
{
	static const char *const fixed[] = { "runtime",  "timeout",   "steadystate", "ss",
					     "filename", "directory", "opendir",     "allow_write" };
	const struct sweep_matrix *m = &p->sweep->matrix;

	if (!p->base.snia)
		return 0;
	if (sweep_is_verb(p, "diskspd"))
		return diag_err(
			d, -EINVAL,
			"--snia: a DISKSPD line has no flag for a steady state; convert it to a job file "
			"with fiord diskspd --to-job, and sweep that");
	for (size_t k = 0; k < m->ndims; k++)
		for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
			if (!strcmp(m->dims[k].name, fixed[i]))
				return diag_err(
					d, -EINVAL,
					"--sweep %s=...: contradicts --snia, whose points use the same "
					"devices and end when they are steady; leave one of them out",
					fixed[i]);
	return 0;
}

/* ---- devices ---- */

/* allow_mounted_write permits writes to a part of a mounted device, but nothing of it would be left here. */
static int check_unused(const struct plan_target *t, struct diag *d)
{
	char why[sizeof(t->facts->refusal)];
	int fd = open(t->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return diag_kind(d, DIAG_TARGET, -errno, "--snia: %s: %s", t->path, diag_errno(errno));
	in_use_device(fd, t->facts->rdev, false, why, sizeof(why));
	close(fd);
	if (!why[0])
		return 0;
	return diag_kind(d, DIAG_TARGET, -EBUSY,
			 "--snia: %s would be written from beginning to end, but %s; end that use first, "
			 "because no option permits this",
			 t->path, why);
}

static int check_snia_target(const struct plan *plan, const struct plan_target *t, struct diag *d)
{
	if (t->facts->type != TARGET_BLOCK)
		return diag_err(
			d, -EINVAL,
			"--snia: %s is not a block device, so it has no capacity to write twice; name "
			"one, as in filename=/dev/nvme1n1",
			t->path);
	if (!target_allowed(t->facts, t->path, &plan->allow))
		return diag_kind(
			d, DIAG_TARGET, -EPERM,
			"--snia: %s would be written twice from beginning to end, and all its data lost; "
			"{+allow_write=%s} permits that",
			t->path, t->path);
	return check_unused(t, d);
}

static int take_target(struct sweep_points *p, const struct plan *plan, const struct plan_target *t,
		       struct diag *d)
{
	struct sweep_precondition *pre = &p->precondition;
	uint64_t bytes = PASSES * t->facts->size;

	if (check_snia_target(plan, t, d))
		return d->err;
	pre->devices[pre->ndevices] = arena_strdup(&p->sweep->mem, t->path);
	if (!pre->devices[pre->ndevices++])
		return diag_no_memory(d);
	pre->bytes += bytes;
	pre->most = bytes > pre->most ? bytes : pre->most;
	return 0;
}

int sweep_snia_take_targets(struct sweep_points *p, const struct plan *plan, struct diag *d)
{
	const uint32_t targets = plan->ntargets - 1; /* the last one stands for no file */

	if (!p->base.snia)
		return 0;
	for (uint32_t i = 0; i < plan->njobs; i++)
		if (!(plan->jobs[i].rw & (RW_READ | RW_WRITE)))
			return diag_err(
				d, -EINVAL,
				"--snia: job %s neither reads nor writes data (rw=%s); choose another rw",
				plan->jobs[i].job->name, plan_rw_name(plan->jobs[i].rw));
	if (targets == 0)
		return diag_err(d, -EINVAL,
				"--snia: the jobs have no block device; name one, as in "
				"filename=/dev/nvme1n1");
	p->precondition.devices = arena_array(&p->sweep->mem, targets, sizeof(*p->precondition.devices));
	if (!p->precondition.devices)
		return diag_no_memory(d);
	for (uint32_t i = 0; i < targets; i++)
		if (plan->targets[i].same == i && take_target(p, plan, &plan->targets[i], d))
			return d->err;
	return 0;
}

/* ---- precondition ---- */

/* Returns "--NAME=PATH" with the escapes of filename=, in the arena; NULL if memory is short. */
static char *path_option(struct arena *mem, const char *name, const char *path)
{
	struct strbuf b = { 0 };
	char *copy;

	strbuf_printf(&b, "--%s=", name);
	for (; *path; path++) {
		if (*path == ':')
			strbuf_putc(&b, '\\');
		strbuf_putc(&b, *path);
	}
	copy = strbuf_to_arena(&b, mem);
	return copy;
}

char **sweep_snia_args(const struct sweep_points *p, const char *const *extra, size_t extras)
{
	static const char *const load[] = { "fiord",        "--rw=write",  "--bs=128k", "--direct=1",
					    "--iodepth=32", "--size=100%", "--loops=2" };
	const struct sweep_precondition *pre = &p->precondition;
	char **arg = calloc(sizeof(load) / sizeof(*load) + extras + 3 * pre->ndevices + 2, sizeof(*arg));
	size_t n = 0;

	for (size_t i = 0; arg && i < sizeof(load) / sizeof(*load); i++)
		arg[n++] = (char *)(uintptr_t)load[i];
	if (arg)
		arg[n++] =
			(char *)(uintptr_t)(engine_find("libaio") ? "--ioengine=libaio" : "--ioengine=psync");
	for (size_t i = 0; arg && i < extras; i++)
		arg[n++] = (char *)(uintptr_t)extra[i];
	for (size_t i = 0; arg && i < pre->ndevices; i++) {
		arg[n++] = (char *)(uintptr_t) "--name=precondition";
		arg[n++] = path_option(&p->sweep->mem, "filename", pre->devices[i]);
		arg[n++] = path_option(&p->sweep->mem, "allow_write", pre->devices[i]);
		if (!arg[n - 2] || !arg[n - 1]) {
			free(arg);
			return NULL;
		}
	}
	return arg;
}

static int take_jobs(void *ctx, struct plan *plan, struct diag *d)
{
	struct sweep_points *p = ctx;
	struct strbuf b = { 0 };

	cmdline_show(plan->set, &b);
	p->precondition.run.jobs = strbuf_to_arena(&b, &p->sweep->mem);
	return p->precondition.run.jobs ? 0 : diag_no_memory(d);
}

/* Tells the reports how the points were measured. */
static int set_conditions(struct sweep_points *p, struct diag *d)
{
	const struct sweep_precondition *pre = &p->precondition;
	struct strbuf b = { 0 };

	strbuf_puts(&b, "Measured by the steps of the SNIA Performance Test Specification (--snia): ");
	for (size_t i = 0; i < pre->ndevices; i++)
		strbuf_printf(&b, "%s%s", i ? ", " : "", pre->devices[i]);
	strbuf_printf(&b,
		      "%s written twice in sequence before the points (%s). The figures of a point are those "
		      "of its "
		      "last five rounds; points that were not steady in them are marked. fiord did not purge "
		      "the devices: the user does so before the sweep.",
		      pre->ndevices > 1 ? " were" : " was", pre->run.file);
	p->sweep->conditions = strbuf_to_arena(&b, &p->sweep->mem);
	return p->sweep->conditions ? 0 : diag_no_memory(d);
}

int sweep_snia_plan(struct sweep_points *p, struct diag *d)
{
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	char **arg;
	int argc = 0, err;

	if (!p->base.snia)
		return 0;
	arg = sweep_snia_args(p, NULL, 0);
	if (!arg)
		return diag_no_memory(d);
	while (arg[argc])
		argc++;
	p->precondition.run.file = sweep_document(p, 0, SWEEP_PRECONDITION);
	err = cmdline_parse(&c, &set, argc, arg, d);
	err = err ? err : p->base.verbs->plan(&set, take_jobs, p, d);
	if (err)
		diag_wrap(d, "--snia: precondition");
	job_set_fini(&set);
	free(arg);
	return err ? err : set_conditions(p, d);
}

void sweep_snia_describe(const struct sweep_points *p, struct strbuf *b)
{
	const struct sweep_precondition *pre = &p->precondition;

	if (!p->base.snia)
		return;
	if (pre->run.complete) {
		strbuf_printf(
			b,
			"note: %s is complete, so --resume does not precondition again; begin a new sweep "
			"if anything else has written or purged the device since\n",
			pre->run.file);
		return;
	}
	strbuf_puts(b, "precondition: ");
	for (size_t i = 0; i < pre->ndevices; i++)
		strbuf_printf(b, "%s%s", i ? ", " : "", pre->devices[i]);
	strbuf_printf(b,
		      " written twice in sequence, %s in all, %s at 1 GB/s\n"
		      "note: --snia: purge the device before this sweep, for example with nvme format or "
		      "blkdiscard; fiord does not purge it\n",
		      readable_bytes((double)pre->bytes, &units).text,
		      readable_duration((double)pre->most / GB_PER_SEC * 1e3).text);
}
