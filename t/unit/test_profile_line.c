/* Does a profile become the shortest line, and the same profile again? */
#include "profile.h"
#include "diskspd_lines.h"
#include "profile_line.h"
#include "strbuf.h"
#include "profile_xml.h"

/* Lines and their shortest form. */
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

	ds_profile_line(p, 0, &b, lost);
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

		if (parse_text(&l, DS_DIALECT_23, lines[i].line, &d)) {
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

/* profile -> XML -> profile -> line; options that the XML reports as lost are ignored. */
static void by_xml(const char *text, struct ds_line *l)
{
	const struct ds_check_cfg check = { .xml_names = true, .allow_templates = true };
	struct ds_span *span = l->profile.spans;
	struct ds_profile p;
	struct diag d = { 0 };
	struct notes lost = { 0 };
	struct strbuf xml = { 0 };
	char *before, *after;

	ds_xmlwrite(&l->profile, 0, &xml);
	ds_xmlwrite_losses(&l->profile, &lost);
	assert_int_equal(lost.count, span->random_data + span->seed_clock);
	span->random_data = span->seed_clock = false;
	if (ds_xmlread(&p, "x", xml.text, xml.len, DS_DIALECT_23, &d) ||
	    ds_profile_check(&check, &p, NULL, &d))
		fail_msg("%s: %s\n%s", text, diag_text(&d), xml.text);
	before = line_of(&l->profile, NULL);
	after = line_of(&p, NULL);
	assert_string_equal(before, after);
	free(before);
	free(after);
	strbuf_fini(&xml);
	notes_fini(&lost);
	ds_profile_fini(&p);
}

/* profile -> line -> profile -> line, with a shell's parsing in between. */
static void by_line(const char *text, struct ds_line *l)
{
	struct ds_line again;
	struct diag d = { 0 };
	char *before, *after;

	if (l->show == DS_SHOW_PROFILE)
		return; /* *1 is valid only with -Rp, which a profile does not hold */
	before = line_of(&l->profile, NULL);
	if (parse_text(&again, l->dialect == DS_DIALECT_22 ? DS_DIALECT_22 : DS_DIALECT_23, before, &d))
		fail_msg("%s: %s: %s", text, before, diag_text(&d));
	after = line_of(&again.profile, NULL);
	assert_string_equal(before, after);
	free(before);
	free(after);
	ds_line_fini(&again);
}

static void round_trip(const char *text, struct ds_line *l)
{
	by_line(text, l);
	by_xml(text, l);
}

static void test_round_trips(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].shortest)
			with_line(round_trip, DS_DIALECT_23, lines[i].line);
	assert_true(ds_each_line(round_trip) > 250);
}

/* Paths that a shell would split. */
static void test_paths(void **state)
{
	static const char *const paths[] = {
		"a b",  "it's",  "C:\\a (1)\\b.dat",
		"x&y",  "50%",   "C:\\dir name\\f",
		"a;b",  "$x",    "a>b",
		"#4",   "C:",    "-x",
		"a\tb", "`x`",   "a,b",
		"^x",   "a'b c", "\xc3\xa4 \xc3\xb6",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct ds_line l, again;
		const char *argv[] = { paths[i] };
		struct diag d = { 0 };
		char *line;

		if (paths[i][0] == '-')
			argv[0] = "./-x";
		assert_int_equal(ds_line_parse(&l, DS_DIALECT_23, 1, argv, NULL, &d), 0);
		line = line_of(&l.profile, NULL);
		if (parse_text(&again, DS_DIALECT_23, line, &d))
			fail_msg("%s: %s", line, diag_text(&d));
		assert_string_equal(again.profile.spans->targets->path, argv[0]);
		assert_int_equal(again.profile.spans->ntargets, 1);
		free(line);
		ds_line_fini(&again);
		ds_line_fini(&l);
	}
}

#define POOL(file)                                                                                          \
	"<WriteBufferContent><Pattern>random</Pattern><RandomDataSource><SizeInBytes>1048576</SizeInBytes>" \
	"<FilePath>" file "</FilePath></RandomDataSource></WriteBufferContent>"
#define ODD ": no line can have this name, because no quotes hold both ' and one of \" $ ` % !"

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
	  "diskspd -F2 -O4 a", "ThreadTargets of a: in a line every thread uses every target" },
	{ "<Targets><Target><Path>a b</Path></Target></Targets></TimeSpan><TimeSpan><Targets><Target>"
	  "<Path>c</Path></Target></Targets>",
	  "diskspd \"a b\"", "the other time spans: this is time span 1 of 2" },
	{ "<Targets><Target><Path>-x</Path></Target></Targets>", "diskspd ./-x", NULL },
	{ "<Targets><Target><Path>*1</Path></Target></Targets>", "diskspd *1", NULL },
	{ "<Targets><Target><Path>#4</Path></Target></Targets>", "diskspd \"#4\"", NULL },
	{ "<Targets><Target><Path>a</Path>" POOL("a b &amp; rm x") "</Target></Targets>",
	  "diskspd \"-Z1M,a b & rm x\" a", NULL },
	{ "<Targets><Target><Path>a</Path>" POOL("$HOME") "</Target></Targets>", "diskspd '-Z1M,$HOME' a",
	  NULL },
	{ "<Targets><Target><Path>a</Path>" POOL("a'b$c") "</Target></Targets>", "diskspd '-Z1M,a'b$c' a",
	  "a'b$c" ODD },
	{ "<Targets><Target><Path>a'b&quot;c</Path></Target></Targets>", "diskspd 'a'b\"c'", "a'b\"c" ODD },
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
		assert_int_equal(ds_profile_line_fits(&p), !profiles[i].lost);
		free(line);
		notes_fini(&lost);
		ds_profile_fini(&p);
		strbuf_fini(&xml);
	}
}

int unit_profile_line(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_losses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
