/* Are the ranks of a result complete, in order, and judged rightly? The expected stragglers follow from the
   rules in hosts.h. A document that was read, and a merge of the ranks' documents, have the same ranks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hosts.h"
#include "html.h"
#include "merge.h"
#include "read.h"
#include "report.h"
#include "strbuf.h"

#define RANKS 4
#define MS    1000000ull

static void add_rank(struct result *r, unsigned rank, unsigned program, const uint64_t *took_ms,
		     unsigned waves, uint64_t bytes)
{
	struct result_host_wave wave[3] = { 0 };
	char name[16];

	snprintf(name, sizeof(name), "n%u", rank);
	for (unsigned i = 0; i < waves; i++)
		wave[i] = (struct result_host_wave){ .wave = i,
						     .late_known = true,
						     .start_ns = i * 100000 * MS,
						     .start_late_ns = (rank + 1) * 10,
						     .took_ns = took_ms[i] * MS };
	result_add_host(r, &(struct result_host){ .hostname = name,
						  .rank = rank,
						  .program = program,
						  .waves = wave,
						  .nwaves = waves,
						  .ios = bytes / 4096,
						  .bytes = bytes,
						  .code = rank == 2,
						  .error = rank == 2 ? "a: <EIO>" : NULL });
}

static void begin(struct result *r)
{
	*r = (struct result){ 0 };
	result_init(r, "fiord", "1.0.0", "3.42");
	r->env.host = "";
}

/* ---- who falls behind ---- */

static const struct {
	const char *fact;
	uint64_t took_ms[RANKS][2]; /* 0: the rank has no such wave */
	uint64_t mib[RANKS];
	unsigned program[RANKS];
	enum result_straggler straggler[RANKS];
} rows[] = {
	{ "equal ranks", { { 1000 }, { 1010 }, { 1020 }, { 1000 } }, { 9, 9, 9, 9 }, { 0 }, { 0 } },
	{ "11 % longer",
	  { { 10000 }, { 10000 }, { 10000 }, { 11100 } },
	  { 9, 9, 9, 9 },
	  { 0 },
	  { 0, 0, 0, STRAGGLER_LATE } },
	{ "10 % longer", { { 10000 }, { 10000 }, { 10000 }, { 11000 } }, { 9, 9, 9, 9 }, { 0 }, { 0 } },
	{ "by less than 0.1 s", { { 100 }, { 100 }, { 100 }, { 199 } }, { 9, 9, 9, 18 }, { 0 }, { 0 } },
	{ "two ranks: the longer", { { 1000 }, { 2000 } }, { 9, 9 }, { 0 }, { 0, STRAGGLER_LATE } },
	{ "one rank", { { 1000 } }, { 9 }, { 0 }, { 0 } },
	{ "in the second wave",
	  { { 1000, 1000 }, { 1000, 5000 }, { 1000, 1000 }, { 1000, 1000 } },
	  { 9, 9, 9, 9 },
	  { 0 },
	  { 0, STRAGGLER_LATE, 0, 0 } },
	{ "65 % of the data",
	  { { 1000 }, { 1000 }, { 1000 }, { 1000 } },
	  { 100, 100, 65, 100 },
	  { 0 },
	  { 0, 0, STRAGGLER_SLOW, 0 } },
	{ "67 % of the data",
	  { { 1000 }, { 1000 }, { 1000 }, { 1000 } },
	  { 100, 100, 67, 100 },
	  { 0 },
	  { 0 } },
	{ "late and slow is late",
	  { { 1000 }, { 1000 }, { 1000 }, { 9000 } },
	  { 9, 9, 9, 9 },
	  { 0 },
	  { 0, 0, 0, STRAGGLER_LATE } },
	{ "other programs do not count",
	  { { 1000 }, { 1000 }, { 5000 }, { 5000 } },
	  { 900, 900, 1, 1 },
	  { 0, 0, 1, 1 },
	  { 0 } },
};

static void stragglers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct result r;

		begin(&r);
		for (unsigned k = RANKS; k-- > 0;) { /* in the wrong order */
			unsigned waves = !!rows[i].took_ms[k][0] + !!rows[i].took_ms[k][1];

			add_rank(&r, k, rows[i].program[k], rows[i].took_ms[k], waves, rows[i].mib[k] << 20);
		}
		result_finish_hosts(&r);
		for (unsigned k = 0; k < RANKS; k++) {
			const struct result_host *h = &r.hosts.v[k];

			assert_int_equal(h->rank, k);
			if (h->straggler != rows[i].straggler[k])
				fail_msg("%s: rank %u: %d, not %d", rows[i].fact, k, (int)h->straggler,
					 (int)rows[i].straggler[k]);
		}
		result_free(&r);
	}
}

/* The figures of a straggler and the ends of the run. */
static void figures(void **state)
{
	const uint64_t took[3] = { 1000, 1100, 1200 }, slow[3] = { 1000, 9000, 1200 };
	const struct result_hosts *h;
	struct result r;

	(void)state;
	begin(&r);
	for (unsigned k = 0; k < RANKS; k++)
		add_rank(&r, k, 0, k == 1 ? slow : took, k == 3 ? 2 : 3, 1 << 20);
	add_rank(&r, 4, 0, NULL, 0, 0); /* measured nothing */
	result_finish_hosts(&r);
	h = &r.hosts;
	assert_true(h->known && h->late_known);
	assert_int_equal(h->latest, 3);
	assert_int_equal(h->v[3].start_late_ns, 40);
	assert_int_equal(h->first_done, 3);
	assert_int_equal(h->v[3].done_ns, 101100 * MS);
	assert_int_equal(h->last_done, 0);
	assert_int_equal(h->v[0].done_ns, 201200 * MS);
	assert_int_equal(h->v[1].straggler, STRAGGLER_LATE);
	assert_int_equal(h->v[1].straggler_wave, 1);
	assert_int_equal(h->v[1].straggler_value, 9000 * MS);
	assert_int_equal(h->v[1].straggler_median, 1100 * MS);
	assert_int_equal(h->v[4].straggler, STRAGGLER_NONE);
	result_free(&r);
}

/* ---- documents ---- */

static void fill(struct result *r, unsigned rank)
{
	const uint64_t took[2] = { 1000, rank == 3 ? 9000 : 1000 };

	begin(r);
	result_add_job(r, &(struct result_job){ .name = "a", .hostname = "ignored" });
	add_rank(r, rank, 0, took, 2, 1 << 20);
	result_note(r, "the note of all");
	if (rank == 2)
		result_note(r, "the note of one");
	result_finish(r);
}

static char *json_of(const struct result *r)
{
	struct strbuf b = { 0 };

	assert_int_equal(report_json(r, &b), 0);
	return b.text;
}

static void read_back(const char *text, struct result_set *set)
{
	struct diag d = { 0 };

	if (result_read(set, "f", text, strlen(text), &d))
		fail_msg("%s", diag_text(&d));
}

/* Merges the documents of the ranks, the last one first. */
static void merge_documents(struct result *sum, struct result_set *set)
{
	struct result_merge *m = result_merge_new("fiord", "1.0.0", "3.42", false);
	const struct result_host missing = { .hostname = "n9", .rank = 9, .code = 1, .error = "no result" };
	struct diag d = { 0 };

	for (unsigned rank = RANKS; rank-- > 0;) {
		struct result r;
		char *text;

		fill(&r, rank);
		text = json_of(&r);
		read_back(text, set);
		assert_int_equal(result_merge_add(m, set->res[set->n - 1], "a file", &d), 0);
		free(text);
		result_free(&r);
	}
	result_merge_host(m, &missing);
	assert_int_equal(result_merge_finish(m, sum, &d), 0);
	result_merge_free(m);
}

static void documents(void **state)
{
	struct result_set set = { 0 };
	struct result sum;
	char *text, *again;

	(void)state;
	merge_documents(&sum, &set);
	assert_int_equal(sum.hosts.n, RANKS + 1);
	assert_int_equal(sum.njobs, RANKS + 1);
	assert_string_equal(sum.jobs[0]->hostname, "n3"); /* the rank, not the file */
	assert_int_equal(sum.hosts.v[3].straggler, STRAGGLER_LATE);
	text = json_of(&sum);
	read_back(text, &set);
	again = json_of(set.res[set.n - 1]);
	assert_non_null(strstr(text, "\"error\" : \"a: <EIO>\""));
	assert_non_null(strstr(text, "\"median_took_ns\" : 1000000000"));
	assert_non_null(strstr(text, "\"n3 and 3 more: the note of all\""));
	assert_non_null(strstr(text, "\"n2: the note of one\""));
	assert_string_equal(strstr(again, "\"hosts\""), strstr(text, "\"hosts\""));
	free(text);
	free(again);
	result_set_free(&set);
	result_free(&sum);
}

static void page(void **state)
{
	struct result_set set = { 0 };
	struct strbuf b = { 0 };
	struct result sum;
	const struct result *list;

	(void)state;
	merge_documents(&sum, &set);
	list = &sum;
	assert_int_equal(report_html(&list, NULL, 1, &b), 0);
	assert_non_null(strstr(b.text, "href=\"#r1-hosts\""));
	assert_non_null(strstr(b.text, "n3 (rank 3) was done last, after "));
	assert_non_null(
		strstr(b.text, "Straggler:</strong> it took 9.00s for wave 1, the median rank 1.00s"));
	assert_non_null(strstr(b.text, "Error:</strong> a: &lt;EIO&gt;"));
	strbuf_fini(&b);
	result_set_free(&set);
	result_free(&sum);
}

/* The reader has limits for numbers whose sum could wrap. */
static void bad_times(void **state)
{
	static const char text[] =
		"{\"jobs\":[],\"fiord\":{\"hosts\":[{\"hostname\":\"n\",\"waves\":[{\"start_ns\":"
		"9223372036854775808}]}]}}";
	struct result_set set = { 0 };
	struct diag d = { 0 };

	(void)state;
	assert_int_not_equal(result_read(&set, "f", text, strlen(text), &d), 0);
	assert_string_equal(diag_text(&d), "f: fiord.hosts[0].waves[0].start_ns: this is too large");
	diag_fini(&d);
	result_set_free(&set);
}

int unit_hosts(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stragglers), cmocka_unit_test(figures),   cmocka_unit_test(documents),
		cmocka_unit_test(page),       cmocka_unit_test(bad_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
