#include "numset.h"

#include <stdlib.h>
#include <string.h>

static uint32_t words_of(uint32_t bits)
{
	return bits / 64 + (bits % 64 != 0);
}

bool numset_init(struct numset *s, uint32_t n)
{
	uint32_t words = n;

	*s = (struct numset){ .n = n };
	do {
		words = words_of(words);
		s->levels[s->nlevels] = calloc(words + 1, sizeof(uint64_t));
		if (!s->levels[s->nlevels++])
			return false;
	} while (words > 1);
	return true;
}

void numset_fini(struct numset *s)
{
	for (unsigned k = 0; k < s->nlevels; k++)
		free(s->levels[k]);
	*s = (struct numset){ .n = 0 };
}

void numset_fill(struct numset *s)
{
	uint32_t bits = s->n;

	for (unsigned k = 0; k < s->nlevels; k++) {
		memset(s->levels[k], 0xff, bits / 64 * sizeof(uint64_t));
		if (bits % 64)
			s->levels[k][bits / 64] = (UINT64_C(1) << bits % 64) - 1;
		bits = words_of(bits);
	}
}

void numset_add(struct numset *s, uint32_t number)
{
	for (unsigned k = 0; k < s->nlevels; k++) {
		s->levels[k][number / 64] |= UINT64_C(1) << number % 64;
		number /= 64;
	}
}

void numset_remove(struct numset *s, uint32_t number)
{
	for (unsigned k = 0; k < s->nlevels; k++) {
		s->levels[k][number / 64] &= ~(UINT64_C(1) << number % 64);
		if (s->levels[k][number / 64])
			return;
		number /= 64;
	}
}

/* Returns the first member from this number on, without wrapping around. */
static uint32_t find_from(const struct numset *s, uint32_t from)
{
	uint32_t bits = s->n;

	for (unsigned k = 0; k < s->nlevels && from < bits; k++) {
		uint64_t rest = s->levels[k][from / 64] & ~UINT64_C(0) << from % 64;

		if (rest) {
			uint32_t at = from / 64 * 64 + (uint32_t)__builtin_ctzll(rest);

			while (k--)
				at = at * 64 + (uint32_t)__builtin_ctzll(s->levels[k][at]);
			return at;
		}
		from = from / 64 + 1;
		bits = words_of(bits);
	}
	return NUMSET_NONE;
}

uint32_t numset_next(const struct numset *s, uint32_t from)
{
	uint32_t at = find_from(s, from);

	return at == NUMSET_NONE && from ? find_from(s, 0) : at;
}
