#include "peak_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "clock.h"
#include "read.h"
#include "strbuf.h"
#include "sweep_child.h"
#include "sysfs.h"
#include "units.h"

#define POINT_MOST_NS    5000000000ull
#define POINTS_OF_SEARCH 24 /* that a search usually needs */
#define POINTS_LEAST     12
#define OUTPUT_MAX       (64u << 20)
#define SECOND_NS        1000000000ull

struct run {
	struct peak *peak;
	struct sweep_wait wait;
	size_t number; /* of the search, from 1 */
};

static size_t searches_of(size_t ntargets)
{
	return PEAK_GOALS * (ntargets > 1 ? ntargets + 1 : 1);
}

uint64_t peak_time_least_ns(size_t ntargets)
{
	return searches_of(ntargets) * POINTS_LEAST * PEAK_POINT_LEAST_NS;
}

/* ---- a point ---- */

/* Turns the lines of a job file into options of a command line: "[a]" into "--name=a". The caller frees the
   list; its texts are in the arena. */
static char **job_args(struct arena *mem, const char *job)
{
	static const char *const first[] = { "fiord", "--eta=never", "--output-format=json", "--readonly" };
	size_t n = sizeof(first) / sizeof(*first), lines = 0;
	char **arg;

	for (const char *c = job; *c; c++)
		lines += *c == '\n';
	arg = calloc(n + lines + 1, sizeof(*arg));
	if (!arg)
		return NULL;
	memcpy(arg, first, sizeof(first));
	for (size_t len; *job; job += len + 1) {
		len = strcspn(job, "\n");
		arg[n] = *job == '[' ? arena_printf(mem, "--name=%.*s", (int)len - 2, job + 1)
				     : arena_printf(mem, "--%.*s", (int)len, job);
		if (!arg[n++]) {
			free(arg);
			return NULL;
		}
	}
	return arg;
}

/* Returns the time that interrupts and the hypervisor have taken of a CPU since boot, in the mean of all
 * CPUs. */
static double interrupt_ns(void)
{
	unsigned long long irq, softirq, steal;
	char line[256];
	double ticks = (double)sysconf(_SC_CLK_TCK) * (double)sysconf(_SC_NPROCESSORS_ONLN);

	if (sysfs_line(line, sizeof(line), "/proc/stat") || ticks <= 0 ||
	    sscanf(line, "cpu %*u %*u %*u %*u %*u %llu %llu %llu", &irq, &softirq, &steal) != 3)
		return 0;
	return (double)(irq + softirq + steal) / ticks * (double)SECOND_NS;
}

/* Adds the interrupts to the time in which the CPUs were busy, if workers have all CPUs. They are not the
 * workers' time. */
static void add_interrupts(const struct peak_search *s, struct peak_point *p, double ns)
{
	if (peak_workers(s, p) >= s->cpus)
		p->cpu = fmin(p->cpu + 100 * ns / (double)p->duration_ns, 100);
}

static void take_result(struct peak_search *s, struct peak_point *p, const struct result *res)
{
	double lat = 0, core = 0;
	unsigned workers = 0;

	for (size_t i = 0; i < res->njobs; i++) {
		const struct summary *sum = &res->jobs[i]->sum;
		const struct summary_dir *read = &sum->dir[DIR_READ];
		unsigned members = sum->members ? sum->members : 1;

		p->iops += read->exact_iops;
		p->bw_bytes += read->exact_bw_bytes;
		lat += read->exact_iops * read->lat[LAT_CLAT].mean;
		core += (sum->self.core + sum->self.core_wait) * members;
		workers += members;
		if (i < s->ntargets) {
			p->target_iops[i] = read->exact_iops;
			p->target_bw[i] = read->exact_bw_bytes;
		}
	}
	p->lat_ns = p->iops > 0 ? lat / p->iops : 0;
	p->cpu = workers ? fmin(core / workers, 100) : 0;
}

static int read_point(struct peak_search *s, struct peak_point *p, const struct sweep_output *out,
		      struct diag *d)
{
	struct result_set set = { 0 };
	struct strbuf text = { 0 };
	struct diag own = { 0 };
	int err = 0;

	if (lseek(out->text, 0, SEEK_SET) < 0 || strbuf_read(&text, out->text, OUTPUT_MAX, false) ||
	    result_read(&set, "the run", strbuf_str(&text), text.len, &own) || !set.n)
		p->error = arena_printf(s->mem, "the run left no document");
	else
		take_result(s, p, set.res[0]);
	if (!p->error && p->iops <= 0)
		p->error = arena_printf(s->mem, "no read was complete after %s",
					units_duration(p->duration_ns, SECOND_NS).text);
	if (text.failed)
		err = diag_no_memory(d);
	diag_fini(&own);
	result_set_free(&set);
	strbuf_fini(&text);
	return err;
}

static void show_progress(const struct run *r, const struct peak_search *s, const struct peak_point *p)
{
	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\r\033[Ksearch %zu of %zu: %s, %s numjobs=%u iodepth=%u", r->number,
		searches_of(r->peak->ntargets), s->goal == PEAK_IOPS ? "IOPS" : "bandwidth",
		peak_engine_names[p->set[0].engine], p->set[0].numjobs, p->set[0].iodepth);
	fflush(stderr);
}

static int measure(void *ctx, struct peak_search *s, struct peak_point *p, struct diag *d)
{
	struct run *r = ctx;
	struct sweep_output out = { -1, -1 };
	struct strbuf job = { 0 };
	uint64_t begin = clock_ns();
	double interrupts = interrupt_ns();
	char **arg;
	int status = 0, err;

	show_progress(r, s, p);
	peak_put_jobs(&job, s, p->set, p->duration_ns, false);
	arg = job.failed ? NULL : job_args(s->mem, strbuf_str(&job));
	err = arg ? sweep_child(&r->peak->signal, &r->wait, arg, &status, &out, d) : diag_no_memory(d);
	if (!err && r->peak->signal)
		err = -ECANCELED;
	else if (!err && status)
		p->error = sweep_child_error(s->mem, &out, status);
	else if (!err)
		err = read_point(s, p, &out, d);
	if (!err && !p->error)
		add_interrupts(s, p, interrupt_ns() - interrupts);
	if (p->error && !r->peak->error)
		r->peak->error = p->error;
	sweep_output_close(&out);
	free(arg);
	strbuf_fini(&job);
	begin = clock_ns() - begin;
	s->spent_ns += begin > p->duration_ns ? begin : p->duration_ns;
	return err;
}

/* ---- the searches ---- */

static const struct peak_search *search_alone(const struct peak *p, enum peak_goal goal, size_t target)
{
	for (size_t i = 0; i < p->nsearches; i++)
		if (p->searches[i].goal == goal && p->searches[i].ntargets == 1 &&
		    p->searches[i].targets[0] == &p->targets[target])
			return &p->searches[i];
	return NULL;
}

/* Begins with the best settings of each target alone. Returns false if one has none. */
static bool start_together(const struct peak *p, struct peak_search *s)
{
	for (size_t i = 0; i < s->ntargets; i++) {
		const struct peak_search *alone = search_alone(p, s->goal, i);

		if (!alone || alone->best >= alone->npoints)
			return false;
		s->start[i] = alone->points[alone->best].set[0];
	}
	return true;
}

/* Searches n targets, from the first one. Returns 0 or -errno with d. */
static int search(struct run *r, enum peak_goal goal, size_t first, size_t n, uint64_t budget_ns,
		  struct diag *d)
{
	struct peak *p = r->peak;
	struct peak_search *s = &p->searches[p->nsearches];
	const struct peak_target **targets = arena_array(&p->mem, n, sizeof(*targets));
	uint64_t point_ns = budget_ns / POINTS_OF_SEARCH / (SECOND_NS / 100) * (SECOND_NS / 100);

	*s = (struct peak_search){ .goal = goal,
				   .ntargets = n,
				   .cpus = p->cpus,
				   .budget_ns = budget_ns,
				   .measure = measure,
				   .ctx = r,
				   .mem = &p->mem };
	for (size_t i = 0; targets && i < n; i++)
		targets[i] = &p->targets[first + i];
	s->targets = targets;
	s->start = n > 1 ? arena_array(&p->mem, n, sizeof(*s->start)) : NULL;
	if (!targets || (n > 1 && !s->start))
		return diag_no_memory(d);
	s->point_ns = point_ns < PEAK_POINT_LEAST_NS ? PEAK_POINT_LEAST_NS
		      : point_ns > POINT_MOST_NS     ? POINT_MOST_NS
						     : point_ns;
	if (n > 1 && !start_together(p, s))
		return 0;
	p->nsearches++;
	return peak_search(s, d);
}

static int search_all(struct run *r, struct diag *d)
{
	struct peak *p = r->peak;
	uint64_t end = clock_ns() + p->time_ns;
	size_t n = searches_of(p->ntargets), each = n / PEAK_GOALS;
	int err = 0;

	for (size_t i = 0; i < n && !err && !p->signal; i++) {
		bool all = i % each == p->ntargets;
		uint64_t now = clock_ns(), left = end > now ? end - now : 0;

		r->number = i + 1;
		err = search(r, i / each ? PEAK_BANDWIDTH : PEAK_IOPS, all ? 0 : i % each,
			     all ? p->ntargets : 1, left / (n - i), d);
	}
	return err;
}

int peak_run(struct peak *p, struct diag *d)
{
	struct run r = { .peak = p };
	int err, late;

	p->searches = arena_array(&p->mem, searches_of(p->ntargets), sizeof(*p->searches));
	if (!p->searches)
		return diag_no_memory(d);
	sweep_wait_begin(&r.wait);
	err = search_all(&r, d);
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	late = sweep_wait_end(&r.wait);
	p->signal = p->signal ? p->signal : late;
	return err;
}

void peak_fini(struct peak *p)
{
	for (size_t i = 0; i < p->nsearches; i++)
		free(p->searches[i].points);
	free(p->notes);
	arena_fini(&p->mem);
}
