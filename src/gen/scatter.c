#include "skew.h"

#include <assert.h>
#include "permute_points.h"
#include "rng.h"

void scatter_init(struct scatter *s, uint64_t n, uint64_t key)
{
	assert(n > 0 && n <= (uint64_t)1 << 62);
	s->n = n;
	s->col_bits = 0;
	while (s->col_bits < 31 && (uint64_t)1 << 2 * s->col_bits < n)
		s->col_bits++;
	s->rows = (uint32_t)((n - 1) >> s->col_bits) + 1;
	for (unsigned i = 0; i < 4; i++)
		s->key[i] = key = rng_mix64(key + i);
}

/* Maps a point of the grid to another one. */
static uint64_t map_point(const struct scatter *s, uint64_t point)
{
	uint32_t cols = (uint32_t)1 << s->col_bits;
	uint32_t row = (uint32_t)(point >> s->col_bits), col = (uint32_t)point & (cols - 1);

	row = permute_move(row, col, s->rows, s->key[0]);
	col = permute_move(col, row, cols, s->key[1]);
	row = permute_move(row, col, s->rows, s->key[2]);
	col = permute_move(col, row, cols, s->key[3]);
	return (uint64_t)row << s->col_bits | col;
}

/* Maps the point again until it is below n. The grid has more points than numbers. */
static uint64_t map_on(const struct scatter *s, uint64_t point)
{
	while (point >= s->n)
		point = map_point(s, point);
	return point;
}

uint64_t scatter_one(const struct scatter *s, uint64_t number)
{
	assert(number < s->n);
	return map_on(s, map_point(s, number));
}

void scatter_batch(const struct scatter *s, uint64_t *number)
{
	uint32_t cols = (uint32_t)1 << s->col_bits;
	struct points at;

	for (unsigned i = 0; i < SCATTER_BATCH; i++) {
		at.row[i] = (uint32_t)(number[i] >> s->col_bits);
		at.col[i] = (uint32_t)number[i] & (cols - 1);
	}
	permute_round(at.row, at.col, s->rows, s->key[0]);
	permute_round(at.col, at.row, cols, s->key[1]);
	permute_round(at.row, at.col, s->rows, s->key[2]);
	permute_round(at.col, at.row, cols, s->key[3]);
	for (unsigned i = 0; i < SCATTER_BATCH; i++)
		number[i] = map_on(s, (uint64_t)at.row[i] << s->col_bits | at.col[i]);
}
