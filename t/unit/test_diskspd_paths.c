/* Which Linux path does a Windows path become, with and without --map? */
#include "diskspd_show.h"
#include "path_map.h"
#include "strbuf.h"

/* clang-format off */
/* Maps separated by blanks; the path; what it becomes, or "!" and words of the refusal. */
static const struct { const char *maps, *path, *want; } paths[] = {
	/* Linux paths stay */
	{ "", "x.dat", "x.dat" },
	{ "", "/mnt/a/x.dat", "/mnt/a/x.dat" },
	{ "", "./x.dat", "./x.dat" },
	{ "", "dir/x.dat", "dir/x.dat" },
	{ "", "/mnt/a\\b", "/mnt/a\\b" },
	{ "", "/dev/sdb", "/dev/sdb" },
	{ "", "#x", "#x" },
	{ "", "ab:c", "ab:c" },
	{ "", "*1", "*1" },
	{ "C:=/mnt", "/C:/x", "/C:/x" },
	/* without a map: the name, here */
	{ "", "C:\\a\\IO.dat", "IO.dat" },
	{ "", "c:\\IO.dat", "IO.dat" },
	{ "", "C:/a/IO.dat", "IO.dat" },
	{ "", "X:diskspd.dat", "diskspd.dat" },
	{ "", "G:\\\\test\\x.dat", "x.dat" },
	{ "", "\\\\srv\\share\\f", "f" },
	{ "", "\\\\srv\\share\\d\\f.dat", "f.dat" },
	{ "", "\\10.1.1.56\\w\\x.dat", "x.dat" },
	{ "", "\\\\?\\C:\\a\\x.dat", "x.dat" },
	{ "", "\\\\?\\UNC\\srv\\share\\f", "f" },
	{ "", "\\\\?\\Volume{a-b}\\d\\f", "f" },
	{ "", ".\\x.dat", "x.dat" },
	{ "", "dir\\x.dat", "dir/x.dat" },
	{ "", "..\\x.dat", "../x.dat" },
	/* never guessed */
	{ "", "X:", "!X: & volume & --map 'X:=" },
	{ "", "x:", "!x: & --map 'X:=" },
	{ "", "#4", "!#4 & physical drive 4 & --map '#4=" },
	{ "", "#4\\x", "!--map '#4=" },
	{ "", "\\\\.\\PhysicalDrive3", "!physical drive 3 & '#3=" },
	{ "", "\\\\.\\X:", "!volume & 'X:=" },
	{ "", "\\\\?\\Volume{a-b}\\", "!is a device of a Windows machine & --map '\\\\?\\Volume{a-b}=/dev/...', or name a file" },
	{ "", "\\\\.\\Volume{a-b}", "!is a device of a Windows machine & --map '\\\\?\\Volume{a-b}=/dev/...', or name a file" },
	{ "", "\\\\.\\Harddisk0Partition1", "!is a device of a Windows machine & --map '\\\\?\\Harddisk0Partition1=/dev/...'" },
	{ "", "\\\\.\\pipe\\x", "!is a device of a Windows machine" },
	{ "", "\\\\?\\GLOBALROOT\\Device\\Harddisk0\\x", "!is a device of a Windows machine" },
	{ "\\\\?\\GLOBALROOT=/mnt/g", "\\\\?\\GLOBALROOT\\Device\\x", "/mnt/g/Device/x" },
	{ "", "C:\\", "!does not name a file" },
	{ "", "C:\\dir\\", "!does not name a file" },
	{ "", "\\\\srv\\share", "!does not name a file" },
	{ "", "\\\\srv", "!does not name a file" },
	{ "", "\\", "!does not name a file" },
	{ "", "dir\\", "!does not name a file" },
	{ "", ".\\", "!does not name a file" },
	{ "", "C:\\a\\..", "!does not name a file" },
	{ "", "C:.", "!does not name a file" },
	/* through a map */
	{ "C:=/mnt/data", "C:\\a\\IO.dat", "/mnt/data/a/IO.dat" },
	{ "c:=/mnt/data", "C:\\a\\IO.dat", "/mnt/data/a/IO.dat" },
	{ "C:=/mnt/data", "c:/a/IO.dat", "/mnt/data/a/IO.dat" },
	{ "C:=/mnt/data/", "C:IO.dat", "/mnt/data/IO.dat" },
	{ "C:\\=/mnt/data", "C:\\IO.dat", "/mnt/data/IO.dat" },
	{ "C:=/", "C:\\IO.dat", "/IO.dat" },
	{ "C:=.", "C:\\IO.dat", "./IO.dat" },
	{ "D:=/mnt/d", "C:\\IO.dat", "IO.dat" },
	{ "C:=/c C:\\data=/fast C:\\data\\x=/x", "C:\\data\\f", "/fast/f" },
	{ "C:=/c C:\\data=/fast", "C:\\DATA\\f", "/fast/f" },
	{ "C:=/c C:\\data=/fast", "C:\\data2\\f", "/c/data2/f" },
	{ "C:\\data\\f=/one", "C:\\data\\f", "/one" },
	{ "X:=/dev/sdb", "X:", "/dev/sdb" },
	{ "#4=/dev/sdb", "#4", "/dev/sdb" },
	{ "#4=/dev/sdb", "#4\\x", "/dev/sdb" },
	{ "#4=/dev/sdb", "\\\\.\\PHYSICALDRIVE4", "/dev/sdb" },
	{ "#4=/dev/sdb", "#44", "!'#44=" },
	{ "\\\\srv\\share=/mnt/s", "\\\\SRV\\share\\a\\f", "/mnt/s/a/f" },
	{ "\\\\srv\\share=/mnt/s", "\\\\srv\\share2\\f", "f" },
	{ "\\\\srv=/mnt/s", "\\\\srv\\share\\f", "/mnt/s/share/f" },
	{ "\\10.1.1.56=/mnt/s", "\\10.1.1.56\\w\\f", "/mnt/s/w/f" },
	{ "\\\\?\\Volume{a-b}=/mnt/v", "\\\\?\\volume{A-B}\\d\\..\\f", "/mnt/v/f" },
	{ "\\\\?\\Volume{a-b}=/dev/sdb", "\\\\.\\Volume{a-b}", "/dev/sdb" },
	{ "\\x.dat=/mnt/x.dat", "\\x.dat", "/mnt/x.dat" },
	{ "C:=/mnt/data", "C:\\..\\..\\etc\\passwd", "/mnt/data/etc/passwd" },
	{ "C:=/mnt/data", "C:\\a\\.\\b\\..\\f", "/mnt/data/a/f" },
	{ "C:=/mnt/data", "C:\\", "!does not name a file" },
	/* maps that are none */
	{ "C:", "x", "!WINDOWS=LINUX" },
	{ "=/mnt", "x", "!WINDOWS=LINUX" },
	{ "C:=", "x", "!WINDOWS=LINUX" },
	{ "/a=/mnt", "x", "!before '='" },
	{ "a=/mnt", "x", "!before '='" },
	{ "C:=/a c:=/b", "x", "!given twice & /a & /b" },
};
/* clang-format on */

static int add_maps(struct ds_map *m, const char *maps, struct diag *d)
{
	char *text = strdup(maps), *save = NULL;
	int ret = 0;

	for (char *w = strtok_r(text, " ", &save); w && !ret; w = strtok_r(NULL, " ", &save))
		ret = ds_map_add(m, w, d);
	free(text);
	return ret;
}

static void test_paths(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct ds_map m = { 0 };
		struct arena mem = { 0 };
		struct diag d = { 0 };
		const char *want = paths[i].want, *got = NULL;

		if (!add_maps(&m, paths[i].maps, &d))
			got = ds_map_path(&m, &mem, paths[i].path, NULL, &d);
		if (*want == '!' ? got || !says_all(diag_text(&d), want + 1) : !got || strcmp(got, want) != 0)
			fail_msg("[%s] %s: want %s, got %s", paths[i].maps, paths[i].path, want,
				 got ? got : diag_text(&d));
		ds_map_fini(&m);
		arena_fini(&mem);
		diag_fini(&d);
	}
}

/* clang-format off */
static const struct { const char *maps; const char *path[3]; const char *want; unsigned notes; } profiles[] = {
	{ "", { "C:\\a.dat", "D:\\b.dat" }, "a.dat b.dat", 2 },
	{ "", { "C:\\a.dat", "D:\\a.dat" }, "!C:\\a.dat & D:\\a.dat & both become a.dat & --map", 2 },
	{ "", { "C:\\a.dat", "c:\\A.dat" }, "a.dat A.dat", 3 },
	{ "C:=/c", { "C:\\a.dat", "c:\\A.dat", "c:\\a.dat" }, "/c/a.dat /c/A.dat /c/a.dat", 1 },
	{ "", { "C:\\a.dat", "C:/a.dat" }, "a.dat a.dat", 2 },
	{ "", { "a.dat", "C:\\a.dat" }, "!both become", 1 },
	{ "", { "./a.dat", "C:\\a.dat" }, "!both become", 1 },
	{ "", { "a.dat", "a.dat" }, "a.dat a.dat", 0 },
	{ "", { "a.dat", "b.dat", "\\\\s\\t\\b.dat" }, "!both become b.dat", 1 },
	{ "C:=/c D:=/d", { "C:\\a.dat", "D:\\a.dat" }, "/c/a.dat /d/a.dat", 0 },
	{ "C:=/c D:=/c", { "C:\\a.dat", "D:\\a.dat" }, "!both become /c/a.dat", 0 },
	{ "C:=/c", { "C:\\a.dat", "D:\\a.dat" }, "/c/a.dat a.dat", 1 },
	{ "#1=/dev/sdb #2=/dev/sdb", { "#1", "#2" }, "!#1 & #2 & /dev/sdb", 0 },
	{ "", { "*1", "*2" }, "*1 *2", 0 },
};
/* clang-format on */

static void make_profile(struct ds_profile *p, const char *const path[3])
{
	struct ds_span *s = ds_profile_init(p);

	assert_non_null(s);
	s->targets = arena_array(&p->mem, 3, sizeof(*s->targets));
	for (; s->ntargets < 3 && path[s->ntargets]; s->ntargets++) {
		ds_target_init(&s->targets[s->ntargets]);
		s->targets[s->ntargets].path = arena_strdup(&p->mem, path[s->ntargets]);
	}
}

static void test_profiles(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
		struct ds_map m = { 0 };
		struct ds_profile p;
		struct diag d = { 0 };
		struct notes notes = { 0 };
		struct strbuf got = { 0 };
		const char *want = profiles[i].want;
		int ret;

		make_profile(&p, profiles[i].path);
		assert_int_equal(add_maps(&m, profiles[i].maps, &d), 0);
		ret = ds_map_profile(&m, &p, &notes, &d);
		for (size_t k = 0; k < p.spans->ntargets; k++)
			strbuf_printf(&got, "%s%s", k ? " " : "", p.spans->targets[k].path);
		if (*want == '!' ? !ret || !says_all(diag_text(&d), want + 1)
				 : ret || strcmp(strbuf_str(&got), want) != 0)
			fail_msg("%s: want %s, got %s, %s", profiles[i].path[0], want, strbuf_str(&got),
				 diag_text(&d));
		assert_int_equal(notes.count, profiles[i].notes);
		ds_map_fini(&m);
		ds_profile_fini(&p);
		diag_fini(&d);
		notes_fini(&notes);
		strbuf_fini(&got);
	}
}

/* What a target was stays with it; files of write data are mapped, too, and are no target. */
static void test_given(void **state)
{
	static const char *const path[3] = { "C:\\a.dat", "b.dat" };
	struct ds_map m = { 0 };
	struct ds_profile p;
	struct diag d = { 0 };
	struct ds_target *t;

	(void)state;
	make_profile(&p, path);
	t = p.spans->targets;
	t[0].pool_file = t[1].pool_file = arena_strdup(&p.mem, "C:\\pool.bin");
	assert_int_equal(ds_map_add(&m, "C:=/c", &d), 0);
	assert_int_equal(ds_map_profile(&m, &p, NULL, &d), 0);
	assert_string_equal(t[0].given_path, "C:\\a.dat");
	assert_null(t[1].given_path);
	assert_string_equal(t[1].pool_file, "/c/pool.bin");
	ds_profile_fini(&p);
	make_profile(&p, path);
	p.spans->targets[1].pool_file = arena_strdup(&p.mem, "C:\\b.dat");
	assert_int_not_equal(ds_map_profile(NULL, &p, NULL, &d), 0);
	assert_true(says_all(diag_text(&d), "both become b.dat"));
	diag_fini(&d);
	ds_profile_fini(&p);
	ds_map_fini(&m);
}

/* The note says which map would put the file elsewhere. */
static void test_notes(void **state)
{
	/* clang-format off */
	static const struct { const char *path, *says; } hints[] = {
		{ "c:\\a\\x.dat", "c:\\a\\x.dat is x.dat in the current directory & --map 'C:=" },
		{ "X:y", "X:y is y & --map 'X:=" },
		{ "\\\\srv\\share\\a\\f", "is f & --map '\\\\srv\\share=" },
		{ "\\10.1.1.56\\w\\f", "is f & --map '\\10.1.1.56=" },
		{ "\\\\?\\Volume{a-b}\\d\\f", "is f & --map '\\\\?\\Volume{a-b}=" },
		{ "\\x.dat", "is x.dat & --map '\\x.dat=/some/directory/x.dat'" },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		struct arena mem = { 0 };
		struct notes notes = { 0 };
		struct diag d = { 0 };

		assert_non_null(ds_map_path(NULL, &mem, hints[i].path, &notes, &d));
		assert_int_equal(notes.count, 1);
		if (!says_all(notes.line[0], hints[i].says))
			fail_msg("want %s, got %s", hints[i].says, notes.line[0]);
		notes_fini(&notes);
		arena_fini(&mem);
	}
}

int unit_diskspd_paths(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_profiles),
		cmocka_unit_test(test_given),
		cmocka_unit_test(test_notes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
