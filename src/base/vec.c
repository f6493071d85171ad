#include "vec.h"

#include <stdlib.h>

bool vec_grow(void **v, size_t n, size_t *cap, size_t bytes)
{
	size_t want = *cap ? *cap * 2 : 8, total;
	void *grown;

	if (n < *cap)
		return true;
	if (__builtin_mul_overflow(want, bytes, &total))
		return false;
	grown = realloc(*v, total);
	if (!grown)
		return false;
	*v = grown;
	*cap = want;
	return true;
}
