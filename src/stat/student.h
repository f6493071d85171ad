/* student.h: Student's t distribution. */
#ifndef STUDENT_H
#define STUDENT_H

/* Returns the probability of a value below t. df may have a fraction; it is greater than 0. */
double student_below(double t, double df);
/* Returns the value below which the share p lies; 0 < p < 1. */
double student_quantile(double p, double df);

#endif
