/* Do random writes follow the write pointers of emulated zones? t/run/zones.sh compares sequential ones with
 * fio's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "offset.h"
#include "zbd.h"
#include "zone_table.h"

#define K           1024u
#define START       (1024 * (uint64_t)K)
#define ZONE        (64 * (uint64_t)K)
#define ZONES       16
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Sizes in KiB; resets: of zones that are not full. */
static const struct {
	unsigned lo, hi, capacity, max_open, threshold, frequency, passes;
	bool random, resets;
} jobs[] = {
	{ 4, 4, 64, 0, 0, 0, 1, true, false },          { 4, 4, 64, 0, 0, 0, 5, true, false },
	{ 4, 4, 64, 1, 0, 0, 5, true, false },          { 4, 4, 40, 3, 0, 0, 5, true, false },
	{ 12, 12, 64, 2, 0, 0, 5, true, false },        { 4, 16, 64, 2, 0, 0, 5, true, false },
	{ 4, 4, 64, 2, 250000, 100000, 5, true, true }, { 4, 4, 64, 0, 0, 1000000, 2, true, true },
	{ 4, 16, 48, 1, 0, 0, 5, false, false },        { 4, 4, 64, 0, 500000, 500000, 3, false, true },
};

struct zones {
	uint64_t wp[ZONES];
	unsigned open, early_resets, resets;
};

/* Adds a write, and returns the zones that are then neither empty nor full. */
static unsigned add(struct zones *z, uint64_t at, uint32_t len, uint32_t least, uint64_t capacity)
{
	uint64_t zone = at / ZONE;

	assert_true(zone < ZONES);
	if (at % ZONE == 0 && z->wp[zone] && capacity - z->wp[zone] >= least)
		z->early_resets++;
	z->resets += at % ZONE == 0 && z->wp[zone];
	if (at % ZONE)
		assert_int_equal(at % ZONE, z->wp[zone]);
	z->wp[zone] = at % ZONE + len;
	assert_true(z->wp[zone] <= capacity);
	z->open = 0;
	for (unsigned i = 0; i < ZONES; i++)
		z->open += z->wp[i] && capacity - z->wp[i] >= least;
	return z->open;
}

static void test_pointers(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(jobs); i++) {
		struct offset_cfg c = { .rw = RW_WRITE | (jobs[i].random ? RW_RANDOM : 0),
					.rw_nr = 1,
					.zone = { .mode = ZONE_ZBD,
						  .size = ZONE,
						  .capacity = jobs[i].capacity * K,
						  .reset_threshold = jobs[i].threshold,
						  .reset_frequency = jobs[i].frequency } };
		struct zones z = { 0 };
		struct offset_gen g;
		uint64_t offset, bytes = 0, resets = 0;
		struct zone_use use = { .me = 1, .max_open = jobs[i].max_open, .resets = &resets };
		unsigned most = 0, open;
		uint32_t len;
		void *memory;

		c.bsize.lo[DIR_WRITE] = jobs[i].lo * K;
		c.bsize.hi[DIR_WRITE] = jobs[i].hi * K;
		c.random_percent[DIR_WRITE] = 100;
		offset_init(&g, &c, START, ZONES * ZONE, i);
		memory = malloc(zbd_bytes());
		use.table = calloc(1, zone_table_bytes(START / ZONE + ZONES));
		assert_non_null(memory);
		assert_non_null(use.table);
		zone_table_init(use.table, START / ZONE + ZONES, ZONE, c.zone.capacity, false);
		zbd_set(&g, memory, &use);
		offset_set_pass(&g, ZONES * ZONE);
		for (unsigned pass = 0; pass < jobs[i].passes; pass++) {
			for (; offset_next(&g, DIR_WRITE, &offset, &len); bytes += len) {
				assert_true(offset >= START);
				open = add(&z, offset - START, len, (uint32_t)c.bsize.lo[DIR_WRITE],
					   c.zone.capacity);
				most = open > most ? open : most;
			}
			offset_restart(&g, pass % 2);
		}
		assert_true(bytes > jobs[i].passes * (ZONES * ZONE - jobs[i].hi * K));
		if (jobs[i].max_open)
			assert_int_equal(most, jobs[i].random ? jobs[i].max_open : 1);
		assert_int_equal(z.early_resets > 0, jobs[i].resets);
		assert_int_equal(resets, z.resets);
		free(use.table);
		free(memory);
	}
}

int unit_zbd(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_pointers) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
