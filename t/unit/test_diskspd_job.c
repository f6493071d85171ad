/* What DISKSPD lines become: every option that the flag table names exists, every line of a job is an option,
   paths that a job cannot hold are refused, CPU lists go round. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "tojob.h"
#include "engine.h"
#include "flags.h"
#include "line.h"
#include "rows.h"
#include "profile_xml.h"

static bool is_option(const char *name)
{
	if (opt_find(&job_options, name))
		return true;
	for (const struct engine *const *e = engine_table; *e; e++)
		if ((*e)->opts && opt_find((*e)->opts, name))
			return true;
	return false;
}

/* "rw= rwmixwrite=30" */
static void test_flags(void **state)
{
	char name[64];

	(void)state;
	for (size_t i = 0; i < ds_flag_count; i++) {
		for (const char *at = ds_flags[i].option; *at; at += strspn(at, " ")) {
			size_t word = strcspn(at, " "), n = strcspn(at, "= ");

			assert_true(n < sizeof(name));
			memcpy(name, at, n);
			name[n] = '\0';
			if (!is_option(name))
				fail_msg("%s%s: no option '%s'", ds_flags[i].form, ds_flags[i].value, name);
			at += word;
		}
	}
}

static int emit_on(const char *text, bool fio, const struct cpuset *cpus, struct ds_job *job, struct diag *d)
{
	const char *argv[16];
	char *copy = strdup(text);
	struct notes notes = { 0 };
	struct ds_line line;
	struct ds_job_cfg cfg = { .for_fio = fio, .line = &line, .cpus = cpus };
	int argc = 0, err;

	assert_non_null(copy);
	for (char *at = strtok(copy, "|"); at; at = strtok(NULL, "|"))
		argv[argc++] = at;
	err = ds_line_parse(&line, DS_DIALECT_23, argc, argv, &notes, d);
	if (err)
		fail_msg("%s: %s", text, diag_text(d));
	err = ds_to_job(&line.profile, &cfg, job, d);
	ds_line_fini(&line);
	notes_fini(&notes);
	free(copy);
	return err;
}

static int emit(const char *text, bool fio, struct ds_job *job, struct diag *d)
{
	return emit_on(text, fio, NULL, job, d);
}

static void test_paths(void **state)
{
	static const char *const bad[] = { "a;b", "a#b", " a", "a ", "a\nb", "${HOME}", "x$ncpus", "a\tb" };
	static const char *const good[] = { "a b", "a:b", "[x]", "$x", "a=b", "\xc3\xa4" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct ds_job job = { 0 };
		struct diag d = { 0 };

		assert_int_not_equal(emit(bad[i], false, &job, &d), 0);
		assert_non_null(strstr(diag_text(&d), "a job file cannot hold this path"));
		diag_fini(&d);
		ds_job_fini(&job);
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		struct ds_job job = { 0 };
		struct diag d = { 0 };

		assert_int_equal(emit(good[i], false, &job, &d), 0);
		ds_job_fini(&job);
	}
}

/* What is fiord's own is told once, and by name; a plain file has none of it and says so. */
static void test_own(void **state)
{
	static const char line[] = "-Z1M|-w50|-r|-C3|-c1G|f|g";
	static const struct {
		const char *name, *text, *from;
	} want[] = { { "cooldown", "cooldown=3", "-C" },
		     { "create", "create=always", "-c" },
		     { "write_pool", "write_pool=1m", "-Z1M" },
		     { "create_fill", "create_fill=pattern", "-c" } };
	struct ds_job job = { 0 }, plain = { 0 };
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(emit(line, false, &job, &d), 0);
	assert_int_equal(job.native.n, sizeof(want) / sizeof(*want));
	for (size_t i = 0; i < job.native.n; i++) {
		assert_string_equal(job.native.v[i].name, want[i].name);
		assert_string_equal(job.native.v[i].text, want[i].text);
		assert_string_equal(job.native.v[i].flag, want[i].from);
	}
	assert_int_equal(job.losses.count, 0);
	assert_int_equal(emit(line, true, &plain, &d), 0);
	assert_int_equal(plain.native.n, 0);
	assert_true(plain.losses.count > sizeof(want) / sizeof(*want) - 1);
	assert_null(strstr(strbuf_str(&plain.text), "fiord only"));
	ds_job_fini(&job);
	ds_job_fini(&plain);
}

/* size= is what the files of a section have together, -f where each of them ends. */
static void test_size_of_files(void **state)
{
	static const struct {
		const char *line, *want;
	} rows[] = { { "-f3M|f|g|h", "\nsize=3m\n" },
		     { "-f3M|-F2|f|g|h", "\nsize=9m\n" },
		     { "-B1M:3M|-F2|-O4|f|g", "\nsize=6m\n" },
		     { "-B1M|-f3M|-F2|-r|f|g", "\nsize=4m\n" } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct ds_job job = { 0 };
		struct diag d = { 0 };

		assert_int_equal(emit(rows[i].line, false, &job, &d), 0);
		if (!strstr(strbuf_str(&job.text), rows[i].want))
			fail_msg("%s: no%s in %s", rows[i].line, rows[i].want, strbuf_str(&job.text));
		ds_job_fini(&job);
	}
}

static void test_cpu_list(void **state)
{
	static const struct {
		const char *list;
		uint32_t n;
		unsigned cpu;
	} rows[] = { { "3", 0, 3 },       { "3", 7, 3 },       { "3,1,1", 0, 3 },  { "3,1,1", 2, 1 },
		     { "3,1,1", 3, 3 },   { "0-3", 2, 2 },     { "0-3", 5, 1 },    { "7,0-1,4", 1, 0 },
		     { "7,0-1,4", 3, 4 }, { "7,0-1,4", 4, 7 }, { "4095", 9, 4095 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(cpu_list_nth(rows[i].list, rows[i].n), rows[i].cpu);
}

/* A list that does not ascend is none that a set of CPUs says. */
static void test_pinning(void **state)
{
	static const struct {
		const char *line, *want;
	} rows[] = {
		{ "-a1|-ag0|f", "cpu_list=1,0,1,2,3 " }, { "-ag0|-a1|f", "cpu_list=0,1,2,3,1 " },
		{ "-ag0|f", "cpus_allowed=0,1,2,3\n" },  { "-ag0|-ag1,2|f", "cpus_allowed=0,1,2,3,66\n" },
		{ "-a1,2|f", "cpus_allowed=1,2\n" },     { "-a2,1|f", "cpu_list=2,1 " },
		{ "-a1,1|f", "cpu_list=1,1 " },
	};
	struct cpuset cpus;

	(void)state;
	assert_int_equal(cpuset_parse("0-3", &cpus), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct ds_job job = { 0 };
		struct diag d = { 0 };

		assert_int_equal(emit_on(rows[i].line, false, &cpus, &job, &d), 0);
		if (!strstr(strbuf_str(&job.text), rows[i].want))
			fail_msg("%s: %s", rows[i].line, strbuf_str(&job.text));
		ds_job_fini(&job);
	}
}

/* Targets under -F -O, of other block sizes, so that each is a section. */
#define TARGETS(weight, each)                                                                      \
	"<Profile><TimeSpans><TimeSpan><ThreadCount>2</ThreadCount><RequestCount>2</RequestCount>" \
	"<Targets><Target><Path>a</Path>" weight each                                              \
	"</Target><Target><Path>b</Path><BlockSize>4096</BlockSize></Target></Targets></TimeSpan>" \
	"</TimeSpans></Profile>"
#define EACH(weight) \
	"<ThreadTargets><ThreadTarget><Thread>1</Thread>" weight "</ThreadTarget></ThreadTargets>"

/* A weight of 0 is 1, in a line of the job and among the files of a pool; what a job cannot say is refused.
 */
static void test_weights(void **state)
{
	static const struct {
		const char *xml, *line, *error;
	} rows[] = {
		{ TARGETS("", ""), NULL, NULL },
		{ TARGETS("<Weight>0</Weight>", ""), NULL, NULL },
		{ TARGETS("<Weight>3</Weight>", ""), "thread_group_weight=3", NULL },
		{ TARGETS("<Weight>0</Weight>", EACH("")), "thread_group_weight=1/1", NULL },
		{ TARGETS("<Weight>5</Weight>", EACH("<Weight>0</Weight>")), "thread_group_weight=1/5",
		  NULL },
		{ TARGETS("<Weight>65535</Weight>", ""), "thread_group_weight=65535", NULL },
		{ TARGETS("<Weight>100000</Weight>", ""), NULL,
		  "a: Weight 100000: at most 65535 is possible" },
		{ TARGETS("", EACH("<Weight>65536</Weight>")), NULL,
		  "a: Weight 65536: at most 65535 is possible" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct ds_job_cfg cfg = { 0 };
		struct ds_job job = { 0 };
		struct ds_profile p;
		struct diag d = { 0 };
		const char *at;

		assert_int_equal(ds_xmlread(&p, "p", rows[i].xml, strlen(rows[i].xml), DS_DIALECT_23, &d), 0);
		assert_int_equal(ds_to_job(&p, &cfg, &job, &d), rows[i].error ? -EINVAL : 0);
		if (rows[i].error)
			assert_ptr_equal(strstr(diag_text(&d), rows[i].error), diag_text(&d));
		at = strstr(strbuf_str(&job.text), "thread_group_weight");
		assert_int_equal(!at, !rows[i].line);
		if (at && strncmp(at, rows[i].line, strcspn(at, " ")))
			fail_msg("%s: %s", rows[i].line, at);
		ds_job_fini(&job);
		ds_profile_fini(&p);
		diag_fini(&d);
	}
}

/* Two targets that three threads share. */
#define SHARED(a, b)                                                                                 \
	"<Profile><TimeSpans><TimeSpan><ThreadCount>3</ThreadCount><RequestCount>8</RequestCount>"   \
	"<CompletionDepth>3</CompletionDepth><Targets><Target><Path>a</Path>" a                      \
	"</Target><Target><Path>b</Path><BlockSize>4096</BlockSize><RequestCount>1</RequestCount>" b \
	"</Target></Targets></TimeSpan></TimeSpans></Profile>"
#define THREAD(n) "<ThreadTargets><ThreadTarget><Thread>" n "</Thread></ThreadTarget></ThreadTargets>"
#define MAPPED    "<MemoryMappedIo>true</MemoryMappedIo>"
#define FLUSHED   "<FlushType>ViewOfFile</FlushType>"
#define PRIO(n)   "<IOPriority>" n "</IOPriority>"
#define STRIDE(n) "<ThreadStride>" n "</ThreadStride>"

/* What targets of the same threads may have each for itself, and what not. */
static void test_shared(void **state)
{
	static const struct {
		const char *xml, *line, *error;
	} rows[] = {
		{ SHARED("<RequestCount>1</RequestCount>", ""), "iodepth_batch_complete_max=3", NULL },
		{ SHARED("", STRIDE("8192") THREAD("2")), "offset_increment=8k", NULL },
		{ SHARED("", STRIDE("8192") THREAD("0")), NULL, NULL },
		{ SHARED("", PRIO("1")), "prioclass=3", NULL },
		{ SHARED(MAPPED, MAPPED PRIO("3")), NULL, NULL },
		{ SHARED(MAPPED, ""), NULL, "-Sm: targets that share threads" },
		{ SHARED(MAPPED, MAPPED PRIO("1")), NULL, "-I: mapped targets" },
		{ SHARED(MAPPED, MAPPED FLUSHED), NULL, "-N: mapped targets" },
	};
	static const char *const others[] = { "offset_increment", "prioclass" };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct ds_job_cfg cfg = { 0 };
		struct ds_job job = { 0 };
		struct ds_profile p;
		struct diag d = { 0 };
		const char *text;

		assert_int_equal(ds_xmlread(&p, "p", rows[i].xml, strlen(rows[i].xml), DS_DIALECT_23, &d), 0);
		assert_int_equal(ds_to_job(&p, &cfg, &job, &d), rows[i].error ? -EINVAL : 0);
		if (rows[i].error)
			assert_ptr_equal(strstr(diag_text(&d), rows[i].error), diag_text(&d));
		text = strbuf_str(&job.text);
		if (rows[i].line && !strstr(text, rows[i].line))
			fail_msg("row %zu: no %s in %s", i, rows[i].line, text);
		for (size_t k = 0; k < sizeof(others) / sizeof(*others) && !rows[i].line; k++)
			assert_null(strstr(text, others[k]));
		ds_job_fini(&job);
		ds_profile_fini(&p);
		diag_fini(&d);
	}
}

int unit_diskspd_job(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flags),    cmocka_unit_test(test_paths),
		cmocka_unit_test(test_own),      cmocka_unit_test(test_size_of_files),
		cmocka_unit_test(test_cpu_list), cmocka_unit_test(test_weights),
		cmocka_unit_test(test_pinning),  cmocka_unit_test(test_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
