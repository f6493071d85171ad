#include "read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "read_parts.h"
#include "strbuf.h"
#include "vec.h"

#define FILE_MAX_BYTES ((size_t)512 << 20)
/* The memory that the results of one file may take, beside the text of the file. */
#define MEMORY_MAX ((size_t)1 << 30)

/* ---- all documents of a text ---- */

struct reading {
	struct reader rd;
	VEC(struct result *) list;
};

static void add_document(struct reading *all, struct json v)
{
	struct result *r = calloc(1, sizeof(*r));

	if (!r || !VEC_PUSH(&all->list, r)) {
		free(r);
		read_fail(&all->rd, -ENOMEM, NULL, "out of memory");
		return;
	}
	result_init(r, "fio", "", "");
	all->rd.r = r;
	all->rd.path_len = 0;
	all->rd.path[0] = '\0';
	read_document(&all->rd, v);
	arena_fini(&all->rd.scratch);
}

static size_t line_of(const char *text, const char *at)
{
	size_t line = 1;

	for (; text < at; text++)
		line += *text == '\n';
	return line;
}

/* Returns the beginning of the next document: the next character that is not blank, or the beginning of a
   line below lines of other text. */
static const char *find_document(const char *p, const char *end, bool first)
{
	while (p < end) {
		const char *line = p, *next;

		while (line < end && (*line == ' ' || *line == '\t' || *line == '\n' || *line == '\r'))
			line++;
		if (line < end && (*line == '{' || (*line == '[' && first)))
			return line;
		next = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
		p = next ? next + 1 : end;
		first = false;
	}
	return NULL;
}

/* Reads the documents of a text, which may have other lines before, between and after them. An array may hold
   several documents. */
static void read_documents(struct reading *all, const char *text, size_t len)
{
	const char *end = text + len, *at = find_document(text, end, true), *where;
	struct json_ends ends;

	for (; at && !all->rd.err; at = find_document(at, end, false)) {
		struct json v;
		struct json_iter it;
		const char *why = json_parse_ends(at, (size_t)(end - at), &ends, &v, &where);

		if (why) {
			all->rd.err = diag_err(all->rd.d, -EINVAL, "%s: line %zu: %s", all->rd.name,
					       line_of(text, where), why);
			return;
		}
		at = v.end;
		if (json_kind(v) == JSON_OBJECT)
			add_document(all, v);
		for (it = json_iter(v); json_kind(v) == JSON_ARRAY && !all->rd.err && json_next(&it);)
			add_document(all, it.value);
	}
}

static void read_pages(struct reading *all, const char *page, size_t len)
{
	struct page p = { .name = all->rd.name, .at = page, .end = page + len };
	size_t text_len;
	char *text;
	int ret;

	while (!all->rd.err && (ret = read_page(&p, &text, &text_len, all->rd.d))) {
		if (ret < 0) {
			all->rd.err = ret;
			return;
		}
		read_documents(all, text, text_len);
		free(text);
	}
	if (!all->rd.err && !all->list.n)
		read_fail(&all->rd, -EINVAL, NULL, "the page has no data of fiord");
}

/* ---- the set ---- */

static bool is_page(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && strchr(" \t\r\n", text[i]) && text[i])
		i++;
	return i < len && text[i] == '<';
}

static char *source_of(const char *name, size_t i, size_t n)
{
	char *text = NULL;

	if (n == 1)
		return strdup(name);
	return asprintf(&text, "%s, document %zu", name, i + 1) < 0 ? NULL : text;
}

/* Moves the results into the set, which stays as it is when memory is short. */
static int append(struct result_set *set, struct reading *all)
{
	size_t n = set->n + all->list.n;
	struct result **res = realloc(set->res, n * sizeof(*res));
	const char **source;

	if (res)
		set->res = res;
	source = res ? realloc(set->source, n * sizeof(*source)) : NULL;
	if (!source)
		return -ENOMEM;
	set->source = source;
	for (size_t i = 0; i < all->list.n; i++) {
		source[set->n + i] = source_of(all->rd.name, i, all->list.n);
		if (!source[set->n + i]) {
			while (i-- > 0)
				free((char *)(uintptr_t)source[set->n + i]);
			return -ENOMEM;
		}
		res[set->n + i] = all->list.v[i];
	}
	set->n = n;
	all->list.n = 0;
	return 0;
}

int result_read(struct result_set *set, const char *name, const char *text, size_t len, struct diag *d)
{
	struct reading all = { .rd = { .name = name, .d = d, .room = MEMORY_MAX } };

	/* A byte order mark. */
	if (len >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) {
		text += 3;
		len -= 3;
	}
	if (is_page(text, len))
		read_pages(&all, text, len);
	else
		read_documents(&all, text, len);
	if (!all.rd.err && !all.list.n)
		read_fail(&all.rd, -EINVAL, NULL,
			  len ? "this is not a result of fiord or fio" : "the file is empty");
	if (!all.rd.err && append(set, &all))
		read_fail(&all.rd, -ENOMEM, NULL, "out of memory");
	for (size_t i = 0; i < all.list.n; i++) {
		result_free(all.list.v[i]);
		free(all.list.v[i]);
	}
	free(all.list.v);
	return all.rd.err;
}

void result_set_free(struct result_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		if (set->res[i])
			result_free(set->res[i]);
		free(set->res[i]);
		free((char *)(uintptr_t)set->source[i]);
	}
	free(set->res);
	free(set->source);
	*set = (struct result_set){ 0 };
}

/* ---- files ---- */

static int read_text_file(int fd, const char *name, struct strbuf *b, struct diag *d)
{
	int err = strbuf_read(b, fd, FILE_MAX_BYTES, true);

	if (err == -EFBIG)
		return diag_err(d, err, "%s: the file is larger than %zu MiB", name, FILE_MAX_BYTES >> 20);
	if (err == -EILSEQ)
		return diag_err(d, -EINVAL, "%s: this is not text", name);
	return err ? diag_err(d, err, "%s: %s", name, err == -ENOMEM ? "out of memory" : diag_errno(err)) : 0;
}

/* A file of the kernel may never end, and reading it may change what it says. */
static bool is_kernel_file(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && (fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC);
}

static bool is_compressed_log(const char *path)
{
	static const char end[] = ".log.fz";
	size_t len = strlen(path);

	return len >= sizeof(end) && !strcmp(path + len - sizeof(end) + 1, end);
}

int result_read_file(struct result_set *set, const char *path, struct diag *d)
{
	bool standard = !strcmp(path, "-");
	const char *name = standard ? "standard input" : path;
	int fd, ret;
	struct strbuf t = { 0 };

	if (is_compressed_log(path))
		return diag_err(d, -EINVAL,
				"%s: this log is compressed; inflate it first: fiord --inflate-log=%s >%.*s",
				path, path, (int)(strlen(path) - strlen(".fz")), path);
	fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return diag_err(d, -errno, "%s: %s", name, diag_errno(errno));
	if (is_kernel_file(fd))
		ret = diag_err(d, -EINVAL, "%s: this is a file of the kernel, not a document", name);
	else
		ret = read_text_file(fd, name, &t, d);
	if (!ret)
		ret = result_read(set, name, strbuf_str(&t), t.len, d);
	strbuf_fini(&t);
	if (!standard)
		close(fd);
	return ret;
}
