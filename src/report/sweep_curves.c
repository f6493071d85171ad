/* sweep_curves.c: the curves of latency against load on the page of a sweep. */
#include "strbuf.h"
#include "sweep_report.h"

#include "html_page.h"

#define CURVES_MAX 24 /* charts on the page */
#define LATENCIES  3  /* in the chart of one curve */

/* The looks of curves in one chart, which are as many as one can tell apart. */
static const enum svg_look looks[] = { SVG_READ, SVG_WRITE, SVG_MEAN, SVG_P99, SVG_TRIM, SVG_OTHER };
#define TOGETHER_MAX (sizeof(looks) / sizeof(*looks))

enum latency { MEAN, P50, P99 };
static const char *const latency_name[LATENCIES] = { "mean", "p50", "p99" };

struct chart {
	struct strbuf *b;
	const struct sweep *s;
	struct arena mem;
	struct svg_load_curve curves[TOGETHER_MAX];
	size_t ncurves;
	bool by_value; /* the x axis has the values of the load in their order, in place of the IOPS */
	bool iops;     /* the curves show IOPS */
	/* With by_value: the values on the axis, and the place there of each value of the load. */
	const char **values;
	size_t nvalues, *place;
};

static double latency_of(const struct sweep_figures *f, enum latency which)
{
	return which == MEAN ? f->mean_ns : which == P50 ? (double)f->p50_ns : (double)f->p99_ns;
}

static bool has_latency(const struct sweep_point *p, const struct sweep_figures *f)
{
	return p->state != SWEEP_FAILED && f->known && f->mean_ns > 0;
}

static const char *point_name(struct chart *ch, const struct sweep_point *p, const struct sweep_figures *f,
			      enum latency which)
{
	const struct sweep *s = ch->s;
	struct strbuf b = { 0 };
	const char *name;

	strbuf_printf(&b, "%s=%s: %s IOPS, %s %s", s->matrix.dims[s->load].name, p->value[s->load],
		      readable_count(f->iops).text, latency_name[which],
		      readable_latency(latency_of(f, which)).text);
	if (f->overloaded)
		strbuf_puts(&b, ", overloaded");
	name = strbuf_to_arena(&b, &ch->mem);
	ch->b->failed |= !name;
	return name ? name : "";
}

/* Figures over the values of the load have their spread, and the values stand below the axis. */
static struct svg_load_point load_point(struct chart *ch, const struct sweep_point *p,
					const struct sweep_figures *f, enum latency which, size_t number)
{
	struct svg_load_point v = { .x = ch->by_value ? (double)number : f->iops,
				    .y = ch->iops ? f->iops : latency_of(f, which),
				    .overloaded = f->overloaded,
				    .name = point_name(ch, p, f, which) };

	if (which == MEAN && !ch->by_value)
		v.label = p->value[ch->s->load];
	if (which == MEAN && ch->by_value) {
		v.lowest = ch->iops ? f->iops_lowest : f->mean_lowest_ns;
		v.highest = ch->iops ? f->iops_highest : f->mean_highest_ns;
	}
	return v;
}

/* Returns which value of the load a point of the curve has. */
static size_t load_value(const struct sweep *s, const struct sweep_curve *c, size_t k)
{
	return c->points[k] / sweep_matrix_stride(&s->matrix, s->load) % s->matrix.dims[s->load].value.n;
}

/* Adds one latency of a curve to the chart. The curve of the means bears the values of the load, and marks
 * the knee. */
static void add_curve(struct chart *ch, const struct sweep_curve *c, enum latency which, const char *name,
		      enum svg_look look)
{
	struct svg_load_point *v = arena_array(&ch->mem, c->npoints + 1, sizeof(*v));
	struct svg_load_curve *out = &ch->curves[ch->ncurves++];
	size_t knee = c->npoints;

	*out = (struct svg_load_curve){ .name = name, .look = look, .v = v };
	ch->b->failed |= !v;
	for (size_t k = 0; v && k < c->npoints; k++) {
		const struct sweep_figures *f = sweep_curve_figures(ch->s, c, k);
		const struct sweep_point *p = &ch->s->points[c->points[k]];

		if (!has_latency(p, f) || !(latency_of(f, which) > 0))
			continue;
		if (k == c->knee)
			knee = out->n;
		v[out->n++] = load_point(ch, p, f, which, ch->place ? ch->place[load_value(ch->s, c, k)] : k);
	}
	out->knee = which == MEAN && knee < c->npoints ? knee : out->n;
}

static void put_caption(struct chart *ch, const char *title)
{
	const char *load = ch->s->matrix.dims[ch->s->load].name;
	bool knee = false, overloaded = false, spread = false;

	for (size_t i = 0; i < ch->ncurves; i++) {
		knee |= ch->curves[i].knee < ch->curves[i].n;
		for (size_t k = 0; k < ch->curves[i].n; k++) {
			overloaded |= ch->curves[i].v[k].overloaded;
			spread |= ch->curves[i].v[k].highest > 0;
		}
	}
	html_printf(ch->b, "<figure>\n<figcaption>%s: each point is one value of %s%s%s%s.</figcaption>\n",
		    title, load, knee ? "; a line down marks the knee" : "",
		    overloaded ? "; a square is an overloaded point" : "",
		    spread ? "; a bar reaches from the lowest to the highest of five equal parts of the run"
			   : "");
}

static void put_chart(struct chart *ch, const char *what, const char *of)
{
	const struct sweep_dim *load = &ch->s->matrix.dims[ch->s->load];
	struct svg_axes axes = { .unit = ch->iops ? SVG_IOPS : SVG_NS, .log = !ch->iops };
	struct strbuf title = { 0 };

	if (ch->by_value) {
		axes.x_name = load->name;
		axes.x_values = ch->values;
		axes.nx_values = ch->nvalues;
		strbuf_printf(&title, "%s by %s%s%s", what, load->name, *of ? ", " : "", of);
	} else {
		strbuf_printf(&title, "%s against %s%s%s", what, ch->s->sets_load ? "load" : "IOPS",
			      *of ? ", " : "", of);
	}
	axes.title = strbuf_str(&title);
	put_caption(ch, axes.title);
	svg_load(ch->b, &axes, ch->curves, ch->ncurves);
	strbuf_puts(ch->b, "</figure>\n");
	strbuf_end(&title, ch->b);
	arena_fini(&ch->mem);
}

/* A chart needs two points, of which one may have failed. */
static bool is_shown(const struct sweep *s, const struct sweep_curve *c, size_t group)
{
	bool any = false;

	for (size_t k = 0; k < c->npoints; k++)
		any |= has_latency(&s->points[c->points[k]], sweep_curve_figures(s, c, k));
	return c->group == group && c->npoints >= 2 && any;
}

/* Marks the values at which the points of a curve were run. */
static void mark_values(struct chart *ch, const struct sweep_curve *c)
{
	for (size_t k = 0; ch->place && k < c->npoints; k++)
		if (!ch->s->search || ch->s->points[c->points[k]].state != SWEEP_SKIPPED)
			ch->place[load_value(ch->s, c, k)] = 1;
}

/* Puts the values of the load that curves have on the axis, in their order: those of `only`, or those of all
   curves of a group. */
static void place_values(struct chart *ch, const struct sweep_curve *only, size_t group)
{
	const struct sweep_dim *load = &ch->s->matrix.dims[ch->s->load];

	ch->values = arena_array(&ch->mem, load->value.n, sizeof(*ch->values));
	ch->place = arena_array(&ch->mem, load->value.n, sizeof(*ch->place));
	ch->b->failed |= !ch->values || !ch->place;
	for (size_t i = 0; i < ch->s->ncurves; i++)
		if (only ? only == &ch->s->curves[i] : is_shown(ch->s, &ch->s->curves[i], group))
			mark_values(ch, &ch->s->curves[i]);
	for (size_t v = 0; ch->values && ch->place && v < load->value.n; v++)
		if (ch->place[v]) {
			ch->place[v] = ch->nvalues;
			ch->values[ch->nvalues++] = load->value.v[v];
		}
}

/* The IOPS of a curve by value, which the chart of its latencies does not show. */
static void put_iops(struct strbuf *b, const struct sweep *s, const struct sweep_curve *c)
{
	struct chart ch = { .b = b, .s = s, .by_value = true, .iops = true };

	place_values(&ch, c, c->group);
	add_curve(&ch, c, MEAN, "IOPS", SVG_READ);
	put_chart(&ch, "IOPS", c->name);
}

static void put_one(struct strbuf *b, const struct sweep *s, const struct sweep_curve *c)
{
	static const enum svg_look look[LATENCIES] = { SVG_MEAN, SVG_P50, SVG_P99 };
	struct chart ch = { .b = b, .s = s, .by_value = c->noisy || s->search };

	if (ch.by_value) {
		put_iops(b, s, c);
		place_values(&ch, c, c->group);
	}
	for (unsigned l = 0; l < LATENCIES; l++)
		add_curve(&ch, c, l, latency_name[l], look[l]);
	put_chart(&ch, "Latency", c->name);
}

static void put_together(struct strbuf *b, const struct sweep *s, size_t group)
{
	struct chart ch = { .b = b, .s = s, .by_value = s->search };

	for (size_t i = 0; i < s->ncurves; i++)
		ch.by_value |= is_shown(s, &s->curves[i], group) && s->curves[i].noisy;
	if (ch.by_value)
		place_values(&ch, NULL, group);
	for (size_t i = 0; i < s->ncurves; i++)
		if (is_shown(s, &s->curves[i], group))
			add_curve(&ch, &s->curves[i], MEAN, s->curves[i].name, looks[ch.ncurves]);
	put_chart(&ch, "Mean latency", "");
}

void html_sweep_curves(struct strbuf *b, const struct sweep *s, size_t group)
{
	size_t shown = 0, all = 0;

	for (size_t i = 0; i < s->ncurves; i++)
		all += is_shown(s, &s->curves[i], group);
	if (all >= 2 && all <= TOGETHER_MAX)
		put_together(b, s, group);
	for (size_t i = 0; i < s->ncurves && shown < CURVES_MAX; i++)
		if (is_shown(s, &s->curves[i], group)) {
			put_one(b, s, &s->curves[i]);
			shown++;
		}
	if (all > shown)
		strbuf_printf(
			b,
			"<p class=\"note\">The page shows %zu of %zu curves; the table has all points.</p>\n",
			shown, all);
}
