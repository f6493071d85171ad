#include "cmdline.h"

#include <string.h>
#include "strbuf.h"

static void put_command_option(struct strbuf *out, const char *name, const char *text)
{
	strbuf_printf(out, " --%s", name);
	if (text) {
		strbuf_putc(out, '=');
		strbuf_quoted(out, text);
	}
}

/* Returns whether the option is direct or buffered. They set one switch and would contradict each other in
   one section, so only the last is printed. */
static bool is_switch(const char *name)
{
	return !strcmp(name, "direct") || !strcmp(name, "buffered");
}

/* Returns whether an own option of the section overrides inherited option i. */
static bool is_overridden(const struct job *job, size_t i)
{
	const struct user_option *g = &job->inherited.v[i];
	const struct opt_row *row = opt_find(&job_options, g->name);

	if (opt_adds(row))
		return false;
	for (size_t k = 0; k < job->own.n; k++)
		if (!strcmp(job->own.v[k].name, g->name) ||
		    (is_switch(g->name) && is_switch(job->own.v[k].name)))
			return true;
	for (size_t k = i + 1; k < job->inherited.n && is_switch(g->name); k++)
		if (is_switch(job->inherited.v[k].name))
			return true;
	return false;
}

/* name= in a section does not rename its files, but --name= does. */
static void show_file_names(const struct job *job, struct strbuf *out)
{
	struct strbuf format = { 0 };

	if (!strcmp(job->section, job->name) || job->opts.files.filename ||
	    job_user_option(job, "filename_format"))
		return;
	strbuf_printf(&format, "%s.$jobnum.$filenum", job->section);
	put_command_option(out, "filename_format", strbuf_str(&format));
	strbuf_fini(&format);
}

static void show_job(const struct job *job, struct strbuf *out)
{
	put_command_option(out, "name", job->name);
	show_file_names(job, out);
	if (job->first_of_file)
		strbuf_puts(out, " --stonewall");
	for (size_t i = 0; i < job->inherited.n; i++)
		if (strcmp(job->inherited.v[i].name, "name") && !is_overridden(job, i))
			put_command_option(out, job->inherited.v[i].name, job->inherited.v[i].text);
	for (size_t i = 0; i < job->own.n; i++)
		if (strcmp(job->own.v[i].name, "name"))
			put_command_option(out, job->own.v[i].name, job->own.v[i].text);
}

void cmdline_show(const struct job_set *set, struct strbuf *out)
{
	const char *program = set->argc > 0 ? set->argv[0] : "fiord";
	const char *slash = strrchr(program, '/');

	strbuf_quoted(out, slash ? slash + 1 : program);
	for (size_t i = 0; i < set->njobs; i++)
		show_job(&set->jobs[i], out);
	strbuf_putc(out, '\n');
}
