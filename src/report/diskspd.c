/* diskspd.c: DISKSPD's text report, in any of its layouts (profile_text.h). Figures that DISKSPD does not
   have follow a table or stand at the end. */
#include "diskspd.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "strbuf.h"
#include "report.h"
#include "profile_text.h"

struct text {
	struct strbuf *b;
	const struct result *r;
	const struct result_spans *all;
	const struct ds_layout_form *form;
	/* The current span. */
	const struct result_span *s;
	const struct ds_span *settings;
};

/* ---- effective distributions ---- */

/* Adds thread numbers: "0 1", "0 - 2 5". */
static void put_thread_ranges(struct strbuf *b, const struct span_dist *d)
{
	for (size_t i = 0, end; i < d->nthreads; i = end + 1) {
		for (end = i; end + 1 < d->nthreads && d->threads[end + 1] == d->threads[end] + 1;)
			end++;
		if (end < i + 2)
			end = i;
		strbuf_printf(b, "%s%u", i ? " " : "", d->threads[i]);
		if (end > i)
			strbuf_printf(b, " - %u", d->threads[end]);
	}
}

static void put_bound(struct strbuf *b, uint64_t at)
{
	if (at >= 1024)
		strbuf_printf(b, "%9s", ds_profile_text_size(at).text);
	else
		strbuf_printf(b, "%6" PRIu64 "   ", at);
}

static void put_dist(struct strbuf *b, const struct span_dist *d)
{
	strbuf_printf(b, "target: %s [thread: ", d->path);
	put_thread_ranges(b, d);
	strbuf_puts(b, "]\n");
	for (size_t i = 0; i < d->nranges; i++) {
		const struct span_range *range = &d->ranges[i];

		if (range->io <= 0)
			continue;
		strbuf_printf(b, d->clipped ? "    %.1f%% of IO => [" : "   %3.0f%% of IO => [", range->io);
		put_bound(b, range->begin);
		strbuf_puts(b, " - ");
		put_bound(b, range->end);
		strbuf_puts(b, ")\n");
	}
}

static void put_dists(const struct text *t)
{
	if (!t->s->ndists)
		return;
	strbuf_puts(t->b, "\nEffective IO Distributions\n--------------------------\n");
	for (size_t i = 0; i < t->s->ndists; i++)
		put_dist(t->b, &t->s->dists[i]);
}

/* ---- I/O ---- */

static void put_flow(const struct text *t, const struct span_flow *f)
{
	struct strbuf *b = t->b;

	strbuf_printf(b, "%15" PRIu64 " | %12" PRIu64 " | %10.2f | %10.2f", f->bytes, f->ios, f->mib_s,
		      f->iops_s);
	if (t->settings->latency)
		strbuf_printf(b, " | %8.3f", diskspd_ms(f->lat.mean));
	if (t->settings->iops_stats)
		strbuf_printf(b, " | %10.2f", f->iops_stddev);
	if (t->settings->latency && f->lat.n)
		strbuf_printf(b, " |  %8.3f", diskspd_ms(f->lat.stddev));
	else if (t->settings->latency)
		strbuf_printf(b, " |  %8s", "N/A");
}

/* Adds a size as old versions do: in whole units, of which it has more than ten. */
static void put_short_size(struct strbuf *b, uint64_t bytes, const char *unit_end)
{
	for (unsigned i = 0; i < 3; i++) {
		uint64_t unit = 1ull << (30 - 10 * i);

		if (bytes > 10 * unit) {
			strbuf_printf(b, "%" PRIu64 "%c%s", bytes / unit, "GMK"[i], unit_end);
			return;
		}
	}
	strbuf_printf(b, "%" PRIu64 "B", bytes);
}

static void put_heading(const struct text *t)
{
	bool latency = t->settings->latency;

	strbuf_printf(t->b, "thread |       bytes     |     I/Os     | %s |  I/O per s %s%s%s|  file\n",
		      t->form->rate, latency ? "|  AvgLat  " : "",
		      t->settings->iops_stats ? "| IopsStdDev " : "", latency ? "| LatStdDev " : "");
}

static void put_thread_row(const struct text *t, unsigned thread, const struct span_row *row,
			   enum span_kind kind)
{
	strbuf_printf(t->b, "%6u | ", thread);
	put_flow(t, &row->flow[kind]);
	strbuf_printf(t->b, " | %s (", row->path);
	if (t->form->short_unit)
		put_short_size(t->b, row->size, t->form->short_unit);
	else
		strbuf_puts(t->b, ds_profile_text_size(row->size).text);
	strbuf_puts(t->b, ")\n");
}

static void put_thread_table(const struct text *t, const char *title, enum span_kind kind)
{
	unsigned width = 78 + t->settings->latency * 23u + t->settings->iops_stats * 13u;
	struct strbuf *b = t->b;

	strbuf_printf(b, "\n%s IO\n", title);
	put_heading(t);
	diskspd_rule(b, width, '-');
	for (size_t i = 0; i < t->s->nthreads; i++) {
		const struct span_thread *thread = &t->s->threads[i];

		for (size_t k = 0; k < thread->nrows; k++)
			put_thread_row(t, thread->id, &thread->rows[k], kind);
	}
	diskspd_rule(b, width, '-');
	strbuf_puts(b, "total:   ");
	put_flow(t, &t->s->flow[kind]);
	strbuf_putc(b, '\n');
}

/* ---- latencies ---- */

static void put_percentile_chart(const struct text *t, const struct span_lat *lat[SPAN_KINDS])
{
	strbuf_puts(t->b, "  %-ile |  Read (ms) | Write (ms) | Total (ms)\n");
	diskspd_percentiles(t->b, lat, t->form->nines);
}

static void put_charts(const struct text *t)
{
	static const char *const titles[] = { "", "\ntotal:\n", "\nTotal latency distribution:\n" };
	const struct span_flow *f = t->s->flow;
	const struct span_lat *all[SPAN_KINDS] = { &f[0].lat, &f[1].lat, &f[2].lat };

	if (!t->settings->latency)
		return;
	strbuf_puts(t->b, t->form->charts == DS_CHARTS_TITLED ? "" : "\n\n");
	for (size_t i = 0; t->form->charts && t->s->ntargets > 1 && i < t->s->ntargets; i++) {
		const struct span_target *target = &t->s->targets[i];
		const struct span_lat *lat[SPAN_KINDS] = { &target->lat[0], &target->lat[1],
							   &target->lat[2] };

		strbuf_printf(t->b, "\n%s%s\n",
			      t->form->charts == DS_CHARTS_TITLED ? "Latency distribution: " : "",
			      target->path);
		put_percentile_chart(t, lat);
	}
	strbuf_puts(t->b, titles[t->form->charts]);
	put_percentile_chart(t, all);
}

/* ---- events and waits ---- */

/* Returns DISKSPD's words in the text for the name of a group or an event in XML. */
static const char *event_words(const char *name)
{
	static const char *const words[][2] = {
		{ "DiskIO", "Disk I/O" },
		{ "MemoryPageFaults", "Memory Page Faults" },
		{ "MemoryHardFaults", "Memory Hard Faults" },
		{ "DemandZeroFault", "Demand Zero fault" },
		{ "HardPageFault", "Hard page fault" },
		{ "TCPIPSend", "TCP/IP Send" },
		{ "TCPIPReceive", "TCP/IP Receive" },
		{ "UDPIPSend", "UDP/IP Send" },
		{ "UDPIPReceive", "UDP/IP Receive" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i][0], name))
			return words[i][1];
	return name;
}

static bool begins_group(const struct result_span *s, size_t i)
{
	return !i || strcmp(s->events[i - 1].group, s->events[i].group);
}

static void put_event_groups(const struct text *t)
{
	if (!t->s->nevents)
		return;
	strbuf_puts(t->b, "\n\n\nETW:\n----\n\n");
	for (size_t i = 0; i < t->s->nevents; i++) {
		const struct span_event *e = &t->s->events[i];

		if (begins_group(t->s, i))
			strbuf_printf(t->b, "\t%s\n", event_words(e->group));
		strbuf_printf(t->b, "\t\t%s: %" PRIu64 "\n", event_words(e->name), e->count);
	}
}

static void put_submits(const struct text *t)
{
	double all = 0;

	if (t->all->layout != DS_LAYOUT_23 || !t->settings->io_ring)
		return;
	strbuf_puts(t->b, "\n\nIoRing Statistics\nthread |  Submits/s \n");
	diskspd_rule(t->b, 20, '-');
	for (size_t i = 0; i < t->s->nthreads; i++) {
		strbuf_printf(t->b, "%6u | %11.2f\n", t->s->threads[i].id, t->s->threads[i].submits_s);
		all += t->s->threads[i].submits_s;
	}
	diskspd_rule(t->b, 20, '-');
	strbuf_printf(t->b, "total: | %11.2f\n", all);
}

static void put_found_counts(struct strbuf *b, const uint64_t *count)
{
	for (unsigned k = 0; k < SPAN_FOUND; k++)
		strbuf_printf(b, " %" PRIu64, count[k]);
	strbuf_putc(b, '\n');
}

/* Layouts up to 2.2 have one table. */
static void put_waits_22(const struct text *t)
{
	strbuf_puts(
		t->b,
		"Wait Statistics\nthread | completion wait | throttle wait  -  sleep | lookaside | 0 - 7+ "
		"complete per lookaside\n");
	diskspd_rule(t->b, 95, '-');
	for (size_t i = 0; i < t->s->nthreads; i++) {
		const struct span_waits *w = &t->s->threads[i].waits;

		strbuf_printf(t->b, "%6u | %15" PRIu64 " | %13" PRIu64 "  - %6" PRIu64 " | %9" PRIu64 " |",
			      t->s->threads[i].id, w->completion, w->throttle, w->throttle_sleep,
			      w->lookaside);
		put_found_counts(t->b, w->found);
	}
}

/* Layout 2.3 has a second table for the lookasides, but only with -L or -D. */
static void put_waits_23(const struct text *t)
{
	bool throttled = false;

	for (size_t i = 0; i < t->s->nthreads; i++)
		throttled |= t->s->threads[i].waits.throttle || t->s->threads[i].waits.throttle_sleep;
	strbuf_printf(
		t->b,
		"Wait Statistics - Completion Wait\nthread |         wait |%s 0 - 7+ complete per wait\n",
		throttled ? " throttle wait  -  sleep |" : "");
	diskspd_rule(t->b, throttled ? 74 : 48, '-');
	for (size_t i = 0; i < t->s->nthreads; i++) {
		const struct span_waits *w = &t->s->threads[i].waits;

		strbuf_printf(t->b, "%6u | %12" PRIu64 " |", t->s->threads[i].id, w->completion);
		if (w->throttle || w->throttle_sleep)
			strbuf_printf(t->b, " %13" PRIu64 "  - %6" PRIu64 " |", w->throttle,
				      w->throttle_sleep);
		else if (throttled)
			strbuf_puts(t->b, "               ---       |");
		put_found_counts(t->b, w->woken);
	}
	if (!t->settings->latency && !t->settings->iops_stats)
		return;
	strbuf_puts(t->b,
		    "\nWait Statistics - Lookaside\nthread |    lookaside | 0 - 7+ complete per lookaside\n");
	diskspd_rule(t->b, 53, '-');
	for (size_t i = 0; i < t->s->nthreads; i++) {
		strbuf_printf(t->b, "%6u | %12" PRIu64 " |", t->s->threads[i].id,
			      t->s->threads[i].waits.lookaside);
		put_found_counts(t->b, t->s->threads[i].waits.found);
	}
}

static void put_waits(const struct text *t)
{
	if (!t->r->spans->profile->verbose_stats)
		return;
	strbuf_putc(t->b, '\n');
	if (t->all->layout == DS_LAYOUT_23)
		put_waits_23(t);
	else
		put_waits_22(t);
}

/* ---- a time span ---- */

static void put_test_time(const struct text *t)
{
	strbuf_printf(t->b, "actual test time:\t%.2fs\nthread count:\t\t%zu\n", t->s->seconds,
		      t->s->nthreads);
	if (t->settings->threads && t->settings->requests)
		strbuf_printf(t->b, "request count:\t\t%u\n", t->s->requests);
	if (t->form->proc_count)
		strbuf_printf(t->b, "proc count:\t\t%u\n", t->all->system.cpus);
	if (t->all->layout == DS_LAYOUT_23 && t->s->affinity.n) {
		strbuf_puts(t->b, "\neffective affinity (cpu): ");
		diskspd_cpus(t->b, &t->s->affinity);
		strbuf_putc(t->b, '\n');
	}
	if (t->all->layout == DS_LAYOUT_23 && t->s->affinity_warning)
		strbuf_printf(t->b, "\nWARNING: %s\n", t->s->affinity_warning);
}

static void put_span(struct text *t)
{
	t->settings = diskspd_span(t->r, t->s);
	/* Before 2.2 two empty lines, of which the part about the system lacks one. */
	if (t->form->wide_cpus && (!t->form->system || t->s != t->all->spans[0]))
		strbuf_putc(t->b, '\n');
	strbuf_printf(t->b, "\nResults for timespan %u:\n", t->s->number);
	diskspd_rule(t->b, 79, '*');
	strbuf_putc(t->b, '\n');
	if (diskspd_put_error(t->b, t->r, t->s))
		return;
	put_test_time(t);
	diskspd_cpu_table(t->b, t->all, t->s);
	put_dists(t);
	put_thread_table(t, "Total", SPAN_TOTAL);
	put_thread_table(t, "Read", SPAN_READ);
	put_thread_table(t, "Write", SPAN_WRITE);
	put_submits(t);
	put_charts(t);
	put_event_groups(t);
	put_waits(t);
}

/* ---- all spans ---- */

static void put_total_line(struct strbuf *b, const char *name, const struct span_flow *f)
{
	strbuf_printf(b, "%-6s | %15" PRIu64 " | %12" PRIu64 " | %10.2f | %10.2f\n", name, f->bytes, f->ios,
		      f->mib_s, f->iops_s);
}

static void put_totals(const struct text *t)
{
	const struct span_flow *f = t->all->flow;

	if (t->all->nspans < 2)
		return;
	strbuf_puts(t->b, "\n\nTotals:\n");
	diskspd_rule(t->b, 79, '*');
	strbuf_printf(t->b, "\ntype   |       bytes     |     I/Os     | %s |  I/O per s\n", t->form->rate);
	diskspd_rule(t->b, 79, '-');
	put_total_line(t->b, "write", &f[SPAN_WRITE]);
	put_total_line(t->b, "read", &f[SPAN_READ]);
	diskspd_rule(t->b, 79, '-');
	put_total_line(t->b, "total", &f[SPAN_TOTAL]);
	strbuf_printf(t->b, "\ntotal test time:\t%.2fs\n", t->all->seconds);
}

/* Returns true if this target was printed before, in this span or an earlier one. */
static bool through_printed_before(const struct result_spans *all, size_t span, size_t n)
{
	const struct span_write_through *it = &all->spans[span]->write_throughs[n];

	for (size_t i = 0; i <= span; i++)
		for (size_t k = 0; k < (i == span ? n : all->spans[i]->nwrite_throughs); k++)
			if (!strcmp(all->spans[i]->write_throughs[k].path, it->path))
				return true;
	return false;
}

/* Adds the method that made writes to a target durable. */
static void put_through(struct strbuf *b, const struct span_write_through *t)
{
	const char *words = "";

	if (!strcmp(t->method, "fua"))
		words = ": each write has the FUA flag (write to stable storage)";
	else if (!strcmp(t->method, "flush"))
		words = ": the device's cache is flushed after each write";
	else if (!strcmp(t->method, "neither"))
		words = " FUA nor a flush: the device has no volatile cache";
	strbuf_printf(b, "write-through on %s: %s%s\n", t->path, t->method, words);
}

/* Adds the Linux counter that replaces each group of ETW's events. */
static void put_event_sources(const struct text *t, const struct result_span *s)
{
	for (size_t i = 0; i < s->nevents; i++)
		if (begins_group(s, i))
			strbuf_printf(t->b, "%s: counted by %s, not by ETW\n",
				      event_words(s->events[i].group), s->events[i].source);
}

/* Adds the CPU use of the jobs, if any span has figures. */
static void put_self(const struct text *t)
{
	struct strbuf self = { 0 };
	bool any = false;

	for (size_t i = 0; i < t->all->nspans; i++)
		any = any || !diskspd_without_figures(t->r, t->all->spans[i]);
	for (size_t i = 0; any && i < t->r->njobs; i++) {
		strbuf_clear(&self);
		diskspd_self(t->r->jobs[i], &self);
		strbuf_printf(t->b, self.len ? "%s\n" : "%s", strbuf_str(&self));
	}
	strbuf_fini(&self);
}

/* Adds the program's name and version, and the figures that have no place in DISKSPD's report. */
static void put_end(const struct text *t)
{
	strbuf_printf(t->b, "\n%s %s, in the form of %s\n", t->r->program, t->r->version, t->form->program);
	for (size_t i = 0; i < t->all->nspans; i++) {
		const struct result_span *s = t->all->spans[i];

		for (size_t k = 0; k < s->nwrite_throughs; k++)
			if (!through_printed_before(t->all, i, k))
				put_through(t->b, &s->write_throughs[k]);
	}
	if (t->all->nspans)
		put_event_sources(t, t->all->spans[0]); /* all spans count the same events */
	put_self(t);
	for (size_t i = 0; i < t->r->notes.count; i++)
		strbuf_printf(t->b, "note: %s\n", t->r->notes.line[i]);
	for (size_t i = 0; i < t->r->njobs; i++)
		for (size_t k = 0; k < t->r->jobs[i]->notes.count; k++) {
			strbuf_printf_plain(t->b, "note: %s", t->r->jobs[i]->name);
			strbuf_printf(t->b, ": %s\n", t->r->jobs[i]->notes.line[k]);
		}
}

static void put_report(struct text *t)
{
	ds_profile_text(t->all->profile, t->all->command, t->all->layout, t->b);
	if (t->form->system)
		diskspd_system(t->b, t->all);
	for (size_t i = 0; i < t->all->nspans; i++) {
		t->s = t->all->spans[i];
		put_span(t);
	}
	put_totals(t);
}

int report_diskspd_system(const struct result *r, bool xml, struct strbuf *b)
{
	if (r->spans && !r->failed && xml)
		diskspd_xml_system(b, r);
	else if (r->spans && !r->failed)
		diskspd_system(b, r->spans);
	return r->failed || b->failed ? -ENOMEM : 0;
}

int report_diskspd(const struct result *r, struct strbuf *b)
{
	struct text t = { .b = b, .r = r, .all = r->spans };

	if (r->spans && !r->failed) {
		t.form = ds_layout_form(t.all->layout);
		if (t.all->layout == DS_LAYOUT_PORT)
			diskspd_port(b, r);
		else
			put_report(&t);
		put_end(&t);
	}
	return r->failed || b->failed ? -ENOMEM : 0;
}
