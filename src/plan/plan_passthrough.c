/* plan_passthrough.c: whether a job sends commands to NVMe namespaces (ioengine=io_uring_cmd) or SCSI disks
 * (ioengine=sg), and to nothing else. Also checks whether it can transfer the metadata of blocks. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "blockdev.h"
#include "plan_build.h"
#include "replay.h"
#include "strbuf.h"
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

	if (pj->job->engine->caps & ENG_SCSI)
		return plan_err(b, pj->job, "filename",
				"%s: {ioengine=sg} needs a whole SCSI disk, by its block device, such as "
				"/dev/sda, or by "
				"its character device, such as /dev/sg0",
				t->path);
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
	bool scsi = t->facts->commands == COMMANDS_SCSI;
	struct blockdev dev;

	return plan_err(b, pj->job, "filename",
			"%s: this character device takes commands only: {+ioengine=%s}; "
			"{ioengine=%s} needs the block device: {+filename=/dev/%s}",
			t->path, scsi ? "sg" : "io_uring_cmd", pj->job->engine->name,
			!blockdev_get(&dev, t->facts->rdev) ? dev.name
			: scsi                              ? "sdX"
							    : "nvmeXnY");
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

static bool only_trims(const struct plan_job *pj)
{
	return !(pj->rw & (RW_READ | RW_WRITE));
}

/* Returns the largest size of a trim, or of one of its ranges. Trims of trim_percentage have that of writes.
 */
static uint32_t largest_trim(const struct plan_job *pj)
{
	return bsize_max(&pj->job->opts.offset.bsize, pj->rw & RW_TRIM ? RW_TRIM : RW_WRITE);
}

/* Returns the largest size of a read or write. */
static uint32_t largest_transfer(const struct plan_job *pj)
{
	if (pj->rw & RW_TRIMWRITE)
		return pj->bs_max;
	return bsize_max(&pj->job->opts.offset.bsize, pj->rw & (RW_READ | RW_WRITE));
}

/* Refuses a trim of a trace. */
static int refuse_replayed_trim(struct build *b, const struct plan_job *pj, const struct plan_target *t,
				uint64_t most, const char *limit)
{
	const struct replay_cfg *c = &pj->job->opts.replay;

	return plan_err(
		b, pj->job, "read_iolog",
		"{read_iolog=%s}: a trim of %s (%s); one range of a trim of %s has %s at most (%s); use "
		"{+replay_skip=trim}",
		c->log, units_exact(largest_trim(pj)).text, c->facts->trim_place, t->path,
		units_bytes(most).text, limit);
}

/* Refuses trims beyond the limits of the controller. Some controllers trim less than such a command asks for.
 */
static int check_trim_limits(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const struct nvme_ns *ns = &t->facts->nvme;
	uint32_t ranges = pj->job->opts.num_range;
	uint64_t range_bytes = (uint64_t)ns->trim_range_blocks << ns->lba_shift;
	uint32_t bytes = largest_trim(pj);
	uint64_t blocks = bytes >> ns->lba_shift;

	if (ns->trim_ranges && ranges > ns->trim_ranges)
		return plan_err(b, pj->job, "num_range",
				"{num_range=%u}: one trim of %s has %u ranges at most (DMRL)", ranges,
				t->path, ns->trim_ranges);
	if (pj->job->opts.replay.facts && ns->trim_range_blocks && blocks > ns->trim_range_blocks)
		return refuse_replayed_trim(b, pj, t, range_bytes, "DMRSL");
	if (pj->job->opts.replay.facts && ns->trim_blocks && blocks > ns->trim_blocks)
		return refuse_replayed_trim(b, pj, t, ns->trim_blocks << ns->lba_shift, "DMSL");
	if (ns->trim_range_blocks && blocks > ns->trim_range_blocks)
		return plan_err(b, pj->job, "bs", "{bs=%u}: one range of a trim of %s has %s at most (DMRSL)",
				bytes, t->path, units_bytes(range_bytes).text);
	if (ns->trim_blocks && blocks * ranges > ns->trim_blocks)
		return plan_err(b, pj->job, ranges > 1 ? "num_range" : "bs",
				"{num_range=%u} and {bs=%u}: one trim of %s has %s at most (DMSL)", ranges,
				bytes, t->path, units_bytes(ns->trim_blocks << ns->lba_shift).text);
	return 0;
}

/* Also refuses trims whose length does not fit into 32 bits. */
static int check_trim(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	uint32_t ranges = pj->job->opts.num_range;

	if ((uint64_t)ranges * largest_trim(pj) <= UINT32_MAX)
		return check_trim_limits(b, pj, t);
	return plan_err(b, pj->job, "num_range",
			"{num_range=%u}: a trim has less than 4 GiB, and {bs=%u} is the size of each range",
			ranges, largest_trim(pj));
}

static uint64_t most_of_namespace(const struct nvme_ns *ns)
{
	uint64_t blocks_max = (uint64_t)NVME_BLOCKS_MAX << ns->lba_shift;

	return ns->max_bytes && ns->max_bytes < blocks_max ? ns->max_bytes : blocks_max;
}

/* Refuses what one command cannot transfer: more than `most` bytes; 0: unknown. */
static int check_transfer_size(struct build *b, const struct plan_job *pj, const struct plan_target *t,
			       uint32_t bytes, uint64_t most, const char *limit)
{
	if (!most || bytes <= most)
		return 0;
	return plan_err(b, pj->job, "bs", "{bs=%u}: one command to %s transfers %s at most (%s)", bytes,
			t->path, units_exact(most).text, limit);
}

#define QUEUE_LIMITS "max_hw_sectors_kb, max_segments and max_segment_size of its queue"

/* Refuses what the engine cannot do with the format of the namespace. */
static int check_format(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const struct job *job = pj->job;
	struct strbuf why = { 0 };
	const char *option = job->engine->refuse_namespace(job->engine_opts, &t->facts->nvme, t->path,
							   only_trims(pj) ? 0 : largest_transfer(pj), &why);
	int ret = option ? plan_err_message(b, job, option, strbuf_str(&why)) : 0;

	strbuf_fini(&why);
	return ret;
}

/* Options that need blocks with protection information. */
static const char *const protection_options[] = { "pi_act", "pi_chk", "pi_chk_by", "apptag", "apptag_mask" };
#define NPROTECTION_OPTIONS (sizeof(protection_options) / sizeof(*protection_options))

static int check_protection(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const struct user_option *chk = job_user_option(pj->job, "pi_chk");

	if (!t->facts->nvme.md_bytes && job_user_option(pj->job, "md_per_io_size"))
		return plan_err(b, pj->job, "md_per_io_size",
				"{md_per_io_size}: the blocks of %s have no metadata", t->path);
	for (size_t i = 0; i < NPROTECTION_OPTIONS && !t->facts->nvme.pi_type; i++)
		if (job_user_option(pj->job, protection_options[i]))
			return plan_err(b, pj->job, protection_options[i],
					"{%s}: the format of %s has no protection information",
					protection_options[i], t->path);
	if (t->facts->nvme.pi_type == 3 && chk && strstr(chk->text, "REFTAG"))
		return plan_err(
			b, pj->job, "pi_chk",
			"{pi_chk=%.40s}: %s has protection information of type 3, whose reference tags "
			"are not checked",
			chk->text, t->path);
	return 0;
}

static int check_namespace(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	int ret;

	if (t->facts->nvme_error)
		return refuse_format(b, pj, t);
	ret = check_protection(b, pj, t);
	if (!ret && (pj->rw | job_access(pj->job)) & RW_TRIM)
		ret = check_trim(b, pj, t);
	if (!ret && !only_trims(pj))
		ret = check_transfer_size(b, pj, t, largest_transfer(pj), most_of_namespace(&t->facts->nvme),
					  QUEUE_LIMITS);
	return ret ? ret : check_format(b, pj, t);
}

/* Refuses options that have no effect unless the engine transfers metadata. */
static int refuse_without_metadata(struct build *b, const struct plan_job *pj)
{
	for (size_t i = 0; i < NPROTECTION_OPTIONS; i++)
		if (strcmp(protection_options[i], "pi_act") != 0 &&
		    job_user_option(pj->job, protection_options[i]))
			return plan_err(b, pj->job, protection_options[i],
					"{%s}: needs {+pi_act=0}, because with {pi_act=1} the kernel or the "
					"controller makes and checks protection information",
					protection_options[i]);
	return 0;
}

/* Refuses targets whose metadata the kernel does not transfer. */
static int check_metadata_target(struct build *b, const struct plan_job *pj, const struct plan_target *t,
				 const char *option)
{
	const struct target_facts *f = t->facts;
	const char *value = job_user_option(pj->job, option)->text;

	if (f->type != TARGET_BLOCK)
		return plan_err(b, pj->job, option, "{%s=%.20s}: %s: only block devices have metadata",
				option, value, t->path);
	if (f->nvme_error)
		return plan_err(
			b, pj->job, option,
			"{%s=%.20s}: {ioengine=%s} transfers metadata with Linux 6.17 or later, and the "
			"metadata format of %s cannot be read (%s); for NVMe disks use "
			"{+ioengine=io_uring_cmd}",
			option, value, pj->job->engine->name, t->path, diag_errno(f->nvme_error));
	if (!f->nvme.md_bytes)
		return plan_err(b, pj->job, option,
				"{%s=%.20s}: the kernel transfers no metadata with the blocks of %s", option,
				value, t->path);
	if (!pj->job->opts.file.direct)
		return plan_err(b, pj->job, option,
				"{%s=%.20s}: needs {+direct=1}, because the page cache keeps no metadata",
				option, value);
	return 0;
}

/* Checks a job whose engine can transfer the metadata of block devices. */
static int check_metadata(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const char *option = pj->job->engine->wants_metadata(pj->job->engine_opts);
	int ret;

	if (!option)
		return refuse_without_metadata(b, pj);
	ret = check_metadata_target(b, pj, t, option);
	ret = ret ? ret : check_protection(b, pj, t);
	return ret ? ret : check_format(b, pj, t);
}

/* The sg driver holds this many commands of an open file (SG_MAX_QUEUE). */
#define SG_DEPTH_MAX 16u

/* Returns the largest size of the data of a command. WRITE SAME and most kinds of VERIFY carry a block of
   data, or none. */
static uint32_t largest_scsi_data(const struct plan_job *pj)
{
	static const char *const without[] = { "write_same", "same", "write_same_ndob", "verify_bytchk_00",
					       "verify_bytchk_11" };
	const struct user_option *mode = job_user_option(pj->job, "sg_write_mode");

	for (size_t i = 0; mode && i < sizeof(without) / sizeof(*without); i++)
		if (!strcmp(mode->text, without[i]))
			return pj->rw & RW_READ ? bsize_max(&pj->job->opts.offset.bsize, RW_READ) : 0;
	return only_trims(pj) ? 0 : largest_transfer(pj);
}

static int check_scsi(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const struct scsi_disk *disk = &t->facts->scsi;

	if (t->facts->commands && pj->depth > (uint64_t)SG_DEPTH_MAX * pj->nfiles)
		return plan_err(
			b, pj->job, "iodepth",
			"{iodepth=%u}: %s: the sg driver holds at most %u commands of an open file; for "
			"more in flight use {+iodepth=%u} and {+numjobs=N}",
			pj->depth, t->path, SG_DEPTH_MAX, SG_DEPTH_MAX);
	return check_transfer_size(
		b, pj, t, largest_scsi_data(pj), t->facts->commands ? disk->sg_max_bytes : disk->max_bytes,
		t->facts->commands ? QUEUE_LIMITS "; scatter_elem_sz of the sg driver" : QUEUE_LIMITS);
}

/* SG_IO, which is all that a block device has, waits for the command. */
void plan_passthrough_depth(struct build *b, struct plan_job *pj)
{
	if (!(pj->job->engine->caps & ENG_SCSI) || pj->depth <= 1)
		return;
	for (uint32_t i = 0; i < pj->nfiles; i++) {
		const struct plan_target *t = &b->p->targets[pj->files[i].target];

		if (t->facts->commands)
			continue;
		if (plan_is_first(b, pj))
			notes_add(&b->p->notes,
				  "%s: %s: a block device takes one SCSI command at a time, so the depth is "
				  "1, not %u; "
				  "its character device /dev/sgN takes several",
				  pj->job->name, t->path, pj->depth);
		pj->depth = 1;
		return;
	}
}

int plan_passthrough(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const struct target_facts *f = t->facts;
	unsigned caps = pj->job->engine->caps;

	if (t->facts->error || caps & (ENG_META | ENG_NOFILE | ENG_NOIO | ENG_VIRTUAL))
		return 0;
	if (caps & ENG_SCSI)
		return f->scsi.lba_shift ? check_scsi(b, pj, t) : refuse_target(b, pj, t);
	if (caps & ENG_PASSTHROUGH)
		return f->commands == COMMANDS_NVME ? check_namespace(b, pj, t) : refuse_target(b, pj, t);
	if (f->commands)
		return refuse_engine(b, pj, t);
	return pj->job->engine->wants_metadata ? check_metadata(b, pj, t) : 0;
}
