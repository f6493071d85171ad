#include "sweep_report.h"

#include <errno.h>
#include "csv_cells.h"
#include "strbuf.h"

static void put_point_figures(struct strbuf *b, const struct sweep_figures *f)
{
	const uint64_t percentile[] = { f->p50_ns, f->p99_ns, f->p999_ns };
	bool lat = f->kind != LAT_KINDS;

	csv_next_u64(b, true, f->ios);
	csv_next_u64(b, true, f->errors);
	csv_next_double(b, true, f->iops);
	csv_next_double(b, true, f->bw_bytes);
	strbuf_printf(b, ",%s", lat ? sweep_lat_name(f->kind) : "");
	csv_next_double(b, lat, f->mean_ns);
	csv_next_u64(b, lat, f->max_ns);
	strbuf_printf(b, ",%s", f->percentiles ? sweep_lat_name(f->kind) : "");
	for (unsigned i = 0; i < 3; i++)
		csv_next_u64(b, f->percentiles, percentile[i]);
	csv_next_double(b, true, sweep_power(f));
	strbuf_printf(b, ",%s",
		      f->steady == SWEEP_NO_CRITERION ? ""
		      : f->steady == SWEEP_STEADY     ? "yes"
						      : "no");
	csv_next_double(b, f->rated && f->asked_iops > 0, f->asked_iops);
	csv_next_u64(b, f->rated, f->unissued);
	strbuf_printf(b, ",%s", !f->rated ? "" : f->overloaded ? "yes" : "no");
}

static void put_where_header(struct strbuf *b)
{
	for (unsigned i = 0; i < WHERE_PARTS; i++)
		strbuf_printf(b, "%s_mean_ns,%s_p99_ns,", where_part_name[i], where_part_name[i]);
	for (unsigned i = WHERE_TAIL; i < WHERE_NAMES; i++)
		strbuf_printf(b, "%s_mean_ns,", where_part_name[i]);
}

static void put_where_figures(struct strbuf *b, const struct where *w)
{
	for (unsigned i = 0; i < WHERE_PARTS; i++) {
		csv_next_double(b, where_mean(w, i) > 0, where_mean(w, i));
		csv_next_u64(b, w->parts[i].p99_ns, w->parts[i].p99_ns);
	}
	for (unsigned i = WHERE_TAIL; i < WHERE_NAMES; i++)
		csv_next_double(b, where_mean(w, i) > 0, where_mean(w, i));
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
	if (sweep_has_where(s, s->groups))
		put_where_figures(b, known ? &p->group[group].where : &(struct where){ 0 });
	csv_next_text(b, p->source);
	csv_next_text(b, p->error);
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
		       "p50_ns,p99_ns,p99.9_ns,iops_per_mean_s,steady,asked_iops,unissued,overloaded,");
	if (sweep_has_where(s, s->groups))
		put_where_header(b);
	strbuf_puts(b, "document,error\n");
	for (size_t i = 0; i < s->npoints; i++)
		for (size_t g = 0; g < groups && s->points[i].state != SWEEP_SKIPPED; g++)
			put_point_row(b, s, &s->points[i], g);
	return b->failed ? -ENOMEM : 0;
}
