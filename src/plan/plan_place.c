/* plan_place.c: CPUs, memory nodes and priority of each clone. */
#include <linux/ioprio.h>
#include <string.h>
#include "plan_build.h"
#include "rows.h"
#include "strbuf.h"

static bool empty(const struct cpuset *s)
{
	return cpuset_nth(s, 0) < 0;
}

static struct cpuset *copy_cpuset(struct build *b, struct cpuset s)
{
	struct cpuset *copy = arena_alloc(&b->p->arena, sizeof(*copy));

	if (copy)
		*copy = s;
	else
		plan_no_memory(b);
	return copy;
}

/* Prints the members of `asked` that `there` lacks. Returns true if there are any. */
static bool missing(const struct cpuset *asked, const struct cpuset *there, struct strbuf *out)
{
	struct cpuset s = *asked;

	cpuset_without(&s, there);
	if (empty(&s))
		return false;
	cpuset_print(&s, out);
	return true;
}

/* Returns the later one of the two options that set the CPUs. */
static const struct user_option *cpu_option(const struct job *job)
{
	const struct user_options *const lists[] = { &job->own, &job->inherited };

	for (int i = 0; i < 2; i++)
		for (size_t k = lists[i]->n; k-- > 0;)
			if (!strcmp(lists[i]->v[k].name, "cpus_allowed") ||
			    !strcmp(lists[i]->v[k].name, "cpumask"))
				return &lists[i]->v[k];
	return NULL;
}

/* Refuses CPUs that this machine lacks or does not let this process use. g: the option that names them. */
static int check_job_cpus(struct build *b, const struct job *job, const struct user_option *g,
			  const struct cpuset *asked)
{
	const struct machine *m = &b->f->machine;
	struct strbuf gone = { 0 }, have = { 0 }, may = { 0 };
	int ret = 0;

	if (empty(&m->cpus))
		return 0;
	cpuset_print(&m->cpus, &have);
	cpuset_print(&m->allowed, &may);
	if (missing(asked, &m->cpus, &gone))
		ret = plan_err(b, job, g->name, "{%s=%s}: CPU %s does not exist; this machine has %s",
			       g->name, g->text, strbuf_str(&gone), strbuf_str(&have));
	else if (missing(asked, &m->allowed, &gone))
		ret = plan_err(b, job, g->name,
			       "{%s=%s}: CPU %s is not allowed here (by a cpuset, such as a container's); "
			       "this machine has %s, of which %s are allowed",
			       g->name, g->text, strbuf_str(&gone), strbuf_str(&have), strbuf_str(&may));
	strbuf_fini(&gone);
	strbuf_fini(&have);
	strbuf_fini(&may);
	return ret;
}

static int check_worker_cpus(struct build *b, const struct job *job)
{
	const struct cpuset *asked = &job->opts.place.cpus;

	return empty(asked) ? 0 : check_job_cpus(b, job, cpu_option(job), asked);
}

static int check_verify_cpus(struct build *b, const struct job *job)
{
	const struct verify_opts *o = &job->opts.verify;

	if (!o->format.kind || !o->async || empty(&o->async_cpus))
		return 0;
	return check_job_cpus(b, job, job_user_option(job, "verify_async_cpus"), &o->async_cpus);
}

/* Returns the nodes that exist. "all" means all nodes of the machine. */
static struct cpuset existing_nodes(const struct machine *m, const struct cpuset *asked)
{
	return cpuset_count(asked) == CPUSET_MAX ? m->nodes : *asked;
}

static int check_nodes(struct build *b, const struct job *job, const char *option, const struct cpuset *asked)
{
	struct strbuf gone = { 0 }, have = { 0 };
	struct cpuset nodes = existing_nodes(&b->f->machine, asked);
	const struct user_option *g = job_user_option(job, option);
	int ret = 0;

	if (empty(&b->f->machine.nodes))
		return 0;
	cpuset_print(&b->f->machine.nodes, &have);
	if (missing(&nodes, &b->f->machine.nodes, &gone))
		ret = plan_err(b, job, option, "{%s=%s}: node %s does not exist; this machine has %s", option,
			       g->text, strbuf_str(&gone), strbuf_str(&have));
	strbuf_fini(&gone);
	strbuf_fini(&have);
	return ret;
}

static struct cpuset cpus_of_nodes(const struct machine *m, const struct cpuset *asked)
{
	struct cpuset nodes = existing_nodes(m, asked), cpus = { 0 };

	for (unsigned i = 0; i < m->nnodes; i++)
		if (cpuset_has(&nodes, i))
			cpuset_or(&cpus, &m->node_cpus[i]);
	cpuset_and(&cpus, &m->allowed);
	return cpus;
}

/* Sets the CPUs that both cpus_allowed and numa_cpu_nodes allow. */
static int join_cpus(struct build *b, const struct job *job, struct cpuset *cpus)
{
	const struct place_cfg *o = &job->opts.place;
	int ret;

	*cpus = o->cpus;
	if (empty(&o->cpu_nodes))
		return 0;
	ret = check_nodes(b, job, "numa_cpu_nodes", &o->cpu_nodes);
	if (ret)
		return ret;
	*cpus = cpus_of_nodes(&b->f->machine, &o->cpu_nodes);
	if (!empty(&o->cpus))
		cpuset_and(cpus, &o->cpus);
	if (empty(cpus))
		return plan_err(b, job, "numa_cpu_nodes",
				"{numa_cpu_nodes=%s}: these nodes have no CPU that %s",
				job_user_option(job, "numa_cpu_nodes")->text,
				empty(&o->cpus) ? "fiord may use" : "the allowed CPUs include");
	return 0;
}

/* For cpus_allowed_policy=split: gives each worker of the run one CPU in turn, as in fio. */
static void split_cpus(struct build *b, const struct plan_job *pj, struct cpuset *cpus)
{
	unsigned n = cpuset_count(cpus);
	int cpu = cpuset_nth(cpus, pj->index % n);

	if (plan_is_first(b, pj) && pj->job->opts.group.numjobs > n)
		notes_add(&b->p->notes,
			  "%s: {?{+cpus_allowed_policy=split}: }%u {~worker|workers} share %u CPU%s",
			  pj->job->name, pj->job->opts.group.numjobs, n, n == 1 ? "" : "s");
	*cpus = (struct cpuset){ 0 };
	cpuset_add(cpus, (unsigned)cpu);
}

/* Returns the number of workers of the wave before this one. */
static uint32_t index_in_wave(const struct build *b, const struct plan_job *pj)
{
	uint32_t n = pj->clone;

	for (uint32_t i = 0; i < pj->section; i++)
		if (b->section[i].wave == pj->wave)
			n += b->section[i].count;
	return n;
}

/* For cpu_list: each worker of the wave takes the next CPU of the list. */
static int place_by_list(struct build *b, struct plan_job *pj)
{
	struct cpuset one = { 0 }, *copy;
	struct strbuf gone = { 0 };
	int ret = 0;

	cpuset_add(&one, cpu_list_nth(pj->job->opts.place.cpu_list, index_in_wave(b, pj)));
	if (!empty(&b->f->machine.cpus) && missing(&one, &b->f->machine.allowed, &gone))
		ret = plan_err(b, pj->job, "cpu_list",
			       "{cpu_list=%s}: CPU %s does not exist or is not allowed here",
			       pj->job->opts.place.cpu_list, strbuf_str(&gone));
	strbuf_fini(&gone);
	if (ret)
		return ret;
	copy = copy_cpuset(b, one);
	pj->cpus = copy;
	return copy ? 0 : b->d->err;
}

/* Sorts the CPUs of a section by its cpu_order. */
static int order_cpus(struct build *b, struct section_state *s, const struct job *job)
{
	const struct machine *m = &b->f->machine;
	struct cpuset cpus = { 0 };
	int ret = check_worker_cpus(b, job);

	ret = ret ? ret : join_cpus(b, job, &cpus);
	if (ret)
		return ret;
	if (empty(&cpus))
		cpus = m->allowed;
	s->order = arena_array(&b->p->arena, m->nplaces + 1, sizeof(*s->order));
	for (unsigned i = 0; s->order && i < m->nplaces; i++)
		if (cpuset_has(&cpus, m->places[i].cpu))
			s->order[s->norder++] = m->places[i];
	if (!s->order || !cpuorder_sort(s->order, s->norder, job->opts.place.cpu_order))
		return plan_no_memory(b);
	return 0;
}

/* For cpu_order: each worker takes the next CPU of the sorted list. */
static int place_by_order(struct build *b, struct plan_job *pj)
{
	struct section_state *s = &b->section[pj->section];
	struct cpuset one = { 0 };
	int ret = plan_is_first(b, pj) ? order_cpus(b, s, pj->job) : 0;

	if (ret || !s->norder)
		return ret;
	cpuset_add(&one, s->order[index_in_wave(b, pj) % s->norder].cpu);
	pj->cpus = copy_cpuset(b, one);
	return pj->cpus ? 0 : b->d->err;
}

static int place_cpus(struct build *b, struct plan_job *pj)
{
	const struct place_cfg *o = &pj->job->opts.place;
	struct cpuset cpus, *copy;
	bool split = o->policy == CPUS_SPLIT && !empty(&o->cpus);
	int ret;

	if (pj->job->opts.place.cpu_list)
		return place_by_list(b, pj);
	if (pj->job->opts.place.cpu_order)
		return place_by_order(b, pj);
	if (empty(&o->cpus) && empty(&o->cpu_nodes))
		return 0;
	ret = check_worker_cpus(b, pj->job);
	ret = ret ? ret : join_cpus(b, pj->job, &cpus);
	if (ret)
		return ret;
	if (!split && !plan_is_first(b, pj)) {
		pj->cpus = pj[-1].cpus;
		return 0;
	}
	if (split)
		split_cpus(b, pj, &cpus);
	copy = copy_cpuset(b, cpus);
	pj->cpus = copy;
	return copy ? 0 : b->d->err;
}

/* A level without a class means best effort; a class without a level means its highest level, as in fio. */
uint16_t plan_place_ioprio(const struct place_cfg *o)
{
	uint32_t class = o->prioclass ? o->prioclass : IOPRIO_CLASS_BE;

	return o->set_prio ? (uint16_t)(class << IOPRIO_CLASS_SHIFT | o->priohint << 3 | o->prio) : 0;
}

static int place_memory(struct build *b, struct plan_job *pj)
{
	const struct numa_policy *o = &pj->job->opts.place.memory;
	struct cpuset *copy;
	int ret;

	if (empty(&o->nodes))
		return 0;
	if (!plan_is_first(b, pj)) {
		pj->mem_nodes = pj[-1].mem_nodes;
		return 0;
	}
	ret = check_nodes(b, pj->job, "numa_mem_policy", &o->nodes);
	if (ret)
		return ret;
	copy = copy_cpuset(b, existing_nodes(&b->f->machine, &o->nodes));
	pj->mem_nodes = copy;
	return copy ? 0 : b->d->err;
}

int plan_place(struct build *b, struct plan_job *pj)
{
	int ret = place_cpus(b, pj);

	ret = ret ? ret : check_verify_cpus(b, pj->job);
	pj->ioprio = plan_place_ioprio(&pj->job->opts.place);
	return ret ? ret : place_memory(b, pj);
}
