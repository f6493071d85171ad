#include <ctype.h>
#include <string.h>
#include "parse.h"

/* clang-format off */
static const struct { const char *bytes, *name; } dashes[] = {
	{ "\xe2\x80\x90", "U+2010" }, { "\xe2\x80\x91", "U+2011" }, { "\xe2\x80\x92", "U+2012" },
	{ "\xe2\x80\x93", "U+2013, an en dash" }, { "\xe2\x80\x94", "U+2014, an em dash" },
	{ "\xe2\x80\x95", "U+2015" }, { "\xe2\x88\x92", "U+2212, a minus sign" },
	{ "\xef\xbc\x8d", "U+FF0D" }, { "\xef\xb9\xa3", "U+FE63" }, { "\x96", "0x96, an en dash of Windows-1252" },
};
/* clang-format on */

static const char *dash_name(const char *arg, size_t *len)
{
	for (size_t i = 0; i < sizeof(dashes) / sizeof(dashes[0]); i++) {
		*len = strlen(dashes[i].bytes);
		if (!strncmp(arg, dashes[i].bytes, *len))
			return dashes[i].name;
	}
	return NULL;
}

size_t hint_dash_len(const char *word)
{
	size_t len;

	return dash_name(word, &len) ? len : 0;
}

/* Returns true if the text is a value rather than a file: digits and at most one suffix. */
static bool is_value(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return n && (!s[n] || (strchr("KMGTBkmgtb%s", s[n]) && !s[n + 1]));
}

/* Returns the option before this target if the target may have been meant as its value: "-t" for "-t 8" and
   "-t8 8". A size after an option without a size was most likely meant for -b. */
static const char *option_before(const struct ds_parse *p, int target)
{
	const char *before = target ? p->argv[target - 1] : "";
	const struct ds_flag *f = before[0] == '-' ? ds_flag_find(p->l->dialect, before) : NULL;

	if (!f || !f->value[0] || !is_value(p->argv[target]))
		return NULL;
	return strpbrk(p->argv[target], "KMGTkmgt") && !strstr(f->value, "size") ? "-b" : f->form;
}

/* Returns the first dialect that has this option; NULL: none. */
static const char *dialect_with(const char *arg)
{
	static const enum ds_dialect order[] = { DS_DIALECT_23, DS_DIALECT_22, DS_DIALECT_20,
						 DS_DIALECT_LINUX };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (ds_flag_find(order[i], arg))
			return ds_dialect_name(order[i]);
	return NULL;
}

int hint_unknown(struct ds_parse *p, const char *arg)
{
	const char *dialect = dialect_with(arg);
	char other[] = { '-', '\0', '\0' };

	if (!arg[1])
		return parse_err(p, "a single dash is not an option, and standard input cannot be a target");
	if (arg[1] == '-')
		return parse_err(p, "DISKSPD has no long options; those of fiord, such as --map, must come "
				    "before the line");
	if (dialect)
		return parse_err(p, "not an option of %s%s; --dialect %s has it",
				 p->l->dialect == DS_DIALECT_LINUX ? "diskspd-for-" : "DISKSPD ",
				 p->l->dialect == DS_DIALECT_LINUX ? "linux" : ds_dialect_name(p->l->dialect),
				 dialect);
	other[1] = isupper((unsigned char)arg[1]) ? (char)tolower((unsigned char)arg[1])
						  : (char)toupper((unsigned char)arg[1]);
	if (other[1] != arg[1] && ds_flag_find(p->l->dialect, other))
		return parse_err(p, "-%c is not an option; options are case-sensitive: did you mean %s%s?",
				 arg[1], other, arg + 2);
	return parse_err(p, "-%c is not an option; -? lists the options", arg[1]);
}

/* Returns true if the argument is an option with a slash instead of a dash: /b4K, /Sh, /t2. */
static bool is_slash_option(struct ds_parse *p, const char *arg)
{
	char dash[16];
	const struct ds_flag *f;
	const char *rest;

	if (arg[0] != '/' || !arg[1] || strlen(arg) >= sizeof(dash))
		return false;
	strcpy(dash, arg);
	dash[0] = '-';
	f = ds_flag_find(p->l->dialect, dash);
	if (!f)
		return false;
	rest = dash + strlen(f->form);
	if (f->read == ds_read_cache)
		return strspn(rest, "bhmruw") == strlen(rest);
	if (f->read == ds_read_report)
		return !strcmp(rest, "text") || !strcmp(rest, "xml");
	return *rest ? f->value[0] && is_value(rest) : f->value[0] != '<';
}

static int refuse_slash(struct ds_parse *p, const char *arg)
{
	return parse_err(p,
			 "options begin with a dash, because '/' begins a path here: write -%s (or /.%s for "
			 "a file of this name)",
			 arg + 1, arg);
}

int hint_after_target(struct ds_parse *p)
{
	int target = 0;
	const char *name, *option;
	size_t len;

	while (p->argv[target][0] == '-')
		target++;
	name = p->argv[target];
	option = option_before(p, target);
	if (dash_name(name, &len) || is_slash_option(p, name)) {
		p->at = target;
		return hint_target(p);
	}
	if (option)
		return parse_err(p,
				 "an option after a target: %s is read as a target; did you mean %s%s? A "
				 "value follows its letter without a blank",
				 name, option, name);
	return parse_err(p,
			 "an option after a target: since 2.1 all options come before the first target (%s); "
			 "--dialect 2.0 accepts them anywhere",
			 name);
}

int hint_target(struct ds_parse *p)
{
	const char *arg = p->argv[p->at], *option = option_before(p, p->at);
	size_t len;
	const char *dash = dash_name(arg, &len);

	if (!*arg)
		return parse_err(p, "an empty argument is not a target");
	if (dash)
		return parse_err(p,
				 "the dash is %s, as web pages and word processors write it, so DISKSPD "
				 "would read a target: write -%s",
				 dash, arg + len);
	if (is_slash_option(p, arg))
		return refuse_slash(p, arg);
	if (option)
		parse_note(p, "%s is read as a target; did you mean %s%s?", arg, option, arg);
	if (arg[strlen(arg) - 1] == ',')
		parse_note(p, "%s: the comma is read as part of the name; targets are separated by blanks",
			   arg);
	return 0;
}
