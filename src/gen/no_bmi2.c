/* no_bmi2.c: the build chooses this file if the CPU family has no BMI2. cpu_has_bmi2() is false there, so
   this function is never called. */
#include "sha3_rounds.h"

void sha3_rounds_bmi2(uint64_t *a)
{
	sha3_rounds(a);
}
