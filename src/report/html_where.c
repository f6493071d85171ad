/* html_where.c: where the time of requests went (latency_split): a chart of the parts, and their figures. */
#include <inttypes.h>
#include "html_page.h"
#include "strbuf.h"
#include "where.h"

#define BARS_MAX 16

bool html_has_where(const struct result *r)
{
	for (size_t i = 0; i < r->njobs; i++)
		if (r->jobs[i]->nsplits)
			return true;
	return false;
}

/* Returns "read, nvme0n1"; of several jobs with the name of the job and its host. */
static const char *row_name(struct html_run *h, const struct result_job *j, const struct result_split *row)
{
	const char *on = j->hostname ? " on " : "", *host = j->hostname ? j->hostname : "";

	if (h->r->njobs == 1)
		return html_string(h, "%s, %s", row->dir, row->disk);
	return html_string(h, "%s, %s, %s%s%s", row->dir, row->disk, html_name(j), on, host);
}

static void put_bars(struct html_run *h)
{
	struct svg_axes axes = { .title = "Mean latency by part", .unit = SVG_NS };
	struct svg_bar bar[BARS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < h->r->njobs; i++)
		for (size_t k = 0; k < h->r->jobs[i]->nsplits && n < BARS_MAX; k++) {
			const struct result_split *row = &h->r->jobs[i]->splits[k];

			bar[n++] = (struct svg_bar){
				.name = row_name(h, h->r->jobs[i], row),
				.part = { row->submission.mean, row->scheduler.mean, row->device.mean,
					  row->completion_known ? row->completion.mean : 0 }
			};
		}
	strbuf_puts(h->b, "<figure>\n<figcaption><strong>Mean latency by part</strong> Of the requests of "
			  "each direction "
			  "to each disk. Means of parts add up; percentiles do not, and stand in the "
			  "table.</figcaption>\n");
	svg_bars(h->b, &axes, bar, n, where_part_name, WHERE_PARTS);
	strbuf_puts(h->b, "</figure>\n");
}

/* The submission is known of requests that the workers queued themselves, the completion of I/Os of one
   request; of some of them only the mean. */
static void put_part(struct strbuf *b, const char *name, const struct result_split_part *part, bool known,
		     const char *tail)
{
	const uint64_t value[] = { part->p50, part->p90, part->p99, part->p999, part->max };

	html_cell(b, name);
	html_number(b, known ? readable_latency(part->mean).text : "");
	for (unsigned i = 0; i < 5; i++)
		html_number(b, part->n ? readable_latency((double)value[i]).text : "");
	html_number(b, tail);
	html_row_end(b);
}

/* Returns the share of a part in the slowest hundredth of the requests. */
static const char *tail_share(struct html_run *h, const struct result_split_tail *t, double percent,
			      bool known)
{
	return t->n && known ? html_string(h, "%s", readable_percent(percent).text) : "";
}

static void put_row(struct html_run *h, const struct result_job *j, const struct result_split *row)
{
	const struct result_split_tail *t = &row->tail;

	html_printf(h->b, "<tbody>\n<tr><th scope=\"rowgroup\" rowspan=\"%u\">%s<br>%" PRIu64 " request%s",
		    WHERE_PARTS, row_name(h, j, row), row->requests, row->requests == 1 ? "" : "s");
	if (row->requests_per_io > 0)
		strbuf_printf(h->b, ", %.2f per I/O", row->requests_per_io);
	if (row->measured < row->requests)
		strbuf_printf(h->b, ", %" PRIu64 " measured", row->measured);
	if (row->helper_requests)
		strbuf_printf(h->b, ", %" PRIu64 " by helper threads", row->helper_requests);
	strbuf_puts(h->b, "</th>");
	put_part(h->b, where_part_name[WHERE_SUBMISSION], &row->submission, row->submission.n,
		 tail_share(h, t, t->submission_percent, true));
	strbuf_puts(h->b, "<tr>");
	put_part(h->b, where_part_name[WHERE_SCHEDULER], &row->scheduler, true,
		 tail_share(h, t, t->scheduler_percent, true));
	strbuf_puts(h->b, "<tr>");
	put_part(h->b, where_part_name[WHERE_DEVICE], &row->device, true,
		 tail_share(h, t, t->device_percent, true));
	strbuf_puts(h->b, "<tr>");
	put_part(h->b, where_part_name[WHERE_COMPLETION], &row->completion, row->completion_known,
		 tail_share(h, t, t->completion_percent, t->has_completion));
	strbuf_puts(h->b, "</tbody>\n");
}

static void put_others(struct html_run *h)
{
	static const char *const column[] = { "Process", "Disk", "#Requests", "#Share", "#Bytes" };
	bool any = false;

	for (size_t i = 0; i < h->r->njobs; i++)
		for (size_t k = 0; k < h->r->jobs[i]->nsplit_others; k++) {
			const struct result_job *j = h->r->jobs[i];
			const struct result_split_other *o = &j->split_others[k];

			if (!any)
				html_table(h->b, "Requests of others to these disks", column, 5);
			any = true;
			html_row(h->b, NULL);
			html_printf(h->b, "<th scope=\"row\">%s%s</th>", o->kernel ? "the kernel's " : "",
				    o->name);
			html_cell(h->b, o->disk);
			html_exact(h->b, o->requests);
			html_number(h->b, readable_percent(o->percent).text);
			html_number(h->b, readable_bytes((double)o->bytes, &j->units).text);
			html_row_end(h->b);
		}
	if (any)
		html_table_end(h->b);
}

void html_where(struct html_run *h)
{
	static const char *const column[] = { "Requests", "Part",     "#Mean",
					      "#p50",     "#p90",     "#p99",
					      "#p99.9",   "#Maximum", "#Share of the slowest 1 %" };

	put_bars(h);
	html_table_head(h->b, "Latency of requests by part", column, 9);
	for (size_t i = 0; i < h->r->njobs; i++)
		for (size_t k = 0; k < h->r->jobs[i]->nsplits; k++)
			put_row(h, h->r->jobs[i], &h->r->jobs[i]->splits[k]);
	html_table_foot(h->b);
	put_others(h);
}
