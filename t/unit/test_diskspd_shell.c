/* Which commands does a pasted text have, with prompts, variables and redirects? */
#include "diskspd_show.h"
#include "script.h"
#include "shell.h"
#include "strbuf.h"

/* One pasted line: its arguments, parsed. The error of either step. */
static int parse_pasted(struct ds_line *l, enum ds_dialect dialect, const char *line, struct diag *d)
{
	struct shell_line s;
	int ret = shell_split(&s, line, NULL, d);

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
	{ "diskspd -b4K $x", "$x & only a shell or script knows" },
	{ "diskspd \"$dir\\x\"", "$dir & --define dir=VALUE" },
	{ "diskspd $env:TEMP\\x", "$env:TEMP" },
	{ "diskspd ${x}y", "${x} & only a shell or script knows" },
	{ "diskspd -b$($b)k x", "$($b) & only a shell or script knows" },
	{ "diskspd $(Get-Item x) y", "$(Get-Item x)" },
	{ "diskspd %TEMP%\\x", "%TEMP%" },
	{ "diskspd \"%TEMP%\\x\"", "%TEMP%" },
	{ "diskspd %1", "%1" },
	{ "diskspd %*", "%*" },
	{ "diskspd %~dp0x", "%~dp0" },
	{ "diskspd %%i", "%%i" },
	{ "diskspd !x!", "!x!" },
	{ "diskspd (dir x)", "(dir x)" },
	{ "diskspd @args", "@args" },
	{ "diskspd ~/x", "a shell replaces ~" },
	{ "diskspd <path>", "<path> is a placeholder" },
	{ "diskspd \"a b", "not closed" },
	{ "diskspd x >", "a file is missing after" },
	{ "diskspd -b4K > x.dat", "no target & x.dat" },
	{ "fio x.fio", "begins with fio & must begin with diskspd" },
	{ "for %i in (1 2) do diskspd x", "begins with for & part from diskspd to" },
	{ "cd C:\\diskspd", "no command" },
	{ "C:\\diskspd\\x.dat", "must begin with diskspd" },
	{ "& \"C:\\a b\\fio.exe\" x", "begins with C:\\a b\\fio.exe" },
	{ "REM diskspd x", "no command" },
	{ "", "no command" },
	{ "# only a comment", "no command" },
	{ "&", "begins with nothing" },
};
/* clang-format on */

/* clang-format off */
/* A text, a definition, and its commands "LINE[&|]:ARGUMENTS", one below the other; "!" and words of the error. */
static const struct { const char *text, *define, *want; } scripts[] = {
	/* what the user defines */
	{ "diskspd $testFile", "testFile=/mnt/a b", "1:/mnt/a b" },
	{ "diskspd %TESTFILE%", "testFile=/mnt/a b", "1:/mnt/a b" },
	{ "diskspd \"%testfile%\"", "testFile=/mnt/a b", "1:/mnt/a b" },
	{ "diskspd $dir\\${env:computername}.dat", "COMPUTERNAME=h", "!$dir & --define dir=VALUE" },
	{ "diskspd ${env:computername}.dat", "COMPUTERNAME=h", "1:h.dat" },
	{ "diskspd $env:computername.dat", "COMPUTERNAME=h", "1:h.dat" },
	{ "diskspd x$env:temp", "env:Temp=h", "1:xh" },
	{ "diskspd -b$($b)k x", "b=4", "1:-b4k|x" },
	{ "diskspd -t$t x", "$t=4", "1:-t4|x" },
	{ "diskspd -t%T% x", "%T%=4", "1:-t4|x" },
	{ "diskspd -t%%i x", "i=4", "1:-t4|x" },
	{ "diskspd %1", "1=x y", "1:x y" },
	{ "diskspd %*", "*=-b4K -d1 x", "1:-b4K|-d1|x" },
	{ "diskspd $opts x", "opts=-b4K -d1", "1:-b4K|-d1|x" },
	{ "diskspd @opts x", "opts=-b4K -d1", "1:-b4K|-d1|x" },
	{ "diskspd '$x'", "x=y", "1:$x" },
	{ "& $exe x", "exe=C:\\diskspd.exe", "1:x" },
	{ "& $exe x", "exe=C:\\fio.exe", "!begins with C:\\fio.exe" },
	{ "%EXE% -b4K x", "x=y", "!%EXE% & --define EXE=VALUE" },
	{ "diskspd $a\ndiskspd %B% $A\ndiskspd $c $(Get-Item d)", "x=y",
	  "!$a (line 1), %B% (line 2), $c (line 3), $(Get-Item d) (line 3): & use --define a=VALUE --define B=VALUE --define c=VALUE --define '$(Get-Item d)=VALUE', or" },
	{ "diskspd %DATE:~0,4%", "x=y", "!%DATE:~0,4%: & write the value in the line" },
	{ "diskspd x > %TEMP%\\o-$(Get-Date -f yyyy).txt", "x=y", "1:x|>%TEMP%\\o-$(Get-Date -f yyyy).txt" },
	/* what scripts assign */
	{ "$exe = \"C:\\a b\\diskspd.exe\"\n& $exe -b4K x", "x=y", "2:-b4K|x" },
	{ "$exe = '.\\diskspd.exe'; & $exe -b4K x", "x=y", "1:-b4K|x" },
	{ "$exe = \"$PSScriptRoot\\diskspd.exe\"\n& $exe -b4K x", "x=y", "2:-b4K|x" },
	{ "$e = \"C:\\fio.exe\"\n& $e -b4K x", "x=y", "!line 2 & begins with C:\\fio.exe" },
	{ "$f = \"E:\\x y\"\ndiskspd $f", "x=y", "2:E:\\x y" },
	{ "$f = \"E:\\x y\"\ndiskspd $f", "f=/z", "2:/z" },
	{ "$d = 'E:\\t'\n$f = \"$d\\x\"\ndiskspd \"$f\"", "x=y", "3:E:\\t\\x" },
	{ "[int]$t = 4\ndiskspd -t$t x", "x=y", "2:-t4|x" },
	{ "$f = Join-Path $d 'x'\ndiskspd $f", "x=y", "!$f (line 2)" },
	{ "$p = \"-b4K\", \"-d1\"\n& diskspd $p 'a b'", "x=y", "2:-b4K|-d1|a b" },
	{ "$p = @(\n  '-b4K'\n  '-d1'\n  'a b'\n)\n& diskspd @p", "x=y", "6:-b4K|-d1|a b" },
	{ "$p = '-b4K -d1'\ncmd /c \"diskspd $p x\"", "x=y", "2:-b4K|-d1|x" },
	{ "set F=E:\\x\r\nset \"G=E:\\a b\"\r\ndiskspd %F% \"%g%\"\r\n", "x=y", "3:E:\\x|E:\\a b" },
	{ "set OPT=-b4K -d1& set F=x\ndiskspd %OPT% %F%", "x=y", "2:-b4K|-d1|x" },
	{ "set D=E:\\t\nset F=%D%\\x\ndiskspd %F%", "x=y", "3:E:\\t\\x" },
	{ "set EXE=\"C:\\a b\\diskspd.exe\"\n%EXE% -b4K x", "x=y", "2:-b4K|x" },
	{ "set CMD=diskspd -b4K\n%CMD% x", "x=y", "2:-b4K|x" },
	{ "F=/mnt/x; diskspd -b4K $F", "x=y", "1:-b4K|/mnt/x" },
	{ "export F=\"/mnt/a b\"\nX=1 diskspd \"$F\"", "x=y", "2:/mnt/a b" },
	{ "$out = & diskspd -b4K x\n$out | Out-File o.txt", "x=y", "1:-b4K|x" },
	/* arithmetic is computed, or the name has no value */
	{ "$d = 30*60\ndiskspd -d$d x", "x=y", "2:-d1800|x" },
	{ "$d = 5 * 60 # five minutes\n$w = ($d + 12) / 4\ndiskspd -d$d -W$w x", "x=y", "3:-d300|-W78|x" },
	{ "$m = 2; $d = $m*60; diskspd -d$d x", "x=y", "1:-d120|x" },
	{ "$b = 64KB #65536\n$n = 0x10\ndiskspd -b$b -o$n x", "x=y", "3:-b65536|-o16|x" },
	{ "diskspd -d$(30*60) -o$((2+2)) x", "x=y", "1:-d1800|-o4|x" },
	{ "$d = 60; $d += 30; $d *= 2; $d++\ndiskspd -d$d x", "x=y", "2:-d181|x" },
	{ "$n = $env:NUMBER_OF_PROCESSORS * 2\ndiskspd -t$n x", "NUMBER_OF_PROCESSORS=4", "2:-t8|x" },
	{ "set /a D=30*60\nset /a D+=5\ndiskspd -d%D% x", "x=y", "3:-d1805|x" },
	{ "d=5; diskspd -d$((d*60)) x", "x=y", "1:-d300|x" },
	{ "[int]$a = \"5\"; $d = $a + 1; diskspd -d$d x", "x=y", "1:-d6|x" },
	{ "$a = \"5\"; $d = $a + 1; diskspd -d$d x", "x=y", "!$d & --define d=VALUE" },
	{ "$d = 7/2\ndiskspd -d$d x", "x=y", "!$d (line 2)" },
	{ "$d = 9223372036854775807 + 1\ndiskspd -d$d x", "x=y", "!$d (line 2)" },
	{ "$d = 1/0\ndiskspd -d$d x", "x=y", "!$d (line 2)" },
	{ "$d = 1..8\ndiskspd -o$d x", "x=y", "!$d (line 2)" },
	{ "$d = $x.Count\ndiskspd -o$d x", "x=30", "!$d (line 2)" },
	{ "$p = \"-b4K\"; $p += \" -d1\"; diskspd $p x", "x=y", "!$p & --define p=VALUE" },
	{ "set D=60\nset /p D=seconds?\ndiskspd -d%D% x", "x=y", "!%D% (line 3)" },
	/* an expression is defined by its text */
	{ "diskspd -b4K (dir C:\\run\\testfile?.dat)", "x=y", "!--define '(dir C:\\run\\testfile?.dat)=VALUE'" },
	{ "diskspd -b4K (dir C:\\run\\testfile?.dat)", "(dir C:\\run\\testfile?.dat)=a.dat b.dat", "1:-b4K|a.dat|b.dat" },
	{ "diskspd -b4K $(Get-Item d)", "$(Get-Item d)=a.dat", "1:-b4K|a.dat" },
	/* commands of other programs are skipped, unless no command of DISKSPD remains */
	{ "Revoke-AzDiskAccess -Name x\nfc.exe a b | more\nmake\n#65336 is a remark\ndiskspd x\n"
	  "> out.txt\npowershell \"Get-Date\"\ndiskspd y", "x=y", "5:x\n8:y" },
	{ "$e = \"C:\\fio.exe\"\n& $e a.fio\ndiskspd x", "x=y", "3:x" },
	{ "make; diskspd x", "x=y", "1:x" },
	{ "diskpsd.exe -b4K x\ndiskspd y", "x=y", "!line 1 & begins with diskpsd.exe" },
	{ "frob | diskspd x", "x=y", "!begins with frob" },
	{ "make\nfc.exe a b", "x=y", "!line 1 & begins with make" },
	{ "Start-Job {\ndiskspd x\n}", "x=y", "!line 1 & begins with Start-Job" },
	{ "Start-Process diskspd.exe x\ndiskspd y", "x=y", "!line 1 & begins with Start-Process" },
	/* one after the other */
	{ "diskspd x && diskspd y", "x=y", "1:x\n1&:y" },
	{ "diskspd x || diskspd y", "x=y", "1:x\n1|:y" },
	{ "diskspd x; diskspd y", "x=y", "1:x\n1:y" },
	{ "diskspd x & diskspd y & pause", "x=y", "1:x\n1:y" },
	{ "diskspd x | Out-File o.txt; & diskspd y", "x=y", "1:x (Out-File o.txt)\n1:y" },
	{ "diskspd x & frob o.txt & diskspd y", "x=y", "1:x (frob o.txt)\n1:y" },
	{ "diskspd -d1 x | ? { $_ -match \"total: a;b\" } | tee o", "x=y", "1:-d1|x (? { $_ -match \"total: a;b\" } | tee o)" },
	{ "cd C:\\diskspd && diskspd x && pause", "x=y", "1:x" },
	{ "mkdir E:\\t 2>&1 & diskspd x", "x=y", "1:x" },
	{ "diskspd x\nexit /b\ndiskspd y", "x=y", "1:x" },
	{ "diskspd x || exit /b 1\ndiskspd y", "x=y", "1:x\n2:y" },
	/* what starts nothing */
	{ "@echo off\ntitle diskspd test\npause\nStart-Sleep -s 5\nNew-Item C:\\diskspd -Force\ntimeout /t 5 >nul\ndiskspd x\npause>nul",
	  "x=y", "7:x" },
	{ "#!/bin/sh\nset -e\n<# help\n diskspd a\n#>\n$i = 0\n$i++\ndiskspd x", "x=y", "8:x" },
	{ "```powershell\ndiskspd x\n```\n- `diskspd y`\n1. diskspd z\n", "x=y", "2:x\n4:y\n5:z" },
	{ "if not exist C:\\t mkdir C:\\t\n:again\ndiskspd x", "x=y", "3:x" },
	{ "Command Line: diskspd -b4K x", "x=y", "1:-b4K|x" },
	{ "[srv1]: PS C:\\Users\\me> diskspd x", "x=y", "1:x" },
	{ "mkdir x || diskspd y", "x=y", "1:y" },
	{ "echo y | diskspd -b4K x", "x=y", "1:-b4K|x" },
	{ "$r = .\\diskspd.exe -Rxml x\n$x = [xml]$r\n$x.Results", "x=y", "1:-Rxml|x" },
	{ "sudo -u root ./diskspd -b4K x", "x=y", "1:-b4K|x" },
	{ "powershell -ExecutionPolicy Bypass -Command \"& 'C:\\diskspd.exe' -b4K x\"", "x=y", "1:-b4K|x" },
	{ "\"diskspd -b4K x\"", "x=y", "1:-b4K|x" },
	{ "iex 'diskspd -b4K x'", "x=y", "1:-b4K|x" },
	{ "bash-5.1# diskspd -b4K x", "x=y", "1:-b4K|x" },
	{ "& (Join-Path $d diskspd.exe) -b4K x", "x=y", "1:-b4K|x" },
	{ "diskspd -b4K x REM y", "x=y", "1:-b4K|x" },
	{ "diskspd -b4K x // y", "x=y", "1:-b4K|x" },
	{ "diskspd -b4K x #65336", "x=y", "1:-b4K|x" },
	{ "diskspd -w30 x #70% reads\ndiskspd y #4", "x=y", "1:-w30|x\n2:y|#4" },
	{ ">diskspd.exe -b4K x", "x=y", "1:-b4K|x" },
	{ "\xe2\x80\x9c" "C:\\a b\\diskspd.exe\xe2\x80\x9d -b4K x", "x=y", "1:-b4K|x" },
	/* what is not followed */
	{ "$o = $(diskspd -b4K x)", "x=y", "!$o & runs the program" },
	{ "Start-Process diskspd.exe -ArgumentList '-b4K x'", "x=y", "!begins with Start-Process & part from diskspd to" },
	{ "for %%i in (1 2) do diskspd -t%%i x", "x=y", "!for: loops and conditions & --to-sweep & fiord sweep" },
	{ "\nforeach ($b in 4,8) {\n diskspd -b$($b)K x\n}", "x=y", "!line 2 & foreach: loops & --to-sweep" },
	{ "1..3 | ForEach-Object { diskspd -w$_ x }", "x=y", "!1..3: loops & --to-sweep" },
	{ "if (Test-Path x) { diskspd x }", "x=y", "!if: loops and conditions" },
	{ "try { diskspd x } catch { }", "x=y", "!begins with try" },
	{ "1..5 | % { diskspd x }", "x=y", "!1..5 & loops and conditions" },
	{ "diskspd -b4K -d60\n-t4 -r x", "x=y", "!line 2 & line 1 has no target" },
	{ "diskspd -b4K -d60\nC:\\t\\x.dat", "x=y", "!line 2 & begins with C:\\t\\x.dat" },
	{ "\n\n", "x=y", "!no command line" },
	/* letters */
	{ "diskspd \xe2\x80\x93" "b4K \xe2\x88\x92" "d1 \xe2\x80\x9c" "a b\xe2\x80\x9d", "x=y", "1:-b4K|-d1|a b" },
	{ "diskspd \xe2\x80\x98" "a $b\xe2\x80\x99", "x=y", "1:a $b" },
	{ "diskspd \x96" "b4K \x93" "a b\x94", "x=y", "1:-b4K|a b" },
	{ "diskspd\xe2\x80\x83-b4K\xe3\x80\x80x", "x=y", "1:-b4K|x" },
	{ "\xef\xbb\xbf" "diskspd \xe2\x80\xaa" "C:\\x", "x=y", "1:C:\\x" },
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

		if (shell_split(&s, good[i].line, NULL, &d))
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

		if (!shell_split(&s, bad[i].line, NULL, &d))
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
	static const unsigned lines[] = { 8, 11, 14, 16, 18 };
	struct shell_vars vars = { 0 };
	struct script script;
	struct diag d = { 0 };

	(void)state;
	if (script_read(&script, text, &vars, &d))
		fail_msg("%s", diag_text(&d));
	assert_int_equal(script.n, sizeof(want) / sizeof(want[0]));
	for (size_t i = 0; i < script.n; i++) {
		struct strbuf b = { 0 };

		join(&b, &script.v[i].command);
		assert_string_equal(strbuf_str(&b), want[i]);
		assert_int_equal(script.v[i].line, lines[i]);
		strbuf_fini(&b);
	}
	script_fini(&script);
	shell_vars_fini(&vars);
}

/* The commands of a script, as in the table. */
static void put_script(struct strbuf *b, const struct script *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct script_command *c = &s->v[i];

		strbuf_printf(b, "%s%u%s:", i ? "\n" : "", c->line,
			      c->condition == SHELL_AND  ? "&"
			      : c->condition == SHELL_OR ? "|"
							 : "");
		for (int k = 0; k < c->command.argc; k++)
			strbuf_printf(b, "%s%s", k ? "|" : "", c->command.argv[k]);
		if (c->command.redirect)
			strbuf_printf(b, "|>%s", c->command.redirect);
		if (c->skipped)
			strbuf_printf(b, " (%s)", c->skipped);
	}
}

static bool script_gives(const char *bytes, size_t len, const char *define, const char *want)
{
	struct shell_vars vars = { 0 };
	struct strbuf text = { 0 }, got = { 0 };
	struct script s = { 0 };
	struct diag d = { 0 };
	bool right;

	assert_int_equal(shell_vars_define(&vars, define, &d), 0);
	if (encoding_decode(bytes, len, &text, &d) || script_read(&s, strbuf_str(&text), &vars, &d)) {
		right = *want == '!' && says_all(diag_text(&d), want + 1);
	} else {
		put_script(&got, &s);
		right = !strcmp(strbuf_str(&got), want);
	}
	if (!right)
		print_error("%s\n  want %s\n  got  %s%s\n", strbuf_str(&text), want, strbuf_str(&got),
			    diag_text(&d));
	script_fini(&s);
	shell_vars_fini(&vars);
	strbuf_fini(&text);
	strbuf_fini(&got);
	diag_fini(&d);
	return right;
}

static void test_scripts(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
		wrong += !script_gives(scripts[i].text, strlen(scripts[i].text), scripts[i].define,
				       scripts[i].want);
	assert_int_equal(wrong, 0);
}

/* clang-format off */
/* Loops, and the sweep that does the same. Of a refusal the words of the error. */
static const struct { const char *script, *want; } sweeps[] = {
	{ "for /L %%i in (1,1,4) do diskspd -t%%i -b4K x", "--sweep -t=1,2,3,4 : -b4K x" },
	{ "for /L %o in (8,-2,2) do @diskspd -o%o x > %o.txt", "--sweep -o=8,6,4,2 : x" },
	{ "for %%b in (4K 64K) do (\n for %%o in (1,2) do (\n  diskspd -b%%b -o%%o x\n )\n)\npause", "--sweep -b=4K,64K --sweep -o=1,2 : x" },
	{ "set S=4K 8K\nfor %%b in (%S%) do diskspd -b%%b x", "--sweep -b=4K,8K : x" },
	{ "1..3 | ForEach-Object { diskspd -w$_ x }", "--sweep -w=1,2,3 : x" },
	{ "$o = 8,2\n$o | % { diskspd -o$_ x }", "--sweep -o=8,2 : x" },
	{ "foreach ($o in 3..1) { diskspd \"-o$o\" 'a b' }", "--sweep -o=3,2,1 : 'a b'" },
	{ "foreach ($b in 4KB,0x400) { diskspd -b$b x }", "--sweep -b=4096,1024 : x" },
	{ "foreach ($b in 4,8) { diskspd -b$($b)K -r${b}K x }", "!loop of b & more than one argument" },
	{ "foreach ($b in 4,8) { diskspd -b${b}K x }", "--sweep -b=4K,8K : x" },
	{ "$s = @('4K', \"64K\")\n# foreach ($c in 1..3) {\nforeach ($b in $s)\n{\n foreach($o in 1..2){ diskspd -b$b -o$o -c1G D:\\x | Out-File \"$b.txt\"\n }\n} | tee o", "--sweep -b=4K,64K --sweep -o=1,2 : -c1G 'D:\\x'" },
	{ "for t in 1 2 4; do diskspd -t$t x; done", "--sweep -t=1,2,4 : x" },
	{ "s=\"4K 8K\"\nfor b in $s\ndo\n diskspd -b$b x\ndone", "--sweep -b=4K,8K : x" },
	{ "foreach ($c in 'u','h') { diskspd -S$c x }", "--sweep -S=u,h : x" },
	{ "foreach ($t in 1..3) { diskspd x$t }", "!loop of t & no flag with its value" },
	{ "foreach ($t in 1..3) { diskspd -rdpct$t/10 x }", "!loop of t & no flag with its value" },
	{ "foreach ($a in 1..3) { foreach ($b in 1..3) { diskspd -t$a$b x } }", "!loop of a & no flag with its value" },
	{ "foreach ($t in 1..3) { diskspd x }", "!loop of t & changes no flag" },
	{ "foreach ($t in 1..3) { diskspd -t$t x; diskspd y }", "!2 DISKSPD lines" },
	{ "foreach ($t in 1..3) { $u = $t * 2; diskspd -t$u x }", "!$u & --define u=VALUE" },
	{ "\nforeach ($t in $n) { diskspd -t$t x }", "!line 2: the loop of t & values" },
	{ "foreach ($t in 1..$n) { diskspd -t$t x }", "!the loop of t & values" },
	{ "foreach ($t in 1..65) { diskspd -t$t x }", "!the loop of t & at most 64" },
	{ "foreach ($a in '0,1','2,3') { diskspd -a$a x }", "!the loop of a & values" },
	{ "for /L %o in (-9223372036854775808,-1,9223372036854775807) do diskspd -o%o x", "!the loop of o & values" },
	{ "foreach ($t in 1..3) { diskspd -t$t x", "!line 1: the loop of t & no end" },
	{ "for ($i = 1; $i -le 4; $i++) { diskspd -o$i x }", "!for: loops and conditions" },
	{ "while ($true) { diskspd x }", "!while: loops and conditions" },
	{ "diskspd x", "!no loop" },
};
/* clang-format on */

static bool sweeps_as(const char *text, const char *want)
{
	struct strbuf flat = { 0 }, got = { 0 }, line = { 0 };
	struct script_loops loops;
	struct shell_vars vars = { 0 };
	struct script s = { 0 };
	struct diag d = { 0 };
	bool right;

	if (script_remove_loops(&loops, text, &vars, &flat, &d) ||
	    script_read(&s, strbuf_str(&flat), &vars, &d) || script_sweep(&loops, &s, &got, &line, &d)) {
		right = *want == '!' && says_all(diag_text(&d), want + 1);
	} else {
		strbuf_printf(&got, " :%s", strbuf_str(&line));
		right = !strcmp(strbuf_str(&got) + 1, want);
	}
	if (!right)
		print_error("%s\n  want %s\n  got  %s%s\n", text, want, strbuf_str(&got), diag_text(&d));
	script_fini(&s);
	script_loops_fini(&loops);
	shell_vars_fini(&vars);
	strbuf_fini(&flat);
	strbuf_fini(&got);
	strbuf_fini(&line);
	diag_fini(&d);
	return right;
}

static void test_sweeps(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(sweeps) / sizeof(sweeps[0]); i++)
		wrong += !sweeps_as(sweeps[i].script, sweeps[i].want);
	assert_int_equal(wrong, 0);
}

/* UTF-16 of either order, with a mark and without one. */
static void test_utf16(void **state)
{
	static const char text[] = "diskspd \"a b\"\r\n";

	(void)state;
	for (int big = 0; big < 2; big++) {
		char bytes[2 * sizeof(text)];
		size_t n = 2 * (sizeof(text) - 1);

		bytes[0] = big ? '\xfe' : '\xff';
		bytes[1] = big ? '\xff' : '\xfe';
		for (size_t i = 0; i < sizeof(text) - 1; i++) {
			bytes[2 + 2 * i + big] = text[i];
			bytes[3 + 2 * i - big] = '\0';
		}
		assert_true(script_gives(bytes, 2 + n, "x=y", "1:a b"));
		assert_true(script_gives(bytes + 2, n, "x=y", "1:a b"));
		assert_true(script_gives(bytes, 1 + n, "x=y", "!not a text"));
	}
	assert_true(script_gives("diskspd a\0b", 11, "x=y", "!not a text"));
}

int unit_diskspd_shell(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cmdlines), cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),      cmocka_unit_test(test_lines),
		cmocka_unit_test(test_scripts),  cmocka_unit_test(test_sweeps),
		cmocka_unit_test(test_utf16),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
