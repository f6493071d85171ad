/* cmd_diskspd.c: the verb diskspd: runs, explains or translates DISKSPD lines from arguments, pasted text or
   standard input. Prints its own errors, as DISKSPD does. */
#include "cmd_diskspd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "clock.h"
#include "script.h"
#include "event.h"
#include "explain.h"
#include "jobfile.h"
#include "profile_text.h"
#include "strbuf.h"
#include "profile_xml.h"

/* Prints one line, even if a path in it holds a line break. */
static void print_error(const struct diag *d)
{
	fputs("ERROR: ", stderr);
	for (const char *c = diag_text(d); *c; c++)
		fputc(*c == '\n' || *c == '\r' ? ' ' : *c, stderr);
	fputc('\n', stderr);
}

/* ---- one line ---- */

static int read_xml(struct ds_task *t, struct diag *d)
{
	const char *name = ds_map_path(&t->cmd->map, &t->line.profile.mem, t->line.xml_file, &t->notes, d);
	struct strbuf text = { 0 };
	int err;

	if (!name)
		return -EINVAL;
	if (jobfile_is_special(name))
		return diag_err(d, -EINVAL, "-X%s: not a regular file (-X- reads standard input)", name);
	err = jobfile_load(name, &text);
	if (err)
		err = diag_kind(d, DIAG_RUN, err, "-X%s: %s", name, diag_errno(err));
	else
		err = ds_xmlread(&t->xml_profile, name, strbuf_str(&text), text.len, t->line.dialect, d);
	strbuf_fini(&text);
	t->profile = &t->xml_profile;
	return err ? err : ds_line_apply(&t->line, &t->xml_profile, &t->notes, d);
}

/* Refuses -Rs beside a translation or options of a run: it only describes the system. */
static int refuse_with_system(const struct ds_task *t, struct diag *d)
{
	if (t->line.show != DS_SHOW_SYSTEM)
		return 0;
	if (t->cmd->verb != DS_RUN)
		return diag_err(d, -EINVAL,
				"-Rs only describes the system: not possible with --to-job, --to-profile or "
				"--explain");
	if (t->cmd->run_args.n)
		return diag_err(d, -EINVAL,
				"%s: not possible with -Rs, which only describes the system; its formats are "
				"-Rstext and -Rsxml",
				t->cmd->run_args.v[0]);
	return 0;
}

static int to_profile(struct ds_task *t, struct strbuf *out)
{
	struct notes lost = { 0 };

	ds_xmlwrite_losses(t->profile, &lost);
	ds_xmlwrite_comments(&lost, out);
	ds_xmlwrite(t->profile, 0, out);
	notes_fini(&lost);
	return 0;
}

static int to_job(struct ds_task *t, struct strbuf *out, struct diag *d)
{
	struct ds_job_cfg cfg = { .for_fio = t->cmd->for_fio, .command = t->command, .line = &t->line };
	struct ds_job job = { 0 };
	struct cpuset cpus = { 0 };
	int err = ds_map_profile(&t->cmd->map, t->profile, &t->notes, d);

	ds_probe_machine(&cfg, &cpus);
	err = err ? err : ds_to_job(t->profile, &cfg, &job, d);
	if (!err) {
		strbuf_puts(out, strbuf_str(&job.text));
		for (size_t i = 0; i < t->notes.count; i++)
			strbuf_printf(out, "; %s\n", t->notes.line[i]);
	}
	ds_job_fini(&job);
	return err;
}

/* Adds the notes of a run, and the error that would refuse it. */
static void explain_run(struct ds_task *t, struct strbuf *out)
{
	struct ds_job_cfg cfg = { .line = &t->line, .size = ds_probe_size, .diskspd_report = true };
	struct ds_job job = { 0 };
	struct diag d = { 0 };

	if (ds_translate(t, &cfg, &job, &d) || ds_plan_job(t, &job, &d))
		strbuf_printf(out, "  a run on this machine would be refused: %s\n", diag_text(&d));
	for (size_t i = 0; i < job.notes.count; i++)
		strbuf_printf(out, "  note: %s\n", job.notes.line[i]);
	ds_job_fini(&job);
	diag_fini(&d);
}

static int explain(struct ds_task *t, struct strbuf *out)
{
	struct ds_explain_cfg cfg = { .command = t->command,
				      .argc = t->line.xml_file ? 0 : t->argc,
				      .argv = t->argv,
				      .size = ds_probe_size,
				      .is_preserved = ds_probe_preserved,
				      .is_refused = ds_probe_refused,
				      .ctx = (void *)t->cmd,
				      .keeps_files = t->line.keeps_files,
				      .memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) *
						      (uint64_t)sysconf(_SC_PAGESIZE) };
	struct diag d = { 0 };
	int err = ds_map_profile(&t->cmd->map, t->profile, &t->notes, &d);

	ds_explain(t->profile, &cfg, out);
	if (err)
		strbuf_printf(out, "  a run on this machine would be refused: %s\n", diag_text(&d));
	else
		explain_run(t, out);
	for (size_t i = 0; i < t->notes.count; i++)
		strbuf_printf(out, "  note: %s\n", t->notes.line[i]);
	diag_fini(&d);
	return 0;
}

/* -z alone: reads the seeds of a run or a profile from the clock (milliseconds since the system started, as
   in DISKSPD), so that reports and profiles name a seed that repeats the run. Job texts have randrepeat=0
   instead. */
static void read_clock_seeds(struct ds_task *t)
{
	uint64_t ms = clock_raw_ns() / 1000000u & UINT32_MAX;

	if (t->cmd->verb != DS_RUN && t->cmd->verb != DS_TO_PROFILE)
		return;
	for (size_t i = 0; i < t->profile->nspans; i++)
		if (t->profile->spans[i].seed_clock)
			t->profile->spans[i].seed = ms ? ms : 1;
}

/* -Rp prints the profile and runs nothing. DISKSPD has checked it before, with the warnings of a run. */
static void show_profile(const struct ds_task *t, struct strbuf *out)
{
	ds_warn_as_diskspd(t);
	if (t->profile->format == DS_XML)
		ds_xmlwrite(t->profile, 0, out);
	else
		ds_profile_text(t->profile, t->command, t->cmd->layout, out);
}

static int run_task(struct ds_task *t, struct diag *d)
{
	struct strbuf out = { 0 };
	enum ds_verb verb = t->cmd->verb;
	int code = EXIT_OK, err = 0;

	if (verb == DS_RUN && t->line.show == DS_SHOW_RUN)
		return ds_run(t, d);
	if (t->line.show == DS_SHOW_SYSTEM)
		err = ds_show_system(t, &out, d);
	else if (verb == DS_TO_PROFILE)
		err = to_profile(t, &out);
	else if (verb == DS_TO_JOB)
		err = to_job(t, &out, d);
	else if (verb == DS_EXPLAIN)
		err = explain(t, &out);
	else
		show_profile(t, &out);
	if (!err && out.failed)
		err = diag_no_memory(d);
	code = err ? ds_exit_code(d) : cmd_put(strbuf_str(&out), d);
	strbuf_fini(&out);
	return code;
}

static int usage(const struct ds_cmd *c, int code, struct diag *d)
{
	struct strbuf out = { 0 };
	int put;

	ds_cmd_usage(c, &out);
	put = cmd_put_buffer(&out, d);
	return put ? put : code;
}

/* -ye sets the event and does nothing else; DISKSPD then exits with 1. */
static int signal_event(const struct ds_task *t, struct diag *d)
{
	if (t->cmd->verb != DS_RUN || t->line.show != DS_SHOW_RUN) {
		diag_err(d, -EINVAL, "-ye%s: only sets an event, so there is nothing to print or explain",
			 t->line.signals.set);
		return ds_exit_code(d);
	}
	return event_signal(t->line.signals.set, d) ? ds_exit_code(d) : EXIT_JOB;
}

static void join_line(struct strbuf *out, int argc, const char *const *argv)
{
	strbuf_puts(out, "diskspd");
	for (int i = 0; i < argc; i++)
		strbuf_printf(out, " %s", argv[i]);
}

/* Parses the line. --to-profile adds -Rpxml, which leaves templates in place; DISKSPD has it since 2.1. */
static int parse_line(struct ds_task *t, struct diag *d)
{
	enum ds_dialect dialect = t->cmd->dialect;
	bool profile = t->cmd->verb == DS_TO_PROFILE && t->argc &&
		       (dialect == DS_DIALECT_23 || dialect == DS_DIALECT_22);
	const char **argv = calloc((size_t)t->argc + 1, sizeof(*argv));
	int err;

	if (!argv)
		return diag_no_memory(d);
	argv[0] = "-Rpxml";
	for (int i = 0; i < t->argc; i++)
		argv[profile + i] = t->argv[i];
	err = ds_line_parse(&t->line, dialect, t->argc + profile, argv, &t->notes, d);
	free(argv);
	return err;
}

/* Parses and executes one line, given as the arguments that DISKSPD would see. Takes over the notes. */
static int one_line(const struct ds_cmd *c, int argc, const char *const *argv, struct notes *notes,
		    struct diag *d)
{
	struct ds_task t = { .cmd = c, .argc = argc, .argv = argv, .notes = *notes };
	struct strbuf command = { 0 };
	int err, code;

	*notes = (struct notes){ 0 };
	if (parse_line(&t, d)) {
		notes_fini(&t.notes);
		return ds_exit_code(d);
	}
	t.profile = &t.line.profile;
	join_line(&command, argc, argv);
	t.command = strbuf_str(&command);
	err = refuse_with_system(&t, d);
	if (!err && t.line.xml_file)
		err = read_xml(&t, d);
	if (!err && c->use_jobs && (t.line.show != DS_SHOW_RUN || t.line.signals.set || t.line.usage))
		err = diag_err(d, -EINVAL,
			       "%s: fiord sweep runs a DISKSPD line, but this one only prints or "
			       "signals",
			       t.command);
	if (err)
		code = ds_exit_code(d);
	else if (t.line.signals.set)
		code = signal_event(&t, d);
	else if (t.line.usage || t.line.no_arguments)
		code = usage(c, t.line.usage ? EXIT_OK : DS_EXIT_REFUSED, d);
	else {
		read_clock_seeds(&t);
		code = run_task(&t, d);
	}
	strbuf_fini(&command);
	notes_fini(&t.notes);
	ds_profile_fini(&t.xml_profile);
	ds_line_fini(&t.line);
	return code;
}

/* ---- pasted lines ---- */

void ds_script_notes(const struct script *s, size_t i, struct notes *notes)
{
	const struct script_command *p = &s->v[i];

	if (s->others && !i)
		notes_add(notes, "%s: not run, because it does not begin with diskspd", s->others);
	if (p->command.replaced_dashes)
		notes_add(notes, "typographic dashes of the pasted line are read as -");
	if (p->command.redirect)
		notes_add(notes, "%s: the redirection of the pasted line is ignored", p->command.redirect);
	if (p->skipped)
		notes_add(notes, "%s: this text after the pasted command is not run", p->skipped);
}

static int pasted_command(const struct ds_cmd *c, const struct script *s, size_t i, struct diag *d)
{
	const struct shell_line *line = &s->v[i].command;
	struct notes notes = { 0 };

	ds_script_notes(s, i, &notes);
	return one_line(c, line->argc, (const char *const *)line->argv, &notes, d);
}

/* Refuses files with several lines: only those of the last run would remain. */
static int check_output(const struct ds_cmd *c, size_t commands, struct diag *d)
{
	static const char *const options[] = { "--output", "--live", "--prometheus" };

	for (size_t i = 0; commands > 1 && c->verb == DS_RUN && i < c->run_args.n; i++)
		for (size_t k = 0; k < sizeof(options) / sizeof(*options); k++) {
			size_t len = strlen(options[k]);

			if (!strncmp(c->run_args.v[i], options[k], len) &&
			    (!c->run_args.v[i][len] || c->run_args.v[i][len] == '='))
				return diag_err(d, -EINVAL,
						"%s: not possible with %zu lines, because each would replace "
						"the result of the one before",
						options[k], commands);
		}
	return 0;
}

static int numbered_command(const struct ds_cmd *c, const struct script *s, size_t i)
{
	struct diag d = { 0 };
	int code = EXIT_OK;

	if (i)
		code = cmd_put(c->verb == DS_TO_JOB ? "; --------\n" : "\n", &d);
	code = code ? code : pasted_command(c, s, i, &d);
	if (d.text && s->lines > 1)
		diag_wrap(&d, "line %u", s->v[i].line);
	if (d.text)
		print_error(&d);
	diag_fini(&d);
	return code;
}

/* Executes every command of a script. Returns the first exit code that is not 0. */
static int run_script(const struct ds_cmd *c, const struct script *s)
{
	int code = EXIT_OK, last = EXIT_OK;

	for (size_t i = 0; i < s->n; i++) {
		enum shell_join when = s->v[i].condition;

		if ((when == SHELL_AND && last) || (when == SHELL_OR && !last))
			continue;
		last = numbered_command(c, s, i);
		code = code ? code : last;
	}
	return code;
}

static int pasted_text(struct ds_cmd *c, const char *bytes, size_t len, struct diag *d)
{
	struct strbuf text = { 0 };
	struct script s = { 0 };
	int code;

	if (encoding_decode(bytes, len, &text, d))
		code = ds_exit_code(d);
	else if (c->verb == DS_TO_SWEEP)
		code = ds_to_sweep(c, strbuf_str(&text), d);
	else if (!script_read(&s, strbuf_str(&text), &c->vars, d) && !check_output(c, s.n, d))
		code = run_script(c, &s);
	else
		code = ds_exit_code(d);
	script_fini(&s);
	strbuf_fini(&text);
	return code;
}

static int from_stdin(struct ds_cmd *c, struct diag *d)
{
	struct strbuf text = { 0 };
	int err = jobfile_load("-", &text), code;

	if (err)
		diag_kind(d, DIAG_RUN, err, "standard input: %s", diag_errno(err));
	code = err ? ds_exit_code(d) : pasted_text(c, strbuf_str(&text), text.len, d);
	strbuf_fini(&text);
	return code;
}

static int dispatch(struct ds_cmd *c, struct diag *d)
{
	struct notes none = { 0 };

	if (c->help)
		return usage(c, EXIT_OK, d);
	if (c->verb == DS_FROM_JOB)
		return cmd_from_job(c->from_job, c->from_job_profile, d);
	if (c->verb == DS_SUMMARY)
		return ds_summary(c, d);
	if (c->line_text)
		return pasted_text(c, c->line_text, strlen(c->line_text), d);
	if (c->from_stdin)
		return from_stdin(c, d);
	return one_line(c, (int)c->line.n, c->line.v, &none, d);
}

bool cmd_is_diskspd(const char *program)
{
	const char *slash = program ? strrchr(program, '/') : NULL;

	return program && !strcmp(slash ? slash + 1 : program, "diskspd");
}

/* Refuses what fiord diskspd does without running a line. */
static int check_runs_line(const struct ds_cmd *c, struct diag *d)
{
	if (c->help || c->verb != DS_RUN)
		return diag_err(d, -EINVAL,
				"fiord sweep runs a DISKSPD line; leave out the options that "
				"explain or translate it");
	if (c->line_text || c->from_stdin || !c->line.n)
		return diag_err(d, -EINVAL,
				"fiord sweep needs a DISKSPD line of which each flag is an "
				"argument: fiord sweep ... diskspd -b4K -o1 FILE");
	return 0;
}

int cmd_diskspd_jobs(int argc, char *const *argv, cmd_use_jobs *use, void *ctx, struct diag *d)
{
	struct ds_cmd c = { .argc = argc, .argv = argv, .use_jobs = use, .use_ctx = ctx };
	int err = ds_cmd_parse(&c, argc - 2, argv + 2, d);

	err = err ? err : check_runs_line(&c, d);
	if (!err)
		err = dispatch(&c, d) ? d->err : 0;
	ds_cmd_fini(&c);
	return err;
}

int cmd_diskspd(int argc, char *const *argv)
{
	struct ds_cmd c = { .argc = argc, .argv = argv, .as_diskspd = cmd_is_diskspd(argv[0]) };

	struct diag d = { 0 };
	int code, first = c.as_diskspd ? 1 : 2;

	c.recreate = c.as_diskspd;
	if (ds_cmd_parse(&c, argc - first, argv + first, &d))
		code = ds_exit_code(&d);
	else
		code = dispatch(&c, &d);
	if (d.text || d.err)
		print_error(&d);
	diag_fini(&d);
	ds_cmd_fini(&c);
	return code;
}
