/* values.h: values measured in several rounds, with median and spread, and cells of a Markdown table. */
#ifndef VALUES_H
#define VALUES_H

#include <stdbool.h>
#include <stdio.h>

#define ROUNDS_MAX 31

struct values {
	unsigned n;
	double v[ROUNDS_MAX];
};

void values_add(struct values *s, double v);
/* Returns NAN if there are no values. */
double values_median(const struct values *s);
double values_low(const struct values *s);
double values_high(const struct values *s);

/* Print cells, each with the bar behind it: "median (low..high)", one figure with three digits, text. */
void cell_values(FILE *f, const struct values *s);
void cell_number(FILE *f, double v, const char *unit);
void cell_text(FILE *f, const char *text);
/* Prints a as a percentage of b, and b divided by a; "-" if either is missing or not
   above 0. */
void cell_share(FILE *f, double a, double b);
void cell_times(FILE *f, double a, double b);

/* Prints the head of a table: cells separated by '|'; all but the first are figures. */
void table_head(FILE *f, const char *cells);

#endif
