/* Is the job text of a DISKSPD line or profile still the same, as fiord's text, as plain fio text and
   explained? The copies are t/golden/diskspd/NAME.txt; UPDATE=1 rewrites them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "tojob.h"
#include "explain.h"
#include "line.h"
#include "path_map.h"
#include "profile_xml.h"

#define ARGS_MAX 32

/* clang-format off */
static const struct line {
	const char *name, *text;
	enum ds_dialect dialect;
} lines[] = {
	{ "mission-1", "-t2 -o32 -b4k -r4k -w0 -d120 -Sh -D -L -c5G C:\\ClusterStorage\\test01\\targetfile\\IO.dat" },
	{ "mission-2", "-c200G -w100 -b8K -F4 -r -o128 -W30 -d30 -Sh testfile.dat" },
	{ "mission-3", "-c200G -b4K -F4 -r -o128 -W7200 -d30 -Sh testfile.dat" },
	{ "mission-4", "test.dat" },
	{ "mission-5", "-c1G -d600 -r -w0 -b4K -t8 -o2 -h -L X:diskspd.dat" },
	{ "mission-6", "-c1G -d600 -r -w0 -b4K -t8 -o2 -h -L #4" },
	{ "mission-7", "-c1G -t6 -w65 -b64K -r -o2 -h -L -d60 a:\\diskspd.dat" },
	{ "oltp", "-b8K -d30 -o4 -t8 -h -r -w30 -L -c20G oltp.dat" },
	{ "olap-si", "-b512K -d30 -o8 -t4 -Sh -si -w0 -L -c20G olap.dat" },
	{ "olap-stride", "-b512K -d30 -o8 -t4 -Sh -s -T5G -w0 -L -c20G olap.dat" },
	{ "pool", "-b8K -d30 -o4 -t8 -h -r -w25 -L -Z1G -c20G C:\\iotest.dat" },
	{ "pool-file", "-b256K -t1 -w100 -W15 -o64 -Swu -r -d10 -Z20M,data.bin #4" },
	{ "five-files", "-t2 -o2 file1 file2 file3 file4 file5" },
	{ "five-files-shared", "-F2 -o2 file1 file2 file3 file4 file5" },
	{ "pool-of-files", "-F2 -O8 -w100 file1 file2" },
	{ "sequential-mix", "-c2G -w50 -b64K -o32 -t4 -d600 -Sh f.dat" },
	{ "overlap", "-b64K -s4K -t1 -o1 -n f.dat" },
	{ "parallel", "-p -o4 -b64K f.dat" },
	{ "mixed-random", "-rs50 -w30 -b8K -o4 f.dat" },
	{ "mixed-zones", "-rs50 -r512 -rdpct90/10 -b4K f.dat" },
	{ "zones-small", "-c1M -b16K -r -rdpct50/1:50/99 testfile.dat" },
	{ "zones", "-c1G -b4K -r -o32 -w0 -d60 -Sh -rdpct90/10:0/10:5/20 testfile.dat" },
	{ "zones-bytes", "-b4K -r -rdabs90/10G:0/10G:5/20G f.dat" },
	{ "range", "-c1G -B16M:64M -b4K -r f.dat" },
	{ "rates", "-g100 -w25 -r -b4K f.dat" },
	{ "rate-iops", "-g100i -w100 -o1 f.dat" },
	{ "bursts", "-i100 -j10 -t4 -r f.dat" },
	{ "times", "-d0 -C5 -W2 f.dat" },
	{ "cool", "-d10 -C5 -W0 -z7 -Zr -w50 -r -c1G f.dat" },
	{ "clock-seed", "-z -Z -w100 -Sw f.dat" },
	{ "cpus", "-a3,1,1 -t4 f.dat" },
	{ "cpus-set", "-ag0,0,2,g1,5 -t4 f.dat" },
	{ "cpus-order", "-acp f.dat" },
	{ "mapped", "-Sm -Nv -w100 -o4 f.dat" },
	{ "remote", "-Sr -fr -l -I1 f.dat" },
	{ "ring", "-un8 -o32 -oc4 -r -Su f.dat" },
	{ "report-only", "-P -v -eDISK_IO -x -ft -Rxml f.dat" },
	{ "events", "-ysgo -yrready f.dat" },
	{ "strange-name", "-r dir:with/a:b.dat" },
	{ "port", "-c1G -Zr -b1M -d30 -o64 -t1 -W0 -Sd -xp -w0 -L SEQ1M_Q64T1", DS_DIALECT_LINUX },
};
/* clang-format on */

static const char *const profiles[] = { "two-spans", "weights", "thread-targets" };

static void path_of(char *path, size_t size, const char *name, const char *ending)
{
	const char *dir = getenv("GOLDEN_DIR");

	assert_non_null(dir);
	snprintf(path, size, "%s/diskspd/%s.%s", dir, name, ending);
}

static char *slurp(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, 1 << 16);

	assert_non_null(text);
	if (!f)
		fail_msg("%s: missing (UPDATE=1 makes it)", path);
	text[fread(text, 1, (1 << 16) - 1, f)] = '\0';
	fclose(f);
	return text;
}

static void compare(const char *name, const struct strbuf *out)
{
	char path[4096], *kept;

	path_of(path, sizeof(path), name, "txt");
	if (getenv("UPDATE")) {
		FILE *f = fopen(path, "w");

		assert_non_null(f);
		fputs(strbuf_str(out), f);
		fclose(f);
		return;
	}
	kept = slurp(path);
	assert_string_equal(kept, strbuf_str(out));
	free(kept);
}

static void put_job(const struct ds_profile *p, const struct ds_job_cfg *cfg, struct strbuf *out)
{
	struct ds_job job = { 0 };
	struct diag d = { 0 };

	if (ds_to_job(p, cfg, &job, &d))
		fail_msg("%s", diag_text(&d));
	strbuf_puts(out, strbuf_str(&job.text));
	for (size_t i = 0; i < job.native.n; i++)
		assert_string_not_equal(job.native.v[i].flag, "");
	if (cfg->for_fio)
		assert_int_equal(job.native.n, 0);
	ds_job_fini(&job);
}

static void put_all(struct ds_profile *p, struct ds_job_cfg *cfg, struct ds_explain_cfg *words,
		    struct strbuf *out)
{
	struct cpuset cpus = { { 15 } };
	struct notes notes = { 0 };
	struct ds_map map = { 0 };
	struct diag d = { 0 };

	assert_int_equal(ds_map_add(&map, "#4=/dev/sdb", &d), 0);
	if (ds_map_profile(&map, p, &notes, &d))
		fail_msg("%s", diag_text(&d));
	cfg->cpus = &cpus;
	words->memory_bytes = 16ull << 30;
	put_job(p, cfg, out);
	strbuf_puts(out, "\n======== for fio\n\n");
	cfg->for_fio = true;
	put_job(p, cfg, out);
	strbuf_puts(out, "\n======== explained\n\n");
	ds_explain(p, words, out);
	assert_false(out->failed);
	notes_fini(&notes);
	ds_map_fini(&map);
}

static int split(char *text, const char **argv)
{
	int argc = 0;

	for (char *at = strtok(text, " "); at && argc < ARGS_MAX; at = strtok(NULL, " "))
		argv[argc++] = at;
	return argc;
}

static void test_line(void **state)
{
	const struct line *l = *state;
	const char *argv[ARGS_MAX];
	char *text = strdup(l->text), *command;
	struct strbuf out = { 0 };
	struct notes notes = { 0 };
	struct diag d = { 0 };
	struct ds_line line;
	struct ds_job_cfg cfg = { .line = &line };
	struct ds_explain_cfg words = { .argv = argv };
	int argc;

	assert_non_null(text);
	command = malloc(strlen(text) + 16);
	assert_non_null(command);
	sprintf(command, "diskspd %s", text);
	argc = split(text, argv);
	if (ds_line_parse(&line, l->dialect, argc, argv, &notes, &d))
		fail_msg("%s: %s", l->text, diag_text(&d));
	cfg.command = words.command = command;
	words.argc = argc;
	put_all(&line.profile, &cfg, &words, &out);
	compare(l->name, &out);
	ds_line_fini(&line);
	notes_fini(&notes);
	strbuf_fini(&out);
	free(command);
	free(text);
}

static void test_profile(void **state)
{
	const char *name = *state;
	struct ds_profile p = { 0 };
	struct ds_job_cfg cfg = { 0 };
	struct ds_explain_cfg words = { 0 };
	struct strbuf out = { 0 };
	struct diag d = { 0 };
	char path[4096], *text;

	path_of(path, sizeof(path), name, "xml");
	text = slurp(path);
	if (ds_xmlread(&p, name, text, strlen(text), DS_DIALECT_23, &d))
		fail_msg("%s", diag_text(&d));
	put_all(&p, &cfg, &words, &out);
	compare(name, &out);
	ds_profile_fini(&p);
	strbuf_fini(&out);
	free(text);
}

#define LINES    (sizeof(lines) / sizeof(*lines))
#define PROFILES (sizeof(profiles) / sizeof(*profiles))

int main(void)
{
	struct CMUnitTest tests[LINES + PROFILES];

	for (size_t i = 0; i < LINES; i++)
		tests[i] = (struct CMUnitTest){ lines[i].name, test_line, NULL, NULL, (void *)&lines[i] };
	for (size_t i = 0; i < PROFILES; i++)
		tests[LINES + i] =
			(struct CMUnitTest){ profiles[i], test_profile, NULL, NULL, (void *)profiles[i] };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
