/* Option rows: is each kind of value parsed, printed and refused right, and are options found, copied and
 * suggested? */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "fio_numbers.h"
#include "doc.h"
#include "opt.h"
#include "strbuf.h"
#include "types.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

enum color { RED, GREEN };

struct sample {
	bool yes, flag, inverse;
	uint32_t u32, u32x3[3];
	int32_t i32;
	uint64_t u64, size, time, times[2], sizes[2], size3[3], time3[3];
	struct {
		uint64_t lo, hi;
	} range3[3];
	struct amount amount;
	enum color color;
	char *string, *paths, *adding;
};

#define OPT_STRUCT struct sample
/* clang-format off */
static const struct opt_row rows[] = {
	{ "bool", OPT_BOOL(yes), .def = "1", .help = "b", .group = "g" },
	{ "not", OPT_NOT(inverse), .help = "n", .group = "g" },
	{ "flag", OPT_FLAG(flag), .help = "f", .group = "g" },
	{ "u32", .alias = { "ju32", "count" }, OPT_U32(u32), .def = "7", OPT_RANGE(1, 65536), .help = "u", .group = "g" },
	{ "i32", OPT_I32(i32), .def = "-1", OPT_RANGE((uint64_t)-1, 1), .help = "i", .group = "g" },
	{ "u64", OPT_U64(u64), .help = "u", .group = "g" },
	{ "size", OPT_SIZE(size), .def = "4k", OPT_RANGE(512, 1 << 20), .help = "s", .group = "g" },
	{ "amount", OPT_AMOUNT(amount), .help = "a", .group = "g" },
	{ "time", OPT_TIME(time, OPT_S), OPT_RANGE(0, 3600 * OPT_S), .help = "t", .group = "g" },
	{ "times", OPT_TIMES(times[0], OPT_S), .help = "t", .group = "g" },
	{ "sizes", OPT_SIZES(sizes[0]), .help = "s", .group = "g" },
	{ "size3", OPT_SIZE3(size3), .def = "4k", OPT_RANGE(1, 1 << 30), .help = "s", .group = "g" },
	{ "time3", OPT_TIME3(time3, OPT_US), OPT_RANGE(0, OPT_S), .help = "t", .group = "g" },
	{ "u32x3", OPT_U32X3(u32x3), .help = "u", .group = "g" },
	{ "range3", OPT_RANGE3(range3), OPT_RANGE(1, 0), .help = "r", .group = "g" },
	{ "color", OPT_ENUM(color, { "red", RED, "hot" }, { "green", GREEN, "cool" }, { "1", GREEN, NULL }), .def = "red",
	  .help = "c", .group = "g" },
	{ "only", OPT_FIXED({ "none", 0, "n" }, { "zipf", CHOICE_REFUSED, "z", "skewed" }), .def = "none", .help = "o", .group = "g" },
	{ "string", OPT_STRING(string), .def = "text", OPT_RANGE(1, 8), .help = "s", .group = "g" },
	{ "paths", OPT_PATHS(paths), OPT_RANGE(1, 0), .help = "p", .group = "g" },
	{ "adding", OPT_PATHS_ADD(adding), OPT_RANGE(1, 0), .help = "a", .group = "g" },
	{ "never", .status = OPT_REFUSED, .why = "principles", .help = "n", .group = "g" },
	{ "bare_never", .status = OPT_REFUSED, .why = "haste", .group = "g" },
	{ "nor", .alias = { "neither" }, .status = OPT_REFUSED, .why = "principles", .help = "n", .group = "g" },
	{ "moot", .status = OPT_NOTED, .why = "no use", .help = "m", .group = "g" },
	{ .name = NULL },
};

/* The values are set in this order on the same options. printed: the option's text afterwards, also after an error,
   which must change nothing. part: a part of the error. */
static const struct { const char *name, *text; int ret; const char *printed, *part; } sets[] = {
	{ "bool", "0", 0, "0", NULL }, { "bool", "1", 0, "1", NULL }, { "bool", "true", -EINVAL, "1", "write 1 for true" },
	{ "bool", "No", -EINVAL, "1", "write 0 for No" }, { "bool", "2", -EINVAL, "1", "0 or 1" },
	{ "bool", "", -EINVAL, "1", "0 or 1" }, { "bool", NULL, -EINVAL, "1", "needs a value" },
	{ "not", "0", 0, "0", NULL }, { "not", "1", 0, "1", NULL }, { "not", "yes", -EINVAL, "1", "1" },
	{ "flag", NULL, 0, "1", NULL }, { "flag", "0", 0, "0", NULL }, { "flag", "1", 0, "1", NULL },
	{ "flag", "on", -EINVAL, "1", "write 1" },
	{ "u32", "64", 0, "64", NULL }, { "u32", "0x10", 0, "16", NULL }, { "u32", "1k", 0, "1024", NULL },
	{ "count", "(4*4)", 0, "16", NULL }, { "u32", "0", -ERANGE, "16", "1 to 65536" },
	{ "u32", "128*1", 0, "128", NULL }, { "u32", "128/0", -EINVAL, "128", "division by zero" }, { "u32", "2*4+8", 0, "16", NULL },
	{ "u32", "*2", -EINVAL, "16", "not a count" }, { "u32", "2*", -EINVAL, "16", "write numbers" }, { "u32", "20-4", -EINVAL, "16", "not a count" },
	{ "u32", "65537", -ERANGE, "16", "1 to 65536" }, { "u32", "4x", -EINVAL, "16", "not a count" },
	{ "u32", "-1", -EINVAL, "16", "negative" }, { "u32", "99999999999999999999", -ERANGE, "16", "too large" },
	{ "i32", "1", 0, "1", NULL }, { "i32", "-1", 0, "-1", NULL }, { "i32", "-2", -ERANGE, "-1", "-1 to 1" },
	{ "i32", "2", -ERANGE, "-1", "-1 to 1" }, { "i32", "99999999999", -ERANGE, "-1", "-1 to 1" },
	{ "i32", "--1", -EINVAL, "-1", "not a count" }, { "i32", "x", -EINVAL, "-1", "not a count" },
	{ "u64", "0xffffffffffffffff", 0, "18446744073709551615", NULL }, { "u64", "1.5", -EINVAL, "18446744073709551615", "suffix" },
	{ "size", "4KiB", 0, "4k", NULL }, { "size", "4.5k", 0, "4608", NULL }, { "size", "(8k+4k)*2", 0, "24k", NULL },
	{ "size", "100", -ERANGE, "24k", "512 to 1m" }, { "size", "2m", -ERANGE, "24k", "512 to 1m" },
	{ "size", "4q", -EINVAL, "24k", "not a size" }, { "size", "(4k", -EINVAL, "24k", "parenthesis" },
	{ "size", "50%", -EINVAL, "24k", "percentage" },
	{ "amount", "50%", 0, "50%", NULL }, { "amount", "1g", 0, "1g", NULL }, { "amount", "(2*3)", 0, "6", NULL },
	{ "amount", "2*3", 0, "6", NULL }, { "amount", "2*50%", -EINVAL, "6", "not a size, percentage or number of zones" },
	{ "amount", "101%", -ERANGE, "6", "0% to 100%" }, { "amount", "x", -EINVAL, "6", "not a size, percentage or number of zones" },
	{ "time", "30", 0, "30", NULL }, { "time", "10sec", 0, "10", NULL }, { "time", "1.5s", 0, "1500ms", NULL },
	{ "time", "(2*30)", 0, "60", NULL }, { "time", "10m", 0, "600", NULL }, { "time", "2h", -ERANGE, "600", "0 to 3600" },
	{ "time", "2*30", 0, "60", NULL }, { "time", "10*60", 0, "600", NULL },
	{ "time", "10x", -EINVAL, "600", "not a time" }, { "time", "(2*30s)", -EINVAL, "600", "without a suffix" },
	{ "time", "(99999999999*9)", -ERANGE, "600", "too large" }, { "time", "", -EINVAL, "600", "not a time" },
	{ "times", "5", 0, "5", NULL }, { "times", "1-3", 0, "1-3", NULL }, { "times", "3s:500ms", 0, "500ms-3", NULL },
	{ "times", "1-", -EINVAL, "500ms-3", "not a" }, { "times", "-1", -EINVAL, "500ms-3", "negative" },
	{ "sizes", "1m", 0, "1m", NULL }, { "sizes", "1m-4k", 0, "4k-1m", NULL }, { "sizes", "(8k-4k)-8k", 0, "4k-8k", NULL },
	{ "sizes", "2*4k-4*4k", 0, "8k-16k", NULL }, { "sizes", "4k-8k", 0, "4k-8k", NULL },
	{ "sizes", "4k-8k-16k", -EINVAL, "4k-8k", "not a size" },
	{ "size3", "16k", 0, "16k,16k,16k", NULL }, { "size3", "16k,8k", 0, "16k,8k,8k", NULL },
	{ "size3", "2*8k,8k", 0, "16k,8k,8k", NULL }, { "size3", ",4k", 0, "16k,4k,4k", NULL }, { "size3", "1k,,2k", 0, "1k,4k,2k", NULL },
	{ "size3", "8k,", 0, "8k,4k,4k", NULL }, { "size3", "1k,2k,3k,4k", -EINVAL, "8k,4k,4k", "three values" },
	{ "size3", "1k,0", -ERANGE, "8k,4k,4k", "1 to 1g" }, { "size3", "1k,2q", -EINVAL, "8k,4k,4k", "not a size" },
	{ "time3", "100,5ms", 0, "100,5000,5000", NULL }, { "time3", "1,2s", -ERANGE, "100,5000,5000", "0 to 1000000" },
	{ "time3", "1,x", -EINVAL, "100,5000,5000", "not a time;" },
	{ "u32x3", "100,,5", 0, "100,0,5", NULL }, { "u32x3", "4g", -ERANGE, "100,0,5", "4294967295" },
	{ "range3", "4k-64k", 0, "4k-64k,4k-64k,4k-64k", NULL }, { "range3", "8k:4k,,1k-1k", 0, "4k-8k,4k-64k,1k", NULL },
	{ "range3", "0-4k", -ERANGE, "4k-8k,4k-64k,1k", "1 or more" }, { "range3", "a-b", -EINVAL, "4k-8k,4k-64k,1k", "not a" },
	{ "color", "green", 0, "green", NULL }, { "color", "1", 0, "green", NULL },
	{ "color", "blue", -EINVAL, "green", "write red, green or 1" }, { "color", "gren", -EINVAL, "green", "did you mean green?" }, { "color", "Red", -EINVAL, "green", "red" },
	{ "only", "none", 0, "none", NULL }, { "only", "zipf:1.2", -ENOTSUP, "none", "not supported: skewed" },
	{ "only", "what", -EINVAL, "none", "write none" },
	{ "only", "zipff", -EINVAL, "none", "not a choice" }, { "size3", "", -EINVAL, "8k,4k,4k", "needs a value" }, { "size3", ",,", -EINVAL, "8k,4k,4k", "needs a value" },
	{ "size3", "4.5", -EINVAL, "8k,4k,4k", "not a size; a fraction" },
	{ "string", "hello", 0, "hello", NULL }, { "string", "", -EINVAL, "hello", "needs a value" },
	{ "string", "123456789", -ERANGE, "hello", "at most 8" }, { "string", NULL, -EINVAL, "hello", "needs a value" },
	{ "paths", "/a:/b\\:c", 0, "/a:/b\\:c", NULL }, { "paths", "", -EINVAL, "/a:/b\\:c", "needs a value" },
	{ "paths", "::", -EINVAL, "/a:/b\\:c", "needs a path" }, { "paths", "\\:", 0, "\\:", NULL }, { "paths", "/a:/b\\:c", 0, "/a:/b\\:c", NULL },
	{ "adding", "/a", 0, "/a", NULL }, { "adding", "/b", 0, "/a:/b", NULL }, { "adding", "", -EINVAL, "/a:/b", "value" },
};

static const struct { const char *text; unsigned kb_base; int ret; uint64_t v; } sums[] = {
	{ "(4*1024)", 1024, 0, 4096 }, { "(8k+4k)*2", 1024, 0, 24576 }, { "2*(3+4)", 1024, 0, 14 }, { "1+2*3", 1024, 0, 7 },
	{ "10/3", 1024, 0, 3 }, { "(1k)", 1000, 0, 1000 }, { "-(-5)", 1024, 0, 5 }, { "7-2-1", 1024, 0, 4 },
	{ " ( 1.5k + 0x10 ) ", 1024, 0, 1552 }, { "((((1))))", 1024, 0, 1 }, { "--3", 1024, 0, 3 },
	{ "18446744073709551615", 1024, 0, UINT64_MAX }, { "", 1024, -EINVAL, 0 }, { "()", 1024, -EINVAL, 0 },
	{ "(1", 1024, -EINVAL, 0 }, { "1)", 1024, -EINVAL, 0 }, { "1+", 1024, -EINVAL, 0 }, { "1/0", 1024, -EINVAL, 0 },
	{ "1/(2-2)", 1024, -EINVAL, 0 }, { "(4x)", 1024, -EINVAL, 0 }, { "1 2", 1024, -EINVAL, 0 }, { "50%", 1024, -EINVAL, 0 },
	{ "1-2", 1024, -ERANGE, 0 }, { "8g*8g", 1024, -ERANGE, 0 }, { "18446744073709551615+1", 1024, -ERANGE, 0 },
	{ "8g*8g*8g*8g*8g*8g/8g", 1024, -ERANGE, 0 }, { "99999999999999999999", 1024, -ERANGE, 0 },
};
/* clang-format on */

static const struct opt_table table = { rows, sizeof(struct sample) };

static char *printed(const struct opt_row *row, const struct sample *s)
{
	struct strbuf b = { 0 };

	row->type->print(row, (const char *)s + row->offset, &b);
	return b.text ? b.text : strdup("");
}

static void check_set(size_t i, struct sample *s)
{
	const struct opt_ctx ctx = { .kb_base = 1024 };
	const struct opt_row *row = opt_find(&table, sets[i].name);
	struct diag d = { 0 };
	char *now;
	int ret;

	assert_non_null(row);
	ret = opt_set(row, s, sets[i].text, &ctx, &d);
	now = printed(row, s);
	if (ret != sets[i].ret || strcmp(now, sets[i].printed) ||
	    (sets[i].part && !strstr(diag_text(&d), sets[i].part)))
		fail_msg("%s=%s: %d, %s; %s", sets[i].name, sets[i].text ? sets[i].text : "(none)", ret, now,
			 diag_text(&d));
	free(now);
	diag_fini(&d);
}

static void test_set(void **state)
{
	struct sample s = { 0 };
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(opt_defaults(&table, &s, &d), 0);
	for (size_t i = 0; i < LEN(sets); i++)
		check_set(i, &s);
	opt_fini(&table, &s);
}

static void test_defaults_and_copy(void **state)
{
	struct sample a = { 0 };
	struct diag d = { 0 };
	const struct opt_ctx ctx = { .kb_base = 1024 };

	(void)state;
	assert_int_equal(opt_defaults(&table, &a, &d), 0);
	assert_true(a.yes && a.u32 == 7 && a.i32 == -1 && a.size == 4096 && a.size3[2] == 4096);
	assert_string_equal(a.string, "text");
	assert_int_equal(opt_set(opt_find(&table, "string"), &a, "other", &ctx, &d), 0);
	assert_string_equal(a.string, "other");
	assert_null(a.paths);
	opt_fini(&table, &a);
	assert_null(a.string);
}

static void test_status(void **state)
{
	struct notes notes = { 0 };
	const struct opt_ctx ctx = { .kb_base = 1024, .notes = &notes };
	struct diag d = { 0 };
	struct sample s = { 0 };

	(void)state;
	assert_int_equal(opt_set(opt_find(&table, "never"), &s, "1", &ctx, &d), -ENOTSUP);
	assert_string_equal(diag_text(&d), "not supported: principles");
	diag_fini(&d);
	assert_int_equal(opt_set(opt_find(&table, "moot"), NULL, NULL, &ctx, &d), 0);
	assert_int_equal(notes.count, 1);
	assert_string_equal(notes.line[0], "moot: no use");
	notes_fini(&notes);
}

/* fio reads KiB as 1000 bytes, so a note says so; with kb_base=1000 both agree. */
static void test_ib_note(void **state)
{
	struct notes notes = { 0 };
	struct diag d = { 0 };
	struct sample s = { 0 };

	(void)state;
	assert_int_equal(opt_set(opt_find(&table, "size"), &s, "4k",
				 &(struct opt_ctx){ .kb_base = 1024, .notes = &notes }, &d),
			 0);
	assert_int_equal(opt_set(opt_find(&table, "size"), &s, "4KiB",
				 &(struct opt_ctx){ .kb_base = 1000, .notes = &notes }, &d),
			 0);
	assert_int_equal(notes.count, 0);
	assert_int_equal(opt_set(opt_find(&table, "size3"), &s, "8k,4KiB",
				 &(struct opt_ctx){ .kb_base = 1024, .notes = &notes }, &d),
			 0);
	assert_int_equal(notes.count, 1);
	assert_non_null(strstr(notes.line[0], "size3=4KiB"));
	notes_fini(&notes);
}

/* fio reads only one number of "128*2"; a note says so if that is another value. */
static void test_arith_note(void **state)
{
	struct notes notes = { 0 };
	const struct opt_ctx ctx = { .kb_base = 1024, .notes = &notes };
	struct diag d = { 0 };
	struct sample s = { 0 };

	(void)state;
	assert_int_equal(opt_set(opt_find(&table, "u32"), &s, "128*1", &ctx, &d), 0);
	assert_int_equal(opt_set(opt_find(&table, "u32"), &s, "(128*2)", &ctx, &d), 0);
	assert_int_equal(notes.count, 0);
	assert_int_equal(opt_set(opt_find(&table, "u32"), &s, "128*2", &ctx, &d), 0);
	assert_int_equal(notes.count, 1);
	assert_string_equal(notes.line[0], "u32=128*2 is 256 here; fio reads the first number only, 128");
	notes_fini(&notes);
}

static void test_arith(void **state)
{
	char deep[400];

	(void)state;
	for (size_t i = 0; i < LEN(sums); i++) {
		uint64_t v = 12345;
		const char *hint = NULL;
		int ret = opt_arith(sums[i].text, sums[i].kb_base, &v, &hint);

		if (ret != sums[i].ret || v != (ret ? 12345 : sums[i].v) || !hint != !ret)
			fail_msg("\"%s\": %d, %llu", sums[i].text, ret, (unsigned long long)v);
	}
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	assert_int_equal(opt_arith(deep, 1024, &(uint64_t){ 0 }, NULL), -EINVAL);
	memset(deep, '-', sizeof(deep) - 1);
	assert_int_equal(opt_arith(deep, 1024, &(uint64_t){ 0 }, NULL), -EINVAL);
}

static void test_find_and_nearest(void **state)
{
	/* clang-format off */
	static const struct opt_row some[] = {
		{ "iodepth", OPT_U32(u32) }, { "iodepth_batch", OPT_U32(u32) }, { "rw", OPT_U32(u32) },
		{ "runtime", .alias = { "timeout" }, OPT_U32(u32) }, { "filename", OPT_U32(u32) }, { .name = NULL },
	};
	static const struct { const char *typed, *near; } nears[] = {
		{ "iodpeth", "iodepth" }, { "iodept", "iodepth" }, { "ioddepht", "iodepth" }, { "filename", "filename" },
		{ "filenam", "filename" }, { "file", "filename" }, { "run_time", "runtime" }, { "time", "timeout" },
		{ "timeuot", "timeout" }, { "timeo", "timeout" }, { "rn", "rw" }, { "wr", "rw" }, { "xyz", NULL },
		{ "io", NULL }, { "", NULL }, { "RUNTIME", "runtime" }, { "RunTmie", "runtime" }, { "x", NULL }, { "nothing_like_it", NULL },
		{ "a_name_that_is_much_longer_than_any_option_could_ever_be", NULL },
	};
	/* clang-format on */
	static const struct opt_table t = { some, 0 };
	static const struct opt_table *const both[] = { &t, &table };

	(void)state;
	assert_ptr_equal(opt_find(&t, "timeout"), &some[3]);
	assert_null(opt_find(&t, "time"));
	assert_null(opt_find(&t, "IODEPTH"));
	for (size_t i = 0; i < LEN(nears); i++) {
		const char *near = opt_nearest(both, 1, nears[i].typed);

		if (!near != !nears[i].near || (near && strcmp(near, nears[i].near)))
			fail_msg("%s: %s", nears[i].typed, near ? near : "nothing");
	}
	assert_string_equal(opt_nearest(both, 2, "colour"), "color");
}

static void test_doc(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	assert_int_equal(doc_option(opt_find(&table, "u32"), DOC_USABLE, &b), 0);
	assert_string_equal(strbuf_str(&b), "         u32: u\n"
					    "       alias: ju32\n"
					    "       alias: count\n"
					    "        type: count\n"
					    "     default: 7\n"
					    "       range: 1 to 65536\n"
					    "      status: supported\n");
	strbuf_clear(&b);
	doc_option(opt_find(&table, "only"), DOC_USABLE, &b);
	assert_non_null(strstr(strbuf_str(&b), "none"));
	assert_null(strstr(strbuf_str(&b), "zipf"));
	strbuf_clear(&b);
	doc_option(opt_find(&table, "only"), DOC_ALL, &b);
	assert_non_null(strstr(strbuf_str(&b), "     refused: zipf           z: skewed\n"));
	strbuf_clear(&b);
	doc_option(opt_find(&table, "bare_never"), DOC_USABLE, &b);
	assert_string_equal(strbuf_str(&b), "  bare_never: haste\n"
					    "      status: not supported: haste\n");
	strbuf_clear(&b);
	doc_list(&table, &b, false);
	assert_non_null(strstr(strbuf_str(&b), "moot                        : m [accepted with a note]\n"));
	strbuf_fini(&b);
}

static bool is_never(const struct opt_row *row)
{
	return strcmp(row->name, "never") == 0;
}

/* The help of one option with the manual's text, and the names of options that do not work, by reason. */
static void test_scd(void **state)
{
	char dir[] = "/tmp/test_opt.XXXXXX";
	struct strbuf b = { 0 }, path = { 0 };
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	strbuf_printf(&path, "%s/u32.scd", dir);
	f = fopen(strbuf_str(&path), "w");
	assert_non_null(f);
	fputs("One.\n\nTwo.\n", f);
	fclose(f);
	doc_scd_row(opt_find(&table, "u32"), "--", dir, &b);
	assert_string_equal(strbuf_str(&b),
			    "*--u32*=_count_\n"
			    "\tu. Also: *--ju32*, *--count*. Default: 7. Range: 1 to 65536.\n\n"
			    "\tOne.\n\n\tTwo.\n\n");
	remove(strbuf_str(&path));
	remove(dir);
	strbuf_clear(&b);
	doc_scd(&table, "", NULL, &b);
	assert_non_null(strstr(strbuf_str(&b), "## g\n\n*bool*=_bool_\n"));
	assert_non_null(strstr(strbuf_str(&b), "\t- *none*: n\n\t- *zipf*: z; not supported: skewed\n\n"));
	assert_null(strstr(strbuf_str(&b), "never"));
	strbuf_clear(&b);
	doc_scd_others(&table, "", NULL, &b);
	assert_string_equal(strbuf_str(&b), "## Not supported\n\n*never*, *nor*, *neither*\n\tprinciples\n\n"
					    "*bare\\_never*\n\thaste\n\n"
					    "## Accepted with a note\n\n*moot*\n\tno use\n\n");
	strbuf_clear(&b);
	doc_scd_others(&table, "--", is_never, &b);
	assert_string_equal(strbuf_str(&b), "## Not supported\n\n*--bare\\_never*\n\thaste\n\n"
					    "*--nor*, *--neither*\n\tprinciples\n\n"
					    "## Accepted with a note\n\n*--moot*\n\tno use\n\n");
	strbuf_fini(&b);
	strbuf_fini(&path);
}

/* The values that fio 3.33 reads (fio-compat.md 0.2). as NULL: the same as fiord. */
static void test_as_fio(void **state)
{
	static const struct {
		const char *row, *text;
		bool blank;
		const char *as;
	} cases[] = {
		{ "size", "4k", false, NULL },
		{ "size", "4K", false, NULL },
		{ "size", "4kb", false, NULL },
		{ "size", "4ki", false, NULL },
		{ "size", "0x1000", false, NULL },
		{ "size", "4KiB", false, "4000" },
		{ "size", "2GiB", false, "2000000000" },
		{ "size", "4.5k", false, "4" },
		{ "size", "4x", false, "4" },
		{ "size", "10foo", false, "10" },
		{ "size", "4k", true, "4" },
		{ "size", "4", true, NULL },
		{ "u32", "4x", false, "4" },
		{ "u32", "x", false, NULL },
		{ "sizes", "4k-8kx", false, "4k-8" },
		{ "size3", "4k,,8MiB", false, "4k,,8000000" },
		{ "u32", "128*2", false, "128" },
		{ "size3", "4KiB*2,8k", false, "4000,8k" },
		{ "amount", "50%", false, NULL },
		{ "amount", "1.5g", false, "1" },
		{ "amount", "2z", false, NULL },
		{ "amount", "2z", true, NULL },
		{ "amount", "1.5z", false, NULL },
		{ "amount", "8Z", false, "8" },
		{ "amount", "2z4", false, "2" },
		{ "size", "2z", false, NULL },
		{ "size3", "4k,1z", false, NULL },
		{ "size3", "1z,4k", false, "1,4k" },
		{ "time", "2z", false, NULL },
		{ "time", "10", false, NULL },
		{ "time", "10s", false, NULL },
		{ "time", "10", true, NULL },
		{ "time", "10s", true, NULL },
		{ "time", "10sec", false, "10us" },
		{ "time", "5min", false, "5us" },
		{ "time", "1hour", false, "1us" },
		{ "time", "1.5s", false, "1s" },
		{ "time", "300msec", false, NULL },
		{ "times", "1-2sec", false, "1-2us" },
		{ "string", "10sec", false, NULL },
		{ "bool", "1x", false, NULL },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct strbuf b = { 0 };
		bool differs = fio_numbers_translate(opt_find(&table, cases[i].row), cases[i].text,
						     cases[i].blank, 1024, &b);

		if (differs != (cases[i].as != NULL) || (differs && strcmp(strbuf_str(&b), cases[i].as)))
			fail_msg("%s=%s: %s", cases[i].row, cases[i].text, strbuf_str(&b));
		strbuf_fini(&b);
	}
	/* With kb_base=1000 both read KiB as 1024. */
	assert_false(fio_numbers_translate(opt_find(&table, "size"), "4KiB", false, 1000, NULL));
}

int unit_opt(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_defaults_and_copy),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_ib_note),
		cmocka_unit_test(test_arith_note),
		cmocka_unit_test(test_arith),
		cmocka_unit_test(test_find_and_nearest),
		cmocka_unit_test(test_doc),
		cmocka_unit_test(test_scd),
		cmocka_unit_test(test_as_fio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
