/* resolve_thread_group.c: the rules for thread_group. Options about files belong to each section; all others
   belong to the threads, and must be the same in all sections of the group. */
#include <string.h>
#include "rows.h"
#include "rules.h"
#include "strbuf.h"

/* Options of each section: the files and the I/O to them. */
static const char *const section_options[] = {
	/* clang-format off */
	"name", "description", "stonewall", "thread_group_weight",
	"filename", "directory", "filename_format", "nrfiles", "size", "filesize", "offset", "offset_align", "offset_increment",
	"rank_offset_increment", "rank_shared",
	"fallocate", "overwrite", "unlink", "invalidate", "allow_write", "allow_mounted_write", "fadvise_hint",
	"allow_file_create", "create", "create_fill", "create_size", "remote_only",
	"rw", "rw_sequencer", "bs", "bsrange", "bssplit", "bs_unaligned", "bs_is_seq_rand", "ba", "rwmixread", "rwmixwrite",
	"direct", "buffered", "sync", "fsync_on_close", "write_hint",
	"norandommap", "random_generator", "random_distribution", "percentage_random", "random_clip",
	"offset_shared", "seq_per_slot", "seq_wrap", "rwmix_shared_pos", "seq_runs",
	"iodepth", "iodepth_batch", "iodepth_batch_complete_min", "iodepth_batch_complete_max",
	"rate", "rate_iops", "rate_process", "rate_total", "rate_ignore_thinktime",
	"thinktime", "thinktime_spin", "thinkcycles", "thinktime_blocks", "thinktime_blocks_type",
	"thinktime_iotime",
	"zero_buffers", "refill_buffers", "scramble_buffers", "buffer_pattern", "buffer_compress_percentage",
	"buffer_compress_chunk", "dedupe_percentage", "dedupe_mode", "dedupe_working_set_percentage",
	"write_pool", "write_pool_file",
	"prio", "prioclass", "priohint",
	NULL,
	/* clang-format on */
};

static bool is_section_option(const char *name)
{
	for (const char *const *p = section_options; *p; p++)
		if (!strcmp(*p, name))
			return true;
	return false;
}

static void print_value(const struct opt_row *row, const void *opts, struct strbuf *out)
{
	strbuf_clear(out);
	row->type->print(row, (const char *)opts + row->offset, out);
}

struct pair {
	const struct job *job, *lead;
};

/* Returns the first option of a table that differs between the two sections; NULL if none does. A value that
   only a rule has changed is no difference. */
static const struct opt_row *first_difference(const struct pair *p, const struct opt_row *row, const void *a,
					      const void *b, struct strbuf *x, struct strbuf *y)
{
	for (; a && b && row->name; row++) {
		if (!row->type || row->status != OPT_WORKS || is_section_option(row->name) ||
		    user_option_equal(job_user_option(p->job, row->name),
				      job_user_option(p->lead, row->name)))
			continue;
		print_value(row, a, x);
		print_value(row, b, y);
		if (strcmp(strbuf_str(x), strbuf_str(y)) != 0)
			return row;
	}
	return NULL;
}

/* Returns the last section after `lead`, up to this one, that waits for all jobs before it; NULL if there is
   none. */
static const struct job *last_stonewall(const struct job *lead, const struct job *job)
{
	while (job > lead && !job->opts.group.stonewall && !job->first_of_file)
		job--;
	return job > lead ? job : NULL;
}

static int check_member(struct job_set *set, struct job *job, const struct job *lead, struct diag *d)
{
	struct rule_ctx r = { .set = set, .job = job, .o = &job->opts, .d = d };
	struct strbuf mine = { 0 }, theirs = { 0 };
	const struct pair both = { job, lead };
	const struct opt_row *row =
		first_difference(&both, job_options.rows, &job->opts, &lead->opts, &mine, &theirs);
	int err = 0;

	if (!row && job->engine->opts)
		row = first_difference(&both, job->engine->opts->rows, job->engine_opts, lead->engine_opts,
				       &mine, &theirs);
	if (row)
		err = rule_refuse(&r, row->name,
				  "the sections of a {thread_group} share their threads, so they need the "
				  "same {%s}: here it is '%.80s', and in [%.80s] '%.80s'",
				  row->name, strbuf_str(&mine), lead->name, strbuf_str(&theirs));
	else if (last_stonewall(lead, job))
		err = rule_refuse(&r, last_stonewall(lead, job) == job ? "stonewall" : "thread_group",
				  "the threads of its {thread_group} start with [%.80s], but [%.80s] waits "
				  "for all jobs before it",
				  lead->name, last_stonewall(lead, job)->name);
	strbuf_fini(&mine);
	strbuf_fini(&theirs);
	return err;
}

/* Refuses a thread_group_weight that names a thread that does not exist. */
static int check_threads(struct job_set *set, struct job *job, struct diag *d)
{
	struct rule_ctx r = { .set = set, .job = job, .o = &job->opts, .d = d };
	uint32_t most = thread_weight_last(job->opts.thread_group.weights);

	if (most < job->opts.group.numjobs)
		return 0;
	return rule_refuse(&r, "thread_group_weight",
			   "thread %u does not exist: {numjobs=%u}, and the first thread has the number 0",
			   most, job->opts.group.numjobs);
}

bool thread_group_same(const struct job *a, const struct job *b)
{
	const char *x = a->opts.thread_group.name, *y = b->opts.thread_group.name;

	return x && y && !strcmp(x, y);
}

const struct job *thread_group_lead(const struct job_set *set, const struct job *job)
{
	const struct job *lead = job->opts.thread_group.name ? set->jobs : job;

	while (lead != job && !thread_group_same(lead, job))
		lead++;
	return lead;
}

int rule_thread_groups(struct job_set *set, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; i < set->njobs && !err; i++) {
		struct job *job = &set->jobs[i];
		const struct job *lead;

		if (!job->opts.thread_group.name)
			continue;
		lead = thread_group_lead(set, job);
		err = lead == job ? 0 : check_member(set, job, lead, d);
		err = err ? err : check_threads(set, job, d);
	}
	return err;
}

/* Refuses options that contradict thread_group, and notes those that it makes redundant. */
static int check_contradictions(struct rule_ctx *r)
{
	const struct job_opts *o = r->o;

	if (o->queue.per_file)
		return rule_refuse(r, "iodepth_per_file", "is implied by {thread_group}; leave it out");
	if (o->files.weights)
		return rule_refuse(r, "file_weights",
				   "does not go with {thread_group}; use {thread_group_weight}");
	if (o->files.file_order.kind != FILE_ORDER_ROUNDROBIN)
		return rule_refuse(r, "file_service_type",
				   "does not go with {thread_group}, whose I/Os go to each file or by "
				   "{thread_group_weight}");
	if (o->pace.open || (o->pace.shared && *o->pace.shared))
		return rule_refuse(
			r, o->pace.open ? "rate_open" : "rate_shared",
			"does not go with {thread_group}, where each file has a schedule of its own");
	if (rate_min_wanted(&o->rate_min))
		return rule_refuse(r, job_user_option(r->job, "rate_min") ? "rate_min" : "rate_iops_min",
				   "does not go with {thread_group}, whose sections are counted together");
	if (o->buffer.dedupe_global)
		return rule_refuse(r, "dedupe_global", "does not go with {thread_group}");
	return 0;
}

int rule_thread_group(struct rule_ctx *r)
{
	const struct thread_group_cfg *t = &r->o->thread_group;
	bool weighted = t->weights && strcmp(t->weights, "1") != 0;
	int err;

	if (!t->name && (t->depth || weighted))
		return rule_refuse(r, weighted ? "thread_group_weight" : "thread_group_depth",
				   "has no effect without {thread_group}");
	if (!t->name)
		return 0;
	if (!r->o->group.thread)
		return rule_refuse(r, "thread_group", "needs threads: use {+thread=1}");
	err = check_contradictions(r);
	if (err)
		return err;
	if (t->depth > 1 && job_synchronous(r->job))
		rule_note(r, "thread_group_depth",
			  "the engine %s does one I/O at a time: the depth is 1, not %u",
			  r->job->engine->name, t->depth);
	return rule_endless(r, "thread_group");
}
