#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "counts.h"
#include "readable.h"
#include "strbuf.h"

/* The text lists at most this many lost I/Os and damaged ranges; JSON lists more. */
#define LOST_MAX   8
#define DAMAGE_MAX 8

/* Lists the oldest I/Os that never completed. */
static void put_lost(struct strbuf *b, const struct result_job *j)
{
	unsigned listed = j->nlost_ios < LOST_MAX ? j->nlost_ios : LOST_MAX;

	for (unsigned i = 0; i < listed; i++) {
		const struct result_lost_io *io = &j->lost_ios[i];
		uint64_t ms = io->age_ns / 1000000;

		strbuf_printf_plain(b, "  lost I/O     : %s of %s", io->op, io->file);
		strbuf_printf(b,
			      " at offset %" PRIu64 ", length %" PRIu64 ", after %" PRIu64 ".%03" PRIu64
			      " s (pid %d)\n",
			      io->offset, io->length, ms / 1000, ms % 1000, io->pid);
	}
	if (j->lost_ios_total > listed)
		strbuf_printf(b, "  lost I/O     : and %" PRIu64 " more\n", j->lost_ios_total - listed);
}

static void put_damage(struct strbuf *b, const struct result_damage *d)
{
	strbuf_printf_plain(b, "  damage       : %s: ", d->file);
	if (d->length == 1)
		strbuf_printf(b, "byte %" PRIu64, d->offset);
	else
		strbuf_printf(b, "bytes %" PRIu64 " to %" PRIu64, d->offset, d->offset + d->length - 1);
	strbuf_printf(b, ", %" PRIu64 " block%s: %s%s\n", d->blocks, d->blocks == 1 ? "" : "s", d->text,
		      d->expected && d->blocks > 1 ? " in the first" : "");
}

static void put_verify(struct strbuf *b, const struct result_verify *v)
{
	uint64_t more = v->unlisted, all = result_verify_blocks(v);

	if (!v->on)
		return;
	strbuf_printf(b, "  verify       : %" PRIu64, v->checked);
	if (all > v->checked)
		strbuf_printf(b, " of %" PRIu64, all);
	strbuf_printf(b,
		      " blocks checked, %" PRIu64 " in part, %" PRIu64 " not checked; %" PRIu64 " damaged\n",
		      v->in_part, v->not_checked, v->damaged);
	for (unsigned i = 0; i < v->ndamages; i++) {
		if (i < DAMAGE_MAX)
			put_damage(b, &v->damages[i]);
		else
			more += v->damages[i].blocks;
	}
	if (more)
		strbuf_printf(b, "  damage       : and %" PRIu64 " more blocks\n", more);
}

void normal_job_name(struct strbuf *b, const struct result_job *j)
{
	if (j->hostname)
		strbuf_printf_plain(b, "<%s> ", j->hostname);
	if (j->name)
		strbuf_plain(b, j->name);
}

static void put_header(struct strbuf *b, const struct result *r, const struct result_job *j)
{
	char when[TEXT_TIME];

	normal_job_name(b, j);
	strbuf_printf(b, ": (groupid=%u, jobs=%u): err=%2d", j->group, j->members, j->error);
	if (j->error)
		strbuf_printf_plain(b, " (%s)", j->error_text ? j->error_text : diag_errno(j->error));
	strbuf_printf(b, ": pid=%d: %s\n", j->pid, text_time(when, sizeof(when), r->timestamp_ms));
	if (j->description)
		strbuf_printf_plain(b, "  Description  : [%s]\n", j->description);
	if (j->lost_reason)
		strbuf_printf_plain(b, "  lost         : %s\n", j->lost_reason);
	put_lost(b, j);
	/* fio has no such line: in its name it appears only if not all blocks were checked. */
	if (!r->as_fio || !j->verify.checked || result_verify_blocks(&j->verify) > j->verify.checked)
		put_verify(b, &j->verify);
}

static void put_extremes(struct strbuf *b, double min, double max)
{
	strbuf_printf(b, "min=%s, max=%s", text_low(min, 5).text, text_low(max, 5).text);
}

/* The bandwidth samples are KiB/s. */
static void put_bw_row(struct strbuf *b, const struct summary_dir *d, unsigned kb_base)
{
	const struct summary_rate *r = &d->bw_row;
	double base = kb_base == 1000 ? 1000 : 1024, scale = 1024 / base;
	const char *unit = kb_base == 1000 ? "kB" : "KiB";

	if (r->mean * scale > base * base) {
		scale /= base;
		unit = kb_base == 1000 ? "MB" : "MiB";
	}
	strbuf_printf(b, "   bw (%5s/s): ", unit);
	put_extremes(b, r->min * scale, r->max * scale);
	strbuf_printf(b, ", per=%3.2f%%, avg=%5.02f, stdev=%5.02f, samples=%" PRIu64 "\n", d->bw_share,
		      r->mean * scale, r->stddev * scale, r->n);
}

static void put_iops_row(struct strbuf *b, const struct summary_rate *r)
{
	strbuf_puts(b, "   iops        : ");
	put_extremes(b, r->min, r->max);
	strbuf_printf(b, ", avg=%5.02f, stdev=%5.02f, samples=%" PRIu64 "\n", r->mean, r->stddev, r->n);
}

static void put_prio_rows(struct strbuf *b, const struct result_job *j, unsigned dir)
{
	const char *kind = latency_label[j->prio_kind];
	char label[64];

	for (unsigned i = 0; i < j->nprios[dir]; i++) {
		const struct summary_prio *p = &j->prios[dir][i].sum;

		snprintf(label, sizeof(label), "    %s prio %u/%u/%u", kind, p->class, p->level, p->hint);
		latency_row(b, &p->lat, label);
	}
}

static void put_prio_percentiles(struct strbuf *b, const struct result_job *j, unsigned dir)
{
	const char *kind = latency_label[j->prio_kind];
	char label[80];

	for (unsigned i = 0; i < j->nprios[dir]; i++) {
		const struct summary_prio *p = &j->prios[dir][i].sum;

		snprintf(label, sizeof(label), "%s prio %u/%u/%u (%.2f%% of IOs)", kind, p->class, p->level,
			 p->hint, p->share);
		latency_percentiles(b, &j->sum, &p->lat, label);
	}
}

static void put_unissued(struct strbuf *b, const struct result_job *j, const struct summary_dir *d)
{
	if (!d->unissued)
		return;
	strbuf_printf(b, "    unissued    : %" PRIu64 " of %" PRIu64 " I/Os that were due", d->unissued,
		      summary_due(d));
	if (d->asked_iops > 0)
		strbuf_printf(b, " (IOPS=%s were asked for)", text_rate(d->asked_iops, &j->units).text);
	strbuf_printf(b,
		      " were not issued, the oldest was due for %" PRIu64
		      " msec; resp includes these times, which are lower bounds\n",
		      d->unissued_age_ns / 1000000);
}

static void put_dir(struct strbuf *b, const struct result_job *j, unsigned dir)
{
	static const unsigned order[] = { LAT_SLAT, LAT_CLAT, LAT_LAT, LAT_RESP };
	const struct summary_dir *d = &j->sum.dir[dir];

	if (!d->ios && !d->unissued && !d->in_flight_at_end)
		return;
	strbuf_printf(b, "  %s: IOPS=%s, BW=%s (%s)(%s/%" PRIu64 "msec)",
		      j->mixed ? "mixed" : counts_dir_name[dir], text_rate(d->iops, &j->units).text,
		      text_num(d->bw_bytes, &j->units, UNITS_BYTES_PER_S).text,
		      text_alt(d->bw_bytes, &j->units, UNITS_BYTES_PER_S).text,
		      text_num(d->bytes, &j->units, UNITS_BYTES).text, d->runtime_ms);
	if (j->zoned && (dir == DIR_WRITE || j->mixed))
		strbuf_printf(b, "; %" PRIu64 " zone resets", j->counts.cnt.zone_resets);
	strbuf_putc(b, '\n');
	for (unsigned i = 0; i < LAT_KINDS; i++)
		latency_row(b, &d->lat[order[i]], latency_label[order[i]]);
	put_prio_rows(b, j, dir);
	if (d->arrivals)
		strbuf_printf(b, "    open loop   : arrivals=%" PRIu64 ", queue max=%" PRIu64 ", avg=%.02f\n",
			      d->arrivals, d->queue_max, d->queue_mean);
	put_unissued(b, j, d);
	if (d->in_flight_at_end)
		strbuf_printf(b,
			      "    in flight   : %" PRIu64
			      " I/Os at the end; resp includes the times since they were due, which are "
			      "lower bounds\n",
			      d->in_flight_at_end);
	for (unsigned i = 0; i < LAT_KINDS; i++)
		latency_percentiles(b, &j->sum, &d->lat[order[i]], latency_label[order[i]]);
	put_prio_percentiles(b, j, dir);
	if (d->bw_row.n)
		put_bw_row(b, d, j->units.kb_base);
	if (d->iops_row.n)
		put_iops_row(b, &d->iops_row);
}

static void put_sync(struct strbuf *b, const struct summary *s)
{
	if (!s->sync.n)
		return;
	strbuf_puts(b, "  fsync/fdatasync/sync_file_range/syncfs:\n");
	latency_row(b, &s->sync, "sync");
	latency_percentiles(b, s, &s->sync, "sync");
}

static void put_distribution(struct strbuf *b, const char *label, const char *const key[WSTAT_DEPTHS],
			     const double v[WSTAT_DEPTHS])
{
	strbuf_puts(b, label);
	for (unsigned i = 0; i < WSTAT_DEPTHS; i++)
		strbuf_printf(b, "%s%s=%3.1f%%", i ? ", " : "", key[i], v[i]);
	strbuf_putc(b, '\n');
}

static void put_cpu(struct strbuf *b, const struct summary *s)
{
	strbuf_printf(b,
		      "  cpu          : usr=%3.2f%%, sys=%3.2f%%, ctx=%" PRIu64 ", majf=%" PRIu64
		      ", minf=%" PRIu64 "\n",
		      s->usr_cpu, s->sys_cpu, s->ctx, s->majf, s->minf);
}

static void put_self(struct strbuf *b, const struct summary_self *s)
{
	if (!s->known)
		return;
	strbuf_puts(b, "  self         : ");
	text_self(b, s);
	strbuf_putc(b, '\n');
	if (s->counted)
		strbuf_printf(
			b,
			"  counters     : %.0f user and %.0f kernel instructions per I/O, in %.0f and %.0f "
			"cycles\n",
			s->user_instructions, s->kernel_instructions, s->user_cycles, s->kernel_cycles);
}

/* Adds the target and the depth found, and with latency_target the steps of the search. */
static void put_latency_target(struct strbuf *b, const struct result *r, const struct result_job *j)
{
	const struct result_latency_target *t = &j->latency_target;

	strbuf_printf(b, "     latency   : target=%s, window=%s, percentile=%.2f%%, depth=%u\n",
		      text_short_time((double)t->target_ns).text, text_short_time((double)t->window_ns).text,
		      t->on ? t->percentile : 100, t->on ? t->depth : j->iodepth);
	for (size_t i = 0; i < t->nsteps && !r->as_fio; i++) {
		const struct result_depth_step *s = &t->steps[i];

		strbuf_printf(b,
			      "     depth %-4u: %s, %" PRIu64 " of %" PRIu64
			      " I/Os within the target in %.3f s\n",
			      s->depth, s->met ? "met" : "too deep", s->within, s->ios, (double)s->ns / 1e9);
	}
}

static void put_replay(struct strbuf *b, const struct summary *s)
{
	if (s->replayed) {
		strbuf_printf(b,
			      "     replay    : %" PRIu64 " I/Os, %" PRIu64
			      " (%.2f%%) issued more than 1 ms late\n",
			      s->replayed, s->replayed_late, s->replayed_late_percent);
	}
	if (s->late.max_ns)
		strbuf_printf(b, "     lateness  : avg=%s, p50=%s, p99=%s, p99.9=%s, max=%s\n",
			      readable_latency(s->late.mean_ns).text,
			      readable_latency((double)s->late.p50_ns).text,
			      readable_latency((double)s->late.p99_ns).text,
			      readable_latency((double)s->late.p999_ns).text,
			      readable_latency((double)s->late.max_ns).text);
	if (s->replayed_flushes || s->replayed_fua)
		strbuf_printf(b, "     flushes   : before %" PRIu64 " writes; %" PRIu64 " writes with FUA\n",
			      s->replayed_flushes, s->replayed_fua);
}

static const char *placed_by(const char *kind)
{
	if (!strcmp(kind, "mixed"))
		return "id or stream";
	return strcmp(kind, "streams") ? "id" : "stream";
}

/* Adds how much was written with each placement id or write stream. */
static void put_placement(struct strbuf *b, const struct result_job *j)
{
	const struct result_placement *p = &j->placement;

	for (unsigned i = 0; i < p->nids; i++)
		strbuf_printf(b, "     placement : %s %" PRIu64 ": %" PRIu64 " writes, %s\n",
			      placed_by(p->ids[i].kind), p->ids[i].plid, p->ids[i].ios,
			      text_num(p->ids[i].bytes, &j->units, UNITS_BYTES).text);
	if (p->unplaced_ios)
		strbuf_printf(b, "     placement : no %s: %" PRIu64 " writes, %s\n", placed_by(p->kind),
			      p->unplaced_ios, text_num(p->unplaced_bytes, &j->units, UNITS_BYTES).text);
}

static void put_counts(struct strbuf *b, const struct result *r, const struct result_job *j)
{
	static const char *const depth[] = { "1", "2", "4", "8", "16", "32", ">=64" };
	static const char *const batch[] = { "0", "4", "8", "16", "32", "64", ">=64" };
	const struct summary *s = &j->sum;
	const struct summary_dir *rd = &s->dir[DIR_READ], *wr = &s->dir[DIR_WRITE], *tr = &s->dir[DIR_TRIM];

	put_cpu(b, s);
	if (!r->as_fio)
		put_self(b, &s->self);
	put_distribution(b, "  IO depths    : ", depth, s->depth);
	put_distribution(b, "     submit    : ", batch, s->submit);
	put_distribution(b, "     complete  : ", batch, s->complete);
	strbuf_printf(b,
		      "     issued rwts: total=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 " short=%" PRIu64
		      ",%" PRIu64 ",%" PRIu64 ",0 dropped=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",0\n",
		      rd->ios, wr->ios, tr->ios, s->sync_ios, rd->short_ios, wr->short_ios, tr->short_ios,
		      rd->drop_ios, wr->drop_ios, tr->drop_ios);
	if (j->continue_on_error)
		strbuf_printf(b, "     errors    : total=%" PRIu64 ", first_error=%d/<%s>\n", s->errors,
			      s->first_error, strerror(s->first_error));
	put_latency_target(b, r, j);
	put_replay(b, s);
	if (j->zoned && !r->as_fio)
		strbuf_printf(b,
			      "     zones     : %" PRIu64 " resets, %" PRIu64 " finishes, at most %" PRIu64
			      " open\n",
			      j->counts.cnt.zone_resets, j->counts.cnt.zone_finishes,
			      j->counts.cnt.zones_open_max);
	if (j->placement.kind && !r->as_fio)
		put_placement(b, j);
}

/* Adds the name and the value of the criterion: "iops mean dev=0.125%", "bw slope=-325.000". */
static void put_criterion(struct strbuf *b, const struct result_steady *s)
{
	size_t len = strcspn(s->ss, "_:");
	char figure[16];

	if (!strcmp(s->ss, "snia")) {
		strbuf_printf(b, "iops range=%.3f%%, slope=%.3f%%", s->range_percent, s->rise_percent);
		return;
	}
	snprintf(figure, sizeof(figure), "%.*s", (int)len, s->ss);
	strbuf_printf_plain(b, "%s %s=%.3f%s", figure, s->ss[len] == '_' ? "slope" : "mean dev",
			    strtod(s->criterion, NULL), strchr(s->criterion, '%') ? "%" : "");
}

static void put_steady(struct strbuf *b, const struct result *r, const struct result_job *j)
{
	const struct result_steady *s = &j->steady;

	if (!s->on)
		return;
	strbuf_printf(b, "  steadystate  : attained=%s, bw=%s (%s), iops=%" PRIu64 ", ",
		      s->attained ? "yes" : "no", text_num(s->bw_mean, &j->units, UNITS_BYTES_PER_S).text,
		      text_alt(s->bw_mean, &j->units, UNITS_BYTES_PER_S).text, s->iops_mean);
	put_criterion(b, s);
	strbuf_putc(b, '\n');
	if (r->as_fio || !s->interval_ns)
		return;
	strbuf_printf(b, "     window    : %zu of %" PRIu64 " samples of %.3f s", s->samples,
		      s->duration_ns / s->interval_ns, (double)s->interval_ns / 1e9);
	if (s->attained)
		strbuf_printf(b, ", steady after %.3f s", (double)s->attained_ns / 1e9);
	strbuf_putc(b, '\n');
}

void normal_job(struct strbuf *b, const struct result *r, const struct result_job *j)
{
	put_header(b, r, j);
	if (!summary_has_io(&j->sum)) {
		if (j->no_io)
			put_cpu(b, &j->sum);
		if (j->sum.errors && !r->as_fio)
			text_files(b, j);
		return;
	}
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		put_dir(b, j, dir);
	if (j->both) {
		struct result_job all = result_job_mixed(j);

		put_dir(b, &all, DIR_READ);
	}
	latency_cells(b, &j->sum);
	put_sync(b, &j->sum);
	put_counts(b, r, j);
	put_steady(b, r, j);
	if (!r->as_fio) {
		text_rate_steps(b, j);
		text_split(b, j);
		text_files(b, j);
	}
}
