/* plan_paths.c: the paths of a clone, from filename, directory and filename_format. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "plan.h"
#include "strbuf.h"
#include "vec.h"

struct list {
	const char **v;
	size_t n, cap;
};

/* Splits "a:b\:c" into "a" and "b:c", without empty entries. */
static bool split(struct arena *a, const char *text, struct list *out)
{
	struct strbuf b = { 0 };
	bool ok = true;

	for (const char *p = text;; p++) {
		if (*p == '\\' && p[1] == ':') {
			strbuf_putc(&b, *++p);
		} else if (*p == ':' || !*p) {
			if (b.len)
				ok = ok && VEC_PUSH(out, arena_strdup(a, strbuf_str(&b))) &&
				     out->v[out->n - 1];
			strbuf_clear(&b);
			if (!*p)
				break;
		} else {
			strbuf_putc(&b, *p);
		}
	}
	ok = ok && !b.failed;
	strbuf_fini(&b);
	return ok;
}

static bool keyword(const char **p, const char *word)
{
	size_t n = strlen(word);

	if (strncasecmp(*p, word, n))
		return false;
	*p += n;
	return true;
}

/* Adds the text with its keywords replaced. file NULL: those of files stay. */
static void replace_keywords(struct strbuf *b, const char *text, const char *job_name, uint32_t clone,
			     const uint32_t *file)
{
	while (*text) {
		if (keyword(&text, "$jobname"))
			strbuf_puts(b, job_name);
		else if (keyword(&text, "$jobnum"))
			strbuf_printf(b, "%u", clone);
		else if (file && keyword(&text, "$filenum"))
			strbuf_printf(b, "%u", *file);
		else if (file && keyword(&text, "$clientuid"))
			strbuf_puts(b, "localhost");
		else
			strbuf_putc(b, *text++);
	}
}

bool plan_expand_name(struct strbuf *b, const char *text, const char *job_name, uint32_t clone)
{
	replace_keywords(b, text, job_name, clone, NULL);
	return !b->failed;
}

/* Returns the path of a name in a directory. As in fio an absolute name is below the directory, too. */
static const char *in_directory(struct arena *a, const char *dir, const char *name)
{
	size_t n = dir ? strlen(dir) : 0;

	if (!n)
		return arena_strdup(a, name);
	while (*name == '/')
		name++;
	return arena_printf(a, "%s%s%s", dir, dir[n - 1] == '/' ? "" : "/", name);
}

const char **plan_paths(struct arena *a, const struct job *job, uint32_t clone, uint32_t *count)
{
	const struct files_cfg *c = &job->opts.files;
	struct list names = { 0 }, dirs = { 0 };
	struct strbuf b = { 0 };
	const char **paths = NULL, *dir, *format = c->filename_format;
	bool named = c->filename && *c->filename;
	bool ok =
		(!named || split(a, c->filename, &names)) && (!c->directory || split(a, c->directory, &dirs));
	size_t n = c->nrfiles ? c->nrfiles : 1;

	if (!format || !*format)
		format = "$jobname.$jobnum.$filenum";
	if (named && (names.n < n || !job_user_option(job, "nrfiles")))
		n = names.n; /* nrfiles takes the first names */
	dir = dirs.n ? dirs.v[clone % dirs.n] : NULL;
	if (ok && n <= UINT32_MAX)
		paths = arena_array(a, n + 1, sizeof(*paths));
	for (uint32_t i = 0; paths && i < n; i++) {
		strbuf_clear(&b);
		if (!named)
			replace_keywords(&b, format, job->section, clone, &i);
		paths[i] = in_directory(a, dir, named ? names.v[i] : strbuf_str(&b));
		if (!paths[i] || b.failed)
			paths = NULL;
	}
	*count = (uint32_t)n;
	free(names.v);
	free(dirs.v);
	strbuf_fini(&b);
	return paths;
}

const char **plan_directories(struct arena *a, const struct job *job)
{
	struct list dirs = { 0 };
	const char *text = job->opts.files.directory;
	bool ok = !text || split(a, text, &dirs);
	const char **out = ok ? arena_array(a, dirs.n + 1, sizeof(*out)) : NULL;

	if (out && dirs.n)
		memcpy(out, dirs.v, dirs.n * sizeof(*out));
	free(dirs.v);
	return out;
}
