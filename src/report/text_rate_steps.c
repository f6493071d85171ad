/* text_rate_steps.c: the steps of rate_steps in the text report. */
#include <inttypes.h>
#include "strbuf.h"
#include "text.h"

static void put_step_lat(struct strbuf *b, const char *name, const struct result_step_lat *l)
{
	const struct step_lat_figures *f = &l->sum;

	if (!f->n)
		return;
	strbuf_printf(b, "       %-8s: avg=%s", name, text_short_time(f->mean).text);
	if (f->percentile[0])
		strbuf_printf(b, ", p50=%s, p99=%s", text_short_time((double)f->percentile[STEP_P50]).text,
			      text_short_time((double)f->percentile[STEP_P99]).text);
	strbuf_printf(b, ", max=%s\n", text_short_time((double)f->max).text);
}

static void put_step_line(struct strbuf *b, const struct result_job *j, unsigned dir,
			  const struct result_step_dir *d)
{
	static const char *const name[DIR_DATA] = { "read", "write", "trim" };

	strbuf_printf(b, "     %-10s: asked=", name[dir]);
	if (j->rate_steps.by_bytes)
		strbuf_puts(b, text_num(d->rate, &j->units, UNITS_BYTES_PER_S).text);
	else
		strbuf_puts(b, text_count(d->rate, &j->units).text);
	strbuf_printf(b, ", IOPS=%s, BW=%s, ios=%" PRIu64 " (%s), late=%" PRIu64,
		      text_rate(d->iops, &j->units).text,
		      text_num(d->bw_bytes, &j->units, UNITS_BYTES_PER_S).text, d->ios,
		      text_num(d->bytes, &j->units, UNITS_BYTES).text, d->late_ios);
	if (d->unfinished)
		strbuf_printf(b, ", unfinished=%" PRIu64, d->unfinished);
	strbuf_putc(b, '\n');
	put_step_lat(b, "clat", &d->lat[STEP_CLAT]);
	put_step_lat(b, "resp", &d->lat[STEP_RESP]);
}

void text_rate_steps(struct strbuf *b, const struct result_job *j)
{
	const struct result_rate_steps *s = &j->rate_steps;

	for (size_t i = 0; i < s->nsteps; i++) {
		const struct result_rate_step *step = &s->steps[i];

		strbuf_printf(b, "  rate step %-3zu: from %.3f s, for %.3f s\n", i + 1,
			      (double)step->start_ns / 1e9, (double)step->length_ns / 1e9);
		for (unsigned dir = 0; dir < DIR_DATA; dir++)
			if (s->dirs & 1u << dir)
				put_step_line(b, j, dir, &step->dir[dir]);
	}
}
