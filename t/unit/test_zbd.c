/* Do random writes follow the write pointers of emulated zones, do reads stay below those that other workers
   move, and does the table of zones outlive a worker that is killed? t/run/zones.sh compares sequential
   writes with fio's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
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

/* Another worker, which fills the first zone and resets it until this one has done its reads. */
struct writer {
	struct zone_table *table;
	atomic_bool enough;
	atomic_uint turns;
};

static void *fill_and_reset(void *arg)
{
	struct writer *w = arg;

	for (; !w->enough; w->turns++) {
		zone_table_lock(w->table, 2);
		zone_table_move(w->table, 0, w->turns % 2 ? ZONE : 0, 1, 2);
		zone_table_unlock(w->table);
	}
	return NULL;
}

static bool send_command(void *arg, enum zone_command c, uint64_t start, uint64_t len, struct zone *as)
{
	(void)arg, (void)c, (void)start, (void)len, (void)as;
	return true;
}

/* A read lies in the data of one zone, although another worker resets the zone meanwhile. */
static void read_beside_writer(bool random)
{
	struct offset_cfg c = { .rw = RW_READ | (random ? RW_RANDOM : 0),
				.rw_nr = 1,
				.zone = { .mode = ZONE_ZBD, .size = ZONE } };
	struct writer w = { .table = calloc(1, zone_table_bytes(2)) };
	struct zone_use use = { .table = w.table, .me = 1, .command = send_command };
	void *memory = malloc(zbd_bytes());
	struct offset_gen g;
	unsigned reads = 0;
	pthread_t thread;
	uint64_t offset;
	uint32_t len;

	assert_non_null(w.table);
	assert_non_null(memory);
	zone_table_init(w.table, 2, ZONE, 0, true);
	for (uint32_t i = 0; i < 2; i++)
		zone_table_set(w.table, i, &(struct zone){ .capacity = ZONE });
	c.bsize.lo[DIR_READ] = 4 * K;
	c.bsize.hi[DIR_READ] = 16 * K;
	c.random_percent[DIR_READ] = random ? 100 : 0;
	offset_init(&g, &c, 0, 2 * ZONE, 7);
	zbd_set(&g, memory, &use);
	offset_set_pass(&g, 2 * ZONE);
	assert_int_equal(pthread_create(&thread, NULL, fill_and_reset, &w), 0);
	while (reads < 200000 || w.turns < 1000) {
		if (!offset_next(&g, DIR_READ, &offset, &len)) {
			offset_restart(&g, true);
			continue;
		}
		reads++;
		assert_true(offset + len <= ZONE);
	}
	w.enough = true;
	pthread_join(thread, NULL);
	free(memory);
	free(w.table);
}

static void test_reads(void **state)
{
	(void)state;
	read_beside_writer(true);
	read_beside_writer(false);
}

#define KILLS 300

/* Opens and closes zones until it is killed. */
static void change_zones(struct zone_table *t, _Atomic unsigned *rounds)
{
	uint32_t me = (uint32_t)getpid();

	for (;; ++*rounds) {
		uint32_t i = *rounds * 7 % ZONES;

		zone_table_lock(t, me);
		zone_table_move(t, i, K, K, me);
		zone_table_move(t, (i + 5) % ZONES, ZONE, K, me);
		zone_table_unlock(t);
	}
}

/* The list has each open zone once, at the place that the zone names. */
static void check_list(struct zone_table *t)
{
	uint32_t open = 0;

	assert_true(t->nopen <= ZONES);
	for (uint32_t i = 0; i < ZONES; i++) {
		uint32_t at = zone_table_zone(t, i)->open;

		if (!at)
			continue;
		open++;
		assert_true(at <= t->nopen);
		assert_int_equal(zone_table_open(t)[at - 1], i);
	}
	assert_int_equal(open, t->nopen);
}

/* SIGKILL comes at any moment. Some of them are in the middle of a change. */
static void test_killed(void **state)
{
	size_t bytes = zone_table_bytes(ZONES) + sizeof(_Atomic unsigned);
	struct zone_table *t = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	_Atomic unsigned *rounds = (void *)((char *)t + zone_table_bytes(ZONES));
	unsigned held = 0;

	(void)state;
	assert_true(t != MAP_FAILED);
	zone_table_init(t, ZONES, ZONE, ZONE, false);
	for (unsigned i = 0; i < KILLS; i++) {
		unsigned before = *rounds;
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (!pid)
			change_zones(t, rounds);
		while (*rounds - before < 10 + i)
			sched_yield();
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		held += t->lock != 0;
		zone_table_lock(t, (uint32_t)getpid());
		check_list(t);
		zone_table_unlock(t);
	}
	assert_true(held);
	munmap(t, bytes);
}

#define WORKERS 4
#define FLIGHT  8
#define WRITES  20000u
#define LIMIT   3

/* A device that takes a write only at the write pointer of a zone, and puts an append there. Nothing here is
 * atomic, because only the owner of a zone touches its write pointer. The thread sanitizer checks that. */
struct fake {
	struct zone_table *table;
	uint64_t wp[ZONES];
};

struct sharer {
	struct fake *dev;
	struct offset_gen gen;
	struct zone_use use;
	pthread_t thread;
	uint64_t offset[FLIGHT], resets, finishes, most_open;
	/* joined: appends to a zone that had one in flight, or writes in rows */
	unsigned flying, completed, joined;
	bool bad;
};

static bool fake_command(void *arg, enum zone_command c, uint64_t start, uint64_t len, struct zone *as)
{
	struct sharer *w = arg;

	(void)len;
	if (c == ZONE_LOCATE)
		as->wp = w->dev->wp[start / ZONE];
	else
		w->dev->wp[start / ZONE] = c == ZONE_RESET ? 0 : ZONE;
	return true;
}

/* The device completes the oldest write; of appends any one, and some of them fail. */
static void complete_one(struct sharer *w)
{
	unsigned which = w->use.appends ? w->completed % w->flying : 0;
	uint64_t at = w->offset[which], *wp = &w->dev->wp[at / ZONE];
	bool failed = w->use.appends && w->completed % 50 == 49;

	w->bad |= w->use.appends ? *wp + 12 * K > ZONE : *wp != at % ZONE;
	if (!failed)
		*wp += 12 * K;
	w->flying--;
	w->completed++;
	for (unsigned i = which; i < w->flying; i++)
		w->offset[i] = w->offset[i + 1];
	zbd_done(&w->gen, DIR_WRITE, at, 12 * K, failed);
}

static void count_joined(struct sharer *w)
{
	for (unsigned i = 0; i < w->flying; i++)
		if (w->offset[i] / ZONE == w->offset[w->flying] / ZONE) {
			w->joined++;
			return;
		}
}

static void *share(void *arg)
{
	struct sharer *w = arg;

	w->use.me = (uint32_t)syscall(SYS_gettid);
	for (unsigned n = 0; n < WRITES && !w->bad;) {
		uint32_t len;

		if (w->flying < FLIGHT && offset_next(&w->gen, DIR_WRITE, &w->offset[w->flying], &len)) {
			count_joined(w);
			w->flying++;
			n++;
		} else if (w->flying) {
			complete_one(w);
		} else if (zbd_stopped(&w->gen) == ZBD_BUSY_OTHER) {
			sched_yield();
		} else {
			w->bad = true;
		}
	}
	while (w->flying)
		complete_one(w);
	return NULL;
}

/* Writes one by one. The device does some writes in part only. */
static bool write_row(struct sharer *w, const uint64_t *offset, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t *wp = &w->dev->wp[offset[i] / ZONE];
		bool failed = ++w->completed % 50 == 0;

		w->bad |= *wp != offset[i] % ZONE;
		*wp += failed ? 4 * K : 12 * K;
		if (!failed)
			continue;
		zbd_row_end(&w->gen, offset[i] + 12 * K, true);
		zbd_done(&w->gen, DIR_WRITE, offset[i], 12 * K, true);
		return false;
	}
	return true;
}

/* Fills zones by rows, and gives back the last write of some. */
static void *share_rows(void *arg)
{
	struct sharer *w = arg;
	uint64_t offset[3], next = 0;
	uint32_t len;

	w->use.me = (uint32_t)syscall(SYS_gettid);
	while (w->completed < WRITES && !w->bad) {
		unsigned n = zbd_row(&w->gen, offset, COUNT(offset)),
			 part = n - (n > 1 && w->completed % 7 == 0);

		w->joined += n;
		if (n) {
			next = offset[part - 1] + 12 * K;
			if (write_row(w, offset, part) && part < n)
				zbd_row_end(&w->gen, next, false);
		} else if (offset_next(&w->gen, DIR_WRITE, w->offset, &len)) {
			w->flying = 1;
			complete_one(w);
		} else if (zbd_stopped(&w->gen) == ZBD_BUSY_OTHER) {
			sched_yield();
		} else {
			w->bad = true;
		}
	}
	zbd_row_end(&w->gen, next, false);
	return NULL;
}

/* Threads share the zones of a device. */
static void share_zones(void *(*work)(void *), bool appends)
{
	static const struct zone empty = { .capacity = ZONE };
	bool rows = work == share_rows;
	struct offset_cfg c = { .rw = RW_WRITE | (rows ? 0 : RW_RANDOM),
				.rw_nr = 1,
				.zone = { .mode = ZONE_ZBD, .size = ZONE } };
	unsigned joined = 0;
	struct fake dev = { .table = calloc(1, zone_table_bytes(ZONES)) };
	struct sharer *w = calloc(WORKERS, sizeof(*w));
	char *memory = calloc(WORKERS, zbd_bytes());

	assert_true(dev.table && w && memory);
	zone_table_init(dev.table, ZONES, ZONE, ZONE, true);
	for (uint32_t i = 0; i < ZONES; i++)
		zone_table_set(dev.table, i, &empty);
	c.bsize.lo[DIR_WRITE] = c.bsize.hi[DIR_WRITE] = 12 * K;
	c.random_percent[DIR_WRITE] = rows ? 0 : 100;
	for (unsigned i = 0; i < WORKERS; i++) {
		w[i].dev = &dev;
		w[i].use = (struct zone_use){ .table = dev.table,
					      .max_open = LIMIT,
					      .appends = appends,
					      .command = fake_command,
					      .arg = &w[i],
					      .resets = &w[i].resets,
					      .finishes = &w[i].finishes,
					      .most_open = &w[i].most_open };
		offset_init(&w[i].gen, &c, 0, ZONES * ZONE, i);
		zbd_set(&w[i].gen, memory + i * zbd_bytes(), &w[i].use);
		offset_set_pass(&w[i].gen, UINT64_MAX);
	}
	for (unsigned i = 0; i < WORKERS; i++)
		assert_int_equal(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
	for (unsigned i = 0; i < WORKERS; i++) {
		assert_int_equal(pthread_join(w[i].thread, NULL), 0);
		assert_false(w[i].bad);
		assert_true(w[i].resets && w[i].most_open <= LIMIT);
		joined += w[i].joined;
	}
	assert_int_equal(joined > 0, appends || rows);
	check_list(dev.table);
	for (uint32_t i = 0; i < ZONES; i++)
		assert_int_equal(zone_table_zone(dev.table, i)->wp, dev.wp[i]);
	free(dev.table);
	free(w);
	free(memory);
}

static void test_shared(void **state)
{
	(void)state;
	share_zones(share, false);
	share_zones(share, true);
	share_zones(share_rows, false);
}

/* A device whose zone 1 is read-only and takes no reset. */
static bool worn_command(void *arg, enum zone_command c, uint64_t start, uint64_t len, struct zone *as)
{
	unsigned *refused = arg;

	(void)len;
	if (start / ZONE == 1 && c == ZONE_RESET) {
		as->state = ZONED_READ_ONLY;
		++*refused;
	}
	return true;
}

/* A zone that takes no writes any more is asked once, and others take its writes; when none is left, the
   generator says so. */
static void wear_out(bool random)
{
	struct offset_cfg c = { .rw = RW_WRITE | (random ? RW_RANDOM : 0),
				.rw_nr = 1,
				.zone = { .mode = ZONE_ZBD, .size = ZONE } };
	struct zone_table *t = calloc(1, zone_table_bytes(ZONES));
	unsigned refused = 0, n = 0;
	struct zone_use use = { .table = t, .me = 1, .command = worn_command, .arg = &refused };
	void *memory = malloc(zbd_bytes());
	struct offset_gen g;
	uint64_t offset;
	uint32_t len;

	assert_true(t && memory);
	zone_table_init(t, ZONES, ZONE, ZONE, true);
	for (uint32_t i = 0; i < ZONES; i++)
		zone_table_set(t, i, &(struct zone){ .capacity = ZONE, .wp = i == 1 ? ZONE : 0 });
	c.bsize.lo[DIR_WRITE] = c.bsize.hi[DIR_WRITE] = 12 * K;
	c.random_percent[DIR_WRITE] = random ? 100 : 0;
	offset_init(&g, &c, 0, ZONES * ZONE, 3);
	zbd_set(&g, memory, &use);
	offset_set_pass(&g, UINT64_MAX);
	for (; n < 1000; n++) {
		assert_true(offset_next(&g, DIR_WRITE, &offset, &len));
		assert_int_not_equal(offset / ZONE, 1);
		zbd_done(&g, DIR_WRITE, offset, len, false);
	}
	assert_int_equal(refused, 1);
	check_list(t);
	for (uint32_t i = 0; i < ZONES; i++)
		zone_table_retire(t, i, i % 2 ? ZONED_READ_ONLY : ZONED_OFFLINE);
	check_list(t);
	assert_int_equal(t->nopen, 0);
	assert_false(offset_next(&g, DIR_WRITE, &offset, &len));
	assert_int_equal(zbd_stopped(&g), ZBD_WORN_OUT);
	free(memory);
	free(t);
}

static void test_worn_out(void **state)
{
	(void)state;
	wear_out(false);
	wear_out(true);
}

int unit_zbd(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_pointers), cmocka_unit_test(test_reads),
					    cmocka_unit_test(test_killed), cmocka_unit_test(test_shared),
					    cmocka_unit_test(test_worn_out) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
