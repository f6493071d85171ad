#include "screen.h"

#include <stdio.h>
#include "screen_text.h"
#include "strbuf.h"
#include "text.h"

/* A smaller screen has only the figures of the whole run. */
#define TABLE_COLUMNS 32
#define TABLE_LINES   6
/* With this many lines there are: */
#define COUNTS_FROM 8  /* the line of states */
#define CURVES_FROM 10 /* curves */
#define SPACES_FROM 16 /* empty lines between the parts */
/* With this many columns there are: */
#define ELAPSED_FROM 56 /* the elapsed time */
#define MAX_FROM     60 /* the largest value of a curve */

struct screen {
	const struct screen_state *s;
	unsigned width, lines; /* lines that are left */
	bool utf8;
	struct strbuf *b;
};

static void end_screen_line(struct screen *sc)
{
	strbuf_putc(sc->b, '\n');
	sc->lines--;
}

/* ---- a small screen ---- */

/* Adds a word to the line if it fits, else to the next line. */
static void put_screen_word(struct screen *sc, unsigned *used, const struct strbuf *word)
{
	unsigned columns = screen_columns(strbuf_str(word), sc->utf8);

	if (!sc->lines)
		return;
	if (*used && *used + 2 + columns > sc->width) {
		end_screen_line(sc);
		*used = 0;
	}
	if (!sc->lines)
		return;
	if (*used)
		strbuf_puts(sc->b, "  ");
	screen_text(sc->b, strbuf_str(word), sc->width, false, sc->utf8);
	*used += columns + (*used ? 2 : 0);
}

static void put_screen_figure(struct screen *sc, unsigned figure, struct strbuf *word)
{
	const struct screen_state *s = sc->s;

	switch (figure) {
	case 0:
		strbuf_printf(word, "%s IOPS", text_count(s->total.iops, &s->now->units).text);
		break;
	case 1:
		strbuf_puts(word, text_num(s->total.bw, &s->now->units, UNITS_BYTES_PER_S).text);
		break;
	case 2:
		if (!s->total.all_dirs.has_p99)
			break;
		strbuf_printf(word, "p99 %s", text_short_time((double)s->total.all_dirs.p99).text);
		break;
	case 3:
		if (s->now->eta_known)
			strbuf_puts(word, text_clock(s->now->eta_s).text);
		break;
	default:
		break;
	}
}

static void draw_small(struct screen *sc)
{
	unsigned used = 0;

	for (unsigned figure = 0; figure < 4; figure++) {
		struct strbuf word = { 0 };

		put_screen_figure(sc, figure, &word);
		if (word.len)
			put_screen_word(sc, &used, &word);
		strbuf_fini(&word);
	}
	for (size_t i = sc->s->nnotes; i-- > 0;) {
		struct strbuf word = { 0 };

		strbuf_puts(&word, sc->s->notes[i]);
		put_screen_word(sc, &used, &word);
		strbuf_fini(&word);
	}
	if (used && sc->lines)
		end_screen_line(sc);
}

/* ---- the head ---- */

/* Adds a line with one text on the left, which is cut, and one on the right. */
static void put_sides(struct screen *sc, const char *left, const char *right)
{
	unsigned columns = screen_columns(right, sc->utf8);

	if (columns + 1 > sc->width)
		columns = 0;
	screen_text(sc->b, left, sc->width - columns - (columns != 0), columns != 0, sc->utf8);
	if (columns)
		strbuf_printf(sc->b, " %s", right);
	end_screen_line(sc);
}

static void put_title_line(struct screen *sc)
{
	const struct screen_state *s = sc->s;
	struct strbuf right = { 0 };

	if (sc->width >= ELAPSED_FROM)
		strbuf_printf(&right, "%s  ", text_clock(s->elapsed_s).text);
	if (s->now->percent_known)
		strbuf_printf(&right, "%.1f%%  ", s->now->percent);
	strbuf_puts(&right, "eta ");
	if (s->now->eta_known)
		strbuf_puts(&right, text_clock(s->now->eta_s).text);
	else
		strbuf_puts(&right, "--m:--s");
	put_sides(sc, s->title, strbuf_str(&right));
	strbuf_fini(&right);
}

static void put_count(struct strbuf *b, unsigned n, const char *state)
{
	if (n)
		strbuf_printf(b, ", %u %s", n, state);
}

static void put_count_line(struct screen *sc)
{
	const struct screen_state *s = sc->s;
	const struct progress *p = s->now;
	struct strbuf left = { 0 };
	char right[64] = "";

	strbuf_printf(&left, "%u running", p->running);
	put_count(&left, s->waiting, "waiting");
	put_count(&left, s->done, "done");
	put_count(&left, s->failed, "failed");
	if (p->layout_total)
		strbuf_printf(&left, ", layout %s of %s",
			      text_num(p->layout_done, &p->units, UNITS_BYTES).text,
			      text_num(p->layout_total, &p->units, UNITS_BYTES).text);
	if (p->ranks)
		strbuf_printf(&left, ", ranks: %s", p->ranks);
	if (sc->width >= MAX_FROM && sc->lines > CURVES_FROM)
		snprintf(right, sizeof(right), "a column of the curves is %u s", (unsigned)s->step_s);
	put_sides(sc, strbuf_str(&left), right);
	strbuf_fini(&left);
}

/* ---- curves ---- */

#define LABEL_WIDTH 6
#define VALUE_WIDTH 9
#define MAX_WIDTH   14

static void put_short_value(struct strbuf *b, uint64_t value, bool is_time, const struct result_units *units)
{
	if (is_time)
		strbuf_puts(b, text_short_time((double)value).text);
	else
		strbuf_puts(b, text_count(value, units).text);
}

static void put_curve(struct screen *sc, const char *label, const struct screen_curve *c, bool is_time)
{
	bool has_max = sc->width >= MAX_FROM;
	unsigned columns = sc->width - LABEL_WIDTH - 1 - VALUE_WIDTH - (has_max ? MAX_WIDTH : 0);
	uint64_t max = screen_curve_max(c, columns);
	struct strbuf line = { 0 }, now = { 0 }, most = { 0 };

	if (c->n)
		put_short_value(&now, c->value[c->n - 1], is_time, &sc->s->now->units);
	strbuf_puts(&most, "max ");
	put_short_value(&most, max, is_time, &sc->s->now->units);
	screen_text(&line, label, LABEL_WIDTH, true, sc->utf8);
	screen_curve(&line, c, columns, max, sc->utf8);
	strbuf_putc(&line, ' ');
	screen_right(&line, strbuf_str(&now), VALUE_WIDTH);
	if (has_max)
		screen_right(&line, strbuf_str(&most), MAX_WIDTH);
	screen_text(sc->b, strbuf_str(&line), sc->width, false, sc->utf8);
	end_screen_line(sc);
	strbuf_fini(&line);
	strbuf_fini(&now);
	strbuf_fini(&most);
}

static void put_space(struct screen *sc, bool spaces)
{
	if (spaces && sc->lines)
		end_screen_line(sc);
}

/* Adds the newest notes that fit into these lines. */
static void put_note_lines(struct screen *sc, unsigned lines)
{
	const struct screen_state *s = sc->s;
	size_t first = s->nnotes;
	unsigned n = 0;

	while (first && n < lines) {
		unsigned more = screen_wrap(NULL, s->notes[first - 1], sc->width, lines, sc->utf8);

		if (n && n + more > lines)
			break;
		n += more;
		first--;
	}
	for (; first < s->nnotes; first++)
		sc->lines -= screen_wrap(sc->b, s->notes[first], sc->width, lines, sc->utf8);
}

/* Returns how many lines the notes get: those that the table leaves, and some in any case. */
static unsigned note_lines(const struct screen *sc, unsigned height)
{
	unsigned least = height < COUNTS_FROM ? 0 : height < SPACES_FROM ? 1 : 4;
	size_t table = 3 + sc->s->nrows + 2;

	if (!sc->s->nnotes)
		return 0;
	return sc->lines > table + least ? sc->lines - (unsigned)table : least;
}

static void draw_large(struct screen *sc, unsigned height)
{
	const struct screen_state *s = sc->s;
	bool spaces = height >= SPACES_FROM;
	unsigned notes;

	put_title_line(sc);
	if (height >= COUNTS_FROM)
		put_count_line(sc);
	if (height >= CURVES_FROM) {
		put_space(sc, spaces);
		put_curve(sc, "IOPS", &s->iops, false);
		if (s->kind < LAT_KINDS)
			put_curve(sc, "p99", &s->p99, true);
	}
	put_space(sc, spaces);
	notes = note_lines(sc, height);
	sc->lines -= screen_table(s, sc->width, sc->lines - notes - (notes && spaces), sc->utf8, sc->b);
	put_space(sc, spaces && notes);
	put_note_lines(sc, notes < sc->lines ? notes : sc->lines);
}

void screen_draw(const struct screen_state *s, unsigned width, unsigned height, bool utf8, struct strbuf *b)
{
	struct screen sc = { s, width, height, utf8, b };

	if (!width || !height)
		return;
	if (width < TABLE_COLUMNS || height < TABLE_LINES)
		draw_small(&sc);
	else
		draw_large(&sc, height);
}
