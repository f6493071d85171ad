/* verb_parse.c: the command line and the help of a verb. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "cmd.h"
#include "nearest.h"
#include "outfile.h"
#include "strbuf.h"
#include "vec.h"
#include "verbs.h"

static void put_verb_option(const struct verb_option *o, struct strbuf *b)
{
	char name[64] = "";
	struct strbuf left = { 0 };

	if (o->letter)
		snprintf(name, sizeof(name), "-%c, ", o->letter);
	strbuf_printf(&left, "%s--%s%s%s", name, o->name, o->value ? "=" : "", o->value ? o->value : "");
	strbuf_printf(b, "  %-22s %s\n", strbuf_str(&left), o->help);
	strbuf_fini(&left);
}

void verb_help(const struct verb *v, struct strbuf *b)
{
	strbuf_printf(b, "%s\n", v->usage);
	for (const struct verb_option *o = v->options; o && o->name; o++)
		put_verb_option(o, b);
	strbuf_printf(b, "  --help                 print this page\n\nIn full: man fiord-%s\n", v->name);
}

struct parser {
	const struct verb *verb;
	void *ctx;
	int argc, at;
	char *const *argv;
	struct diag *d;
};

static const struct verb_option *find_option(const struct verb *v, const char *name, size_t len)
{
	for (const struct verb_option *o = v->options; o && o->name; o++)
		if (strlen(o->name) == len && !memcmp(o->name, name, len))
			return o;
	return NULL;
}

static const struct verb_option *find_letter(const struct verb *v, char letter)
{
	for (const struct verb_option *o = v->options; o && o->name; o++)
		if (o->letter == letter)
			return o;
	return NULL;
}

static int set_member(const struct verb_option *o, void *member, const char *value, struct diag *d)
{
	const char **text = member;
	int word = o->words ? word_find(o->words, value, strlen(value)) : 0;

	if (word < 0)
		return verb_bad_word(o->name, value, o->words, d);
	if (o->once && *text)
		return diag_err(d, -EINVAL, "--%s=%s: the option was given before (%s); give it once",
				o->name, value, *text);
	if (o->words)
		*(int *)member = word;
	else if (o->value)
		*text = value;
	else
		*(bool *)member = true;
	return 0;
}

/* Passes an option to its verb. value: the text after it in the same argument, or NULL; then the next
   argument is the value. */
static int take_value(struct parser *p, const struct verb_option *o, const char *value)
{
	if (!o->value && value)
		return diag_err(p->d, -EINVAL, "--%s takes no value", o->name);
	if (o->value && !value && p->at + 1 == p->argc)
		return diag_err(p->d, -EINVAL, "--%s needs a value: --%s=%s", o->name, o->name, o->value);
	if (o->value && !value)
		value = p->argv[++p->at];
	if (o->value && !*value)
		return diag_err(p->d, -EINVAL, "--%s= needs a value: --%s=%s", o->name, o->name, o->value);
	return o->set ? o->set(p->ctx, value, p->d) : set_member(o, (char *)p->ctx + o->member, value, p->d);
}

static int take_option(struct parser *p, const char *arg)
{
	const char *word = arg + 1 + (arg[1] == '-'), *eq = strchr(word, '=');
	size_t len = eq ? (size_t)(eq - word) : strlen(word);
	const struct verb_option *o = find_option(p->verb, word, len);

	if (o)
		return take_value(p, o, eq ? eq + 1 : NULL);
	if (arg[1] != '-' && (o = find_letter(p->verb, arg[1])))
		return take_value(p, o, arg[2] ? arg + 2 : NULL);
	if (p->verb->any_option)
		return p->verb->file(p->ctx, arg, p->d);
	return diag_err(p->d, -EINVAL, "%.60s: fiord %s has no such option; fiord %s --help lists them", arg,
			p->verb->name, p->verb->name);
}

static int put_help(const struct verb *v, struct diag *d)
{
	struct strbuf b = { 0 };

	verb_help(v, &b);
	return cmd_put_buffer(&b, d) ? d->err : VERB_HELP_SHOWN;
}

static bool is_help(const char *arg)
{
	return !strcmp(arg, "--help") || !strcmp(arg, "-help") || !strcmp(arg, "-h");
}

static int take_file(const struct verb *v, void *ctx, const char *path, struct diag *d)
{
	struct verb_files *files = (void *)((char *)ctx + v->files);

	if (v->file)
		return v->file(ctx, path, d);
	return VEC_PUSH(files, path) ? 0 : diag_no_memory(d);
}

int verb_parse(const struct verb *v, void *ctx, int argc, char *const *argv, struct diag *d)
{
	struct parser p = { v, ctx, argc, 2, argv, d };
	bool only_files = false;
	int err = 0;

	for (; p.at < argc && !err; p.at++) {
		const char *arg = argv[p.at];

		if (only_files || arg[0] != '-' || !arg[1])
			err = take_file(v, ctx, arg, d);
		else if (!strcmp(arg, "--"))
			only_files = true;
		else if (is_help(arg))
			return put_help(v, d);
		else
			err = take_option(&p, arg);
	}
	return err;
}

int verb_check_output(const char *option, const char *output, const char *const *input, size_t n,
		      struct diag *d)
{
	struct stat out, in;

	if (!output)
		return 0;
	for (size_t i = 0; i < n && !stat(output, &out); i++)
		if (!stat(input[i], &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return diag_err(d, -EINVAL, "--%s=%s: this would replace the input %s", option,
					output, input[i]);
	return outfile_check(option, output, d);
}

const char *const verb_format_names[] = {
	[VERB_TEXT] = "text", [VERB_JSON] = "json", [VERB_HTML] = "html", NULL
};

static bool ends_with(const char *text, const char *end)
{
	size_t n = text ? strlen(text) : 0, len = strlen(end);

	return n >= len && !strcmp(text + n - len, end);
}

enum verb_format verb_format_of(const char *output)
{
	if (ends_with(output, ".html") || ends_with(output, ".htm"))
		return VERB_HTML;
	return ends_with(output, ".json") ? VERB_JSON : VERB_TEXT;
}

int verb_bad_word(const char *option, const char *text, const char *const *words, struct diag *d)
{
	const char *near = nearest_word(words, text);
	struct strbuf list = { 0 };

	for (size_t i = 0; words[i]; i++)
		strbuf_printf(&list, "%s%s", i ? ", " : "", words[i]);
	diag_err(d, -EINVAL, "--%s=%s: the choices are %s%s%s%s", option, text, strbuf_str(&list),
		 near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	strbuf_fini(&list);
	return d->err;
}

int verb_each_word(const char *list, const char *between,
		   int (*add)(void *ctx, const char *word, struct diag *d), void *ctx, struct diag *d)
{
	char *copy = strdup(list), *save = NULL;
	int err = copy ? 0 : diag_no_memory(d);

	for (char *p = copy ? strtok_r(copy, between, &save) : NULL; p && !err;
	     p = strtok_r(NULL, between, &save))
		err = add(ctx, p, d);
	free(copy);
	return err;
}
