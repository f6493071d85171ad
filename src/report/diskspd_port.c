/* diskspd_port.c: the text report of diskspd-for-linux, which has little in common with that of DISKSPD. */
#include "diskspd.h"
#include "strbuf.h"

#include <inttypes.h>
#include <string.h>

struct port {
	struct strbuf *b;
	const struct result *r;
	const struct result_span *s;
	const struct ds_span *settings;
};

/* ---- input ---- */

/* Returns the first row of a target, or NULL. */
static const struct span_row *row_of(const struct result_span *s, const char *path)
{
	for (size_t i = 0; i < s->nthreads; i++)
		for (size_t k = 0; k < s->threads[i].nrows; k++)
			if (!strcmp(s->threads[i].rows[k].path, path))
				return &s->threads[i].rows[k];
	return NULL;
}

static bool is_partition(const struct result_device *dev)
{
	return !strcmp(props_str(&dev->props, "kind"), "partition");
}

/* Returns a property of the device below a target or, if that is a partition, of its disk, as the port does;
   "unknown" if it is not known. */
static const char *disk_of(const struct result *r, const struct span_row *row, const char *property)
{
	const struct result_target *t =
		row && row->storage && row->storage <= r->ntargets ? &r->targets[row->storage - 1] : NULL;
	size_t disk = t && t->ndevs > 1 && is_partition(&t->devs[0]) ? 1 : 0;
	const char *value = t && t->ndevs ? props_str(&t->devs[disk].props, property) : "";

	return *value ? value : "unknown";
}

static void put_port_order(struct strbuf *b, const struct ds_target *t)
{
	const char *words = t->random_percent ? "random I/O (alignment"
			    : t->interlocked  ? "interlocked sequential I/O (stride"
					      : "sequential I/O (stride";

	strbuf_printf(b,
		      "\t\tperforming mix test (read/write ratio: %u/%u)\n\t\tblock size: %" PRIu64
		      "\n\t\tusing %s: %" PRIu64 ")\n",
		      100 - t->write_percent, t->write_percent, t->block, words,
		      t->stride ? t->stride : t->block);
	strbuf_printf(b, "\t\tnumber of outstanding I/O operations: %u)\n",
		      t->depth); /* the bracket is the port's */
}

static void put_port_target(const struct port *p, const struct ds_target *t)
{
	struct strbuf *b = p->b;
	const struct span_row *row = row_of(p->s, t->path);
	uint64_t size = row ? row->size : 0;

	strbuf_printf(b, "\tpath: '%s'\n\t\tsize: %" PRIu64 "B\n", t->path, size);
	if (t->cache == DS_UNBUFFERED)
		strbuf_puts(b, "\t\tusing O_DIRECT\n");
	if (t->write_through)
		strbuf_puts(b, "\t\tusing O_SYNC\n");
	put_port_order(b, t);
	if (t->base)
		strbuf_printf(b, "\t\tbase file offset: %" PRIu64 " bytes\n", t->base);
	if (t->max_size && t->max_size != size)
		strbuf_printf(b, "\t\tmax file size: %" PRIu64 " bytes\n", t->max_size);
	strbuf_printf(b, "\t\tthread stride size: %" PRIu64 "\n", t->thread_stride);
	if (t->pattern == DS_ZERO)
		strbuf_puts(b, "\t\tzeroing I/O buffers\n");
	else if (p->settings->random_data)
		strbuf_puts(b, "\t\tfilling I/O buffers with random data\n");
	if (p->settings->separate_buffers)
		strbuf_puts(b, "\t\tseparating read and write buffers\n");
	if (!p->settings->threads)
		strbuf_printf(b, "\t\tthreads per file: %u\n", t->threads);
	strbuf_printf(b, "\t\tblock device: %s\n\t\tdevice scheduler: %s\n", disk_of(p->r, row, "name"),
		      disk_of(p->r, row, "scheduler"));
}

static void put_input(const struct port *p)
{
	const struct ds_span *s = p->settings;
	unsigned threads = s->threads;

	strbuf_printf(p->b,
		      "Input parameters:\n\n\tjob:   %u\n\t________\n\tduration: %us\n\twarm up time: %us\n",
		      p->s->number, s->duration_s, s->warmup_s);
	if (s->latency)
		strbuf_puts(p->b, "\tmeasuring latency\n");
	if (s->iops_stats)
		strbuf_printf(p->b, "\tgathering IOPs at intervals of %ums\n", s->bucket_ms);
	for (size_t i = 0; !s->threads && i < s->ntargets; i++)
		threads += s->targets[i].threads;
	strbuf_printf(p->b, "\trandom seed: %" PRIu64 "\n\ttotal threads: %u\n", s->seed, threads);
	for (size_t i = 0; i < s->ntargets; i++)
		put_port_target(p, &s->targets[i]);
}

/* ---- processors ---- */

static void put_cpus(const struct port *p)
{
	const struct span_use *mean = &p->s->cpu_mean;

	if (!p->s->ncpus)
		return; /* not known */
	strbuf_puts(p->b, " CPU  |  Usage  |   User  |  Kernel | IO Wait |   Idle \n");
	diskspd_rule(p->b, 55, '-');
	for (size_t i = 0; i < p->s->ncpus; i++) {
		const struct span_use *u = &p->s->cpus[i].use;

		strbuf_printf(p->b, "%5u | %6.2f%% | %6.2f%% | %6.2f%% | %6.2f%% | %6.2f%% \n",
			      p->s->cpus[i].id, u->usage, u->user, u->kernel, u->waiting,
			      u->idle - u->waiting);
	}
	diskspd_rule(p->b, 55, '-');
	strbuf_printf(p->b, " avg:\t%6.2f%% | %6.2f%% | %6.2f%% | %6.2f%% | %6.2f%%\n\n", mean->usage,
		      mean->user, mean->kernel, mean->waiting, mean->idle - mean->waiting);
}

/* ---- I/O ---- */

static void put_flow(const struct port *p, const struct span_flow *f)
{
	strbuf_printf(p->b, "%15" PRIu64 " | %12" PRIu64 " | %10.2f | %10.2f ", f->bytes, f->ios, f->mib_s,
		      f->iops_s);
	if (p->settings->iops_stats)
		strbuf_printf(p->b, "| %10.2f ", f->iops_stddev);
	if (!p->settings->latency)
		return;
	strbuf_printf(p->b, "|    %8.3f ", diskspd_ms(f->lat.mean));
	if (f->lat.n)
		strbuf_printf(p->b, "|    %8.3f ", diskspd_ms(f->lat.stddev));
	else
		strbuf_puts(p->b, "|       N/A ");
}

static void put_port_table(const struct port *p, const char *title, enum span_kind kind)
{
	bool latency = p->settings->latency;
	unsigned width = 79 + p->settings->iops_stats * 12u + latency * 24u;

	strbuf_printf(p->b,
		      "%s IO\nthread |           bytes |         I/Os |       MB/s |  I/O per s |%s%s file\n",
		      title, p->settings->iops_stats ? " IopsStdDev |" : "",
		      latency ? " AvgLat(ms) | LatStdDev  |" : "");
	diskspd_rule(p->b, width, '-');
	for (size_t i = 0; i < p->s->nthreads; i++) {
		const struct span_thread *thread = &p->s->threads[i];

		for (size_t k = 0; k < thread->nrows; k++) {
			strbuf_printf(p->b, "%6u | ", thread->id);
			put_flow(p, &thread->rows[k].flow[kind]);
			strbuf_printf(p->b, "| %s (%" PRIu64 "B)\n", thread->rows[k].path,
				      thread->rows[k].size);
		}
	}
	diskspd_rule(p->b, width, '-');
	strbuf_puts(p->b, "total:   ");
	put_flow(p, &p->s->flow[kind]);
	strbuf_puts(p->b, "\n\n");
}

static void put_results(const struct port *p)
{
	strbuf_printf(p->b, "\nResults for job %u:\ntest time:         %.0fs\n", p->s->number, p->s->seconds);
	diskspd_rule(p->b, 53, '*');
	strbuf_putc(p->b, '\n');
	if (diskspd_put_error(p->b, p->r, p->s))
		return;
	put_cpus(p);
	put_port_table(p, "Total", SPAN_TOTAL);
	put_port_table(p, "Read", SPAN_READ);
	put_port_table(p, "Write", SPAN_WRITE);
	strbuf_putc(p->b, '\n');
	if (p->settings->latency) {
		const struct span_flow *f = p->s->flow;
		const struct span_lat *lat[SPAN_KINDS] = { &f[0].lat, &f[1].lat, &f[2].lat };

		strbuf_puts(p->b, "  %-ile |\tRead (ms) | Write (ms) | Total (ms)\n");
		diskspd_percentiles(p->b, lat, 9);
		strbuf_putc(p->b, '\n');
	}
}

void diskspd_port(struct strbuf *b, const struct result *r)
{
	struct port p = { .b = b, .r = r };

	strbuf_printf(b, "\nCommand Line: %s\n\nSystem info:\n\tprocessor count: %u\n", r->spans->command,
		      r->spans->system.cpus);
	if (r->spans->system.libata_fua)
		strbuf_printf(b, "\tcaching options: fua=%s\n", r->spans->system.libata_fua);
	strbuf_putc(b, '\n');
	for (size_t i = 0; i < r->spans->nspans; i++) {
		p.s = r->spans->spans[i];
		p.settings = diskspd_span(r, p.s);
		put_input(&p);
		put_results(&p);
	}
}
