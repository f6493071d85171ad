/* peak_text.c: the text of fiord peak. */
#include <math.h>
#include <string.h>
#include "peak_report.h"
#include "readable.h"
#include "strbuf.h"
#include "units.h"

static const struct result_units units = { .kb_base = 1024 };

static struct short_text readable_value(enum peak_goal goal, double v)
{
	struct short_text t;
	struct strbuf b = strbuf_in(&t);

	strbuf_puts(&b, goal == PEAK_IOPS ? readable_count(v).text : readable_bytes_rate(v, &units).text);
	if (goal == PEAK_IOPS)
		strbuf_puts(&b, " IOPS");
	return t;
}

static bool has_best(const struct peak_search *s)
{
	return s->best < s->npoints;
}

double peak_together_percent(const struct peak *p, enum peak_goal goal)
{
	const struct peak_search *all = peak_of_all(p, goal);
	double sum = 0;

	for (size_t i = 0; i < p->nsearches; i++) {
		const struct peak_search *s = &p->searches[i];

		if (s->goal == goal && s->ntargets == 1 && has_best(s))
			sum += s->mean;
	}
	return all && p->ntargets > 1 && sum > 0 ? 100 * all->mean / sum : 0;
}

static void put_device_end(struct strbuf *b, const struct peak_search *s)
{
	const struct peak_point *best = &s->points[s->best], *doubled = &s->points[s->doubled];

	strbuf_printf(b,
		      "%s: twice the jobs and twice the depth reached %s, no gain above the noise of %s, and "
		      "the workers kept their CPUs busy for only %s.",
		      s->ntargets > 1 ? "The devices are the limit" : "The device is the limit",
		      readable_value(s->goal, peak_value(s->goal, doubled)).text,
		      readable_percent(100 * s->noise).text, readable_percent(best->cpu).text);
}

static void put_link_end(struct strbuf *b, const struct peak_search *s)
{
	double link = (double)peak_link_bytes(s);

	strbuf_printf(b, "%s: the reads moved %s, %s of what ",
		      s->ntargets > 1 ? "The links are the limit" : "The link is the limit",
		      readable_bytes_rate(s->points[s->best].bw_bytes, &units).text,
		      readable_percent(100 * s->points[s->best].bw_bytes / link).text);
	for (size_t i = 0; i < s->ntargets; i++)
		strbuf_printf(b, "%s%s", i ? ", " : "", s->targets[i]->link);
	strbuf_printf(b, " can carry (%s).", readable_bytes_rate(link, &units).text);
}

static void put_unknown_end(struct strbuf *b, const struct peak_search *s)
{
	strbuf_puts(b, "The limit is not known: ");
	if (s->canceled)
		strbuf_puts(b, "the search was interrupted.");
	else if (peak_doubled_gains(s))
		strbuf_printf(b,
			      "twice the jobs and twice the depth reached %s, but runs of the same settings "
			      "differ by %s.",
			      readable_value(s->goal, peak_value(s->goal, &s->points[s->doubled])).text,
			      readable_percent(100 * s->noise).text);
	else if (s->out_of_time)
		strbuf_puts(b, "the time was too short for the whole search; give more with --time.");
	else if (s->points[s->best].cpu >= PEAK_CPU_BUSY)
		strbuf_puts(b, "the workers kept their CPUs busy, and more of them gained nothing.");
	else
		strbuf_puts(b, "twice the jobs and twice the depth were not measured.");
}

void peak_put_sentence(struct strbuf *b, const struct peak_search *s)
{
	const struct peak_point *best = &s->points[s->best];

	switch (s->end) {
	case PEAK_END_DEVICE:
		put_device_end(b, s);
		break;
	case PEAK_END_LINK:
		put_link_end(b, s);
		break;
	case PEAK_END_CPU:
		strbuf_printf(b, "The CPUs are the limit: %u worker%s kept %u CPU%s busy for %s.",
			      peak_workers(s, best), peak_workers(s, best) == 1 ? "" : "s", s->cpus,
			      s->cpus == 1 ? "" : "s", readable_percent(best->cpu).text);
		break;
	case PEAK_END_UNKNOWN:
		put_unknown_end(b, s);
		break;
	}
}

/* ---- tables ---- */

static void put_target(struct strbuf *b, const struct peak_target *t)
{
	strbuf_printf_plain(b, "%s: %s", t->path, units_bytes(t->size).text);
	if (*t->disk)
		strbuf_printf(b, ", disk %s", t->disk);
	if (t->node >= 0)
		strbuf_printf(b, ", NUMA node %d", t->node);
	if (t->link)
		strbuf_printf(b, ", %s", t->link);
	if (t->ncpus)
		strbuf_puts(b, ", nearest CPUs");
	for (size_t i = 0; i < t->ncpus && i < 4; i++)
		strbuf_printf(b, "%s%u", i ? "," : " ", t->cpus[i]);
	strbuf_putc(b, '\n');
}

static void put_title(struct strbuf *b, const struct peak_search *s)
{
	strbuf_puts(b, s->goal == PEAK_IOPS ? "\nMost IOPS of " : "\nMost bandwidth of ");
	for (size_t i = 0; i < s->ntargets; i++) {
		strbuf_puts(b, i ? ", " : "");
		strbuf_plain(b, s->targets[i]->path);
	}
	strbuf_puts(b, s->ntargets > 1 ? " together\n" : "\n");
}

static void put_setting(struct strbuf *b, const struct peak_setting *set)
{
	strbuf_printf(b, "%-12s %-8s %5s %7u %7u %5u %5s", peak_engine_names[set->engine],
		      set->random ? "randread" : "read", units_suffixed(set->bs).text, set->numjobs,
		      set->iodepth, set->batch ? set->batch : 1, set->polling ? "yes" : "no");
}

static void put_point(struct strbuf *b, const struct peak_search *s, size_t i)
{
	const struct peak_point *p = &s->points[i];

	strbuf_puts(b, i == s->best ? "* " : "  ");
	put_setting(b, &p->set[0]);
	if (p->error) {
		strbuf_puts(b, "  ");
		strbuf_plain(b, p->error);
	} else {
		strbuf_printf(b, " %9s %12s %7s  %s", readable_count(p->iops).text,
			      readable_bytes_rate(p->bw_bytes, &units).text, readable_percent(p->cpu).text,
			      readable_latency(p->lat_ns).text);
	}
	strbuf_putc(b, '\n');
	for (size_t t = 1; t < s->ntargets; t++) {
		strbuf_puts(b, "  ");
		put_setting(b, &p->set[t]);
		strbuf_putc(b, '\n');
	}
}

static void put_peak(struct strbuf *b, const struct peak_search *s)
{
	strbuf_printf(b, "%s", readable_value(s->goal, s->mean).text);
	if (s->high > s->low)
		strbuf_printf(b, ", 95 %% interval %s to %s of %u runs", readable_value(s->goal, s->low).text,
			      readable_value(s->goal, s->high).text, s->repeats);
	strbuf_puts(b, ". ");
	peak_put_sentence(b, s);
	strbuf_putc(b, '\n');
}

static void put_search(struct strbuf *b, const struct peak_search *s)
{
	put_title(b, s);
	if (s->npoints)
		strbuf_printf(b, "  %-12s %-8s %5s %7s %7s %5s %5s %9s %12s %7s  %s\n", "ioengine", "rw",
			      "bs", "numjobs", "iodepth", "batch", "hipri", "IOPS", "bandwidth", "CPU",
			      "clat");
	for (size_t i = 0; i < s->npoints; i++)
		put_point(b, s, i);
	if (has_best(s))
		put_peak(b, s);
	else
		strbuf_puts(b, "No point was measured.\n");
}

static void put_together(struct strbuf *b, const struct peak *p, enum peak_goal goal)
{
	double percent = peak_together_percent(p, goal);

	if (percent <= 0)
		return;
	strbuf_printf(b, "\n%-40s %16s\n", goal == PEAK_IOPS ? "Most IOPS" : "Most bandwidth", "alone");
	for (size_t i = 0; i < p->nsearches; i++) {
		const struct peak_search *s = &p->searches[i];

		if (s->goal == goal && has_best(s))
			strbuf_printf_plain(b, "%s  %s\n",
					    s->ntargets > 1 ? "all together" : s->targets[0]->path,
					    readable_value(goal, s->mean).text);
	}
	strbuf_printf(b, "Together they reach %s of the sum.\n", readable_percent(percent).text);
}

void report_peak_text(const struct peak *p, struct strbuf *b)
{
	for (size_t i = 0; i < p->ntargets; i++)
		put_target(b, &p->targets[i]);
	for (size_t i = 0; i < p->nnotes; i++)
		strbuf_printf_plain(b, "note: %s\n", p->notes[i]);
	for (size_t i = 0; i < p->nsearches; i++)
		put_search(b, &p->searches[i]);
	for (unsigned goal = 0; goal < PEAK_GOALS; goal++)
		put_together(b, p, (enum peak_goal)goal);
	if (peak_of_all(p, PEAK_IOPS) || peak_of_all(p, PEAK_BANDWIDTH)) {
		strbuf_puts(b, "\nThis job file has the best settings:\n\n");
		peak_put_job_file(b, p);
	}
}
