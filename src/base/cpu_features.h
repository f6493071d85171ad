/* cpu_features.h: the optional instructions of this CPU. */
#ifndef CPU_FEATURES_H
#define CPU_FEATURES_H

#include <stdbool.h>

/* Whether the program has code for instructions that only some CPUs of its kind have. */
#if defined(__x86_64__)
#define CPU_FEATURES_VARY true
#else
#define CPU_FEATURES_VARY false
#endif

static inline bool cpu_has_avx2(void)
{
#if defined(__x86_64__)
	return __builtin_cpu_supports("avx2");
#else
	return false;
#endif
}

static inline bool cpu_has_bmi2(void)
{
#if defined(__x86_64__)
	return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#else
	return false;
#endif
}

/* The CRC-32C instruction and carry-less multiplication. */
static inline bool cpu_has_sse42(void)
{
#if defined(__x86_64__)
	return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul");
#else
	return false;
#endif
}

#endif
