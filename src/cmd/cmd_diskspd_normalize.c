/* cmd_diskspd_normalize.c: corrects arguments as users type or paste them into a shell: with the
   program's name in front, as one argument, or with backslashes that the shell has removed. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cmd_diskspd.h"
#include "prompt.h"

static bool ends_like(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcasecmp(s + n - m, end);
}

static const char *base_of(const char *path)
{
	for (const char *s = path; *s; s++)
		if (*s == '\\' || *s == '/')
			path = s + 1;
	return path;
}

/* Returns true if the argument is the program and not a target: diskspd, diskspd64 or diskspd-2.2.exe in any
   directory. */
static bool is_program(const char *arg)
{
	const char *rest = base_of(arg) + strlen("diskspd");

	return prompt_is_program(arg, false) && (ends_like(arg, ".exe") || !rest[strspn(rest, "0123456789")]);
}

/* Returns true for paths of the program without their backslashes: "C:toolsdiskspd.exe", ".diskspd". */
static bool lost_program(const char *arg)
{
	const char *base = base_of(arg), *name = base;
	bool place = *base == '.' || (isalpha((unsigned char)base[0]) && base[1] == ':');
	size_t n;

	while (*name && strncasecmp(name, "diskspd", 7) != 0)
		name++;
	if (!*name || name == base)
		return false;
	n = 7 + strspn(name + 7, "0123456789");
	return !strcasecmp(name + n, ".exe") || (place && !name[n]);
}

/* Returns true for Windows paths without their backslashes: "C:temptest.dat", "\srvsharetest.dat". */
static bool lost_path(const char *arg)
{
	bool drive = isalpha((unsigned char)arg[0]) && arg[1] == ':' && arg[2];
	bool share = arg[0] == '\\' && arg[1] && arg[1] != '\\';

	return (drive || share) && !strpbrk(arg + 1, "\\/");
}

static int refuse_lost(const char *arg, bool program, struct diag *d)
{
	if (program || *arg == '\\')
		return diag_err(d, -EINVAL,
				"%s: the shell has removed backslashes: put the whole line in single quotes, "
				"fiord diskspd --line '...'",
				arg);
	return diag_err(d, -EINVAL,
			"%s: the shell has removed backslashes: put the whole line in single quotes, fiord "
			"diskspd --line '...'; without quotes write %.2s/%s",
			arg, arg, arg + 2);
}

static bool is_there(const char *path)
{
	struct stat st;

	return !stat(path, &st);
}

/* Returns true if one argument holds the whole line. */
static bool is_whole_line(const struct ds_cmd *c)
{
	const char *arg = c->line.n == 1 ? c->line.v[0] : "";

	if (!strpbrk(arg, " \t\n") || is_there(arg))
		return false;
	if (!strncmp(arg, "-X", 2))
		return !is_there(arg + 2);
	return *arg == '-' || prompt_names_program(arg);
}

/* Returns the number of words before the program: sudo, cmd /c. */
static size_t count_starters(const struct ds_cmd *c)
{
	/* clang-format off */
	static const char *const words[] = { "sudo", "time", "nohup", "call", "exec", "start", "cmd", "cmd.exe", "fiord" };
	/* clang-format on */
	size_t n = 0;

	for (bool known = true; known && n < c->line.n;) {
		const char *arg = c->line.v[n];

		known = n && *arg == '/' && arg[1] && !arg[2];
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && !known; i++)
			known = !strcasecmp(arg, words[i]);
		n += known;
	}
	return n;
}

/* Returns true if the path is a regular file that is not executable. */
static bool is_data(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !(st.st_mode & S_IXUSR);
}

static void drop_program(struct ds_cmd *c)
{
	size_t n = count_starters(c);

	if (n == c->line.n || !is_program(c->line.v[n]) || (c->line.n == 1 && is_data(c->line.v[0])))
		return;
	c->line.n -= n + 1;
	memmove(c->line.v, c->line.v + n + 1, c->line.n * sizeof(*c->line.v));
}

/* Returns true if the only argument is a script. A line with options measures a file of that name. */
static bool is_script(const struct ds_cmd *c)
{
	const char *arg = c->line.n == 1 ? c->line.v[0] : "";

	return *arg != '-' && (ends_like(arg, ".ps1") || ends_like(arg, ".bat") || ends_like(arg, ".cmd")) &&
	       is_there(arg);
}

int ds_cmd_normalize(struct ds_cmd *c, struct diag *d)
{
	size_t first;

	if (is_whole_line(c)) {
		c->line_text = c->line.v[0];
		c->line.n = 0;
		return 0;
	}
	if (is_script(c))
		return diag_err(d, -EINVAL, "%s: is a script; fiord diskspd - <%s runs the lines in it",
				c->line.v[0], c->line.v[0]);
	first = count_starters(c);
	if (first < c->line.n && lost_program(c->line.v[first]))
		return refuse_lost(c->line.v[first], true, d);
	drop_program(c);
	for (size_t i = 0; i < c->line.n; i++)
		if (lost_path(c->line.v[i]))
			return refuse_lost(c->line.v[i], false, d);
	return 0;
}
