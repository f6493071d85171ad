/* read_environment.c: reads fiord's description of the run: plan, machine, clock and targets. */
#include <errno.h>
#include <stdlib.h>
#include "read_parts.h"

/* ---- facts ---- */

static bool is_row_name(struct json key, const struct figure *rows)
{
	for (; rows->name; rows++)
		if (json_is(key, rows->name))
			return true;
	return false;
}

/* Adds the members of an object as facts, but for those of the rows. */
static void read_props(struct reader *rd, struct json object, const struct figure *rows, struct props *to)
{
	struct json_iter it = json_iter(object);

	while (!rd->err && json_next(&it)) {
		enum json_kind kind = json_kind(it.value);
		const char *name;
		uint64_t number = 0;

		if (is_row_name(it.key, rows) || !read_charge(rd, 4 * sizeof(struct prop)))
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
	struct result_env *e = &rd->r->env;
	struct read_object o;

	if (!read_open_key(rd, &o, fiord, "environment"))
		return;
	e->host = e->os = e->kernel = e->arch = e->cpu = "unknown";
	read_figures(rd, &o, figures_machine, e);
	read_props(rd, json_get(&fiord->ix, "environment"), figures_machine, &e->props);
	if (!*e->host)
		e->host = NULL; /* a result of log files names no machine */
	read_close(rd, &o);
}

/* ---- targets ---- */

#define DEVICES_MAX 4096

static void read_devices(struct reader *rd, const struct read_object *target, struct result_target *t)
{
	struct json_iter it = read_array(rd, target, "devices");
	struct read_object o;
	unsigned n = 0;

	while (json_next(&it) && n <= DEVICES_MAX)
		n++;
	if (n > DEVICES_MAX)
		read_fail(rd, -EINVAL, "devices", "there are more than %d devices", DEVICES_MAX);
	t->devs = read_alloc(rd, n, 2 * sizeof(*t->devs));
	it = read_array(rd, target, "devices");
	while (t->devs && !rd->err && json_next(&it)) {
		struct result_device *dev = &t->devs[t->ndevs];

		if (!read_open_at(rd, &o, it.value, "devices", t->ndevs))
			return;
		t->ndevs++;
		read_figures(rd, &o, figures_device, dev);
		read_props(rd, it.value, figures_device, &dev->props);
		read_close(rd, &o);
	}
}

static void read_target(struct reader *rd, const struct read_object *o)
{
	struct result_target t = { .type = "file" };

	read_figures(rd, o, figures_target, &t);
	if (read_has(o, "filesystem"))
		read_props(rd, json_get(&o->ix, "filesystem"), &(struct figure){ 0 }, &t.fs);
	read_devices(rd, o, &t);
	if (!rd->err)
		result_add_target(rd->r, &t);
	props_fini(&t.fs);
	for (unsigned i = 0; i < t.ndevs; i++)
		props_fini(&t.devs[i].props);
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

void read_environment(struct reader *rd, const struct read_object *fiord)
{
	read_figures(rd, fiord, figures_plan, rd->r);
	read_machine(rd, fiord);
	read_figures_in(rd, fiord, "fiord.", figures_clock, rd->r);
	read_targets(rd, fiord);
}
