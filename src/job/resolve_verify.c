/* resolve_verify.c: the rules for verification. */
#include "rules.h"

#include <stdio.h>
#include "verify_sizes.h"

/* ---- does the job verify anything? ---- */

/* As in fio verify_pattern alone means blocks with a header. */
static void set_kind(struct rule_ctx *r)
{
	struct verify_cfg *v = &r->o->verify.format;

	if (v->kind == VERIFY_NONE && v->pattern && !job_user_option(r->job, "verify"))
		v->kind = VERIFY_PATTERN_HDR;
}

static int check_unverified(struct rule_ctx *r)
{
	static const char *const details[] = {
		"verify_pattern",  "verify_pattern_interval", "verify_interval",    "verify_offset",
		"verify_fatal",    "verify_write_sequence",   "verify_header_seed", "verify_dump",
		"verify_backlog",  "verify_backlog_batch",    "verify_async",       "verify_async_cpus",
		"trim_percentage", "trim_verify_zero"
	};

	if (r->o->verify.only)
		return rule_refuse(r, "verify_only",
				   "needs {verify}, the kind with which the data were written, such as "
				   "{+verify=crc32c}");
	for (unsigned i = 0; i < sizeof(details) / sizeof(*details); i++)
		if (rule_section_option(r, details[i]))
			rule_note(r, details[i], "has no effect without {verify}");
	return 0;
}

/* For jobs without data: refuses an option of the section; an inherited one is for other jobs. */
static int check_dataless(struct rule_ctx *r)
{
	const struct engine *e = r->job->engine;

	if (rule_section_option(r, "verify") || r->o->verify.only)
		return rule_refuse(r, r->o->verify.only ? "verify_only" : "verify",
				   "the engine %s moves no data that could be verified", e->name);
	r->o->verify.format.kind = VERIFY_NONE;
	return 0;
}

static int check_virtual(struct rule_ctx *r)
{
	const struct engine *e = r->job->engine;

	if (r->o->verify.only)
		return check_dataless(r);
	if (rule_has_dir(r, DIR_WRITE))
		rule_note(r, "verify", "{ioengine=%s} keeps no data: blocks are made, and none is checked",
			  e->name);
	else
		rule_note(r, "verify", "has no effect: {ioengine=%s} has no data to check", e->name);
	r->o->verify.after_writing = false;
	r->o->verify.trim_percentage = 0;
	if (!rule_has_dir(r, DIR_WRITE))
		r->o->verify.format.kind = VERIFY_NONE;
	return 0;
}

/* Switches verification off where no data move. */
static int check_moves(struct rule_ctx *r)
{
	unsigned caps = r->job->engine->caps;

	if (caps & (ENG_NOIO | ENG_META | ENG_CHANGES_FILES))
		return check_dataless(r);
	if (caps & ENG_VIRTUAL)
		return check_virtual(r);
	if (r->o->offset.rw & (RW_READ | RW_WRITE))
		return 0;
	if (r->o->verify.only)
		return rule_refuse(r, "verify_only", "the job only trims, so there is nothing to verify");
	if (rule_section_option(r, "verify"))
		rule_note(r, "verify", "has no effect: the job only trims");
	r->o->verify.format.kind = VERIFY_NONE;
	return 0;
}

/* ---- options that contradict verification ---- */

static int check_company(struct rule_ctx *r)
{
	const struct job_opts *o = r->o;
	bool writes = rule_has_dir(r, DIR_WRITE) && !o->verify.only;

	if (o->write_pool.bytes && writes)
		return rule_refuse(r, "verify",
				   "does not go with {write_pool}: a slice of the pool is written as it is, "
				   "without a header or a seed by which it could be checked");
	if (o->verify.trim_percentage && o->verify.backlog && writes && o->verify.after_writing)
		return rule_refuse(
			r, "trim_percentage",
			"does not go with {verify_backlog}, which reads blocks before they are trimmed");
	if (o->verify.trim_percentage &&
	    (o->verify.state_load || (o->verify.state_save && job_user_option(r->job, "verify_state_save"))))
		return rule_refuse(
			r, "trim_percentage",
			"does not go with {verify_state_save} and {verify_state_load}: the state has "
			"the writes of a job, and not its trims");
	if (o->verify.state_sync && writes && rule_has_dir(r, DIR_TRIM))
		return rule_refuse(
			r, "verify_state_sync",
			"does not go with trims: a power loss between a trim and the next write of "
			"the same blocks would look like lost data");
	if (o->thread_group.name)
		return rule_refuse(r, "verify",
				   "does not go with {thread_group}: its threads write the same files in an "
				   "order that depends on time, so the last write of a block is not known");
	if (o->files.unlink_each_loop && job_access(r->job) & RW_READ)
		return rule_refuse(r, "unlink_each_loop",
				   "removes data that {verify} has not checked yet; {+unlink=1} removes the "
				   "files at the end");
	if (job_checks_earlier(r->job) && o->files.create == CREATE_ALWAYS)
		return rule_refuse(r, "create",
				   "{create=always} would replace the data that {verify=%s} checks",
				   verify_kinds[o->verify.format.kind].name);
	return 0;
}

/* verify_only: the place of the earlier run's writes must follow from the options. */
static int check_only(struct rule_ctx *r)
{
	struct job_opts *o = r->o;

	if (!rule_has_dir(r, DIR_WRITE))
		o->verify.only = false; /* the job checks what it reads anyway */
	if (!o->verify.only)
		return 0;
	if (o->files.append)
		return rule_refuse(
			r, "verify_only",
			"does not go with {file_append}: where the earlier run began to write is not "
			"known; use {offset}");
	if (o->files.fill)
		return rule_refuse(r, "verify_only",
				   "does not go with {fill_device}: how much the earlier run wrote is not "
				   "known; use {size}");
	return 0;
}

/* ---- blocks ---- */

static int check_pattern(struct rule_ctx *r)
{
	const struct verify_cfg *v = &r->o->verify.format;

	if (v->pattern || (v->kind != VERIFY_PATTERN && v->kind != VERIFY_PATTERN_HDR))
		return 0;
	return rule_refuse(r, "verify",
			   "needs {verify_pattern}, the bytes of the blocks, such as "
			   "{+verify_pattern=0xdeadbeef}");
}

static int refuse_interval(struct rule_ctx *r, uint32_t bytes, uint32_t head)
{
	const struct verify_cfg *v = &r->o->verify.format;
	uint32_t nearest = verify_sizes_interval(v, &r->o->offset);
	char advice[64] = "";

	if (nearest)
		snprintf(advice, sizeof(advice), "; the nearest that fits is %u", nearest);
	if (bytes % verify_part_bytes(v, bytes))
		return rule_refuse(r, "verify_interval",
				   "must divide the blocks: %u bytes are no whole number of intervals",
				   bytes);
	return rule_refuse(
		r, "verify_interval", "too small: header and digest of {verify=%s} take %u bytes%s%s",
		verify_kinds[v->kind].name, head, v->offset ? " behind {verify_offset}" : "", advice);
}

static int refuse_offset(struct rule_ctx *r, uint32_t part, uint32_t head)
{
	const struct verify_cfg *v = &r->o->verify.format;

	if (2 * head > part)
		return rule_refuse(r, "verify_offset",
				   "must be 0: in %u bytes header and digest of {verify=%s} (%u bytes) have "
				   "no other place",
				   part, verify_kinds[v->kind].name, head);
	return rule_refuse(r, "verify_offset",
			   "must be 0, or %u to %u: in %u bytes header and digest of {verify=%s} take %u",
			   head, part - head, part, verify_kinds[v->kind].name, head);
}

/* As in fio an interval that does not divide all blocks becomes the largest number that does. */
static void fit_interval(struct rule_ctx *r, uint32_t misfit)
{
	const struct offset_cfg *o = &r->o->offset;
	struct verify_cfg *v = &r->o->verify.format;
	uint32_t divisor = bsize_divisor(&o->bsize, verify_sizes_dirs(o));

	if (misfit % verify_part_bytes(v, misfit) == 0 ||
	    divisor < VERIFY_HEADER_BYTES + verify_kinds[v->kind].digest)
		return;
	v->interval = divisor;
	rule_note(r, "verify_interval",
		  "does not divide blocks of %u bytes; as in fio it becomes %u, which divides all of them",
		  misfit, divisor);
}

static int check_blocks(struct rule_ctx *r)
{
	const struct verify_cfg *v = &r->o->verify.format;
	uint32_t bytes = verify_sizes_misfit(v, &r->o->offset), part, head;

	if (bytes) {
		fit_interval(r, bytes);
		bytes = verify_sizes_misfit(v, &r->o->offset);
	}
	if (!bytes)
		return 0;
	part = verify_part_bytes(v, bytes);
	head = VERIFY_HEADER_BYTES + verify_kinds[v->kind].digest;
	if (bytes % part || (head > part && part == v->interval))
		return refuse_interval(r, bytes, head);
	if (head <= part)
		return refuse_offset(r, part, head);
	return rule_refuse(
		r, "verify",
		"header and digest take %u bytes, but a block can have %u; use larger blocks{?, or "
		"{+verify=crc32c}}",
		head, bytes);
}

/* ---- notes ---- */

/* As in fio the content of verified blocks is that of verify, except for its compression. */
static void note_contents(struct rule_ctx *r)
{
	static const char *const unused[] = { "buffer_pattern",    "zero_buffers",  "refill_buffers",
					      "dedupe_percentage", "dedupe_global", "dedupe_mode" };

	for (unsigned i = 0; i < sizeof(unused) / sizeof(*unused); i++)
		if (rule_section_option(r, unused[i]))
			rule_note(r, unused[i],
				  "has no effect on what is written: {verify} fills the blocks");
}

static void note_headers(struct rule_ctx *r)
{
	static const char *const unused[] = { "verify_interval", "verify_offset", "verify_header_seed",
					      "verify_write_sequence" };
	const struct verify_cfg *v = &r->o->verify.format;

	for (unsigned i = 0; i < sizeof(unused) / sizeof(*unused); i++)
		if (rule_section_option(r, unused[i]))
			rule_note(r, unused[i], "has no effect: blocks of {verify=%s} have no headers",
				  verify_kinds[v->kind].name);
}

static void note_backlog(struct rule_ctx *r)
{
	const struct verify_opts *v = &r->o->verify;
	bool given = v->backlog && rule_section_option(r, "verify_backlog");

	if (given && !rule_has_dir(r, DIR_WRITE))
		rule_note(r, "verify_backlog", "has no effect: the job does not write");
	else if (given && v->only)
		rule_note(r, "verify_backlog", "has no effect: {verify_only} writes nothing");
	else if (given && !v->after_writing)
		rule_note(r, "verify_backlog", "has no effect: {do_verify=0} reads nothing back");
	if (!v->backlog && rule_section_option(r, "verify_backlog_batch"))
		rule_note(r, "verify_backlog_batch", "has no effect without {verify_backlog}");
}

static void note_async(struct rule_ctx *r)
{
	const struct verify_opts *v = &r->o->verify;

	if (!v->async && cpuset_count(&v->async_cpus) && rule_section_option(r, "verify_async_cpus"))
		rule_note(r, "verify_async_cpus", "has no effect without {verify_async}");
}

static void note_trim_options(struct rule_ctx *r)
{
	static const char *const options[] = { "trim_verify_zero", "trim_backlog" };
	const struct verify_opts *v = &r->o->verify;

	for (unsigned i = 0; i < sizeof(options) / sizeof(*options) && !v->trim_percentage; i++)
		if (rule_section_option(r, options[i]))
			rule_note(r, options[i], "has no effect without {trim_percentage}");
	if (!v->trim_backlog && rule_section_option(r, "trim_backlog_batch"))
		rule_note(r, "trim_backlog_batch", "has no effect without {trim_backlog}");
}

/* Switches trims off where no run checks a block, and notes it. */
static void note_trims(struct rule_ctx *r)
{
	struct verify_opts *v = &r->o->verify;

	if (v->format.kind == VERIFY_NULL) {
		if (v->trim_percentage && rule_section_option(r, "trim_percentage"))
			rule_note(r, "trim_percentage", "has no effect: {verify=null} checks nothing");
		v->trim_percentage = 0;
	} else if (v->trim_percentage) {
		v->state_save = false; /* the state has no trims */
	}
	note_trim_options(r);
}

static void note_verify(struct rule_ctx *r)
{
	const struct verify_opts *v = &r->o->verify;
	bool writes = rule_has_dir(r, DIR_WRITE);

	if (writes && !v->only)
		note_contents(r);
	if (!verify_kinds[v->format.kind].type)
		note_headers(r);
	note_backlog(r);
	note_async(r);
	note_trims(r);
	if (v->format.kind == VERIFY_NULL)
		rule_note(r, "verify",
			  "nothing is read back or checked; this kind shows what the checks of another one "
			  "cost");
	if (!v->format.pattern && rule_section_option(r, "verify_pattern_interval"))
		rule_note(r, "verify_pattern_interval", "has no effect without {verify_pattern}");
	if (!v->after_writing && job_checks_earlier(r->job) && rule_section_option(r, "do_verify"))
		rule_note(r, "do_verify", "has no effect: a job that does not write checks what it reads");
}

int rule_saved_load(struct rule_ctx *r)
{
	struct job_opts *o = r->o;

	if (!o->verify.state_load || (o->offset.rw & RW_DIRS) != RW_READ)
		return 0;
	o->offset.rw ^= RW_READ | RW_WRITE;
	o->verify.only = true;
	rule_note(r, "verify_state_load",
		  "checks what the job wrote when it saved the state, as {+verify_only=1} with {+rw=%swrite} "
		  "does",
		  o->offset.rw & RW_RANDOM ? "rand" : "");
	return 0;
}

int rule_verify(struct rule_ctx *r)
{
	static int (*const checks[])(struct rule_ctx *) = { check_pattern, check_company, check_only,
							    check_blocks };
	const struct verify_cfg *v = &r->o->verify.format;
	int err;

	set_kind(r);
	err = v->kind == VERIFY_NONE ? check_unverified(r) : check_moves(r);
	if (v->kind == VERIFY_NONE)
		return err;
	for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]) && !err; i++)
		err = checks[i](r);
	if (!err)
		note_verify(r);
	return err;
}
