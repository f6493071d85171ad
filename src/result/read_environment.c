/* read_environment.c: reads fiord's description of the run: plan, machine, clock and targets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "read_parts.h"

/* ---- facts ---- */

static bool is_one_of(struct json key, const char *const *names)
{
	for (; *names; names++) {
		if (json_is(key, *names))
			return true;
	}
	return false;
}

/* Adds the members of an object as facts, but for those in `known`, which ends with NULL. */
static void read_props(struct reader *rd, struct json object, const char *const *known, struct props *to)
{
	struct json_iter it = json_iter(object);

	while (!rd->err && json_next(&it)) {
		enum json_kind kind = json_kind(it.value);
		const char *name;
		uint64_t number = 0;

		if (is_one_of(it.key, known) || !read_charge(rd, 4 * sizeof(struct prop)))
			continue;
		name = read_string(rd, NULL, it.key, &rd->r->mem);
		if (kind == JSON_STRING)
			props_text(to, name, read_string(rd, name, it.value, &rd->scratch));
		else if (kind == JSON_BOOL)
			props_bool(to, name, *it.value.at == 't');
		else if (kind == JSON_NUMBER) {
			read_check(rd, name, it.value, json_u64(it.value, &number));
			props_u64(to, name, number);
		}
	}
}

static void read_machine(struct reader *rd, const struct read_object *fiord)
{
	static const char *const known[] = { "host", "os",   "kernel",       "arch",
					     "cpu",  "cpus", "memory_bytes", NULL };
	struct result_env *e = &rd->r->env;
	struct read_object o;

	if (!read_open_key(rd, &o, fiord, "environment"))
		return;
	e->host = e->os = e->kernel = e->arch = e->cpu = "unknown";
	read_text(rd, &o, "host", &e->host);
	read_text(rd, &o, "os", &e->os);
	read_text(rd, &o, "kernel", &e->kernel);
	read_text(rd, &o, "arch", &e->arch);
	read_text(rd, &o, "cpu", &e->cpu);
	read_unsigned(rd, &o, "cpus", &e->cpus);
	read_u64(rd, &o, "memory_bytes", &e->memory_bytes);
	read_props(rd, json_get(&fiord->ix, "environment"), known, &e->props);
	if (!*e->host)
		e->host = NULL; /* a result of log files names no machine */
	read_close(rd, &o);
}

static void read_clock(struct reader *rd, const struct read_object *fiord)
{
	struct read_object o;

	if (!read_open_key(rd, &o, fiord, "clock"))
		return;
	read_text(rd, &o, "source", &rd->r->clock.source);
	read_double(rd, &o, "drift_ppm", &rd->r->clock.drift_ppm);
	read_close(rd, &o);
}

/* ---- targets ---- */

#define DEVICES_MAX 4096

static void read_devices(struct reader *rd, const struct read_object *target, struct result_target *t)
{
	static const char *const known[] = { "level", NULL };
	struct json_iter it = read_array(rd, target, "devices");
	struct read_object o;
	unsigned n = 0;

	while (json_next(&it) && n <= DEVICES_MAX)
		n++;
	if (n > DEVICES_MAX)
		read_fail(rd, -EINVAL, "devices", "there are more than %d devices", DEVICES_MAX);
	t->dev = read_alloc(rd, n, 2 * sizeof(*t->dev));
	it = read_array(rd, target, "devices");
	while (t->dev && !rd->err && json_next(&it)) {
		struct result_device *dev = &t->dev[t->devs];

		if (!read_open_at(rd, &o, it.value, "devices", t->devs))
			return;
		t->devs++;
		read_unsigned(rd, &o, "level", &dev->level);
		if (dev->level > DEVICES_MAX)
			read_fail(rd, -ERANGE, "level", "this is too large");
		read_props(rd, it.value, known, &dev->props);
		read_close(rd, &o);
	}
}

static void read_target(struct reader *rd, const struct read_object *o)
{
	struct result_target t = { .path = "", .type = "file" };

	read_text(rd, o, "path", &t.path);
	read_text(rd, o, "type", &t.type);
	read_u64(rd, o, "count", &t.files);
	if (read_has(o, "filesystem"))
		read_props(rd, json_get(&o->ix, "filesystem"), (const char *const[]){ NULL }, &t.fs);
	read_devices(rd, o, &t);
	if (!rd->err)
		result_add_target(rd->r, &t);
	props_fini(&t.fs);
	for (unsigned i = 0; i < t.devs; i++)
		props_fini(&t.dev[i].props);
}

static void read_targets(struct reader *rd, const struct read_object *fiord)
{
	struct json_iter it = read_array(rd, fiord, "targets");
	struct read_object o;

	for (size_t i = 0; !rd->err && json_next(&it); i++) {
		if (!read_charge(rd, 2 * sizeof(struct result_target)) ||
		    !read_open_at(rd, &o, it.value, "targets", i))
			return;
		read_target(rd, &o);
		read_close(rd, &o);
	}
}

/* ---- plan ---- */

static size_t count_elements(struct reader *rd, const struct read_object *o, const char *key)
{
	struct json_iter it = read_array(rd, o, key);
	size_t n = 0;

	while (json_next(&it))
		n++;
	return n;
}

static void read_plan_job(struct reader *rd, const struct read_object *o, struct result_plan_job *j)
{
	struct json seed = json_get(&o->ix, "seed");
	struct read_object verify;

	j->name = "";
	read_text(rd, o, "name", &j->name);
	read_unsigned(rd, o, "group", &j->group);
	read_unsigned(rd, o, "wave", &j->wave);
	read_unsigned(rd, o, "stage", &j->stage);
	read_unsigned(rd, o, "workers", &j->workers);
	read_bool(rd, o, "threads", &j->threads);
	read_u64(rd, o, "randseed", &j->randseed);
	read_bool(rd, o, "randrepeat", &j->repeat);
	if (json_kind(seed) == JSON_STRING)
		j->seed = strtoull(seed.at + 1, NULL, 16);
	if (read_open_key(rd, &verify, o, "verify")) {
		j->verify_known_by = "";
		read_text(rd, &verify, "known_by", &j->verify_known_by);
		read_u64(rd, &verify, "memory_bytes", &j->verify_memory_bytes);
		read_close(rd, &verify);
	}
}

static void read_plan_jobs(struct reader *rd, const struct read_object *plan, struct result_plan *p)
{
	struct json_iter it = read_array(rd, plan, "jobs");
	struct result_plan_job *v = read_alloc(rd, count_elements(rd, plan, "jobs"), sizeof(*v));
	struct read_object o;

	p->job = v;
	while (v && json_next(&it) && read_open_at(rd, &o, it.value, "jobs", p->jobs)) {
		read_plan_job(rd, &o, &v[p->jobs++]);
		read_close(rd, &o);
	}
}

static void read_spaces(struct reader *rd, const struct read_object *plan, struct result_plan *p)
{
	struct json_iter it = read_array(rd, plan, "space");
	struct result_plan_space *v = read_alloc(rd, count_elements(rd, plan, "space"), sizeof(*v));
	struct read_object o;

	p->space = v;
	while (v && json_next(&it) && read_open_at(rd, &o, it.value, "space", p->spaces)) {
		struct result_plan_space *s = &v[p->spaces++];

		s->path = s->fstype = "";
		read_text(rd, &o, "path", &s->path);
		read_text(rd, &o, "filesystem", &s->fstype);
		read_u64(rd, &o, "needed_bytes", &s->need_bytes);
		read_u64(rd, &o, "highest_bytes", &s->peak_bytes);
		read_u64(rd, &o, "free_bytes", &s->free_bytes);
		read_close(rd, &o);
	}
}

static void read_overwrites(struct reader *rd, const struct read_object *plan, struct result_plan *p)
{
	struct json_iter it = read_array(rd, plan, "overwrites");
	struct result_overwrite *v = read_alloc(rd, count_elements(rd, plan, "overwrites"), sizeof(*v));
	struct read_object o;

	p->overwrite = v;
	while (v && json_next(&it) && read_open_at(rd, &o, it.value, "overwrites", p->overwrites)) {
		struct result_overwrite *w = &v[p->overwrites++];
		uint64_t modified = 0;

		w->path = w->job = "";
		read_text(rd, &o, "path", &w->path);
		read_text(rd, &o, "job", &w->job);
		read_u64(rd, &o, "size_bytes", &w->size_bytes);
		read_u64(rd, &o, "modified", &modified);
		w->modified_s = (int64_t)(modified > INT64_MAX ? INT64_MAX : modified);
		read_close(rd, &o);
	}
}

static void read_plan(struct reader *rd, const struct read_object *fiord)
{
	struct result_plan *p = &rd->r->plan;
	struct read_object o;

	if (!read_open_key(rd, &o, fiord, "plan"))
		return;
	read_unsigned(rd, &o, "sections", &p->sections);
	read_unsigned(rd, &o, "workers", &p->workers);
	read_unsigned(rd, &o, "processes", &p->processes);
	read_unsigned(rd, &o, "threads", &p->threads);
	read_unsigned(rd, &o, "groups", &p->groups);
	read_unsigned(rd, &o, "waves", &p->waves);
	read_u64(rd, &o, "seed", &p->seed);
	read_u64(rd, &o, "layout_bytes", &p->layout_bytes);
	read_overwrites(rd, &o, p);
	read_spaces(rd, &o, p);
	read_plan_jobs(rd, &o, p);
	read_close(rd, &o);
}

void read_environment(struct reader *rd, const struct read_object *fiord)
{
	read_plan(rd, fiord);
	read_machine(rd, fiord);
	read_clock(rd, fiord);
	read_targets(rd, fiord);
}
