#include <string.h>
#include "pattern.h"

#define STEP_A 0x9e3779b97f4a7c15u

/* A counter through a folded 64 x 64 multiply: as random as a compressor can tell, at memory speed. */
static inline uint64_t fold(uint64_t counter, uint64_t key)
{
	__extension__ typedef unsigned __int128 u128;
	u128 product = (u128)counter * (counter ^ key);

	return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

static void fill_random(struct rng *r, unsigned char *buf, size_t bytes)
{
	uint64_t counter = rng_u64(r), key = rng_u64(r) | 1, last;
	size_t words = bytes / 8;

	for (size_t i = 0; i < words; i++) {
		uint64_t word = fold(counter += STEP_A, key);

		memcpy(buf + i * 8, &word, 8);
	}
	last = fold(counter + STEP_A, key);
	memcpy(buf + words * 8, &last, bytes % 8);
}

void pattern_fill(const struct buffer_cfg *c, struct rng *r, void *buf, size_t bytes)
{
	if (c->zero)
		memset(buf, 0, bytes);
	else
		fill_random(r, buf, bytes);
}

typedef uint64_t lanes __attribute__((vector_size(32), aligned(1), may_alias));

/* The same random bytes under another mask: no two writes share a run of bytes that a compressor could find,
   at a tenth of the cost of new ones. */
static void remask(unsigned char *buf, size_t bytes, uint64_t mask)
{
	const lanes m = { mask, mask, mask, mask };
	size_t at = 0;

	for (; at + sizeof(m) <= bytes; at += sizeof(m)) {
		lanes *v = (lanes *)(void *)(buf + at);

		*v ^= m;
	}
	for (; at < bytes; at++)
		buf[at] ^= (unsigned char)(mask >> (at % 8 * 8));
}

void pattern_before_write(const struct buffer_cfg *c, struct rng *r, void *buf, size_t bytes)
{
	if (c->zero)
		return;
	if (c->refill)
		fill_random(r, buf, bytes);
	else if (c->scramble)
		remask(buf, bytes, rng_u64(r));
}
