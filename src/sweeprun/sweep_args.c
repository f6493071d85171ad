#include "sweep_args.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "sweep_snia.h"

size_t sweep_maximum_of(const struct sweep_points *p, size_t point)
{
	const struct sweep_matrix *m = &p->sweep->matrix;
	size_t stride = sweep_matrix_stride(m, p->percent);

	return point - point / stride % m->dims[p->percent].value.n * stride;
}

/* Adds the rate of one clone. */
static void put_asked_rate(const struct sweep_points *p, size_t point, struct strbuf *b)
{
	const struct sweep_maximum *max = &p->maximum[sweep_maximum_of(p, point)];
	double percent = strtod(p->sweep->points[point].value[p->percent], NULL);

	if (!max->known) {
		strbuf_puts(b, SWEEP_ANY_RATE);
		return;
	}
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		double rate = max->rate[dir] * percent / 100 / max->clones;

		if (dir)
			strbuf_putc(b, ',');
		if (max->rate[dir] > 0)
			strbuf_printf(b, "%" PRIu64, rate > 1 ? (uint64_t)rate : 1);
	}
}

/* Returns "NAME=VALUE" for an option of a point, in the arena. */
static char *assignment(const struct sweep_points *p, size_t point, size_t dim)
{
	struct sweep *s = p->sweep;
	struct strbuf b = { 0 };
	char *text;

	strbuf_printf(&b, "%s=", s->matrix.dims[dim].name);
	if (dim == p->percent)
		put_asked_rate(p, point, &b);
	else
		strbuf_puts(&b, s->points[point].value[dim]);
	text = strbuf_to_arena(&b, &s->mem);
	return text;
}

bool sweep_is_verb(const struct sweep_points *p, const char *verb)
{
	return p->base.nargs && !strcmp(p->base.args[0], verb);
}

/* The arguments of a run while they are collected. */
struct args {
	const struct sweep_points *p;
	size_t point;
	char **v;
	size_t n;
	bool failed;
};

static void add_set(struct args *a, char *text)
{
	a->v[a->n++] = (char *)"--set";
	a->v[a->n++] = text;
	a->failed |= !text;
}

/* Returns whether an argument of a DISKSPD line is this flag, with a number or alone: -o32, -r. */
static bool is_flag(const char *arg, const char *flag)
{
	size_t len = strlen(flag);

	return !strncmp(arg, flag, len) && (!arg[len] || isdigit((unsigned char)arg[len]));
}

/* Adds a DISKSPD line with the flags of the point in place of its own, or before them. */
static void add_line(struct args *a)
{
	const struct sweep_matrix *m = &a->p->sweep->matrix;
	size_t first = a->n;

	for (size_t i = 1; i < a->p->base.nargs; i++)
		a->v[a->n++] = a->p->base.args[i];
	for (size_t k = 0; k < m->ndims; k++) {
		bool found = false;
		char *flag;

		if (m->dims[k].name[0] != '-')
			continue;
		flag = arena_printf(&a->p->sweep->mem, "%s%s", m->dims[k].name,
				    a->p->sweep->points[a->point].value[k]);
		a->failed |= !flag;
		for (size_t at = first; at < a->n; at++)
			if (is_flag(a->v[at], m->dims[k].name)) {
				a->v[at] = flag;
				found = true;
			}
		if (found)
			continue;
		memmove(a->v + first + 1, a->v + first, (a->n - first) * sizeof(*a->v));
		a->v[first] = flag;
		a->n++;
	}
}

/* Returns whether an argument is NAME, NAME=VALUE or one of them after dashes. */
static bool names_option(const char *arg, const char *name)
{
	size_t len = strlen(name);

	arg += strspn(arg, "-");
	return !strncmp(arg, name, len) && (!arg[len] || arg[len] == '=');
}

/* Adds percentiles of lat, so that they are of the same latency as mean and maximum. A command line that
   names the option decides itself; a DISKSPD line does so by -L. */
static void add_latency(struct args *a)
{
	const struct sweep_points *p = a->p;

	for (size_t i = 0; i < p->base.nargs; i++)
		if (names_option(p->base.args[i], "lat_percentiles"))
			return;
	if (!sweep_is_verb(p, "diskspd"))
		add_set(a, (char *)(uintptr_t) "lat_percentiles=1");
}

static void add_options(struct args *a, enum sweep_run_kind kind)
{
	/* A point ends when all jobs of its group together are steady, or after 25 rounds. */
	static const char *const snia[] = { "steadystate=snia", "runtime=0", "group_reporting=1" };
	const struct sweep_points *p = a->p;
	const struct sweep_matrix *m = &p->sweep->matrix;

	for (size_t k = 0; k < m->ndims; k++)
		if (m->dims[k].name[0] != '-' && !(k == p->percent && kind == SWEEP_MAXIMUM))
			add_set(a, assignment(p, a->point, k));
	if (p->percent < m->ndims && kind != SWEEP_MAXIMUM)
		add_set(a, (char *)"rate_open=1");
	for (size_t i = 0; p->base.snia && i < sizeof(snia) / sizeof(*snia); i++)
		add_set(a, (char *)(uintptr_t)snia[i]);
}

char **sweep_args(const struct sweep_points *p, size_t point, enum sweep_run_kind kind,
		  const char *const *extra, size_t extras)
{
	struct args a = { .p = p, .point = point };
	size_t room = p->base.nargs + 2 * p->sweep->matrix.ndims + extras + 12;
	bool line = sweep_is_verb(p, "diskspd");

	if (kind == SWEEP_PRECONDITION)
		return sweep_snia_args(p, extra, extras);
	a.v = calloc(room, sizeof(*a.v));
	if (!a.v)
		return NULL;
	a.v[a.n++] = (char *)"fiord";
	for (size_t i = 0; i < (line ? 1 : p->base.nargs); i++)
		a.v[a.n++] = p->base.args[i];
	add_latency(&a);
	add_options(&a, kind);
	for (size_t i = 0; i < extras; i++)
		a.v[a.n++] = (char *)extra[i];
	if (line)
		add_line(&a);
	if (a.failed) {
		free(a.v);
		return NULL;
	}
	return a.v;
}

/* Characters that need quotes in a shell, or that a file name cannot have, become '_'. */
const char *sweep_document(struct sweep_points *p, size_t point, enum sweep_run_kind kind)
{
	struct sweep *s = p->sweep;
	struct strbuf b = { 0 };
	const char *name;

	if (kind == SWEEP_PRECONDITION)
		return "0000-precondition.json";
	strbuf_printf(&b, "%04zu", point + 1);
	for (size_t k = 0; k < s->matrix.ndims; k++)
		strbuf_printf(&b, "-%s=%s", s->matrix.dims[k].name + (s->matrix.dims[k].name[0] == '-'),
			      k == p->percent && kind == SWEEP_MAXIMUM ? "max" : s->points[point].value[k]);
	for (size_t i = 0; i < b.len; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=.,%+-_",
			    b.text[i]))
			b.text[i] = '_';
	if (b.len > 200)
		b.text[200] = '\0';
	name = b.failed ? NULL
			: arena_printf(&s->mem, "%s%s.json", strbuf_str(&b),
				       kind == SWEEP_AGAIN ? "-again" : "");
	strbuf_fini(&b);
	return name;
}

char *sweep_path(const struct sweep_points *p, const char *file)
{
	return arena_printf(&p->sweep->mem, "%s/%s", p->base.dir, file);
}
