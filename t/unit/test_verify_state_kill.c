/* Is a verify state right wherever its writer was killed? The test steps a process through the writer, looks
   at the state after each instruction, and compares it with a model of the disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include "rng.h"
#include "verify_states.h"

#define WRITES 160u
#define STEPS  200u

/* What is on the disk, in memory that the traced process shares. */
struct disk {
	_Atomic uint8_t submitted[WRITES], whole[WRITES], durable[WRITES];
	_Atomic uint64_t pass_first[STEPS];
	_Atomic uint32_t file_of[WRITES];
	_Atomic bool between; /* two calls of the writer */
};

struct flight {
	bool busy, sync, whole;
	uint32_t file;
	uint64_t number;
	uint8_t covers[WRITES]; /* writes that an fsync makes durable */
};

struct simulation {
	struct state_file f;
	struct disk *disk;
	struct flight flight[DEPTH];
	uint64_t next, passes;
	bool syncs_fail;
	struct rng rng;
};

static unsigned draw(struct simulation *x, unsigned n)
{
	return (unsigned)(rng_u64(&x->rng) % n);
}

static void call(struct simulation *x, bool begins)
{
	atomic_store(&x->disk->between, !begins);
}

static void submit_writes(struct simulation *x, unsigned slot, unsigned batch)
{
	uint64_t first = x->next;
	unsigned n = 0;

	call(x, true);
	for (; slot < DEPTH && n < batch; slot++) {
		struct flight *i = &x->flight[slot];

		if (i->busy)
			continue;
		*i = (struct flight){ .busy = true, .file = draw(x, FILES), .whole = draw(x, 40) };
		i->number = x->next++;
		x->disk->file_of[i->number] = i->file;
		verify_state_issue(&x->f.w, slot, i->file, i->number);
		n++;
	}
	verify_state_issued(&x->f.w);
	call(x, false);
	for (uint64_t k = first; k < x->next; k++)
		atomic_store(&x->disk->submitted[k], 1);
}

static void submit_sync(struct simulation *x, unsigned slot)
{
	struct flight *i = &x->flight[slot];

	*i = (struct flight){
		.busy = true, .sync = true, .file = draw(x, FILES), .whole = !x->syncs_fail || draw(x, 20)
	};
	call(x, true);
	verify_state_sync_issue(&x->f.w, slot, i->file);
	call(x, false);
	for (uint64_t k = 0; k < x->next; k++)
		i->covers[k] = x->disk->file_of[k] == i->file && x->disk->whole[k] == 1;
}

/* An fsync that fails loses the data that it should have written, in the worst case. A writer that is killed
   before it knows of the failure cannot say so. */
static void lose_writes(struct simulation *x, const struct flight *i)
{
	for (uint64_t k = 0; !i->whole && k < x->next; k++)
		if (x->disk->file_of[k] == i->file && !x->disk->durable[k])
			atomic_store(&x->disk->whole[k], 2);
}

static void complete(struct simulation *x, unsigned slot)
{
	struct flight *i = &x->flight[slot];

	i->busy = false;
	call(x, true);
	if (!i->sync) {
		atomic_store(&x->disk->whole[i->number], i->whole ? 1 : 2);
		verify_state_done(&x->f.w, slot, i->whole);
		call(x, false);
		return;
	}
	for (uint64_t k = 0; i->whole && k < x->next; k++)
		if (i->covers[k])
			atomic_store(&x->disk->durable[k], 1);
	verify_state_sync_done(&x->f.w, slot, i->whole);
	lose_writes(x, i);
	call(x, false);
}

static void begin_pass(struct simulation *x)
{
	if (draw(x, 2))
		x->next += 1; /* the loop dropped a write */
	atomic_store(&x->disk->pass_first[++x->passes], x->next);
	call(x, true);
	verify_state_pass(&x->f.w, x->passes, x->next);
	call(x, false);
}

static void simulate(struct simulation *x)
{
	for (unsigned i = 0; i < STEPS && x->next < WRITES - DEPTH; i++) {
		unsigned slot = draw(x, DEPTH);

		if (x->flight[slot].busy)
			complete(x, slot);
		else if (!draw(x, 8))
			submit_sync(x, slot);
		else if (!draw(x, 20))
			begin_pass(x);
		else
			submit_writes(x, slot, 1 + draw(x, 3));
	}
}

static void judge(const struct simulation *x, unsigned long step)
{
	const struct disk *disk = x->disk;
	struct verify_state s;

	parse(&s, &x->f);
	for (unsigned back = 0; back <= 2 && back <= s.pass; back++)
		assert_int_equal(verify_state_first(&s, back), disk->pass_first[s.pass - back]);
	for (uint64_t n = 0; n < WRITES; n++) {
		enum verify_state_answer completed = verify_state_of(&s, COMPLETED, x->disk->file_of[n], n);
		enum verify_state_answer fsynced = verify_state_of(&s, FSYNCED, x->disk->file_of[n], n);

		if (completed == NEVER ? disk->submitted[n] : completed == MUST && disk->whole[n] != 1)
			fail_msg("step %lu: write %u: completed: answer %d", step, (unsigned)n, completed);
		if (fsynced == NEVER ? disk->submitted[n] : fsynced == MUST && !disk->durable[n])
			fail_msg("step %lu: write %u: fsynced: answer %d", step, (unsigned)n, fsynced);
		if (disk->between && disk->whole[n] == 1 && completed != MUST && !x->syncs_fail)
			fail_msg("step %lu: write %u completed: answer %d", step, (unsigned)n, completed);
	}
}

/* Everything that completed is durable after an fsync of each file with nothing in flight. */
static void judge_end(const struct simulation *x)
{
	struct verify_state s;

	parse(&s, &x->f);
	assert_true(s.issued > 60);
	for (uint64_t n = 0; n < s.issued; n++)
		if (!x->syncs_fail && x->disk->whole[n] == 1)
			assert_int_equal(verify_state_of(&s, FSYNCED, x->disk->file_of[n], n), MUST);
}

static void finish(struct simulation *x)
{
	for (uint32_t i = 0; i < DEPTH; i++)
		if (x->flight[i].busy)
			complete(x, i);
	for (uint32_t i = 0; i < FILES; i++) {
		x->flight[0] = (struct flight){ .busy = true, .sync = true, .file = i, .whole = true };
		call(x, true);
		verify_state_sync_issue(&x->f.w, 0, i);
		for (uint64_t k = 0; k < x->next; k++)
			x->flight[0].covers[k] = x->disk->file_of[k] == i && x->disk->whole[k] == 1;
		complete(x, 0);
	}
}

static void traced(struct simulation *x)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(77);
	raise(SIGSTOP);
	simulate(x);
	finish(x);
	_exit(0);
}

/* Steps the process and looks at its state after each instruction that changed something. Returns its wait
   status; *looks counts the changes. */
static int step_through(struct simulation *x, pid_t child, unsigned long *looks)
{
	size_t live = (size_t)state_words(DEPTH, FILES) * 8;
	unsigned char *seen = malloc(live);
	struct disk *disk_seen = malloc(sizeof(*disk_seen));
	unsigned long step = 0;
	int status;

	assert_true(seen && disk_seen);
	memset(seen, 0, live);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSTOPPED(status))
		ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_EXITKILL);
	while (WIFSTOPPED(status)) {
		if (memcmp(seen, x->f.mem + x->f.layout.live_at, live) ||
		    memcmp(disk_seen, x->disk, sizeof(*disk_seen))) {
			memcpy(seen, x->f.mem + x->f.layout.live_at, live);
			memcpy(disk_seen, x->disk, sizeof(*disk_seen));
			judge(x, step);
			++*looks;
		}
		assert_int_equal(ptrace(PTRACE_SINGLESTEP, child, NULL, NULL), 0);
		assert_int_equal(waitpid(child, &status, 0), child);
		step++;
	}
	free(seen);
	free(disk_seen);
	return status;
}

static void kill_anywhere(uint64_t seed, bool syncs_fail)
{
	struct simulation *x = calloc(1, sizeof(*x));
	unsigned long looks = 0;
	pid_t child;
	int status;

	assert_non_null(x);
	begin(&x->f, shape_of(false, 0));
	x->disk = mmap(NULL, sizeof(*x->disk), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(x->disk, MAP_FAILED);
	x->syncs_fail = syncs_fail;
	rng_init(&x->rng, seed);
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		traced(x);
	status = step_through(x, child, &looks);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("this system lets no process trace another\n");
		skip();
	}
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_true(looks > 500);
	judge_end(x);
	munmap(x->disk, sizeof(*x->disk));
	end(&x->f);
	free(x);
}

static void test_killed_anywhere(void **state)
{
	(void)state;
	kill_anywhere(1, false);
	kill_anywhere(2, true);
}

int unit_verify_state_kill(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
