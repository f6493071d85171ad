/* plan_access.c: whether a job can use its targets: paths of this system that exist or can be created, with
   the permissions that the job needs. Runs before the sizes are planned, which need reachable targets. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "plan_build.h"

enum windows { WINDOWS_NO, WINDOWS_MAYBE, WINDOWS_YES };

/* Judges one entry of a list: "C:\a", "C\:\a" (escaped) and "\\server\a" are Windows paths; "C:/a" may be two
   names. */
static enum windows windows_entry(const char *s)
{
	if (s[0] == '\\' && s[1] == '\\')
		return WINDOWS_YES;
	if (!isalpha((unsigned char)s[0]))
		return WINDOWS_NO;
	s += s[1] == '\\' ? 2 : 1;
	if (*s != ':')
		return WINDOWS_NO;
	return s[1] == '\\' ? WINDOWS_YES : s[1] == '/' ? WINDOWS_MAYBE : WINDOWS_NO;
}

static enum windows windows_list(const char *text)
{
	enum windows most = WINDOWS_NO;

	for (const char *s = text; s && *s;) {
		enum windows w = windows_entry(s);
		const char *colon = strchr(s, ':');

		most = w > most ? w : most;
		s = colon ? colon + 1 : NULL;
	}
	return most;
}

int plan_access_directory(struct build *b, const struct job *job, const char *path,
			  const struct target_facts *f)
{
	const char *text = job->opts.files.directory;

	if (f->type == TARGET_DIR)
		return 0;
	if (f->type == TARGET_MISSING && windows_list(text) != WINDOWS_NO)
		return plan_err(b, job, "directory",
				"{directory=%s}: this is a Windows path; name a directory of this machine, "
				"such as {directory=}/mnt/data",
				text);
	if (f->error)
		return plan_err(b, job, "directory", "{directory=%s}: %s", path, diag_errno(f->error));
	return plan_err(b, job, "directory", "{directory=%s}: %s", path,
			f->type == TARGET_MISSING ? "does not exist; create it first" : "is not a directory");
}

/* Returns whether ".." leads a relative path out of its directory. */
static bool climbs_out(const char *path)
{
	int depth = 0;

	while (*path) {
		size_t n = strcspn(path, "/");

		if (n == 2 && path[0] == '.' && path[1] == '.')
			depth--;
		else if (n && !(n == 1 && *path == '.'))
			depth++;
		if (depth < 0)
			return true;
		path += n + (path[n] == '/');
	}
	return false;
}

int plan_access_inside(struct build *b, const struct job *job, const char *path, const char *dir)
{
	const struct files_cfg *c = &job->opts.files;
	size_t n = strlen(dir);

	if ((c->filename && *c->filename) || strncmp(path, dir, n) || !climbs_out(path + n))
		return 0;
	return plan_err(b, job, "filename_format",
			"{filename_format=%s}: %s lies outside of {directory=%s}; remove the \"..\"",
			c->filename_format, path, dir);
}

static int check_missing(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const char *text = pj->job->opts.files.filename;
	enum windows w = windows_list(text);

	if (w == WINDOWS_YES || (w == WINDOWS_MAYBE && t->facts->parent_missing))
		return plan_err(b, pj->job, "filename",
				"{filename=%s}: this is a Windows path; name a file or device of this "
				"machine, such as {filename=}/mnt/data/x or {+filename=}/dev/sdb",
				text);
	if (t->facts->in_dev || t->facts->symlink)
		return target_may_write(t->facts, t->path, &b->p->allow, b->d);
	if (t->facts->error && t->facts->dir_ino)
		return diag_kind(b->d, DIAG_TARGET, t->facts->error,
				 "%s: %s: it does not exist, and its directory permits no new files", t->path,
				 diag_errno(t->facts->error));
	return t->facts->error ? target_error(t->facts, t->path, false, b->d) : 0;
}

static int check_existing(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const struct target_facts *f = t->facts;
	bool write = plan_writes(pj), read = job_access(pj->job) & RW_READ && !plan_changes_files(pj);

	if (f->error)
		return target_error(f, t->path, write && !target_allowed(f, t->path, &b->p->allow), b->d);
	if (plan_is_meta(pj))
		return 0;
	if (f->type == TARGET_DIR)
		return diag_kind(b->d, DIAG_TARGET, -EISDIR,
				 "%s: is a directory; use {+directory=%s} for files in it", t->path, t->path);
	if (f->type == TARGET_OTHER)
		return diag_kind(b->d, DIAG_TARGET, -EINVAL, "%s: is neither a file nor a device", t->path);
	if (read && f->read_error)
		return diag_kind(b->d, DIAG_TARGET, f->read_error, "%s: reading is not permitted: %s",
				 t->path, diag_errno(f->read_error));
	if (write && f->write_error)
		return diag_kind(b->d, DIAG_TARGET, f->write_error, "%s: writing is not permitted: %s",
				 t->path, diag_errno(f->write_error));
	return 0;
}

/* filetype: refuses a target of another type. A missing path would become a regular file. */
static int check_type(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	static const struct {
		const char *value, *name;
	} types[] = { [FILE_TYPE_FILE] = { "file", "regular file" },
		      [FILE_TYPE_BLOCK] = { "block", "block device" },
		      [FILE_TYPE_CHAR] = { "char", "character device" } };
	static const enum file_type of_target[] = {
		[TARGET_MISSING] = FILE_TYPE_FILE, [TARGET_FILE] = FILE_TYPE_FILE,
		[TARGET_BLOCK] = FILE_TYPE_BLOCK,  [TARGET_CHAR] = FILE_TYPE_CHAR,
		[TARGET_DIR] = FILE_TYPE_ANY,      [TARGET_OTHER] = FILE_TYPE_ANY
	};
	enum file_type wanted = pj->job->opts.files.type;

	if (wanted == FILE_TYPE_ANY || of_target[t->facts->type] == wanted)
		return 0;
	return diag_kind(b->d, DIAG_TARGET, -EINVAL, "%s: {filetype=%s}: this is not a %s", t->path,
			 types[wanted].value, types[wanted].name);
}

int plan_access(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	int ret = t->facts->type == TARGET_MISSING ? check_missing(b, pj, t) : check_existing(b, pj, t);

	if (!ret && !plan_is_meta(pj))
		ret = check_type(b, pj, t);
	return plan_error_at(b, pj->job, ret);
}
