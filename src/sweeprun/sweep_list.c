#include "sweep_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "jsonr.h"
#include "jsonw.h"
#include "outfile.h"
#include "strbuf.h"
#include "utf8.h"
#include "version.h"

#define LIST_MAX (256u << 20)

void sweep_list_print(const struct sweep_points *p, struct strbuf *b)
{
	struct jsonw w;

	jsonw_init(&w, b);
	jsonw_object(&w, NULL);
	jsonw_str(&w, "fiord sweep", FIORD_VERSION);
	jsonw_array(&w, "points");
	for (size_t i = 0; i < p->sweep->npoints; i++) {
		jsonw_object(&w, NULL);
		jsonw_str(&w, "document", p->run[i].file);
		for (size_t k = 0; k < p->sweep->matrix.ndims; k++)
			jsonw_str(&w, p->sweep->matrix.dims[k].name, p->sweep->points[i].value[k]);
		jsonw_str(&w, "jobs", p->run[i].jobs);
		jsonw_end_object(&w);
	}
	jsonw_end_array(&w);
	jsonw_end_object(&w);
	strbuf_putc(b, '\n');
}

static int write_list(struct sweep_points *p, struct diag *d)
{
	struct strbuf b = { 0 };
	char *path = sweep_path(p, SWEEP_LIST);
	int err;

	sweep_list_print(p, &b);
	err = b.failed || !path ? diag_no_memory(d) : outfile_write(path, strbuf_str(&b), b.len, d);
	strbuf_fini(&b);
	return err;
}

static int read_text(const char *path, struct strbuf *b, struct diag *d)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return diag_err(d, -errno, "%s: %s", path, diag_errno(errno));
	err = strbuf_read(b, fd, LIST_MAX, false);
	close(fd);
	return err ? diag_err(d, err, "%s: %s", path, diag_errno(err)) : 0;
}

/* Checks that the list has the points and jobs of this sweep. */
static int compare_list(const struct sweep_points *p, struct json list, const char *path, struct diag *d)
{
	struct json_index ix;
	struct json_iter it;
	size_t i = 0;

	if (!json_index(&ix, list) || !json_get(&ix, "fiord sweep").at)
		return diag_err(d, -EINVAL,
				"%s: this is not the list of a sweep; name the directory of a "
				"sweep with -d",
				path);
	it = json_iter(json_get(&ix, "points"));
	for (; json_next(&it); i++) {
		struct arena mem = { 0 };
		char *jobs = json_index(&ix, it.value) ? json_text(json_get(&ix, "jobs"), &mem) : NULL;
		bool same = i < p->sweep->npoints && jobs && utf8_is_copy(jobs, p->run[i].jobs) &&
			    json_is(json_get(&ix, "document"), p->run[i].file);

		arena_fini(&mem);
		if (!same)
			return diag_err(
				d, -EINVAL,
				"--resume: point %zu in %s has other jobs than this command line; give "
				"the command line and the job files of the first start",
				i + 1, path);
	}
	return i == p->sweep->npoints ? 0
				      : diag_err(d, -EINVAL,
						 "--resume: %s has %zu points, but this command line "
						 "has %zu; give the command line and the job files of "
						 "the first start",
						 path, i, p->sweep->npoints);
}

int sweep_list_check(const struct sweep_points *p, const char *text, size_t len, const char *path,
		     struct diag *d)
{
	struct json list;
	const char *at, *why = json_parse(text, len, &list, &at);

	return why ? diag_err(d, -EINVAL, "%s: %s", path, why) : compare_list(p, list, path, d);
}

static int resume(struct sweep_points *p, const char *path, struct diag *d)
{
	struct strbuf text = { 0 };
	int err = read_text(path, &text, d);

	err = err ? err : sweep_list_check(p, strbuf_str(&text), text.len, path, d);
	strbuf_fini(&text);
	return err ? err : sweep_check_files(p, true, d);
}

static bool same_name(const char *file, const char *name, size_t len)
{
	return file && strlen(file) == len && !memcmp(file, name, len);
}

/* Returns whether the sweep writes a file of this name. */
static bool is_written(const struct sweep_points *p, const char *name, size_t len)
{
	bool is = same_name(SWEEP_LIST, name, len) || same_name(p->precondition.run.file, name, len);

	for (size_t i = 0; i < p->sweep->npoints && !is; i++)
		is = same_name(p->run[i].file, name, len) || same_name(p->maximum[i].run.file, name, len) ||
		     (p->again && same_name(p->again[i].file, name, len));
	return is;
}

/* Removes what runs left that were killed while they wrote a document. */
static void remove_leftovers(const struct sweep_points *p)
{
	DIR *dir = opendir(p->base.dir);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		size_t len = outfile_replaced_by(entry->d_name);
		const char *path =
			len && is_written(p, entry->d_name, len) ? sweep_path(p, entry->d_name) : NULL;

		if (path)
			outfile_remove_leftover(path);
	}
	if (dir)
		closedir(dir);
}

/* Returns false with errno if the path is no directory. */
static bool is_directory(const char *path)
{
	int err = errno;
	struct stat st;

	if (stat(path, &st))
		errno = err; /* why mkdir failed */
	else if (S_ISDIR(st.st_mode))
		return true;
	else
		errno = ENOTDIR;
	return false;
}

int sweep_points_open(struct sweep_points *p, struct diag *d)
{
	char *path = sweep_path(p, SWEEP_LIST);
	bool exists;

	if (!path)
		return diag_no_memory(d);
	if (sweep_find_file(path, &exists, d))
		return d->err;
	if (p->base.resume && exists) {
		if (!resume(p, path, d))
			remove_leftovers(p);
		return d->err;
	}
	if (exists)
		return diag_err(
			d, -EEXIST,
			"-d %s: the directory has a sweep already; continue it with --resume, or name "
			"another directory",
			p->base.dir);
	if (sweep_check_files(p, false, d))
		return d->err;
	if (mkdir(p->base.dir, 0777) && !is_directory(p->base.dir))
		return diag_kind(d, DIAG_OUTPUT, -errno, "-d %s: %s", p->base.dir, diag_errno(errno));
	remove_leftovers(p);
	return write_list(p, d);
}
