#include "rank.h"

#include "hosts.h"
#include "plan.h"
#include "region.h"

/* Returns the clock_ns() at which the job of a worker was due to begin; 0 if this is not known. */
static uint64_t due_start(const struct run *r, const struct plan_job *pj)
{
	const struct time_cfg *t = &pj->job->opts.time;
	uint64_t gate = atomic_load_explicit(&r->region.stages[pj->stage].start_ns, memory_order_relaxed);

	return gate && !t->ramp_bytes && !t->search ? gate + pj->startdelay_ns + t->ramp_ns : 0;
}

static void add_host_worker(struct result_host_wave *w, const struct run *r, uint32_t i, uint64_t start)
{
	const struct plan_job *pj = &r->plan->jobs[i];
	const struct slot *s = run_slot(r, i);
	uint64_t end = s->run_end_ns ? s->run_end_ns : r->end_ns, due = due_start(r, pj);

	if (!s->run_start_ns)
		return;
	if (end > start && end - start > w->took_ns)
		w->took_ns = end - start;
	if (r->plan->stages[pj->stage].base != pj->stage || !due)
		return; /* it waited for other jobs */
	w->late_known = true;
	if (s->run_start_ns > due && s->run_start_ns - due > w->start_late_ns)
		w->start_late_ns = s->run_start_ns - due;
}

/* Fills in a wave. Returns false if no worker of this rank measured anything in it. */
static bool fill_wave(struct result_host_wave *w, const struct run *r, uint32_t wave, uint64_t first_ns)
{
	uint64_t start = 0;

	*w = (struct result_host_wave){ .wave = wave };
	for (uint32_t s = 0; s < r->plan->nstages && !start; s++)
		if (r->plan->stages[s].wave == wave && r->plan->stages[s].base == s)
			start = atomic_load_explicit(&r->region.stages[s].start_ns, memory_order_relaxed);
	if (!start || !first_ns)
		return false;
	w->start_ns = start > first_ns ? start - first_ns : 0;
	for (uint32_t i = 0; i < r->plan->njobs; i++)
		if (r->plan->jobs[i].wave == wave)
			add_host_worker(w, r, i, start);
	return w->took_ns > 0;
}

static void add_waves(struct result_host *h, const struct run *r, uint64_t first_ns, struct result *res)
{
	uint32_t waves = r->plan && r->end_ns ? r->plan->nwaves : 0;
	struct result_host_wave *wave = waves ? arena_array(&res->mem, waves, sizeof(*wave)) : NULL;

	res->failed |= waves && !wave;
	for (uint32_t i = 0; wave && i < waves; i++)
		h->nwaves += fill_wave(&wave[h->nwaves], r, i, first_ns);
	h->waves = wave;
}

/* The first error of a job, "job: text". */
static const char *first_error(struct result *res)
{
	for (size_t i = 0; i < res->njobs; i++) {
		const struct result_job *j = res->jobs[i];
		const char *text = j->error_text ? j->error_text : j->lost_reason;

		if (text)
			return arena_printf(&res->mem, "%s: %s", j->name ? j->name : "", text);
	}
	return NULL;
}

void rank_host_add(const struct comm *c, const struct run *r, uint64_t first_ns, struct result *res)
{
	struct result_host h = { .hostname = c->name,
				 .rank = (unsigned)c->rank,
				 .program = (unsigned)c->program_number,
				 .code = res->exit.code,
				 .error = first_error(res) };
	const char *name = result_copy_text(res, c->name);

	for (size_t i = 0; i < res->njobs; i++) {
		res->jobs[i]->hostname = name;
		for (unsigned dir = 0; dir < DIR_DATA; dir++) {
			h.ios += res->jobs[i]->sum.dir[dir].ios;
			h.bytes += res->jobs[i]->sum.dir[dir].bytes;
		}
	}
	add_waves(&h, r, first_ns, res);
	result_add_host(res, &h);
	result_finish_hosts(res);
}

struct result_host rank_host_missing(const struct comm *c, int rank, const char *error)
{
	return (struct result_host){
		.hostname = c->hosts[rank], .rank = (unsigned)rank, .code = 1, .error = error
	};
}
