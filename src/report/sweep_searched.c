/* sweep_searched.c: the charts of searches (--until) on the page of a sweep: what each condition measured at
   the values that were run, its limit, and the answer. */
#include "strbuf.h"
#include "sweep_judged.h"

#include <math.h>
#include <string.h>
#include "html_page.h"
#include "sweep_report.h"
#include "verdict.h"

#define CHARTS_MAX  24 /* on the page */
#define FIGURES_MAX (sizeof(looks) / sizeof(*looks))

static const enum svg_look looks[] = { SVG_READ, SVG_WRITE, SVG_P999, SVG_TRIM, SVG_MAX };

static const struct result_units units = { .kb_base = 1024 };

struct chart {
	struct strbuf *b;
	const struct sweep *s;
	const struct sweep_searched *search;
	const struct sweep_judged *first; /* the first figure of the condition */
	struct arena mem;
	size_t *value; /* the values that were run, in their order */
	size_t values;
	struct svg_load_curve curve[FIGURES_MAX];
	size_t curves;
};

static const struct sweep_dim *load_dim(const struct chart *ch)
{
	return &ch->s->matrix.dims[ch->s->load];
}

/* Adds a value as the sentence of the answer does: "1.90 ms". */
static void put_limit_value(struct strbuf *b, const struct sweep_judged *j, double value)
{
	struct result_verdict v = { .unit = j->unit, .limit = j->limit, .op = j->op, .measured = value };

	strbuf_puts(b, verdict_rounded(&v).text);
}

/* Returns "iodepth=9: 1.90 ms, and 1.93 ms in a second run". */
static const char *point_name(struct chart *ch, const struct sweep_judged *j, size_t value)
{
	struct strbuf b = { 0 };
	const char *name;

	strbuf_printf(&b, "%s=%s: %s ", load_dim(ch)->name, load_dim(ch)->value.v[value], j->figure);
	put_limit_value(&b, j, j->run[0][value]);
	if (!isnan(j->run[1][value])) {
		strbuf_puts(&b, ", and ");
		put_limit_value(&b, j, j->run[1][value]);
		strbuf_puts(&b, " in a second run");
	}
	name = strbuf_to_arena(&b, &ch->mem);
	ch->b->failed |= !name;
	return name ? name : "";
}

static struct svg_load_point point(struct chart *ch, const struct sweep_judged *j, size_t i)
{
	size_t value = ch->value[i];
	double first = j->run[0][value], again = j->run[1][value];

	return (struct svg_load_point){ .x = (double)i,
					.y = first,
					.lowest = fmin(first, again),
					.highest = fmax(first, again),
					.name = point_name(ch, j, value),
					.answer = ch->search->found && value == ch->search->best };
}

static void add_judged_curve(struct chart *ch, const struct sweep_judged *j)
{
	struct svg_load_point *v = arena_array(&ch->mem, ch->values, sizeof(*v));
	char *name = arena_printf(&ch->mem, "%s%s%s", j->of ? j->of : "", j->of ? ": " : "", j->figure);
	size_t n = 0;

	ch->b->failed |= !v || !name;
	for (size_t i = 0; v && i < ch->values; i++)
		if (sweep_judged_has(j, ch->value[i]))
			v[n++] = point(ch, j, i);
	ch->curve[ch->curves] =
		(struct svg_load_curve){ .name = name, .look = looks[ch->curves], .v = v, .n = n, .knee = n };
	ch->curves++;
}

/* Lists the values at which a figure of the condition was measured, and returns their texts. */
static const char **find_values(struct chart *ch)
{
	size_t all = load_dim(ch)->value.n;
	const char **text = arena_array(&ch->mem, all, sizeof(*text));

	ch->value = arena_array(&ch->mem, all, sizeof(*ch->value));
	ch->b->failed |= !text || !ch->value;
	for (size_t i = 0; text && ch->value && i < all; i++) {
		bool has = false;

		for (const struct sweep_judged *j = ch->first; j && !has; j = j->next)
			has = !strcmp(j->condition, ch->first->condition) && sweep_judged_has(j, i);
		if (!has)
			continue;
		text[ch->values] = load_dim(ch)->value.v[i];
		ch->value[ch->values++] = i;
	}
	return text;
}

static enum svg_unit unit_of(enum limit_unit unit)
{
	switch (unit) {
	case LIMIT_TIME:
		return SVG_NS;
	case LIMIT_RATE:
		return SVG_IOPS;
	case LIMIT_BW:
		return html_rate_unit(&units);
	case LIMIT_PERCENT:
		return SVG_PERCENT;
	default:
		return SVG_NUMBER;
	}
}

/* "Search of iodepth, bs=4k: read.lat.p99 < 2ms: each point is a run; ...". */
static void put_caption(struct chart *ch)
{
	bool again = false;

	for (size_t i = 0; i < ch->curves; i++)
		for (size_t k = 0; k < ch->curve[i].n; k++)
			again |= ch->curve[i].v[k].highest > ch->curve[i].v[k].lowest;
	html_printf(ch->b, "<figure>\n<figcaption><strong>%s</strong> ", ch->first->condition);
	if (*ch->search->name)
		html_printf(ch->b, "%s: ", ch->search->name);
	html_printf(ch->b,
		    "what the runs measured at each value of %s; a line marks the limit%s%s.</figcaption>\n",
		    load_dim(ch)->name, ch->search->found ? ", a ring the answer" : ", which no value meets",
		    again ? "; a bar reaches to the second run" : "");
}

/* Draws the condition whose figures begin at `first`. */
static void put_chart(struct chart *ch)
{
	struct svg_axes axes = { .unit = unit_of(ch->first->unit), .limit = ch->first->limit };
	struct strbuf limit = { 0 };

	axes.x_values = find_values(ch);
	axes.nx_values = ch->values;
	axes.x_name = load_dim(ch)->name;
	axes.log = axes.unit == SVG_NS && ch->first->limit > 0;
	axes.y_name = axes.unit == SVG_NUMBER ? ch->first->figure : NULL;
	axes.title = arena_printf(&ch->mem, "%s by %s", ch->first->figure, load_dim(ch)->name);
	for (const struct sweep_judged *j = ch->first; j && ch->curves < FIGURES_MAX; j = j->next)
		if (!strcmp(j->condition, ch->first->condition))
			add_judged_curve(ch, j);
	strbuf_printf(&limit, "limit %s ", ch->first->op);
	put_limit_value(&limit, ch->first, ch->first->limit);
	axes.limit_name = strbuf_str(&limit);
	if (ch->search->found)
		axes.answer_name = arena_printf(&ch->mem, "answer: %s=%s", load_dim(ch)->name,
						load_dim(ch)->value.v[ch->search->best]);
	ch->b->failed |= limit.failed || !axes.title || (ch->search->found && !axes.answer_name);
	if (!ch->b->failed && ch->values) {
		put_caption(ch);
		svg_load(ch->b, &axes, ch->curve, ch->curves);
		strbuf_puts(ch->b, "</figure>\n");
	}
	strbuf_fini(&limit);
}

/* Returns whether an earlier figure is of the same condition. */
static bool is_drawn(const struct sweep_searched *search, const struct sweep_judged *j)
{
	for (const struct sweep_judged *i = search->judged; i != j; i = i->next)
		if (!strcmp(i->condition, j->condition))
			return true;
	return false;
}

void html_sweep_searched(struct strbuf *b, const struct sweep *s)
{
	size_t charts = 0;

	for (size_t i = 0; i < s->nanswers; i++)
		for (const struct sweep_judged *j = s->searched[i].judged; j; j = j->next) {
			struct chart ch = { .b = b, .s = s, .search = &s->searched[i], .first = j };

			if (is_drawn(&s->searched[i], j) || charts++ >= CHARTS_MAX)
				continue;
			put_chart(&ch);
			arena_fini(&ch.mem);
		}
	if (charts > CHARTS_MAX)
		strbuf_printf(b, "<p class=\"note\">The page shows %d of %zu charts of searches.</p>\n",
			      CHARTS_MAX, charts);
}
