/* Are job files parsed with their line numbers, includes and errors? */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "jobfile.h"
#include "strbuf.h"

/* The files of a test; "main" is the job file. */
static struct {
	const char *path, *text;
	size_t len;
} files[8];

static int load(void *ctx, const char *path, struct strbuf *out)
{
	(void)ctx;
	for (unsigned i = 0; i < 8 && files[i].path; i++) {
		if (strcmp(files[i].path, path))
			continue;
		strbuf_add(out, files[i].text, files[i].len);
		return 0;
	}
	return -ENOENT;
}

static void put_bytes(unsigned i, const char *path, const char *text, size_t len)
{
	files[i].path = path;
	files[i].text = text;
	files[i].len = len;
}

static void put_file(unsigned i, const char *path, const char *text)
{
	put_bytes(i, path, text, strlen(text));
}

struct read {
	struct jobfile f;
	struct arena arena;
	struct notes notes;
	struct diag d;
	struct strbuf seen;
	int err;
};

/* "[a](size=1m@2)(thread@3)": sections and options with their line numbers. */
static void setup(struct read *r, const char *path)
{
	*r = (struct read){ 0 };
	r->err = jobfile_read(&r->f, path, &(struct jobfile_source){ .load = load }, &r->arena, &r->notes,
			      &r->d);
	for (size_t i = 0; i < r->f.n; i++) {
		strbuf_printf(&r->seen, "[%s%s]", r->f.v[i].global ? "*" : "", r->f.v[i].name);
		for (size_t k = 0; k < r->f.v[i].n; k++) {
			const struct raw_opt *o = &r->f.v[i].v[k];

			strbuf_printf(&r->seen, "(%s%s%s@%u)", o->name, o->text ? "=" : "",
				      o->text ? o->text : "", o->at.line);
		}
	}
}

static void teardown(struct read *r)
{
	jobfile_fini(&r->f);
	arena_fini(&r->arena);
	notes_fini(&r->notes);
	diag_fini(&r->d);
	strbuf_fini(&r->seen);
	memset(files, 0, sizeof(files));
}

static const struct {
	const char *text, *seen;
} good[] = {
	{ "", "" },
	{ "\n\n# c\n ; d\n", "" },
	{ "[a]\nsize=1m\n", "[a](size=1m@2)" },
	{ "[a]\nsize=1m", "[a](size=1m@2)" },
	{ "[a]", "[a]" },
	{ "[a]\n[b]\n[a]\n", "[a][b][a]" },
	{ "[global]\nbs=4k\n[a]\n[globalfoo]\nbs=8k\n[glob]\n",
	  "[*global](bs=4k@2)[a][*globalfoo](bs=8k@5)[glob]" },
	{ "\xef\xbb\xbf[a]\r\nsize=1m\r\nthread\r\n", "[a](size=1m@2)(thread@3)" },
	{ "[a]\n  size = 1m \n\tbs\t=\t4k\t# c\n", "[a](size=1m@2)(bs=4k@3)" },
	{ "[a]\nthread\nexitall ; c\n", "[a](thread@2)(exitall@3)" },
	{ "[a]\nfilename=\nbs==\n", "[a](filename=@2)(bs==@3)" },
	{ "[a] ; see [b]\n", "[a]" },
	{ "[a;b]\n[c#d]\n[e]f]\n[ g h ]\n", "[a;b][c#d][e]f][g h]" },
	{ "[a]\nfilename=x#y\nsize=1m;bs=4k\n", "[a](filename=x@2)(size=1m@3)" },
	{ "[a]\ndescription=a  b\tc\n", "[a](description=a  b\tc@2)" },
	{ "[a]\nfilename=[x]:y\\:z\nrw=randread:8\n", "[a](filename=[x]:y\\:z@2)(rw=randread:8@3)" },
	{ "[a]\nfilename=${FIORD_T}/f$\nname=${FIORD_T\n", "[a](filename=/t x/f$@2)(name=${FIORD_T@3)" },
	{ "[a]\n${FIORD_O}=1m\n${FIORD_L}\n${FIORD_NONE}\n", "[a](size=1m@2)(bs=4k@3)" },
	{ "[${FIORD_T}]\n", "[${FIORD_T}]" },
	{ "[a]\nfilename_format=$jobname.$filenum\n", "[a](filename_format=$jobname.$filenum@2)" },
	{ "[a]\nbs=1k\ninclude inc\nsize=1m\n", "[a](bs=1k@2)(iodepth=4@1)(direct=1@3)(size=1m@4)" },
	{ "[a]\ninclude=inc\n", "[a](iodepth=4@1)(direct=1@3)" },
	{ "[a]\ninclude   sub/deep # c\n", "[a](rw=read@2)(loops=2@1)" },
};

static void test_good(void **state)
{
	(void)state;
	setenv("FIORD_T", "/t x", 1);
	setenv("FIORD_O", "size", 1);
	setenv("FIORD_L", "bs=4k", 1);
	unsetenv("FIORD_NONE");
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct read r;

		put_file(0, "main", good[i].text);
		put_file(1, "inc", "iodepth=4\n\ndirect=1");
		put_file(2, "sub/deep", "; c\nrw=read\ninclude deeper\n");
		put_file(3, "sub/deeper", "loops=2\n");
		setup(&r, "main");
		assert_string_equal(diag_text(&r.d), "no error");
		assert_int_equal(r.err, 0);
		assert_string_equal(strbuf_str(&r.seen), good[i].seen);
		teardown(&r);
	}
}

static const struct {
	const char *text, *error;
} bad[] = {
	{ "bs=4k\n[a]\n", "main:1: option 'bs=4k' stands before the first [section]; put [global] above it" },
	{ "[a\nbs=4k\n", "main:1: [a: the ']' is missing" },
	{ "[a]\n[]\n", "main:2: a section needs a name: [job1]" },
	{ "[a] bs=4k\n", "main:1: 'bs=4k' follows the section's ']'; options go on lines of their own" },
	{ "[a]\n\n=4k\n", "main:3: no option name before the '='" },
	{ "[a]\nrw randread\n", "main:2: 'rw randread' is no option; did you mean rw=randread?" },
	{ "[a]\nrw: randread\n", "main:2: 'rw: randread' is no option; did you mean rw=randread?" },
	{ "[a]\nincludes.inc\n", "main:2: unknown option 'includes.inc'" },
	{ "[a]\nr w=randread\n", "main:2: unknown option 'r w'" },
	{ "[a]\na123456789b123456789c123456789d123456789e123456789=1\n",
	  "main:2: unknown option 'a123456789b123456789c123456789d123456789e123456789'" },
	{ "[a]\ninclude\n", "main:2: include needs the path of a file" },
	{ "[a]\ninclude nope\n", "main:2: cannot read job file 'nope': No such file or directory (ENOENT)" },
	{ "[a]\ninclude main\n", "main:2: include main: the file includes itself" },
	{ "[a]\ninclude loop\n", "loop2:1: include loop: the file includes itself" },
	{ "[a]\ninclude ./dot\n", "./././././././././././././././dot:1: include "
				  "././././././././././././././././dot: more than 16 files deep" },
	{ "[a]\ninclude sec\n", "sec:2: [b]: an included file may contain only options, no sections" },
	{ "[a]\nfilename=${FIORD_NL}\n", "main:2: ${FIORD_NL} holds more than one line" },
};

/* "././dot" with any number of "./". */
static int load_dots(void *ctx, const char *path, struct strbuf *out)
{
	const char *name = path;

	while (!strncmp(name, "./", 2))
		name += 2;
	if (strcmp(name, "dot"))
		return load(ctx, path, out);
	strbuf_puts(out, "include ./dot\n");
	return 0;
}

static void test_bad(void **state)
{
	(void)state;
	setenv("FIORD_NL", "a\nb", 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct read r = { 0 };

		put_file(0, "main", bad[i].text);
		put_file(1, "loop", "include loop2\n");
		put_file(2, "loop2", "include loop\n");
		put_file(3, "sec", "bs=4k\n[b]\n");
		r.err = jobfile_read(&r.f, "main", &(struct jobfile_source){ .load = load_dots }, &r.arena,
				     &r.notes, &r.d);
		assert_int_not_equal(r.err, 0);
		assert_string_equal(diag_text(&r.d), bad[i].error);
		teardown(&r);
	}
}

/* Values of any length, with blanks anywhere, pass through inih's 200 bytes unchanged. */
static void test_long_values(void **state)
{
	static const char *const fill[] = { "x", "a ", "                              |", "=[:", "\t-" };
	char text[1400];

	(void)state;
	for (size_t k = 0; k < 5; k++) {
		for (size_t n = 1; n < 1200; n += n < 420 ? 1 : 97) {
			struct read r;
			size_t len = (size_t)sprintf(text, "[a]\nfilename=<");

			for (size_t i = 0; i < n; i++)
				text[len++] = fill[k][i % strlen(fill[k])];
			len += (size_t)sprintf(text + len, ">\nbs=4k\n");
			put_bytes(0, "main", text, len);
			setup(&r, "main");
			assert_int_equal(r.err, 0);
			assert_int_equal(r.f.v[0].n, 2);
			assert_int_equal(strlen(r.f.v[0].v[0].text), n + 2);
			assert_memory_equal(r.f.v[0].v[0].text, text + 13, n + 2);
			assert_string_equal(r.f.v[0].v[1].text, "4k");
			teardown(&r);
		}
	}
}

static void test_many_sections(void **state)
{
	struct strbuf b = { 0 };
	struct read r;

	(void)state;
	for (int i = 0; i < 3000; i++)
		strbuf_printf(&b, "[job %d with a name that is longer than the 49 bytes inih keeps of it]\n",
			      i);
	put_file(0, "main", strbuf_str(&b));
	setup(&r, "main");
	assert_int_equal(r.err, 0);
	assert_int_equal(r.f.n, 3000);
	assert_string_equal(r.f.v[2999].name,
			    "job 2999 with a name that is longer than the 49 bytes inih keeps of it");
	teardown(&r);
	strbuf_fini(&b);
}

static void test_notes(void **state)
{
	static const char text[] = "[a]\nfilename=x#y\nbs=4k # fine\nsize=${FIORD_NONE}1m\nbs= 4k\n";
	struct read r;

	(void)state;
	unsetenv("FIORD_NONE");
	put_file(0, "main", text);
	setup(&r, "main");
	assert_int_equal(r.err, 0);
	assert_int_equal(r.notes.count, 2);
	assert_string_equal(r.notes.line[0], "main:2: the text from '#' on is a comment: filename=x");
	assert_string_equal(r.notes.line[1], "main:4: ${FIORD_NONE} is not set, so it is empty");
	assert_false(r.f.v[0].v[1].blank);
	assert_true(r.f.v[0].v[3].blank);
	teardown(&r);
}

static void test_keywords(void **state)
{
	static const char text[] = "[a]\nbs=$pagesize\nnumjobs=$ncpus\nsize=8*$mb_memory\nrw=read\n";
	struct read r;

	(void)state;
	put_file(0, "main", text);
	setup(&r, "main");
	assert_int_equal(r.err, 0);
	for (unsigned i = 0; i < 3; i++) {
		assert_true(r.f.v[0].v[i].keyword);
		assert_null(strchr(r.f.v[0].v[i].text, '$'));
	}
	assert_true(atol(r.f.v[0].v[0].text) >= 4096);
	assert_memory_equal(r.f.v[0].v[2].text, "8*", 2);
	assert_false(r.f.v[0].v[3].keyword);
	teardown(&r);
}

static void test_nul(void **state)
{
	struct read r;

	(void)state;
	put_bytes(0, "main", "[a]\nbs=4k\0x\n", 12);
	setup(&r, "main");
	assert_int_equal(r.err, -EINVAL);
	assert_string_equal(
		diag_text(&r.d),
		"main: contains NUL bytes, so it is not a job file or not in UTF-8 (save it as plain text)");
	teardown(&r);
}

/* Includes cannot multiply a small file beyond the limit. */
static int load_large(void *ctx, const char *path, struct strbuf *out)
{
	static const char line[] = "                                                              \n";

	(void)ctx;
	if (!strcmp(path, "main")) {
		strbuf_puts(out, "[a]\n");
		for (int i = 0; i < 80; i++)
			strbuf_puts(out, "include big\n");
		return 0;
	}
	for (int i = 0; i < 1 << 14; i++)
		strbuf_puts(out, line);
	return 0;
}

static void test_too_large(void **state)
{
	struct read r = { 0 };

	(void)state;
	r.err = jobfile_read(&r.f, "main", &(struct jobfile_source){ .load = load_large }, &r.arena, &r.notes,
			     &r.d);
	assert_int_equal(r.err, -EINVAL);
	assert_non_null(strstr(diag_text(&r.d), "its includes have more than 64 MiB"));
	teardown(&r);
}

static void test_load(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	assert_int_equal(jobfile_load("/nonexistent/file", &b), -ENOENT);
	assert_int_equal(jobfile_load("/", &b), -EISDIR);
	assert_int_equal(jobfile_load("/dev/zero", &b), -EFBIG);
	strbuf_fini(&b);
}

struct text {
	const char *main, *included;
};

static int load_text(void *ctx, const char *path, struct strbuf *out)
{
	const struct text *t = ctx;

	strbuf_puts(out, strcmp(path, "main") ? t->included : t->main);
	return 0;
}

static void read_text(struct read *r, struct text *t, bool remote)
{
	const struct jobfile_source from = { .load = load_text, .ctx = t, .remote = remote };

	*r = (struct read){ 0 };
	r->err = jobfile_read(&r->f, "main", &from, &r->arena, &r->notes, &r->d);
}

/* Two sources at a time, each with a context of its own. */
static void test_source_context(void **state)
{
	struct text a = { "[a]\ninclude x\n", "bs=1k\n" }, b = { "[b]\ninclude x\n", "bs=2k\n" };
	struct read first, second;

	(void)state;
	read_text(&first, &a, false);
	read_text(&second, &b, false);
	assert_string_equal(first.f.v[0].name, "a");
	assert_string_equal(first.f.v[0].v[0].text, "1k");
	assert_string_equal(second.f.v[0].name, "b");
	assert_string_equal(second.f.v[0].v[0].text, "2k");
	teardown(&first);
	teardown(&second);
}

/* A path of another machine may be a device on this one. */
static void test_remote_source(void **state)
{
	struct text t = { "[a]\ninclude /dev/null\n", "bs=1k\n" };
	struct read r;

	(void)state;
	read_text(&r, &t, false);
	assert_int_equal(r.err, -EINVAL);
	teardown(&r);
	read_text(&r, &t, true);
	assert_int_equal(r.err, 0);
	assert_string_equal(r.f.v[0].v[0].text, "1k");
	teardown(&r);
}

int unit_jobfile(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),          cmocka_unit_test(test_bad),
		cmocka_unit_test(test_long_values),   cmocka_unit_test(test_many_sections),
		cmocka_unit_test(test_notes),         cmocka_unit_test(test_keywords),
		cmocka_unit_test(test_nul),           cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_load),          cmocka_unit_test(test_source_context),
		cmocka_unit_test(test_remote_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
