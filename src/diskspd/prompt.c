#include "prompt.h"

#include <ctype.h>
#include <string.h>
#include "shell.h"

/* Returns true for blanks of web pages and word processors: U+2000 to U+200B, U+202F, U+205F, U+3000,
   U+FEFF. */
static bool wide_blank(const char *s)
{
	return (!strncmp(s, "\xe2\x80", 2) && (unsigned char)s[2] >= 0x80 && (unsigned char)s[2] <= 0x8b) ||
	       !strncmp(s, "\xe2\x80\xaf", 3) || !strncmp(s, "\xe2\x81\x9f", 3) ||
	       !strncmp(s, "\xe3\x80\x80", 3) || !strncmp(s, "\xef\xbb\xbf", 3);
}

const char *prompt_blanks(const char *s)
{
	for (;;) {
		if (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n')
			s++;
		else if (!strncmp(s, "\xc2\xa0", 2))
			s += 2;
		else if (wide_blank(s))
			s += 3;
		else
			return s;
	}
}

/* Returns the length of the first word, quotes included. */
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

	return !strncasecmp(s, word, n) && (!s[n] || strchr(" \t;&|<>", s[n]));
}

#define ONE_OF(s, words) one_of(s, words, sizeof(words) / sizeof((words)[0]))

static bool one_of(const char *s, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_word(s, words[i]))
			return true;
	return false;
}

/* Returns true for a cmdlet of PowerShell that does not start a program: "Get-Item", "Start-Sleep". */
static bool is_cmdlet(const char *s)
{
	/* clang-format off */
	static const char *const verbs[] = { "Add", "Clear", "Convert", "ConvertFrom", "ConvertTo", "Copy", "Disable", "Dismount",
		"Enable", "Expand", "Export", "Format", "Get", "Import", "Initialize", "Install", "Join", "Mount", "Move", "New",
		"Optimize", "Out", "Pop", "Push", "Read", "Remove", "Rename", "Resolve", "Resize", "Select", "Set", "Show", "Sort",
		"Split", "Stop", "Tee", "Test", "Unblock", "Update", "Wait", "Write" };
	/* clang-format on */
	size_t n = strcspn(s, "- \t");

	if (!strncasecmp(s, "Start-Sleep", 11) || !strncasecmp(s, "Start-Transcript", 16))
		return true;
	if (s[n] != '-' || !isalpha((unsigned char)s[n + 1]))
		return false;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strlen(verbs[i]) == n && !strncasecmp(s, verbs[i], n))
			return true;
	return false;
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
	if (variable && base == word)
		return prompt_names_program(word);
	if (strncasecmp(base, name, strlen(name)) != 0)
		return false;
	base += strlen(name);
	n = strlen(base);
	if (strchr(base, ' '))
		return false;
	return !strchr(base, '.') || (n >= 4 && !strcasecmp(base + n - 4, ".exe"));
}

/* Returns the text after "cd C:\diskspd && "; NULL: the command does not change directories, or nothing
   follows it. */
static const char *after_cd(const char *s)
{
	if (!is_word(s, "cd") && !is_word(s, "pushd") && !is_word(s, "Set-Location"))
		return NULL;
	s += strcspn(s, "&;");
	return *s ? s + strspn(s, "&;") : NULL;
}

static bool is_program_next(const char *s)
{
	char word[512];
	size_t n;

	s = prompt_blanks(s);
	n = word_len(s);
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

/* Returns true if a command starts here: the program, or a word that may stand before it. */
static bool is_command_next(const char *s)
{
	/* clang-format off */
	static const char *const words[] = { "cmd", "cmd.exe", "sudo", "cd", "set" };
	/* clang-format on */

	s = prompt_blanks(s);
	return strchr("-&$", *s) ? *s != '\0'
				 : ONE_OF(s, words) || prompt_starts_nothing(s) || is_program_next(s);
}

/* Returns the text after "C:\Users\a b>", with or without PowerShell's PS; NULL: no prompt. */
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
	if (!ps && (end[-1] == ' ' || !is_command_next(end + 1)))
		return NULL;
	while (*end == '>')
		end++;
	return end;
}

/* Returns the text after "user@host:~$ " or "[root@host dir]# "; NULL: no prompt. */
static const char *unix_prompt(const char *s)
{
	size_t word = word_len(s);
	const char *end;

	if (!memchr(s, '@', word) || *s == '-')
		return NULL;
	end = s + strcspn(s, "$#%\"'");
	if ((*end != '$' && *end != '#' && *end != '%') || end[1] != ' ' || !is_command_next(end + 1))
		return NULL;
	return end + 1;
}

/* Returns true if "#" is root's prompt: a command follows it. Before prose it begins a comment. */
static bool root_prompt(const char *s)
{
	const char *next;

	if (s[0] != '#' || s[1] != ' ' || !is_program_next(s + 1))
		return false;
	next = prompt_blanks(s + 1);
	next = prompt_blanks(next + word_len(next));
	return *next == '-' || (*next && !*prompt_blanks(next + word_len(next)));
}

/* Returns the text after a bullet or number of a list, a label of a report's line, or a back-tick of a web
   page, if the program follows; NULL: no such mark. */
static const char *list_mark(const char *s)
{
	/* clang-format off */
	static const char *const marks[] = { "- ", "* ", "\xe2\x80\xa2 ", "\xe2\x80\xa2\t", "Command Line: ", "`",
					     "\xe2\x9d\xaf ", "\xe2\x9e\x9c " };
	/* clang-format on */
	size_t n = strspn(s, "0123456789");

	n = n && (s[n] == '.' || s[n] == ')') && s[n + 1] == ' ' ? n + 2 : 0;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]) && !n; i++)
		if (!strncmp(s, marks[i], strlen(marks[i])))
			n = strlen(marks[i]);
	s = prompt_blanks(s + n);
	s += n && *s == '`';
	return n && *s != '-' && is_command_next(s) ? s : NULL;
}

/* Returns the text after "[server]: PS C:\>" or "(base) PS C:\>"; NULL: no prompt. */
static const char *session(const char *s)
{
	const char *p = s + (*s == '[' ? strcspn(s, "]") : *s == '(' ? strcspn(s, ")") : 0);

	if (p == s || !*p)
		return s;
	p = prompt_blanks(p + (p[1] == ':' ? 2 : 1));
	return windows_prompt(p) ? p : s;
}

static const char *any_prompt(const char *s)
{
	const char *end = windows_prompt(session(s));
	size_t n = word_len(s);

	if (!end)
		end = list_mark(s);

	if (!end)
		end = unix_prompt(s);
	if (!end && (s[0] == '$' || s[0] == '>' || s[0] == '%') && (s[1] == ' ' || s[1] == '\t'))
		end = s + 1;
	if (!end && (root_prompt(s) || (s[0] == '>' && is_program_next(s + 1))))
		end = s + 1;
	if (!end && n > 1 && strchr("$#%>", s[n - 1]) && s[n] && *s != '"' && *s != '\'' &&
	    is_program_next(s + n))
		end = s + n; /* "~$ ", "bash-5.1# " */
	return end;
}

/* Returns the text after "$out = " or "[xml]$out = "; NULL: no assignment. */
static const char *assignment(const char *s)
{
	const char *p = s + (*s == '[' ? strcspn(s, "]") : 0);

	p += *p == ']';
	if (*p++ != '$' || !isalpha((unsigned char)*p))
		return NULL;
	p = prompt_blanks(p + shell_vars_name_len(p));
	return *p == '=' ? p + 1 : NULL;
}

/* Returns true if " -Command" comes before the program, so that the word here is the value of another
   option. */
static bool command_follows(const char *s)
{
	const char *command = strcasestr(s, " -c"), *program = strcasestr(s, "diskspd");

	return command && program && command < program;
}

/* Returns true if one pair of quotes holds the whole command, up to the end of the text. */
static bool is_quoted_whole(const char *s)
{
	size_t n = strlen(s);

	while (n && strchr(" \t\r", s[n - 1]))
		n--;
	return (*s == '"' || *s == '\'') && n > 2 && s[n - 1] == *s && !is_program_next(s) &&
	       is_program_next(s + 1) && memchr(s + 1, *s, n - 1) == s + n - 1;
}

/* Returns the text after "cmd /s /c" and the like; NULL: none. *in_quotes: one pair of quotes holds its
   command. */
static const char *cmd_slash_c(const char *s, bool *in_quotes)
{
	/* clang-format off */
	static const char *const shells[] = { "cmd", "cmd.exe", "powershell", "powershell.exe", "pwsh", "sh", "bash" };
	/* clang-format on */
	const char *p;

	if (is_word(s, "iex") || is_word(s, "Invoke-Expression")) {
		p = prompt_blanks(s + word_len(s));
		*in_quotes = *p == '"' || *p == '\'';
		return *in_quotes ? p + 1 : NULL;
	}
	if (!ONE_OF(s, shells))
		return NULL;
	p = prompt_blanks(s + word_len(s));
	while (*p == '/' || *p == '-' || command_follows(p)) {
		bool last = !strncasecmp(p, "/c", 2) || !strncasecmp(p, "/k", 2) || !strncasecmp(p, "-c", 2);

		p = prompt_blanks(p + word_len(p));
		if (last)
			break;
	}
	*in_quotes = (*p == '"' || *p == '\'') && !is_command_next(p) && is_command_next(p + 1);
	return p + *in_quotes;
}

/* Returns true if the command is a usual one of scripts that starts no program. */
bool prompt_starts_nothing(const char *s)
{
	/* clang-format off */
	static const char *const words[] = { "rem", "echo", "cd", "chdir", "pushd", "popd", "set", "setlocal", "endlocal", "pause",
		"cls", "clear", "title", "exit", "timeout", "ping", "sleep", "wait", "mkdir", "md", "rmdir", "rd", "rm", "del",
		"erase", "copy", "xcopy", "robocopy", "cp", "move", "mv", "ren", "type", "cat", "more", "dir", "ls", "ver", "vol",
		"chcp", "color", "mode", "date", "date/t", "time/t", "sync", "export", "unset", "shift", "hostname", "whoami",
		"systeminfo", "fsutil", "wmic", "diskpart", "net", "sc", "powercfg", "notepad", "explorer", "curl", "wget", "unzip",
		"using", "shopt", "printf", "gc", "tee", "findstr", "find", "grep" };
	static const char *const frames[] = { "param", "}", "{", "(", ")", "try", "finally", "begin", "process", "end", "do", "done",
		"fi", "return", "break", "continue" };
	/* clang-format on */

	if (!strncasecmp(s, "echo", 4) && s[4] && strchr(".:=(/+", s[4]))
		return true;
	if (is_cmdlet(s))
		return !after_cd(s);
	/* "timeout 60 diskspd ..." is the timeout of Linux */
	if (is_word(s, "timeout") || is_word(s, "wait") || is_word(s, "find"))
		return !prompt_names_program(s);
	if (ONE_OF(s, frames) || !strncasecmp(s, "param(", 6) || !strncasecmp(s, "try{", 4))
		return !prompt_names_program(s);
	return ONE_OF(s, words) && !after_cd(s);
}

bool prompt_runs_program(const char *s)
{
	while ((s = strcasestr(s, "diskspd"))) {
		s += 7;
		s += strspn(s, "0123456789");
		s += strncasecmp(s, ".exe", 4) ? 0 : 4;
		s += strspn(s, "\"')");
		if (*s == ' ' && *prompt_blanks(s) == '-' && isalpha((unsigned char)prompt_blanks(s)[1]))
			return true;
	}
	return false;
}

bool prompt_names_program(const char *s)
{
	return strcasestr(s, "diskspd");
}

bool prompt_is_flow(const char *s)
{
	/* clang-format off */
	static const char *const words[] = { "for", "foreach", "while", "until", "if", "else", "elseif", "elif", "switch", "case",
					     "function", "filter", "goto", "catch", "ForEach-Object" };
	/* clang-format on */
	char word[16];
	size_t n = 0;

	s += *s == '@';
	s = prompt_blanks(s + (*s == '}'));
	while (n + 1 < sizeof(word) && (isalpha((unsigned char)s[n]) || s[n] == '-')) {
		word[n] = s[n];
		n++;
	}
	word[n] = '\0';
	return n && (!s[n] || strchr(" \t({", s[n])) && ONE_OF(word, words);
}

const char *prompt_start(const char *line)
{
	const char *s = prompt_blanks(line), *next;

	while ((next = any_prompt(s)))
		s = prompt_blanks(next);
	return s;
}

bool prompt_is_command(const char *s)
{
	s = prompt_blanks(s);
	return *s == '&' || is_word(s, "cmd") || is_word(s, "cmd.exe") ||
	       (*s != '$' && *s != '-' && !prompt_starts_nothing(s) && is_command_next(s));
}

/* Returns the text after an option of sudo, whose value may be the next word: -u root. */
static const char *after_sudo_option(const char *s)
{
	bool valued = strchr("ughpCrtT", s[1]) && s[1] && s[2] == ' ';

	s = prompt_blanks(s + word_len(s));
	return valued ? prompt_blanks(s + word_len(s)) : s;
}

/* Returns true if a title in quotes stands here, with a command after it. */
static bool is_title(const char *s)
{
	const char *next = prompt_blanks(s + word_len(s));

	return *s == '"' && *next && *next != '-';
}

static const char *starter(const char *s)
{
	/* clang-format off */
	static const char *const words[] = { "call", "sudo", "time", "nohup", "start", "fiord", "./fiord", "--%", "exec", "iex",
					     "Invoke-Expression" };
	/* clang-format on */

	if (*s == '@' && s[1] != '(' && is_command_next(s + 1))
		return s + 1;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!is_word(s, words[i]))
			continue;
		s = prompt_blanks(s + strlen(words[i]));
		while (is_word(words[i], "sudo") && *s == '-')
			s = after_sudo_option(s);
		/* start "title" /wait /b */
		while (!strcmp(words[i], "start") && (*s == '/' || is_title(s)))
			s = prompt_blanks(s + word_len(s));
		return s;
	}
	return NULL;
}

const char *prompt_skip(const char *line, bool *in_quotes)
{
	const char *s = prompt_blanks(line), *next;

	*in_quotes = false;
	while ((next = any_prompt(s)) || (next = assignment(s)) || (next = cmd_slash_c(s, in_quotes)) ||
	       (next = starter(s)) || (next = after_cd(s))) {
		s = prompt_blanks(next);
		if (*in_quotes)
			break;
	}
	if (!*in_quotes && is_quoted_whole(s)) {
		*in_quotes = true;
		s++;
	}
	return s;
}

bool prompt_is_remark(const char *s)
{
	s += *s == '@';
	return !*s || (*s == '#' && !root_prompt(s)) || is_word(s, "rem") || !strncmp(s, "::", 2) ||
	       !strncmp(s, "//", 2) || (*s == ':' && isalpha((unsigned char)s[1]));
}

bool prompt_is_comment(const char *line)
{
	const char *s = prompt_start(line);

	return prompt_is_remark(s) || prompt_starts_nothing(s + (*s == '@'));
}
