/* diskspd_check.c: checks the processors and targets of a line on this machine, with DISKSPD's words and exit
   codes. Writes nothing. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include "profile.h"
#include "cmd_diskspd.h"
#include "speller.h"
#include "strbuf.h"
#include "target.h"

#define SECTOR 512u

/* ---- processors ---- */

static bool has_group(const struct cpuset *cpus, unsigned group)
{
	bool any = false;

	for (unsigned i = 0; i < DS_GROUP_CPUS; i++)
		any = any || cpuset_has(cpus, group * DS_GROUP_CPUS + i);
	return any;
}

/* The message names cpus_allowed; the speller replaces it by the line's flag. */
static int refuse_cpu(const struct cpuset *cpus, const struct ds_cpu *c, struct diag *d)
{
	struct strbuf have = { 0 }, which = { 0 };

	cpuset_print(cpus, &have);
	if (c->cpu == DS_CPU_ALL)
		strbuf_printf(&which, "processor group %u", c->group);
	else if (c->group)
		strbuf_printf(&which, "CPU %u in group %u (64 to a group)", c->cpu, c->group);
	else
		strbuf_printf(&which, "CPU %u", c->cpu);
	diag_err(d, -EINVAL, "{cpus_allowed=}: %s does not exist or is not allowed here; allowed are %s",
		 strbuf_str(&which), strbuf_str(&have));
	strbuf_fini(&which);
	strbuf_fini(&have);
	return d->err;
}

static int check_cpus(const struct ds_span *s, const struct cpuset *cpus, struct diag *d)
{
	for (size_t i = 0; cpuset_count(cpus) && !s->no_affinity && i < s->ncpus; i++) {
		const struct ds_cpu *c = &s->cpus[i];
		bool there = c->cpu == DS_CPU_ALL ? has_group(cpus, c->group)
						  : cpuset_has(cpus, c->group * DS_GROUP_CPUS + c->cpu);

		if (!there)
			return refuse_cpu(cpus, c, d);
	}
	return 0;
}

/* ---- unbuffered I/O ---- */

static int refuse_odd(const struct ds_task *t, const char *flag, uint64_t bytes, uint64_t unit,
		      struct diag *d)
{
	const char *element = t->line.xml_file ? ds_xml_element(flag) : NULL;
	const char *name = element ? element : flag;

	return diag_err(d, -EINVAL,
			"%s%" PRIu64
			": unbuffered I/O (%s) needs multiples of the device's block size (%" PRIu64 "%s); "
			"leave %s out, or write %s%" PRIu64,
			name, bytes, element ? "<DisableOSCache>" : "-Su, -Sh, -Sr", unit,
			unit == SECTOR ? " or more" : "", element ? "it" : "-S", name,
			bytes / unit * unit + unit);
}

static int check_unbuffered(const struct ds_task *t, const struct ds_target *target,
			    const struct target_facts *f, struct diag *d)
{
	const struct {
		const char *flag;
		uint64_t bytes;
	} of[] = { { "-b", target->block },
		   { target->random_percent                     ? "-r"
		     : target->interlocked && !t->line.xml_file ? "-si"
								: "-s",
		     target->stride },
		   { "-B", target->base },
		   { "-T", target->thread_stride } };
	uint64_t unit = f->logical_block > SECTOR ? f->logical_block : SECTOR;

	for (size_t i = 0; target->cache != DS_CACHED && i < sizeof(of) / sizeof(*of); i++)
		if (of[i].bytes % unit)
			return refuse_odd(t, of[i].flag, of[i].bytes, unit, d);
	return 0;
}

/* ---- targets ---- */

/* Returns the hint for a missing target that may be a mistyped option ("did you mean -t8?"), or "". */
static const char *suggestion(const struct notes *notes, const char *path)
{
	static const char between[] = " is read as a target; ";
	size_t n = strlen(path);

	for (size_t i = 0; i < notes->count; i++) {
		const char *line = notes->line[i];

		if (!strncmp(line, path, n) && !strncmp(line + n, between, sizeof(between) - 1))
			return line + n + sizeof(between) - 1;
	}
	return "";
}

static int refuse_missing(const struct notes *notes, const struct ds_target *t, struct diag *d)
{
	const char *meant = suggestion(notes, t->path);
	char hint[PATH_MAX + 32];

	target_name_hint(t->path, hint, sizeof(hint));
	if (ds_is_device(t) && *hint)
		return diag_kind(d, DIAG_RUN, -ENOENT, "%s: no such device%s", t->path, hint);
	if (ds_is_device(t))
		return diag_kind(d, DIAG_RUN, -ENOENT, "%s: no such device%s%s", t->path,
				 *meant ? "; or " : "", meant);
	return diag_kind(d, DIAG_RUN, -ENOENT,
			 "%s: no such file; {~create|-c<size> creates it, such as -c1G}%s%s", t->path,
			 *meant ? "; or " : "", meant);
}

static bool is_directory(const char *path, size_t n)
{
	char dir[4096];
	struct stat st;

	if (n >= sizeof(dir))
		return false;
	memcpy(dir, path, n);
	dir[n] = '\0';
	return !stat(n ? dir : "/", &st) && S_ISDIR(st.st_mode);
}

/* Returns the directory of the map in which the path lies; NULL: none. It must exist; below it -c creates
   directories, as DISKSPD does. */
static const char *mapped_to(const struct ds_map *m, const char *path)
{
	const char *to = NULL;

	for (size_t i = 0; i < m->nentries; i++) {
		size_t n = strlen(m->entries[i].to);

		if (!strncmp(path, m->entries[i].to, n) &&
		    (path[n] == '/' || m->entries[i].to[n - 1] == '/') && (!to || n > strlen(to)))
			to = m->entries[i].to;
	}
	return to;
}

/* DISKSPD creates directories for paths with drive letters only. */
static int check_target_directory(const struct ds_task *t, const struct ds_target *target, struct diag *d)
{
	const char *given = target->given_path ? target->given_path : target->path,
		   *slash = strrchr(target->path, '/');
	bool drive = isalpha((unsigned char)given[0]) && given[1] == ':';
	const char *to = drive ? mapped_to(&t->cmd->map, target->path) : NULL;

	if (!slash || (drive && !to))
		return 0;
	if (to && !is_directory(to, strlen(to)))
		return diag_kind(
			d, DIAG_RUN, -ENOENT,
			"--map: %s is not a directory; create it first, or map %.2s to another directory", to,
			given);
	if (to || is_directory(target->path, (size_t)(slash - target->path)))
		return 0;
	if (given[0] == '%' && strchr(given + 1, '%'))
		return diag_kind(d, DIAG_RUN, -ENOENT, "%s: %.*s is a variable of Windows; write its value",
				 given, (int)(strchr(given + 1, '%') - given + 1), given);
	return diag_kind(d, DIAG_RUN, -ENOENT,
			 "%s: its directory does not exist; create it first: mkdir -p %.*s", target->path,
			 (int)(slash - target->path), target->path);
}

/* Returns true if the only error is that the file is missing and cannot be created, which matters only to
   -c. */
static bool only_missing(const struct target_facts *f)
{
	return f->type == TARGET_MISSING && f->dir_ino && (f->error == -EACCES || f->error == -EROFS);
}

/* Returns the error DIAG_RUN, because DISKSPD exits with 1. */
static int unreachable(const struct ds_target *t, const struct target_facts *f, struct diag *d)
{
	target_error(f, t->path, t->write_percent != 0, d);
	d->kind = DIAG_RUN;
	return d->err;
}

static int check_target_type(const struct ds_target *t, const struct target_facts *f, bool made,
			     struct diag *d)
{
	if (f->error && f->error != -ENOENT && (made || !only_missing(f)))
		return unreachable(t, f, d);
	if (f->type == TARGET_DIR)
		return diag_kind(d, DIAG_TARGET, -EISDIR, "%s: is a directory; name a file in it", t->path);
	if (f->type != TARGET_FILE && f->type != TARGET_BLOCK && f->type != TARGET_MISSING)
		return diag_kind(d, DIAG_TARGET, -EINVAL, "%s: not a file or a disk; name one of them",
				 t->path);
	return 0;
}

/* Checks one target. Missing and too small targets are errors of the kind DIAG_RUN, because DISKSPD exits
   with 1. */
static int check_span_target(const struct ds_task *task, const struct ds_span *s, const struct ds_target *t,
			     struct diag *d)
{
	uint64_t size =
		ds_creates_file(t) ? t->create_size : ds_created_size_before(task->profile, s, t->path);
	struct target_facts f;
	int err;

	target_probe(&f, t->path);
	err = check_target_type(t, &f, size, d);
	if (err)
		return err;
	if (f.type == TARGET_MISSING && !size)
		return refuse_missing(&task->notes, t, d);
	err = f.type == TARGET_MISSING ? check_target_directory(task, t, d) : 0;
	size = size ? size : f.size;
	if (!err && !size)
		return f.type == TARGET_BLOCK
			       ? diag_kind(d, DIAG_RUN, -EINVAL, "%s: is empty; it has no medium", t->path)
			       : diag_kind(d, DIAG_RUN, -EINVAL,
					   "%s: is empty; {~create|-c<size> creates it again, such as -c1G}",
					   t->path);
	err = err ? err : check_unbuffered(task, t, &f, d);
	return err ? err : ds_profile_check_fit(s, t, size, d);
}

int ds_check_machine(const struct ds_task *t, const struct cpuset *cpus, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; i < t->profile->nspans && !err; i++) {
		const struct ds_span *s = &t->profile->spans[i];

		err = check_cpus(s, cpus, d);
		for (size_t k = 0; k < s->ntargets && !err; k++)
			err = check_span_target(t, s, &s->targets[k], d);
	}
	return err;
}
