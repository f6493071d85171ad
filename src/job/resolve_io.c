/* resolve_io.c: the rules for direction, size, place and depth of the I/Os. */
#include "rules.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "rows.h"

#define SECTOR_BYTES 512

/* ---- directions ---- */

int rule_directions(struct rule_ctx *r)
{
	const struct mem_source *m = &r->o->memory.source;
	bool trims = job_access(r->job) & RW_TRIM;

	if (!r->set->run.readonly)
		return 0;
	if (job_access(r->job) & RW_WRITE || trims)
		return rule_refuse(r, "rw", "the job %s, and --readonly was given",
				   trims ? "trims" : "writes");
	if (r->o->files.unlink && !(r->job->engine->caps & (ENG_NOFILE | ENG_NOIO)))
		return rule_refuse(r, "unlink", "removes files, and --readonly was given");
	if (m->kind == MEM_MMAPSHARED && m->file)
		return rule_refuse(r, "mem", "the buffers overwrite the file, and --readonly was given");
	return 0;
}

static bool sends_commands(const struct rule_ctx *r)
{
	return r->job->engine->caps & ENG_PASSTHROUGH;
}

/* A command of NVMe trims several ranges. */
static bool trims_several_ranges(const struct rule_ctx *r)
{
	return sends_commands(r) && !(r->job->engine->caps & ENG_SCSI);
}

/* Refuses what knows one range of an I/O only. */
static int check_several_ranges(struct rule_ctx *r)
{
	const struct {
		bool on;
		const char *name;
	} single[] = { { r->o->verify.format.kind, "verify" },
		       { r->o->queue.serialize, "serialize_overlap" },
		       { r->o->offset.zone.mode != ZONE_NONE, "zonemode" },
		       { r->o->replay.log, "read_iolog" },
		       { r->o->log.iolog, "write_iolog" },
		       { r->o->thread_group.name, "thread_group" } };

	if (r->o->offset.rw & RW_TRIMWRITE)
		return rule_refuse(r, "num_range",
				   "does not go with {rw=trimwrite}: each write follows one range");
	for (unsigned i = 0; i < sizeof(single) / sizeof(*single); i++)
		if (single[i].on)
			return rule_refuse(r, "num_range", "does not go with {%s}", single[i].name);
	return 0;
}

static int check_ranges(struct rule_ctx *r)
{
	if (r->o->num_range <= 1)
		return 0;
	if (rule_has_dir(r, DIR_TRIM) && trims_several_ranges(r))
		return check_several_ranges(r);
	if (rule_has_dir(r, DIR_TRIM))
		return rule_refuse(
			r, "num_range",
			sends_commands(r)
				? "fiord sends one range in a SCSI command; use {+num_range=1}"
				: "Linux discards one range in a call; several take an NVMe command, which "
				  "{+ioengine=io_uring_cmd} sends; use {+num_range=1}");
	if (rule_section_option(r, "num_range"))
		rule_note(r, "num_range", "has no effect: the job does not trim");
	return 0;
}

static bool may_queue_trims(const struct job *job)
{
	return job->opts.file.trim_kind != TRIM_SECURE && job->engine->queues_trims &&
	       job->engine->queues_trims(job->engine_opts, -1);
}

static int check_trim_kind(struct rule_ctx *r)
{
	const struct engine *e = r->job->engine;

	if (!rule_section_option(r, "trim_kind"))
		return 0;
	if (!(job_access(r->job) & RW_TRIM)) {
		rule_note(r, "trim_kind", "has no effect: the job does not trim");
		return 0;
	}
	if (r->o->file.trim_kind == TRIM_DISCARD)
		return 0;
	if (e->caps & (ENG_PASSTHROUGH | ENG_META | ENG_VIRTUAL | ENG_CHANGES_FILES))
		return rule_refuse(r, "trim_kind", "{ioengine=%s} has one kind of trim", e->name);
	if (r->o->offset.zone.mode == ZONE_ZBD)
		return rule_refuse(r, "trim_kind", "with {zonemode=zbd} a trim resets a zone");
	return 0;
}

/* A job that only trims has depth 1 where the engine trims in the call that submits. Reads and writes may
 * overlap with trims. For an engine that queues trims of some devices the plan decides (plan_trims.c). */
int rule_trims(struct rule_ctx *r)
{
	const struct engine *e = r->job->engine;
	struct queue_cfg *q = &r->o->queue;

	if (check_trim_kind(r))
		return r->d->err;
	if (!rule_has_dir(r, DIR_TRIM) || e->caps & (ENG_SYNC | ENG_VIRTUAL) || q->iodepth <= 1 ||
	    q->offload || may_queue_trims(r->job))
		return check_ranges(r);
	if (r->o->offset.rw & (RW_READ | RW_WRITE | RW_TRIMWRITE) || q->per_file || r->o->thread_group.name) {
		rule_note(r, "rw",
			  "trims run one at a time at any {iodepth}: %s has no asynchronous call for them%s",
			  e->name, e->queues_trims ? " with these options" : "");
		return check_ranges(r);
	}
	rule_note(
		r, "rw",
		"trims run one at a time: %s has no asynchronous call for them%s, so the depth is 1, not %u",
		e->name, e->queues_trims ? " with these options" : "", q->iodepth);
	q->iodepth = 1;
	return check_ranges(r);
}

/* ---- block sizes: as in fio bssplit overrides bsrange, which overrides bs, in any order ---- */

static int join_split(struct rule_ctx *r)
{
	struct bsize_cfg *b = &r->o->offset.bsize;
	unsigned kb_base = r->o->report.kb_base ? r->o->report.kb_base : 1024;

	if (!r->o->bssplit || !opt_bssplit(r->o->bssplit, kb_base, b, r->d))
		return 0;
	return diag_wrap(r->d, "{bssplit=%s}", r->o->bssplit);
}

static void join_direction(const struct job_opts *o, struct bsize_cfg *b, unsigned dir)
{
	b->lo[dir] = o->bsrange[dir].hi ? o->bsrange[dir].lo : o->bs[dir];
	b->hi[dir] = o->bsrange[dir].hi ? o->bsrange[dir].hi : o->bs[dir];
	for (unsigned i = 0; i < b->split_n[dir]; i++) {
		uint64_t bytes = b->split[dir][i].bytes;

		b->lo[dir] = i && b->lo[dir] < bytes ? b->lo[dir] : bytes;
		b->hi[dir] = i && b->hi[dir] > bytes ? b->hi[dir] : bytes;
	}
}

/* Notes a size of the section that another option, perhaps an inherited one, overrides. */
static void note_sizes(struct rule_ctx *r)
{
	const char *used = r->o->bssplit ? "bssplit" : job_user_option(r->job, "bsrange") ? "bsrange" : NULL;
	const char *const unused[] = { "bs", "bsrange" };

	for (unsigned i = 0; used && i < 2; i++)
		if (strcmp(unused[i], used) && rule_section_option(r, unused[i]))
			rule_note(r, unused[i], "has no effect in the directions that {%s} sets", used);
}

/* Copies the sizes of one entry to all directions. */
static void use_entry(struct bsize_cfg *b, unsigned entry)
{
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		b->lo[dir] = b->lo[entry];
		b->hi[dir] = b->hi[entry];
		b->split_n[dir] = b->split_n[entry];
		if (dir != entry)
			memcpy(b->split[dir], b->split[entry], sizeof(b->split[dir]));
	}
}

/* bs_is_seq_rand: the sizes of reads are those of sequential I/O, and the sizes of writes those of random
   I/O. */
static void apply_order_sizes(struct rule_ctx *r)
{
	struct bsize_cfg *b = &r->o->offset.bsize;
	uint32_t fixed = bsize_entry_fixed(b, BSIZE_SEQUENTIAL);

	if (!r->o->bs_is_seq_rand)
		return;
	if (fixed && fixed == bsize_entry_fixed(b, BSIZE_RANDOM))
		rule_note(r, "bs_is_seq_rand",
			  "has no effect: {bs} has one size; {+bs=%s} is for sequential and random I/O",
			  "4k,64k");
	if (!(r->o->offset.rw & RW_RANDOM))
		use_entry(b, BSIZE_SEQUENTIAL);
	else if (offset_partly_sequential(&r->o->offset))
		b->by_order = true;
	else
		use_entry(b, BSIZE_RANDOM);
}

int rule_block_sizes(struct rule_ctx *r)
{
	struct bsize_cfg *b = &r->o->offset.bsize;
	int err = join_split(r);

	if (err)
		return err;
	note_sizes(r);
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		const char *by = b->split_n[dir] ? "bssplit" : r->o->bsrange[dir].hi ? "bsrange" : "bs";

		join_direction(r->o, b, dir);
		if (!b->lo[dir])
			return rule_refuse(r, by, "the block size of %s is 0", rule_dir_names[dir]);
		if (b->hi[dir] > BS_MAX)
			return rule_refuse(r, by, "the block size of %s is above 1g: %s", rule_dir_names[dir],
					   BS_MAX_WHY);
	}
	apply_order_sizes(r);
	return 0;
}

/* ---- where random I/O goes ---- */

static void note_sequential(struct rule_ctx *r)
{
	static const char *const names[] = { "percentage_random", "random_distribution" };

	for (unsigned i = 0; i < 2 && !(r->o->offset.rw & RW_RANDOM); i++)
		if (rule_section_option(r, names[i]))
			rule_note(r, names[i], "has no effect: {rw=%s} is sequential",
				  job_user_option(r->job, "rw") ? job_user_option(r->job, "rw")->text
								: "read");
}

int rule_randrepeat(struct rule_ctx *r)
{
	struct offset_cfg *c = &r->o->offset;

	if (c->allrandrepeat && c->randrepeat == RANDREPEAT_NONE)
		c->randrepeat = RANDREPEAT_RUNS;
	return 0;
}

int rule_distribution(struct rule_ctx *r)
{
	struct dist_cfg *c;

	note_sequential(r);
	if (r->o->offset.sequence_stride &&
	    (!r->o->distribution || strncmp(r->o->distribution, "sequence", 8) != 0))
		return rule_refuse(r, "random_sequence_stride",
				   "needs {+random_distribution=sequence:0,5,3}, whose cycles it moves");
	if (!r->o->distribution || opt_distribution_uniform(r->o->distribution))
		return 0;
	c = arena_alloc(&r->set->arena, sizeof(*c));
	if (!c)
		return diag_err(r->d, -ENOMEM, "out of memory for the zones of random_distribution");
	c->clip = r->o->distribution_clip;
	r->o->offset.dist = c;
	return opt_distribution(r->o->distribution, r->o->report.kb_base ? r->o->report.kb_base : 1024, c,
				r->d);
}

/* ---- direct I/O ---- */

static int check_aligned(struct rule_ctx *r, const char *option, uint64_t bytes)
{
	if (bytes % SECTOR_BYTES == 0)
		return 0;
	return rule_refuse(
		r, option,
		sends_commands(r)
			? "%" PRIu64 " bytes: commands need multiples of the device's block size (%d or more)"
			: "%" PRIu64
			  " bytes: {direct=1} needs multiples of the device's block size (%d or more)",
		bytes, SECTOR_BYTES);
}

static int check_direction_aligned(struct rule_ctx *r, unsigned dir)
{
	const struct bsize_cfg *b = &r->o->offset.bsize;
	const char *by = b->split_n[dir] ? "bssplit" : r->o->bsrange[dir].hi ? "bsrange" : "bs";
	int err = check_aligned(r, by, b->lo[dir]);

	err = err ? err : check_aligned(r, by, b->hi[dir]);
	for (unsigned i = 0; i < b->split_n[dir] && !err; i++)
		err = check_aligned(r, by, b->split[dir][i].bytes);
	return err ? err : check_aligned(r, "ba", r->o->offset.ba[dir]);
}

/* As in fio the last of direct and buffered counts. Notes it where they contradict each other. */
static void note_switches(struct rule_ctx *r)
{
	const struct user_option *direct = rule_section_option(r, "direct"),
				 *buffered = rule_section_option(r, "buffered");

	if (direct && buffered && direct->text && buffered->text && !strcmp(direct->text, buffered->text))
		rule_note(r, "buffered",
			  "contradicts {direct=%s}; as in fio the last of them counts, and I/O %s the page "
			  "cache",
			  direct->text, r->o->file.direct ? "bypasses" : "uses");
}

int rule_direct(struct rule_ctx *r)
{
	const struct files_cfg *f = &r->o->files;
	int err = 0;

	note_switches(r);
	if (!r->o->file.direct || r->job->engine->caps & (ENG_NOFILE | ENG_NOIO | ENG_META | ENG_VIRTUAL))
		return 0;
	if (r->o->replay.log) /* plan_replay.c checks the I/Os of the trace */
		return 0;
	if (r->o->offset.bsize.unaligned)
		return rule_refuse(r, "bs_unaligned",
				   sends_commands(r)
					   ? "commands need multiples of the device's block size"
					   : "{direct=1} needs multiples of the device's block size");
	for (unsigned dir = 0; dir < DIR_DATA && !err; dir++)
		if (bsize_entries(&r->o->offset.bsize, r->o->offset.rw & RW_DIRS) & 1u << dir)
			err = check_direction_aligned(r, dir);
	if (r->o->offset.zone.mode)
		err = err ? err
			  : check_aligned(r, job_user_option(r->job, "zoneskip") ? "zoneskip" : "zonesize",
					  r->o->offset.zone.range + r->o->offset.zone.skip);
	if (f->offset.percent || f->offset_increment.percent || f->rank_offset_increment.percent)
		err = err ? err : check_aligned(r, "offset_align", f->offset_align);
	err = err ? err : check_aligned(r, "offset", f->offset.percent ? 0 : f->offset.bytes);
	err = err ? err
		  : check_aligned(r, "offset_increment",
				  f->offset_increment.percent ? 0 : f->offset_increment.bytes);
	return err ? err
		   : check_aligned(r, "rank_offset_increment",
				   f->rank_offset_increment.percent ? 0 : f->rank_offset_increment.bytes);
}

/* ---- engines that move no data ---- */

/* Sets one block size. Each I/O is one operation on a file, and its block size only serves for counting. */
static void one_block_size(struct rule_ctx *r)
{
	struct bsize_cfg *b = &r->o->offset.bsize;
	uint64_t least = bsize_min(b, r->o->offset.rw);

	if (b->lo[0] != b->hi[0] || b->split_n[0])
		rule_note(r, b->split_n[0] ? "bssplit" : "bsrange",
			  "%s counts %" PRIu64 " bytes for each file", r->job->engine->name, least);
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		b->lo[dir] = b->hi[dir] = least;
		b->split_n[dir] = 0;
	}
	b->by_order = false;
}

static int check_repeats(struct rule_ctx *r)
{
	const char *repeat = r->o->time.time_based && r->o->time.runtime_ns ? "time_based"
			     : r->o->time.loops > 1                         ? "loops"
									    : NULL;

	if (!repeat || !engine_not_repeatable(r->job->engine) ||
	    (rule_creates_files(r->job->engine) && r->o->files.unlink_each_loop))
		return 0;
	return rule_refuse(r, repeat, "%s can %s each of its %s only once", r->job->engine->name,
			   r->job->engine->caps & ENG_DELETES ? "remove" : "make",
			   r->job->engine->caps & ENG_DIRS ? "directories" : "files");
}

/* Notes options about I/O in jobs without I/O, where they have no effect. */
int rule_no_io(struct rule_ctx *r)
{
	static const char *const unused[] = { "rw",    "bs",         "size", "io_size",  "filename",
					      "loops", "number_ios", "rate", "rate_iops" };
	const struct engine *e = r->job->engine;
	const char *why = e->refuse ? e->refuse(r->job->engine_opts) : NULL;

	if (why)
		return rule_refuse(r, "ioengine", "%s", why);
	for (unsigned i = 0; e->caps & ENG_NOIO && i < sizeof(unused) / sizeof(*unused); i++)
		if (rule_section_option(r, unused[i]))
			rule_note(r, unused[i], "has no effect: %s does no I/O", e->name);
	return 0;
}

int rule_no_data(struct rule_ctx *r)
{
	static const char *const unused[] = { "fsync",     "fdatasync",        "sync_file_range",
					      "end_fsync", "end_syncfs",       "fsync_on_close",
					      "overwrite", "pre_read",         "file_append",
					      "offset",    "offset_increment", "rank_offset_increment",
					      "direct" };
	const struct engine *e = r->job->engine;

	if (e->only && r->o->offset.rw & RW_DIRS & ~e->only)
		return rule_refuse(r, "rw", "the engine %s has only %s", e->name,
				   rule_dir_names[__builtin_ctz(e->only)]);
	if (r->set->run.readonly && e->caps & (ENG_CREATES | ENG_DELETES | ENG_CHANGES_FILES))
		return rule_refuse(r, "ioengine",
				   "the engine changes files with every {rw}, and --readonly was given");
	if (e->caps & ENG_CHANGES_FILES && !job_user_option(r->job, "fallocate"))
		r->o->file.fallocate = rule_has_dir(r, DIR_WRITE)  ? FALLOC_NONE
				       : rule_has_dir(r, DIR_READ) ? FALLOC_TRUNCATE
								   : FALLOC_NATIVE;
	if (!(e->caps & ENG_META))
		return 0;
	if (r->o->offset.rw & RW_TRIMWRITE)
		return rule_refuse(r, "rw", "%s does one operation on each of its files, not two", e->name);
	one_block_size(r);
	for (unsigned i = 0; i < sizeof(unused) / sizeof(*unused); i++)
		if (rule_section_option(r, unused[i]))
			rule_note(r, unused[i], "has no effect: %s moves no data", e->name);
	return check_repeats(r);
}

/* Returns whether the option of passthrough leaves a write a plain one. */
static bool writes_plainly(const struct rule_ctx *r, const char *option)
{
	const struct user_option *mode = job_user_option(r->job, option);

	return !mode || !strcmp(mode->text, "write");
}

static bool appends_to_zones(const struct rule_ctx *r)
{
	const struct user_option *mode = job_user_option(r->job, "write_mode");

	return mode && !strcmp(mode->text, "zone_append");
}

/* write_mode=zone_append: only the completion says where a write went. */
static int check_append(struct rule_ctx *r)
{
	if (!appends_to_zones(r))
		return 0;
	r->o->offset.zone.append = true;
	if (r->o->offset.zone.mode != ZONE_ZBD)
		return rule_refuse(r, "write_mode", "needs {+zonemode=zbd}: an append goes to a zone");
	if (r->o->log.iolog)
		return rule_refuse(
			r, "write_mode",
			"does not go with {write_iolog}, which has the places of writes before the device "
			"chooses them; {+write_lat_log} with {+log_offset=1} has those of the device");
	return 0;
}

/* Verification needs writes that leave their data on the disk. */
static int check_written_data(struct rule_ctx *r)
{
	const struct user_option *mode = job_user_option(r->job, "sg_write_mode");
	bool verified = mode && (!strcmp(mode->text, "write_and_verify") || !strcmp(mode->text, "verify"));

	if (!r->o->verify.format.kind)
		return 0;
	if (appends_to_zones(r))
		return rule_refuse(
			r, "write_mode",
			"does not go with {verify}: a block is made before the device chooses its place, and "
			"has the place in its header");
	if (!writes_plainly(r, "write_mode"))
		return rule_refuse(r, "write_mode", "does not go with {verify}: the command carries no data");
	if (!writes_plainly(r, "sg_write_mode") && !verified)
		return rule_refuse(
			r, "sg_write_mode",
			"does not go with {verify}: the command does not write the data of its I/O");
	return 0;
}

/* Passthrough has neither a page cache nor the kernel's ways to make a write durable. */
int rule_passthrough(struct rule_ctx *r)
{
	const struct {
		bool on;
		const char *name, *instead;
	} unused[] = { { r->o->file.sync != FILE_SYNC_NONE, "sync", "writefua=1" },
		       { r->o->sync.range.every, "sync_file_range", "fsync=1" },
		       { r->o->sync.end_syncfs, "end_syncfs", "end_fsync=1" },
		       { r->o->file.hint != HINT_UNSET, "write_hint", NULL } };

	if (!sends_commands(r))
		return 0;
	for (unsigned i = 0; i < sizeof(unused) / sizeof(*unused); i++)
		if (unused[i].on)
			return rule_refuse(
				r, unused[i].name,
				unused[i].instead
					? "commands of {ioengine=%s} have nothing like it; use {+%s}"
					: "commands of {ioengine=%s} have nothing like it",
				r->job->engine->name, unused[i].instead);
	if (check_written_data(r) || check_append(r))
		return r->d->err;
	if (job_user_option(r->job, "writefua") && !writes_plainly(r, "sg_write_mode"))
		rule_note(r, "writefua", "has no effect: only WRITE has this bit");
	r->o->file.direct = true;
	return 0;
}

int rule_write_options(struct rule_ctx *r)
{
	if (r->o->file.hint && !rule_has_dir(r, DIR_WRITE))
		rule_note(r, "write_hint", "has no effect: the job does not write");
	if (!r->o->file.atomic || r->job->engine->caps & ENG_VIRTUAL)
		return 0;
	if (!rule_has_dir(r, DIR_WRITE)) {
		rule_note(r, "atomic", "has no effect: the job does not write");
		return 0;
	}
	if (!r->o->file.direct)
		return rule_refuse(r, "atomic",
				   "needs {+direct=1}: writes through the page cache are not atomic");
	if (!(r->job->engine->caps & ENG_RWF))
		return rule_refuse(r, "atomic",
				   "{ioengine=%s} cannot write atomically; pvsync2, libaio and io_uring can",
				   r->job->engine->name);
	return 0;
}

/* ---- sizes, files, clones ---- */

int rule_offset(struct rule_ctx *r)
{
	const struct files_cfg *f = &r->o->files;

	if (f->offset_align && !f->offset.percent && !f->offset_increment.percent &&
	    !f->rank_offset_increment.percent && rule_section_option(r, "offset_align"))
		rule_note(r, "offset_align",
			  "has no effect: neither {offset} nor {offset_increment} is a percentage");
	if (f->offset.percent < 100)
		return 0;
	return rule_refuse(r, "offset", "leaves nothing of the file or device; use less than 100%%");
}

/* ---- depth ---- */

static void clamp_depth(struct rule_ctx *r, const char *option, uint32_t *v)
{
	uint32_t depth = r->o->queue.iodepth;

	if (*v <= depth)
		return;
	if (job_user_option(r->job, option) && !job_synchronous(r->job))
		rule_note(r, option, "is reduced to %u, the {iodepth}", depth);
	*v = depth;
}

/* Applies iodepth_batch. As in fio 0 submits as many I/Os as fit. Where the kernel merges neighbours
   (plug.c), the number of I/Os that are reaped matters, too: it is the number that the job waits for, and a
   job that never waits submits each I/O alone. */
static void apply_batch(const struct rule_ctx *r, struct queue_cfg *q)
{
	bool plugs = r->job->engine->caps & ENG_PLUGS && !q->offload;

	if (!job_user_option(r->job, "iodepth_batch"))
		return;
	if (plugs && !q->complete_min && !q->complete_max)
		q->batch = 1;
	if (!q->batch)
		q->batch = q->iodepth;
	if (plugs && !q->complete_max)
		q->complete_max = q->complete_min;
}

int rule_offload(struct rule_ctx *r)
{
	const struct engine *e = r->job->engine;

	if (!r->o->queue.offload)
		return 0;
	if (e->caps & (ENG_NOIO | ENG_META))
		return rule_refuse(r, "io_submit_mode",
				   "the engine %s %s, so no I/O can be given to other threads", e->name,
				   e->caps & ENG_NOIO ? "does no I/O" : "does one file operation at a time");
	if (e->caps & ENG_SHARED_POSITION && r->o->queue.iodepth > 1)
		return rule_refuse(
			r, "io_submit_mode",
			"the engine %s moves the file's position, which its %u threads would share; use "
			"{ioengine=psync}, or {+iodepth=1}",
			e->name, r->o->queue.iodepth);
	return 0;
}

/* An engine that joins the I/Os of a call has done them when the call returns. If more were in flight, the
   first ones would wait for the calls of the others, and their latencies would be too long. */
static void depth_of_a_call(struct rule_ctx *r, struct queue_cfg *q)
{
	uint32_t batch = q->batch ? q->batch : 1;

	if (!(r->job->engine->caps & ENG_MERGES) || q->offload || q->iodepth <= batch)
		return;
	rule_note(r, "iodepth",
		  "the engine %s does the I/Os of a call at once, and a call has {iodepth_batch=%u}: the "
		  "depth is "
		  "%u, not %u",
		  r->job->engine->name, batch, batch, q->iodepth);
	q->iodepth = batch;
}

int rule_depth(struct rule_ctx *r)
{
	struct queue_cfg *q = &r->o->queue;

	if (!q->iodepth)
		return rule_refuse(r, "iodepth", "must be 1 or more");
	if (job_synchronous(r->job) && q->iodepth > 1) {
		rule_note(r, "iodepth", "the engine %s does one I/O at a time: the depth is 1, not %u",
			  r->job->engine->name, q->iodepth);
		q->iodepth = 1;
	}
	apply_batch(r, q);
	depth_of_a_call(r, q);
	clamp_depth(r, "iodepth_batch", &q->batch);
	clamp_depth(r, "iodepth_batch_complete_min", &q->complete_min);
	clamp_depth(r, "iodepth_batch_complete_max", &q->complete_max);
	clamp_depth(r, "iodepth_low", &q->low);
	if (q->complete_max && q->complete_max < q->complete_min) {
		if (job_user_option(r->job, "iodepth_batch_complete_max"))
			rule_note(r, "iodepth_batch_complete_max",
				  "is raised to %u, the value of {iodepth_batch_complete_min}",
				  q->complete_min);
		q->complete_max = q->complete_min;
	}
	return 0;
}

/* Notes serialize_overlap where no two I/Os can overlap. */
int rule_overlap(struct rule_ctx *r)
{
	const struct queue_cfg *q = &r->o->queue;

	if (!q->serialize || !rule_section_option(r, "serialize_overlap"))
		return 0;
	if (!(r->o->offset.rw & (RW_WRITE | RW_TRIM)))
		rule_note(r, "serialize_overlap", "has no effect: reads may overlap");
	else if (q->iodepth == 1 && !q->per_file && !r->o->thread_group.name)
		rule_note(r, "serialize_overlap", "has no effect: with {iodepth=1} one I/O is in flight");
	return 0;
}

int rule_mix(struct rule_ctx *r)
{
	const struct user_option *reads = rule_section_option(r, "rwmixread"),
				 *writes = rule_section_option(r, "rwmixwrite");
	unsigned percent = r->o->mix.read_percent;

	/* The own options are in the order of their last mention. */
	if (reads && writes && reads < writes && strtoul(reads->text, NULL, 0) != percent)
		rule_note(r, "rwmixread", "{rwmixwrite=%s} overrides it, because it comes later",
			  writes->text);
	if (reads && writes && reads > writes && strtoul(writes->text, NULL, 0) != 100 - percent)
		rule_note(r, "rwmixwrite", "{rwmixread=%s} overrides it, because it comes later",
			  reads->text);
	return 0;
}
