/* resolve_files.c: the rules for creating, filling and removing files. */
#include <string.h>
#include "rules.h"

/* Returns whether files are drawn, so that files with I/Os left are closed if not all can be open. */
static bool draws_files(const struct files_cfg *f)
{
	return f->file_order.kind != FILE_ORDER_ROUNDROBIN && f->file_order.kind != FILE_ORDER_SEQUENTIAL;
}

/* Many expect that the files of a section replace those of the options above it. */
static void note_added_files(struct rule_ctx *r)
{
	const struct user_option *own = user_options_find(&r->job->own, "filename");
	const struct user_option *above = user_options_find(&r->job->inherited, "filename");

	if (own && above)
		rule_note(r, "filename",
			  "adds to {filename=%.80s} of the options above it; the job works on all of these "
			  "files, as in fio",
			  above->text);
}

int rule_files(struct rule_ctx *r)
{
	struct files_cfg *f = &r->o->files;

	note_added_files(r);
	if (!f->nrfiles)
		return rule_refuse(r, "nrfiles", "must be 1 or more");
	if (f->filesize_hi < f->filesize_lo)
		return rule_refuse(r, "filesize", "the range ends before it begins");
	if (f->openfiles > f->nrfiles && !f->filename && !f->opendir && !r->o->thread_group.name) {
		rule_note(r, "openfiles", "the job has %u files, and all of them are open at once",
			  f->nrfiles);
		f->openfiles = f->nrfiles;
	}
	if (r->o->file.fsync_on_close && rule_has_dir(r, DIR_WRITE) && draws_files(f) && f->openfiles &&
	    f->openfiles < f->nrfiles)
		rule_note(r, "fsync_on_close",
			  "syncs a file each time that it is closed for another one ({openfiles}), between "
			  "two I/Os");
	if (f->append && (rule_section_option(r, "offset") || rule_section_option(r, "offset_increment")))
		rule_note(r, rule_section_option(r, "offset") ? "offset" : "offset_increment",
			  "has no effect on files: with {file_append=1} writing begins at the end of each "
			  "file");
	if (f->allow_mounted_write && !f->allow_write)
		rule_note(r, "allow_mounted_write",
			  "permits nothing by itself; {+allow_write=DEVICE} must name the device");
	return 0;
}

/* Options that name files, make them, change their sizes or remove them. */
static const char *const not_with_opendir[] = {
	"filename",
	"directory",
	"nrfiles",
	"filesize",
	"offset",
	"offset_increment",
	"rank_offset_increment",
	"file_append",
	"fill_device",
	"create",
	"create_size",
	"overwrite",
	"create_only",
	"create_on_open",
	"unlink",
	"unlink_each_loop",
	"thread_group",
};

/* Returns whether the option is set, and not to 0. */
static bool is_on(const struct user_option *o)
{
	return o && !(o->text && !strcmp(o->text, "0"));
}

int rule_opendir(struct rule_ctx *r)
{
	const struct files_cfg *f = &r->o->files;
	unsigned caps = r->job->engine->caps;

	if (!f->opendir)
		return f->opendir_match
			       ? rule_refuse(r, "opendir_match",
					     "chooses among the files of {+opendir=DIR}, which is missing")
			       : 0;
	for (unsigned i = 0; i < sizeof(not_with_opendir) / sizeof(*not_with_opendir); i++) {
		const struct user_option *o = job_user_option(r->job, not_with_opendir[i]);

		if (is_on(o))
			return rule_refuse(
				r, "opendir",
				"the job takes the files that are there, as they are; leave out {%s}%s",
				o->name,
				!strcmp(o->name, "directory") ? ", since opendir is a path of its own" : "");
	}
	if (caps &
	    (ENG_NOFILE | ENG_NOIO | ENG_VIRTUAL | ENG_CHANGES_FILES | ENG_CREATES | ENG_DELETES | ENG_DIRS))
		return rule_refuse(r, "opendir", "the engine %s does no I/O on existing files",
				   r->job->engine->name);
	return 0;
}

int rule_creation(struct rule_ctx *r)
{
	const struct files_cfg *f = &r->o->files;

	if (f->create_only && r->o->file.create_on_open)
		return rule_refuse(
			r, "create_only",
			"{create_on_open=1} creates files at the first I/O, and this job does no I/O");
	return 0;
}

int rule_fill(struct rule_ctx *r)
{
	const struct files_cfg *f = &r->o->files;
	unsigned caps = r->job->engine->caps, rw = r->o->offset.rw;

	if (!f->fill)
		return 0;
	if (caps & (ENG_NOFILE | ENG_NOIO | ENG_META | ENG_VIRTUAL))
		return rule_refuse(r, "fill_device", "the engine %s writes no data to a file",
				   r->job->engine->name);
	if (caps & ENG_MAPPED)
		return rule_refuse(r, "fill_device",
				   "the engine %s needs files of full size before it starts; psync does not",
				   r->job->engine->name);
	if (rw & RW_RANDOM && !(rw & (RW_READ | RW_TRIM)) && !f->overwrite && !f->size.bytes &&
	    !f->size.percent && !f->filesize_lo)
		return rule_refuse(r, "fill_device",
				   "random writes need a range; use {+size=}, or {+rw=write}");
	return 0;
}

/* Returns whether the job may run more than one loop. */
static bool repeats(const struct rule_ctx *r)
{
	return r->o->time.loops > 1 || r->o->time.time_based;
}

int rule_unlink_each_loop(struct rule_ctx *r)
{
	struct files_cfg *f = &r->o->files;

	if (!f->unlink_each_loop)
		return 0;
	if (r->job->engine->caps & (ENG_NOFILE | ENG_NOIO) ||
	    (r->job->engine->caps & ENG_META && !rule_creates_files(r->job->engine)))
		return rule_refuse(r, "unlink_each_loop",
				   "the engine %s creates no files that could be removed",
				   r->job->engine->name);
	if (!repeats(r)) {
		rule_note(r, "unlink_each_loop",
			  "has no effect: the job runs one loop; {+unlink=1} removes the files at the end");
		f->unlink_each_loop = false;
		return 0;
	}
	if (r->o->offset.rw & (RW_READ | RW_TRIM) && !rule_creates_files(r->job->engine))
		return rule_refuse(r, "unlink_each_loop",
				   "after the first loop the job would have nothing to read or trim");
	return 0;
}

/* rank_shared: refuses what one rank would do to a file while the others use it. */
int rule_rank_shared(struct rule_ctx *r)
{
	const struct files_cfg *f = &r->o->files;
	const struct {
		bool set;
		const char *name, *why;
	} alone[] = {
		{ f->unlink, "unlink", "one rank would remove files that others use" },
		{ f->unlink_each_loop, "unlink_each_loop", "one rank would remove files that others use" },
		{ f->create == CREATE_ALWAYS, "create", "one rank would empty files that others use" },
		{ f->append, "file_append", "all ranks would append at the same offset" },
		{ f->fill, "fill_device", "no rank would know how much the others have written" },
	};
	unsigned caps = r->job->engine->caps;

	if (!f->rank_shared)
		return 0;
	for (unsigned i = 0; i < sizeof(alone) / sizeof(*alone); i++)
		if (alone[i].set)
			return rule_refuse(r, alone[i].name, "does not go with {rank_shared=1}: %s",
					   alone[i].why);
	if (caps & (ENG_CREATES | ENG_DELETES | ENG_CHANGES_FILES))
		return rule_refuse(
			r, "rank_shared",
			"does not go with {ioengine=%s}, which makes, changes or removes whole files; "
			"give each rank its own, with ${{RANK} in their names",
			r->job->engine->name);
	if (r->o->offset.zone.mode == ZONE_ZBD && rule_has_dir(r, DIR_WRITE) &&
	    !f->rank_offset_increment.bytes && !f->rank_offset_increment.percent)
		return rule_refuse(
			r, "rank_shared",
			"with {zonemode=zbd} needs {rank_offset_increment}, because ranks do not share "
			"write pointers");
	return 0;
}

int rule_cache(struct rule_ctx *r)
{
	const struct user_option *invalidate = rule_section_option(r, "invalidate");

	if (!r->o->files.pre_read)
		return 0;
	if (r->o->file.invalidate && invalidate)
		rule_note(r, "invalidate", "has no effect: {pre_read=1} reads the files into the page cache");
	if (r->o->file.direct)
		rule_note(r, "pre_read",
			  "has no effect on I/O with {direct=1}, which bypasses the page cache");
	r->o->file.invalidate = false;
	return 0;
}

int rule_numjobs(struct rule_ctx *r)
{
	return r->o->group.numjobs ? 0 : rule_refuse(r, "numjobs", "must be 1 or more");
}

int rule_sync(struct rule_ctx *r)
{
	static const char *const names[] = { "fsync", "fdatasync", "sync_file_range", "end_fsync",
					     "end_syncfs" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names) && !rule_has_dir(r, DIR_WRITE); i++)
		if (rule_section_option(r, names[i]))
			rule_note(r, names[i], "has no effect: the job does not write");
	return 0;
}
