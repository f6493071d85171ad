/* Are DISKSPD lines parsed, explained and refused as t/diskspd lists them? */
#include "diskspd_show.h"
#include "profile.h"
#include "flags.h"
#include "strbuf.h"

#define WORDS 64

struct parsed {
	struct ds_line l;
	struct diag d;
	struct notes notes;
	int ret;
};

static void parse_words(struct parsed *p, enum ds_dialect dialect, const char *line)
{
	const char *argv[WORDS];
	char *text = strdup(line), *save = NULL;
	int argc = 0;

	memset(p, 0, sizeof(*p));
	for (char *w = strtok_r(text, " ", &save); w && argc < WORDS; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	p->ret = ds_line_parse(&p->l, dialect, argc, argv, &p->notes, &p->d);
	free(text);
}

static void parsed_fini(struct parsed *p)
{
	if (!p->ret)
		ds_line_fini(&p->l);
	diag_fini(&p->d);
	notes_fini(&p->notes);
}

/* Returns the next line that is no comment, ended by a NUL. */
static char *table_line(char **at)
{
	while (**at) {
		char *line = *at;

		*at += strcspn(line, "\n");
		if (**at)
			*(*at)++ = '\0';
		if (*line && *line != '#')
			return line;
	}
	return NULL;
}

static char *column(char **at)
{
	char *c = *at;

	*at += strcspn(c, "\t");
	if (**at)
		*(*at)++ = '\0';
	return c;
}

static void test_accepted(void **state)
{
	char *text = ds_table("accepted.tsv"), *at = text;
	unsigned bad = 0, rows = 0;

	(void)state;
	for (char *line; (line = table_line(&at)); rows++) {
		const char *name = column(&line), *words = column(&line), *want = column(&line),
			   *note = column(&line);
		struct strbuf got = { 0 };
		enum ds_dialect dialect;
		struct parsed p;

		assert_int_equal(ds_dialect_of(name, &dialect), 0);
		parse_words(&p, dialect, words);
		if (!p.ret)
			ds_show(&got, &p.l);
		if (p.ret || strcmp(strbuf_str(&got), want) != 0) {
			print_error("%s\t%s\n  want %s\n  got  %s%s\n", name, words, want, strbuf_str(&got),
				    diag_text(&p.d));
			bad++;
		}
		bool said = !*note && !p.notes.count;

		for (size_t i = 0; i < p.notes.count && *note && !said; i++)
			said = says_all(p.notes.line[i], note);
		if (!said) {
			print_error("%s\t%s: want '%s', noted %s\n", name, words, note,
				    p.notes.count ? p.notes.line[0] : "nothing");
			bad++;
		}
		strbuf_fini(&got);
		parsed_fini(&p);
	}
	free(text);
	assert_true(rows > 100);
	assert_int_equal(bad, 0);
}

/* Errors that DISKSPD finds only when it opens the target. */
static void check_runs(struct parsed *p)
{
	const struct ds_span *s = p->l.profile.spans;

	for (size_t i = 0; i < s->ntargets && !p->d.text; i++)
		if (s->targets[i].create_size)
			ds_profile_check_fit(s, &s->targets[i], s->targets[i].create_size, &p->d);
	if (!p->d.text && s->ntargets && s->targets->pool_file)
		diag_err(&p->d, -1, "%s: nobody has looked for it yet", s->targets->pool_file);
}

static void test_refused(void **state)
{
	char *text = ds_table("invalid.tsv"), *at = text;
	unsigned bad = 0, rows = 0;

	(void)state;
	for (char *line; (line = table_line(&at)); rows++) {
		const char *id = column(&line), *name = column(&line), *words = column(&line),
			   *says = column(&line);
		enum ds_dialect dialect;
		struct parsed p;

		assert_int_equal(ds_dialect_of(name, &dialect), 0);
		parse_words(&p, dialect, words);
		if (!p.ret && strstr(says, "run: ")) {
			says += 5;
			check_runs(&p);
		}
		if (!p.d.text || !says_all(diag_text(&p.d), says)) {
			print_error("%s %s\n  want %s\n  got  %s\n", id, words, says, diag_text(&p.d));
			bad++;
		}
		parsed_fini(&p);
	}
	free(text);
	assert_true(rows > 150);
	assert_int_equal(bad, 0);
}

static void test_no_arguments(void **state)
{
	struct parsed p;

	(void)state;
	parse_words(&p, DS_DIALECT_23, "");
	assert_int_equal(p.ret, 0);
	assert_true(p.l.no_arguments);
	parsed_fini(&p);
	parse_words(&p, DS_DIALECT_23, "-b4K -q -?");
	assert_int_equal(p.ret, 0);
	assert_true(p.l.usage);
	parsed_fini(&p);
	parse_words(&p, DS_DIALECT_23, "-yego");
	assert_int_equal(p.ret, 0);
	assert_string_equal(p.l.signals.set, "go");
	parsed_fini(&p);
}

/* Every row is read under its form in its dialects, or documents a form that is. */
static void test_flags(void **state)
{
	(void)state;
	for (size_t i = 0; i < ds_flag_count; i++) {
		const struct ds_flag *f = &ds_flags[i];

		assert_true(f->form[0] == '-' && f->form[1] && *f->help && f->dialects && f->option &&
			    f->why);
		assert_true(f->support == DS_EXACT || *f->why);
		for (int dialect = 0; dialect <= DS_DIALECT_LINUX; dialect++) {
			const struct ds_flag *found = ds_flag_find((enum ds_dialect)dialect, f->form);

			if (!(f->dialects & DS_IN(dialect)))
				continue;
			assert_non_null(found);
			assert_true(!f->read || found == f);
		}
	}
	assert_null(ds_flag_find(DS_DIALECT_23, "-q"));
	assert_null(ds_flag_find(DS_DIALECT_22, "-u"));
	assert_string_equal(ds_flag_find(DS_DIALECT_23, "-rs50")->form, "-rs");
	assert_string_equal(ds_flag_find(DS_DIALECT_20, "-rs50")->form, "-r");
}

static void test_usage(void **state)
{
	(void)state;
	for (int dialect = 0; dialect <= DS_DIALECT_LINUX; dialect++) {
		struct strbuf b = { 0 };

		ds_usage((enum ds_dialect)dialect, "diskspd", &b);
		for (size_t i = 0; i < ds_flag_count; i++)
			if (ds_flags[i].dialects & DS_IN(dialect))
				assert_non_null(strstr(strbuf_str(&b), ds_flags[i].help));
		assert_int_equal(!strstr(strbuf_str(&b), "-oc<"), dialect != DS_DIALECT_23);
		strbuf_fini(&b);
	}
}

/* clang-format off */
static const struct { const char *line; uint64_t size; const char *says; } fits[] = {
	{ "a", 65536, NULL },
	{ "a", 65535, "65535 & -b" },
	{ "-B4K -b4K a", 8192, NULL },
	{ "-B4K -b4K a", 8191, "8191 & -B" },
	{ "-t3 -T1M -b4K a", 2 * 1048576 + 4096, NULL },
	{ "-t3 -T1M -b4K a", 2 * 1048576, "thread 2 & -T1048576" },
	{ "-F2 -T1M -b4K a", 1048576, "thread 1" },
	{ "-f4K -b8K a", 1048576, "4096 & -f" },
	{ "-f1M -b4K a", 4096, NULL },
	{ "-t2 -T16777215T a", 1048576, "not enough for thread 1" },
	{ "-t3 -T16777215T a", 1048576, "not enough for thread 2" },
};
/* clang-format on */

static void test_fit(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(fits) / sizeof(fits[0]); i++) {
		struct parsed p;
		int ret;

		parse_words(&p, DS_DIALECT_23, fits[i].line);
		assert_int_equal(p.ret, 0);
		ret = ds_profile_check_fit(p.l.profile.spans, p.l.profile.spans->targets, fits[i].size, &p.d);
		assert_int_equal(!ret, !fits[i].says);
		assert_true(!ret || (p.d.kind == DIAG_RUN && says_all(diag_text(&p.d), fits[i].says)));
		parsed_fini(&p);
	}
}

/* A profile of two spans with the templates *1 and *2, and a line that fills them in. */
static void make_xml(struct ds_profile *p)
{
	static const char *const paths[] = { "*1", "*2", "fixed.dat" };
	struct ds_span *s = ds_profile_init(p);

	assert_non_null(s);
	p->spans = arena_array(&p->mem, 2, sizeof(*p->spans));
	p->nspans = 2;
	for (size_t i = 0; i < 2; i++) {
		s = &p->spans[i];
		ds_span_init(s);
		s->targets = arena_array(&p->mem, 3, sizeof(*s->targets));
		s->ntargets = 3;
		for (size_t k = 0; k < 3; k++) {
			ds_target_init(&s->targets[k]);
			s->targets[k].path = arena_strdup(&p->mem, paths[k]);
		}
	}
}

/* clang-format off */
static const struct { const char *line, *says; } applied[] = {
	{ "-Xp.xml a b", NULL },
	{ "-W1 -d2 -C3 -z4 -v -Rxml -Xp.xml a b", NULL },
	{ "-Xp.xml a", "*2 & 1 given" },
	{ "-Xp.xml", "*2 & 0 given" },
	{ "-Xp.xml a b c", "3 targets & 2 templates" },
	{ "-Rp -Xp.xml", NULL },
	{ "-Rpxml -Xp.xml a", NULL },
	{ "-Rp -Xp.xml a b c", "3 targets" },
};
/* clang-format on */

static void test_apply(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(applied) / sizeof(applied[0]); i++) {
		struct ds_profile xml;
		struct parsed p;
		int ret;

		make_xml(&xml);
		parse_words(&p, DS_DIALECT_23, applied[i].line);
		assert_int_equal(p.ret, 0);
		ret = ds_line_apply(&p.l, &xml, &p.notes, &p.d);
		if (ret ? !applied[i].says || !says_all(diag_text(&p.d), applied[i].says) : !!applied[i].says)
			fail_msg("%s: %s", applied[i].line, diag_text(&p.d));
		parsed_fini(&p);
		ds_profile_fini(&xml);
	}
}

static void test_overrides(void **state)
{
	struct ds_profile xml;
	struct parsed p;

	(void)state;
	make_xml(&xml);
	parse_words(&p, DS_DIALECT_23, "-W1 -d2 -z4 -vs -:3 -Rxml -Xp.xml a b");
	assert_int_equal(ds_line_apply(&p.l, &xml, NULL, &p.d), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(xml.spans[i].warmup_s, 1);
		assert_int_equal(xml.spans[i].duration_s, 2);
		assert_int_equal(xml.spans[i].cooldown_s, 0);
		assert_int_equal(xml.spans[i].seed, 4);
		assert_string_equal(xml.spans[i].targets[0].path, "a");
		assert_string_equal(xml.spans[i].targets[1].path, "b");
		assert_string_equal(xml.spans[i].targets[2].path, "fixed.dat");
	}
	assert_true(xml.verbose && xml.verbose_stats && xml.format == DS_XML);
	assert_int_equal(xml.experiment_flags, 3);
	parsed_fini(&p);
	ds_profile_fini(&xml);
}

/* Options that the line lacks keep the values of the profile. */
static void test_untouched(void **state)
{
	struct ds_profile xml;
	struct parsed p;

	(void)state;
	make_xml(&xml);
	xml.spans[1].warmup_s = xml.spans[1].duration_s = xml.spans[1].cooldown_s = 7;
	xml.spans[1].seed = 7;
	xml.format = DS_XML;
	xml.experiment_flags = 7;
	xml.verbose = xml.verbose_stats = true;
	parse_words(&p, DS_DIALECT_23, "-Xp.xml a b");
	assert_int_equal(ds_line_apply(&p.l, &xml, NULL, &p.d), 0);
	assert_true(xml.spans[1].warmup_s == 7 && xml.spans[1].duration_s == 7 &&
		    xml.spans[1].cooldown_s == 7);
	assert_true(xml.spans[1].seed == 7 && xml.experiment_flags == 7 && xml.format == DS_XML);
	assert_true(xml.verbose && xml.verbose_stats);
	parsed_fini(&p);
	ds_profile_fini(&xml);
}

/* Settings that only a profile has, and the names of their elements. */
static void test_elements(void **state)
{
	struct ds_check_cfg c = { .xml_names = true, .allow_templates = true };
	struct ds_thread_target tt = { .thread = 2 };
	struct ds_profile xml;
	struct diag d = { 0 };

	(void)state;
	make_xml(&xml);
	assert_int_equal(ds_profile_check(&c, &xml, NULL, &d), 0);
	xml.spans[1].targets[2].thread_stride = 4096;
	assert_int_not_equal(ds_profile_check(&c, &xml, NULL, &d), 0);
	assert_true(says_all(diag_text(&d), "time span 2 & fixed.dat & <ThreadStride>"));
	diag_fini(&d);
	xml.spans[1].targets[2].thread_stride = 0;
	xml.spans[0].targets[1].thread_targets = &tt;
	xml.spans[0].targets[1].nthread_targets = 1;
	assert_int_not_equal(ds_profile_check(&c, &xml, NULL, &d), 0);
	assert_true(says_all(diag_text(&d), "<ThreadTargets> needs & *2"));
	diag_fini(&d);
	xml.spans[0].threads = 2;
	xml.spans[0].requests = 4;
	assert_int_not_equal(ds_profile_check(&c, &xml, NULL, &d), 0);
	assert_true(says_all(diag_text(&d), "<Thread>2</Thread>"));
	diag_fini(&d);
	xml.spans[0].threads = 3;
	assert_int_equal(ds_profile_check(&c, &xml, NULL, &d), 0);
	c.allow_templates = false;
	assert_int_not_equal(ds_profile_check(&c, &xml, NULL, &d), 0);
	assert_true(says_all(diag_text(&d), "template *1 & -X"));
	diag_fini(&d);
	ds_profile_fini(&xml);
}

/* Rules that only a profile can break. */
struct broken {
	struct ds_span *s;
	struct ds_target *t;
};
#define BREAK(name, ...)                          \
	static void break_##name(struct broken x) \
	{                                         \
		(void)x;                          \
		__VA_ARGS__;                      \
	}
BREAK(path, x.t->path = NULL)
static char bad_template[] = "*x";
BREAK(template, x.t->path = bad_template)
BREAK(block, x.t->block = UINT32_MAX)
BREAK(write, x.t->write_percent = 101)
BREAK(threads, x.t->threads = 0)
BREAK(depth, x.t->depth = 0)
BREAK(shared, x.t->interlocked = true; x.t->random_percent = 100)
BREAK(mapped, x.t->mapped = true; x.t->cache = DS_UNBUFFERED)
BREAK(targets, x.s->ntargets = 0)
BREAK(pool, x.t->pool_size = 512)
BREAK(rate, x.t->rate = 1; x.s->completion_routines = true)
BREAK(burst, x.t->burst_given = true)
BREAK(flush, x.t->flush = DS_FLUSH_VIEW)
BREAK(bypass, x.t->bypass = DS_BYPASS_FULL)
BREAK(threads_all, x.s->threads = 2; x.t->threads = 2)
BREAK(dist, x.t->dist = DS_PERCENT)
BREAK(ring, x.s->io_ring = x.s->completion_routines = true)

/* clang-format off */
static const struct { void (*breaks)(struct broken); const char *says; } rules[] = {
	{ break_path, "time span 2 & <Path>" }, { break_template, "*x & template" }, { break_block, "<BlockSize> & 4G" }, { break_write, "<WriteRatio>" },
	{ break_threads, "<ThreadsPerFile>" }, { break_depth, "<RequestCount>" },
	{ break_shared, "<InterlockedSequential> & <Random>" }, { break_mapped, "<MemoryMappedIo> & <DisableOSCache>" },
	{ break_targets, "time span 2 & no target" }, { break_pool, "<RandomDataSource> & <BlockSize>" },
	{ break_rate, "<Throughput> & <CompletionRoutines>" }, { break_burst, "<BurstSize> & <ThinkTime>" },
	{ break_flush, "<FlushType> & <MemoryMappedIo>" }, { break_bypass, "<BypassIO> & <DisableOSCache>" },
	{ break_threads_all, "<ThreadCount> & <ThreadsPerFile>" }, { break_dist, "<Distribution> & <Random>" },
	{ break_ring, "<IoRing> & <CompletionRoutines>" },
};
/* clang-format on */

static void test_rules(void **state)
{
	struct ds_check_cfg c = { .xml_names = true, .allow_templates = true };

	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		struct ds_profile xml;
		struct diag d = { 0 };

		make_xml(&xml);
		rules[i].breaks((struct broken){ &xml.spans[1], &xml.spans[1].targets[2] });
		if (!ds_profile_check(&c, &xml, NULL, &d) || !says_all(diag_text(&d), rules[i].says))
			fail_msg("want %s, got %s", rules[i].says, diag_text(&d));
		diag_fini(&d);
		ds_profile_fini(&xml);
	}
}

static void test_dialects(void **state)
{
	enum ds_dialect dialect = DS_DIALECT_22;

	(void)state;
	assert_int_not_equal(ds_dialect_of("2.4", &dialect), 0);
	assert_int_equal(dialect, DS_DIALECT_22);
	for (int i = 0; i <= DS_DIALECT_LINUX; i++) {
		assert_int_equal(ds_dialect_of(ds_dialect_name((enum ds_dialect)i), &dialect), 0);
		assert_int_equal(dialect, i);
	}
}

/* Arguments that a table with blanks as separators cannot hold. */
static void test_blanks(void **state)
{
	static const char *const empty[] = { "-b4K", "" }, *const blank[] = { "-b4K", "a b" };
	struct ds_line l;
	struct diag d = { 0 };

	(void)state;
	assert_int_not_equal(ds_line_parse(&l, DS_DIALECT_23, 2, empty, NULL, &d), 0);
	assert_true(says_all(diag_text(&d), "empty argument"));
	diag_fini(&d);
	assert_int_equal(ds_line_parse(&l, DS_DIALECT_23, 2, blank, NULL, &d), 0);
	assert_string_equal(l.profile.spans->targets->path, "a b");
	ds_line_fini(&l);
}

static void test_templates(void **state)
{
	/* clang-format off */
	static const struct { const char *path; int n; } paths[] = {
		{ "a", 0 }, { "", 0 }, { "*1", 1 }, { "*12", 12 }, { "*", -1 }, { "*foo", -1 }, { "*1foo", -1 },
		{ "**1", -1 }, { "*-1", -1 }, { "*0", -1 }, { "*99999999999999", -1 },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_int_equal(ds_template_number(paths[i].path), paths[i].n);
}

int unit_diskspd_line(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accepted),     cmocka_unit_test(test_refused),
		cmocka_unit_test(test_no_arguments), cmocka_unit_test(test_flags),
		cmocka_unit_test(test_usage),        cmocka_unit_test(test_fit),
		cmocka_unit_test(test_apply),        cmocka_unit_test(test_overrides),
		cmocka_unit_test(test_elements),     cmocka_unit_test(test_templates),
		cmocka_unit_test(test_untouched),    cmocka_unit_test(test_rules),
		cmocka_unit_test(test_dialects),     cmocka_unit_test(test_blanks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
