/* sent_text: do the readers of a record parse what its sender has loaded, and is every damaged record refused
   or read as other text, without a read beyond its end? */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "cmdline.h"
#include "rng.h"
#include "sent_text.h"
#include "strbuf.h"

#define VERSION "1.2"

static char dir[] = "/tmp/fiord-sent-text.XXXXXX";

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(dir) || chdir(dir))
		return -1;
	write_file("job", "[global]\ninclude sizes\n[a]\nrw=read\n[b]\nrw=write\n");
	write_file("sizes", "bs=16k\nsize=1m\n");
	write_file("broken", "[a]\ninclude absent\n");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink("job");
	unlink("sizes");
	unlink("broken");
	return chdir("/") || rmdir(dir) ? -1 : 0;
}

struct parsed {
	struct cmdline c;
	struct job_set set;
	struct diag d;
	int err;
};

static void parse(struct parsed *p, const struct jobfile_source *from, const char *file)
{
	char *argv[] = { (char *)"fiord", (char *)"--ioengine=null", (char *)(uintptr_t)file, NULL };

	*p = (struct parsed){ 0 };
	p->err = cmdline_parse_from(from, &p->c, &p->set, 3, argv, &p->d);
}

static void parsed_fini(struct parsed *p)
{
	job_set_fini(&p->set);
	diag_fini(&p->d);
}

/* Records what the parser loads for this job file. */
static void record(struct sent_text *t, const char *file)
{
	struct jobfile_source from = sent_text_recorder(t, VERSION);
	struct parsed p;

	parse(&p, &from, file);
	parsed_fini(&p);
}

/* Copies the first len bytes to memory of this size, so that the sanitizers see a read beyond their end. */
static struct sent_text received(const struct sent_text *t, size_t len)
{
	struct sent_text r = { .record = { .text = malloc(len ? len : 1), .len = len, .size = len } };

	assert_non_null(r.record.text);
	if (len)
		memcpy(r.record.text, t->record.text, len);
	return r;
}

static int check(const struct sent_text *t, const char *version, const char *words)
{
	struct diag d = { 0 };
	int err = sent_text_check(t, version, &d);

	if (err && !strstr(diag_text(&d), words))
		fail_msg("%s", diag_text(&d));
	diag_fini(&d);
	return err;
}

static void test_same_jobs(void **state)
{
	struct sent_text t = { 0 }, r;
	struct jobfile_source from;
	struct parsed p;

	(void)state;
	record(&t, "job");
	r = received(&t, t.record.len);
	assert_int_equal(check(&r, VERSION, ""), 0);
	from = sent_text_reader(&r);
	assert_int_equal(chdir("/"), 0); /* the reader has no such files */
	parse(&p, &from, "job");
	assert_string_equal(diag_text(&p.d), "no error");
	assert_int_equal(p.set.njobs, 2);
	assert_int_equal(p.set.jobs[1].opts.bs[0], 16384);
	parsed_fini(&p);
	parse(&p, &from, "other");
	assert_int_equal(p.err, -ENOENT);
	parsed_fini(&p);
	assert_int_equal(chdir(dir), 0);
	free(r.record.text);
	strbuf_fini(&t.record);
}

/* The sender's error is the reader's error, too. */
static void test_same_error(void **state)
{
	struct sent_text t = { 0 };
	struct jobfile_source from;
	struct parsed there, here;

	(void)state;
	from = sent_text_recorder(&t, VERSION);
	parse(&there, &from, "broken");
	from = sent_text_reader(&t);
	parse(&here, &from, "broken");
	assert_true(there.err < 0);
	assert_int_equal(here.err, there.err);
	assert_string_equal(diag_text(&here.d), diag_text(&there.d));
	parsed_fini(&there);
	parsed_fini(&here);
	strbuf_fini(&t.record);
}

static void test_other_version(void **state)
{
	struct sent_text t = { 0 };

	(void)state;
	record(&t, "job");
	assert_int_equal(check(&t, "1.3", "fiord 1.2, and this is 1.3"), -EPROTO);
	t.record.text[0] ^= 1;
	assert_int_equal(check(&t, VERSION, "another program"), -EPROTO);
	strbuf_fini(&t.record);
}

static void test_truncated(void **state)
{
	struct sent_text t = { 0 };
	size_t whole = 0;

	(void)state;
	record(&t, "job");
	for (size_t n = 0; n < t.record.len; n++) {
		struct sent_text r = received(&t, n);
		struct jobfile_source from = sent_text_reader(&r);
		struct parsed p;

		whole += !check(&r, VERSION, n < 64 ? "cut short" : "damaged");
		parse(&p, &from, "job"); /* even unchecked it stays within the record */
		parsed_fini(&p);
		free(r.record.text);
	}
	assert_int_equal(whole, 2); /* it ends before or behind the first file */
	strbuf_fini(&t.record);
}

static void test_damaged(void **state)
{
	struct sent_text t = { 0 };
	struct rng rng;

	(void)state;
	record(&t, "job");
	rng_init(&rng, 1);
	for (unsigned i = 0; i < 2000; i++) {
		struct sent_text r = received(&t, t.record.len);
		struct jobfile_source from = sent_text_reader(&r);
		struct parsed p;

		for (unsigned k = 0; k < 1 + i % 4; k++)
			r.record.text[rng_below(&rng, r.record.len)] = (char)rng_below(&rng, 256);
		check(&r, VERSION, "sen");
		parse(&p, &from, "job");
		parsed_fini(&p);
		free(r.record.text);
	}
	strbuf_fini(&t.record);
}

int unit_sent_text(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_jobs),     cmocka_unit_test(test_same_error),
		cmocka_unit_test(test_other_version), cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
