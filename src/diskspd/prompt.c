#include "prompt.h"

#include <ctype.h>
#include <string.h>

const char *prompt_blanks(const char *s)
{
	for (;;) {
		if (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n')
			s++;
		else if (!strncmp(s, "\xc2\xa0", 2))
			s += 2;
		else if (!strncmp(s, "\xef\xbb\xbf", 3) || !strncmp(s, "\xe2\x80\x8b", 3))
			s += 3;
		else
			return s;
	}
}

/* The length of the first word, quotes included. */
static size_t word_len(const char *s)
{
	char quote = '\0';
	size_t n = 0;

	for (; s[n]; n++) {
		if (quote)
			quote = s[n] == quote ? '\0' : quote;
		else if (s[n] == '"' || (s[n] == '\'' && !n))
			quote = s[n];
		else if (s[n] == ' ' || s[n] == '\t' || !strncmp(s + n, "\xc2\xa0", 2))
			break;
	}
	return n;
}

static bool is_word(const char *s, const char *word)
{
	size_t n = strlen(word);

	return !strncasecmp(s, word, n) && (!s[n] || s[n] == ' ' || s[n] == '\t');
}

bool prompt_is_program(const char *word, bool called)
{
	const char *base = word, *name = "diskspd";
	size_t n;
	bool variable = word[0] == '$' || word[0] == '%';

	for (const char *s = word; *s; s++)
		if (*s == '\\' || *s == '/')
			base = s + 1;
	if (variable && base == word && called)
		return true;
	if (variable && base == word) {
		for (const char *s = word; *s; s++)
			if (!strncasecmp(s, name, strlen(name)))
				return true;
		return false;
	}
	if (strncasecmp(base, name, strlen(name)) != 0)
		return false;
	base += strlen(name);
	n = strlen(base);
	if (strchr(base, ' '))
		return false;
	return !strchr(base, '.') || (n >= 4 && !strcasecmp(base + n - 4, ".exe"));
}

/* Whether a command starts here: the program, or what may stand before it. */
static bool command_here(const char *s)
{
	char word[512];
	size_t n;

	s = prompt_blanks(s);
	n = word_len(s);
	if (*s == '-' || *s == '&' || is_word(s, "cmd") || is_word(s, "cmd.exe") || is_word(s, "sudo") ||
	    is_word(s, "cd"))
		return true;
	if (n && (*s == '"' || *s == '\'')) {
		s++;
		n -= n > 1 ? 2 : 1;
	}
	if (n >= sizeof(word))
		return false;
	memcpy(word, s, n);
	word[n] = '\0';
	return n && prompt_is_program(word, false);
}

/* "C:\Users\a b>" and what PowerShell puts before it. NULL: none. */
static const char *windows_prompt(const char *s)
{
	bool ps = !strncmp(s, "PS ", 3) || !strncmp(s, "PS>", 3);
	bool drive = isalpha((unsigned char)s[0]) && s[1] == ':' && s[2] == '\\';
	const char *end = s + strcspn(s, ">\"|<");

	if ((!ps && !drive) || *end != '>')
		return NULL;
	for (const char *p = s; p < end; p++)
		if (p[0] == ' ' && p[1] == '-')
			return NULL;
	if (!ps && (end[-1] == ' ' || !command_here(end + 1)))
		return NULL;
	while (*end == '>')
		end++;
	return end;
}

/* "user@host:~$ ", "[root@host dir]# ". */
static const char *unix_prompt(const char *s)
{
	size_t word = word_len(s);
	const char *end;

	if (!memchr(s, '@', word) || *s == '-')
		return NULL;
	end = s + strcspn(s, "$#%\"'");
	if ((*end != '$' && *end != '#' && *end != '%') || end[1] != ' ' || !command_here(end + 1))
		return NULL;
	return end + 1;
}

/* A "#" before a command is root's prompt; before prose it begins a comment. */
static bool root_prompt(const char *s)
{
	const char *next;

	if (s[0] != '#' || s[1] != ' ' || !command_here(s + 1))
		return false;
	next = prompt_blanks(s + 1);
	next = prompt_blanks(next + word_len(next));
	return *next == '-' || (*next && !*prompt_blanks(next + word_len(next)));
}

static const char *any_prompt(const char *s)
{
	const char *end = windows_prompt(s);

	if (!end)
		end = unix_prompt(s);
	if (!end && (s[0] == '$' || s[0] == '>' || s[0] == '%') && (s[1] == ' ' || s[1] == '\t'))
		end = s + 1;
	if (!end && root_prompt(s))
		end = s + 1;
	return end;
}

/* "$out = ", "[xml]$out = " */
static const char *assignment(const char *s)
{
	const char *p = s + (*s == '[' ? strcspn(s, "]") : 0);

	p += *p == ']';
	if (*p++ != '$' || !isalpha((unsigned char)*p))
		return NULL;
	while (isalnum((unsigned char)*p) || *p == '_')
		p++;
	p = prompt_blanks(p);
	return *p == '=' ? p + 1 : NULL;
}

/* "cmd /s /c". Its command may stand in one pair of quotes. */
static const char *cmd_slash_c(const char *s, bool *inner)
{
	const char *p;

	if (!is_word(s, "cmd") && !is_word(s, "cmd.exe"))
		return NULL;
	p = prompt_blanks(s + word_len(s));
	while (*p == '/') {
		bool last = !strncasecmp(p, "/c", 2) || !strncasecmp(p, "/k", 2);

		p = prompt_blanks(p + word_len(p));
		if (last)
			break;
	}
	*inner = *p == '"' && !command_here(p) && command_here(p + 1);
	return p + *inner;
}

/* "cd C:\diskspd && ": what comes then. NULL: it is no change of directory, or nothing comes. */
static const char *after_cd(const char *s)
{
	if (!is_word(s, "cd") && !is_word(s, "pushd") && !is_word(s, "Set-Location"))
		return NULL;
	s += strcspn(s, "&;");
	return *s ? s + strspn(s, "&;") : NULL;
}

/* Commands of a script that start nothing. */
static bool starts_nothing(const char *s)
{
	/* clang-format off */
	static const char *const words[] = { "rem", "echo", "cd", "pushd", "popd", "set", "setlocal", "endlocal", "pause",
					     "cls", "title", "exit" };
	/* clang-format on */

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (is_word(s, words[i]))
			return !after_cd(s);
	return false;
}

static const char *starter(const char *s)
{
	/* clang-format off */
	static const char *const words[] = { "call", "sudo", "time", "nohup", "start", "fiord", "./fiord", "--%" };
	/* clang-format on */

	if (*s == '@' && s[1] != '(' && command_here(s + 1))
		return s + 1;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!is_word(s, words[i]))
			continue;
		s = prompt_blanks(s + strlen(words[i]));
		/* start "title" /wait /b */
		while (!strcmp(words[i], "start") && (*s == '/' || !strncmp(s, "\"\"", 2)))
			s = prompt_blanks(s + word_len(s));
		return s;
	}
	return NULL;
}

const char *prompt_skip(const char *line, bool *inner)
{
	const char *s = prompt_blanks(line), *next;

	*inner = false;
	while ((next = any_prompt(s)) || (next = assignment(s)) || (next = cmd_slash_c(s, inner)) ||
	       (next = starter(s)) || (next = after_cd(s))) {
		s = prompt_blanks(next);
		if (*inner)
			break;
	}
	return s;
}

bool prompt_is_comment(const char *line)
{
	const char *s = prompt_blanks(line), *p = any_prompt(s);

	s = prompt_blanks(p ? p : s);
	s += *s == '@';
	return !*s || (*s == '#' && !root_prompt(s) && !isdigit((unsigned char)s[1])) || starts_nothing(s) ||
	       !strncmp(s, "::", 2) || !strncmp(s, "//", 2);
}
