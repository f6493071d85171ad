/* prometheus.c: the metrics of --prometheus, in the text exposition format 0.0.4. */
#include <stdio.h>
#include "live_report.h"
#include "strbuf.h"
#include "utf8.h"

static const char *const direction[DIR_COUNT] = { "read", "write", "trim", "sync" };

/* Adds the value of a label. The text must be UTF-8. */
static void put_escaped(struct strbuf *b, const char *text)
{
	while (*text) {
		size_t len = utf8_len((const unsigned char *)text);

		if (*text == '\\' || *text == '"')
			strbuf_putc(b, '\\');
		if (*text == '\n')
			strbuf_puts(b, "\\n");
		else if (len)
			strbuf_add(b, text, len);
		else
			strbuf_puts(b, UTF8_REPLACEMENT);
		text += len ? len : 1;
	}
}

static void head(struct strbuf *b, const char *name, const char *type, const char *help)
{
	strbuf_printf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Adds the name and the labels of a job, without the brace that ends them. */
static void put_job_label(struct strbuf *b, const char *name, const struct live_report *r, size_t job)
{
	strbuf_printf(b, "%s{job=\"", name);
	put_escaped(b, r->jobs[job].name);
	strbuf_printf(b, "\",number=\"%zu\"", job);
}

/* The decimal point must be a dot whatever the locale says, so the number is made of integers. */
static void put_seconds(struct strbuf *b, uint64_t ns)
{
	strbuf_printf(b, "%llu.%09llu", (unsigned long long)(ns / 1000000000),
		      (unsigned long long)(ns % 1000000000));
}

static void put_decimal(struct strbuf *b, double rate)
{
	uint64_t thousandths = rate > 0 && rate < 1e15 ? (uint64_t)(rate * 1000 + 0.5) : 0;

	strbuf_printf(b, "%llu.%03llu", (unsigned long long)(thousandths / 1000),
		      (unsigned long long)(thousandths % 1000));
}

enum figure { IOS, BYTES, ERRORS, IOPS, BW };

static void put_live_figure(struct strbuf *b, enum figure f, const struct live_figures *now, unsigned dir)
{
	const struct live_total *t = &now->total[dir];

	if (f == IOPS)
		put_decimal(b, now->dir[dir].iops);
	else if (f == BW)
		put_decimal(b, now->dir[dir].bw);
	else
		strbuf_u64(b, f == IOS ? t->ios : f == BYTES ? t->bytes : t->errors);
}

/* Adds a metric with a value for each job and direction. */
static void put_metric(struct strbuf *b, const struct live_report *r, enum figure f, const char *name,
		       const char *type, const char *help)
{
	head(b, name, type, help);
	for (size_t i = 0; i < r->njobs; i++) {
		for (unsigned d = 0; d < DIR_COUNT; d++) {
			if (d == DIR_SYNC && (f == BYTES || f == BW))
				continue;
			put_job_label(b, name, r, i);
			strbuf_printf(b, ",direction=\"%s\"} ", direction[d]);
			put_live_figure(b, f, &r->jobs[i].now, d);
			strbuf_putc(b, '\n');
		}
	}
}

static void put_quantiles(struct strbuf *b, const struct live_report *r, const char *name, size_t job,
			  unsigned dir, const struct live_lat *l)
{
	static const char *const quantile[LIVE_PERCENTILES] = { "0.5",  "0.9",   "0.95",
								"0.99", "0.999", "0.9999" };

	for (unsigned i = 0; i < LIVE_PERCENTILES; i++) {
		put_job_label(b, name, r, job);
		strbuf_printf(b, ",direction=\"%s\",quantile=\"%s\"} ", direction[dir], quantile[i]);
		if (l->n && l->has_percentiles)
			put_seconds(b, l->percentile[i]);
		else
			strbuf_puts(b, "NaN");
		strbuf_putc(b, '\n');
	}
}

/* Adds a summary for the directions that have had such latencies: the quantiles are those of the interval,
   sum and count of the run. */
static void put_summary(struct strbuf *b, const struct live_report *r, unsigned lat, enum lat_kind kind,
			const char *name, const char *help)
{
	char part[64];
	bool any = false;

	for (size_t i = 0; i < r->njobs; i++) {
		const struct live_figures *f = &r->jobs[i].now;

		for (unsigned d = 0; d < DIR_COUNT && (lat == LIVE_RESP || f->kind == kind); d++) {
			if (!f->total[d].lat_n[lat])
				continue;
			if (!any)
				head(b, name, "summary", help);
			any = true;
			put_quantiles(b, r, name, i, d, &f->dir[d].lat[lat]);
			snprintf(part, sizeof(part), "%s_sum", name);
			put_job_label(b, part, r, i);
			strbuf_printf(b, ",direction=\"%s\"} ", direction[d]);
			put_seconds(b, f->total[d].lat_sum[lat]);
			snprintf(part, sizeof(part), "%s_count", name);
			strbuf_putc(b, '\n');
			put_job_label(b, part, r, i);
			strbuf_printf(b, ",direction=\"%s\"} %llu\n", direction[d],
				      (unsigned long long)f->total[d].lat_n[lat]);
		}
	}
}

static void put_gauge(struct strbuf *b, const char *name, uint64_t value, const char *help)
{
	head(b, name, "gauge", help);
	strbuf_printf(b, "%s %llu\n", name, (unsigned long long)value);
}

static void put_time_gauge(struct strbuf *b, const char *name, uint64_t ms, const char *help)
{
	head(b, name, "gauge", help);
	strbuf_printf(b, "%s %llu.%03llu\n", name, (unsigned long long)(ms / 1000),
		      (unsigned long long)(ms % 1000));
}

static void put_job_gauges(struct strbuf *b, const struct live_report *r)
{
	head(b, "fiord_workers_running", "gauge", "Workers of the job that run now.");
	for (size_t i = 0; i < r->njobs; i++) {
		put_job_label(b, "fiord_workers_running", r, i);
		strbuf_printf(b, "} %u\n", r->jobs[i].running);
	}
	head(b, "fiord_ios_in_flight", "gauge", "I/Os of the job in flight at the end of the interval.");
	for (size_t i = 0; i < r->njobs; i++) {
		if (!r->jobs[i].now.in_flight_known)
			continue;
		put_job_label(b, "fiord_ios_in_flight", r, i);
		strbuf_printf(b, "} %llu\n", (unsigned long long)r->jobs[i].now.in_flight);
	}
}

static void put_run(struct strbuf *b, const struct live_report *r)
{
	head(b, "fiord_run_info", "gauge", "The run; the value is always 1.");
	strbuf_puts(b, "fiord_run_info{version=\"");
	put_escaped(b, r->program_version);
	strbuf_printf(b, "\",run=\"%u\"} 1\n", r->run);
	put_time_gauge(b, "fiord_time_seconds", r->time_ms, "When the interval ended, since 1970.");
	put_time_gauge(b, "fiord_elapsed_seconds", r->elapsed_ns / 1000000,
		       "Time since the start of the run.");
	put_gauge(b, "fiord_workers_hung", r->nhung,
		  "Workers that have completed no I/O for a whole interval.");
	put_gauge(b, "fiord_run_finished", r->finished, "1 after the end of the run.");
	if (r->finished)
		put_gauge(b, "fiord_exit_status", (uint64_t)r->exit_code, "Exit status of the run.");
}

/* Adds the directions with a rate, once they have response times. */
static void put_unfinished(struct strbuf *b, const struct live_report *r)
{
	bool any = false;

	for (size_t i = 0; i < r->njobs; i++) {
		const struct live_total *t = r->jobs[i].now.total;

		for (unsigned d = 0; d < DIR_DATA; d++) {
			if (!t[d].lat_n[LIVE_RESP])
				continue;
			if (!any)
				head(b, "fiord_unfinished_ios_total", "counter",
				     "I/Os of a rate that were due and not complete at the end.");
			any = true;
			put_job_label(b, "fiord_unfinished_ios_total", r, i);
			strbuf_printf(b, ",direction=\"%s\"} %llu\n", direction[d],
				      (unsigned long long)t[d].unfinished);
		}
	}
}

void report_prometheus(const struct live_report *r, struct strbuf *b)
{
	put_run(b, r);
	put_metric(b, r, IOS, "fiord_ios_total", "counter", "Completed I/Os of the measured time.");
	put_metric(b, r, BYTES, "fiord_bytes_total", "counter", "Bytes of these I/Os.");
	put_metric(b, r, ERRORS, "fiord_errors_total", "counter", "I/Os that failed.");
	put_metric(b, r, IOPS, "fiord_iops", "gauge", "I/Os per second in the last interval.");
	put_metric(b, r, BW, "fiord_bandwidth_bytes_per_second", "gauge",
		   "Bytes per second in the last interval.");
	put_job_gauges(b, r);
	put_summary(b, r, LIVE_LAT, LAT_CLAT, "fiord_clat_seconds",
		    "Completion latency; quantiles of the last interval.");
	put_summary(b, r, LIVE_LAT, LAT_LAT, "fiord_lat_seconds",
		    "Total latency; quantiles of the last interval.");
	put_summary(b, r, LIVE_RESP, LAT_RESP, "fiord_resp_seconds",
		    "Time from when an I/O was due to its completion; quantiles of the last interval.");
	put_unfinished(b, r);
}
