/* normal.c: the text that fio's users read, line by line and width by width as fio 3.42 prints it. */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "answer.h"
#include "counts.h"
#include "strbuf.h"
#include "text.h"
#include "total.h"
#include "verdict.h"

static const char *const group_name[DIR_DATA] = { "READ", "WRITE", "TRIM" };

/* Adds the lowest and the highest bandwidth: "157MiB/s-157MiB/s (165MB/s-165MB/s), ". */
static void put_rate_range(struct strbuf *b, uint64_t lo, uint64_t hi, const struct result_units *units)
{
	strbuf_printf(b, "%s-%s (%s-%s), ", text_num(lo, units, UNITS_BYTES_PER_S).text,
		      text_num(hi, units, UNITS_BYTES_PER_S).text,
		      text_alt(lo, units, UNITS_BYTES_PER_S).text,
		      text_alt(hi, units, UNITS_BYTES_PER_S).text);
}

static void put_group_row(struct strbuf *b, const struct result_group *g, const struct summary_group *sum,
			  unsigned dir, const char *name)
{
	uint64_t bytes = sum->dir[dir].bytes, bw = sum->dir[dir].bw_bytes;

	if (!bytes)
		return;
	strbuf_printf(b, "%7s: bw=%s (%s), ", name, text_num(bw, &g->units, UNITS_BYTES_PER_S).text,
		      text_alt(bw, &g->units, UNITS_BYTES_PER_S).text);
	put_rate_range(b, sum->dir[dir].bw_min, sum->dir[dir].bw_max, &g->units);
	strbuf_printf(b, "io=%s (%s), run=%" PRIu64 "-%" PRIu64 "msec\n",
		      text_num(bytes, &g->units, UNITS_BYTES).text,
		      text_alt(bytes, &g->units, UNITS_BYTES).text, sum->dir[dir].ms_min,
		      sum->dir[dir].ms_max);
}

/* Adds the sum of all jobs and directions. Programs that read the rows of fio look for "IOPS=" and "bw=". */
static void put_total(struct strbuf *b, const struct result_group *g, const struct total_row *t)
{
	const char *between = "; ";

	strbuf_printf(b, "%7s: %s IOPS, %s (%s)", "total", text_rate(t->mixed->iops, &g->units).text,
		      text_num(t->mixed->bw_bytes, &g->units, UNITS_BYTES_PER_S).text,
		      text_alt(t->mixed->bw_bytes, &g->units, UNITS_BYTES_PER_S).text);
	for (unsigned dir = 0; dir < DIR_DATA && t->dirs > 1; dir++) {
		if (!t->sum->sum.dir[dir].ios)
			continue;
		strbuf_printf(b, "%s%s %s", between, counts_dir_name[dir],
			      text_rate(t->iops[dir], &g->units).text);
		between = ", ";
	}
	strbuf_puts(b, t->dirs > 1 ? " IOPS\n" : "\n");
}

static void put_group(struct strbuf *b, const struct result *r, const struct result_group *g)
{
	struct arena mem = { 0 };
	struct total_row total;

	strbuf_printf(b, "\nRun status group %u (all jobs):\n", g->number);
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		put_group_row(b, g, &g->sum, dir, g->mixed ? "MIXED" : group_name[dir]);
	if (g->both)
		put_group_row(b, g, &g->sum_both, DIR_READ, "MIXED");
	if (total_of_group(&total, &mem, r, g->number))
		b->failed = true;
	else if (total.sum)
		put_total(b, g, &total);
	arena_fini(&mem);
}

static void put_disk_counts(struct strbuf *b, const char *prefix, const struct result_disk_counts *c)
{
	strbuf_printf(b, "%sios=%" PRIu64 "/%" PRIu64 ", %ssectors=%" PRIu64 "/%" PRIu64 ", ", prefix,
		      c->ios[0], c->ios[1], prefix, c->sectors[0], c->sectors[1]);
	strbuf_printf(b, "%smerge=%" PRIu64 "/%" PRIu64 ", %sticks=%" PRIu64 "/%" PRIu64 ", ", prefix,
		      c->merges[0], c->merges[1], prefix, c->ticks_ms[0], c->ticks_ms[1]);
	strbuf_printf(b, "%sin_queue=%" PRIu64 ", %sutil=%3.2f%%", prefix, c->in_queue_ms, prefix, c->util);
}

static void put_disks(struct strbuf *b, const struct result *r)
{
	if (!r->ndisks)
		return;
	strbuf_puts(b, "\nDisk stats (read/write):\n");
	for (size_t i = 0; i < r->ndisks; i++) {
		const struct result_disk *d = &r->disks[i];

		strbuf_printf(b, "%*s", (int)(2 + 2 * d->level), "");
		strbuf_printf_plain(b, "%s: ", d->name);
		put_disk_counts(b, "", &d->counts);
		if (d->members) {
			strbuf_puts(b, ", ");
			put_disk_counts(b, "aggr", &d->aggr);
		}
		strbuf_putc(b, '\n');
	}
}

void report_idle(struct strbuf *b, const struct result_idle *idle)
{
	if (!idle->on)
		return;
	strbuf_puts(b, idle->calibrated ? "CPU idleness:\n" : "\nCPU idleness:\n");
	if (!idle->calibrated)
		strbuf_printf(b, "  system: %3.2f%%\n", idle->system);
	for (unsigned i = 0; i < idle->ncpus; i++)
		strbuf_printf(b, "%s%3.2f%%", i ? ", " : "  percpu: ", idle->cpus[i].idle);
	strbuf_printf(b, "%s  unit work: mean=%3.2fus, stddev=%3.2f\n", idle->ncpus ? "\n" : "",
		      idle->unit_mean_us, idle->unit_stddev_us);
}

static void put_notes(struct strbuf *b, const struct result *r)
{
	bool any = r->notes.count > 0;

	for (size_t i = 0; i < r->njobs; i++)
		any = any || r->jobs[i]->notes.count;
	if (!any)
		return;
	strbuf_puts(b, "\nNotes:\n");
	for (size_t i = 0; i < r->notes.count; i++)
		strbuf_printf(b, "  note: %s\n", r->notes.line[i]);
	for (size_t i = 0; i < r->njobs; i++) {
		const struct notes *n = &r->jobs[i]->notes;

		for (size_t k = 0; k < n->count; k++) {
			size_t hosts = job_note_hosts(r, i, n->line[k]);

			if (job_note_printed(r, i, n->line[k]))
				continue;
			strbuf_puts(b, "  note: ");
			normal_job_name(b, r->jobs[i]);
			if (hosts)
				strbuf_printf(b, " (and %zu more host%s)", hosts, hosts == 1 ? "" : "s");
			strbuf_printf(b, ": %s\n", n->line[k]);
		}
	}
}

static void put_signal(struct strbuf *b, const struct result *r)
{
	const char *name = sigabbrev_np(r->exit.signal);
	uint64_t tenths = r->exit.ran_ns / 100000000;

	if (!r->exit.signal)
		return;
	strbuf_printf(b,
		      "\ninterrupted by SIG%s after %" PRIu64 ".%" PRIu64
		      " s; the figures cover the time until then\n",
		      name ? name : "?", tenths / 10, tenths % 10);
}

/* The answers of searches come first. */
static void put_search_answers(struct strbuf *b, const struct result *r)
{
	const char *before = "\n";

	if (r->answer && !r->as_fio) {
		strbuf_puts(b, before);
		strbuf_printf_plain(b, "%s\n", r->answer);
		before = "";
	}
	for (size_t i = 0; i < r->njobs && !r->as_fio; i++) {
		if (!answer_has_latency_target(r->jobs[i]))
			continue;
		strbuf_puts(b, before);
		normal_job_name(b, r->jobs[i]);
		strbuf_puts(b, ": ");
		answer_latency_target(b, r->jobs[i]);
		strbuf_putc(b, '\n');
		before = "";
	}
}

int report_normal(const struct result *r, struct strbuf *b)
{
	put_search_answers(b, r);
	for (size_t i = 0; i < r->njobs; i++) {
		if (i == 0)
			strbuf_putc(b, '\n');
		normal_job(b, r, r->jobs[i]);
	}
	for (size_t i = 0; i < r->ngroups; i++)
		put_group(b, r, &r->groups[i]);
	put_disks(b, r);
	text_hosts(b, &r->hosts);
	report_idle(b, &r->idle);
	text_verdicts(b, r);
	report_environment(b, r);
	put_notes(b, r);
	put_signal(b, r);
	return r->failed || b->failed ? -ENOMEM : 0;
}
