/* text_rate_steps.c: the steps of rate_steps in the text report. */
#include <inttypes.h>
#include "strbuf.h"
#include "text.h"

static void put_step_lat(struct strbuf *b, const char *name, const struct result_step_lat *l)
{
	const struct step_lat_figures *f = &l->sum;

	if (!f->n)
		return;
	strbuf_printf(b, "       %-8s: avg=", name);
	text_short_time(b, f->mean);
	if (f->percentile[0]) {
		strbuf_puts(b, ", p50=");
		text_short_time(b, (double)f->percentile[STEP_P50]);
		strbuf_puts(b, ", p99=");
		text_short_time(b, (double)f->percentile[STEP_P99]);
	}
	strbuf_puts(b, ", max=");
	text_short_time(b, (double)f->max);
	strbuf_putc(b, '\n');
}

static void put_step_line(struct strbuf *b, const struct result_job *j, unsigned dir,
			  const struct result_step_dir *d)
{
	static const char *const name[DIR_DATA] = { "read", "write", "trim" };

	strbuf_printf(b, "     %-10s: asked=", name[dir]);
	if (j->rate_steps.by_bytes)
		text_num(b, d->rate, &j->units, UNITS_BYTES_PER_S);
	else
		text_count(b, d->rate, &j->units);
	strbuf_puts(b, ", IOPS=");
	text_rate(b, d->iops, &j->units);
	strbuf_puts(b, ", BW=");
	text_num(b, d->bw_bytes, &j->units, UNITS_BYTES_PER_S);
	strbuf_printf(b, ", ios=%" PRIu64 " (", d->ios);
	text_num(b, d->bytes, &j->units, UNITS_BYTES);
	strbuf_printf(b, "), late=%" PRIu64, d->late_ios);
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
