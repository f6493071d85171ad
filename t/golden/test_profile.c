/* Are profiles still printed the same as by DISKSPD (-Rpxml, -Rptext)? The copies are
   t/golden/profile/NAME.xml and .txt. UPDATE=1 rewrites them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "line.h"
#include "profile_text.h"
#include "strbuf.h"
#include "profile_xml.h"

static const struct {
	const char *name, *args;
} lines[] = {
	{ "defaults", "test.dat" },
	/* from issue 6 */
	{ "mission", "-t2 -o32 -b4k -r4k -w0 -d120 -Sh -D -L -c5G IO.dat" },
	/* the sample of the reference, 3.4 */
	{ "sample", "-Rpxml -b4K -d30 -t2 -o32 -r -rdpct90/10:0/10:5/20 -w25 -Sh -Z1G -D -L -c1G *1" },
	{ "volume", "-Rxml -v -c1G -d600 -r -w65 -b4K -t8 -o2 -h X:disk&spd.dat" },
	{ "pool", "-F4 -O8 -n -P -vs -z7 -I1 -C3 a.dat b.dat" },
	{ "olap-shared", "-b512K -si -t4 -o8 x" },
	{ "olap-apart", "-b512K -T1G -t4 -o8 -p -fs -l x" },
	{ "mixed", "-rs20 -r32K -B1M:1G -w100 -Zr -Sw -ft x" },
	{ "absolute", "-b8K -rs80 -rdabs90/10G:5/1G -g100i -Z2M,src.bin -w10 -D500 x" },
	{ "mapped", "-Sm -Nv -w50 -i10 -j5 -o1 x" },
	{ "affinity", "-ag0,1,g1,2 -eDISK_IO -ep -:5 -g80 -Z -w5 -Srw x" },
	{ "new-in-2.3", "-u8 -oc4 -bsn -acsE -SuY -ag1 x" },
};

/* Profiles that only XML can express. */
static const char spans[] =
	"<Profile><PrecreateFiles>UseMaxSize</PrecreateFiles><TimeSpans><TimeSpan><ThreadCount>4</"
	"ThreadCount>"
	"<RequestCount>8</RequestCount><Targets><Target><Path>a</Path><Weight>3</Weight></Target><Target>"
	"<Path>b</Path><ThreadTargets><ThreadTarget><Thread>1</Thread><Weight>2</Weight></ThreadTarget>"
	"</ThreadTargets></Target></Targets></TimeSpan><TimeSpan><Duration>3</Duration><Targets><Target>"
	"<Path>c</Path><WriteRatio>100</WriteRatio><DisableAllCache>true</DisableAllCache></Target></Targets>"
	"</TimeSpan></TimeSpans></Profile>";

static char *committed(const char *path)
{
	FILE *f = fopen(path, "re");
	struct strbuf b = { 0 };
	char buf[4096];
	size_t n;

	if (!f)
		fail_msg("%s is missing; UPDATE=1 makes it", path);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		strbuf_add(&b, buf, n);
	fclose(f);
	return b.text;
}

static void check(const char *name, const char *kind, const char *text)
{
	const char *dir = getenv("GOLDEN_DIR");
	char path[1024], *want;

	snprintf(path, sizeof(path), "%s/profile/%s.%s", dir ? dir : "t/golden", name, kind);
	if (getenv("UPDATE")) {
		FILE *f = fopen(path, "we");

		assert_non_null(f);
		fputs(text, f);
		fclose(f);
	}
	want = committed(path);
	assert_string_equal(text, want);
	free(want);
}

static void check_profile(const char *name, const struct ds_profile *p, const char *command)
{
	struct notes lost = { 0 };
	struct strbuf b = { 0 };

	ds_xmlwrite_losses(p, &lost);
	ds_xmlwrite_comments(&lost, &b);
	ds_xmlwrite(p, 0, &b);
	check(name, "xml", strbuf_str(&b));
	strbuf_clear(&b);
	ds_profile_text(p, command, DS_LAYOUT_22, &b);
	check(name, "txt", strbuf_str(&b));
	strbuf_fini(&b);
	notes_fini(&lost);
}

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		const char *argv[32];
		char *args = strdup(lines[i].args), *save = NULL;
		struct strbuf command = { 0 };
		struct ds_line l;
		struct diag d = { 0 };
		int argc = 0;

		for (char *s = strtok_r(args, " ", &save); s && argc < 32; s = strtok_r(NULL, " ", &save))
			argv[argc++] = s;
		if (ds_line_parse(&l, DS_DIALECT_23, argc, argv, NULL, &d))
			fail_msg("%s: %s", lines[i].args, diag_text(&d));
		strbuf_printf(&command, "diskspd %s", lines[i].args);
		check_profile(lines[i].name, &l.profile, strbuf_str(&command));
		strbuf_fini(&command);
		ds_line_fini(&l);
		free(args);
	}
}

static void test_spans(void **state)
{
	struct ds_profile p;
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(ds_xmlread(&p, "spans.xml", spans, strlen(spans), DS_DIALECT_23, &d), 0);
	check_profile("spans", &p, "diskspd -Xspans.xml");
	ds_profile_fini(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_lines), cmocka_unit_test(test_spans) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
