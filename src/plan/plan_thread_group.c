/* plan_thread_group.c: thread_group: sections that share threads. In the plan each thread is one job with the
   files of all sections; each file keeps the options of its own section (plan_file.user). */
#include <inttypes.h>
#include <string.h>
#include "plan_build.h"
#include "rows.h"
#include "strbuf.h"

struct thread_group {
	const struct job **section;
	uint32_t n;
	struct job *joined; /* the group as one job */
};

static uint32_t section_index(const struct build *b, const struct job *job)
{
	return (uint32_t)(job - b->p->set->jobs);
}

/* ---- the group as one job ---- */

/* Collects the options that all sections have in common, for the result document. */
static bool common_options(struct build *b, struct thread_group *t)
{
	const struct user_options *own = &t->section[0]->own;
	struct user_options *to = &t->joined->own;

	*to = (struct user_options){ .v = arena_array(&b->p->arena, own->n + 1, sizeof(*to->v)) };
	if (!to->v)
		return false;
	to->cap = own->n + 1;
	for (size_t i = 0; i < own->n; i++) {
		uint32_t k = 1;

		while (k < t->n &&
		       user_option_equal(job_user_option(t->section[k], own->v[i].name), &own->v[i]))
			k++;
		if (k == t->n)
			to->v[to->n++] = own->v[i];
	}
	return true;
}

static void widen_sizes(struct bsize_cfg *to, const struct bsize_cfg *c, unsigned dir, bool first)
{
	uint32_t lo = bsize_min(c, 1u << dir), hi = bsize_max(c, 1u << dir);

	to->lo[dir] = first || lo < to->lo[dir] ? lo : to->lo[dir];
	to->hi[dir] = first || hi > to->hi[dir] ? hi : to->hi[dir];
	to->split_n[dir] = 0;
	to->by_order = false;
}

/* Adds a section to the options of the whole group, which reports show and statistics use. */
static void join_options(struct job_opts *o, const struct job_opts *m)
{
	struct queue_cfg *q = &o->queue;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		bool first = !(o->offset.rw & 1u << d);

		if (!(m->offset.rw & 1u << d))
			continue;
		widen_sizes(&o->offset.bsize, &m->offset.bsize, d, first);
		o->pace.rate[d] = m->pace.rate[d] + (first ? 0 : o->pace.rate[d]);
		o->pace.rate_iops[d] = m->pace.rate_iops[d] + (first ? 0 : o->pace.rate_iops[d]);
	}
	o->offset.rw |= m->offset.rw;
	o->file.direct &= m->file.direct;
	q->batch = m->queue.batch > q->batch ? m->queue.batch : q->batch;
	q->complete_min = m->queue.complete_min > q->complete_min ? m->queue.complete_min : q->complete_min;
	q->complete_max = m->queue.complete_max > q->complete_max ? m->queue.complete_max : q->complete_max;
}

static int join_sections(struct build *b, struct thread_group *t)
{
	const struct job *lead = t->section[0];
	struct job_opts *o;

	t->joined = arena_alloc(&b->p->arena, sizeof(*t->joined));
	if (!t->joined)
		return plan_no_memory(b);
	*t->joined = *lead;
	o = &t->joined->opts;
	t->joined->name = o->thread_group.name;
	o->offset.rw = 0;
	o->offset.dist = NULL;
	o->offset.shared = o->offset.per_slot = false;
	o->write_pool.bytes = 0;
	o->think = (struct think_cfg){ 0 };
	o->files.file_order =
		(struct file_order_cfg){ o->thread_group.depth ? FILE_ORDER_RANDOM : FILE_ORDER_ROUNDROBIN,
					 1 };
	for (uint32_t i = 0; i < t->n; i++)
		join_options(o, &t->section[i]->opts);
	return common_options(b, t) ? 0 : plan_no_memory(b);
}

static int find_sections(struct build *b, uint32_t first, struct thread_group *t)
{
	const struct job_set *set = b->p->set;

	t->section = arena_array(&b->p->arena, set->njobs - first, sizeof(*t->section));
	if (!t->section)
		return plan_no_memory(b);
	for (size_t i = first; i < set->njobs; i++)
		if (i == first || thread_group_same(&set->jobs[first], &set->jobs[i]))
			t->section[t->n++] = &set->jobs[i];
	for (uint32_t i = 1; i < t->n; i++) {
		struct section_state *s = &b->section[section_index(b, t->section[i])];

		*s = b->section[first];
		s->count = 0; /* the first section has the workers */
	}
	return 0;
}

/* ---- one thread ---- */

static int add_member(struct build *b, struct plan_job *pj, const struct job *section)
{
	struct plan_job *m = &pj->members[pj->nmembers++];
	int ret;

	m->index = pj->index;
	plan_job_begin(b, m, section, section_index(b, section), pj->clone);
	ret = plan_job_files(b, m);
	ret = ret ? ret : plan_memory_pool(b, m);
	m->ioprio = plan_place_ioprio(&section->opts.place);
	pj->prios_by_file |= m->ioprio != pj->members[0].ioprio;
	pj->nfiles += m->nfiles;
	pj->pass_bytes += m->pass_bytes;
	pj->repeat |= m->repeat;
	return ret;
}

/* Lists the files of all members, one after the other. */
static int join_files(struct build *b, struct plan_job *pj)
{
	uint32_t at = 0, *weight = NULL;

	if (pj->nfiles > UINT16_MAX)
		return plan_err(b, pj->job, "thread_group",
				"{thread_group=%s}: its sections have %u files, more than %u", pj->job->name,
				pj->nfiles, UINT16_MAX);
	pj->files = arena_array(&b->p->arena, pj->nfiles, sizeof(*pj->files));
	if (pj->pool)
		weight = arena_array(&b->p->arena, pj->nfiles, sizeof(*weight));
	if (!pj->files || (pj->pool && !weight))
		return plan_no_memory(b);
	for (uint32_t i = 0; i < pj->nmembers; i++) {
		struct plan_job *m = &pj->members[i];

		for (uint32_t k = 0; k < m->nfiles && weight; k++)
			weight[at + k] = thread_weight(m->job->opts.thread_group.weights, pj->clone);
		memcpy(&pj->files[at], m->files, m->nfiles * sizeof(*m->files));
		m->files = &pj->files[at];
		at += m->nfiles;
	}
	pj->weights = weight;
	return 0;
}

/* Sets the number of I/Os in flight: the sum over all files, or the depth of the pool. */
static int set_depth(struct build *b, struct plan_job *pj)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < pj->nmembers; i++)
		sum += (uint64_t)pj->members[i].depth * pj->members[i].nfiles;
	if (!pj->pool && sum > DEPTH_MAX)
		return plan_err(b, pj->members[0].job, "iodepth",
				"{iodepth=%u}: all files of the group together have %" PRIu64
				" I/Os in flight for each thread, more than %u",
				pj->members[0].depth, sum, DEPTH_MAX);
	if (job_synchronous(pj->job))
		pj->depth = 1;
	else
		pj->depth = pj->pool ? pj->job->opts.thread_group.depth : (uint32_t)sum;
	return 0;
}

/* Refuses priorities of single files that the engine cannot set. */
static int check_engine(struct build *b, const struct plan_job *pj)
{
	const struct engine *e = pj->job->engine;

	if (pj->prios_by_file && (!engine_cmdprio(e, pj->job->engine_opts) || pj->prios))
		return plan_err(
			b, pj->job, "thread_group",
			"{thread_group=%s}: {prio} and {prioclass} of its sections differ, and %s; %s",
			pj->job->name,
			pj->prios ? "options cmdprio_* set the priorities of single I/Os"
				  : "with this engine all I/Os have the priority of their thread",
			pj->prios ? "use one of them" : "io_uring and libaio support both");
	return 0;
}

/* Sets the directions and block sizes of all members together. */
static void set_group_sizes(struct plan_job *pj)
{
	pj->rw = 0;
	for (uint32_t i = 0; i < pj->nmembers; i++) {
		const struct plan_job *m = &pj->members[i];

		pj->rw |= m->rw;
		pj->bs_min = !i || m->bs_min < pj->bs_min ? m->bs_min : pj->bs_min;
		pj->bs_max = !i || m->bs_max > pj->bs_max ? m->bs_max : pj->bs_max;
	}
}

static int make_thread(struct build *b, const struct thread_group *t, uint32_t section, uint32_t clone)
{
	struct plan_job *pj;
	uint32_t n = 0;
	int ret = 0;

	for (uint32_t i = 0; i < t->n; i++)
		n += thread_weight(t->section[i]->opts.thread_group.weights, clone) != 0;
	if (!n) {
		notes_add(&b->p->notes, "%s: {thread_group_weight} leaves thread %u nothing to do",
			  t->joined->name, clone);
		return 0;
	}
	pj = plan_job_new(b, t->joined, section, clone);
	pj->pool = t->joined->opts.thread_group.depth != 0;
	pj->members = arena_array(&b->p->arena, n, sizeof(*pj->members));
	if (!pj->members)
		return plan_no_memory(b);
	for (uint32_t i = 0; i < t->n && !ret; i++)
		if (thread_weight(t->section[i]->opts.thread_group.weights, clone))
			ret = add_member(b, pj, t->section[i]);
	set_group_sizes(pj);
	ret = ret ? ret : join_files(b, pj);
	ret = ret ? ret : set_depth(b, pj);
	ret = ret ? ret : plan_job_end(b, pj);
	if (pj->prios_by_file)
		pj->ioprio = 0;
	if (!ret && !clone)
		t->joined->opts.queue.iodepth = pj->depth;
	return ret ? ret : check_engine(b, pj);
}

/* Notes that the report has one entry for all sections. */
static void note_sections(struct build *b, const struct thread_group *t)
{
	struct strbuf names = { 0 };

	for (uint32_t i = 0; i < t->n; i++)
		strbuf_printf(&names, "%s%.80s", i ? ", " : "", t->section[i]->name);
	notes_add(&b->p->notes,
		  "%s: the threads of this {thread_group} use the files of all its sections (%s), and the "
		  "report shows them as one job",
		  t->joined->name, strbuf_str(&names));
	strbuf_fini(&names);
}

int plan_thread_group(struct build *b, uint32_t section)
{
	uint32_t threads = b->p->set->jobs[section].opts.group.numjobs;
	struct section_state *s = &b->section[section];
	struct thread_group t = { 0 };
	int ret = find_sections(b, section, &t);

	ret = ret ? ret : join_sections(b, &t);
	for (uint32_t c = 0; c < threads && !ret; c++)
		ret = make_thread(b, &t, section, c);
	if (ret)
		return ret;
	s->count = b->p->njobs - s->first;
	if (!s->count)
		return plan_err(b, t.section[0], "thread_group", "{thread_group=%s}: no thread has any file",
				t.joined->name);
	if (t.n > 1 && b->p->set->run.formats & ~OUT_SPANS)
		note_sections(b, &t);
	return 0;
}
