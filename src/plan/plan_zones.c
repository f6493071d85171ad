/* plan_zones.c: refuses jobs that would share emulated zones (zonemode=zbd), because each worker has its own
   write pointers. */
#include "plan_build.h"

static bool is_zbd(const struct plan_job *pj)
{
	return pj->job->opts.offset.zone.mode == ZONE_ZBD && pj->rw & RW_WRITE;
}

/* f: a file of job x; g: a file of job y that is the same target. */
static int check_files(struct build *b, const struct plan_job *x, const struct plan_file *f,
		       const struct plan_job *y, const struct plan_file *g)
{
	const struct plan_target *t = &b->p->targets[f->target];
	uint32_t most = y->job->opts.max_open_zones;

	if (t->facts->type == TARGET_OTHER)
		return 0;
	if (plan_files_overlap(b->p, f, g))
		return plan_err(b, y->job, "zonemode",
				"{zonemode=zbd}: [%.80s] writes the same zones of %s, and workers do not "
				"share write pointers; give each worker its own ({+offset_increment=4z} and "
				"{+size=4z}), or a file of its own",
				x->job->name, t->path);
	if (x->job->opts.max_open_zones || most)
		return plan_err(b, y->job, "max_open_zones",
				"{max_open_zones=%u}: [%.80s] writes zones of %s, too, and workers do not "
				"share this limit; use {+job_max_open_zones=%u}",
				most, x->job->name, t->path, most);
	return 0;
}

/* Compares job y with the job of the search. */
static int check_pair(struct build *b, const struct plan_overlap *o, const struct plan_job *y)
{
	int ret = 0;

	for (uint32_t k = 0; k < y->nfiles && !ret; k++) {
		const struct plan_file *f = NULL, *g = &y->files[k];

		while (!ret && (f = plan_overlap_next(o, b->p, g, f)))
			ret = check_files(b, o->job, f, y, g);
	}
	return ret;
}

int plan_zones(struct build *b)
{
	struct plan *p = b->p;
	struct plan_overlap o = { 0 };
	int ret = 0;

	for (uint32_t k = 0; k < p->njobs && !ret; k++)
		for (uint32_t i = k + 1; is_zbd(&p->jobs[k]) && i < p->njobs && !ret; i++) {
			if (!is_zbd(&p->jobs[i]) || p->jobs[k].wave != p->jobs[i].wave)
				continue;
			ret = plan_overlap_set(&o, p, &p->jobs[k]) ? check_pair(b, &o, &p->jobs[i])
								   : plan_no_memory(b);
		}
	plan_overlap_fini(&o);
	return ret;
}
