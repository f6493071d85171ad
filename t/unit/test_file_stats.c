/* Are I/Os counted by file, and do the counts of several workers, and of the files of several jobs, add up?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "files.h"

#define READS  (1u << DIR_READ)
#define WRITES (1u << DIR_WRITE)
#define SYNCS  (1u << DIR_SYNC)

/* Three files with reads, writes and syncs. Syncs have no lat. */
static const struct file_stats_cfg cfg = {
	.files = 3,
	.dirs = READS | WRITES | SYNCS,
	.lat = { READS | WRITES | SYNCS, READS | WRITES },
	.hists = true,
	.hist_lat = FILE_LAT,
};

static const struct {
	uint32_t file;
	unsigned dir;
	uint64_t bytes, clat, lat;
} ios[] = {
	{ 0, DIR_READ, 4096, 10, 12 },  { 0, DIR_READ, 512, 30, 31 },  { 2, DIR_READ, 4096, 1000, 1000 },
	{ 2, DIR_WRITE, 8192, 50, 90 }, { 2, DIR_SYNC, 0, 700, 9999 }, { 2, DIR_READ, 4096, 0, 0 },
};
#define COUNT (sizeof(ios) / sizeof(ios[0]))

static void *new_counts(const struct file_stats_cfg *c)
{
	void *counts = aligned_alloc(64, (file_stats_bytes(c) + 63) / 64 * 64);

	assert_non_null(counts);
	memset(counts, 0, file_stats_bytes(c));
	for (size_t i = 0; i < COUNT; i++)
		file_stats_add(counts, c, ios[i].file, ios[i].dir, ios[i].bytes,
			       (const uint64_t[FILE_LATS]){ ios[i].clat, ios[i].lat });
	return counts;
}

static void ios_are_counted(void **state)
{
	void *counts = new_counts(&cfg);
	const struct file_dir *a = file_stats_dir(counts, &cfg, 0, DIR_READ);
	const struct file_dir *c = file_stats_dir(counts, &cfg, 2, DIR_READ);
	const struct file_dir *sync = file_stats_dir(counts, &cfg, 2, DIR_SYNC);

	(void)state;
	assert_int_equal(a->ios, 2);
	assert_int_equal(a->bytes, 4608);
	assert_int_equal(a->lat[FILE_CLAT].min, 10);
	assert_int_equal(a->lat[FILE_LAT].max, 31);
	assert_int_equal(a->lat[FILE_LAT].sq_lo, 12 * 12 + 31 * 31);
	assert_int_equal(c->lat[FILE_CLAT].min, 0); /* not taken for "no I/O" */
	assert_int_equal(c->lat[FILE_CLAT].max, 1000);
	assert_int_equal(sync->lat[FILE_CLAT].sum, 700);
	assert_int_equal(sync->lat[FILE_LAT].n, 0);
	assert_int_equal(hist_total(file_stats_hist(counts, &cfg, 0, DIR_READ)), 2);
	assert_int_equal(file_stats_hist(counts, &cfg, 0, DIR_READ)->n[hist_index(31)], 1);
	assert_int_equal(file_stats_hist(counts, &cfg, 2, DIR_SYNC)->n[hist_index(700)], 1);
	for (unsigned dir = 0; dir < DIR_COUNT; dir++)
		assert_false(file_dir_used(file_stats_dir(counts, &cfg, 1, dir)));
	free(counts);
}

/* The memory that fiord(1) and the manual state. */
static void memory_is_as_documented(void **state)
{
	struct file_stats_cfg c = { .files = 1000000, .dirs = READS };

	(void)state;
	assert_int_equal(file_stats_used_bytes(&c), 128000000);
	c.hists = true;
	assert_int_equal(file_stats_used_bytes(&c), 20616000000);
	c.files = 0;
	assert_int_equal(file_stats_bytes(&c), 0);
}

static void nothing_is_measured(void **state)
{
	struct file_stats_cfg c = { .files = 3, .dirs = READS | WRITES | SYNCS };
	void *counts = new_counts(&c);

	(void)state;
	assert_int_equal(file_stats_dir(counts, &c, 2, DIR_READ)->ios, 2);
	assert_int_equal(file_stats_dir(counts, &c, 2, DIR_READ)->lat[FILE_CLAT].n, 0);
	free(counts);
}

/* ---- lists of files ---- */

static void add_all(struct result *r, struct result_files *f, void *counts, const char *host)
{
	static const char *const path[] = { "/a", "/b", "/c" };
	uint64_t ns[HIST_BUCKETS], count[HIST_BUCKETS];

	for (uint32_t i = 0; i < 3; i++) {
		struct result_file *file = result_files_find(r, f, host, path[i]);

		for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
			const struct file_dir *d = file_stats_dir(counts, &cfg, i, dir);
			struct result_bins bins = { ns, count, 0 };

			if (d->ios)
				bins.n = hist_bins(file_stats_hist(counts, &cfg, i, dir), ns, count);
			result_file_add(r, file, dir, d, &bins);
		}
	}
}

static void begin(struct result *r, struct result_files *f)
{
	result_init(r, "fiord", "1", "3.42");
	*f = (struct result_files){ .on = true, .percentiles = true, .lat = FILE_LAT };
}

static const struct summary median = { .npercentiles = 1, .percentiles = { 50 } };

static void entries_of_one_path_add_up(void **state)
{
	void *counts = new_counts(&cfg);
	const struct result_file_dir *d;
	struct result_files f;
	struct summary_lat l;
	struct result r;

	(void)state;
	begin(&r, &f);
	add_all(&r, &f, counts, NULL);
	add_all(&r, &f, counts, NULL);
	result_files_finish(&r, &f, &median);
	assert_int_equal(f.n, 3);
	assert_string_equal(f.file[2].path, "/c");
	d = f.file[0].dir[DIR_READ];
	assert_int_equal(d->counts.ios, 4);
	assert_int_equal(d->bins.n, 2);
	assert_int_equal(d->bins.count[1], 2);
	l = result_file_lat(&f, &f.file[0], DIR_READ, FILE_LAT, 1);
	assert_true(l.percentiles);
	assert_int_equal(l.value[0], 12);
	assert_true(l.mean > 21.499 && l.mean < 21.501);
	assert_false(result_file_lat(&f, &f.file[0], DIR_READ, FILE_CLAT, 1).percentiles);
	assert_true(result_file_lat(&f, &f.file[2], DIR_SYNC, FILE_CLAT, 1).percentiles);
	assert_null(f.file[1].dir[DIR_READ]);
	assert_int_equal(result_file_ios(&f.file[2]), 8);
	free(counts);
	result_free(&r);
}

static void hosts_stay_apart(void **state)
{
	void *counts = new_counts(&cfg);
	struct result_files f, all = { .on = true };
	struct result r;

	(void)state;
	begin(&r, &f);
	add_all(&r, &f, counts, NULL);
	result_files_finish(&r, &f, &median);
	result_files_merge(&r, &all, &f, "one", 0);
	result_files_merge(&r, &all, &f, "two", 0);
	result_files_merge(&r, &all, &f, "one", 0);
	result_files_finish(&r, &all, &median);
	assert_int_equal(all.n, 6);
	assert_string_equal(all.file[3].host, "two");
	assert_int_equal(result_file_ios(&all.file[0]), 4);
	assert_int_equal(result_file_ios(&all.file[3]), 2);
	free(counts);
	result_free(&r);
}

/* A file whose bins are not all known has no percentiles. */
static void partial_bins_are_dropped(void **state)
{
	void *counts = new_counts(&cfg);
	struct result_files f;
	struct result r;

	(void)state;
	begin(&r, &f);
	add_all(&r, &f, counts, NULL);
	result_file_add(&r, &f.file[0], DIR_READ, file_stats_dir(counts, &cfg, 0, DIR_READ), NULL);
	result_files_finish(&r, &f, &median);
	assert_int_equal(f.file[0].dir[DIR_READ]->bins.n, 0);
	assert_null(f.file[0].dir[DIR_READ]->percentile);
	assert_non_null(f.file[2].dir[DIR_READ]->percentile);
	free(counts);
	result_free(&r);
}

static void directions_mix(void **state)
{
	void *counts = new_counts(&cfg);
	struct result_files f;
	struct result r;

	(void)state;
	begin(&r, &f);
	add_all(&r, &f, counts, NULL);
	result_files_mix(&r, &f);
	result_files_finish(&r, &f, &median);
	assert_null(f.file[2].dir[DIR_WRITE]);
	assert_int_equal(f.file[2].dir[DIR_READ]->counts.ios, 3);
	assert_int_equal(f.file[2].dir[DIR_READ]->counts.bytes, 16384);
	assert_int_equal(f.file[2].dir[DIR_SYNC]->counts.ios, 1);
	free(counts);
	result_free(&r);
}

/* ---- the choice ---- */

#define MANY 1000

/* File i has i I/Os of 1000 - i ns, and each hundredth file has i errors. */
static void add_many(struct result *r, struct result_files *f)
{
	for (unsigned i = 0; i < MANY; i++) {
		struct file_dir d = { .ios = i, .errors = i % 100 ? 0 : i };
		char path[16];

		snprintf(path, sizeof(path), "/%u", i);
		d.lat[FILE_CLAT] = (struct moments){
			.n = i, .min = MANY - i, .max = MANY - i, .sum = (uint64_t)i * (MANY - i)
		};
		result_file_add(r, result_files_find(r, f, NULL, path), DIR_WRITE, &d, NULL);
	}
}

static void some_of_many_are_listed(void **state)
{
	struct result_files_choice c;
	struct result_files f;
	struct result r;

	(void)state;
	begin(&r, &f);
	add_many(&r, &f);
	result_files_finish(&r, &f, &median);
	result_files_choose(&f, &c);
	assert_int_equal(f.n, MANY);
	for (unsigned i = 0; i < FILES_LISTED; i++) {
		assert_int_equal(c.index[FILES_BUSIEST][i], MANY - 1 - i);
		assert_int_equal(c.index[FILES_SLOWEST][i], i + 1);
	}
	assert_int_equal(c.n[FILES_FAULTY], 9);
	assert_int_equal(c.index[FILES_FAULTY][0], 900);
	assert_int_equal(c.unlisted, MANY - 49);
	f.n = FILES_LISTED;
	result_files_choose(&f, &c);
	assert_int_equal(c.n[FILES_BUSIEST], FILES_LISTED);
	assert_int_equal(c.index[FILES_BUSIEST][0], 0);
	assert_int_equal(c.unlisted, 0);
	f.left_out = 5;
	result_files_choose(&f, &c);
	assert_int_equal(c.unlisted + c.n[0] + c.n[1] + c.n[2], FILES_LISTED + 5);
	result_free(&r);
}

int unit_file_stats(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ios_are_counted),     cmocka_unit_test(memory_is_as_documented),
		cmocka_unit_test(nothing_is_measured), cmocka_unit_test(entries_of_one_path_add_up),
		cmocka_unit_test(hosts_stay_apart),    cmocka_unit_test(partial_bins_are_dropped),
		cmocka_unit_test(directions_mix),      cmocka_unit_test(some_of_many_are_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
