#include "file_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "vec.h"

struct walk {
	struct file_tree *out;
	const char *top;
	size_t top_len; /* up to the name below it */
	const char *match;
	VEC(char *) todo; /* directories to read */
	struct diag *d;
};

static int no_list_memory(struct walk *w)
{
	return diag_kind(w->d, DIAG_RUN, -ENOMEM, "out of memory for the list of files");
}

/* Returns whether one pattern of n bytes fits the path below the directory. */
static bool pattern_fits(const char *pattern, size_t n, const char *below)
{
	const char *slash = strrchr(below, '/');
	char text[FILE_TREE_PATTERNS + 1];

	memcpy(text, pattern, n);
	text[n] = '\0';
	return !fnmatch(text, strchr(text, '/') || !slash ? below : slash + 1, 0);
}

static bool matches(const char *list, const char *below)
{
	bool any = true, found = false;

	for (const char *p = list; p && *p; p += strspn(p, ":")) {
		size_t n = strcspn(p, ":");

		if (*p == '!') {
			if (pattern_fits(p + 1, n - 1, below))
				return false;
		} else {
			any = false;
			found = found || pattern_fits(p, n, below);
		}
		p += n;
	}
	return any || found;
}

static int add_tree_file(struct walk *w, const char *path)
{
	struct file_tree *t = w->out;
	const char *copy;

	if (!matches(w->match, path + w->top_len)) {
		t->unmatched++;
		return 0;
	}
	if (t->n == FILE_TREE_MAX)
		return diag_kind(w->d, DIAG_TARGET, -E2BIG, "%s: has more than %zu files", w->top,
				 FILE_TREE_MAX);
	copy = arena_strdup(&t->arena, path);
	return copy && VEC_PUSH(t, copy) ? 0 : no_list_memory(w);
}

static int add_tree_entry(struct walk *w, int dir, const char *path, const struct dirent *e)
{
	unsigned char type = e->d_type;
	struct stat st;
	char *copy;

	if (type == DT_UNKNOWN) {
		if (fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			return 0; /* removed since */
		type = (unsigned char)IFTODT(st.st_mode);
	}
	if (type == DT_REG)
		return add_tree_file(w, path);
	if (type != DT_DIR)
		return 0;
	copy = strdup(path);
	if (copy && VEC_PUSH(&w->todo, copy))
		return 0;
	free(copy);
	return no_list_memory(w);
}

static int read_entries(struct walk *w, DIR *dir, const char *path)
{
	size_t n = strlen(path);
	char name[4096 + 256];
	const struct dirent *e;
	int ret = 0;

	if (n + 2 + sizeof(e->d_name) > sizeof(name))
		return diag_kind(w->d, DIAG_TARGET, -ENAMETOOLONG, "%s: the path is too long", path);
	memcpy(name, path, n);
	if (n && name[n - 1] != '/')
		name[n++] = '/';
	while (!ret && (errno = 0, e = readdir(dir))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		memcpy(name + n, e->d_name, strlen(e->d_name) + 1);
		ret = add_tree_entry(w, dirfd(dir), name, e);
	}
	if (!ret && errno)
		ret = diag_kind(w->d, DIAG_TARGET, -errno, "%s: cannot be read: %s", path, diag_errno(errno));
	return ret;
}

/* Only the first directory may be a symbolic link. One that was removed since it was listed is no error. */
static int read_directory(struct walk *w, const char *path, bool first)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (first ? 0 : O_NOFOLLOW)), ret;
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;

	if (!dir) {
		ret = -errno;
		if (fd >= 0)
			close(fd);
		if (!first && (ret == -ENOENT || ret == -ELOOP || ret == -ENOTDIR))
			return 0;
		return diag_kind(w->d, DIAG_TARGET, ret, "%s: the directory cannot be read: %s", path,
				 diag_errno(-ret));
	}
	ret = read_entries(w, dir, path);
	closedir(dir);
	return ret;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int file_tree_list(struct file_tree *t, const char *dir, const char *match, struct diag *d)
{
	size_t n = strlen(dir);
	struct walk w = { .out = t, .top = dir, .top_len = n, .match = match, .d = d };
	int ret;

	if (n && dir[n - 1] != '/')
		w.top_len++;
	ret = read_directory(&w, dir, true);
	while (w.todo.n && !ret) {
		char *path = w.todo.v[--w.todo.n];

		ret = read_directory(&w, path, false);
		free(path);
	}
	while (w.todo.n)
		free(w.todo.v[--w.todo.n]);
	free(w.todo.v);
	if (t->n)
		qsort(t->v, t->n, sizeof(*t->v), by_bytes);
	return ret;
}

void file_tree_fini(struct file_tree *t)
{
	free(t->v);
	arena_fini(&t->arena);
	*t = (struct file_tree){ 0 };
}
