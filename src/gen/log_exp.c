#include "log_exp.h"

#include "cpu_features.h"
#include "log_exp_four.h"

static void log_any(double *x, unsigned n)
{
	for (unsigned i = 0; i < n; i += 4)
		log_four(x + i);
}

static void exp_any(double *x, unsigned n)
{
	for (unsigned i = 0; i < n; i += 4)
		exp_four(x + i);
}

void log_batch(double *x, unsigned n)
{
	(cpu_has_avx2() ? log_batch_avx2 : log_any)(x, n);
}

void exp_batch(double *x, unsigned n)
{
	(cpu_has_avx2() ? exp_batch_avx2 : exp_any)(x, n);
}
