/* shell_program.c: the program's name at the beginning of a pasted command. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "nearest.h"
#include "prompt.h"
#include "shell_scan.h"
#include "strbuf.h"

/* Returns true if the name is probably a misspelt diskspd, so that its command must not be skipped. */
static bool is_misspelt(const char *name)
{
	char base[16];

	for (const char *s = name; *s; s++)
		if (*s == '\\' || *s == '/')
			name = s + 1;
	snprintf(base, sizeof(base), "%.*s", (int)strcspn(name, "."), name);
	return nearest_distance(base, "diskspd") <= 2;
}

/* Refuses a line whose first word is not DISKSPD. `rest`: the text after this word. */
static int no_program(struct shell_scan *x, const char *name, const char *rest)
{
	for (const char *s = rest, *end = rest + strcspn(rest, ";&|"); s < end; s++)
		if (!strncasecmp(s, "diskspd", 7))
			return diag_err(x->diag, -EINVAL,
					"the line begins with %s: give only the part from diskspd to the end "
					"of its arguments",
					name);
	x->line->other_program = !prompt_names_program(name) && !is_misspelt(name);
	return diag_err(x->diag, -EINVAL,
			"the line begins with %s: it must begin with diskspd, perhaps after a prompt, or "
			"with an option",
			name);
}

/* Returns the program's name with its variable filled in: %EXE%, $dir\diskspd.exe. *rest: the words in the
   variable's value after the program, if there are any. */
static char *filled_name(struct shell_scan *x, char *name, char **rest)
{
	struct shell_ref r;
	const struct shell_var *v = NULL;
	char *out, *blank;
	size_t n;

	if (shell_ref_at(name, true, &r) && !r.needs_shell)
		v = shell_vars_find(x->vars, r.name, r.name_len);
	if (!v)
		return name;
	n = *v->value == '"' ? 1 : 0;
	out = arena_printf(&x->line->mem, "%s%s", v->value + n, name + r.len);
	if (out && n && strchr(out, '"'))
		*strchr(out, '"') = '\0';
	blank = out && !prompt_is_program(out, false) ? strchr(out, ' ') : NULL;
	if (blank) {
		*blank = '\0';
		*rest = blank + 1;
	}
	return out;
}

/* Checks whether a variable without a value stands before an option: then it is the program, whatever its
   name. Returns 1 if so, 0 if not, or -errno. */
static int variable_program(struct shell_scan *x, const char *name, const char *rest)
{
	struct shell_ref r;
	const char *at = x->pos;
	int ret;

	if (!shell_ref_at(name, true, &r) || r.needs_shell || name[r.len] || *prompt_blanks(rest) != '-')
		return 0;
	x->pos = name;
	ret = shell_scan_unset(x, &r);
	strbuf_clear(&x->word);
	x->pos = at;
	return ret ? ret : 1;
}

/* Returns the name in quotes at `start`. *len is its length with the quotes. */
static char *quoted_name(struct shell_scan *x, const char *start, size_t *len)
{
	size_t mark = shell_scan_single_quote(start)   ? shell_scan_single_quote(start)
		      : shell_scan_double_quote(start) ? shell_scan_double_quote(start)
						       : 1,
	       n = mark;

	while (start[n] && !(shell_scan_single_quote(start) ? shell_scan_single_quote(start + n)
			     : *start == '"'                ? start[n] == '"'
							    : shell_scan_double_quote(start + n)))
		n++;
	*len = n + (start[n] ? mark : 0);
	return arena_strndup(&x->line->mem, start + mark, n - mark);
}

int shell_program_read(struct shell_scan *x)
{
	char *rest = NULL;
	bool called = *x->pos == '&' || (*x->pos == '.' && x->pos[1] == ' ');
	const char *start;
	char *name;
	size_t n;

	if (called)
		x->pos = prompt_blanks(x->pos + 1);
	if (*x->pos == '-' || !strncmp(x->pos, "\xe2\x80\x93", 3) || !strncmp(x->pos, "\xe2\x80\x94", 3))
		return 0;
	start = x->pos;
	if (called && *start == '(' && prompt_names_program(start)) {
		n = shell_bracket_len(start); /* & (Join-Path $dir diskspd.exe) */
		name = arena_strdup(&x->line->mem, "diskspd");
	} else if (shell_scan_single_quote(start) || *start == '"' || shell_scan_double_quote(start)) {
		name = quoted_name(x, start, &n);
	} else {
		for (n = 0; start[n] && start[n] != ';' && prompt_blanks(start + n) == start + n; n++)
			;
		name = arena_strndup(&x->line->mem, start, n);
	}
	if (!name)
		return diag_err(x->diag, -ENOMEM, "out of memory");
	name = filled_name(x, name, &rest);
	if (!name)
		return diag_err(x->diag, -ENOMEM, "out of memory");
	if (!prompt_is_program(name, called)) {
		int ret = variable_program(x, name, start + n);

		if (ret < 0)
			return ret;
		if (!ret)
			return no_program(x, *name ? name : "nothing", start + n);
	}
	x->line->has_program = true;
	x->pos = start + n;
	if (!rest)
		return 0;
	return shell_scan_insert_words(x, rest) || (x->word.len && shell_scan_add_word(x)) ? -ENOMEM : 0;
}
