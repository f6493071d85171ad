/* Does the map know the last write of each unit, and does it say so when it cannot know? The expected values
   are written by hand, or computed by a model that looks at each byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "rng.h"
#include "verify_map.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define UNCERTAIN   VERIFY_MAP_UNCERTAIN
#define NUMBERS     ((uint64_t)VERIFY_MAP_NUMBERS)
#define START       100u /* of each range: a multiple of no unit but 1 */
#define MODEL_BYTES 4096u

enum op_kind { DONE, MARK, MARK_OPEN, FAIL, FORGET };

/* What happens to [offset, offset + len), relative to the range. */
struct op {
	enum op_kind kind;
	uint32_t offset, len;
	uint64_t number;
};

static void apply(struct verify_map *m, const struct op *op)
{
	uint64_t at = m->start + op->offset;

	switch (op->kind) {
	case DONE:
		break;
	case MARK:
	case MARK_OPEN:
		verify_map_mark(m, at, op->len, op->number, op->kind == MARK_OPEN);
		break;
	case FAIL:
		verify_map_set_uncertain(m, at, op->len);
		break;
	case FORGET:
		verify_map_forget(m, at, op->len);
		break;
	}
}

static void test_numbers(void **state)
{
	static const struct {
		uint64_t number;
		uint32_t number31;
		uint64_t next;
		int64_t newest;
	} table[] = {
		{ 0, 1, 1, 0 },
		{ 0, 1, NUMBERS, 0 },
		{ 0, 1, NUMBERS + 1, (int64_t)NUMBERS }, /* looks newer than it is */
		{ NUMBERS - 1, 0x7fffffff, NUMBERS, (int64_t)NUMBERS - 1 },
		{ NUMBERS - 1, 0x7fffffff, 2 * NUMBERS - 1, (int64_t)NUMBERS - 1 },
		{ NUMBERS, 1, NUMBERS + 1, (int64_t)NUMBERS },
		{ 3 * NUMBERS + 7, 8, 3 * NUMBERS + 8, (int64_t)(3 * NUMBERS) + 7 },
		{ 3 * NUMBERS + 7, 8, 4 * NUMBERS + 7, (int64_t)(3 * NUMBERS) + 7 },
		{ 5, 6, 5, -(int64_t)NUMBERS + 5 }, /* no write before 5 has it */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(table); i++) {
		assert_int_equal(verify_map_number31(table[i].number), table[i].number31);
		assert_int_equal(verify_map_number(table[i].number31, table[i].next), table[i].newest);
	}
	assert_true(verify_map_number(0, 0) < 0);
	assert_true(verify_map_number(0, 5 * NUMBERS) < 0);
	assert_true(verify_map_number(1, 0) < 0);
}

static void test_expected_number(void **state)
{
	static const struct {
		uint64_t last, next, found;
		int64_t expected;
	} table[] = {
		{ 5, 9, 5, 5 },
		{ 5, 9, 4, 5 },
		{ 5, NUMBERS, UINT64_MAX, 5 },
		{ 5, 2 * NUMBERS, 5, 5 }, /* an old write that is right */
		{ 5, 2 * NUMBERS, NUMBERS + 5, (int64_t)NUMBERS + 5 },
		{ 5, 2 * NUMBERS, 2 * NUMBERS + 5, (int64_t)NUMBERS + 5 }, /* no such write yet */
		{ 5, 2 * NUMBERS, 6, (int64_t)NUMBERS + 5 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(table); i++)
		assert_int_equal(verify_map_expected(verify_map_number31(table[i].last), table[i].next,
						     table[i].found),
				 table[i].expected);
}

static void test_bytes(void **state)
{
	(void)state;
	assert_int_equal(verify_map_bytes(0, 512), 0);
	assert_int_equal(verify_map_bytes(1, 512), 4);
	assert_int_equal(verify_map_bytes(512, 512), 4);
	assert_int_equal(verify_map_bytes(513, 512), 8);
	assert_int_equal(verify_map_bytes((uint64_t)1 << 40, 4096), (uint64_t)1 << 30);
	assert_int_equal(verify_map_bytes(UINT64_MAX, 4), UINT64_MAX);
	assert_int_equal(verify_map_bytes(UINT64_MAX, 1), UINT64_MAX);
}

/* Entries after some steps; what the map held before each range must stay 0. */
static void test_steps(void **state)
{
	static const struct {
		const char *fact;
		uint32_t unit, len;
		struct op op[4];
		uint32_t entry[5];
	} table[] = {
		{ "one unit", 512, 2048, { { MARK, 512, 512, 0 } }, { 0, 1, 0, 0 } },
		{ "several units", 512, 2048, { { MARK, 512, 1536, 6 } }, { 0, 7, 7, 7 } },
		{ "the last write counts",
		  512,
		  2048,
		  { { MARK, 0, 2048, 6 }, { MARK, 512, 512, 9 } },
		  { 7, 10, 7, 7 } },
		{ "a unit of 3 KiB",
		  3072,
		  9216,
		  { { MARK, 0, 3072, 1 }, { MARK, 6144, 3072, 2 } },
		  { 2, 0, 3 } },
		{ "a unit of 1 byte", 1, 4, { { MARK, 1, 1, 1 }, { MARK, 2, 2, 2 } }, { 0, 2, 3, 3 } },
		{ "an overlap", 512, 1024, { { MARK_OPEN, 512, 512, 1 } }, { 0, UNCERTAIN | 2 } },
		{ "an overlap of two units",
		  512,
		  1024,
		  { { MARK_OPEN, 0, 1024, 1 } },
		  { UNCERTAIN | 2, UNCERTAIN | 2 } },
		{ "a later write ends it",
		  512,
		  1024,
		  { { MARK_OPEN, 0, 1024, 1 }, { MARK, 512, 512, 2 } },
		  { UNCERTAIN | 2, 3 } },
		{ "the middle of a unit", 512, 1536, { { MARK, 600, 100, 1 } }, { 0, UNCERTAIN | 2, 0 } },
		{ "parts of two units",
		  512,
		  1536,
		  { { MARK, 500, 100, 1 } },
		  { UNCERTAIN | 2, UNCERTAIN | 2, 0 } },
		{ "parts at both ends",
		  512,
		  2048,
		  { { MARK, 0, 2048, 0 }, { MARK, 511, 1026, 1 } },
		  { UNCERTAIN | 2, 2, 2, UNCERTAIN | 2 } },
		{ "a size of a unit across two",
		  512,
		  1536,
		  { { MARK, 1, 512, 1 } },
		  { UNCERTAIN | 2, UNCERTAIN | 2, 0 } },
		{ "the short last unit", 512, 1100, { { MARK, 1024, 76, 1 } }, { 0, 0, 2 } },
		{ "a part of it", 512, 1100, { { MARK, 1024, 75, 1 } }, { 0, 0, UNCERTAIN | 2 } },
		{ "up to the end", 512, 1100, { { MARK, 0, 1100, 1 } }, { 2, 2, 2 } },
		{ "up to the end, inside a unit",
		  512,
		  1100,
		  { { MARK, 1030, 70, 1 } },
		  { 0, 0, UNCERTAIN | 2 } },
		{ "a range below a unit", 512, 100, { { MARK, 0, 100, 1 } }, { 2 } },
		{ "nothing",
		  512,
		  1024,
		  { { MARK, 512, 0, 1 }, { MARK, 100, 0, 1 }, { FAIL, 100, 0, 0 } },
		  { 0, 0 } },
		{ "a failed write",
		  512,
		  1536,
		  { { MARK, 0, 512, 4 }, { FAIL, 0, 1024, 0 } },
		  { UNCERTAIN | 5, UNCERTAIN, 0 } },
		{ "a part that failed",
		  512,
		  1536,
		  { { MARK, 0, 1536, 4 }, { FAIL, 600, 10, 0 } },
		  { 5, UNCERTAIN | 5, 5 } },
		{ "a zone that is reset",
		  512,
		  1536,
		  { { MARK, 0, 1536, 4 }, { FAIL, 512, 512, 0 }, { FORGET, 512, 1024, 0 } },
		  { 5, 0, 0 } },
		{ "the number wraps around",
		  512,
		  1536,
		  { { MARK, 0, 512, NUMBERS - 1 }, { MARK, 512, 1024, NUMBERS } },
		  { 0x7fffffff, 1, 1 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(table); i++) {
		uint32_t entry[7] = { 0 };
		uint64_t units = verify_map_bytes(table[i].len, table[i].unit) / 4;
		struct verify_map m;

		verify_map_init(&m, entry + 1, START, table[i].len, table[i].unit);
		for (size_t k = 0; k < COUNT(table[i].op); k++)
			apply(&m, &table[i].op[k]);
		if (memcmp(entry + 1, table[i].entry, units * 4) != 0 || entry[0] || entry[units + 1])
			fail_msg("%s: %x %x %x %x", table[i].fact, entry[1], entry[2], entry[3], entry[4]);
	}
}

static void test_newest(void **state)
{
	static const uint32_t first[] = { 6, 0, UNCERTAIN | 9, UNCERTAIN, 3, 3, 0x7fffffff, 2 };
	static const struct {
		uint32_t offset, len;
		uint64_t next;
		int64_t newest;
	} table[] = {
		{ 0, 512, 20, 5 },
		{ 512, 512, 20, -1 },
		{ 1024, 512, 20, 8 },
		{ 1536, 512, 20, -1 },
		{ 0, 2048, 20, 8 },
		{ 0, 600, 20, 5 },
		{ 511, 1, 20, 5 },
		{ 1000, 25, 20, 8 },
		{ 100, 0, 20, -1 },
		{ 2048, 1024, 20, 2 },
		/* The write with number NUMBERS - 1 came before the one with NUMBERS + 1. */
		{ 3072, 1024, NUMBERS + 2, (int64_t)NUMBERS + 1 },
		{ 3072, 512, NUMBERS + 2, (int64_t)NUMBERS - 1 },
		{ 3584, 512, NUMBERS + 2, (int64_t)NUMBERS + 1 },
		{ 0, 512, NUMBERS + 2, 5 },
		{ 512, 512, NUMBERS + 2, -1 },
	};
	uint32_t entry[COUNT(first)];
	struct verify_map m;

	(void)state;
	memcpy(entry, first, sizeof(first));
	verify_map_init(&m, entry, START, sizeof(first) / 4 * 512, 512);
	for (size_t i = 0; i < COUNT(table); i++)
		assert_int_equal(verify_map_newest(&m, START + table[i].offset, table[i].len, table[i].next),
				 table[i].newest);
}

static void test_walk(void **state)
{
	static const struct {
		uint32_t unit, len, from, max;
		uint32_t entry[20];
		struct verify_run run[6]; /* relative to the range */
	} table[] = {
		{ 512, 0, 0, 512, { 0 }, { { 0 } } },
		{ 512, 2048, 0, 512, { 0 }, { { 0 } } },
		{ 512, 2048, 0, 4096, { 0, 3, 3, 0 }, { { 512, 1024, 3, false } } },
		{ 512, 2048, 0, 512, { 0, 3, 3, 0 }, { { 512, 512, 3, false }, { 1024, 512, 3, false } } },
		{ 512, 2048, 0, 1535, { 3, 3, 3, 3 }, { { 0, 1024, 3, false }, { 1024, 1024, 3, false } } },
		{ 512,
		  2048,
		  0,
		  4096,
		  { 3, 4, 4, 3 },
		  { { 0, 512, 3, false }, { 512, 1024, 4, false }, { 1536, 512, 3, false } } },
		{ 512,
		  2048,
		  0,
		  4096,
		  { 3, UNCERTAIN | 3, UNCERTAIN, 0 },
		  { { 0, 512, 3, false }, { 512, 512, 3, true }, { 1024, 512, 0, true } } },
		{ 512, 1100, 0, 4096, { 3, 3, 3 }, { { 0, 1100, 3, false } } },
		{ 512, 1100, 0, 512, { 0, 0, 3 }, { { 1024, 76, 3, false } } },
		{ 512, 1100, 1024, 512, { 3, 0, 3 }, { { 1024, 76, 3, false } } },
		{ 512, 2048, 700, 4096, { 3, 3, 3, 3 }, { { 512, 1536, 3, false } } },
		{ 512, 2048, 2048, 4096, { 3, 3, 3, 3 }, { { 0 } } },
		{ 1, 20, 0, 4096, { [19] = 3 }, { { 19, 1, 3, false } } },
		{ 1,
		  20,
		  0,
		  4096,
		  { [15] = 3, [16] = 3, [17] = 4 },
		  { { 15, 2, 3, false }, { 17, 1, 4, false } } },
		{ 3,
		  20,
		  0,
		  10,
		  { 3, 3, 3, 3, 3, 3, 3 },
		  { { 0, 9, 3, false }, { 9, 9, 3, false }, { 18, 2, 3, false } } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(table); i++) {
		uint32_t entry[20];
		uint64_t at = START + table[i].from;
		struct verify_map m;
		struct verify_run run;

		memcpy(entry, table[i].entry, sizeof(entry));
		verify_map_init(&m, entry, START, table[i].len, table[i].unit);
		for (size_t k = 0; table[i].run[k].bytes; k++) {
			const struct verify_run *want = &table[i].run[k];

			assert_true(verify_map_next(&m, &at, table[i].max, &run));
			assert_int_equal(run.offset, START + want->offset);
			assert_int_equal(run.bytes, want->bytes);
			assert_int_equal(run.number31, want->number31);
			assert_int_equal(run.uncertain, want->uncertain);
			assert_int_equal(at, run.offset + run.bytes);
		}
		assert_false(verify_map_next(&m, &at, table[i].max, &run));
		assert_int_equal(at, START + table[i].len);
	}
}

/* ---- the model: each byte knows its last write ---- */

struct byte {
	uint64_t number; /* of the last write, plus 1; 0: none */
	bool failed;     /* or overlapped */
};

struct model {
	uint32_t unit, len;
	struct byte byte[MODEL_BYTES];
	bool partial[MODEL_BYTES]; /* by unit: its last write or failure was only of a part */
};

static void change_byte(struct byte *b, const struct op *op)
{
	if (op->kind == FAIL)
		b->failed = true;
	else
		*b = (struct byte){ op->number + 1, op->kind == MARK_OPEN };
}

static void model_apply(struct model *model, const struct op *op)
{
	for (uint32_t from = 0; from < model->len; from += model->unit) {
		uint32_t to = from + model->unit < model->len ? from + model->unit : model->len, covered = 0;

		for (uint32_t b = from; b < to; b++) {
			if (b < op->offset || b >= op->offset + op->len)
				continue;
			covered++;
			change_byte(&model->byte[b], op);
		}
		if (covered == to - from && op->kind != FAIL)
			model->partial[from / model->unit] = false;
		else if (covered)
			model->partial[from / model->unit] = true;
	}
}

/* Returns whether all bytes of a unit are as its first one. */
static bool unit_uniform(const struct model *model, uint32_t from, uint32_t to)
{
	for (uint32_t b = from; b < to; b++)
		if (model->byte[b].number != model->byte[from].number || model->byte[b].failed)
			return false;
	return true;
}

/* The map says exactly this: who wrote a unit if nothing was partial, uncertain if something was. */
static void compare(const struct model *model, const struct verify_map *m)
{
	for (uint32_t from = 0, i = 0; from < model->len; from += model->unit, i++) {
		uint32_t to = from + model->unit < model->len ? from + model->unit : model->len;
		bool uniform = unit_uniform(model, from, to), uncertain = model->partial[i] || !uniform;
		uint64_t last = model->byte[from].number;

		assert_int_equal(!!(m->entry[i] & UNCERTAIN), uncertain);
		if (!uncertain)
			assert_int_equal(m->entry[i], last ? verify_map_number31(last - 1) : 0);
	}
}

static int64_t model_newest(const struct model *model, uint32_t offset, uint32_t len)
{
	uint32_t from = offset - offset % model->unit, to = offset + len;
	uint64_t newest = 0;

	while (len && to < model->len && to % model->unit)
		to++;
	for (uint32_t b = from; len && b < to; b++)
		newest = model->byte[b].number > newest ? model->byte[b].number : newest;
	return (int64_t)newest - 1;
}

/* The walk shows each unit that is not 0 once, in order, in runs as long as they can be. */
static void compare_walk(const struct verify_map *m, uint32_t max)
{
	uint64_t at = m->start, behind = m->start;
	struct verify_run run;

	while (verify_map_next(m, &at, max, &run)) {
		uint64_t first = (run.offset - m->start) / m->unit,
			 next = (at - m->start + m->unit - 1) / m->unit;

		for (uint64_t i = (behind - m->start) / m->unit; i < first; i++)
			assert_int_equal(m->entry[i], 0);
		for (uint64_t i = first; i < next; i++)
			assert_int_equal(m->entry[i], run.number31 | (run.uncertain ? UNCERTAIN : 0));
		assert_true(run.bytes <= max && run.bytes > 0 && run.offset + run.bytes == at);
		if (at < m->end && m->entry[next] == m->entry[first])
			assert_true(run.bytes + m->unit > max);
		behind = at;
	}
	for (uint64_t i = (behind - m->start) / m->unit; i * m->unit < m->end - m->start && behind < m->end;
	     i++)
		assert_int_equal(m->entry[i], 0);
}

static struct op draw_op(struct rng *r, uint32_t unit, uint32_t len, uint64_t number)
{
	struct op op = { (enum op_kind)(1 + rng_below(r, 3)), (uint32_t)rng_below(r, len), 0, number };

	if (rng_below(r, 4))
		op.offset -= op.offset % unit;
	op.len = (uint32_t)rng_below(r, (len - op.offset < 8 * unit ? len - op.offset : 8 * unit) + 1);
	if (rng_below(r, 4) && op.len >= unit && op.offset + op.len < len)
		op.len -= op.len % unit;
	return op;
}

static void run_model(struct rng *r, uint32_t unit, uint32_t len, uint64_t start)
{
	static struct model model;
	uint32_t *entry = calloc(1, verify_map_bytes(len, unit));
	uint64_t number = 0;
	struct verify_map m;

	assert_non_null(entry);
	memset(&model, 0, sizeof(model));
	model.unit = unit;
	model.len = len;
	verify_map_init(&m, entry, start, len, unit);
	for (unsigned i = 0; i < 60; i++) {
		struct op op = draw_op(r, unit, len, number);
		bool write = op.kind == MARK || op.kind == MARK_OPEN;
		int64_t newest = verify_map_newest(&m, start + op.offset, op.len, number);

		/* After failures of parts the map may remember writes that no byte is left of. */
		assert_true(newest >= model_newest(&model, op.offset, op.len) && newest < (int64_t)number);
		apply(&m, &op);
		model_apply(&model, &op);
		compare(&model, &m);
		compare_walk(&m, unit + (uint32_t)rng_below(r, 6 * unit));
		number += write ? 1 + rng_below(r, NUMBERS / 64) : 0;
	}
	free(entry);
}

static void test_against_model(void **state)
{
	static const uint32_t units[] = { 1, 2, 3, 7, 8, 48, 64, 100 };
	struct rng r;

	(void)state;
	rng_init(&r, 16);
	for (size_t i = 0; i < COUNT(units); i++)
		for (unsigned k = 0; k < 150; k++)
			run_model(&r, units[i], 1 + (uint32_t)rng_below(&r, 24 * units[i]),
				  rng_below(&r, 10000));
}

/* ---- writes in flight: a disk that applies each write at a random moment between its start and its end ----
 */

#define DEPTH 8u
#define UNITS 24u

struct disk {
	uint64_t unit[UNITS]; /* number of the write whose data it holds, plus 1 */
	struct flight {
		uint64_t number;
		uint32_t first, units;
		bool busy, applied;
	} slot[DEPTH];
};

static uint64_t oldest_in_flight(const struct disk *d, uint64_t next)
{
	for (unsigned i = 0; i < DEPTH; i++)
		if (d->slot[i].busy && d->slot[i].number < next)
			next = d->slot[i].number;
	return next;
}

/* Applies a write if that has not happened yet; ends it if `end`. */
static void disk_work(struct disk *d, unsigned i, bool end)
{
	struct flight *f = &d->slot[i];

	for (uint32_t u = f->first; f->busy && !f->applied && u < f->first + f->units; u++)
		d->unit[u] = f->number + 1;
	f->applied = true;
	f->busy = f->busy && !end;
}

static void disk_write(struct disk *d, struct rng *r, struct verify_map *m, uint64_t number)
{
	struct flight *f = &d->slot[rng_below(r, DEPTH)];
	uint64_t at;

	disk_work(d, (unsigned)(f - d->slot), true);
	*f = (struct flight){ number, (uint32_t)rng_below(r, UNITS), 1, true, false };
	f->units += (uint32_t)rng_below(r, UNITS - f->first < 3 ? UNITS - f->first : 3);
	at = m->start + f->first * m->unit;
	verify_map_mark(m, at, f->units * m->unit, number,
			verify_map_overlaps(m, at, f->units * m->unit, number, oldest_in_flight(d, number)));
}

/* Units that are not uncertain hold the write that the map names, whatever the order in which the disk
 * worked. */
static void test_overlaps(void **state)
{
	unsigned uncertain = 0, sure = 0;
	struct rng r;

	(void)state;
	rng_init(&r, 3);
	for (unsigned round = 0; round < 3000; round++) {
		uint32_t entry[UNITS] = { 0 };
		struct disk d = { 0 };
		struct verify_map m;

		verify_map_init(&m, entry, 0, UNITS * 512, 512);
		for (uint64_t number = 0; number < 40; number++) {
			disk_write(&d, &r, &m, number);
			while (rng_below(&r, 2))
				disk_work(&d, (unsigned)rng_below(&r, DEPTH), rng_below(&r, 2));
		}
		for (unsigned i = 0; i < DEPTH; i++)
			disk_work(&d, i, true);
		for (unsigned u = 0; u < UNITS; u++) {
			uncertain += entry[u] >> 31;
			sure += !(entry[u] >> 31);
			if (!(entry[u] & UNCERTAIN))
				assert_int_equal(entry[u], d.unit[u]);
		}
	}
	assert_true(uncertain > 1000);
	assert_true(sure > 1000);
}

/* With one write in flight nothing overlaps. */
static void test_depth_1(void **state)
{
	uint32_t entry[UNITS] = { 0 };
	struct verify_map m;
	struct rng r;

	(void)state;
	rng_init(&r, 1);
	verify_map_init(&m, entry, 0, UNITS * 512, 512);
	for (uint64_t number = 0; number < 1000; number++) {
		uint64_t at = rng_below(&r, UNITS) * 512;

		assert_false(verify_map_overlaps(&m, at, 512, number, number));
		verify_map_mark(&m, at, 512, number, false);
	}
}

/* A map of 1 GiB with a few writes: the walk finds these in memory that was never touched. */
static void test_large(void **state)
{
	static const uint64_t at[] = {
		0, 4096, 13 * 4096ull, (1ull << 33) - 4096, 1ull << 39, (1ull << 40) - 4096
	};
	uint64_t len = 1ull << 40, pos = 0, bytes = verify_map_bytes(len, 4096);
	struct verify_map m;
	struct verify_run run;
	uint32_t *entry;

	(void)state;
	entry = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (entry == MAP_FAILED)
		skip();
	verify_map_init(&m, entry, 0, len, 4096);
	for (size_t i = 0; i < COUNT(at); i++)
		verify_map_mark(&m, at[i], 4096, i, false);
	for (size_t i = 0; i < COUNT(at); i++) {
		assert_true(verify_map_next(&m, &pos, 4096, &run));
		assert_int_equal(run.offset, at[i]);
		assert_int_equal(run.number31, i + 1);
	}
	assert_false(verify_map_next(&m, &pos, 4096, &run));
	munmap(entry, bytes);
}

int unit_verify_map(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),       cmocka_unit_test(test_expected_number),
		cmocka_unit_test(test_bytes),         cmocka_unit_test(test_steps),
		cmocka_unit_test(test_newest),        cmocka_unit_test(test_walk),
		cmocka_unit_test(test_against_model), cmocka_unit_test(test_overlaps),
		cmocka_unit_test(test_depth_1),       cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
