/* cpu_features.h: which vector instructions this CPU has. */
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
