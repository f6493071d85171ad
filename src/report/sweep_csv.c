#include "sweep_report.h"

#include <errno.h>
#include <inttypes.h>
#include "csv_cells.h"
#include "strbuf.h"

static void put_point_figures(struct strbuf *b, const struct sweep_figures *f)
{
	const uint64_t percentile[] = { f->p50_ns, f->p99_ns, f->p999_ns };

	strbuf_printf(b, ",%" PRIu64 ",%" PRIu64 ",", f->ios, f->errors);
	csv_double(b, f->iops);
	strbuf_putc(b, ',');
	csv_double(b, f->bw_bytes);
	strbuf_printf(b, ",%s,", f->kind == LAT_KINDS ? "" : sweep_lat_name(f->kind));
	if (f->kind != LAT_KINDS)
		csv_double(b, f->mean_ns);
	strbuf_putc(b, ',');
	if (f->kind != LAT_KINDS)
		strbuf_u64(b, f->max_ns);
	strbuf_printf(b, ",%s", f->percentiles ? sweep_lat_name(f->kind) : "");
	for (unsigned i = 0; i < 3; i++) {
		strbuf_putc(b, ',');
		if (f->percentiles)
			strbuf_u64(b, percentile[i]);
	}
	strbuf_putc(b, ',');
	csv_double(b, sweep_power(f));
	strbuf_printf(b, ",%s,",
		      f->steady == SWEEP_NO_CRITERION ? ""
		      : f->steady == SWEEP_STEADY     ? "yes"
						      : "no");
	if (f->rated && f->asked_iops > 0)
		csv_double(b, f->asked_iops);
	strbuf_putc(b, ',');
	if (f->rated)
		strbuf_u64(b, f->unissued);
	strbuf_printf(b, ",%s", !f->rated ? "" : f->overloaded ? "yes" : "no");
}

static const char *state_name(const struct sweep_point *p)
{
	return p->state == SWEEP_DONE ? "done" : p->state == SWEEP_FAILED ? "failed" : "not run";
}

static void put_point_row(struct strbuf *b, const struct sweep *s, const struct sweep_point *p, size_t group)
{
	bool known = p->group && p->group[group].known;

	for (size_t k = 0; k < s->matrix.ndims; k++) {
		csv_text(b, p->value[k]);
		strbuf_putc(b, ',');
	}
	csv_text(b, s->groups ? s->group_name[group] : "");
	strbuf_printf(b, ",%s", state_name(p));
	if (known)
		put_point_figures(b, &p->group[group]);
	else
		strbuf_puts(b, ",,,,,,,,,,,,,,,,");
	strbuf_putc(b, ',');
	if (p->source)
		csv_text(b, p->source);
	strbuf_putc(b, ',');
	if (p->error)
		csv_text(b, p->error);
	strbuf_putc(b, '\n');
}

int report_sweep_csv(const struct sweep *s, struct strbuf *b)
{
	size_t groups = s->groups ? s->groups : 1;

	for (size_t k = 0; k < s->matrix.ndims; k++) {
		csv_text(b, s->matrix.dims[k].name);
		strbuf_putc(b, ',');
	}
	strbuf_puts(b, "jobs,state,ios,errors,iops,bw_bytes,latency,mean_ns,max_ns,percentiles_of,"
		       "p50_ns,p99_ns,p99.9_ns,iops_per_mean_s,steady,asked_iops,unissued,overloaded,"
		       "document,error\n");
	for (size_t i = 0; i < s->npoints; i++)
		for (size_t g = 0; g < groups && s->points[i].state != SWEEP_SKIPPED; g++)
			put_point_row(b, s, &s->points[i], g);
	return b->failed ? -ENOMEM : 0;
}
