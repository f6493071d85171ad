#include "trace_paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "vec.h"

#define ENDING  ".blktrace."
#define CPU_MAX 65535

/* The file of a CPU may be compressed. */
static const char *const packings[] = { "", ".gz", ".zst" };
#define PACKINGS (sizeof(packings) / sizeof(*packings))

static bool is_packing(const char *text)
{
	for (size_t i = 0; i < PACKINGS; i++)
		if (!strcmp(packings[i], text))
			return true;
	return false;
}

/* Returns the CPU if the name ends with .blktrace.N, .blktrace.N.gz or .blktrace.N.zst; else -1. *len:
   without N and what follows. */
static long cpu_of(const char *name, size_t *len)
{
	const char *found = strstr(name, ENDING), *next, *digits;
	size_t n;

	while (found && (next = strstr(found + 1, ENDING)))
		found = next;
	digits = found ? found + strlen(ENDING) : "";
	n = strspn(digits, "0123456789");
	if (!n || !is_packing(digits + n) || n > 5)
		return -1;
	*len = (size_t)(digits - name);
	return strtol(digits, NULL, 10);
}

static int add(struct trace_paths *p, const char *path, struct diag *d)
{
	return path && VEC_PUSH(&p->list, path) ? 0 : diag_no_memory(d);
}

/* Returns the highest CPU that has a file NAME.blktrace.N; -1 if there is none. */
static long last_cpu(struct trace_paths *p, const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	const char *folder = slash ? arena_strndup(&p->text, name, (size_t)(slash - name) + 1) : ".";
	DIR *dir = folder ? opendir(folder) : NULL;
	const struct dirent *entry;
	long last = -1;

	while (dir && (entry = readdir(dir))) {
		size_t len, want = strlen(base) + strlen(ENDING);
		long cpu = cpu_of(entry->d_name, &len);

		if (cpu > last && len == want && !strncmp(entry->d_name, base, strlen(base)))
			last = cpu;
	}
	if (dir)
		closedir(dir);
	return last;
}

static int missing(const char *name, int len, long cpu, struct diag *d)
{
	return diag_kind(
		d, DIAG_USAGE, -ENOENT,
		"%.*s%ld: missing; a trace of blktrace is complete with the files of all CPUs (an empty "
		"file stands for a CPU that was off)",
		len, name, cpu);
}

/* Finds the file of a CPU as it is there, compressed or not; *path is NULL if it is not there. Returns 0 or
   -ENOMEM with d. */
static int find_cpu_file(struct trace_paths *p, const char *name, size_t len, long cpu, const char **path,
			 struct diag *d)
{
	for (size_t i = 0; i < PACKINGS; i++) {
		*path = arena_printf(&p->text, "%.*s%ld%s", (int)len, name, cpu, packings[i]);
		if (!*path)
			return diag_no_memory(d);
		if (!access(*path, F_OK))
			return 0;
	}
	*path = NULL;
	return 0;
}

/* Adds the file, or the files of the CPUs of this name. */
static int add_name(struct trace_paths *p, const char *name, struct diag *d)
{
	long last = strcmp(name, "-") && access(name, F_OK) ? last_cpu(p, name) : -1;
	int ret = last < 0 ? add(p, name, d) : 0;

	if (last >= 0)
		name = arena_printf(&p->text, "%s" ENDING, name);
	if (!name)
		return diag_no_memory(d);
	for (long cpu = 0; cpu <= last && !ret; cpu++) {
		const char *path;

		ret = find_cpu_file(p, name, strlen(name), cpu, &path, d);
		if (!ret)
			ret = path ? add(p, path, d) : missing(name, (int)strlen(name), cpu, d);
	}
	return ret;
}

static bool is_listed(const struct trace_paths *p, const char *name, size_t len, long cpu)
{
	for (size_t i = 0; i < p->list.n; i++) {
		size_t other;

		if (cpu_of(p->list.v[i], &other) == cpu && other == len && !memcmp(p->list.v[i], name, len))
			return true;
	}
	return false;
}

/* Checks that the file of the CPU before this one is in the list; and that of the CPU behind it, if the file
   exists. */
static int check_neighbours(struct trace_paths *p, const char *name, struct diag *d)
{
	size_t len = 0;
	long cpu = cpu_of(name, &len);
	const char *next;

	if (cpu < 0)
		return 0;
	if (cpu && !is_listed(p, name, len, cpu - 1))
		return missing(name, (int)len, cpu - 1, d);
	if (find_cpu_file(p, name, len, cpu + 1, &next, d))
		return d->err;
	if (next && !is_listed(p, name, len, cpu + 1))
		return missing(name, (int)len, cpu + 1, d);
	return 0;
}

int trace_paths_expand(struct trace_paths *p, const char *const *path, size_t n, struct diag *d)
{
	int ret = 0;

	*p = (struct trace_paths){ 0 };
	for (size_t i = 0; i < n && !ret; i++)
		ret = add_name(p, path[i], d);
	for (size_t i = 0; i < p->list.n && !ret; i++)
		ret = check_neighbours(p, p->list.v[i], d);
	return ret;
}

void trace_paths_fini(struct trace_paths *p)
{
	free(p->list.v);
	arena_fini(&p->text);
	*p = (struct trace_paths){ 0 };
}

bool trace_paths_have(const char *const *path, size_t n, const struct stat *file)
{
	struct trace_paths p;
	struct diag d = { 0 };
	struct stat st;
	bool found = false;

	/* A missing file is an error of trace_open, not of this question. */
	trace_paths_expand(&p, path, n, &d);
	for (size_t i = 0; i < p.list.n && !found; i++)
		found = !stat(p.list.v[i], &st) && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
	trace_paths_fini(&p);
	diag_fini(&d);
	return found;
}
