/* An engine behind threads: what happens if it blocks, fails, is full or does not start? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "clock.h"
#include "offload.h"

#define DEPTH   8u
#define BLOCK   512u
#define FOREVER UINT64_MAX

/* ---- an engine that waits until the test releases it ---- */

static struct {
	sem_t go;
	_Atomic unsigned inside; /* number of waiting I/Os */
	_Atomic unsigned inits, finis;
	unsigned fail_init; /* the Nth init; 0: none */
	_Atomic int submit; /* what submit returns instead; 1: none */
	_Atomic bool wrong; /* the engine saw an invalid I/O */
} gate;

struct gate_state {
	struct io *held;
};

static int gate_init(struct engine_ctx *ctx)
{
	if (atomic_fetch_add(&gate.inits, 1) + 1 == gate.fail_init)
		return diag_err(ctx->d, -EPERM, "gate: this one does not start");
	if (ctx->depth != 1 || ctx->ios->buf != ctx->bufs->base)
		gate.wrong = true;
	return 0;
}

static int gate_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct gate_state *s = ctx->state;
	int ret = atomic_load(&gate.submit);

	if (ret != 1)
		return ret;
	if (n != 1 || ios[0]->index || ios[0]->buf != ctx->bufs->base || s->held)
		gate.wrong = true;
	atomic_fetch_add(&gate.inside, 1);
	while (sem_wait(&gate.go))
		;
	atomic_fetch_sub(&gate.inside, 1);
	memcpy(ios[0]->buf, &ios[0]->offset, sizeof(ios[0]->offset));
	s->held = ios[0];
	s->held->res = (int64_t)ios[0]->len;
	return 1;
}

static int gate_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct gate_state *s = ctx->state;

	(void)min, (void)max, (void)timeout_ns;
	out[0] = s->held;
	s->held = NULL;
	return 1;
}

static void gate_fini(struct engine_ctx *ctx)
{
	(void)ctx;
	atomic_fetch_add(&gate.finis, 1);
}

static const struct engine engine_gate = {
	.name = "gate",
	.caps = ENG_SYNC,
	.state_size = sizeof(struct gate_state),
	.init = gate_init,
	.submit = gate_submit,
	.reap = gate_reap,
	.fini = gate_fini,
};

/* ---- the core's side ---- */

static struct rig {
	struct engine wrapper;
	struct engine_ctx ctx;
	struct io ios[DEPTH];
	struct iobuf bufs;
	struct diag d;
} r;

static int begin(void)
{
	memset(&gate, 0, sizeof(gate));
	sem_init(&gate.go, 0, 0);
	gate.submit = 1;
	memset(&r, 0, sizeof(r));
	r.bufs.stride = BLOCK;
	r.bufs.bytes = DEPTH * BLOCK;
	r.bufs.base = calloc(DEPTH, BLOCK);
	for (unsigned i = 0; i < DEPTH; i++) {
		r.ios[i].index = (uint16_t)i;
		r.ios[i].buf = r.bufs.base + i * BLOCK;
		r.ios[i].len = BLOCK - i;
		r.ios[i].offset = i * BLOCK;
	}
	r.wrapper = offload_wrapper(&engine_gate);
	r.ctx = (struct engine_ctx){ .engine = &r.wrapper, .inner = &engine_gate, .depth = DEPTH };
	r.ctx.bufs = &r.bufs;
	r.ctx.ios = r.ios;
	r.ctx.d = &r.d;
	return engine_init(&r.ctx);
}

static void end(void)
{
	engine_fini(&r.ctx);
	assert_int_equal(gate.finis + (gate.fail_init != 0), gate.inits);
	assert_false(gate.wrong);
	diag_fini(&r.d);
	free(r.bufs.base);
	sem_destroy(&gate.go);
}

static void let_go(unsigned n)
{
	while (n--)
		sem_post(&gate.go);
}

static void submit(unsigned from, unsigned n)
{
	struct io *ios[DEPTH];

	for (unsigned i = 0; i < n; i++)
		ios[i] = &r.ios[from + i];
	assert_int_equal(engine_submit(&r.ctx, ios, n), n);
}

/* Submission does not wait, all I/Os are in the engine at once, and time passes until one completes. */
static void test_blocks(void **state)
{
	struct io *out[DEPTH];
	bool seen[DEPTH] = { false };
	uint64_t issued;

	(void)state;
	assert_int_equal(begin(), 0);
	submit(0, 5);
	assert_int_equal(engine_reap(&r.ctx, out, 0, DEPTH, 0), 0);
	submit(5, 3);
	while (gate.inside < DEPTH)
		;
	issued = clock_ns();
	assert_int_equal(engine_reap(&r.ctx, out, 1, DEPTH, 1000000), 0);
	assert_true(clock_ns() - issued >= 1000000);
	let_go(3);
	assert_int_equal(engine_reap(&r.ctx, out, 3, 3, FOREVER), 3);
	let_go(5);
	for (unsigned n = 3; n < DEPTH; n++)
		assert_int_equal(engine_reap(&r.ctx, out + n, 1, 1, FOREVER), 1);
	for (unsigned i = 0; i < DEPTH; i++) {
		uint64_t offset;

		assert_false(seen[out[i]->index]);
		seen[out[i]->index] = true;
		assert_int_equal(out[i]->res, out[i]->len);
		assert_true(out[i]->issue_ns && out[i]->issue_ns < issued);
		memcpy(&offset, out[i]->buf, sizeof(offset));
		assert_int_equal(offset, out[i]->offset);
	}
	end();
}

/* At the end the I/Os in flight complete first. */
static void test_ends(void **state)
{
	(void)state;
	assert_int_equal(begin(), 0);
	submit(0, DEPTH);
	let_go(DEPTH);
	end();
	assert_int_equal(gate.inside, 0);
}

static void test_many(void **state)
{
	struct io *out[DEPTH];
	unsigned done = 0;

	(void)state;
	assert_int_equal(begin(), 0);
	let_go(10000 + DEPTH);
	submit(0, DEPTH);
	while (done < 10000 - DEPTH) {
		int n = engine_reap(&r.ctx, out, 1 + done % 3, DEPTH, FOREVER);

		assert_true(n > 0);
		done += (unsigned)n;
		assert_int_equal(engine_submit(&r.ctx, out, (unsigned)n), n);
	}
	end();
}

static void test_broken(void **state)
{
	struct io *out[DEPTH];
	int n;

	(void)state;
	assert_int_equal(begin(), 0);
	gate.submit = -EBADF;
	submit(0, 2);
	do
		n = engine_reap(&r.ctx, out, 1, 1, FOREVER);
	while (n > 0 && r.ctx.inflight);
	assert_true(n == -EBADF || out[0]->res == -EBADF);
	end();
}

static void test_no_room(void **state)
{
	struct io *out[DEPTH];

	(void)state;
	assert_int_equal(begin(), 0);
	gate.submit = 0;
	submit(0, 1);
	assert_int_equal(engine_reap(&r.ctx, out, 1, 1, FOREVER), 1);
	assert_int_equal(out[0]->res, -EAGAIN);
	end();
}

static void test_does_not_start(void **state)
{
	(void)state;
	assert_int_equal(begin(), 0);
	end();
	assert_int_equal(gate.inits, DEPTH);
	memset(&gate, 0, sizeof(gate));
	gate.fail_init = 3;
	r.ctx.state = NULL;
	assert_int_equal(engine_init(&r.ctx), -EPERM);
	assert_string_equal(diag_text(&r.d), "gate: this one does not start");
	assert_int_equal(gate.finis, DEPTH - 1);
	assert_null(r.ctx.state);
	diag_fini(&r.d);
}

static int calibrate(void **state)
{
	(void)state;
	clock_init();
	return 0;
}

int unit_offload(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks),  cmocka_unit_test(test_ends),
		cmocka_unit_test(test_many),    cmocka_unit_test(test_broken),
		cmocka_unit_test(test_no_room), cmocka_unit_test(test_does_not_start),
	};

	return cmocka_run_group_tests(tests, calibrate, NULL);
}
