/* sweep_matrix.h: the points of a sweep: every combination of the values of its options. Pure. */
#ifndef SWEEP_MATRIX_H
#define SWEEP_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include "arena.h"
#include "diag.h"
#include "vec.h"

#define SWEEP_POINTS_MAX 10000
#define SWEEP_DIMS_MAX   8

/* An option and its values, in the words of a job file. */
struct sweep_dim {
	const char *name;
	VEC(const char *) value;
	bool percent; /* the values are percentages of a maximum */
};

/* A zeroed matrix has one point without values. */
struct sweep_matrix {
	struct arena mem;
	struct sweep_dim dims[SWEEP_DIMS_MAX];
	size_t ndims;
};

/* Adds NAME=VALUES. Commas separate values, or bars if the text has one, so that "bs=4k,64k|8k" has two
   values. "A..B" doubles from A to B, "10%..100%" continues by its first value, "A,B..C" by the difference of
   A and B, but "1,2,4..C" by the ratio that the three have; the end is always a value. Returns 0
   or -errno with d. */
int sweep_matrix_add(struct sweep_matrix *m, const char *text, struct diag *d);
/* Adds the values between those of an option, for a search among them: whole numbers that are at least 1 %
   apart, and for sizes multiples of their common divisor. The values have to be numbers that grow; otherwise
   returns -EINVAL with d, or -ENOMEM. */
int sweep_matrix_refine(struct sweep_matrix *m, size_t dim, struct diag *d);
/* Returns whether all values of an option are numbers, sizes or percentages. */
bool sweep_matrix_has_numbers(const struct sweep_matrix *m, size_t dim);
/* Returns the number of points, or SWEEP_POINTS_MAX + 1 if there are more than SWEEP_POINTS_MAX. */
size_t sweep_matrix_points(const struct sweep_matrix *m);
/* Stores the values of point i, one for each option. The last option changes fastest. */
void sweep_matrix_point(const struct sweep_matrix *m, size_t i, const char **value);
/* Returns the distance between points that differ in one option alone, by neighbouring values. */
size_t sweep_matrix_stride(const struct sweep_matrix *m, size_t dim);
void sweep_matrix_fini(struct sweep_matrix *m);

#endif
