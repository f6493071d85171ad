#include "cmd_diskspd.h"

#include <errno.h>
#include <string.h>
#include "cmd.h"
#include "fromjob.h"
#include "profile_line.h"
#include "strbuf.h"
#include "profile_xml.h"

/* Adds a note about paths that begin with a slash, which begins options in DISKSPD. */
static void note_slashes(const struct ds_profile *p, struct notes *lost)
{
	for (size_t i = 0; i < p->nspans; i++)
		for (size_t k = 0; k < p->spans[i].ntargets; k++)
			if (p->spans[i].targets[k].path[0] == '/')
				notes_add(lost,
					  "%s: DISKSPD on Windows reads this path as an option; write a path "
					  "of Windows",
					  p->spans[i].targets[k].path);
}

static void put_line(const struct ds_profile *p, const struct notes *lost, struct strbuf *out)
{
	ds_profile_line(p, 0, out, NULL);
	strbuf_putc(out, '\n');
	for (size_t i = 0; i < lost->count; i++)
		strbuf_printf(out, "# not translated: %s\n", lost->line[i]);
}

/* Prints the profile as DISKSPD's -Rpxml does. If the user did not ask for a profile, a comment explains
   why the jobs do not fit into a line. */
static void put_profile(struct ds_profile *p, bool asked, struct notes *lost, struct strbuf *out)
{
	p->format = DS_XML;
	if (p->nspans == 1 && !asked)
		ds_profile_line_unquotable(p, 0, lost);
	ds_xmlwrite_losses(p, lost);
	ds_xmlwrite_comments(lost, out);
	ds_xmlwrite(p, 0, out);
}

static int translate(const struct job_set *set, bool profile, struct strbuf *out, struct diag *d)
{
	struct ds_profile p;
	struct machine machine = { 0 };
	struct notes lost = { 0 };
	int ret = machine_probe(&machine);

	if (ret)
		return diag_kind(d, DIAG_RUN, ret, "out of memory");
	ret = fromjob_profile(&p, set, &machine.allowed, &lost, d);
	if (!ret && (profile || !ds_profile_line_fits(&p)))
		put_profile(&p, profile, &lost, out);
	else if (!ret) {
		note_slashes(&p, &lost);
		put_line(&p, &lost, out);
	}
	if (!ret && out->failed)
		ret = diag_no_memory(d);
	notes_fini(&lost);
	machine_fini(&machine);
	ds_profile_fini(&p);
	return ret;
}

/* Reads the file like "fiord run FILE", also if its name begins with a dash. */
static int read_job(const char *file, struct job_set *set, struct diag *d)
{
	char program[] = "fiord", run[] = "run";
	char *name = arena_printf(&set->arena, "%s%s", file[0] == '-' && file[1] ? "./" : "", file);
	char *argv[] = { program, run, name, NULL };
	struct cmdline c = { 0 };
	int ret;

	if (!name)
		return diag_no_memory(d);
	ret = cmdline_parse(&c, set, 3, argv, d);
	if (!ret && !set->njobs)
		ret = diag_err(d, -EINVAL, "%s: the file has no job", file);
	return ret;
}

int cmd_from_job(const char *file, bool profile, struct diag *d)
{
	struct job_set set = { 0 };
	struct strbuf out = { 0 };
	int ret = read_job(file, &set, d), code;

	if (!ret)
		ret = translate(&set, profile, &out, d);
	code = ret ? cmd_code(d) : cmd_put(strbuf_str(&out), d);
	strbuf_fini(&out);
	job_set_fini(&set);
	return code;
}
