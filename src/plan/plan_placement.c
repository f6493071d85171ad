/* plan_placement.c: where devices place the writes of a job (dataplacement). */
#include <errno.h>
#include <string.h>
#include "blockdev.h"
#include "placement_ids.h"
#include "plan_build.h"
#include "strbuf.h"

static const char *asked_by(const struct job *job)
{
	return job->opts.placement.fdp ? "fdp" : "dataplacement";
}

static int refuse_namespace(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	int err = t->facts->placement_error;

	return plan_err(
		b, pj->job, asked_by(pj->job),
		"{%s}: %s has no placement ids (I/O Management Receive: %s); the endurance group of the "
		"namespace needs Flexible Data Placement (nvme fdp status)",
		pj->job->opts.placement.fdp ? "fdp=1" : "dataplacement=fdp", t->path,
		err ? diag_errno(err) : "the list is empty");
}

static int refuse_streams(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const struct target_facts *f = t->facts;
	const char *why =
		f->type != TARGET_BLOCK ? "Linux passes write streams to block devices only, not through "
					  "file systems"
		: blockdev_whole(f->rdev) != f->rdev
			? "it is a partition, and Linux passes write streams to whole devices only"
		: f->placement_error
			? "the kernel shows no max_write_streams for it; write streams need Linux 6.16"
			: "the device has no write streams (its max_write_streams is 0)";

	return plan_err(b, pj->job, "dataplacement", "{dataplacement=streams}: %s: %s", t->path, why);
}

static int refuse_plid(struct build *b, const struct plan_job *pj, const struct plan_target *t, uint32_t at)
{
	const struct placement_cfg *c = &pj->job->opts.placement;
	const struct placement_ids *ids = t->facts->placement;
	const struct placement_set *s = c->set;
	const char *kind = c->kind == PLACEMENT_FDP ? "placement id" : "write stream";
	size_t i = 0;

	if (s->select != PLACEMENT_SCHEME)
		return plan_err(b, pj->job, "plids", "{plids=%s}: %s has no %s %u, only %u to %u", c->plids,
				t->path, kind, s->plid[at], ids->first, ids->first + ids->n - 1);
	while (s->range[i].position != at)
		i++;
	return plan_err(b, pj->job, "dp_scheme", "{dp_scheme=%s}: %s:%u: %s has no %s %u, only %u to %u",
			c->scheme, c->scheme, s->range[i].line, t->path, kind, s->plid[at], ids->first,
			ids->first + ids->n - 1);
}

/* Refuses numbers that the device does not have. Without plids all devices must have the same count. */
static int check_numbers(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const struct placement_set *s = pj->job->opts.placement.set;
	const struct placement_ids *ids = t->facts->placement;
	const struct plan_target *first = &b->p->targets[pj->files[0].target];

	for (uint32_t i = 0; i < s->n; i++)
		if (s->plid[i] < ids->first || s->plid[i] - ids->first >= ids->n)
			return refuse_plid(b, pj, t, i);
	if (!s->n && ids->n != first->facts->placement->n)
		return plan_err(
			b, pj->job, asked_by(pj->job),
			"{%s}: %s has %u %s, and %s has %u; choose those that the job uses with {plids}",
			asked_by(pj->job), first->path, first->facts->placement->n,
			ids->first ? "write streams" : "placement ids", t->path, ids->n);
	return 0;
}

static int check_target(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const struct placement_ids *ids = t->facts->placement;

	if (!ids || t->facts->placement_error || !ids->n)
		return pj->job->opts.placement.kind == PLACEMENT_FDP ? refuse_namespace(b, pj, t)
								     : refuse_streams(b, pj, t);
	return check_numbers(b, pj, t);
}

/* Makes the list of a job without plids: all that its devices have. */
static int use_all(struct build *b, struct plan_job *pj, const struct placement_ids *ids)
{
	struct placement_set *s = arena_alloc(&b->p->arena, sizeof(*s));

	if (!s)
		return plan_no_memory(b);
	*s = *pj->job->opts.placement.set;
	s->n = ids->n;
	for (uint32_t i = 0; i < s->n; i++)
		s->plid[i] = (uint16_t)(ids->first + i);
	pj->placement = s;
	return 0;
}

int plan_placement(struct build *b, struct plan_job *pj)
{
	const struct placement_cfg *c = &pj->job->opts.placement;
	int ret = 0;

	if (!c->kind || !pj->nfiles)
		return 0;
	for (uint32_t i = 0; i < pj->nfiles && !ret; i++)
		ret = check_target(b, pj, &b->p->targets[pj->files[i].target]);
	if (ret)
		return ret;
	pj->placement = c->set;
	return c->set->n ? 0 : use_all(b, pj, b->p->targets[pj->files[0].target].facts->placement);
}

static void print_id(const struct placement_set *s, const struct placement_ids *ids, uint32_t at,
		     struct strbuf *b)
{
	strbuf_printf(b, "%s %u", at ? "," : "", s->plid[at]);
	if (!ids->first)
		strbuf_printf(b, " (id 0x%x)", ids->id[s->plid[at]]);
}

void plan_placement_print(const struct plan *p, const struct plan_job *pj, struct strbuf *b)
{
	static const char *const how[] = { [PLACEMENT_ROUNDROBIN] = "take turns",
					   [PLACEMENT_RANDOM] = "are drawn at random",
					   [PLACEMENT_SCHEME] = "depend on the offset" };
	const struct placement_set *s = pj->placement;
	const struct placement_ids *ids;

	if (!s)
		return;
	ids = p->targets[pj->files[0].target].facts->placement;
	strbuf_printf(b, "    writes are placed by %s, which %s:", ids->first ? "write streams" : "plids",
		      how[s->select]);
	for (uint32_t i = 0; i < s->n; i++)
		print_id(s, ids, i, b);
	strbuf_putc(b, '\n');
}
