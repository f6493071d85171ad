/* Can a second program run jobs by the steps of session.h? It takes its job text from memory, holds the wave
   at a gate, runs twice, sends the results as packs, merges them, and writes the merged result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "clock.h"
#include "cmd.h"
#include "cmdline.h"
#include "jobfile.h"
#include "merge.h"
#include "planning.h"
#include "result_pack.h"
#include "session.h"
#include "strbuf.h"
#include "version.h"

#define IOS   1000
#define HOSTS 2
#define ASKS  3

static char output[64];
/* session_collect() puts the command line into the result, so it lives as long as the test. */
static char *argv[] = { (char *)"fiord",    (char *)"--output-format=json",
			(char *)"--output", output,
			(char *)"sent.fio", NULL };

struct host {
	struct job_set set;
	struct planning planning;
	struct session session;
	struct result res;
	unsigned asked;
};

static int load(void *ctx, const char *path, struct strbuf *out)
{
	(void)path;
	strbuf_puts(out, ctx);
	return 0;
}

/* Opens the gate at the ASKSth question. */
static uint64_t ask(void *ctx, struct run *r, uint32_t wave)
{
	struct host *h = ctx;

	(void)r;
	assert_int_equal(wave, 0);
	return ++h->asked < ASKS ? 0 : clock_ns();
}

static void parse(struct host *h, struct diag *d)
{
	static char text[] = "[a]\nioengine=null\nrw=randread\nbs=4k\nsize=64m\nio_size=4000k\n";
	const struct jobfile_source from = { .load = load, .ctx = text, .remote = true };
	struct cmdline c = { 0 };

	assert_int_equal(cmdline_parse_from(&from, &c, &h->set, 5, argv, d), 0);
	h->set.run.merge = true;
}

static void run(struct host *h, struct diag *d)
{
	parse(h, d);
	assert_int_equal(planning_init(&h->planning, &h->set, d), 0);
	session_init(&h->session, &h->planning);
	h->session.gate = (struct session_gate){ .wave_gate = ask, .ctx = h, .gate_poll_ns = 1000000 };
	assert_int_equal(session_open(&h->session, d), 0);
	assert_int_equal(session_run(&h->session, d), 0);
	assert_int_equal(session_collect(&h->session, &h->res, d), 0);
	assert_int_equal(h->asked, ASKS);
	assert_true(h->res.series.on && h->res.series.data.ngroups == 1);
}

static void end(struct host *h)
{
	result_free(&h->res);
	session_fini(&h->session);
	planning_fini(&h->planning);
	job_set_fini(&h->set);
}

static void add_pack(struct result_merge *m, const struct result *from, struct diag *d)
{
	struct strbuf pack = { 0 };
	struct result res;

	assert_int_equal(result_pack(from, &pack), 0);
	assert_int_equal(result_unpack(&res, FIORD_VERSION, pack.text, pack.len, d), 0);
	assert_int_equal(result_merge_add(m, &res, "host", d), 0);
	strbuf_fini(&pack);
	result_free(&res);
}

static void merge(struct host *v, struct result *sum, struct diag *d)
{
	struct result_merge *m = result_merge_new("fiord", FIORD_VERSION, FIORD_FIO_VERSION, true);

	assert_non_null(m);
	for (unsigned i = 0; i < HOSTS; i++)
		add_pack(m, &v[i].res, d);
	assert_int_equal(result_merge_finish(m, sum, d), 0);
	result_merge_free(m);
}

static uint64_t bin_ios(const struct result_job *job)
{
	const struct result_bins *b = &job->bins[DIR_READ][LAT_CLAT];
	uint64_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		n += b->count[i];
	return n;
}

static void check_sum(const struct result *sum)
{
	assert_int_equal(sum->njobs, HOSTS + 1);
	for (size_t i = 0; i < sum->njobs; i++) {
		uint64_t ios = i < HOSTS ? IOS : HOSTS * IOS;

		assert_int_equal(sum->jobs[i]->sum.dir[DIR_READ].ios, ios);
		assert_int_equal(bin_ios(sum->jobs[i]), ios);
	}
}

static void check_document(void)
{
	static char text[1 << 20];
	FILE *f = fopen(output, "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	assert_non_null(strstr(text, "\"client_stats\""));
	assert_non_null(strstr(text, "\"All clients\""));
}

static void test_two_runs(void **state)
{
	struct host *v = calloc(HOSTS, sizeof(*v));
	struct result sum = { 0 };
	struct diag d = { 0 };

	(void)state;
	assert_non_null(v);
	cmd_init_process();
	snprintf(output, sizeof(output), "/tmp/fiord-session.%d", (int)getpid());
	for (unsigned i = 0; i < HOSTS; i++)
		run(&v[i], &d);
	merge(v, &sum, &d);
	check_sum(&sum);
	assert_int_equal(session_write(&v[0].session, &sum, &d), EXIT_OK);
	check_document();
	unlink(output);
	result_free(&sum);
	for (unsigned i = 0; i < HOSTS; i++)
		end(&v[i]);
	free(v);
	diag_fini(&d);
}

int unit_session(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
