/* environment.c: the machine, the targets and the plan, as JSON and as some lines for people. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "json_shared.h"
#include "report.h"
#include "strbuf.h"
#include "text.h"

static void put_props(struct jsonw *w, const struct props *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct prop *f = &p->v[i];

		if (f->kind == PROP_TEXT)
			jsonw_str(w, f->name, f->text);
		else if (f->kind == PROP_BOOL)
			jsonw_bool(w, f->name, f->number);
		else
			jsonw_u64(w, f->name, f->number);
	}
}

static void put_machine(struct jsonw *w, const struct result_env *e)
{
	jsonw_object(w, "environment");
	json_figures(w, figures_machine, e);
	put_props(w, &e->props);
	jsonw_end_object(w);
}

static void put_target_object(struct jsonw *w, const struct result_target *t)
{
	jsonw_object(w, NULL);
	json_figures(w, figures_target, t);
	if (t->fs.n) {
		jsonw_object(w, "filesystem");
		put_props(w, &t->fs);
		jsonw_end_object(w);
	}
	jsonw_array(w, "devices");
	for (unsigned i = 0; i < t->ndevs; i++) {
		jsonw_object(w, NULL);
		json_figures(w, figures_device, &t->devs[i]);
		put_props(w, &t->devs[i].props);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
	jsonw_end_object(w);
}

void report_json_environment(struct jsonw *w, const struct result *r)
{
	json_figures(w, figures_plan, r);
	put_machine(w, &r->env);
	json_figures_in(w, "fiord.", figures_clock, r);
	jsonw_array(w, "targets");
	for (size_t i = 0; i < r->ntargets; i++)
		put_target_object(w, &r->targets[i]);
	jsonw_end_array(w);
}

static void put_bytes(struct strbuf *b, uint64_t bytes)
{
	const struct result_units units = { .figures = 3 };

	strbuf_puts(b, text_num(bytes, &units, UNITS_BYTES).text);
}

static void put_fact(struct strbuf *b, const struct props *p, const char *name, const char *before)
{
	const char *text = props_str(p, name);

	if (!*text)
		return;
	strbuf_puts(b, before);
	strbuf_plain(b, text);
}

static void add_machine(struct strbuf *b, const struct result *r)
{
	const struct result_env *e = &r->env;
	const char *governor = props_str(&e->props, "governor");

	strbuf_printf(b, "  %s: %s, Linux %s %s, %s, %u CPU%s", e->host, e->os, e->kernel, e->arch, e->cpu,
		      e->cpus, e->cpus == 1 ? "" : "s");
	if (*governor)
		strbuf_printf(b, " (governor %s)", governor);
	strbuf_puts(b, ", ");
	put_bytes(b, e->memory_bytes);
	if (props_num(&e->props, "virtual", 0))
		strbuf_puts(b, ", virtual");
	put_fact(b, &e->props, "cpu_lacks", ", CPU without ");
	/* The CPU's counter is the usual clock. */
	if (r->clock.source && !strcmp(r->clock.source, "clock_gettime")) {
		strbuf_puts(b, ", times by clock_gettime");
		put_fact(b, &e->props, "kernel_clock", " of ");
	}
	strbuf_putc(b, '\n');
}

/* Adds the line of one device. */
static void add_device_text(struct strbuf *b, const struct result_device *d)
{
	const struct props *p = &d->props;
	const char *cache = props_str(p, "write_cache"), *durable = props_str(p, "durable_writes");

	strbuf_printf(b, "%*s", (int)(4 + 2 * d->level), "");
	strbuf_plain(b, props_str(p, "name"));
	put_fact(b, p, "vendor", ": ");
	put_fact(b, p, "model", *props_str(p, "vendor") ? " " : ": ");
	strbuf_printf(b, "%s%s", *props_str(p, "vendor") || *props_str(p, "model") ? ", " : ": ",
		      props_str(p, "kind"));
	if (props_num(p, "size_bytes", 0)) {
		strbuf_puts(b, " of ");
		put_bytes(b, props_num(p, "size_bytes", 0));
	}
	put_fact(b, p, "backing_file", " in ");
	put_fact(b, p, "driver", ", ");
	if (props_num(p, "rotational", 0) && !strcmp(props_str(p, "kind"), "disk"))
		strbuf_puts(b, ", rotational");
	put_fact(b, p, "scheduler", ", scheduler ");
	if (*cache)
		strbuf_printf(b, ", %s cache", cache);
	if (*durable && strcmp(durable, "neither") != 0)
		strbuf_printf(b, " (durable writes: %s)", durable);
	strbuf_putc(b, '\n');
}

/* Adds "NAME N UNIT" if the fact is known, and not 0. */
static void put_number(struct strbuf *b, const struct props *p, const char *name, const char *before,
		       const char *after)
{
	uint64_t v = props_num(p, name, 0);

	if (v)
		strbuf_printf(b, "%s%" PRIu64 "%s", before, v, after);
}

static void put_format(struct strbuf *b, const struct props *p)
{
	const char *protection = props_str(p, "protection");

	put_number(b, p, "logical_block_size", *props_str(p, "firmware") ? ", blocks of " : "blocks of ",
		   " bytes");
	put_number(b, p, "metadata_bytes", " and ", " bytes of metadata");
	if (*protection && strcmp(protection, "none") != 0 && strcmp(protection, "nop") != 0)
		put_fact(b, p, "protection", " with ");
	put_number(b, p, "nr_zones", ", ", " zones");
	if (props_num(p, "zone_bytes", 0)) {
		strbuf_puts(b, " of ");
		put_bytes(b, props_num(p, "zone_bytes", 0));
	}
}

/* Adds a figure of the SMART log before and after the run. */
static void put_health(struct strbuf *b, const struct props *p, const char *name, const char *words)
{
	char before[64], after[64];

	snprintf(before, sizeof(before), "smart_before_%s", name);
	snprintf(after, sizeof(after), "smart_after_%s", name);
	if (props_find(p, before) && props_find(p, after))
		strbuf_printf(b, ", %s %" PRIu64 " before and %" PRIu64 " after", words,
			      props_num(p, before, 0), props_num(p, after, 0));
}

/* sysfs has this max_hw_sectors_kb for a disk without a limit, such as one of virtio_blk. */
#define NO_LIMIT_KB (UINT32_MAX / 2)

/* Adds a second line about a disk: what its buyer asks. */
static void add_disk_text(struct strbuf *b, const struct result_device *d)
{
	const struct props *p = &d->props;

	if (strcmp(props_str(p, "kind"), "disk") != 0 || !props_find(p, "logical_block_size"))
		return;
	strbuf_printf(b, "%*s", (int)(6 + 2 * d->level), "");
	put_fact(b, p, "firmware", "firmware ");
	put_format(b, p);
	put_number(b, p, "hw_queues", ", hardware queues: ", "");
	if (props_num(p, "max_hw_sectors_kb", 0) < NO_LIMIT_KB)
		put_number(b, p, "max_hw_sectors_kb", ", at most ", " KiB a request");
	put_number(b, p, "atomic_write_unit_max_bytes", ", atomic writes to ", " bytes");
	put_health(b, p, "temperature_celsius", "degrees Celsius");
	put_health(b, p, "percentage_used", "percent of its life used");
	put_health(b, p, "throttled", "times throttled by heat");
	put_health(b, p, "critical_warning", "critical warnings (bits)");
	strbuf_putc(b, '\n');
}

static void add_target_text(struct strbuf *b, const struct result_target *t)
{
	strbuf_printf_plain(b, "  %s", t->path);
	if (t->files > 1)
		strbuf_printf(b, " and %" PRIu64 " more", t->files - 1);
	put_fact(b, &t->fs, "type", ": ");
	put_fact(b, &t->fs, "mount_point", " on ");
	if (*props_str(&t->fs, "options")) {
		put_fact(b, &t->fs, "options", " (");
		strbuf_putc(b, ')');
	}
	strbuf_putc(b, '\n');
	for (unsigned i = 0; i < t->ndevs; i++) {
		add_device_text(b, &t->devs[i]);
		add_disk_text(b, &t->devs[i]);
	}
}

/* Adds the CPU use of the parent process, which stores the series, shows progress and writes the result. */
static void add_parent(struct strbuf *b, const struct result_self *s)
{
	uint64_t used_us = s->user_us + s->sys_us;

	if (s->wall_ns)
		strbuf_printf(b, "  fiord's parent process: %.3f s of CPU time, %.1f%% of a core\n",
			      (double)used_us / 1e6, 1e5 * (double)used_us / (double)s->wall_ns);
}

#define TARGETS_MAX 4

void report_environment(struct strbuf *b, const struct result *r)
{
	if (r->as_fio || r->client_stats || !r->env.host)
		return;
	strbuf_puts(b, "\nEnvironment:\n");
	add_machine(b, r);
	add_parent(b, &r->self);
	for (size_t i = 0; i < r->ntargets && i < TARGETS_MAX; i++)
		add_target_text(b, &r->targets[i]);
	if (r->ntargets > TARGETS_MAX)
		strbuf_printf(b, "  ... and %zu more file systems or devices\n", r->ntargets - TARGETS_MAX);
}
