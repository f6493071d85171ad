#include "collect_parts.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "collect.h"
#include "verify_check.h"

static void add_damaged_range(struct result *r, struct result_job *job, const char *path,
			      const struct verify_range *v)
{
	enum verify_damage_kind kind =
		v->kind < DAMAGE_KINDS ? (enum verify_damage_kind)v->kind : DAMAGE_NONE;
	char expected[VERIFY_VALUE_TEXT], found[VERIFY_VALUE_TEXT], text[VERIFY_DAMAGE_TEXT];
	struct result_damage d = { .file = path,
				   .kind = verify_damages[kind].name,
				   .text = text,
				   .offset = v->offset,
				   .length = v->bytes,
				   .blocks = v->blocks };

	verify_damage_text(kind, v->expected, v->found, text);
	verify_value_text(kind, v->expected, expected);
	verify_value_text(kind, v->found, found);
	if (expected[0]) {
		d.expected = expected;
		d.found = found;
	}
	result_job_damage(r, job, &d);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct verify_range *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Sorts the ranges, and joins those between which random reads have filled the gap. Returns their number. */
static uint32_t sort_ranges(struct verify_range *v, uint32_t n)
{
	uint32_t last = 0;

	qsort(v, n, sizeof(*v), compare_ranges);
	for (uint32_t i = 1; i < n; i++) {
		if (v[i].file == v[last].file && v[i].kind == v[last].kind &&
		    v[last].offset + v[last].bytes == v[i].offset) {
			v[last].bytes += v[i].bytes;
			v[last].blocks += v[i].blocks;
		} else {
			v[++last] = v[i];
		}
	}
	return n ? last + 1 : 0;
}

static void add_ranges(struct result *r, struct result_job *job, const struct plan *p,
		       const struct plan_job *pj, const struct region_verify *from)
{
	struct verify_range v[VERIFY_DAMAGES];
	uint32_t n = from->nranges < VERIFY_DAMAGES ? from->nranges : VERIFY_DAMAGES;

	atomic_thread_fence(memory_order_acquire);
	memcpy(v, from->ranges, n * sizeof(*v));
	n = sort_ranges(v, n);
	for (uint32_t i = 0; i < n; i++) {
		if (v[i].file < pj->nfiles && job->verify.ndamages < VERIFY_DAMAGES)
			add_damaged_range(r, job, p->targets[pj->files[v[i].file].target].path, &v[i]);
		else
			job->verify.unlisted += v[i].blocks;
	}
}

/* Adds the blocks that a lost worker had still to read back. Returns false if their number is not known. */
static bool add_unread(struct result_verify *to, const struct region_verify *v)
{
	uint64_t counted = v->checked + v->in_part + v->not_checked;

	if (v->expected > counted)
		to->not_checked += v->expected - counted;
	return v->expected;
}

/* The worker may still run, or be dead: its counts and ranges so far are valid. Returns false if blocks are
   missing in the counts. */
static bool add_member(struct result *r, struct result_job *job, const struct run *run, uint32_t index)
{
	const struct plan *p = run->plan;
	const struct plan_job *pj = &p->jobs[index];
	struct result_verify *to = &job->verify;
	const struct region_verify *v;

	if (!plan_verifies(pj) || !pj->job->opts.report.stats)
		return true;
	v = slot_verify(run_slot(run, index), pj);
	to->on = true;
	to->checked += v->checked;
	to->in_part += v->in_part;
	to->not_checked += v->not_checked;
	to->damaged += v->damaged;
	to->unlisted += v->unlisted;
	to->known_by = plan_verify_known_by(pj);
	to->memory_bytes += plan_verify_memory(pj);
	add_ranges(r, job, p, pj, v);
	return !pj->verify.reads || !run_slot(run, index)->lost_reason[0] || add_unread(to, v);
}

/* Adds a note if not all blocks were checked. */
static void note_not_checked(struct result_job *job, const struct result_verify *v)
{
	const char *nothing = v->checked || v->in_part ? "" : "nothing was verified; ";

	if (v->not_checked)
		result_job_note(
			job,
			"{verify}: %s%" PRIu64
			" block%s not checked: the job ended earlier, a worker was lost, reads failed, "
			"{trim_verify_zero=0} leaves out trimmed blocks, or blocks "
			"may never have been written",
			nothing, v->not_checked, v->not_checked == 1 ? "" : "s");
	else if (*nothing && job->error)
		result_job_note(job, "{verify}: nothing was verified; the job failed before");
	else if (*nothing && !job->lost_reason)
		result_job_note(job, "{verify}: nothing was verified; the job had no block to read back");
}

static void note_in_part(struct result_job *job, const struct result_verify *v)
{
	if (v->in_part)
		result_job_note(
			job,
			"{verify}: %" PRIu64
			" block%s checked in part: writes of them failed or overlapped while in flight, "
			"later writes or another job replaced bytes of them, or they may have been trimmed. "
			"The rest may hold other data, so it is not called damaged",
			v->in_part, v->in_part == 1 ? "" : "s");
}

void collect_verify(struct result *r, struct result_job *job, const struct run *run, uint32_t report)
{
	const uint32_t *member;
	uint32_t members = plan_members(run->plan, report, &member);
	bool all = true;

	for (uint32_t i = 0; i < members; i++)
		all &= add_member(r, job, run, member[i]);
	if (!job->verify.on || !run->end_ns || r->as_fio)
		return;
	note_not_checked(job, &job->verify);
	if (!all)
		result_job_note(
			job, "{verify}: a lost worker had not read back all its blocks; their number is not "
			     "known, and the counts do not include them");
	note_in_part(job, &job->verify);
}

bool collect_unchecked(const struct plan_job *pj, struct slot *s)
{
	const struct region_verify *v;

	if (!plan_verifies(pj) || !s->pid || s->error || s->lost_reason[0] || pj->job->opts.files.create_only)
		return false;
	v = slot_verify(s, pj);
	if (v->in_part && pj->verify.others_check) /* those jobs check the blocks that are there now */
		return false;
	return !v->checked && !v->part_right;
}
