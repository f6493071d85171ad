/* html_hosts.c: the ranks of a run on several hosts. */
#include "html_page.h"

#include "strbuf.h"
#include "text.h"

static void put_time_cell(struct strbuf *b, uint64_t ns, bool known)
{
	html_number(b, known ? readable_latency((double)ns).text : "");
}

/* Adds the straggler's figures and the error. */
static void put_remark(struct strbuf *b, const struct result_host *h)
{
	struct strbuf text = { 0 };

	html_cell_begin(b);
	if (h->straggler) {
		text_straggler(&text, h);
		html_printf(b, "<strong>Straggler:</strong> it %s", strbuf_str(&text));
		strbuf_puts(b, h->error ? "<br>" : "");
	}
	if (h->error)
		html_printf(b, "<strong>Error:</strong> %s", h->error);
	html_cell_end(b);
	strbuf_end(&text, b);
}

static void put_host_row(struct strbuf *b, const struct result_host *h)
{
	static const struct result_units units;

	html_row(b, h->hostname);
	strbuf_printf(b, "<td class=\"n\">%u</td>", h->rank);
	put_time_cell(b, h->start_late_ns, h->late_known);
	put_time_cell(b, h->done_ns, h->nwaves > 0);
	html_exact(b, h->ios);
	html_number(b, readable_bytes((double)h->bytes, &units).text);
	strbuf_printf(b, "<td class=\"n\">%d</td>", h->code);
	put_remark(b, h);
	html_row_end(b);
}

static void put_host(struct strbuf *b, const struct result_host *h)
{
	html_printf(b, "%s (rank %u)", h->hostname, h->rank);
}

static void put_ends(struct strbuf *b, const struct result_hosts *hosts)
{
	if (!hosts->known)
		return;
	strbuf_puts(b, "<p>");
	if (hosts->late_known) {
		strbuf_printf(b, "The last worker began %s after the common start, on ",
			      readable_latency((double)hosts->v[hosts->latest].start_late_ns).text);
		put_host(b, &hosts->v[hosts->latest]);
		strbuf_puts(b, ". ");
	}
	put_host(b, &hosts->v[hosts->first_done]);
	strbuf_printf(b, " was done first, after %s; ",
		      readable_latency((double)hosts->v[hosts->first_done].done_ns).text);
	put_host(b, &hosts->v[hosts->last_done]);
	strbuf_printf(b, " was done last, after %s.</p>\n",
		      readable_latency((double)hosts->v[hosts->last_done].done_ns).text);
}

void html_hosts(struct html_run *h)
{
	static const char *const column[] = { "Host",  "#Rank", "#Start late", "#Done after",
					      "#I/Os", "#Data", "#Exit code",  "Remark" };
	const struct result_hosts *hosts = &h->r->hosts;

	put_ends(h->b, hosts);
	html_table(h->b, "The ranks of the run; times begin with the common start of the first wave", column,
		   sizeof(column) / sizeof(*column));
	for (size_t i = 0; i < hosts->n; i++)
		put_host_row(h->b, &hosts->v[i]);
	html_table_end(h->b);
}
