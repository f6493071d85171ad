/* Is each loop of a job verified before the next one begins? An engine logs each I/O and damages a chosen
 * write: damage that a later loop overwrites must be found, too. The expected counts follow from size, bs
 * and loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "clock.h"
#include "cmdline.h"
#include "engine_corrupt.h"
#include "plan.h"
#include "run.h"
#include "run_snapshot.h"

#define BLOCKS 64u
#define BS     4096u

static char file_name[] = "/tmp/fiord-verify-passes.XXXXXX";

struct outcome {
	int error;
	uint64_t reads, writes, read_bytes, verify_ns, job_ns, cpu_us;
	struct region_verify verify;
};

static void copy_outcome(struct outcome *o, const struct run *r, const struct plan *p)
{
	struct snapshot snap;

	assert_int_equal(run_snapshot(r, 0, &snap), 0);
	o->error = run_slot(r, 0)->error;
	o->reads = snap.st->dir[DIR_READ].ios;
	o->writes = snap.st->dir[DIR_WRITE].ios;
	o->read_bytes = snap.st->dir[DIR_READ].bytes;
	o->verify_ns = run_slot(r, 0)->cnt.verify_ns;
	o->job_ns = run_slot(r, 0)->cnt.job_runtime_ns;
	o->cpu_us = run_slot(r, 0)->cnt.user_us + run_slot(r, 0)->cnt.sys_us;
	o->verify = *slot_verify(run_slot(r, 0), &p->jobs[0]);
	snap_fini(&snap);
}

/* Runs BLOCKS writes of BS bytes with these options, separated by spaces, and logs the I/Os. */
static void run(struct outcome *o, struct corrupt_plan plan, const char *depth, const char *options)
{
	char words[400], file[64], arg_depth[32];
	char *argv[24] = { (char *)"fiord",
			   (char *)"--name=v",
			   (char *)"--ioengine=libaio",
			   (char *)"--rw=write",
			   (char *)"--size=256k",
			   (char *)"--bs=4k",
			   file,
			   (char *)"--verify=crc32c",
			   (char *)"--verify_state_save=0",
			   arg_depth };
	static const struct run_hooks hooks;
	const struct engine *libaio;
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct facts facts = { 0 };
	struct plan p = { 0 };
	struct run r = { 0 };
	struct diag d = { 0 };
	int argc = 10;

	snprintf(file, sizeof(file), "--filename=%s", file_name);
	snprintf(arg_depth, sizeof(arg_depth), "--iodepth=%s", depth);
	snprintf(words, sizeof(words), "%s", options);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	plan.log = corrupt_plan.log;
	corrupt_plan = plan;
	memset(plan.log, 0, sizeof(*plan.log));
	memset(o, 0, sizeof(*o));
	assert_int_equal(cmdline_parse(&c, &set, argc, argv, &d), 0);
	libaio = set.jobs[0].engine;
	set.jobs[0].engine = &engine_corrupt;
	assert_int_equal(plan_probe(&facts, &set, &d), 0);
	assert_int_equal(plan_build(&p, &set, &facts, &d), 0);
	assert_int_equal(run_plan(&r, &p, &hooks, &d), 0);
	copy_outcome(o, &r, &p);
	run_fini(&r);
	plan_fini(&p);
	facts_fini(&facts);
	set.jobs[0].engine = libaio;
	job_set_fini(&set);
	diag_fini(&d);
}

static const char *const depths[] = { "1", "8" };

/* Returns how many I/Os in this direction follow from position *at of the log, and moves *at behind them. */
static unsigned row(unsigned *at, enum io_dir dir)
{
	const struct corrupt_log *log = corrupt_plan.log;
	unsigned n = 0;

	while (*at < log->n && log->io[*at].dir == dir) {
		++*at;
		n++;
	}
	return n;
}

static void check_loops(unsigned loops)
{
	unsigned at = 0;

	for (unsigned i = 0; i < loops; i++) {
		assert_int_equal(row(&at, DIR_WRITE), BLOCKS);
		assert_int_equal(row(&at, DIR_READ), BLOCKS);
	}
	assert_int_equal(at, corrupt_plan.log->n);
}

static void test_each_loop_is_verified(void **state)
{
	static const char *const jobs[] = { "--loops=3", "--loops=3 --rw=randwrite", "--loops=3 --thread=1",
					    "--loops=3 --bssplit=4k/50:4k/50", "--loops=3 --rate=100m" };
	struct outcome o;

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
		for (size_t k = 0; k < 2; k++) {
			run(&o, (struct corrupt_plan){ 0 }, depths[k], jobs[i]);
			assert_int_equal(o.error, 0);
			check_loops(3);
			assert_int_equal(o.writes, 3 * BLOCKS);
			assert_int_equal(o.reads, 3 * BLOCKS);
			assert_int_equal(o.read_bytes, 3 * BLOCKS * BS);
			assert_int_equal(o.verify.checked, 3 * BLOCKS);
			assert_int_equal(o.verify.not_checked + o.verify.damaged + o.verify.in_part, 0);
			assert_true(o.verify_ns > 0 && o.verify_ns < o.job_ns);
		}
	}
}

/* Damage ends the job after the loop, because the next one would write over it. */
static void test_damage_of_an_early_loop(void **state)
{
	struct outcome o;

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		for (unsigned loop = 1; loop <= 3; loop++) {
			run(&o, (struct corrupt_plan){ .at = (loop - 1) * BLOCKS + 7 }, depths[k],
			    "--loops=3");
			assert_int_equal(corrupt_plan.log->damaged, 1);
			assert_int_equal(o.error, EILSEQ);
			assert_int_equal(o.verify.damaged, 1);
			assert_int_equal(o.verify.checked, loop * BLOCKS);
			assert_int_equal(o.verify.not_checked, 0);
			check_loops(loop);
		}
	}
}

static void test_survived_damage(void **state)
{
	struct outcome o;

	(void)state;
	run(&o, (struct corrupt_plan){ .at = 7 }, "8", "--loops=3 --continue_on_error=verify");
	assert_int_equal(o.error, 0);
	assert_int_equal(o.verify.damaged, 1);
	check_loops(3);
}

/* number_ios counts for all loops together and may end the job in the middle of one. */
static void test_number_ios(void **state)
{
	struct outcome o;

	(void)state;
	run(&o, (struct corrupt_plan){ 0 }, "8", "--loops=2 --number_ios=40");
	assert_int_equal(o.error, 0);
	assert_int_equal(o.writes, 80);
	assert_int_equal(o.verify.not_checked + o.verify.damaged + o.verify.in_part, 0);
	assert_int_equal(o.verify.checked, 2 * BLOCKS);
}

/* Jobs whose writes are drawn again, and jobs that need a map. */
static const char *const backlog_jobs[] = {
	"--rw=write",
	"--rw=randwrite",
	"--rw=randwrite --thread=1",
	"--rw=write --bssplit=4k/100",
	"--rw=write --loops=2",
	"--rw=randwrite --loops=2 --rate_iops=20000",
	"--rw=randwrite --norandommap",
	"--rw=randwrite --random_distribution=zoned:50/10:50/90",
	"--rw=write --io_size=512k",
};

/* After every 10 writes their blocks are read, unless later ones have replaced them; the rest is read at the
 * end. */
static void check_backlog(const struct outcome *o)
{
	const struct corrupt_log *log = corrupt_plan.log;
	unsigned at = 0, writes, left = 0;

	while (at < log->n) {
		writes = row(&at, DIR_WRITE);
		assert_true(writes <= 10);
		left += writes - row(&at, DIR_READ);
		assert_true(left == 0 || o->reads < o->writes); /* fewer reads: some were replaced */
	}
	assert_int_equal(o->verify.not_checked + o->verify.damaged + o->verify.in_part, 0);
	assert_int_equal(o->verify.checked, o->reads);
}

static void test_backlog(void **state)
{
	struct outcome o;
	char job[200];

	(void)state;
	for (size_t i = 0; i < sizeof(backlog_jobs) / sizeof(*backlog_jobs); i++) {
		for (size_t k = 0; k < 2; k++) {
			snprintf(job, sizeof(job), "%s --verify_backlog=10", backlog_jobs[i]);
			run(&o, (struct corrupt_plan){ 0 }, depths[k], job);
			assert_int_equal(o.error, 0);
			assert_true(o.writes >= BLOCKS && o.reads <= o.writes);
			assert_true(o.reads == o.writes || strstr(job, "map") || strstr(job, "zoned"));
			check_backlog(&o);
		}
	}
}

/* A smaller batch leaves blocks for later; a larger one finds no more than were written. */
static void test_backlog_batch(void **state)
{
	static const unsigned batches[] = { 1, 3, 100 };
	struct outcome o;
	char job[200];

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		for (size_t k = 0; k < 3; k++) {
			unsigned at = 0, batch = batches[k] < 10 ? batches[k] : 10;

			snprintf(job, sizeof(job), "%s --verify_backlog=10 --verify_backlog_batch=%u",
				 backlog_jobs[i], batches[k]);
			run(&o, (struct corrupt_plan){ 0 }, "8", job);
			assert_int_equal(o.error, 0);
			assert_int_equal(row(&at, DIR_WRITE), 10);
			assert_int_equal(row(&at, DIR_READ), batch);
			assert_int_equal(o.reads, BLOCKS);
			assert_int_equal(o.verify.checked, BLOCKS);
		}
	}
}

/* Each damaged write is found, whichever it is, once. */
static void test_damage_in_the_backlog(void **state)
{
	struct outcome o;
	char job[200];

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		for (unsigned at = 1; at <= BLOCKS; at += 9) {
			snprintf(job, sizeof(job), "%s --verify_backlog=10 --verify_backlog_batch=7",
				 backlog_jobs[i]);
			run(&o, (struct corrupt_plan){ .at = at }, at % 2 ? "8" : "1", job);
			assert_int_equal(corrupt_plan.log->damaged, 1);
			assert_int_equal(o.error, EILSEQ);
			assert_int_equal(o.verify.damaged, 1);
			assert_int_equal(o.verify.checked, BLOCKS);
		}
	}
}

/* The same with a map: two passes over the same blocks. */
static void test_damage_in_the_backlog_of_a_map(void **state)
{
	struct outcome o;

	(void)state;
	for (unsigned at = 1; at <= 2 * BLOCKS; at += 9) {
		run(&o, (struct corrupt_plan){ .at = at }, at % 2 ? "8" : "1",
		    "--rw=randwrite --io_size=512k --verify_backlog=10");
		assert_int_equal(o.error, EILSEQ);
		assert_int_equal(o.verify.damaged, 1);
		assert_int_equal(o.verify.checked, 2 * BLOCKS);
	}
}

/* A block whose write failed may hold anything: it is never called damaged. */
static void test_failed_write_in_the_backlog(void **state)
{
	struct outcome o;
	char job[200];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		snprintf(job, sizeof(job), "%s --verify_backlog=10 --continue_on_error=write",
			 backlog_jobs[i]);
		run(&o, (struct corrupt_plan){ .fail = 15 }, "8", job);
		assert_int_equal(o.verify.damaged, 0);
		assert_int_equal(o.verify.in_part, 1);
		assert_int_equal(o.verify.checked, BLOCKS - 1);
	}
}

/* The runtime goes on while the backlog is read; the end is verified as always. */
static void test_backlog_until_the_end_of_runtime(void **state)
{
	struct outcome o;

	(void)state;
	run(&o, (struct corrupt_plan){ 0 }, "8",
	    "--rw=randwrite --verify_backlog=16 --time_based --runtime=200ms");
	assert_int_equal(o.error, 0);
	assert_true(o.writes > 2 * BLOCKS);
	assert_true(o.reads <= o.writes);
	assert_int_equal(o.verify.not_checked + o.verify.damaged + o.verify.in_part, 0);
	assert_int_equal(o.verify.checked, o.reads);
}

/* With reads between the writes only the writes count. */
static void test_backlog_of_a_mixed_job(void **state)
{
	struct outcome o;

	(void)state;
	run(&o, (struct corrupt_plan){ 0 }, "8", "--rw=randrw --verify_backlog=10");
	assert_int_equal(o.error, 0);
	assert_int_equal(o.verify.checked, o.writes);
	assert_int_equal(o.reads, BLOCKS);
}

/* Threads that check blocks find the same as the worker itself. */
static const char *const async_jobs[] = {
	"--verify_async=1",
	"--verify_async=3 --rw=randwrite",
	"--verify_async=3 --thread=1",
	"--verify_async=2 --verify_backlog=10 --thread=1",
	"--verify_async=2 --loops=2 --rw=randwrite",
};

static void test_async(void **state)
{
	struct outcome o;

	(void)state;
	for (size_t i = 0; i < sizeof(async_jobs) / sizeof(*async_jobs); i++) {
		for (size_t k = 0; k < 2; k++) {
			run(&o, (struct corrupt_plan){ 0 }, depths[k], async_jobs[i]);
			assert_int_equal(o.error, 0);
			assert_int_equal(o.reads, o.writes);
			assert_int_equal(o.verify.checked, o.writes);
			assert_int_equal(o.verify.not_checked + o.verify.damaged + o.verify.in_part, 0);
		}
	}
}

static void test_damage_found_by_threads(void **state)
{
	struct outcome o;

	(void)state;
	for (size_t i = 0; i < sizeof(async_jobs) / sizeof(*async_jobs); i++) {
		for (unsigned at = 1; at <= BLOCKS; at += 21) {
			run(&o, (struct corrupt_plan){ .at = at }, at % 2 ? "8" : "1", async_jobs[i]);
			assert_int_equal(o.error, EILSEQ);
			assert_int_equal(o.verify.damaged, 1);
			assert_int_equal(o.verify.checked, BLOCKS);
		}
	}
}

/* The CPU time of the threads is the job's, also where workers are threads. Only the digests take much time.
 */
static void test_cpu_time_of_threads(void **state)
{
	static const char job[] = "--size=16m --bs=256k --verify=sha3-512 --verify_only=1 --thread=1";
	struct outcome written, alone, with;
	char async[200];

	(void)state;
	snprintf(async, sizeof(async), "%s --verify_async=1", job);
	run(&written, (struct corrupt_plan){ 0 }, "1",
	    "--size=16m --bs=256k --verify=sha3-512 --do_verify=0");
	assert_int_equal(written.error, 0);
	run(&alone, (struct corrupt_plan){ 0 }, "1", job);
	run(&with, (struct corrupt_plan){ 0 }, "1", async);
	assert_int_equal(alone.verify.checked, 64);
	assert_int_equal(with.verify.checked, 64);
	assert_true(with.cpu_us > alone.cpu_us / 2);
}

static int set_up(void **state)
{
	int fd = mkstemp(file_name);

	(void)state;
	corrupt_plan.log = mmap(NULL, sizeof(*corrupt_plan.log), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return fd < 0 || close(fd) || corrupt_plan.log == MAP_FAILED;
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(file_name);
}

int unit_verify_passes(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_loop_is_verified),
		cmocka_unit_test(test_damage_of_an_early_loop),
		cmocka_unit_test(test_survived_damage),
		cmocka_unit_test(test_number_ios),
		cmocka_unit_test(test_backlog),
		cmocka_unit_test(test_backlog_batch),
		cmocka_unit_test(test_damage_in_the_backlog),
		cmocka_unit_test(test_damage_in_the_backlog_of_a_map),
		cmocka_unit_test(test_failed_write_in_the_backlog),
		cmocka_unit_test(test_backlog_until_the_end_of_runtime),
		cmocka_unit_test(test_backlog_of_a_mixed_job),
		cmocka_unit_test(test_async),
		cmocka_unit_test(test_damage_found_by_threads),
		cmocka_unit_test(test_cpu_time_of_threads),
	};

	clock_init();
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
