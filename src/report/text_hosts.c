#include <inttypes.h>
#include <string.h>
#include "strbuf.h"
#include "text.h"

#define NAME_WIDTH     12 /* of the column of host names, which grows with them up to NAME_MAX_WIDTH */
#define NAME_MAX_WIDTH 40

/* Adds "n3 (rank 2)". */
static void put_name(struct strbuf *b, const struct result_host *h)
{
	strbuf_printf_plain(b, "%s (rank %u)", h->hostname, h->rank);
}

static void put_rate(struct strbuf *b, uint64_t bytes_per_s)
{
	static const struct result_units units = { .figures = 4 };

	strbuf_puts(b, text_num(bytes_per_s, &units, UNITS_BYTES_PER_S).text);
}

void text_straggler(struct strbuf *b, const struct result_host *h)
{
	if (h->straggler == STRAGGLER_LATE) {
		strbuf_printf(b, "took %s for wave %u, the median rank %s",
			      text_short_time((double)h->straggler_value).text, h->straggler_wave,
			      text_short_time((double)h->straggler_median).text);
	} else if (h->straggler == STRAGGLER_SLOW) {
		strbuf_puts(b, "moved ");
		put_rate(b, h->straggler_value);
		strbuf_puts(b, ", the median rank ");
		put_rate(b, h->straggler_median);
	}
}

static int name_width(const struct result_hosts *hosts)
{
	size_t width = NAME_WIDTH;

	for (size_t i = 0; i < hosts->n; i++) {
		size_t n = strlen(hosts->v[i].hostname);

		width = n > width ? n : width;
	}
	return width > NAME_MAX_WIDTH ? NAME_MAX_WIDTH : (int)width;
}

/* Adds text in at least `width` columns, on the left or on the right of them. */
static void put_column(struct strbuf *b, const struct strbuf *text, int width, bool left)
{
	strbuf_printf(b, left ? "  %-*s" : "  %*s", width, strbuf_str(text));
	b->failed |= text->failed;
}

static void put_time_column(struct strbuf *b, uint64_t ns, bool known)
{
	struct strbuf text = { 0 };

	if (known)
		strbuf_puts(&text, text_short_time((double)ns).text);
	else
		strbuf_putc(&text, '?');
	put_column(b, &text, 10, false);
	strbuf_fini(&text);
}

static void put_bytes_column(struct strbuf *b, uint64_t bytes)
{
	static const struct result_units units = { .figures = 4 };
	struct strbuf text = { 0 };

	strbuf_puts(&text, text_num(bytes, &units, UNITS_BYTES).text);
	put_column(b, &text, 9, false);
	strbuf_fini(&text);
}

static void put_host_line(struct strbuf *b, const struct result_host *h, int width)
{
	struct strbuf name = { 0 };

	strbuf_plain(&name, h->hostname);
	strbuf_printf(b, "  %4u", h->rank);
	put_column(b, &name, width, true);
	strbuf_fini(&name);
	if (h->nwaves) {
		put_time_column(b, h->start_late_ns, h->late_known);
		put_time_column(b, h->done_ns, true);
		strbuf_printf(b, "  %12" PRIu64, h->ios);
		put_bytes_column(b, h->bytes);
	} else {
		strbuf_puts(b, "  measured nothing");
	}
	strbuf_putc(b, '\n');
}

static void put_ends(struct strbuf *b, const struct result_hosts *hosts)
{
	if (hosts->late_known) {
		strbuf_puts(b, "  last start: ");
		put_name(b, &hosts->v[hosts->latest]);
		strbuf_printf(b, ", %s after the common start\n",
			      text_short_time((double)hosts->v[hosts->latest].start_late_ns).text);
	}
	if (!hosts->known)
		return;
	strbuf_puts(b, "  first done: ");
	put_name(b, &hosts->v[hosts->first_done]);
	strbuf_printf(b, ", after %s\n  last done:  ",
		      text_short_time((double)hosts->v[hosts->first_done].done_ns).text);
	put_name(b, &hosts->v[hosts->last_done]);
	strbuf_printf(b, ", after %s\n", text_short_time((double)hosts->v[hosts->last_done].done_ns).text);
}

static void put_findings(struct strbuf *b, const struct result_host *h)
{
	if (h->straggler) {
		strbuf_puts(b, "  straggler:  ");
		put_name(b, h);
		strbuf_putc(b, ' ');
		text_straggler(b, h);
		strbuf_putc(b, '\n');
	}
	if (h->error) {
		strbuf_puts(b, "  error:      ");
		put_name(b, h);
		strbuf_printf_plain(b, ": %s\n", h->error);
	}
}

void text_hosts(struct strbuf *b, const struct result_hosts *hosts)
{
	int width = name_width(hosts);

	if (!hosts->n)
		return;
	strbuf_printf(b, "\nHosts (%zu rank%s):\n  rank  %-*s  %10s  %10s  %12s  %9s\n", hosts->n,
		      hosts->n == 1 ? "" : "s", width, "host", "start late", "done after", "I/Os", "data");
	for (size_t i = 0; i < hosts->n; i++)
		put_host_line(b, &hosts->v[i], width);
	put_ends(b, hosts);
	for (size_t i = 0; i < hosts->n; i++)
		put_findings(b, &hosts->v[i]);
}
