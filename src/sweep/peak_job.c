/* peak_job.c: the job file of a point. */
#include "peak.h"

#include <ctype.h>
#include <string.h>
#include "cpuset.h"
#include "strbuf.h"
#include "units.h"

#define LATER_RUNTIME_NS 30000000000ull /* of the job file that is printed */

/* Returns whether a target before this one has the same label. */
static bool is_second(const struct peak_search *s, size_t target)
{
	for (size_t i = 0; i < target; i++)
		if (!strcmp(s->targets[i]->label, s->targets[target]->label))
			return true;
	return false;
}

static void put_name(struct strbuf *b, const struct peak_search *s, size_t target)
{
	strbuf_puts(b, s->goal == PEAK_IOPS ? "[iops-" : "[bandwidth-");
	for (const char *c = s->targets[target]->label; *c; c++)
		strbuf_putc(b, isalnum((unsigned char)*c) || strchr("._-", *c) ? *c : '_');
	if (is_second(s, target))
		strbuf_printf(b, "-%zu", target + 1);
	strbuf_puts(b, "]\n");
}

/* A colon separates file names. */
static void put_filename(struct strbuf *b, const char *path)
{
	strbuf_puts(b, "filename=");
	for (const char *c = path; *c; c++) {
		if (*c == ':')
			strbuf_putc(b, '\\');
		strbuf_putc(b, *c);
	}
	strbuf_putc(b, '\n');
}

/* Gives each worker the nearest CPU that has the fewest workers of all targets. */
static void put_cpus(struct strbuf *b, const struct peak_target *t, unsigned workers, unsigned *used)
{
	struct cpuset cpus = { 0 };

	for (unsigned w = 0; w < workers; w++) {
		unsigned least = t->cpus[0];

		for (size_t i = 1; i < t->ncpus; i++)
			if (used[t->cpus[i]] < used[least])
				least = t->cpus[i];
		used[least]++;
		cpuset_add(&cpus, least);
	}
	strbuf_puts(b, "cpus_allowed=");
	cpuset_print(&cpus, b);
	strbuf_puts(b, "\ncpus_allowed_policy=split\n");
}

/* Sequential workers each read a part of the target. */
static void put_area(struct strbuf *b, const struct peak_target *t, const struct peak_setting *set)
{
	uint64_t part = t->size / set->numjobs / set->bs * set->bs;

	if (!set->random && set->numjobs > 1 && part)
		strbuf_printf(b, "size=%s\noffset_increment=%s\n", units_suffixed(part).text,
			      units_suffixed(part).text);
	if (set->random)
		strbuf_puts(b, "norandommap\n");
}

static void put_section(struct strbuf *b, const struct peak_target *t, const struct peak_setting *set,
			unsigned *used)
{
	put_filename(b, set->engine == PEAK_COMMANDS ? t->commands : t->path);
	strbuf_printf(b, "rw=%s\nbs=%s\n", set->random ? "randread" : "read", units_suffixed(set->bs).text);
	if (set->engine != PEAK_COMMANDS)
		strbuf_puts(b, "direct=1\n");
	put_area(b, t, set);
	strbuf_printf(b, "ioengine=%s\niodepth=%u\nnumjobs=%u\n", peak_engine_names[set->engine],
		      set->iodepth, set->numjobs);
	if (set->batch)
		strbuf_printf(b, "iodepth_batch_submit=%u\niodepth_batch_complete_min=%u\n", set->batch,
			      set->batch);
	if (set->polling)
		strbuf_puts(b, "hipri\n");
	if (t->ncpus)
		put_cpus(b, t, set->numjobs, used);
}

void peak_put_jobs(struct strbuf *b, const struct peak_search *s, const struct peak_setting *set,
		   uint64_t runtime_ns, bool wave)
{
	unsigned used[CPUSET_MAX] = { 0 };

	for (size_t i = 0; i < s->ntargets; i++) {
		put_name(b, s, i);
		if (i || wave)
			strbuf_puts(b, i ? "new_group\n" : "stonewall\n");
		put_section(b, s->targets[i], &set[i], used);
		strbuf_printf(b, "group_reporting\ntime_based\nruntime=%s\n",
			      units_duration(runtime_ns, 1000000000).text);
	}
}

const struct peak_search *peak_of_all(const struct peak *p, enum peak_goal goal)
{
	for (size_t i = 0; i < p->nsearches; i++)
		if (p->searches[i].goal == goal && p->searches[i].ntargets == p->ntargets &&
		    p->searches[i].best < p->searches[i].npoints)
			return &p->searches[i];
	return NULL;
}

void peak_put_job_file(struct strbuf *b, const struct peak *p)
{
	bool any = false;

	for (unsigned goal = 0; goal < PEAK_GOALS; goal++) {
		const struct peak_search *s = peak_of_all(p, (enum peak_goal)goal);

		if (!s)
			continue;
		peak_put_jobs(b, s, s->points[s->best].set, LATER_RUNTIME_NS, any);
		any = true;
	}
}
