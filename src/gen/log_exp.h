/* log_exp.h: logarithms and exponentials of a batch of numbers, within a few units in the last place. They
   have the same bits on every machine and with every C library, so that seeded draws are the same everywhere.
 */
#ifndef LOG_EXP_H
#define LOG_EXP_H

/* Replaces each x, a normal number above 0, by its logarithm. n is a multiple of 4. */
void log_batch(double *x, unsigned n);
/* Replaces each x by its exponential. Numbers below -700 or above 700 are taken as these. */
void exp_batch(double *x, unsigned n);

#endif
