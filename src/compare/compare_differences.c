/* compare_differences.c: the settings and the environment in which runs differ. */
#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "strbuf.h"
#include "units.h"
#include "vec.h"

static bool same_job(const struct compare_difference *a, const struct compare_difference *b)
{
	return a->job ? b->job && !strcmp(a->job, b->job) : !b->job;
}

/* With two runs, the differences of a job follow each other; with more, each pair of runs lists those of all
   jobs. */
static bool is_listed(const struct compare_two *t, const struct compare_difference *d)
{
	bool two_runs = t->c->a.n + t->c->b.n == 2;

	for (size_t i = t->c->difference.n; i-- > 0;) {
		const struct compare_difference *o = &t->c->difference.v[i];

		if (two_runs && !same_job(o, d))
			return false;
		if (o->setting == d->setting && !strcmp(o->name, d->name) && !strcmp(o->a, d->a) &&
		    !strcmp(o->b, d->b) && same_job(o, d))
			return true;
	}
	return false;
}

const char *compare_keep(struct compare_two *t, const char *s)
{
	const char *copy = arena_strdup(&t->c->mem, s && *s ? s : "not given");

	t->c->failed |= !copy;
	return copy ? copy : "";
}

void compare_differ(struct compare_two *t, enum compare_setting setting, const char *job, const char *name,
		    const char *a, const char *b)
{
	struct compare_difference d = {
		.setting = setting, .job = job, .run_a = t->run_a, .run_b = t->run_b
	};

	if (!strcmp(a ? a : "", b ? b : ""))
		return;
	d.refused = setting < COMPARE_SETTINGS && !t->c->cfg.allow[setting];
	d.name = compare_keep(t, name);
	d.a = compare_keep(t, a);
	d.b = compare_keep(t, b);
	if (!is_listed(t, &d))
		t->c->failed |= !VEC_PUSH(&t->c->difference, d);
}

const char *compare_either(const char *known, const char *otherwise)
{
	return known && *known ? known : otherwise;
}

/* ---- targets ---- */

/* Adds the model of a device, or its name if it has none. */
static void put_device(struct strbuf *b, const struct props *p)
{
	const char *model = props_str(p, "model");
	uint64_t size = props_num(p, "size_bytes", 0);

	strbuf_puts(b, *model ? model : compare_either(props_str(p, "name"), "device"));
	if (size)
		strbuf_printf(b, " %s", units_bytes(size).text);
}

static const char *devices_of(struct compare_two *t, const struct result *r)
{
	struct strbuf b = { 0 };
	const char *text;

	for (size_t i = 0; i < r->ntargets; i++) {
		const struct result_target *target = &r->targets[i];

		strbuf_printf(&b, "%s%s", b.len ? ", " : "", compare_either(target->type, "target"));
		if (*props_str(&target->fs, "type"))
			strbuf_printf(&b, " on %s", props_str(&target->fs, "type"));
		for (unsigned k = 0; k < target->ndevs; k++) {
			if (target->devs[k].level)
				continue;
			strbuf_puts(&b, " on ");
			put_device(&b, &target->devs[k].props);
		}
	}
	for (size_t i = 0; !r->ntargets && i < r->ndisks; i++)
		if (!r->disks[i].level)
			strbuf_printf(&b, "%s%s", i ? ", " : "", r->disks[i].name);
	text = b.len ? compare_keep(t, b.text) : NULL;
	strbuf_fini(&b);
	return text;
}

static void prop_text(const struct prop *p, char *buf, size_t size)
{
	if (!p)
		snprintf(buf, size, "unknown");
	else if (p->kind == PROP_TEXT)
		snprintf(buf, size, "%s", p->text);
	else if (p->kind == PROP_BOOL)
		snprintf(buf, size, "%s", p->number ? "yes" : "no");
	else
		snprintf(buf, size, "%" PRIu64, p->number);
}

static bool changes_by_itself(const char *name)
{
	return !strncmp(name, "smart_", 6) || !strcmp(name, "free_bytes") || !strcmp(name, "size_bytes") ||
	       !strcmp(name, "start_bytes");
}

/* Lists the facts that differ. A fact that only one side knows is no difference. */
static void differ_props(struct compare_two *t, const char *prefix, const struct props *a,
			 const struct props *b)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct prop *other = props_find(b, a->v[i].name);
		char name[128], va[512], vb[512];

		if (!other || changes_by_itself(a->v[i].name))
			continue;
		snprintf(name, sizeof(name), "%s%s", prefix, a->v[i].name);
		prop_text(&a->v[i], va, sizeof(va));
		prop_text(other, vb, sizeof(vb));
		compare_differ(t, COMPARE_OTHER, NULL, name, va, vb);
	}
}

static void target_differences(struct compare_two *t)
{
	const char *a = devices_of(t, t->a), *b = devices_of(t, t->b);
	size_t targets = t->a->ntargets < t->b->ntargets ? t->a->ntargets : t->b->ntargets;

	if (a && b)
		compare_differ(t, COMPARE_DEVICE, NULL, "device", a, b);
	for (size_t i = 0; i < targets; i++) {
		const struct result_target *x = &t->a->targets[i], *y = &t->b->targets[i];

		differ_props(t, "file system: ", &x->fs, &y->fs);
		for (unsigned k = 0; k < x->ndevs && k < y->ndevs; k++) {
			char prefix[80];

			snprintf(prefix, sizeof(prefix),
				 "%.60s: ", compare_either(props_str(&x->devs[k].props, "name"), "device"));
			differ_props(t, prefix, &x->devs[k].props, &y->devs[k].props);
		}
	}
}

/* ---- the machine ---- */

static void differ_known(struct compare_two *t, const char *name, const char *a, const char *b)
{
	if (a && *a && b && *b)
		compare_differ(t, COMPARE_OTHER, NULL, name, a, b);
}

static void differ_number(struct compare_two *t, const char *name, uint64_t a, uint64_t b)
{
	char va[24], vb[24];

	snprintf(va, sizeof(va), "%" PRIu64, a);
	snprintf(vb, sizeof(vb), "%" PRIu64, b);
	if (a && b)
		compare_differ(t, COMPARE_OTHER, NULL, name, va, vb);
}

static void machine_differences(struct compare_two *t)
{
	const struct result_env *a = &t->a->env, *b = &t->b->env;

	differ_known(t, "program", t->a->program, t->b->program);
	differ_known(t, "version", t->a->version, t->b->version);
	differ_known(t, "fio version", t->a->fio_version, t->b->fio_version);
	differ_known(t, "host", a->host, b->host);
	differ_known(t, "system", a->os, b->os);
	differ_known(t, "kernel", a->kernel, b->kernel);
	differ_known(t, "architecture", a->arch, b->arch);
	differ_known(t, "CPU", a->cpu, b->cpu);
	differ_number(t, "CPUs", a->cpus, b->cpus);
	differ_number(t, "memory in bytes", a->memory_bytes, b->memory_bytes);
	differ_known(t, "clock", t->a->clock.source, t->b->clock.source);
	differ_props(t, "", &a->props, &b->props);
}

/* ---- files with the same run ---- */

static bool same_counts(const struct result_job *a, const struct result_job *b)
{
	for (unsigned d = 0; d < DIR_DATA; d++) {
		const struct summary_dir *x = &a->sum.dir[d], *y = &b->sum.dir[d];

		if (x->ios != y->ios || x->bytes != y->bytes || x->runtime_ms != y->runtime_ms ||
		    x->lat[LAT_CLAT].max != y->lat[LAT_CLAT].max)
			return false;
	}
	return true;
}

static bool same_run(const struct result *a, const struct result *b)
{
	if (a->timestamp_ms != b->timestamp_ms || a->njobs != b->njobs)
		return false;
	for (size_t i = 0; i < a->njobs; i++)
		if (!same_counts(a->jobs[i], b->jobs[i]))
			return false;
	return true;
}

/* Lists two files that hold one run. Their names may be the same. */
static void same(struct compare *c, const char *a, const char *b)
{
	struct compare_difference d = { .setting = COMPARE_SAME,
					.refused = !c->cfg.allow[COMPARE_SAME],
					.name = "the same run",
					.a = a,
					.b = b,
					.run_a = a,
					.run_b = b };

	c->failed |= !VEC_PUSH(&c->difference, d);
}

static void find_same_runs(struct compare *c, size_t runs)
{
	for (size_t i = 0; i < runs; i++)
		for (size_t k = i + 1; k < runs; k++)
			if (same_run(compare_run(c, i), compare_run(c, k)))
				same(c, compare_source(c, i), compare_source(c, k));
}

void compare_find_differences(struct compare *c, const struct compare_pair *pair, size_t pairs)
{
	size_t runs = c->a.n + c->b.n;

	find_same_runs(c, runs);
	for (size_t i = 0; i < runs; i++) {
		size_t at = (c->a.n + i) % runs; /* B first, so that its differences name B's first run */
		struct compare_two t = { c, compare_run(c, 0), compare_run(c, at), compare_source(c, 0),
					 compare_source(c, at) };

		for (size_t k = 0; k < pairs && at; k++)
			compare_options(&t, pair[k].name, pair[k].run[0], pair[k].run[at]);
		target_differences(&t);
		machine_differences(&t);
	}
}
