/* diskspd_xml.c: DISKSPD's XML result. It has only DISKSPD's elements, because readers may take an unknown
   element for a figure. Everything else goes to comments (diskspd_xml_comments.c). */
#include "diskspd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "report.h"
#include "strbuf.h"
#include "profile_text.h"
#include "xmlout.h"
#include "profile_xml.h"

struct xml {
	struct xmlout w;
	const struct result *r;
	const struct result_spans *all;
	/* The current span. */
	const struct result_span *s;
	const struct ds_span *settings;
};

static const char *or_empty(const char *s)
{
	return s ? s : "";
}

/* ---- the machine ---- */

static void put_tool(struct xml *x)
{
	xmlout_open(&x->w, "Tool");
	xmlout_word(&x->w, "Version", DISKSPD_VERSION);
	xmlout_word(&x->w, "VersionDate", DISKSPD_DATE);
	xmlout_close(&x->w, "Tool");
}

static void put_power(struct xml *x)
{
	struct strbuf b = { 0 };

	xmlout_escaped(&b, or_empty(x->all->system.power_scheme));
	strbuf_puts(&b, "\" Guid=\"");
	xmlout_escaped(&b, or_empty(x->all->system.power_id));
	xmlout_line(&x->w, "<PowerScheme Name=\"%s\"/>", strbuf_str(&b));
	strbuf_fini(&b);
}

static void put_masks(struct xml *x, const struct span_masks *m)
{
	for (size_t i = 0; i < m->n; i++)
		xmlout_line(&x->w, "<Group Group=\"%u\" Mask=\"0x%" PRIx64 "\"/>", m->v[i].group,
			    m->v[i].mask);
}

static void put_nodes(struct xml *x, const char *name, const struct span_node *v, unsigned n)
{
	for (unsigned i = 0; v && i < n; i++) {
		xmlout_line(&x->w, "<%s %s=\"%u\">", name, name, v[i].number);
		x->w.indent += 2;
		put_masks(x, &v[i].cpus);
		xmlout_close(&x->w, name);
	}
}

static void put_caches(struct xml *x)
{
	for (size_t i = 0; x->all->layout == DS_LAYOUT_23 && i < x->all->system.ncaches; i++) {
		const struct span_cache *c = &x->all->system.caches[i];

		xmlout_line(&x->w,
			    "<Cache Level=\"%u\" Associativity=\"%u\" LineSize=\"%" PRIu64
			    "\" CacheSize=\"%" PRIu64 "\" Type=\"%s\">",
			    c->level, c->ways, c->line_bytes, c->bytes, or_empty(c->type));
		x->w.indent += 2;
		put_masks(x, &c->cpus);
		xmlout_close(&x->w, "Cache");
	}
}

static void put_topology(struct xml *x)
{
	const struct span_system *s = &x->all->system;

	xmlout_line(&x->w, "<ProcessorTopology Heterogeneous=\"%s\">", s->heterogeneous ? "true" : "false");
	x->w.indent += 2;
	for (unsigned i = 0; s->groups && i < s->ngroups; i++)
		xmlout_line(&x->w,
			    "<Group Group=\"%u\" MaximumProcessors=\"%u\" ActiveProcessors=\"%u\" "
			    "ActiveProcessorMask=\"0x%" PRIx64 "\"/>",
			    s->groups[i].group, s->groups[i].maximum, s->groups[i].active, s->groups[i].mask);
	put_nodes(x, "Node", s->nodes, s->nnodes);
	put_nodes(x, "Socket", s->sockets, s->nsockets);
	for (unsigned i = 0; s->cores && i < s->ncores; i++)
		xmlout_line(&x->w,
			    "<Core Group=\"%u\" Core=\"%u\" Mask=\"0x%" PRIx64 "\" EfficiencyClass=\"%u\"/>",
			    s->cores[i].group, s->cores[i].number, s->cores[i].mask, s->cores[i].efficiency);
	put_caches(x);
	xmlout_close(&x->w, "ProcessorTopology");
}

static void put_system(struct xml *x)
{
	const struct span_system *s = &x->all->system;
	struct strbuf time = { 0 };

	xmlout_open(&x->w, "System");
	xmlout_text(&x->w, "ComputerName", or_empty(s->computer));
	if (x->all->layout == DS_LAYOUT_23)
		xmlout_text(&x->w, "ProcessorName", or_empty(s->processor));
	put_tool(x);
	diskspd_time(&time, s->start_ms);
	xmlout_word(&x->w, "RunTime", strbuf_str(&time));
	put_power(x);
	if (x->all->layout == DS_LAYOUT_23)
		xmlout_number(&x->w, "PageSize", s->page_bytes);
	put_topology(x);
	xmlout_close(&x->w, "System");
	strbuf_fini(&time);
}

void diskspd_xml_system(struct strbuf *b, const struct result *r)
{
	struct xml x = { .w = { .out = b }, .r = r, .all = r->spans };

	put_system(&x);
}

/* ---- the span as a whole ---- */

static void put_use(struct xml *x, const struct span_use *u)
{
	xmlout_real(&x->w, "UsagePercent", u->usage, 2);
	xmlout_real(&x->w, "UserPercent", u->user, 2);
	xmlout_real(&x->w, "KernelPercent", u->kernel, 2);
	xmlout_real(&x->w, "IdlePercent", u->idle, 2);
}

static void put_cpus(struct xml *x)
{
	if (!x->s->ncpus)
		return; /* not known */
	xmlout_open(&x->w, "CpuUtilization");
	for (size_t i = 0; i < x->s->ncpus; i++) {
		const struct span_cpu *cpu = &x->s->cpus[i];

		xmlout_open(&x->w, "CPU");
		xmlout_number(&x->w, "Socket", cpu->socket);
		xmlout_number(&x->w, "Node", cpu->node);
		xmlout_number(&x->w, "Group", cpu->group);
		xmlout_number(&x->w, "Core", cpu->core);
		xmlout_number(&x->w, "EfficiencyClass", cpu->efficiency);
		xmlout_number(&x->w, "Id", cpu->id);
		put_use(x, &cpu->use);
		xmlout_close(&x->w, "CPU");
	}
	xmlout_open(&x->w, "Average");
	put_use(x, &x->s->cpu_mean);
	xmlout_close(&x->w, "Average");
	xmlout_close(&x->w, "CpuUtilization");
}

static void put_span_head(struct xml *x)
{
	const struct result_span *s = x->s;

	xmlout_real(&x->w, "TestTimeSeconds", s->seconds, 2);
	xmlout_number(&x->w, "ThreadCount", s->nthreads);
	xmlout_number(&x->w, "RequestCount", s->requests);
	xmlout_number(&x->w, "ProcCount", x->all->system.cpus);
	if (x->all->layout != DS_LAYOUT_23)
		return;
	xmlout_word(&x->w, "EffectiveBufferSeparation",
		    x->settings->default_buffer_separation ? "SystemDefault" : "PDECacheLine");
	if (s->affinity.n) {
		xmlout_open(&x->w, "EffectiveAffinity");
		put_masks(x, &s->affinity);
		xmlout_close(&x->w, "EffectiveAffinity");
	}
	if (s->affinity_warning)
		xmlout_text(&x->w, "HeterogeneousAffinityWarning", s->affinity_warning);
}

/* ---- latencies ---- */

static void put_percentile_value(struct xml *x, const char *name, const struct span_lat *l, uint32_t share)
{
	if (l->n)
		xmlout_real(&x->w, name, diskspd_ms((double)span_percentile(l, share)), 3);
}

static void put_percentile(struct xml *x, const char *percentile, uint32_t share)
{
	const struct span_flow *f = x->s->flow;

	xmlout_open(&x->w, "Bucket");
	xmlout_word(&x->w, "Percentile", percentile);
	put_percentile_value(x, "ReadMilliseconds", &f[SPAN_READ].lat, share);
	put_percentile_value(x, "WriteMilliseconds", &f[SPAN_WRITE].lat, share);
	put_percentile_value(x, "TotalMilliseconds", &f[SPAN_TOTAL].lat, share);
	xmlout_close(&x->w, "Bucket");
}

/* Adds the percentiles 0 to 99, 99.9 to 99.9999999, and 100. */
static void put_percentile_elements(struct xml *x)
{
	char text[16];

	for (unsigned i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "%u", i);
		put_percentile(x, text, i * (SPAN_ALL / 100));
	}
	for (uint32_t nines = 1, above = SPAN_ALL / 1000; above; nines++, above /= 10) {
		snprintf(text, sizeof(text), "%.*f", (int)nines,
			 (double)(SPAN_ALL - above) / (SPAN_ALL / 100));
		put_percentile(x, text, SPAN_ALL - above);
	}
	put_percentile(x, "100", SPAN_ALL);
}

/* Adds mean and deviation; nothing without samples, because a reader would record 0 ms. */
static void put_moments(struct xml *x, const char *mean, const char *stddev, const struct span_lat *l)
{
	if (!l->n)
		return;
	xmlout_real(&x->w, mean, diskspd_ms(l->mean), 3);
	xmlout_real(&x->w, stddev, diskspd_ms(l->stddev), 3);
}

static void put_latency_element(struct xml *x)
{
	const struct span_lat *read = &x->s->flow[SPAN_READ].lat, *write = &x->s->flow[SPAN_WRITE].lat,
			      *total = &x->s->flow[SPAN_TOTAL].lat;

	if (!x->settings->latency)
		return;
	xmlout_line(&x->w,
		    "<Latency ReadHistoBuckets=\"%zu\" WriteHistoBuckets=\"%zu\" TotalHistoBuckets=\"%zu\">",
		    read->bins.n, write->bins.n, total->bins.n);
	x->w.indent += 2;
	put_moments(x, "AverageReadMilliseconds", "ReadLatencyStdev", read);
	put_moments(x, "AverageWriteMilliseconds", "WriteLatencyStdev", write);
	put_moments(x, "AverageTotalMilliseconds", "LatencyStdev", total);
	put_percentile_elements(x);
	xmlout_close(&x->w, "Latency");
}

/* ---- rates over time ---- */

static void put_bucket_lat(struct strbuf *b, const char *dir, const struct span_lat *l)
{
	strbuf_printf(b,
		      " %sMinLatencyMilliseconds=\"%.3f\" %sMaxLatencyMilliseconds=\"%.3f\""
		      " %sAvgLatencyMilliseconds=\"%.3f\" %sLatencyStdDev=\"%.3f\"",
		      dir, diskspd_ms((double)l->min), dir, diskspd_ms((double)l->max), dir,
		      diskspd_ms(l->mean), dir, diskspd_ms(l->stddev));
}

static void put_bucket(struct xml *x, const struct span_bucket *bucket)
{
	struct strbuf b = { 0 };

	strbuf_printf(&b, "SampleMillisecond=\"%" PRIu64 "\" Read=\"%.0f\" Write=\"%.0f\" Total=\"%.0f\"",
		      bucket->end_ms, bucket->iops_s[SPAN_READ], bucket->iops_s[SPAN_WRITE],
		      bucket->iops_s[SPAN_TOTAL]);
	put_bucket_lat(&b, "Read", &bucket->lat[SPAN_READ]);
	put_bucket_lat(&b, "Write", &bucket->lat[SPAN_WRITE]);
	xmlout_line(&x->w, "<Bucket %s/>", strbuf_str(&b));
	strbuf_fini(&b);
}

static void put_iops_element(struct xml *x, const struct span_flow *flow, const struct span_bucket *bucket,
			     size_t n)
{
	static const char *const names[SPAN_KINDS] = { "ReadIopsStdDev", "WriteIopsStdDev", "IopsStdDev" };

	if (!x->settings->iops_stats)
		return;
	xmlout_open(&x->w, "Iops");
	for (unsigned i = 0; i < SPAN_KINDS; i++)
		if (flow[i].ios)
			xmlout_real(&x->w, names[i], flow[i].iops_stddev, 3);
	for (size_t i = 0; i < n; i++)
		put_bucket(x, &bucket[i]);
	xmlout_close(&x->w, "Iops");
}

/* ---- counts in place of ETW's events ---- */

static bool same_group(const struct result_span *s, size_t a, size_t b)
{
	return b < s->nevents && !strcmp(s->events[a].group, s->events[b].group);
}

static void put_events(struct xml *x)
{
	const struct result_span *s = x->s;

	if (!s->nevents)
		return;
	xmlout_open(&x->w, "ETW");
	for (size_t i = 0, n; i < s->nevents; i += n) {
		/* As in DISKSPD, hard faults alone have no element around them. */
		bool alone = !strcmp(s->events[i].group, "MemoryHardFaults");

		if (!alone)
			xmlout_open(&x->w, s->events[i].group);
		for (n = 0; same_group(s, i, i + n); n++)
			xmlout_number(&x->w, s->events[i + n].name, s->events[i + n].count);
		if (!alone)
			xmlout_close(&x->w, s->events[i].group);
	}
	xmlout_close(&x->w, "ETW");
}

/* ---- threads ---- */

/* Adds the ranges as consecutive lengths, as in a profile. */
static void put_dist(struct xml *x, const struct span_row *row)
{
	const struct span_dist *d =
		row->dist && row->dist <= x->s->ndists ? &x->s->dists[row->dist - 1] : NULL;

	if (!d)
		return;
	xmlout_open(&x->w, "Distribution");
	xmlout_open(&x->w, "Absolute");
	for (size_t i = 0; i < d->nranges; i++)
		xmlout_line(&x->w, "<Range IO=\"%.*f\">%" PRIu64 "</Range>",
			    d->clipped && d->ranges[i].io > 0, d->ranges[i].io,
			    d->ranges[i].end - d->ranges[i].begin);
	xmlout_close(&x->w, "Absolute");
	xmlout_close(&x->w, "Distribution");
}

static void put_row_element(struct xml *x, const struct span_row *row)
{
	const struct span_flow *read = &row->flow[SPAN_READ], *write = &row->flow[SPAN_WRITE],
			       *total = &row->flow[SPAN_TOTAL];

	xmlout_open(&x->w, "Target");
	xmlout_text(&x->w, "Path", or_empty(row->path));
	xmlout_number(&x->w, "BytesCount", total->bytes);
	xmlout_number(&x->w, "FileSize", row->size);
	xmlout_number(&x->w, "IOCount", total->ios);
	xmlout_number(&x->w, "ReadBytes", read->bytes);
	xmlout_number(&x->w, "ReadCount", read->ios);
	xmlout_number(&x->w, "WriteBytes", write->bytes);
	xmlout_number(&x->w, "WriteCount", write->ios);
	put_dist(x, row);
	if (x->settings->latency) {
		put_moments(x, "AverageReadLatencyMilliseconds", "ReadLatencyStdev", &read->lat);
		put_moments(x, "AverageWriteLatencyMilliseconds", "WriteLatencyStdev", &write->lat);
		put_moments(x, "AverageLatencyMilliseconds", "LatencyStdev", &total->lat);
	}
	put_iops_element(x, row->flow, row->buckets, row->nbuckets);
	xmlout_close(&x->w, "Target");
}

static void put_waits(struct xml *x, const struct span_waits *w)
{
	struct strbuf found = { 0 };

	if (!x->all->profile->verbose_stats)
		return;
	for (unsigned i = 0; i < SPAN_FOUND; i++)
		strbuf_printf(&found, "%s%" PRIu64, i ? " " : "", w->found[i]);
	xmlout_open(&x->w, "WaitStatistics");
	xmlout_number(&x->w, "CompletionWait", w->completion);
	xmlout_number(&x->w, "ThrottleWait", w->throttle);
	xmlout_number(&x->w, "ThrottleSleep", w->throttle_sleep);
	xmlout_number(&x->w, "Lookaside", w->lookaside);
	xmlout_word(&x->w, "LookasideCompletion", strbuf_str(&found));
	xmlout_close(&x->w, "WaitStatistics");
	strbuf_fini(&found);
}

static void put_thread(struct xml *x, const struct span_thread *thread)
{
	xmlout_open(&x->w, "Thread");
	xmlout_number(&x->w, "Id", thread->id);
	if (x->all->layout == DS_LAYOUT_23 && x->settings->io_ring)
		xmlout_number(&x->w, "SubmitCount", thread->submits);
	for (size_t i = 0; i < thread->nrows; i++)
		put_row_element(x, &thread->rows[i]);
	put_waits(x, &thread->waits);
	xmlout_close(&x->w, "Thread");
}

/* ---- a time span ---- */

static void put_measured_span(struct xml *x)
{
	put_span_head(x);
	put_cpus(x);
	put_latency_element(x);
	put_iops_element(x, x->s->flow, x->s->buckets, x->s->nbuckets);
	put_events(x);
	for (size_t i = 0; i < x->s->nthreads; i++)
		put_thread(x, &x->s->threads[i]);
}

static void put_span_element(struct xml *x)
{
	struct strbuf sentence = { 0 };

	x->settings = diskspd_span(x->r, x->s);
	xmlout_open(&x->w, "TimeSpan");
	if (diskspd_without_figures(x->r, x->s))
		xmlout_text(&x->w, "Error", diskspd_error(x->r, x->s, &sentence));
	else
		put_measured_span(x);
	xmlout_close(&x->w, "TimeSpan");
	strbuf_fini(&sentence);
}

int report_diskspd_xml(const struct result *r, struct strbuf *b)
{
	struct xml x = { .w = { .out = b }, .r = r, .all = r->spans };

	if (r->spans && !r->failed) {
		xmlout_open(&x.w, "Results");
		put_system(&x);
		ds_xmlwrite(x.all->profile, 2, b);
		for (size_t i = 0; i < x.all->nspans; i++) {
			x.s = x.all->spans[i];
			put_span_element(&x);
		}
		if (!x.all->as_diskspd)
			diskspd_xml_comments(&x.w, r);
		strbuf_puts(b, "</Results>");
	}
	return r->failed || b->failed ? -ENOMEM : 0;
}
