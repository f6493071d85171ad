#include "ds_show.h"
#include "shell.h"

/* One pasted line: its arguments, parsed. The error of either step. */
static int parse_pasted(struct ds_line *l, enum ds_dialect dialect, const char *line, struct diag *d)
{
	struct shell_line s;
	int ret = shell_split(&s, line, d);

	if (!ret)
		ret = ds_line_parse(l, dialect, s.argc, (const char *const *)s.argv, NULL, d);
	shell_fini(&s);
	return ret;
}

static bool as_expected(const char *line, const char *want)
{
	bool refused = *want == '!', port = !strncmp(want, "=linux-port ", 12), good;
	struct ds_line l;
	struct diag d = { 0 };
	struct strbuf got = { 0 };
	int ret = parse_pasted(&l, port ? DS_DIALECT_LINUX : DS_DIALECT_23, line, &d);

	want = strchr(want, ' ') + 1;
	if (!ret)
		ds_show(&got, &l);
	good = refused ? ret && says_all(diag_text(&d), want) : !ret && !strcmp(strbuf_str(&got), want);
	if (!good)
		print_error("%s\n  want %s\n  got  %s%s\n", line, want, strbuf_str(&got),
			    ret ? diag_text(&d) : "");
	if (!ret)
		ds_line_fini(&l);
	diag_fini(&d);
	strbuf_fini(&got);
	return good;
}

/* The published lines, each with what it means. */
static void test_cmdlines(void **state)
{
	char *text = ds_table("cmdlines.txt"), *save = NULL;
	const char *line = NULL;
	unsigned lines = 0, bad = 0;

	(void)state;
	for (char *row = strtok_r(text, "\n", &save); row; row = strtok_r(NULL, "\n", &save)) {
		if (*row == '#')
			continue;
		if (*row != '=' && *row != '!') {
			line = row;
			lines++;
			continue;
		}
		assert_non_null(line);
		bad += !as_expected(line, row);
	}
	free(text);
	assert_int_equal(lines, 105);
	assert_int_equal(bad, 0);
}

/* clang-format off */
static const struct { const char *line, *args; } good[] = {
	/* prompts and programs */
	{ "diskspd x", "x" },
	{ "DISKSPD.EXE x", "x" },
	{ "PS C:\\> diskspd x", "x" },
	{ "PS C:\\Program Files\\a> .\\diskspd.exe -b4K x", "-b4K|x" },
	{ "PS> diskspd x", "x" },
	{ "C:\\>diskspd x", "x" },
	{ "C:\\tools> diskspd.exe x", "x" },
	{ "C:\\Users\\a b>diskspd x", "x" },
	{ "C:\\tools\\diskspd.exe -d1 x>out.txt", "-d1|x|>out.txt" },
	{ "$ diskspd x", "x" },
	{ "# diskspd -b4K x", "-b4K|x" },
	{ "# ./diskspd /dev/sdb", "/dev/sdb" },
	{ "user@host:~/a$ diskspd x", "x" },
	{ "[root@host tmp]# diskspd x", "x" },
	{ "> diskspd x", "x" },
	{ "& $exe -b4K x", "-b4K|x" },
	{ "& \"C:\\Program Files\\diskspd.exe\" -b4K x", "-b4K|x" },
	{ "& '.\\diskspd.exe' -b4K x", "-b4K|x" },
	{ "$DiskSpd -b4K x", "-b4K|x" },
	{ "%diskspd% -b4K x", "-b4K|x" },
	{ "$out = & $exe -b4K x", "-b4K|x" },
	{ "$r = .\\diskspd.exe -b4K x", "-b4K|x" },
	{ "[xml]$r = .\\diskspd.exe -b4K x", "-b4K|x" },
	{ "cd C:\\diskspd && diskspd -b4K x", "-b4K|x" },
	{ "C:\\> cd C:\\diskspd & diskspd -b4K x", "-b4K|x" },
	{ "cmd /c diskspd -b4K x", "-b4K|x" },
	{ "cmd.exe /s /c \"diskspd -b4K x > out\"", "-b4K|x|>out" },
	{ "cmd /c \"C:\\a b\\diskspd.exe\" -b4K x", "-b4K|x" },
	{ "cmd /c \"\"C:\\a b\\diskspd.exe\" -b4K \"a b\"\"", "-b4K|a b" },
	{ "start /wait diskspd -b4K x", "-b4K|x" },
	{ "call diskspd -b4K x", "-b4K|x" },
	{ "@diskspd -b4K x", "-b4K|x" },
	{ "sudo ./diskspd -b4K x", "-b4K|x" },
	{ "fiord diskspd -b4K x", "-b4K|x" },
	{ "C:\\DiskSpd-2.0.21a\\amd64\\diskspd64.exe x", "x" },
	{ "-b4K x", "-b4K|x" },
	{ "  \t-b4K\t x  ", "-b4K|x" },
	{ "\xc2\xa0" "diskspd\xc2\xa0-b4K x", "-b4K|x" },
	{ "\xef\xbb\xbf" "diskspd x", "x" },
	/* words */
	{ "diskspd \"C:\\a b\\x.dat\"", "C:\\a b\\x.dat" },
	{ "diskspd 'C:\\a b\\$x.dat'", "C:\\a b\\$x.dat" },
	{ "diskspd C:\\\"a b\"\\x", "C:\\a b\\x" },
	{ "diskspd \xe2\x80\x9c" "a b\xe2\x80\x9d", "a b" },
	{ "diskspd it's", "it's" },
	{ "diskspd /mnt/a\\ b\\$", "/mnt/a b$" },
	{ "diskspd C:\\a\\ b", "C:\\a\\|b" },
	{ "diskspd \"\" x", "|x" },
	{ "diskspd \"D:\\\" x", "D:\\|x" },
	{ "diskspd \\\\srv\\c$\\x", "\\\\srv\\c$\\x" },
	{ "diskspd 100%a", "100%a" },
	{ "diskspd -w50% x", "-w50%|x" },
	{ "diskspd a`$b", "a$b" },
	{ "diskspd a^&b", "a&b" },
	{ "diskspd a^b", "a^b" },
	{ "diskspd #4", "#4" },
	{ "diskspd *1", "*1" },
	{ "diskspd -b4K x # a comment", "-b4K|x" },
	{ "diskspd --% -b4K x", "-b4K|x" },
	{ "diskspd x `", "x" },
	{ "diskspd x ^", "x" },
	{ "diskspd -Z20M,a.bin x, y", "-Z20M,a.bin|x,|y" },
	{ "diskspd {tempFile}", "{tempFile}" },
	/* redirects and what follows */
	{ "diskspd x > out.txt", "x|>out.txt" },
	{ "diskspd x >> out.txt", "x|>out.txt" },
	{ "diskspd x>out.txt", "x|>out.txt" },
	{ "diskspd > out.txt x", "x|>out.txt" },
	{ "diskspd x > \"a b.txt\" 2>&1", "x|>a b.txt" },
	{ "diskspd x 2>err.txt", "x" },
	{ "diskspd x 1>out.txt", "x|>out.txt" },
	{ "diskspd x *> out.txt", "x|>out.txt" },
	{ "diskspd -t2 x 2>&1 | tee log", "-t2|x||tee log" },
	{ "diskspd x | Out-File -Encoding ascii o.txt", "x||Out-File -Encoding ascii o.txt" },
	{ "diskspd x; diskspd y", "x||diskspd y" },
	{ "diskspd x && diskspd y", "x||diskspd y" },
	{ "diskspd x &", "x" },
	{ "diskspd x < in", "x" },
	{ "diskspd -Xp.xml > out.txt", "-Xp.xml|>out.txt" },
	{ "diskspd -? > out.txt", "-?|>out.txt" },
};

static const struct { const char *line, *says; } bad[] = {
	{ "diskspd -b4K $x", "$x & fills in" },
	{ "diskspd \"$dir\\x\"", "$dir & single quotes" },
	{ "diskspd $env:TEMP\\x", "$env:TEMP" },
	{ "diskspd ${x}y", "${x} & fills in" },
	{ "diskspd -b$($b)k x", "$($b) & fills in" },
	{ "diskspd $(Get-Item x) y", "$(Get-Item x)" },
	{ "diskspd %TEMP%\\x", "%TEMP%" },
	{ "diskspd \"%TEMP%\\x\"", "%TEMP%" },
	{ "diskspd %1", "%1" },
	{ "diskspd %*", "%*" },
	{ "diskspd %~dp0x", "%~dp0x" },
	{ "diskspd %%i", "%%i" },
	{ "diskspd !x!", "!x!" },
	{ "diskspd (dir x)", "(dir x)" },
	{ "diskspd @args", "@args" },
	{ "diskspd ~/x", "~ is something" },
	{ "diskspd <path>", "<path> stands for" },
	{ "diskspd \"a b", "not closed" },
	{ "diskspd x >", "nothing stands behind" },
	{ "diskspd -b4K > x.dat", "no target & x.dat" },
	{ "fio x.fio", "begins with fio & should begin with diskspd" },
	{ "for %i in (1 2) do diskspd x", "begins with for & part from diskspd on" },
	{ "cd C:\\diskspd", "no command" },
	{ "C:\\diskspd\\x.dat", "should begin with diskspd" },
	{ "& \"C:\\a b\\fio.exe\" x", "begins with C:\\a b\\fio.exe" },
	{ "REM diskspd x", "no command" },
	{ "", "no command" },
	{ "# only a comment", "no command" },
	{ "&", "begins with nothing" },
};
/* clang-format on */

/* Arguments joined by |, then "|>redirect" and "||rest". */
static void join(struct strbuf *b, const struct shell_line *s)
{
	for (int i = 0; i < s->argc; i++)
		strbuf_printf(b, "%s%s", i ? "|" : "", s->argv[i]);
	if (s->redirect)
		strbuf_printf(b, "|>%s", s->redirect);
	if (s->rest)
		strbuf_printf(b, "||%s", s->rest);
}

static void test_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct strbuf b = { 0 };
		struct shell_line s;
		struct diag d = { 0 };

		if (shell_split(&s, good[i].line, &d))
			fail_msg("%s: %s", good[i].line, diag_text(&d));
		assert_null(s.argv[s.argc]);
		join(&b, &s);
		if (strcmp(strbuf_str(&b), good[i].args) != 0)
			fail_msg("%s: want %s, got %s", good[i].line, good[i].args, strbuf_str(&b));
		strbuf_fini(&b);
		shell_fini(&s);
	}
}

static void test_bad(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct shell_line s;
		struct diag d = { 0 };

		if (!shell_split(&s, bad[i].line, &d))
			fail_msg("%s is accepted", bad[i].line);
		if (!says_all(diag_text(&d), bad[i].says))
			fail_msg("%s: want %s, got %s", bad[i].line, bad[i].says, diag_text(&d));
		shell_fini(&s);
		diag_fini(&d);
	}
}

/* A whole script: which commands it has. */
static void test_lines(void **state)
{
	static const char text[] =
		"@echo off\r\nset X=1\r\ncd C:\\diskspd\r\nREM a comment ^\r\n\r\n:: another\r\n# and one\n"
		"diskspd -b4K ^\r\n  -t2 ^\r\n  x.dat\r\n"
		"PS C:\\> .\\diskspd.exe -b8K `  \n>> -t4 `\n>> y.dat\n"
		"$ diskspd -b16K \\\n> -r z.dat\n"
		"diskspd D:\\\n# diskspd the program measures disks\n-b1K last";
	/* clang-format off */
	static const char *const want[] = { "-b4K|-t2|x.dat", "-b8K|-t4|y.dat", "-b16K|-r|z.dat", "D:\\", "-b1K|last" };
	/* clang-format on */
	const char *at = text;
	size_t n = 0;

	(void)state;
	for (char *line; (line = shell_next(&at)); n++) {
		struct strbuf b = { 0 };
		struct shell_line s;
		struct diag d = { 0 };

		assert_true(n < sizeof(want) / sizeof(want[0]));
		if (shell_split(&s, line, &d))
			fail_msg("%s: %s", line, diag_text(&d));
		join(&b, &s);
		assert_string_equal(strbuf_str(&b), want[n]);
		strbuf_fini(&b);
		shell_fini(&s);
		free(line);
	}
	assert_int_equal(n, sizeof(want) / sizeof(want[0]));
	assert_int_equal(*at, '\0');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cmdlines),
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
