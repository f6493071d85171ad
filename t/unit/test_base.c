/* Are the basic helpers right? arena, diag, strbuf, thread_lock, vec, rng. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <limits.h>
#include <string.h>
#include "arena.h"
#include "diag.h"
#include "rng.h"
#include "strbuf.h"
#include "thread_lock.h"
#include "vec.h"

static void test_arena_shared(void **state)
{
	struct arena a = { .shared = true };
	char *text = arena_strdup(&a, "before");
	unsigned char *large = arena_alloc(&a, 3 << 20);
	pid_t pid;
	int status;

	(void)state;
	assert_non_null(large);
	assert_int_equal(large[0] | large[(3 << 20) - 1], 0);
	pid = fork();
	if (pid == 0) {
		memcpy(text, "behind", 6);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_string_equal(text, "behind"); /* the arena keeps its own copy */
	assert_null(arena_alloc(&a, SIZE_MAX / 2));
	assert_null(arena_alloc(&a, SIZE_MAX - 32));
	arena_fini(&a);
}

static void test_arena(void **state)
{
	struct arena a = { 0 };
	static const size_t sizes[] = { 0, 1, 7, 16, 1000, 65536, 300000, 3 };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		unsigned char *p = arena_alloc(&a, sizes[i]);

		assert_non_null(p);
		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t k = 0; k < sizes[i]; k++)
			assert_int_equal(p[k], 0);
		memset(p, 0xff, sizes[i]);
	}
	assert_null(arena_alloc(&a, SIZE_MAX));
	assert_null(arena_array(&a, SIZE_MAX / 2, 4));
	assert_string_equal(arena_strdup(&a, "text"), "text");
	assert_string_equal(arena_strndup(&a, "text", 2), "te");
	assert_string_equal(arena_printf(&a, "%d%%", 42), "42%");
	arena_fini(&a);
	arena_fini(&a);
}

static void test_diag(void **state)
{
	struct diag d = { 0 };

	(void)state;
	assert_string_equal(diag_text(&d), "no error");
	assert_int_equal(diag_kind(&d, DIAG_TARGET, -EPERM, "%s: no", "x"), -EPERM);
	assert_int_equal(diag_err(&d, -EIO, "later"), -EIO); /* the first error is kept */
	assert_int_equal(diag_wrap(&d, "f:%d", 3), -EPERM);
	assert_string_equal(diag_text(&d), "f:3: x: no");
	assert_int_equal(d.kind, DIAG_TARGET);
	diag_fini(&d);
	assert_null(d.text);
	assert_string_equal(diag_errno(-ENOSPC), "No space left on device (ENOSPC)");
	assert_string_equal(diag_errno(ENOSPC), "No space left on device (ENOSPC)");
	assert_string_equal(diag_errno(99999), "error 99999");
}

static void test_notes(void **state)
{
	struct notes n = { 0 };

	(void)state;
	notes_add(&n, "a %d", 1);
	notes_add(&n, "b");
	notes_add(&n, "a %d", 1);
	assert_int_equal(n.count, 2);
	assert_string_equal(n.line[0], "a 1");
	for (int i = 0; i < 2000; i++)
		notes_add(&n, "note %d", i % 1000);
	assert_int_equal(n.count, 1002);
	assert_string_equal(n.line[1], "b");
	assert_string_equal(n.line[1001], "note 999");
	notes_fini(&n);
	assert_int_equal(n.count, 0);
}

static void test_strbuf(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	assert_string_equal(strbuf_str(&b), "");
	for (int i = 0; i < 1000; i++)
		strbuf_printf(&b, "%d,", i);
	assert_int_equal(b.len, strlen(b.text));
	assert_memory_equal(b.text, "0,1,2,", 6);
	strbuf_clear(&b);
	strbuf_add(&b, "a\0b", 3);
	assert_int_equal(b.len, 3);
	strbuf_putc(&b, 'c');
	assert_memory_equal(b.text, "a\0bc", 5);
	assert_false(b.failed);
	strbuf_fini(&b);
}

struct pieces {
	struct strbuf_sink sink;
	struct strbuf all;
	bool broken;
};

static bool put_piece(struct strbuf_sink *sink, const char *text, size_t len)
{
	struct pieces *p = (struct pieces *)sink;

	strbuf_add(&p->all, text, len);
	return !p->broken;
}

/* A buffer with a sink passes the same text on, and stays small. */
static void test_strbuf_sink(void **state)
{
	struct pieces p = { .sink = { put_piece } };
	struct strbuf b = { .sink = &p.sink }, plain = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 200000; i++) {
		strbuf_printf(&b, "%" PRIu64 ",", i);
		strbuf_u64(&b, i);
	}
	strbuf_flush(&b);
	for (uint64_t i = 0; i < 200000; i++)
		strbuf_printf(&plain, "%" PRIu64 ",%" PRIu64, i, i);
	assert_int_equal(p.all.len, plain.len);
	assert_memory_equal(p.all.text, plain.text, plain.len);
	assert_true(b.size < plain.len / 4);
	assert_int_equal(b.len, 0);
	assert_false(b.failed);
	p.broken = true;
	strbuf_puts(&b, "lost");
	strbuf_flush(&b);
	assert_true(b.failed);
	strbuf_fini(&b);
	strbuf_fini(&plain);
	strbuf_fini(&p.all);
}

/* Texts around the length that strbuf_printf has room for, and the largest number. */
static void test_strbuf_lengths(void **state)
{
	char text[400];

	(void)state;
	for (size_t len = 0; len < sizeof(text); len++) {
		struct strbuf b = { 0 };

		memset(text, 'x', len);
		text[len] = '\0';
		strbuf_printf(&b, "%s", text);
		strbuf_printf(&b, "%s", text);
		assert_int_equal(b.len, 2 * len);
		assert_int_equal(strlen(strbuf_str(&b)), 2 * len);
		strbuf_clear(&b);
		strbuf_u64(&b, UINT64_MAX);
		assert_string_equal(b.text, "18446744073709551615");
		strbuf_fini(&b);
	}
}

/* A program's name, and a name that a document of other people has. */
static void test_strbuf_with(void **state)
{
	struct short_text t;
	struct strbuf b = { 0 }, in = strbuf_in(&t);
	size_t n = 3;

	(void)state;
	strbuf_printf_plain(&b, "%s\n%s: %c %d %u %lu %llu %zu %.1f %.0f %d%%", "a\033b", "\n", 'x', -4, 5u,
			    6ul, ULLONG_MAX, n, 2.25, 3.0, 50);
	assert_string_equal(strbuf_str(&b), "a?b\n?: x -4 5 6 18446744073709551615 3 2.2 3 50%");
	strbuf_clear(&b);
	strbuf_printf_plain(&b, "no arguments");
	assert_string_equal(strbuf_str(&b), "no arguments");
	strbuf_fini(&b);
	strbuf_printf(&in, "%u", 7u);
	assert_string_equal(t.text, "7");
	while (!in.failed)
		strbuf_putc(&in, '.');
	assert_int_equal(in.len, sizeof(t.text) - 1);
}

static void test_vec(void **state)
{
	struct {
		int *v;
		size_t n, cap;
	} list = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_true(VEC_PUSH(&list, i));
	for (int i = 0; i < 1000; i++)
		assert_int_equal(list.v[i], i);
	free(list.v);
}

/* Recorded numbers: the offsets of a job must not change between versions. */
static void test_rng(void **state)
{
	struct rng a, b, c;
	uint64_t first;

	(void)state;
	rng_init(&a, 42);
	rng_init(&b, 42);
	rng_init(&c, 43);
	first = rng_u64(&a);
	assert_int_equal(first, rng_u64(&b));
	assert_int_not_equal(first, rng_u64(&c));
	assert_int_equal(rng_mix64(0), 0xe220a8397b1dcdafu);
	for (int i = 0; i < 10000; i++) {
		double f = rng_double(&a);

		assert_true(rng_below(&a, 7) < 7);
		assert_int_equal(rng_below(&a, 1), 0);
		assert_true(f >= 0 && f < 1);
	}
}

/* ---- thread_lock ---- */

#define LOCKERS 4u
#define TAKES   20000u

struct locked {
	thread_lock lock;
	uint64_t count; /* lost counts would show that two processes had the lock */
};

static void count_locked(struct locked *l)
{
	for (unsigned i = 0; i < TAKES; i++) {
		volatile uint64_t *count = &l->count;

		thread_lock_take(&l->lock, (uint32_t)getpid());
		*count = *count + 1;
		thread_lock_release(&l->lock);
	}
}

/* Processes count, each with the lock, and one of them dies with it. */
static void test_thread_lock(void **state)
{
	struct locked *l = mmap(NULL, sizeof(*l), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid[LOCKERS];
	int status;

	(void)state;
	assert_ptr_not_equal(l, MAP_FAILED);
	for (unsigned i = 0; i < LOCKERS; i++) {
		pid[i] = fork();
		if (pid[i])
			continue;
		count_locked(l);
		if (!i)
			thread_lock_take(&l->lock, (uint32_t)getpid());
		_exit(0);
	}
	for (unsigned i = 0; i < LOCKERS; i++)
		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
	assert_false(thread_exists((uint32_t)pid[0]));
	assert_true(thread_exists((uint32_t)getpid()));
	thread_lock_take(&l->lock, (uint32_t)getpid());
	assert_int_equal(l->lock, getpid());
	assert_int_equal(l->count, LOCKERS * TAKES);
	munmap(l, sizeof(*l));
}

int unit_base(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_arena_shared),
		cmocka_unit_test(test_diag),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_strbuf),
		cmocka_unit_test(test_strbuf_sink),
		cmocka_unit_test(test_strbuf_lengths),
		cmocka_unit_test(test_strbuf_with),
		cmocka_unit_test(test_vec),
		cmocka_unit_test(test_thread_lock),
		cmocka_unit_test(test_rng),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
