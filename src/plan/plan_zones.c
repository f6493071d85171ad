/* plan_zones.c: the zones that workers share (zonemode=zbd), with their write pointers. */
#include "plan_build.h"
#include "zoned.h"

static bool is_zbd(const struct plan_job *pj)
{
	return pj->job->opts.offset.zone.mode == ZONE_ZBD && pj->rw & (RW_WRITE | RW_TRIM);
}

/* Returns the most zones that the job lets be open; 0: any number. */
static uint32_t limit_of(const struct build *b, const struct plan_job *pj, const struct plan_file *f)
{
	uint32_t most = pj->job->opts.max_open_zones;

	return most ? most : b->p->zone_tables[f->zone_table - 1].limit;
}

/* f: a file of job x; g: a file of job y that is the same target. */
static int check_files(struct build *b, const struct plan_job *x, const struct plan_file *f,
		       const struct plan_job *y, const struct plan_file *g)
{
	const struct plan_target *t = &b->p->targets[f->target];
	uint32_t fewest = limit_of(b, y, g), other = limit_of(b, x, f);

	if (t->facts->type == TARGET_OTHER)
		return 0;
	if (plan_files_overlap(b->p, f, g) && f->zone_table != g->zone_table)
		return plan_err(
			b, y->job, "zonesize",
			"{zonemode=zbd}: [%.80s] writes the same bytes of %s in zones of another size "
			"or capacity",
			x->job->name, t->path);
	if (t->facts->zones && t->facts->zones->size && plan_files_overlap(b->p, f, g) &&
	    (x->verify.reads || y->verify.reads))
		return plan_err(b, y->job, "verify",
				"{verify}: [%.80s] writes the same zones of %s, and may reset one before its "
				"blocks are "
				"read; give each an area of its own, such as by {+offset_increment=4z}",
				x->job->name, t->path);
	if (!fewest || (other && other < fewest))
		fewest = other;
	if (!fewest || (f->start == g->start && f->len == g->len) ||
	    (x->job->opts.job_max_open_zones && y->job->opts.job_max_open_zones))
		return 0;
	return plan_err(
		b, y->job, "max_open_zones",
		"%u zones of %s may be open ({max_open_zones}), and [%.80s] writes another area of it: the "
		"open zones of one could keep the other waiting; use {+job_max_open_zones=%u}",
		fewest, t->path, x->job->name, fewest > 1 ? fewest / 2 : 1);
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

/* Returns the table of the file's zones, a new one if no earlier file has the same zones. */
static struct plan_zone_table *find_table(struct build *b, const struct plan_file *pf)
{
	struct plan *p = b->p;
	uint32_t same = p->targets[pf->target].same;
	bool shared = p->targets[pf->target].facts->type != TARGET_OTHER;
	const struct device_zones *d = p->targets[pf->target].facts->zones;
	bool device = d && d->size;
	uint64_t capacity = device ? 0 : pf->zone_capacity;

	for (uint32_t i = p->nzone_tables; shared && i-- > 0;) {
		struct plan_zone_table *t = &p->zone_tables[i];

		if (t->target == same && t->size == pf->zone_size && t->capacity == capacity)
			return t;
	}
	p->zone_tables[p->nzone_tables] = (struct plan_zone_table){
		.target = same,
		.size = pf->zone_size,
		.capacity = capacity,
		.device = device,
		.zones = device ? d->n : 0,
		.limit = device ? zoned_limit(d) : 0,
	};
	return &p->zone_tables[p->nzone_tables++];
}

/* Gives each file its zones. */
static int make_tables(struct build *b)
{
	struct plan *p = b->p;
	size_t most = 0;

	for (uint32_t i = 0; i < p->njobs; i++)
		most += p->jobs[i].job->opts.offset.zone.mode == ZONE_ZBD ? p->jobs[i].nfiles : 0;
	p->zone_tables = arena_array(&p->arena, most + 1, sizeof(*p->zone_tables));
	if (!p->zone_tables)
		return plan_no_memory(b);
	for (uint32_t i = 0; i < p->njobs; i++)
		for (uint32_t k = 0; k < p->jobs[i].nfiles; k++) {
			struct plan_file *pf = &p->jobs[i].files[k];
			struct plan_zone_table *t;
			uint64_t end;

			if (!pf->zone_size)
				continue;
			t = find_table(b, pf);
			pf->zone_table = (uint32_t)(t - p->zone_tables) + 1;
			end = (pf->start + pf->len) / pf->zone_size;
			if (!t->device && t->zones < end)
				t->zones = (uint32_t)end;
		}
	return 0;
}

int plan_zones(struct build *b)
{
	struct plan *p = b->p;
	struct plan_overlap o = { 0 };
	int ret = make_tables(b);

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
