#include "sweep_points.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "answer.h"
#include "read.h"
#include "readable.h"
#include "strbuf.h"
#include "sweep_args.h"
#include "sweep_judged.h"
#include "verdict.h"

/* The search of the load for one combination of the other options. */
struct until {
	struct sweep_points *p;
	const struct sweep_wait *w;
	size_t first, stride; /* of its points */
	struct sweep_search search;
	struct sweep_searched *searched;
	const char *stopped; /* why the search ended early; NULL: it did not */
};

static const struct sweep_dim *load(const struct sweep_points *p)
{
	return &p->sweep->matrix.dims[p->sweep->load];
}

static size_t point_of(const struct until *u, size_t value)
{
	return u->first + value * u->stride;
}

/* ---- judging a document ---- */

static bool all_passed(const struct result *res)
{
	for (size_t i = 0; i < res->verdicts.n; i++)
		if (!res->verdicts.v[i].passed)
			return false;
	return true;
}

/* Returns -ENODATA if the document has no such figure. */
static int judge_result(struct until *u, struct result *res, size_t value)
{
	struct sweep_tried *tried = &u->search.values[value];
	struct assertion_facts facts;
	int err = assertion_facts_of(&facts, res);

	res->verdicts.n = 0;
	err = err ? err : assertion_judge(&u->p->until, &facts, res);
	assertion_facts_fini(&facts);
	if (err || !res->verdicts.n)
		return err ? err : -ENODATA;
	err = sweep_judged_add(u->p->sweep, u->searched, value, tried->runs, &res->verdicts);
	tried->runs++;
	tried->met += all_passed(res);
	return err;
}

static int judge(struct until *u, const char *file, size_t value, struct diag *d)
{
	struct result_set set = { 0 };
	const char *path = sweep_path(u->p, file);
	int err = path ? result_read_file(&set, path, d) : diag_no_memory(d);

	if (!err) {
		err = set.n ? judge_result(u, set.res[0], value) : -ENODATA;
		if (err)
			err = diag_kind(d, DIAG_RUN, err, "%s: %s", path,
					err == -ENODATA ? "it has no result" : "out of memory");
	}
	result_set_free(&set);
	return err;
}

/* ---- the search ---- */

static int stop(struct until *u, size_t value, const char *why, struct diag *d)
{
	u->stopped = arena_printf(&u->p->sweep->mem, "%s=%s failed: %s", load(u->p)->name,
				  load(u->p)->value.v[value], why);
	return u->stopped ? 0 : diag_no_memory(d);
}

static int try_first(struct until *u, size_t value, struct diag *d)
{
	const struct sweep_point *sp = &u->p->sweep->points[point_of(u, value)];
	int err = sweep_points_run_one(u->p, u->w, point_of(u, value), d);

	if (err || u->p->signal)
		return err;
	if (sp->state == SWEEP_FAILED)
		return stop(u, value, sp->error, d);
	return judge(u, u->p->run[point_of(u, value)].file, value, d);
}

static int try_again(struct until *u, size_t value, struct diag *d)
{
	size_t point = point_of(u, value);
	const char *error;
	int err;

	u->p->again[point].file =
		u->p->again[point].file ? u->p->again[point].file : sweep_document(u->p, point, SWEEP_AGAIN);
	if (!u->p->again[point].file)
		return diag_no_memory(d);
	err = sweep_points_run_again(u->p, u->w, point, &error, d);
	if (err || u->p->signal)
		return err;
	return error ? stop(u, value, error, d) : judge(u, u->p->again[point].file, value, d);
}

static int run_search(struct until *u, struct diag *d)
{
	size_t value;
	int err = 0;

	while (!err && !u->stopped && !u->p->signal &&
	       (value = sweep_search_next(&u->search)) < u->search.nvalues)
		err = u->search.values[value].runs ? try_again(u, value, d) : try_first(u, value, d);
	for (size_t i = 0; i < u->search.nvalues && !u->p->signal; i++)
		if (u->p->sweep->points[point_of(u, i)].state == SWEEP_WAITING)
			u->p->sweep->points[point_of(u, i)].state = SWEEP_SKIPPED;
	return err;
}

/* ---- the answer ---- */

/* Adds "iodepth=9". */
static void put_value(struct strbuf *b, const struct until *u, size_t value)
{
	strbuf_printf(b, "%s=%s", load(u->p)->name, load(u->p)->value.v[value]);
}

/* Adds "18.4k IOPS", for each group. */
static void put_iops(struct strbuf *b, const struct until *u, size_t value)
{
	const struct sweep *s = u->p->sweep;
	const struct sweep_figures *f = s->points[point_of(u, value)].group;

	for (size_t g = 0; f && g < s->groups; g++) {
		strbuf_puts(b, g ? ", " : "");
		if (s->groups > 1) {
			strbuf_plain(b, s->group_name[g]);
			strbuf_putc(b, ' ');
		}
		answer_iops(b, f[g].iops);
	}
}

/* Returns how far a run was from the limit of a figure: 1 is at the limit, and more is beyond it. */
static double excess(const struct sweep_judged *j, double measured)
{
	bool below = j->op[0] == '<';

	if (measured > 0 && j->limit > 0)
		return below ? measured / j->limit : j->limit / measured;
	return (below ? measured <= j->limit : measured >= j->limit) ? 0 : INFINITY;
}

/* Finds the figure that was farthest from its limit in the first runs of a value, and returns how far. */
static double farthest(const struct until *u, size_t value, unsigned runs, const struct sweep_judged **which)
{
	double most = -1;

	for (const struct sweep_judged *j = u->searched->judged; j; j = j->next)
		for (unsigned k = 0; k < runs; k++) {
			double e = excess(j, j->run[k][value]);

			if (e <= most)
				continue;
			most = e;
			*which = j;
		}
	return most;
}

/* Adds "read.lat.p99 1.9 ms". The text names the same figure for all runs of a value, so that they can be
 * compared. */
static void put_run(struct strbuf *b, const struct until *u, size_t value, unsigned run)
{
	const struct sweep_judged *j = NULL;
	struct result_verdict v;

	farthest(u, value, u->search.values[value].runs, &j);
	if (!j)
		return;
	v = (struct result_verdict){
		.unit = j->unit, .limit = j->limit, .op = j->op, .measured = j->run[run][value]
	};
	v.why = isnan(v.measured) ? "" : NULL;
	strbuf_printf_plain(b, "%s %s", j->figure, verdict_rounded(&v).text);
}

static void put_measured(struct strbuf *b, const struct until *u, size_t value)
{
	put_run(b, u, value, 0);
	if (u->search.values[value].runs < 2)
		return;
	strbuf_puts(b, ", and ");
	put_run(b, u, value, 1);
	strbuf_puts(b, " in a second run");
}

/* Names the values whose two runs contradict each other. */
static void put_contradictions(struct strbuf *b, const struct until *u)
{
	for (size_t i = 0; i < u->search.nvalues; i++) {
		const struct sweep_tried *t = &u->search.values[i];

		if (!t->met || t->met == t->runs)
			continue;
		strbuf_puts(b, ". The storage changes: ");
		put_value(b, u, i);
		strbuf_puts(b, " met the condition in one of two runs (");
		put_run(b, u, i, 0);
		strbuf_puts(b, ", ");
		put_run(b, u, i, 1);
		strbuf_puts(b, "), so it does not count");
	}
}

static size_t nearest(const struct until *u)
{
	const struct sweep_judged *j;
	size_t best = 0;

	for (size_t i = 1; i < u->search.nvalues; i++)
		if (u->search.values[i].runs && farthest(u, i, 1, &j) < farthest(u, best, 1, &j))
			best = i;
	return best;
}

static void put_none(struct strbuf *b, const struct until *u)
{
	size_t i = nearest(u);

	strbuf_puts(b, "No value that was run meets the condition. ");
	put_value(b, u, i);
	strbuf_puts(b, " comes nearest: ");
	put_iops(b, u, i);
	strbuf_puts(b, " at ");
	put_measured(b, u, i);
}

static void put_best(struct strbuf *b, const struct until *u, const struct sweep_edge *e)
{
	struct strbuf measured = { 0 };

	put_iops(b, u, e->best);
	put_run(&measured, u, e->best, 0);
	answer_at(b, strbuf_str(&measured), load(u->p)->name, load(u->p)->value.v[e->best]);
	strbuf_end(&measured, b);
	if (u->search.values[e->best].runs > 1) {
		strbuf_puts(b, "; ");
		put_run(b, u, e->best, 1);
		strbuf_puts(b, " in a second run");
	}
	strbuf_puts(b, ". ");
	if (e->found == SWEEP_FOUND_ALL) {
		put_value(b, u, 0);
		strbuf_printf(b, ", the least value, meets the condition too, so the most may lie beyond %s",
			      load(u->p)->value.v[e->best]);
		return;
	}
	put_value(b, u, e->beyond);
	strbuf_puts(b, " does not meet the condition: ");
	put_measured(b, u, e->beyond);
}

static int add_answer(struct until *u, struct diag *d)
{
	struct sweep *s = u->p->sweep;
	struct strbuf b = { 0 };
	struct sweep_edge e;

	if (u->p->signal)
		return 0;
	if (*u->searched->name)
		strbuf_printf(&b, "%s: ", u->searched->name);
	if (u->stopped) {
		strbuf_printf(&b, "The search ended early, because %s", u->stopped);
	} else {
		e = sweep_search_edge(&u->search);
		u->p->unmet |= e.found == SWEEP_FOUND_NONE;
		u->searched->found = e.found != SWEEP_FOUND_NONE;
		u->searched->best = e.best;
		if (e.found == SWEEP_FOUND_NONE)
			put_none(&b, u);
		else
			put_best(&b, u, &e);
		put_contradictions(&b, u);
	}
	strbuf_putc(&b, '.');
	s->answers[s->nanswers] = strbuf_to_arena(&b, &s->mem);
	return s->answers[s->nanswers++] ? 0 : diag_no_memory(d);
}

/* Returns the values of the other options, "bs=4k numjobs=2"; NULL without memory. */
static const char *search_name(const struct until *u)
{
	struct sweep *s = u->p->sweep;
	struct strbuf b = { 0 };

	for (size_t k = 0; k < s->matrix.ndims; k++)
		if (k != s->load)
			strbuf_printf(&b, "%s%s=%s", b.len ? " " : "", s->matrix.dims[k].name,
				      s->points[u->first].value[k]);
	return strbuf_to_arena(&b, &s->mem);
}

static int search(struct until *u, struct diag *d)
{
	struct arena *mem = &u->p->sweep->mem;
	int err;

	u->searched = &u->p->sweep->searched[u->p->sweep->nanswers];
	u->searched->name = search_name(u);
	u->search.nvalues = load(u->p)->value.n;
	u->search.values = arena_array(mem, u->search.nvalues, sizeof(*u->search.values));
	if (!u->search.values || !u->searched->name)
		return diag_no_memory(d);
	err = run_search(u, d);
	return err ? err : add_answer(u, d);
}

int sweep_until_run(struct sweep_points *p, const struct sweep_wait *w, struct diag *d)
{
	struct sweep *s = p->sweep;
	size_t stride = sweep_matrix_stride(&s->matrix, s->load), n = load(p)->value.n;
	int err = 0;

	s->answers = arena_array(&s->mem, s->npoints / n, sizeof(*s->answers));
	s->searched = arena_array(&s->mem, s->npoints / n, sizeof(*s->searched));
	if (!s->answers || !s->searched)
		return diag_no_memory(d);
	for (size_t i = 0; i < s->npoints && !err; i++)
		if (i / stride % n == 0)
			err = search(&(struct until){ .p = p, .w = w, .first = i, .stride = stride }, d);
	return err;
}

/* ---- before the run ---- */

size_t sweep_until_runs(const struct sweep_points *p)
{
	size_t n = load(p)->value.n, searches = p->sweep->npoints / n;

	return searches * (sweep_search_most(n) + (p->percent < p->sweep->matrix.ndims));
}

void sweep_until_describe(const struct sweep_points *p, struct strbuf *b)
{
	const struct sweep_dim *dim = load(p);
	size_t n = dim->value.n, searches = p->sweep->npoints / n;

	if (searches > 1)
		strbuf_printf(b, "%zu searches of", searches);
	else
		strbuf_puts(b, "a search of");
	strbuf_printf(b, " %s from %s to %s, %zu runs if the target does not change", dim->name,
		      dim->value.v[0], dim->value.v[n - 1], sweep_until_runs(p));
}

bool sweep_until_is_end(const struct sweep_points *p, size_t point)
{
	size_t n = load(p)->value.n,
	       value = point / sweep_matrix_stride(&p->sweep->matrix, p->sweep->load) % n;

	return !value || value + 1 == n;
}

void sweep_until_name_option(struct diag *d)
{
	static const char option[] = "--assert=";
	struct diag own = { 0 };

	if (!d->err || strncmp(diag_text(d), option, strlen(option)) != 0)
		return;
	diag_kind(&own, d->kind, d->err, "--until=%s", diag_text(d) + strlen(option));
	diag_fini(d);
	*d = own;
}
