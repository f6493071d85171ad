/* start.c: the lines that are printed before a run. */
#include "report.h"

#include <inttypes.h>
#include <string.h>
#include "strbuf.h"
#include "text.h"

void report_start_line(struct strbuf *b, const struct report_start *s)
{
	static const char letter[DIR_DATA] = { 'R', 'W', 'T' };

	strbuf_plain(b, s->name);
	strbuf_printf(b, ": (g=%u): rw=%s, bs=", s->group, s->rw);
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		strbuf_printf(b, "(%c) %s-%s, ", letter[dir],
			      text_num(s->bs_lo[dir], &s->units, UNITS_BYTES).text,
			      text_num(s->bs_hi[dir], &s->units, UNITS_BYTES).text);
	strbuf_printf(b, "ioengine=%s, iodepth=%u\n", s->engine, s->iodepth);
	if (s->clones > 1)
		strbuf_puts(b, "...\n");
}

void report_version(struct strbuf *b, const char *program, const char *version, const char *fio_version,
		    bool as_fio)
{
	/* The program is fio itself if the result was read from a document of fio. */
	if (!strcmp(program, "fio"))
		strbuf_printf(b, "fio-%s", fio_version);
	else if (as_fio)
		strbuf_printf(b, "fio-%s-%s%s", fio_version, program, version);
	else
		strbuf_printf(b, "%s %s (fio %s)", program, version, fio_version);
}

static void count_of(struct strbuf *b, unsigned n, const char *singular, const char *plural)
{
	strbuf_printf(b, "%u %s", n, n == 1 ? singular : plural);
}

void report_starting(struct strbuf *b, unsigned processes, unsigned threads)
{
	strbuf_puts(b, "Starting ");
	if (threads)
		count_of(b, threads, "thread", "threads");
	if (threads && processes)
		strbuf_puts(b, " and ");
	if (processes || !threads)
		count_of(b, processes, "process", "processes");
	strbuf_putc(b, '\n');
}

void report_layout_line(struct strbuf *b, const char *name, unsigned files, uint64_t bytes)
{
	const char *plural = files == 1 ? "" : "s";

	/* As in fio in whole MiB; smaller sizes are in KiB. */
	strbuf_plain(b, name);
	strbuf_printf(b, ": Laying out IO file%s (%u file%s / ", plural, files, plural);
	if (bytes >> 20)
		strbuf_printf(b, "%" PRIu64 "MiB)\n", bytes >> 20);
	else
		strbuf_printf(b, "%" PRIu64 "KiB)\n", (bytes + 1023) >> 10);
}
