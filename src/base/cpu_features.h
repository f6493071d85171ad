/* cpu_features.h: the vector instructions of this CPU. */
#ifndef CPU_FEATURES_H
#define CPU_FEATURES_H

#include <stdbool.h>

static inline bool cpu_has_avx2(void)
{
#if defined(__x86_64__)
	return __builtin_cpu_supports("avx2");
#else
	return false;
#endif
}

#endif
