#include <assert.h>
#include <stdbool.h>
#include "permute.h"

#include "cpu_features.h"
#include "permute_points.h"
#include "rng.h"

static uint64_t sqrt_up(uint64_t n)
{
	uint64_t root = 0;

	for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= n)
			root |= bit;
	return root * root < n ? root + 1 : root;
}

void permute_init(struct permute *p, uint64_t n, uint64_t key)
{
	assert(n <= (uint64_t)1 << 62);
	p->n = n;
	p->a = sqrt_up(n);
	p->b = n ? (n + p->a - 1) / p->a : 0;
	permute_restart(p, key);
}

void permute_restart(struct permute *p, uint64_t key)
{
	for (unsigned i = 0; i < 4; i++)
		p->key[i] = key = rng_mix64(key + i);
	p->next_point = 0;
	p->batch_pos = p->batch_len = 0;
}

static void round_points(uint32_t *x, const uint32_t *y, uint32_t size, uint64_t key)
{
	for (unsigned i = 0; i < PERMUTE_BATCH; i++)
		x[i] = permute_move(x[i], y[i], size, key);
}

void permute_round(uint32_t *x, const uint32_t *y, uint32_t size, uint64_t key)
{
	(cpu_has_avx2() ? permute_round_avx2 : round_points)(x, y, size, key);
}

/* Computes the numbers of the points. Returns a bit for each number beyond n. */
static uint64_t number_points(const struct permute *p, const struct points *at, uint64_t *number)
{
	uint64_t beyond = 0;

	for (unsigned i = 0; i < PERMUTE_BATCH; i++) {
		number[i] = at->row[i] * p->b + at->col[i];
		beyond |= (uint64_t)(number[i] >= p->n) << i;
	}
	return beyond;
}

static void move_points(const struct permute *p, struct points *at)
{
	permute_round(at->row, at->col, (uint32_t)p->a, p->key[0]);
	permute_round(at->col, at->row, (uint32_t)p->b, p->key[1]);
	permute_round(at->row, at->col, (uint32_t)p->a, p->key[2]);
	permute_round(at->col, at->row, (uint32_t)p->b, p->key[3]);
}

/* Lists the next points in grid order; nearly always they lie in one row. */
static void list_points(const struct permute *p, struct points *at)
{
	uint32_t row = (uint32_t)(p->next_point / p->b), col = (uint32_t)(p->next_point % p->b),
		 b = (uint32_t)p->b;

	for (unsigned i = 0; i < PERMUTE_BATCH; i++) {
		at->row[i] = row;
		at->col[i] = col + i;
	}
	if (b - col >= PERMUTE_BATCH)
		return;
	for (unsigned i = 0; i < PERMUTE_BATCH; i++) {
		at->row[i] = row;
		at->col[i] = col;
		if (++col == b) {
			col = 0;
			row++;
		}
	}
}

/* Removes the numbers whose bit is set; returns how many are left. */
static unsigned remove_numbers(uint64_t *number, uint64_t bits)
{
	unsigned n = PERMUTE_BATCH;

	if (bits)
		n = (unsigned)__builtin_ctzll(bits);
	for (unsigned i = n; i < PERMUTE_BATCH; i++) {
		number[n] = number[i];
		n += !(bits >> i & 1);
	}
	return n;
}

static void eval_batch(struct permute *p)
{
	struct points at;
	uint64_t left = p->a * p->b - p->next_point, out;

	list_points(p, &at);
	move_points(p, &at);
	out = cpu_has_avx2() ? permute_number_avx2(p, &at, p->batch) : number_points(p, &at, p->batch);
	if (left < PERMUTE_BATCH)
		out |= UINT64_MAX << left;
	p->next_point += left < PERMUTE_BATCH ? left : PERMUTE_BATCH;
	p->batch_len = remove_numbers(p->batch, out);
}

unsigned permute_refill(struct permute *p)
{
	p->batch_pos = p->batch_len = 0;
	while (p->batch_len == 0 && p->next_point < p->a * p->b)
		eval_batch(p);
	return p->batch_len;
}

/* Undoes a round for one x. */
static uint32_t move_back(uint32_t x, uint32_t y, uint32_t size, uint64_t key)
{
	uint32_t back = permute_distance(y, size, key);

	return x >= back ? x - back : x + (size - back);
}

uint64_t permute_point(const struct permute *p, uint64_t number)
{
	uint32_t a = (uint32_t)p->a, b = (uint32_t)p->b;
	uint32_t row = (uint32_t)(number / p->b), col = (uint32_t)(number % p->b);

	assert(number < p->n);
	col = move_back(col, row, b, p->key[3]);
	row = move_back(row, col, a, p->key[2]);
	col = move_back(col, row, b, p->key[1]);
	row = move_back(row, col, a, p->key[0]);
	return row * p->b + col;
}

bool permute_drawn(const struct permute *p, uint64_t number)
{
	uint64_t point = number < p->n ? permute_point(p, number) : UINT64_MAX;

	if (point >= p->next_point)
		return false;
	for (unsigned i = p->batch_pos; i < p->batch_len && p->next_point - point <= PERMUTE_BATCH; i++)
		if (p->batch[i] == number)
			return false;
	return true;
}
