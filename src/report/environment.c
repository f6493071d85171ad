/* environment.c: the machine, the targets and the plan, as JSON and as some lines for people. */
#include "environment.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "jsonw.h"
#include "report.h"
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

static void put_plan_job(struct jsonw *w, const struct result_plan_job *j)
{
	char seed[24];

	snprintf(seed, sizeof(seed), "0x%016" PRIx64, j->seed);
	jsonw_object(w, NULL);
	jsonw_str(w, "name", j->name);
	jsonw_u64(w, "group", j->group);
	jsonw_u64(w, "wave", j->wave);
	jsonw_u64(w, "stage", j->stage);
	jsonw_u64(w, "workers", j->workers);
	jsonw_bool(w, "threads", j->threads);
	jsonw_u64(w, "randseed", j->randseed);
	jsonw_bool(w, "randrepeat", j->repeat);
	jsonw_str(w, "seed", seed);
	if (j->verify_known_by) {
		jsonw_object(w, "verify");
		jsonw_str(w, "known_by", j->verify_known_by);
		jsonw_u64(w, "memory_bytes", j->verify_memory_bytes);
		jsonw_end_object(w);
	}
	jsonw_end_object(w);
}

static void put_plan_space(struct jsonw *w, const struct result_plan_space *s)
{
	jsonw_object(w, NULL);
	jsonw_str(w, "path", s->path);
	jsonw_str(w, "filesystem", s->fstype);
	jsonw_u64(w, "needed_bytes", s->need_bytes);
	jsonw_u64(w, "highest_bytes", s->peak_bytes);
	jsonw_u64(w, "free_bytes", s->free_bytes);
	jsonw_end_object(w);
}

static void put_overwrites(struct jsonw *w, const struct result_plan *p)
{
	jsonw_array(w, "overwrites");
	for (size_t i = 0; i < p->overwrites; i++) {
		const struct result_overwrite *o = &p->overwrite[i];

		jsonw_object(w, NULL);
		jsonw_str(w, "path", o->path);
		jsonw_str(w, "job", o->job);
		jsonw_u64(w, "size_bytes", o->size_bytes);
		jsonw_u64(w, "modified", o->modified_s > 0 ? (uint64_t)o->modified_s : 0);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void put_plan(struct jsonw *w, const struct result_plan *p)
{
	jsonw_object(w, "plan");
	jsonw_u64(w, "sections", p->sections);
	jsonw_u64(w, "workers", p->workers);
	jsonw_u64(w, "processes", p->processes);
	jsonw_u64(w, "threads", p->threads);
	jsonw_u64(w, "groups", p->groups);
	jsonw_u64(w, "waves", p->waves);
	jsonw_u64(w, "seed", p->seed);
	jsonw_u64(w, "layout_bytes", p->layout_bytes);
	put_overwrites(w, p);
	jsonw_array(w, "space");
	for (size_t i = 0; i < p->spaces; i++)
		put_plan_space(w, &p->space[i]);
	jsonw_end_array(w);
	jsonw_array(w, "jobs");
	for (size_t i = 0; i < p->jobs; i++)
		put_plan_job(w, &p->job[i]);
	jsonw_end_array(w);
	jsonw_end_object(w);
}

static void put_machine(struct jsonw *w, const struct result_env *e)
{
	jsonw_object(w, "environment");
	jsonw_str(w, "host", e->host);
	jsonw_str(w, "os", e->os);
	jsonw_str(w, "kernel", e->kernel);
	jsonw_str(w, "arch", e->arch);
	jsonw_str(w, "cpu", e->cpu);
	jsonw_u64(w, "cpus", e->cpus);
	jsonw_u64(w, "memory_bytes", e->memory_bytes);
	put_props(w, &e->props);
	jsonw_end_object(w);
}

static void put_target(struct jsonw *w, const struct result_target *t)
{
	jsonw_object(w, NULL);
	jsonw_str(w, "path", t->path);
	jsonw_str(w, "type", t->type);
	jsonw_u64(w, "count", t->files);
	if (t->fs.n) {
		jsonw_object(w, "filesystem");
		put_props(w, &t->fs);
		jsonw_end_object(w);
	}
	jsonw_array(w, "devices");
	for (unsigned i = 0; i < t->devs; i++) {
		jsonw_object(w, NULL);
		jsonw_u64(w, "level", t->dev[i].level);
		put_props(w, &t->dev[i].props);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
	jsonw_end_object(w);
}

void report_json_environment(struct jsonw *w, const struct result *r)
{
	put_plan(w, &r->plan);
	put_machine(w, &r->env);
	jsonw_object(w, "clock");
	jsonw_str(w, "source", r->clock.source);
	jsonw_double(w, "drift_ppm", r->clock.drift_ppm);
	jsonw_end_object(w);
	jsonw_array(w, "targets");
	for (size_t i = 0; i < r->targets; i++)
		put_target(w, &r->target[i]);
	jsonw_end_array(w);
}

static void put_bytes(struct strbuf *b, uint64_t bytes)
{
	const struct result_units units = { .figures = 3 };

	text_num(b, bytes, &units, UNITS_BYTES);
}

static void add_machine(struct strbuf *b, const struct result_env *e)
{
	const char *governor = props_str(&e->props, "governor");

	strbuf_printf(b, "  %s: %s, Linux %s %s, %s, %u CPU%s", e->host, e->os, e->kernel, e->arch, e->cpu,
		      e->cpus, e->cpus == 1 ? "" : "s");
	if (*governor)
		strbuf_printf(b, " (governor %s)", governor);
	strbuf_puts(b, ", ");
	put_bytes(b, e->memory_bytes);
	if (props_num(&e->props, "virtual", 0))
		strbuf_puts(b, ", virtual");
	strbuf_putc(b, '\n');
}

static void put_fact(struct strbuf *b, const struct props *p, const char *name, const char *before)
{
	const char *text = props_str(p, name);

	if (!*text)
		return;
	strbuf_puts(b, before);
	strbuf_plain(b, text);
}

/* Adds the line of one device. */
static void add_device(struct strbuf *b, const struct result_device *d)
{
	const struct props *p = &d->props;
	const char *cache = props_str(p, "write_cache"), *durable = props_str(p, "durable_writes");

	strbuf_printf(b, "%*s", (int)(4 + 2 * d->level), "");
	strbuf_plain(b, props_str(p, "name"));
	put_fact(b, p, "vendor", ": ");
	put_fact(b, p, "model", *props_str(p, "vendor") ? " " : ": ");
	strbuf_puts(b, *props_str(p, "vendor") || *props_str(p, "model") ? ", " : ": ");
	strbuf_puts(b, props_str(p, "kind"));
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

static void add_target(struct strbuf *b, const struct result_target *t)
{
	strbuf_puts(b, "  ");
	strbuf_plain(b, t->path);
	if (t->files > 1)
		strbuf_printf(b, " and %" PRIu64 " more", t->files - 1);
	put_fact(b, &t->fs, "type", ": ");
	put_fact(b, &t->fs, "mount_point", " on ");
	if (*props_str(&t->fs, "options")) {
		put_fact(b, &t->fs, "options", " (");
		strbuf_putc(b, ')');
	}
	strbuf_putc(b, '\n');
	for (unsigned i = 0; i < t->devs; i++)
		add_device(b, &t->dev[i]);
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
	add_machine(b, &r->env);
	add_parent(b, &r->self);
	for (size_t i = 0; i < r->targets && i < TARGETS_MAX; i++)
		add_target(b, &r->target[i]);
	if (r->targets > TARGETS_MAX)
		strbuf_printf(b, "  ... and %zu more file systems or devices\n", r->targets - TARGETS_MAX);
}
