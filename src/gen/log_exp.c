#include "log_exp.h"

#include "cpu_features.h"
#include "log_exp_four.h"

static void log_any(double *x)
{
	for (unsigned i = 0; i < LOG_EXP_BATCH; i += 4)
		log_four(x + i);
}

static void exp_any(double *x)
{
	for (unsigned i = 0; i < LOG_EXP_BATCH; i += 4)
		exp_four(x + i);
}

void log_batch(double *x)
{
	(cpu_has_avx2() ? log_batch_avx2 : log_any)(x);
}

void exp_batch(double *x)
{
	(cpu_has_avx2() ? exp_batch_avx2 : exp_any)(x);
}
