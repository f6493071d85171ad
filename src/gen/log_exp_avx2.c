/* log_exp_avx2.c: log_exp.c for CPUs with AVX2. The build chooses this file on x86-64. */
#include "log_exp_four.h"

__attribute__((target("avx2"))) void log_batch_avx2(double *x, unsigned n)
{
	for (unsigned i = 0; i < n; i += 4)
		log_four(x + i);
}

__attribute__((target("avx2"))) void exp_batch_avx2(double *x, unsigned n)
{
	for (unsigned i = 0; i < n; i += 4)
		exp_four(x + i);
}
