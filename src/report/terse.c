/* terse.c: fio's lines of fields separated by ';', one line per reported job, with the fields of versions 2
   to 5. Latencies are microseconds, bandwidths KiB/s, times ms. */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include "strbuf.h"
#include "text.h"
#include "utf8.h"

/* Replaces ';' and line breaks of a name, which would shift all later fields, and what no line may show. */
static void put_text(struct strbuf *b, const char *text)
{
	for (size_t len; *text; text += len) {
		bool shown;

		len = utf8_next(text, &shown);
		shown &= *text != ';';
		strbuf_add(b, shown ? text : "_", shown ? len : 1);
	}
}

static void put_lat(struct strbuf *b, const struct summary_lat *l)
{
	strbuf_printf(b, ";%" PRIu64 ";%" PRIu64 ";%f;%f", l->min / 1000, l->max / 1000, l->mean / 1000,
		      l->stddev / 1000);
}

/* Always adds twenty cells. As in fio they are of total latencies if the user requested those, otherwise of
   completion latencies. The percentiles of the list are printed even without I/O. */
static void put_percentiles(struct strbuf *b, const struct summary *s, const struct summary_dir *d)
{
	const struct summary_lat *l = &d->lat[s->print_percentiles[LAT_LAT] ? LAT_LAT : LAT_CLAT];
	unsigned n = s->print_percentiles[LAT_LAT] || s->print_percentiles[LAT_CLAT] ? s->npercentiles : 0;

	for (unsigned i = 0; i < SUMMARY_PERCENTILES; i++) {
		if (i < n)
			strbuf_printf(b, ";%f%%=%" PRIu64, s->percentiles[i], l->value[i] / 1000);
		else
			strbuf_puts(b, ";0%=0");
	}
}

static void put_dir_fields(struct strbuf *b, const struct summary *s, unsigned dir, unsigned version)
{
	const struct summary_dir *d = &s->dir[dir];
	const struct summary_rate *bw = &d->bw_row, *iops = &d->iops_row;
	const struct summary_lat *lat = &d->lat[LAT_LAT];

	strbuf_printf(b, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64, d->bytes >> 10, d->bw_bytes >> 10,
		      (uint64_t)d->iops, d->runtime_ms);
	put_lat(b, &d->lat[LAT_SLAT]);
	put_lat(b, &d->lat[LAT_CLAT]);
	put_percentiles(b, s, d);
	put_lat(b, lat);
	strbuf_printf(b, ";%" PRIu64 ";%" PRIu64 ";%f%%;%f;%f", text_whole(bw->min), text_whole(bw->max),
		      d->bw_share, bw->mean, bw->stddev);
	if (version >= 5)
		strbuf_printf(b, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%f;%f;%" PRIu64, bw->n,
			      text_whole(iops->min), text_whole(iops->max), iops->mean, iops->stddev,
			      iops->n);
}

/* Cells below a microsecond are added to the first cell of the microseconds. */
static void put_cells(struct strbuf *b, const struct summary *s)
{
	double below = 0;

	for (unsigned i = 0; i < WSTAT_DEPTHS; i++)
		strbuf_printf(b, ";%3.1f%%", s->depth[i]);
	for (unsigned i = 0; i < SUMMARY_LAT_CELLS; i++)
		below += s->lat_ns[i];
	for (unsigned i = 0; i < SUMMARY_LAT_CELLS; i++)
		strbuf_printf(b, ";%3.2f%%", s->lat_us[i] + (i ? 0 : below));
	for (unsigned i = 0; i < SUMMARY_LAT_MS_CELLS; i++)
		strbuf_printf(b, ";%3.2f%%", s->lat_ms[i]);
}

static void put_disks(struct strbuf *b, const struct result *r)
{
	for (size_t i = 0; i < r->ndisks; i++) {
		const struct result_disk *disk = &r->disks[i];
		const struct result_disk_counts *c = &disk->counts;

		strbuf_putc(b, ';');
		put_text(b, disk->name);
		strbuf_printf(b,
			      ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64
			      ";%" PRIu64 ";%3.2f%%",
			      c->ios[0], c->ios[1], c->merges[0], c->merges[1], c->ticks_ms[0],
			      c->ticks_ms[1], c->in_queue_ms, c->util);
	}
}

/* unified_rw_reporting=mixed has one block instead of those of the directions; =both has one more. */
static void put_dir_groups(struct strbuf *b, const struct result_job *j, unsigned version)
{
	put_dir_fields(b, &j->sum, DIR_READ, version);
	if (j->mixed)
		return;
	put_dir_fields(b, &j->sum, DIR_WRITE, version);
	if (version != 3)
		put_dir_fields(b, &j->sum, DIR_TRIM, version);
	if (j->both) {
		struct result_job all = result_job_mixed(j);

		put_dir_fields(b, &all.sum, DIR_READ, version);
	}
}

static void put_job_fields(struct strbuf *b, const struct result *r, const struct result_job *j,
			   unsigned version)
{
	const struct summary *s = &j->sum;

	strbuf_printf(b, "%u;", version);
	if (version > 2) {
		report_version(b, r->program, r->version, r->fio_version, true);
		strbuf_putc(b, ';');
	}
	put_text(b, j->name);
	strbuf_printf(b, ";%u;%d", j->group, j->error);
	put_dir_groups(b, j, version);
	strbuf_printf(b, ";%f%%;%f%%;%" PRIu64 ";%" PRIu64 ";%" PRIu64, s->usr_cpu, s->sys_cpu, s->ctx,
		      s->majf, s->minf);
	put_cells(b, s);
	if (version > 2)
		put_disks(b, r);
	if (j->continue_on_error)
		strbuf_printf(b, ";%" PRIu64 ";%d", s->errors, s->first_error);
	if (j->description) {
		strbuf_puts(b, version == 2 ? "\n;" : ";");
		put_text(b, j->description);
	}
	strbuf_putc(b, '\n');
}

int report_terse(const struct result *r, unsigned version, struct strbuf *b)
{
	for (size_t i = 0; i < r->njobs; i++)
		put_job_fields(b, r, r->jobs[i], version);
	return r->failed || b->failed ? -ENOMEM : 0;
}
