/* plan_zones.c: refuses jobs that would share emulated zones (zonemode=zbd), because each worker has its own
   write pointers. */
#include "plan_build.h"

static bool is_zbd(const struct plan_job *pj)
{
	return pj->job->opts.offset.zone.mode == ZONE_ZBD && pj->rw & RW_WRITE;
}

static bool same_target(const struct plan *p, const struct plan_file *a, const struct plan_file *b)
{
	return p->targets[a->target].same == p->targets[b->target].same &&
	       p->targets[a->target].facts->type != TARGET_OTHER;
}

static bool overlap(const struct plan_file *a, const struct plan_file *b)
{
	return a->start < b->start + b->len && b->start < a->start + a->len;
}

static int check_pair(struct build *b, const struct plan_job *x, const struct plan_job *y)
{
	for (uint32_t i = 0; i < x->nfiles; i++)
		for (uint32_t k = 0; k < y->nfiles; k++) {
			const struct plan_file *f = &x->files[i], *g = &y->files[k];

			if (!same_target(b->p, f, g))
				continue;
			if (overlap(f, g))
				return plan_err(
					b, y->job, "zonemode",
					"{zonemode=zbd}: [%.80s] writes the same zones of %s, and workers "
					"do not share write pointers; give each worker its own "
					"({+offset_increment=4z} and {+size=4z}), or a file of its own",
					x->job->name, b->p->targets[f->target].path);
			if (x->job->opts.max_open_zones || y->job->opts.max_open_zones)
				return plan_err(
					b, y->job, "max_open_zones",
					"{max_open_zones=%u}: [%.80s] writes zones of %s, too, and workers "
					"do not share this limit; use {+job_max_open_zones=%u}",
					y->job->opts.max_open_zones, x->job->name,
					b->p->targets[f->target].path, y->job->opts.max_open_zones);
		}
	return 0;
}

int plan_zones(struct build *b)
{
	struct plan *p = b->p;
	int ret = 0;

	for (uint32_t i = 0; i < p->njobs && !ret; i++)
		for (uint32_t k = 0; is_zbd(&p->jobs[i]) && k < i && !ret; k++)
			if (is_zbd(&p->jobs[k]) && p->jobs[k].wave == p->jobs[i].wave)
				ret = check_pair(b, &p->jobs[k], &p->jobs[i]);
	return ret;
}
