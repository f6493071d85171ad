/* Do the BPF programs find the bucket of a duration that hist.h has for it? Do windows of a sample open, and
   the programs stay attached, when they should? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "hist.h"
#include "split_maps.h"
#include "split_windows.h"

static void test_buckets(void **state)
{
	(void)state;
	for (unsigned i = 0; i + 1 < HIST_BUCKETS; i++) {
		assert_int_equal(split_bucket(hist_low(i)), i);
		assert_int_equal(split_bucket(hist_low(i + 1) - 1), i);
	}
	assert_int_equal(split_bucket((uint64_t)1 << 45), HIST_BUCKETS - 1);
	assert_int_equal(split_bucket(UINT64_MAX), HIST_BUCKETS - 1);
}

/* ---- windows ---- */

enum { PHASE = 7, WORKERS = 2, SETS = 4 };
#define MS      UINT64_C(1000000)
#define FAST_MS 100 /* bios in a ms */

/* Workers and requests as the programs keep them, and a clock. */
struct machine {
	struct split_windows w;
	struct split_state state;
	struct split_thread threads[WORKERS];
	struct split_set sets[SETS];
	uint8_t phase[WORKERS];
	unsigned bios_in_ms[WORKERS];
	uint64_t now, attached_ms, open_ms;
	bool attached;
};

static void start_machine(struct machine *m, unsigned first, unsigned second)
{
	memset(m, 0, sizeof(*m));
	m->w = (struct split_windows){ .state = &m->state,
				       .threads = m->threads,
				       .requests = m->sets,
				       .nthreads = WORKERS,
				       .nsets = SETS,
				       .phase = PHASE,
				       .fast_per_s = 50000,
				       .cpus = WORKERS };
	m->bios_in_ms[0] = first;
	m->bios_in_ms[1] = second;
	for (unsigned i = 0; i < WORKERS; i++) {
		m->phase[i] = PHASE;
		m->threads[i].phase = (uintptr_t)&m->phase[i];
	}
	rng_init(&m->w.rng, 1);
	m->now = 1000 * MS;
	split_windows_restart(&m->w, m->now);
	m->attached = true;
}

static bool in_window(const struct machine *m)
{
	return m->now >= m->state.open_ns && m->now < m->state.close_ns;
}

/* The time goes on in steps of a ms, in which workers queue bios. */
static void go_on(struct machine *m, unsigned ms)
{
	for (; ms; ms--) {
		m->now += MS;
		for (unsigned i = 0; i < WORKERS; i++)
			if (m->attached && (!m->threads[i].fast || in_window(m)))
				m->threads[i].bios += m->bios_in_ms[i];
		m->attached_ms += m->attached;
		m->open_ms += in_window(m);
		if (m->now < m->w.due_ns)
			continue;
		m->attached = split_windows_tick(&m->w, m->now);
		split_windows_open(&m->w, m->now);
	}
}

static void test_slow_workers_are_measured_completely(void **state)
{
	struct machine m;

	(void)state;
	start_machine(&m, 40, 1);
	go_on(&m, 10000);
	assert_int_equal(m.attached_ms, 10000);
	assert_int_equal(m.state.window + m.threads[0].fast + m.threads[1].fast, 0);
	assert_int_equal(m.threads[0].sampled + m.threads[1].sampled, 0);
}

static void test_windows_of_fast_workers(void **state)
{
	struct machine m;
	uint64_t cycles, places = 0;

	(void)state;
	start_machine(&m, FAST_MS, FAST_MS);
	go_on(&m, 100);
	assert_int_equal(m.threads[0].fast + m.threads[1].fast, 2);
	m.attached_ms = m.open_ms = m.state.window = 0;
	for (cycles = 0; cycles < 200; cycles++) {
		go_on(&m, SPLIT_CYCLE_NS / MS);
		places |= UINT64_C(1) << (m.state.open_ns / MS % (SPLIT_CYCLE_NS / MS) / 8);
	}
	assert_in_range(m.state.window, cycles - 1, cycles + 1);
	assert_in_range(m.open_ms, 9 * m.state.window, 10 * m.state.window);
	assert_in_range(m.attached_ms, m.open_ms, m.open_ms + 3 * cycles);
	/* A window may begin anywhere in its cycle. */
	assert_true(__builtin_popcountll(places) > 20);
	assert_int_equal(m.state.others_sample, 1);
}

static void test_slow_beside_fast(void **state)
{
	struct machine m;

	(void)state;
	start_machine(&m, FAST_MS, 1);
	go_on(&m, 5000);
	assert_int_equal(m.attached_ms, 5000);
	assert_int_equal(m.threads[0].fast, 1);
	assert_int_equal(m.threads[1].fast + m.state.others_sample, 0);
	assert_true(m.state.window > 10);
	/* When it ends, the programs need not stay. */
	m.phase[1] = PHASE + 1;
	m.attached_ms = 0;
	go_on(&m, 5000);
	assert_true(m.attached_ms < 1000);
}

static void test_fast_becomes_slow(void **state)
{
	struct machine m;

	(void)state;
	start_machine(&m, FAST_MS, FAST_MS);
	go_on(&m, 1000);
	m.bios_in_ms[0] = 1;
	go_on(&m, 5000);
	assert_int_equal(m.threads[0].fast, 0);
	assert_int_equal(m.threads[0].sampled, 1);
	m.attached_ms = 0;
	go_on(&m, 1000);
	assert_int_equal(m.attached_ms, 1000);
}

static void open_window(struct machine *m)
{
	uint32_t window = m->state.window;

	while (m->state.window == window)
		go_on(m, 1);
}

/* A request of a window is followed when the window is over, and so is the last I/O at depth 1. */
static void test_requests_that_outlive_their_window(void **state)
{
	struct split_request *req;
	struct machine m;

	(void)state;
	start_machine(&m, FAST_MS, FAST_MS);
	open_window(&m);
	req = &m.sets[SETS - 1].way[SPLIT_WAYS - 1];
	*req = (struct split_request){ .bio = 1, .queued_ns = m.now };
	for (unsigned i = 0; i < 1500; i++) {
		go_on(&m, 1);
		assert_true(m.attached);
	}
	req->bio = 0;
	m.attached_ms = 0;
	go_on(&m, 1000);
	assert_true(m.attached_ms < 500);
	assert_int_equal(m.w.outlived, 0);

	open_window(&m);
	*req = (struct split_request){ .bio = 1, .queued_ns = m.now };
	go_on(&m, (unsigned)(2 * SPLIT_FOLLOW_NS / MS));
	assert_int_equal(m.w.outlived, 1);
	assert_int_equal(req->bio, 0);

	open_window(&m);
	m.threads[0].rings = 1;
	m.threads[0].io.start_ns = m.now;
	go_on(&m, 1000);
	assert_true(m.attached);
	m.threads[0].io.start_ns = 0;
	m.attached_ms = 0;
	go_on(&m, 1000);
	assert_true(m.attached_ms < 500);
}

/* The I/Os of a sample have the latency of those in its windows, of all workers of the entry. */
static void test_latency_of_a_sample(void **state)
{
	const struct split_key reads = { .entry = 3, .dir = SPLIT_READ },
			       writes = { .entry = 3, .dir = SPLIT_WRITE };
	struct split_sample sample;
	struct machine m;

	(void)state;
	start_machine(&m, FAST_MS, FAST_MS);
	m.threads[0].entry = m.threads[1].entry = 3;
	m.threads[0].sampled = true;
	m.threads[0].ratio[SPLIT_READ] =
		(struct split_ratio){ .ios = 10, .requests = 30, .lats = 6, .lat_sum = 600 };
	m.threads[1].ratio[SPLIT_READ] =
		(struct split_ratio){ .ios = 10, .requests = 10, .lats = 2, .lat_sum = 1000 };
	sample = split_windows_sample(&m.w, &reads);
	assert_int_equal((int)sample.lat_ns, 200);
	assert_int_equal((int)sample.requests_per_io, 2);
	m.threads[1].entry = 4;
	sample = split_windows_sample(&m.w, &reads);
	assert_int_equal((int)sample.lat_ns, 100);
	sample = split_windows_sample(&m.w, &writes);
	assert_int_equal((int)(sample.lat_ns + sample.requests_per_io), 0);
	m.threads[0].sampled = false;
	sample = split_windows_sample(&m.w, &reads);
	assert_int_equal((int)(sample.lat_ns + sample.requests_per_io), 0);
}

int unit_split(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_buckets),
					    cmocka_unit_test(test_slow_workers_are_measured_completely),
					    cmocka_unit_test(test_windows_of_fast_workers),
					    cmocka_unit_test(test_slow_beside_fast),
					    cmocka_unit_test(test_fast_becomes_slow),
					    cmocka_unit_test(test_requests_that_outlive_their_window),
					    cmocka_unit_test(test_latency_of_a_sample) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
