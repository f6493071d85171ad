/* sha3_bmi2.c: sha3_rounds() compiled for BMI2. The build chooses this file on x86-64. */
#include "sha3_rounds.h"

__attribute__((target("bmi,bmi2"))) void sha3_rounds_bmi2(uint64_t *a)
{
	sha3_rounds(a);
}
