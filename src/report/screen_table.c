#include <stdio.h>
#include "screen_text.h"
#include "strbuf.h"
#include "text.h"

#define NAME_LEAST   8
#define NAME_MOST    32
#define COLUMNS_MOST (3 + 2 * DIR_DATA)
#define GROUPS_FROM  8 /* with this many lines the heads take two of them */
#define OF_ALL       DIR_DATA

enum of { OF_STATE, OF_IOPS, OF_BW, OF_MEAN, OF_P99 };

struct column {
	enum of of;
	unsigned dir; /* of a latency; OF_ALL: all directions */
	unsigned width;
};

struct table {
	const struct screen_state *s;
	bool utf8;
	unsigned width, name_width, n;
	struct column column[COLUMNS_MOST];
};

/* ---- which columns fit ---- */

struct choice {
	bool state, bw, mean, p99, dirs; /* dirs: each direction has its latencies; else they are joined */
};

static void add_column(struct table *t, enum of of, unsigned dir)
{
	static const unsigned width[] = {
		[OF_STATE] = 9, [OF_IOPS] = 6, [OF_BW] = 10, [OF_MEAN] = 8, [OF_P99] = 8
	};

	t->column[t->n++] = (struct column){ of, dir, width[of] };
	t->name_width -= 1 + width[of] < t->name_width ? 1 + width[of] : t->name_width;
}

static void add_latency_columns(struct table *t, const struct choice *c)
{
	for (unsigned d = 0; d <= OF_ALL; d++) {
		if (t->s->kind == LAT_KINDS || (d == OF_ALL) == c->dirs ||
		    (c->dirs && !(t->s->dirs & 1u << d)))
			continue;
		if (c->mean)
			add_column(t, OF_MEAN, d);
		if (c->p99)
			add_column(t, OF_P99, d);
	}
}

static bool columns_fit(struct table *t, const struct choice *c)
{
	t->n = 0;
	t->name_width = t->width;
	if (c->state)
		add_column(t, OF_STATE, 0);
	add_column(t, OF_IOPS, 0);
	if (c->bw)
		add_column(t, OF_BW, 0);
	add_latency_columns(t, c);
	return t->name_width >= NAME_LEAST;
}

static void choose_columns(struct table *t)
{
	static const struct choice choices[] = {
		{ true, true, true, true, true },     { true, true, false, true, true },
		{ false, true, false, true, true },   { false, true, false, true, false },
		{ false, false, false, true, false }, { false, false, false, false, false }
	};
	unsigned i = 0;

	while (!columns_fit(t, &choices[i]) && i + 1 < sizeof(choices) / sizeof(*choices))
		i++;
	if (t->name_width > NAME_MOST)
		t->name_width = NAME_MOST;
}

/* ---- heads ---- */

static const char *const dir_name[] = { "read ", "write ", "trim ", "" };

/* The direction and the kind of latency stand above its columns. */
static void put_groups(const struct table *t, struct strbuf *b)
{
	screen_text(b, "", t->name_width, true, t->utf8);
	for (unsigned i = 0; i < t->n; i++) {
		const struct column *c = &t->column[i];
		unsigned width = c->width;
		char text[32] = "";

		if (c->of == OF_MEAN && i + 1 < t->n && t->column[i + 1].of == OF_P99)
			width += 1 + t->column[++i].width;
		if (c->of >= OF_MEAN)
			snprintf(text, sizeof(text), "%.*s%s", width > c->width ? 6 : 1, dir_name[c->dir],
				 latency_label[t->s->kind]);
		strbuf_putc(b, ' ');
		screen_right(b, text, width);
	}
	strbuf_putc(b, '\n');
}

static void put_heads(const struct table *t, bool groups, struct strbuf *b)
{
	static const char *const head[] = { "state", "IOPS", "bandwidth", "mean", "p99" };

	screen_text(b, "job", t->name_width, true, t->utf8);
	for (unsigned i = 0; i < t->n; i++) {
		const struct column *c = &t->column[i];
		bool named = c->of >= OF_MEAN && c->dir != OF_ALL && !groups;
		char text[32];

		snprintf(text, sizeof(text), "%.1s%s%s", named ? dir_name[c->dir] : "", named ? " " : "",
			 head[c->of]);
		strbuf_putc(b, ' ');
		if (c->of == OF_STATE)
			screen_text(b, text, c->width, true, t->utf8);
		else
			screen_right(b, text, c->width);
	}
	strbuf_putc(b, '\n');
}

/* ---- rows ---- */

static void put_name(const struct table *t, const struct screen_row *row, struct strbuf *b)
{
	char suffix[24] = "";
	unsigned len = 0, columns = screen_columns(row->name, t->utf8);

	if (row->workers > 1)
		len = (unsigned)snprintf(suffix, sizeof(suffix), " (%u)", row->workers);
	else if (row->is_clone)
		len = (unsigned)snprintf(suffix, sizeof(suffix), " #%u", row->clone);
	if (len + NAME_LEAST / 2 > t->name_width)
		len = 0;
	columns = columns < t->name_width - len ? columns : t->name_width - len;
	screen_text(b, row->name, columns, true, t->utf8);
	strbuf_printf(b, "%-*s", (int)(t->name_width - columns), len ? suffix : "");
}

static void put_screen_latency(const struct screen_lat *l, enum of of, struct strbuf *b)
{
	if (!l->known || (of == OF_P99 && !l->has_p99))
		strbuf_putc(b, '-');
	else
		strbuf_puts(b, text_short_time(of == OF_MEAN ? l->mean : (double)l->p99).text);
}

static void put_figure_cell(const struct table *t, const struct column *c, const struct screen_row *row,
			    struct strbuf *b)
{
	const struct result_units *units = &t->s->now->units;
	struct strbuf text = { 0 };

	if (c->of == OF_BW && t->column[0].of != OF_STATE && (row->faulty || !row->active))
		strbuf_printf(&text, "%.*s", (int)c->width, row->state);
	else if (c->of <= OF_BW && !row->active && !row->iops)
		strbuf_putc(&text, '-');
	else if (c->of == OF_IOPS)
		strbuf_puts(&text, text_count(row->iops, units).text);
	else if (c->of == OF_BW)
		strbuf_puts(&text, text_num(row->bw, units, UNITS_BYTES_PER_S).text);
	else if (c->of >= OF_MEAN)
		put_screen_latency(c->dir == OF_ALL ? &row->all_dirs : &row->lat[c->dir], c->of, &text);
	strbuf_putc(b, ' ');
	if (c->of == OF_STATE)
		screen_text(b, row->state, c->width, true, t->utf8);
	else
		screen_right(b, strbuf_str(&text), c->width);
	strbuf_fini(&text);
}

static void put_job_row(const struct table *t, const struct screen_row *row, struct strbuf *b)
{
	struct strbuf line = { 0 };

	put_name(t, row, &line);
	for (unsigned i = 0; i < t->n; i++)
		put_figure_cell(t, &t->column[i], row, &line);
	screen_text(b, strbuf_str(&line), t->width, false, t->utf8);
	strbuf_putc(b, '\n');
	strbuf_fini(&line);
}

/* Returns how important it is that a row is in sight. */
static unsigned rank(const struct screen_row *row)
{
	return row->faulty ? 2 : row->active;
}

/* Adds `room` of the rows in their order. */
static void put_some(const struct table *t, size_t room, struct strbuf *b)
{
	size_t count[3] = { 0 }, left[3];

	for (size_t i = 0; i < t->s->nrows; i++)
		count[rank(&t->s->rows[i])]++;
	for (unsigned k = 3; k-- > 0;) {
		left[k] = count[k] < room ? count[k] : room;
		room -= left[k];
	}
	for (size_t i = 0; i < t->s->nrows; i++) {
		if (!left[rank(&t->s->rows[i])])
			continue;
		left[rank(&t->s->rows[i])]--;
		put_job_row(t, &t->s->rows[i], b);
	}
}

unsigned screen_table(const struct screen_state *s, unsigned width, unsigned lines, bool utf8,
		      struct strbuf *b)
{
	struct table t = { .s = s, .utf8 = utf8, .width = width };
	bool groups = lines >= GROUPS_FROM && s->kind < LAT_KINDS;
	unsigned others = 1 + groups + (s->nrows > 1), used;
	size_t room = lines > others ? lines - others : 0, shown = s->nrows;

	if (lines < 2)
		return 0;
	choose_columns(&t);
	if (groups)
		put_groups(&t, b);
	put_heads(&t, groups, b);
	if (shown > room)
		shown = room ? room - 1 : 0;
	put_some(&t, shown, b);
	used = others + (unsigned)shown;
	if (shown < s->nrows && room) {
		strbuf_printf(b, "%zu more jobs\n", s->nrows - shown);
		used++;
	}
	if (s->nrows > 1)
		put_job_row(&t, &s->total, b);
	return used;
}
