#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "line.h"
#include "lineout.h"
#include "strbuf.h"
#include "xmlread.h"
#include "xmlwrite.h"

#define ARGS_MAX 64

/* At blanks; no quotes in these lines. */
static int split(char *text, const char **argv)
{
	int argc = 0;

	for (char *s = strtok(text, " "); s && argc < ARGS_MAX; s = strtok(NULL, " "))
		argv[argc++] = s;
	return argc;
}

static int parse(struct ds_line *l, const char *line, struct diag *d)
{
	const char *argv[ARGS_MAX];
	char *text = strdup(line);
	int argc = split(text, argv), ret;

	ret = ds_line_parse(l, DS_DIALECT_23, argc - 1, argv + 1, NULL, d);
	free(text);
	return ret;
}

/* What is said, what is said in the shortest way. */
static const struct {
	const char *line, *shortest;
} lines[] = {
	{ "diskspd test.dat", "diskspd test.dat" },
	{ "diskspd -b64K -o2 -t1 -d10 -W5 -w0 -s64K -z0 -I3 -Rtext -Sb a", "diskspd a" },
	{ "diskspd -b4K -t2 -r -o32 -d10 -Sh testfile.dat", "diskspd -b4K -t2 -o32 -r -Sh testfile.dat" },
	{ "diskspd -t2 -o32 -b4k -r4k -w0 -d120 -Sh -D -L -c5G IO.dat",
	  "diskspd -c5G -b4K -t2 -o32 -r -Sh -d120 -L -D IO.dat" },
	{ "diskspd -c200G -w100 -b8K -F4 -r -o128 -W30 -d30 -Sh t", "diskspd -c200G -b8K -F4 -o128 -r -w100 "
								    "-Sh -d30 -W30 t" },
	{ "diskspd -b8K -d30 -o4 -t8 -h -r -w25 -L -Z1G -c20G x",
	  "diskspd -c20G -b8K -t8 -o4 -r -w25 -Sh -Z1G -d30 -L x" },
	{ "diskspd -Z2M,src.bin -w1 x", "diskspd -w1 -Z2M,src.bin x" },
	{ "diskspd -B1M:1M -f1 x", NULL },
	{ "diskspd -B1M:1M x", "diskspd -B1M:1M x" },
	{ "diskspd -B1M -f2M x", "diskspd -B1M:1M x" },
	{ "diskspd -f2M x", "diskspd -f2M x" },
	{ "diskspd -rs20 -r32K x", "diskspd -rs20 -r32K x" },
	{ "diskspd -rs20 x", "diskspd -rs20 x" },
	{ "diskspd -rs100 x", "diskspd -r x" },
	{ "diskspd -r -rdpct90/10:0/10:5/20 x", "diskspd -r -rdpct90/10:0/10:5/20 x" },
	{ "diskspd -r -rdpct90/10:10/90 x", "diskspd -r -rdpct90/10 x" },
	{ "diskspd -r -rdabs90/10G:0/10G:5/20G x", "diskspd -r -rdabs90/10G:0/10G:5/20G x" },
	{ "diskspd -si x", "diskspd -si x" },
	{ "diskspd -si8K -t2 x", "diskspd -t2 -si8K x" },
	{ "diskspd -s1536 x", "diskspd -s1536 x" },
	{ "diskspd -t4 -T1M -p -o8 x", "diskspd -t4 -o8 -p -T1M x" },
	{ "diskspd -S -Sw x", "diskspd -Sh x" },
	{ "diskspd -Srw x", "diskspd -Srw x" },
	{ "diskspd -Sm -Nv -Sw x", "diskspd -Smw -Nv x" },
	{ "diskspd -Su -SY x", "diskspd -SuY x" },
	{ "diskspd -g100i x", "diskspd -g100i x" },
	{ "diskspd -g80 x", "diskspd -g80 x" },
	{ "diskspd -i10 -j5 x", "diskspd -i10 -j5 x" },
	{ "diskspd -I1 -frs -ft -l x", "diskspd -I1 -frst -l x" },
	{ "diskspd -F4 -O8 x y", "diskspd -F4 -O8 x y" },
	{ "diskspd -O8 x", "diskspd x" },
	{ "diskspd -a0,2,3 x", "diskspd -a0,2,3 x" },
	{ "diskspd -ag0,1,g1,2,3 x", "diskspd -ag0,1 -ag1,2,3 x" },
	{ "diskspd -ag1 x", "diskspd -ag1 x" },
	{ "diskspd -acsE x", "diskspd -acsE x" },
	{ "diskspd -n -x x", "diskspd -n -x x" },
	{ "diskspd -u x", "diskspd -u x" },
	{ "diskspd -un50p x", "diskspd -un50p x" },
	{ "diskspd -u16 -oc4 -bsn x", "diskspd -u16 -oc4 -bsn x" },
	{ "diskspd -D500 -C3 -z7 x", "diskspd -C3 -z7 -D500 x" },
	{ "diskspd -P -vs -Rxml -:5 x", "diskspd -P -vs -Rxml -:5 x" },
	{ "diskspd -v -P100 x", "diskspd -P100 -v x" },
	{ "diskspd -eDISK_IO -ePROCESS -ep -ec x", "diskspd -ePROCESS -eDISK_IO -ep -ec x" },
	{ "diskspd -z -Zr -Z x", "diskspd -Z -z -Zr x" },
};

static char *line_of(const struct ds_profile *p, struct notes *lost)
{
	struct strbuf b = { 0 };

	ds_lineout(p, 0, &b, lost);
	assert_false(b.failed);
	return b.text;
}

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct ds_line l;
		struct diag d = { 0 };
		struct notes lost = { 0 };
		char *text;

		if (parse(&l, lines[i].line, &d)) {
			if (lines[i].shortest)
				fail_msg("%s: %s", lines[i].line, diag_text(&d));
			diag_fini(&d);
			continue;
		}
		text = line_of(&l.profile, &lost);
		assert_string_equal(text, lines[i].shortest);
		assert_int_equal(lost.count, 0);
		free(text);
		notes_fini(&lost);
		ds_line_fini(&l);
	}
}

/* line -> profile -> XML -> profile -> line; what the XML says it loses is not looked for. */
static void round_trip(const char *line)
{
	const struct ds_check check = { .elements = true, .templates = true };
	struct ds_line l;
	struct ds_profile p;
	struct diag d = { 0 };
	struct notes lost = { 0 };
	struct strbuf xml = { 0 };
	char *before, *after;

	if (parse(&l, line, &d)) {
		diag_fini(&d);
		return;
	}
	ds_xmlwrite(&l.profile, 0, &xml);
	ds_xmlwrite_losses(&l.profile, &lost);
	assert_int_equal(lost.count, l.profile.span->random_data + l.profile.span->seed_clock);
	l.profile.span->random_data = l.profile.span->seed_clock = false;
	if (ds_xmlread(&p, "x", xml.text, xml.len, DS_DIALECT_23, &d) || ds_check(&check, &p, NULL, &d))
		fail_msg("%s: %s\n%s", line, diag_text(&d), xml.text);
	before = line_of(&l.profile, NULL);
	after = line_of(&p, NULL);
	assert_string_equal(before, after);
	free(before);
	free(after);
	strbuf_fini(&xml);
	notes_fini(&lost);
	ds_profile_fini(&p);
	ds_line_fini(&l);
}

static void test_round_trips(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		round_trip(lines[i].line);
}

static const struct {
	const char *xml, *line, *lost;
} profiles[] = {
	{ "<Targets><Target><Path>a</Path></Target><Target><Path>b</Path><WriteRatio>100</WriteRatio></"
	  "Target>"
	  "</Targets>",
	  "diskspd a b", "b has other options than the first target: -w100" },
	{ "<ThreadCount>2</ThreadCount><RequestCount>4</RequestCount><Targets><Target><Path>a</Path><Weight>3"
	  "</Weight></Target></Targets>",
	  "diskspd -F2 -O4 a", "Weight=3 of a" },
	{ "<ThreadCount>2</ThreadCount><RequestCount>4</RequestCount><Targets><Target><Path>a</Path>"
	  "<ThreadTargets><ThreadTarget><Thread>1</Thread></ThreadTarget></ThreadTargets></Target></Targets>",
	  "diskspd -F2 -O4 a", "ThreadTargets of a: every thread uses it here" },
	{ "<Targets><Target><Path>a b</Path></Target></Targets></TimeSpan><TimeSpan><Targets><Target>"
	  "<Path>c</Path></Target></Targets>",
	  "diskspd \"a b\"", "the other time spans: this is number 1 of 2" },
	{ "<Targets><Target><Path>-x</Path></Target></Targets>", "diskspd ./-x", NULL },
	{ "<Targets><Target><Path>*1</Path></Target></Targets>", "diskspd *1", NULL },
	{ "<Targets><Target><Path>C:\\a (1)\\b</Path></Target></Targets>", "diskspd \"C:\\a (1)\\b\"", NULL },
};

static void test_losses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
		struct strbuf xml = { 0 };
		struct ds_profile p;
		struct notes lost = { 0 };
		struct diag d = { 0 };
		char *line;

		strbuf_printf(&xml, "<Profile><TimeSpans><TimeSpan>%s</TimeSpan></TimeSpans></Profile>",
			      profiles[i].xml);
		if (ds_xmlread(&p, "x", xml.text, xml.len, DS_DIALECT_23, &d))
			fail_msg("%s", diag_text(&d));
		line = line_of(&p, &lost);
		assert_string_equal(line, profiles[i].line);
		assert_int_equal(lost.count, profiles[i].lost ? 1 : 0);
		if (lost.count)
			assert_string_equal(lost.line[0], profiles[i].lost);
		assert_int_equal(ds_lineout_fits(&p), !profiles[i].lost);
		free(line);
		notes_fini(&lost);
		ds_profile_fini(&p);
		strbuf_fini(&xml);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_losses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
