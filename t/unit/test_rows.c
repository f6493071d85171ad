/* Is each row of the core's options valid, and does fiord know every option name of fio? */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "doc.h"
#include "job.h"
#include "option_names.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static const struct opt_ctx ctx = { .kb_base = 1024 };
static const struct opt_table *const tables[] = { &job_options, &foreign_options };

static char *printed(const struct opt_row *row, const struct job_opts *o)
{
	struct strbuf b = { 0 };

	row->type->print(row, (const char *)o + row->offset, &b);
	return b.text ? b.text : strdup("");
}

static void test_documented(void **state)
{
	(void)state;
	for (size_t t = 0; t < LEN(tables); t++) {
		for (const struct opt_row *row = tables[t]->rows; row->name; row++) {
			if (!row->help || !*row->help || !row->group || !*row->group)
				fail_msg("%s: no help or group", row->name);
			if (row->status != OPT_WORKS && (!row->why || !*row->why))
				fail_msg("%s: no reason", row->name);
			if (row->status == OPT_WORKS && !row->type)
				fail_msg("%s: no type", row->name);
			for (const struct opt_choice *c = row->choices; c && c->name; c++) {
				if (!c->help && (c->value >= 0 || row->status != OPT_REFUSED))
					fail_msg("%s=%s: no help", row->name, c->name);
			}
		}
	}
}

/* Each name of a row leads to that row, in both tables together. */
static void test_unique(void **state)
{
	(void)state;
	for (size_t t = 0; t < LEN(tables); t++) {
		for (const struct opt_row *row = tables[t]->rows; row->name; row++) {
			assert_ptr_equal(opt_find(tables[t], row->name), row);
			for (size_t i = 0; i < LEN(row->alias) && row->alias[i]; i++)
				assert_ptr_equal(opt_find(tables[t], row->alias[i]), row);
			if (t && opt_find(&job_options, row->name))
				fail_msg("%s is in both tables", row->name);
		}
	}
}

/* Defaults parse, and an option's printed value parses again and prints the same. */
static void test_defaults(void **state)
{
	struct job_opts o = { 0 };
	struct diag d = { 0 };

	(void)state;
	if (opt_defaults(&job_options, &o, &d))
		fail_msg("%s", diag_text(&d));
	for (const struct opt_row *row = job_options.rows; row->name; row++) {
		char *first, *second;

		if (row->status != OPT_WORKS || !row->def)
			continue;
		first = printed(row, &o);
		if (!*first || opt_set(row, &o, first, &ctx, &d))
			fail_msg("%s=%s: %s", row->name, first, diag_text(&d));
		second = printed(row, &o);
		assert_string_equal(first, second);
		free(first);
		free(second);
	}
	opt_fini(&job_options, &o);
}

/* Values below and above the range are refused, if the row has one. */
static void test_out_of_range(void **state)
{
	struct job_opts o = { 0 };
	unsigned tried = 0;

	(void)state;
	for (const struct opt_row *row = job_options.rows; row->name; row++) {
		struct strbuf range = { 0 };
		struct diag d = { 0 };
		bool text = row->type && row->type->free_text;

		if (row->status == OPT_WORKS && !text && opt_print_range(row, &range)) {
			char above[40];

			snprintf(above, sizeof(above), "%llu%s", (unsigned long long)row->max + 1,
				 row->unit_ns ? "ns" : "");
			if (row->max && opt_set(row, &o, above, &ctx, &d) != -ERANGE)
				fail_msg("%s=%s is allowed", row->name, above);
			diag_fini(&d);
			if ((int64_t)row->min > 0 && opt_set(row, &o, "0", &ctx, &d) != -ERANGE)
				fail_msg("%s=0 is allowed", row->name);
			diag_fini(&d);
			tried++;
		}
		strbuf_fini(&range);
	}
	assert_true(tried > 10);
	opt_fini(&job_options, &o);
}

/* Only options with free text accept a senseless value. */
static void test_nonsense(void **state)
{
	static const char *const nonsense[] = { "4x",  "-",  ",,,,", "yes", "\xff\xfe", "10foo",
						"1e9", "0x", "(",    "()",  "--1" };
	struct job_opts o = { 0 };

	(void)state;
	for (const struct opt_row *row = job_options.rows; row->name; row++) {
		if (row->status != OPT_WORKS || row->type->free_text)
			continue;
		for (size_t i = 0; i < LEN(nonsense); i++) {
			struct diag d = { 0 };

			if (!opt_set(row, &o, nonsense[i], &ctx, &d) || !*diag_text(&d))
				fail_msg("%s=%s is allowed", row->name, nonsense[i]);
			diag_fini(&d);
		}
	}
	opt_fini(&job_options, &o);
}

/* Values of the types that set several fields. printed NULL: refused. */
static void test_values(void **state)
{
	/* clang-format off */
	static const struct { const char *name, *text, *printed; } values[] = {
		{ "rw", "randread", "randread" }, { "rw", "randread:8", "randread:8" }, { "readwrite", "write:8k", "write:8k" },
		{ "rw", "read:-4k", "read:-4k" }, { "rw", "read:+8", "read:8" }, { "rw", "readwrite", "rw" },
		{ "rw", "randrw:1", "randrw" }, { "rw", "randread:(2*4)", "randread:8" }, { "rw", "rand", NULL },
		{ "rw", "randread:", NULL }, { "rw", "randread:0", NULL }, { "rw", "randread:-1", NULL }, { "rw", "read:x", NULL },
		{ "rw", "read:", NULL }, { "rw", "read:99999999t", NULL }, { "rw", "", NULL },
		{ "bssplit", "4k/60:64k/40", "4k/60:64k/40" }, { "bssplit", "4k", "4k" }, { "bssplit", "4k/50:64k/", "4k/50:64k/" },
		{ "bssplit", ",4k/50:8k/50", ",4k/50:8k/50" },
		{ "bssplit", "4k/99.6:8k/0.40", "4k/99.6:8k/0.40" }, { "bssplit", "4k/99.6:8k/.4", NULL }, { "bssplit", "4k/99.:8k/1", NULL },
		{ "bssplit", "4k/99.625:8k/", NULL }, { "bssplit", "4k/99.6.2:8k/", NULL }, { "bssplit", "4k/-1.5:8k/", NULL }, { "bssplit", "", NULL }, { "bssplit", ",", NULL },
		{ "bssplit", "4k/60:8k/50", "4k/60:8k/50" }, { "bssplit", "4q/50:8k/50", NULL }, { "bssplit", "4k/x", NULL },
		{ "bssplit", "0/50:4k/50", NULL }, { "bssplit", "4k/101", "4k/101" }, { "bssplit", "4k,4k,4k,4k", NULL },
		{ "bssplit", "4k/50:", NULL }, { "bssplit", "4k/60:8k/60:16k/", NULL }, { "bssplit", "12k-16k/5", "12k-16k/5" }, { "bssplit", "-16k/5", NULL },
		{ "size", "200%", "100%" }, { "size", "4294967296%", NULL }, { "io_size", "200%", NULL }, { "offset", "101%", NULL },
		{ "bs", "4k-512k", "4k,512k,512k" }, { "bs", "4k-8k-16k", "4k,8k,16k" }, { "bs", "(8k-4k)", "4k,4k,4k" }, { "bs", "-4k", NULL },
		{ "bs", "4k--8k", NULL }, { "bs", "4k-", NULL }, { "bs", "4k-8k-16k-32k", NULL },
		{ "steadystate", "iops:.5%", "iops:0.5%" }, { "steadystate", "iops:50%%", "iops:50%" }, { "steadystate", "iops:50%%%", NULL },
		{ "steadystate", "iops:.%", NULL }, { "steadystate", "iops:5.%", NULL }, { "percentile_list", ".5:99.9", "0.5:99.9" },
		{ "percentile_list", ".:99", NULL }, { "latency_percentile", ".5", "0.5" }, { "zone_reset_threshold", ".5", "0.5" },
		{ "zone_reset_threshold", ".", NULL }, { "zone_reset_threshold", "0.", "0" },
		{ "percentile_list", "99:50:99.9", "50:99:99.9" }, { "percentile_list", "99.9999999", "99.9999999" },
		{ "percentile_list", "50:50:50.0", "50" }, { "percentile_list", "0:100", "0:100" },
		{ "percentile_list", "", NULL }, { "percentile_list", "50:", NULL }, { "percentile_list", "101", NULL },
		{ "percentile_list", "-1", NULL }, { "percentile_list", "50,99", NULL }, { "percentile_list", "1.", NULL },
		{ "percentile_list", "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21", NULL },
		{ "cpus_allowed", "3,0-1", "0-1,3" }, { "cpumask", "0x5", "0x5" }, { "cpumask", "0", NULL },
		{ "numa_cpu_nodes", "all", "all" }, { "numa_cpu_nodes", "0-1", "0-1" }, { "numa_cpu_nodes", "some", NULL },
		{ "numa_mem_policy", "bind:0,2", "bind:0,2" }, { "numa_mem_policy", "prefer:1", "prefer:1" },
		{ "numa_mem_policy", "interleave:all", "interleave:all" }, { "numa_mem_policy", "local", "local" },
		{ "numa_mem_policy", "prefer:0-1", NULL }, { "numa_mem_policy", "bind", NULL },
		{ "numa_mem_policy", "local:0", NULL }, { "numa_mem_policy", "bind:x", NULL }, { "numa_mem_policy", "binds:0", NULL },
		{ "mem", "shm", "shm" }, { "iomem", "mmap:/a:b", "mmap:/a:b" }, { "mem", "mmapshared", "mmapshared" },
		{ "mem", "mmap:", NULL }, { "mem", "shm:x", NULL }, { "mem", "cudamalloc", NULL }, { "mem", "mmaps", NULL },
		{ "nice", "-20", "-20" }, { "nice", "20", NULL }, { "prioclass", "4", NULL },
		{ "rwmixwrite", "30", "30" }, { "rwmixread", "70", "70" }, { "rwmixread", "101", NULL },
		{ "buffered", "0", "0" }, { "direct", "0", "0" }, { "kb_base", "1000", "1000" }, { "kb_base", "1", NULL },
		{ "random_distribution", "random", "random" }, { "random_distribution", "zipf:1.2", "zipf:1.2" },
		{ "rate_process", "poisson", "poisson" }, { "verify", "0", "0" }, { "verify", "md5", "md5" },
		{ "file_service_type", "roundrobin:8", "roundrobin:8" }, { "file_service_type", "random:1", "random" },
		{ "file_service_type", "sequential:4k", "sequential:4096" }, { "file_service_type", "random:0", NULL },
		{ "file_service_type", "random:", NULL }, { "file_service_type", "zipf:1.2", "zipf:1.2" },
		{ "file_service_type", "gauss", NULL }, { "file_service_type", "gauss:10:0.25", "normal:10:0.25" }, { "file_service_type", "rand", NULL },
		{ "fadvise_hint", "noreuse", "noreuse" }, { "fadvise_hint", "2", NULL }, { "exit_what", "none", NULL },
		{ "numjobs", "0", NULL }, { "runtime", "10min", "600" },
		{ "startdelay", "1-3", "1-3" }, { "filesize", "4m:1m", "1m-4m" }, { "bsrange", "1k-4k,8k-16k", "1k-4k,8k-16k,8k-16k" },
		{ "description", "", "" }, { "ba", ",4k", ",4k,4k" }, { "ba", "", NULL }, { "fallocate", "1", "posix" }, { "sync", "dsync", "dsync" },
	};
	/* clang-format on */
	struct job_opts o = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(values); i++) {
		const struct opt_row *row = opt_find(&job_options, values[i].name);
		struct diag d = { 0 };
		int ret = opt_set(row, &o, values[i].text, &ctx, &d);
		char *now = printed(row, &o);

		if (!ret != !!values[i].printed || (!ret && strcmp(now, values[i].printed)))
			fail_msg("%s=%s: %d, %s; %s", values[i].name, values[i].text, ret, now,
				 diag_text(&d));
		free(now);
		diag_fini(&d);
	}
	assert_int_equal(o.mix.read_percent, 70);
	assert_int_equal(o.report.kb_base, 1000);
	opt_fini(&job_options, &o);
}

static void test_bssplit(void **state)
{
	struct bsize_cfg *c = calloc(1, sizeof(*c));
	struct diag d = { 0 };

	(void)state;
	assert_non_null(c);
	assert_int_equal(opt_bssplit("4k/50:8k/:16k/,(32k/2)/30:1k/30", 1024, c, &d), 0);
	assert_int_equal(c->split_n[DIR_READ], 3);
	assert_int_equal(c->split[DIR_READ][1].percent, 25);
	assert_int_equal(c->split[DIR_READ][2].percent, 25);
	assert_int_equal(c->split_n[DIR_WRITE], 2);
	assert_int_equal(c->split[DIR_WRITE][0].bytes, 16384);
	assert_int_equal(c->split[DIR_WRITE][1].percent, 70);
	assert_memory_equal(c->split[DIR_TRIM], c->split[DIR_WRITE], sizeof(c->split[0]));
	assert_int_equal(opt_bssplit("4k/:8k/:16k/", 1024, c, &d), 0);
	assert_int_equal(c->split[0][0].percent + c->split[0][1].percent + c->split[0][2].percent, 100);
	assert_int_equal(opt_bssplit("4k,", 1000, c, &d), 0);
	assert_int_equal(c->split[DIR_READ][0].bytes, 4000);
	assert_int_equal(c->split_n[DIR_WRITE], 0);
	assert_int_equal(opt_bssplit("4k/60:8k/60:16k/", 1024, c, &d), -ERANGE);
	assert_int_equal(c->split_n[DIR_READ], 1);
	diag_fini(&d);
	free(c);
}

/* Percentages that do not add up to 100, and the shares of fio 3.33's I/Os (--write_bw_log has their sizes).
 */
static void test_bssplit_sums(void **state)
{
	static const struct {
		const char *text;
		double percent[4];
	} cases[] = {
		{ "4k/99.6:8k/0.40", { 99.6, 0.4 } },
		{ "4k/33.33:8k/33.33:16k/", { 33.33, 33.33, 33.34 } },
		{ "4k/0.05:8k/99.95", { 0.05, 99.95 } },
		{ "4k/99.99:8k/0.02", { 99.98, 0.02 } },
		{ "4k/100.5:8k/30", { 70, 30 } },
		{ "4k/50:8k/80", { 50, 50 } },
		{ "4k/50:8k/30:16k/80", { 50, 30, 20 } },
		{ "4k/50:8k/50:16k/80", { 50, 50, 0 } },
		{ "4k/50:8k/80:16k/10", { 50, 40, 10 } },
		{ "4k/80:8k/80:16k/10:32k/30", { 60, 0, 10, 30 } },
		{ "16k/:4k/60:8k/30", { 10, 60, 30 } },
		{ "4k/20:8k/30", { 20, 80 } },
		{ "4k/30:8k/20", { 80, 20 } },
		{ "4k/30:8k/20:16k/10", { 70, 20, 10 } },
		{ "4k/120:8k/30", { 70, 30 } },
		{ "4k/99999999999:8k/30", { 70, 30 } },
		{ "12k-16k/5:4k/95", { 5, 95 } },
		{ "16k-12k/5:4k/95", { 5, 95 } },
	};
	struct bsize_cfg *c = calloc(1, sizeof(*c));
	struct diag d = { 0 };

	(void)state;
	assert_non_null(c);
	for (size_t i = 0; i < LEN(cases); i++) {
		assert_int_equal(opt_bssplit(cases[i].text, 1024, c, &d), 0);
		for (unsigned k = 0; k < c->split_n[DIR_READ]; k++)
			assert_true(fabs(c->split[DIR_READ][k].percent - cases[i].percent[k]) < 1e-9);
	}
	assert_int_equal(c->split[DIR_READ][0].bytes, 16384);
	diag_fini(&d);
	free(c);
}

/* At most 64 sizes are valid. */
static void test_bssplit_many(void **state)
{
	struct bsize_cfg *c = calloc(1, sizeof(*c));
	struct strbuf b = { 0 };
	struct diag d = { 0 };

	(void)state;
	assert_non_null(c);
	for (unsigned i = 1; i <= BSSPLIT_MAX; i++)
		strbuf_printf(&b, "%s%uk/1", i > 1 ? ":" : "", i);
	assert_int_equal(opt_bssplit(strbuf_str(&b), 1024, c, &d), 0);
	assert_int_equal(c->split[0][BSSPLIT_MAX - 1].percent, 100 - BSSPLIT_MAX + 1);
	strbuf_puts(&b, ":4k/1");
	assert_int_equal(opt_bssplit(strbuf_str(&b), 1024, c, &d), -ERANGE);
	diag_fini(&d);
	strbuf_fini(&b);
	free(c);
}

static void test_uneven_lists_are_noted(void **state)
{
	struct notes notes = { 0 };
	const struct opt_ctx noting = { .kb_base = 1024, .notes = &notes };
	const struct opt_row *row = opt_find(&job_options, "bssplit");
	struct job_opts o = { 0 };
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(opt_set(row, &o, "4k/50:8k/50,4k/10:8k", &noting, &d), 0);
	assert_int_equal(notes.count, 0);
	assert_int_equal(opt_set(row, &o, "4k/50:8k/50,4k/33:8k/33:16k/33", &noting, &d), 0);
	assert_int_equal(notes.count, 1);
	assert_int_equal(opt_set(row, &o, "4k/80:12k-16k/80", &noting, &d), 0);
	assert_int_equal(notes.count, 3);
	assert_int_equal(opt_set(opt_find(&job_options, "bs"), &o, "4k-16k", &noting, &d), 0);
	assert_int_equal(notes.count, 4);
	notes_fini(&notes);
	opt_fini(&job_options, &o);
}

/* direct and buffered are opposites. */
static void test_buffered(void **state)
{
	struct job_opts o = { 0 };
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(opt_set(opt_find(&job_options, "buffered"), &o, "0", &ctx, &d), 0);
	assert_true(o.file.direct);
	assert_int_equal(opt_set(opt_find(&job_options, "direct"), &o, "0", &ctx, &d), 0);
	assert_false(o.file.direct);
}

static void test_add_up(void **state)
{
	const struct opt_row *row = opt_find(&job_options, "allow_write");
	struct job_opts o = { 0 };
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(opt_set(row, &o, "/dev/sdb", &ctx, &d), 0);
	assert_int_equal(opt_set(row, &o, "/dev/sdc:/tmp/f", &ctx, &d), 0);
	assert_string_equal(o.files.allow_write, "/dev/sdb:/dev/sdc:/tmp/f");
	opt_fini(&job_options, &o);
}

/* fio-option-names.txt is in the directory of this source. */
static FILE *open_names(void)
{
	const char *dir = getenv("UNIT_DIR"), *slash = strrchr(__FILE__, '/');
	char path[4096];

	if (dir)
		snprintf(path, sizeof(path), "%s/fio-option-names.txt", dir);
	else
		snprintf(path, sizeof(path), "%.*sfio-option-names.txt",
			 slash ? (int)(slash + 1 - __FILE__) : 0, __FILE__);
	return fopen(path, "r");
}

static void test_all_names(void **state)
{
	FILE *f = open_names();
	char line[128], name[64], kind[64];
	unsigned n = 0;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		bool core, foreign;

		if (*line == '#')
			continue;
		assert_int_equal(sscanf(line, "%63s %63s", name, kind), 2);
		core = opt_find(&job_options, name);
		foreign = opt_find(&foreign_options, name);
		if (!core && (strcmp(kind, "core") == 0 || (!foreign && !option_engine(name))))
			fail_msg("%s (%s) is not known", name, kind);
		n++;
	}
	fclose(f);
	assert_true(n > 400);
}

/* Scripts search for "zbd" there to find out whether zonemode=zbd works. */
static void test_zonemode_help(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	assert_int_equal(doc_option(opt_find(&job_options, "zonemode"), DOC_USABLE, &b), 0);
	assert_non_null(strstr(strbuf_str(&b), "zbd"));
	assert_int_equal(doc_option(opt_find(&job_options, "zonemode"), DOC_ALL, &b), 0);
	assert_non_null(strstr(strbuf_str(&b), "strided"));
	assert_non_null(strstr(strbuf_str(&b), "zbd"));
	strbuf_fini(&b);
}

int unit_rows(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_documented),   cmocka_unit_test(test_unique),
		cmocka_unit_test(test_defaults),     cmocka_unit_test(test_out_of_range),
		cmocka_unit_test(test_nonsense),     cmocka_unit_test(test_values),
		cmocka_unit_test(test_bssplit),      cmocka_unit_test(test_bssplit_sums),
		cmocka_unit_test(test_bssplit_many), cmocka_unit_test(test_uneven_lists_are_noted),
		cmocka_unit_test(test_buffered),     cmocka_unit_test(test_add_up),
		cmocka_unit_test(test_all_names),    cmocka_unit_test(test_zonemode_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
