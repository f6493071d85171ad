/* plan_prio.c: priorities of a job's single I/Os, and the share of I/Os that have each. */
#include <inttypes.h>
#include "cmdprio.h"
#include "plan_build.h"

static const char *option_text(const struct job *job, const char *option)
{
	const struct user_option *g = job_user_option(job, option);

	return g && g->text ? g->text : "";
}

/* Notes options that have no effect without a share. */
static void note_no_effect(struct build *b, const struct job *job, bool any)
{
	static const char *const names[] = { "cmdprio", "cmdprio_class", "cmdprio_hint" };

	for (unsigned i = 0; i < 3 && !any; i++) {
		if (job_user_option(job, names[i]))
			notes_add(
				&b->p->notes,
				"%s: {%s=%s} has no effect without {cmdprio_percentage} or {cmdprio_bssplit}",
				job->name, names[i], option_text(job, names[i]));
	}
}

/* Returns whether I/Os that use this entry of the sizes can have this size. */
static bool entry_has(const struct bsize_cfg *c, unsigned entry, uint32_t bytes)
{
	bool drawn = c->split_n[entry] == 0;

	for (unsigned i = 0; i < c->split_n[entry]; i++)
		drawn |= c->split[entry][i].bytes == bytes;
	return drawn && bytes >= c->lo[entry] && bytes <= c->hi[entry];
}

static void note_size(struct build *b, const struct job *job, unsigned dir, const struct cmdprio_entry *e)
{
	const struct bsize_cfg *c = &job->opts.offset.bsize;
	unsigned entries = bsize_entries(c, 1u << dir);
	bool drawn = false;

	for (unsigned d = 0; d < DIR_DATA; d++)
		drawn |= entries & 1u << d && entry_has(c, d, e->bytes);
	if (!drawn)
		notes_add(&b->p->notes, "%s: {cmdprio_bssplit} has the size %u, but no %s has this size",
			  job->name, e->bytes, dir == DIR_READ ? "read" : "write");
}

static void add_share(struct prio_set *s, unsigned dir, uint32_t bytes, uint32_t percent, uint16_t value)
{
	if (percent)
		s->share[dir][s->shares[dir]++] =
			(struct prio_share){ bytes, percent, prio_number(s, value) };
}

static uint16_t prio_value(const struct cmdprio_opts *o, unsigned dir)
{
	return cmdprio_value(o->classes[dir], o->hint[dir], o->level[dir]);
}

static int add_split(struct build *b, const struct plan_job *pj, const struct cmdprio_opts *o,
		     struct prio_set *s)
{
	const struct job *job = pj->job;
	struct cmdprio_split *split = arena_alloc(&b->p->arena, sizeof(*split));
	unsigned kb_base = job->opts.report.kb_base ? job->opts.report.kb_base : 1024;
	int err = split ? cmdprio_parse(o->bssplit, kb_base, split, b->d) : plan_no_memory(b);

	for (unsigned dir = 0; dir < PRIO_DIRS && !err; dir++) {
		if (!(pj->rw & 1u << dir))
			continue;
		for (unsigned i = 0; i < split->n[dir]; i++) {
			const struct cmdprio_entry *e = &split->entry[dir][i];

			note_size(b, job, dir, e);
			add_share(s, dir, e->bytes, e->percent,
				  e->has_priority ? e->value : prio_value(o, dir));
		}
	}
	return err;
}

/* Returns the shares of a job. Returns NULL and sets *err on an error, or sets it to 0 if all its I/Os have
   one priority. */
static struct prio_set *find_shares(struct build *b, const struct plan_job *pj, const struct cmdprio_opts *o,
				    int *err)
{
	struct prio_set *s = arena_alloc(&b->p->arena, sizeof(*s));

	if (!s) {
		*err = plan_no_memory(b);
		return NULL;
	}
	for (unsigned dir = 0; dir < PRIO_DIRS; dir++)
		if (pj->rw & 1u << dir)
			add_share(s, dir, 0, o->percentage[dir], prio_value(o, dir));
	*err = o->bssplit ? add_split(b, pj, o, s) : 0;
	return *err || s->n < 2 ? NULL : s;
}

/* Chooses the latency that each priority has statistics of. Without it they have none. */
static void set_statistics(struct plan_job *pj)
{
	struct wstat_layout *l = &pj->layout;

	l->prio_kind = pj->job->opts.report.lat_percentiles ? LAT_LAT : LAT_CLAT;
	l->nprio = pj->prios->n;
	for (unsigned dir = 0; dir < PRIO_DIRS; dir++)
		if (pj->rw & 1u << dir && !l->moments[dir][l->prio_kind])
			l->nprio = 0; /* disable_clat and similar options */
}

int plan_prio(struct build *b, struct plan_job *pj)
{
	const struct job *job = pj->job;
	const struct cmdprio_opts *o = engine_cmdprio(job->engine, job->engine_opts);
	bool shares;
	int err;

	if (!o)
		return 0;
	if (!plan_is_first(b, pj)) {
		pj->prios = pj[-1].prios;
		pj->layout.prio_kind = pj[-1].layout.prio_kind;
		pj->layout.nprio = pj[-1].layout.nprio;
		return 0;
	}
	shares = o->percentage[DIR_READ] || o->percentage[DIR_WRITE];
	note_no_effect(b, job, shares || o->bssplit);
	if (shares && o->bssplit)
		return plan_err(
			b, job, "cmdprio_percentage",
			"{cmdprio_percentage=%s}: {cmdprio_bssplit} sets it by block size; use one of them",
			option_text(job, "cmdprio_percentage"));
	if (!shares && !o->bssplit)
		return 0;
	pj->prios = find_shares(b, pj, o, &err);
	if (pj->prios)
		set_statistics(pj);
	return err;
}
