#include "values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void values_add(struct values *s, double v)
{
	if (s->n == ROUNDS_MAX || isnan(v))
		return;
	s->v[s->n++] = v;
	qsort(s->v, s->n, sizeof(*s->v), by_value);
}

double values_median(const struct values *s)
{
	if (!s->n)
		return NAN;
	return s->n % 2 ? s->v[s->n / 2] : (s->v[s->n / 2 - 1] + s->v[s->n / 2]) / 2;
}

double values_low(const struct values *s)
{
	return s->n ? s->v[0] : NAN;
}

double values_high(const struct values *s)
{
	return s->n ? s->v[s->n - 1] : NAN;
}

static void print(FILE *f, double v)
{
	double size = fabs(v);

	fprintf(f, "%.*f", size < 0.9995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0, v);
}

void cell_values(FILE *f, const struct values *s)
{
	if (!s->n) {
		cell_text(f, "-");
		return;
	}
	putc(' ', f);
	print(f, values_median(s));
	if (s->n > 1) {
		fputs(" (", f);
		print(f, values_low(s));
		fputs("..", f);
		print(f, values_high(s));
		putc(')', f);
	}
	fputs(" |", f);
}

void cell_number(FILE *f, double v, const char *unit)
{
	if (isnan(v)) {
		cell_text(f, "-");
		return;
	}
	putc(' ', f);
	print(f, v);
	fprintf(f, "%s |", unit);
}

void cell_text(FILE *f, const char *text)
{
	fprintf(f, " %s |", text);
}

static bool comparable(double a, double b)
{
	return !isnan(a) && !isnan(b) && a > 0 && b > 0;
}

void cell_share(FILE *f, double a, double b)
{
	if (comparable(a, b))
		fprintf(f, " %.0f %% |", a / b * 100);
	else
		cell_text(f, "-");
}

void cell_times(FILE *f, double a, double b)
{
	cell_number(f, comparable(a, b) ? b / a : NAN, " ×");
}

void table_head(FILE *f, const char *cells)
{
	fputc('|', f);
	for (const char *c = cells; *c; c++)
		*c == '|'                      ? fputs(" |", f)
		: (c == cells || c[-1] == '|') ? fprintf(f, " %c", *c)
					       : fputc(*c, f);
	fputs(" |\n|---|", f);
	for (const char *c = strchr(cells, '|'); c; c = strchr(c + 1, '|'))
		fputs("---:|", f);
	fputc('\n', f);
}
