/* plan_passthrough.c: whether a job sends commands to NVMe namespaces, and to nothing else
 * (ioengine=io_uring_cmd). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "blockdev.h"
#include "plan_build.h"
#include "units.h"

/* Returns the name of the character device that belongs to a block device "nvme0n1", or NULL. */
static const char *character_device(struct build *b, const struct target_facts *f)
{
	struct blockdev dev;
	unsigned instance, ns;
	int end = 0;

	if (f->type != TARGET_BLOCK || blockdev_get(&dev, f->rdev) ||
	    sscanf(dev.name, "nvme%un%u%n", &instance, &ns, &end) != 2 || dev.name[end])
		return NULL;
	return arena_printf(&b->p->arena, "/dev/ng%un%u", instance, ns);
}

static int refuse_target(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const char *name = character_device(b, t->facts);

	if (name)
		return plan_err(b, pj->job, "filename",
				"%s: {ioengine=io_uring_cmd} sends commands to the character device of this "
				"namespace: {+filename=%s}",
				t->path, name);
	return plan_err(
		b, pj->job, "filename",
		"%s: {ioengine=io_uring_cmd} needs the character device of an NVMe namespace that has a "
		"block device, too, such as /dev/ng0n1",
		t->path);
}

static int refuse_engine(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	struct blockdev dev;

	return plan_err(b, pj->job, "filename",
			"%s: this character device takes commands only: {+ioengine=io_uring_cmd}; "
			"{ioengine=%s} needs the block device: {+filename=/dev/%s}",
			t->path, pj->job->engine->name,
			blockdev_get(&dev, t->facts->rdev) ? "nvmeXnY" : dev.name);
}

static int refuse_format(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	int err = t->facts->nvme_error;

	if (err == -EACCES || err == -EPERM)
		return plan_err(
			b, pj->job, "ioengine",
			"{ioengine=io_uring_cmd}: %s: the kernel refuses commands of this process (%s): "
			"before Linux 6.2 they need CAP_SYS_ADMIN; run fiord as root",
			t->path, diag_errno(err));
	return plan_err(
		b, pj->job, "ioengine",
		"{ioengine=io_uring_cmd}: %s: the format of the namespace cannot be read (Identify: %s)",
		t->path, diag_errno(err));
}

/* Refuses what one command cannot transfer. */
static int check_transfer_size(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const struct nvme_ns *ns = &t->facts->nvme;
	uint64_t blocks_max = (uint64_t)NVME_BLOCKS_MAX << ns->lba_shift;
	uint64_t most = ns->max_bytes && ns->max_bytes < blocks_max ? ns->max_bytes : blocks_max;

	if (pj->bs_max <= most)
		return 0;
	return plan_err(b, pj->job, "bs",
			"{bs=%u}: one command to %s transfers %s at most (max_hw_sectors_kb of its queue)",
			pj->bs_max, t->path, units_bytes(most).text);
}

/* Refuses metadata that the commands would have to transfer: with pi_act=1 the controller alone handles 8
   bytes of protection information. */
static int check_metadata(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const struct nvme_ns *ns = &t->facts->nvme;

	if (!ns->md_bytes || (ns->pi_type && ns->md_bytes == 8))
		return 0;
	return plan_err(
		b, pj->job, "filename",
		"%s: its blocks have %u bytes of metadata%s; fiord transfers no metadata, and uses only "
		"formats without, or with 8 bytes of protection information",
		t->path, ns->md_bytes, ns->pi_type ? "" : " without protection information");
}

static int check_protection(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	static const char *const options[] = { "pi_act", "pi_chk", "apptag", "apptag_mask" };
	const struct user_option *chk = job_user_option(pj->job, "pi_chk");

	for (size_t i = 0; i < sizeof(options) / sizeof(*options) && !t->facts->nvme.pi_type; i++)
		if (job_user_option(pj->job, options[i]))
			return plan_err(b, pj->job, options[i],
					"{%s}: the format of %s has no protection information", options[i],
					t->path);
	if (t->facts->nvme.pi_type == 3 && chk && strstr(chk->text, "REFTAG"))
		return plan_err(
			b, pj->job, "pi_chk",
			"{pi_chk=%.40s}: %s has protection information of type 3, whose reference tags "
			"are not checked",
			chk->text, t->path);
	return check_metadata(b, pj, t);
}

static int check_namespace(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	int ret;

	if (t->facts->nvme_error)
		return refuse_format(b, pj, t);
	ret = check_protection(b, pj, t);
	return ret ? ret : check_transfer_size(b, pj, t);
}

int plan_passthrough(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	unsigned caps = pj->job->engine->caps;

	if (t->facts->error || caps & (ENG_META | ENG_NOFILE | ENG_NOIO | ENG_VIRTUAL))
		return 0;
	if (caps & ENG_PASSTHROUGH)
		return t->facts->nvme_char ? check_namespace(b, pj, t) : refuse_target(b, pj, t);
	return t->facts->nvme_char ? refuse_engine(b, pj, t) : 0;
}
