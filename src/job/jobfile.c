#include "jobfile.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "strbuf.h"
#include "vec.h"

#define INCLUDE_DEPTH_MAX 16
#define INCLUDES_MAX      4096
#define NAME_MAX_LEN      49 /* inih cuts longer names of continued lines */

struct source {
	const char *name; /* in messages */
	const char *path;
	struct strbuf text;
	size_t pos;
	unsigned line;
};

struct jobfile_reader {
	struct jobfile *out;
	const struct jobfile_source *from;
	struct arena *arena;
	struct notes *notes;
	struct diag *d;
	int err;
	struct source stack[INCLUDE_DEPTH_MAX];
	unsigned depth, includes;
	size_t total;

	/* The option that inih is parsing. */
	struct strbuf line;
	char name[NAME_MAX_LEN + 1];
	const char *rest; /* the part of its value that inih has not read yet; NULL: none */
	struct raw_opt opt;
	struct strbuf value; /* the pieces that inih returned */
};

/* A part of a line. */
struct slice {
	const char *s;
	size_t n;
};

static struct slice trim(struct slice s)
{
	while (s.n && isspace((unsigned char)s.s[0])) {
		s.s++;
		s.n--;
	}
	while (s.n && isspace((unsigned char)s.s[s.n - 1]))
		s.n--;
	return s;
}

static struct place current_place(const struct jobfile_reader *r)
{
	const struct source *top = &r->stack[r->depth - 1];

	return (struct place){ .file = top->name, .line = top->line };
}

__attribute__((format(printf, 2, 3))) static int fail(struct jobfile_reader *r, const char *fmt, ...)
{
	struct place at = current_place(r);
	struct strbuf text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(&text, fmt, ap);
	va_end(ap);
	r->err = diag_err(r->d, -EINVAL, "{@%s:%u: }%s", at.file, at.line, strbuf_str(&text));
	strbuf_fini(&text);
	return r->err;
}

static int no_memory(struct jobfile_reader *r)
{
	r->err = diag_err(r->d, -ENOMEM, "%s: out of memory", r->stack[0].name);
	return r->err;
}

/* Returns the length at which messages cut the user's text. */
static int quote_len(size_t n)
{
	return n > 60 ? 60 : (int)n;
}

/* Sets the error for a file that cannot be read. The place is the including line, if any. */
static int fail_load(struct jobfile_reader *r, const char *path, int err)
{
	struct strbuf text = { 0 };

	if (err == -EFBIG)
		strbuf_printf(&text, "the job file and its includes have more than %u MiB",
			      JOBFILE_BYTES_MAX >> 20);
	else if (err == -EISDIR)
		strbuf_printf(&text, "'%s' is a directory, not a job file", path);
	else
		strbuf_printf(&text, "cannot read job file '%s': %s", path, diag_errno(err));
	if (r->depth)
		fail(r, "%s", strbuf_str(&text));
	else
		r->err = diag_err(r->d, err, "%s", strbuf_str(&text));
	strbuf_fini(&text);
	return r->err;
}

/* Puts a file on the stack. */
static int push_source(struct jobfile_reader *r, const char *path)
{
	struct source src = { .path = path, .name = strcmp(path, "-") ? path : "standard input" };
	int err;

	if (r->depth && !r->from->remote && jobfile_is_special(path))
		return fail(r, "include %s: not a regular file", path);
	err = r->from->load(r->from->ctx, path, &src.text);
	if (!err && (r->total += src.text.len) > JOBFILE_BYTES_MAX)
		err = -EFBIG;
	if (err) {
		strbuf_fini(&src.text);
		return fail_load(r, path, err);
	}
	if (src.text.len >= 3 && !memcmp(src.text.text, "\xef\xbb\xbf", 3))
		src.pos = 3;
	r->stack[r->depth++] = src;
	if (src.text.len && memchr(src.text.text, '\0', src.text.len)) {
		r->err = diag_err(r->d, -EINVAL,
				  "%s: contains NUL bytes, so it is not a job file or not in UTF-8 (save it "
				  "as plain text)",
				  src.name);
	}
	return r->err;
}

/* Returns the next line of the innermost file, without its newline. Returns false at the end of all files. */
static bool next_line(struct jobfile_reader *r, struct slice *line)
{
	while (r->depth) {
		struct source *top = &r->stack[r->depth - 1];
		const char *from = strbuf_str(&top->text) + top->pos, *nl;
		size_t rest = top->text.len - top->pos;

		if (rest) {
			nl = memchr(from, '\n', rest);
			*line = (struct slice){ from, nl ? (size_t)(nl - from) : rest };
			top->pos += line->n + (nl ? 1 : 0);
			top->line++;
			return true;
		}
		if (r->depth == 1) /* stays on the stack, because current_place() needs it */
			return false;
		strbuf_fini(&top->text);
		r->depth--;
	}
	return false;
}

/* Returns the length up to the comment. Sets *adjacent if no blank precedes the comment. */
static size_t comment_start(struct slice line, bool *adjacent)
{
	size_t at = 0;

	while (at < line.n && line.s[at] != ';' && line.s[at] != '#')
		at++;
	*adjacent = at < line.n && at && !isspace((unsigned char)line.s[at - 1]);
	return at;
}

/* Returns the end of the section's name: the last ']' before a comment, else the first one. */
static const char *section_end(struct slice line)
{
	bool adjacent;
	const char *end = memrchr(line.s, ']', comment_start(line, &adjacent));

	return end ? end : memchr(line.s, ']', line.n);
}

static int begin_section(struct jobfile_reader *r, struct slice line)
{
	const char *end = section_end(line);
	struct slice name, rest;
	struct raw_section sec = { .at = current_place(r) };

	if (r->depth > 1)
		return fail(r, "%.*s: an included file may contain only options, no sections",
			    quote_len(line.n), line.s);
	if (!end)
		return fail(r, "%.*s: the ']' is missing", quote_len(line.n), line.s);
	name = trim((struct slice){ line.s + 1, (size_t)(end - line.s) - 1 });
	rest = trim((struct slice){ end + 1, line.n - (size_t)(end + 1 - line.s) });
	if (!name.n)
		return fail(r, "a section needs a name: [job1]");
	if (rest.n && rest.s[0] != ';' && rest.s[0] != '#')
		return fail(r, "'%.*s' follows the section's ']'; options go on lines of their own",
			    quote_len(rest.n), rest.s);
	sec.name = arena_strndup(r->arena, name.s, name.n);
	sec.global = !strncmp(name.s, "global", 6) && name.n >= 6;
	if (!sec.name || !VEC_PUSH(r->out, sec))
		return no_memory(r);
	return 0;
}

static int include_file(struct jobfile_reader *r, struct slice arg)
{
	const struct source *top = &r->stack[r->depth - 1];
	const char *slash = strrchr(top->path, '/');
	int dir_len = slash && arg.s[0] != '/' ? (int)(slash - top->path) + 1 : 0;
	const char *path = arena_printf(r->arena, "%.*s%.*s", dir_len, top->path, (int)arg.n, arg.s);

	if (!path)
		return no_memory(r);
	for (unsigned i = 0; i < r->depth; i++)
		if (!strcmp(r->stack[i].path, path))
			return fail(r, "include %s: the file includes itself", path);
	if (r->depth == INCLUDE_DEPTH_MAX)
		return fail(r, "include %s: more than %d files deep", path, INCLUDE_DEPTH_MAX);
	if (++r->includes > INCLUDES_MAX)
		return fail(r, "include %s: more than %d includes", path, INCLUDES_MAX);
	return push_source(r, path);
}

/* Returns whether the line is an include; sets *arg to its path. fio reads "include=path", too. */
static bool is_include(struct slice line, struct slice *arg)
{
	if (line.n < 7 || memcmp(line.s, "include", 7) ||
	    (line.n > 7 && line.s[7] != '=' && !isspace((unsigned char)line.s[7])))
		return false;
	*arg = trim((struct slice){ line.s + 7, line.n - 7 });
	if (arg->n && arg->s[0] == '=')
		*arg = trim((struct slice){ arg->s + 1, arg->n - 1 });
	return true;
}

static uint64_t keyword_value(unsigned which)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	switch (which) {
	case 0:
		return page;
	case 1:
		return (uint64_t)sysconf(_SC_PHYS_PAGES) * page >> 20;
	default:
		return (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	}
}

/* Adds the value of the keyword at s to the line. Returns the keyword's length; 0 if there is none. */
static size_t put_keyword(struct jobfile_reader *r, struct slice s)
{
	static const char *const keyword[] = { "$pagesize", "$mb_memory", "$ncpus" };

	for (unsigned i = 0; i < 3; i++) {
		size_t n = strlen(keyword[i]);

		if (s.n >= n && !memcmp(s.s, keyword[i], n)) {
			strbuf_printf(&r->line, "%llu", (unsigned long long)keyword_value(i));
			r->opt.keyword = true;
			return n;
		}
	}
	return 0;
}

/* Does the same for ${NAME}. */
static size_t put_env(struct jobfile_reader *r, struct slice s)
{
	const char *end = s.n > 2 && s.s[1] == '{' ? memchr(s.s, '}', s.n) : NULL;
	const char *value;
	char *name;
	struct place at = current_place(r);

	if (!end)
		return 0;
	name = arena_strndup(r->arena, s.s + 2, (size_t)(end - s.s) - 2);
	value = name ? getenv(name) : NULL;
	if (name && !value)
		notes_add(r->notes, "{@%s:%u: }${{%s} is not set, so it is empty", at.file, at.line, name);
	if (value && strpbrk(value, "\r\n"))
		fail(r, "${%s} holds more than one line", name);
	strbuf_puts(&r->line, value ? value : "");
	return (size_t)(end - s.s) + 1;
}

static void expand(struct jobfile_reader *r, struct slice s)
{
	strbuf_clear(&r->line);
	while (s.n) {
		size_t n = 0;

		if (s.s[0] == '$') {
			n = put_keyword(r, s);
			n = n ? n : put_env(r, s);
		}
		if (!n) {
			strbuf_putc(&r->line, s.s[0]);
			n = 1;
		}
		s.s += n;
		s.n -= n;
	}
}

static size_t name_len(struct slice s)
{
	size_t n = 0;

	while (n < s.n && (isalnum((unsigned char)s.s[n]) || s.s[n] == '_' || s.s[n] == '-'))
		n++;
	return n;
}

/* Sets the error for a line without a valid option name, with a hint at the likely mistake. */
static int fail_name(struct jobfile_reader *r, struct slice name, bool bare)
{
	size_t word = name_len(name);
	struct slice rest = { name.s + word, name.n - word };

	if (!name.n)
		return fail(r, "no option name before the '='");
	if (!bare || !word || word > NAME_MAX_LEN || (*rest.s != ':' && !isspace((unsigned char)*rest.s)))
		return fail(r, "unknown option '%.*s'", quote_len(name.n), name.s);
	rest = trim(rest);
	if (rest.n && rest.s[0] == ':')
		rest = trim((struct slice){ rest.s + 1, rest.n - 1 });
	return fail(r, "'%.*s' is no option; did you mean %.*s=%.*s?", quote_len(name.n), name.s, (int)word,
		    name.s, quote_len(rest.n), rest.s);
}

/* Splits an option line. The value then goes through inih. */
static int begin_option(struct jobfile_reader *r, struct slice line)
{
	struct slice name, value = { NULL, 0 };
	const char *eq;

	r->opt = (struct raw_opt){ .at = current_place(r) };
	expand(r, line);
	if (r->err)
		return r->err;
	if (r->line.failed)
		return no_memory(r);
	line = trim((struct slice){ strbuf_str(&r->line), r->line.len });
	if (!line.n)
		return 0;
	eq = memchr(line.s, '=', line.n);
	name = trim((struct slice){ line.s, eq ? (size_t)(eq - line.s) : line.n });
	if (!r->out->n)
		return fail(r, "option '%.*s' stands before the first [section]; put [global] above it",
			    quote_len(line.n), line.s);
	if (!name.n || name_len(name) != name.n || name.n > NAME_MAX_LEN)
		return fail_name(r, name, !eq);
	memcpy(r->name, name.s, name.n);
	r->name[name.n] = '\0';
	if (eq) {
		struct slice raw = { eq + 1, line.n - (size_t)(eq + 1 - line.s) };

		value = trim(raw);
		r->opt.blank = value.s != raw.s && value.n;
		r->line.text[(size_t)(value.s - r->line.text) + value.n] = '\0';
	}
	r->opt.text = value.s; /* points into the line; store_piece() copies it */
	r->rest = value.s ? value.s : "";
	return 0;
}

static int begin_line(struct jobfile_reader *r, struct slice line)
{
	struct slice arg;
	struct place at = current_place(r);
	bool adjacent;

	line = trim(line);
	if (!line.n || line.s[0] == ';' || line.s[0] == '#')
		return 0;
	if (line.s[0] == '[')
		return begin_section(r, line);
	arg.n = comment_start(line, &adjacent);
	if (adjacent)
		notes_add(r->notes, "{@%s:%u: }the text from '%c' on is a comment: %.*s", at.file, at.line,
			  line.s[arg.n], quote_len(arg.n), line.s);
	line.n = arg.n;
	line = trim(line);
	if (!is_include(line, &arg))
		return begin_option(r, line);
	return arg.n ? include_file(r, arg) : fail(r, "include needs the path of a file");
}

/* Writes the next piece of a value between bars, so that inih does not strip blanks. */
static void put_piece(struct jobfile_reader *r, char *buf, size_t size, const char *before)
{
	size_t room = size - strlen(before) - 4, n = strnlen(r->rest, room);

	snprintf(buf, size, "%s|%.*s|\n", before, (int)n, r->rest);
	r->rest = r->rest[n] ? r->rest + n : NULL;
}

/* The line reader for inih. Sections are passed as numbers, bare names as "name=", long values as indented
 * lines. */
static char *read_line(char *buf, int bytes, void *arg)
{
	struct jobfile_reader *r = arg;
	char before[NAME_MAX_LEN + 2];
	struct slice line;
	size_t sections, size = (size_t)bytes;

	if (r->rest) {
		put_piece(r, buf, size, "\t");
		return buf;
	}
	do {
		sections = r->out->n;
		if (r->err || !next_line(r, &line) || begin_line(r, line))
			return NULL;
	} while (!r->rest && r->out->n == sections);
	if (!r->rest) {
		snprintf(buf, size, "[%zu]\n", sections);
		return buf;
	}
	snprintf(before, sizeof(before), "%s=", r->name);
	if (r->opt.text) {
		put_piece(r, buf, size, before);
	} else {
		snprintf(buf, size, "%s\n", before);
		r->rest = NULL;
	}
	return buf;
}

/* The handler for inih: collects the pieces of an option and stores the complete option. */
static int store_piece(void *arg, const char *section, const char *name, const char *value)
{
	struct jobfile_reader *r = arg;
	struct raw_section *sec = &r->out->v[strtoul(section, NULL, 10)];
	size_t n = strlen(value);

	if (n >= 2)
		strbuf_add(&r->value, value + 1, n - 2);
	if (r->rest)
		return 1;
	r->opt.name = arena_strdup(r->arena, name);
	if (r->opt.text)
		r->opt.text = arena_strndup(r->arena, strbuf_str(&r->value), r->value.len);
	if (!r->opt.name || (n && !r->opt.text) || r->value.failed || !VEC_PUSH(sec, r->opt))
		no_memory(r);
	strbuf_clear(&r->value);
	return r->err ? 0 : 1;
}

int jobfile_read(struct jobfile *f, const char *path, const struct jobfile_source *from, struct arena *a,
		 struct notes *notes, struct diag *d)
{
	struct jobfile_reader r = { .out = f, .from = from, .arena = a, .notes = notes, .d = d };
	const char *name = arena_strdup(a, path);
	int bad;

	if (!name)
		return diag_err(d, -ENOMEM, "out of memory");
	if (!push_source(&r, name)) {
		bad = ini_parse_stream(read_line, &r, store_piece, &r);
		if (bad && !r.err)
			r.err = diag_err(d, -EINVAL, "%s: libinih refuses its line %d", name, bad);
	}
	while (r.depth)
		strbuf_fini(&r.stack[--r.depth].text);
	strbuf_fini(&r.line);
	strbuf_fini(&r.value);
	return r.err;
}

void jobfile_fini(struct jobfile *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->v[i].v);
	free(f->v);
	*f = (struct jobfile){ 0 };
}
