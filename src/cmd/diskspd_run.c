/* diskspd_run.c: translates a DISKSPD line to a job and runs it like a job file. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmd_diskspd.h"
#include "speller.h"
#include "strbuf.h"
#include "target.h"

#define JOB_NAME "diskspd line"

int ds_exit_code(const struct diag *d)
{
	int code = cmd_code(d);

	return code == EXIT_USAGE ? DS_EXIT_REFUSED : code;
}

static int load_job(void *ctx, const char *path, struct strbuf *out)
{
	const struct ds_job *job = ctx;

	(void)path;
	strbuf_add(out, strbuf_str(&job->text), job->text.len);
	return out->failed ? -ENOMEM : 0;
}

static struct jobfile_source job_source(const struct ds_job *job)
{
	return (struct jobfile_source){ .load = load_job, .ctx = (void *)(uintptr_t)job };
}

/* Returns true if -c creates an existing file again. It never replaces a device or a file that is in use as a
   disk. */
static bool is_recreated(const struct ds_target *t, struct target_facts *f)
{
	if (!ds_creates_file(t))
		return false;
	target_probe(f, t->path);
	return f->type == TARGET_FILE && !f->refusal[0];
}

/* Returns "--allow_write=a\:b" with the files that -c creates again, in the profile's memory; "": none.
   Returns NULL if memory is short. */
static const char *allow_write(struct ds_task *t)
{
	struct strbuf b = { 0 };
	const char *copy;

	for (size_t i = 0; i < t->profile->nspans; i++) {
		for (size_t k = 0; k < t->profile->spans[i].ntargets; k++) {
			const struct ds_target *target = &t->profile->spans[i].targets[k];

			struct target_facts f;

			if (!is_recreated(target, &f))
				continue;
			strbuf_puts(&b, b.len ? ":" : "--allow_write=");
			ds_put_filename(&b, target->path);
		}
	}
	copy = strbuf_to_arena(&b, &t->profile->mem);
	return copy;
}

/* Returns the arguments of fiord run, with DISKSPD's report by default. */
static char **run_argv(struct ds_task *t, int *argc)
{
	const struct ds_cmd *c = t->cmd;
	const char *allow = c->recreate ? allow_write(t) : "";
	char **argv = allow ? calloc(c->run_args.n + 6, sizeof(*argv)) : NULL;

	*argc = 0;
	if (!argv)
		return NULL;
	argv[(*argc)++] = (char *)"fiord";
	argv[(*argc)++] = (char *)(t->profile->format == DS_XML ? "--output-format=diskspd-xml"
								: "--output-format=diskspd");
	if (*allow)
		argv[(*argc)++] = (char *)allow;
	for (size_t i = 0; i < c->run_args.n; i++)
		argv[(*argc)++] = (char *)c->run_args.v[i];
	argv[(*argc)++] = (char *)"--";
	argv[(*argc)++] = (char *)JOB_NAME;
	return argv;
}

/* Returns what the reports say about the line. */
static struct job_diskspd diskspd_of(const struct ds_task *t)
{
	return (struct job_diskspd){ .profile = t->profile,
				     .command = t->command,
				     .layout = t->cmd->layout,
				     .as_diskspd = t->cmd->as_diskspd,
				     .dots = t->profile->progress_ios,
				     .verbose = t->profile->verbose };
}

/* Writes the documents of a refusal that the options ask for. */
static void refuse_document(struct ds_task *t, int code, const struct diag *d)
{
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct diag ignored = { 0 };
	int argc;
	char **argv = run_argv(t, &argc);

	if (!argv)
		return;
	argv[argc - 2] = (char *)"--parse-only";
	if (!cmdline_parse(&c, &set, argc - 1, argv, &ignored)) {
		set.argc = t->cmd->argc;
		set.argv = t->cmd->argv;
		set.diskspd = diskspd_of(t);
		cmd_put_refusal(&set, code, d);
	}
	diag_fini(&ignored);
	job_set_fini(&set);
	free(argv);
}

static struct ds_speller speller_of(const struct ds_task *t, const struct ds_job *job)
{
	return (struct ds_speller){ .file = JOB_NAME,
				    .dialect = t->line.dialect,
				    .argc = t->argc,
				    .argv = t->argv,
				    .xml = t->line.xml_file,
				    .sections = job->sections };
}

/* Passes the jobs on to the verb that asked for them. */
static int use_jobs(struct ds_task *t, const struct ds_job *job, struct job_set *set, struct diag *d)
{
	int err = t->cmd->use_jobs(t->cmd->use_ctx, set, strbuf_str(&job->text), d);

	diag_spell(d, set->speller);
	return err ? ds_exit_code(d) : EXIT_OK;
}

static int run_job(struct ds_task *t, const struct ds_job *job, struct diag *d)
{
	const struct ds_speller line_words = speller_of(t, job);
	const struct speller speller = ds_speller(&line_words);
	const struct jobfile_source from = job_source(job);
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	int argc, code;
	char **argv = run_argv(t, &argc);

	if (!argv) {
		diag_no_memory(d);
		return EXIT_JOB;
	}
	if (cmdline_parse_from(&from, &c, &set, argc, argv, d)) {
		diag_spell(d, &speller);
		code = ds_exit_code(d);
		set.argc = t->cmd->argc;
		set.argv = t->cmd->argv;
		if (!t->cmd->use_jobs)
			cmd_put_refusal(&set, code, d);
	} else if (c.verb != VERB_RUN) {
		code = cmd_info(&c, &set, d);
	} else {
		set.argc = t->cmd->argc;
		set.argv = t->cmd->argv;
		job_set_as_diskspd(&set);
		notes_copy(&set.notes, &t->notes);
		notes_copy(&set.notes, &job->notes);
		set.speller = &speller;
		set.diskspd = diskspd_of(t);
		set.is_translation = true;
		set.count_reap_waits = t->profile->verbose_stats;
		if ((t->profile->progress_ios || t->profile->verbose) && set.run.eta == ETA_AUTO)
			set.run.eta = ETA_NEVER;
		code = t->cmd->use_jobs ? use_jobs(t, job, &set, d) : cmd_run(&set, d);
	}
	job_set_fini(&set);
	free(argv);
	return code == EXIT_USAGE ? DS_EXIT_REFUSED : code;
}

/* Adds a note about each file that -c creates again. */
static void note_recreated(struct ds_task *t)
{
	for (size_t i = 0; i < t->profile->nspans; i++) {
		for (size_t k = 0; k < t->profile->spans[i].ntargets; k++) {
			const struct ds_target *target = &t->profile->spans[i].targets[k];
			struct target_facts f;

			if (is_recreated(target, &f))
				notes_add(&t->notes,
					  "-c: %s existed (%" PRIu64 " bytes) and is created again",
					  target->path, f.size);
		}
	}
}

int ds_translate(struct ds_task *t, struct ds_job_cfg *cfg, struct ds_job *job, struct diag *d)
{
	struct cpuset cpus = { 0 };
	int err;

	ds_probe_machine(cfg, &cpus);
	err = ds_to_job(t->profile, cfg, job, d);
	err = err ? err : ds_check_machine(t, &cpus, d);
	cfg->cpus = NULL;
	if (err) {
		const struct ds_speller line_words = speller_of(t, job);
		const struct speller speller = ds_speller(&line_words);

		diag_spell(d, &speller);
	}
	return err;
}

int ds_plan_job(struct ds_task *t, const struct ds_job *job, struct diag *d)
{
	const struct ds_speller line_words = speller_of(t, job);
	const struct speller speller = ds_speller(&line_words);
	const struct jobfile_source from = job_source(job);
	struct job_set set = { 0 };
	struct facts facts = { 0 };
	struct plan plan = { 0 };
	struct cmdline c = { 0 };
	int argc, err;
	char **argv = run_argv(t, &argc);

	if (!argv)
		return diag_no_memory(d);
	err = cmdline_parse_from(&from, &c, &set, argc, argv, d);
	if (!err && c.verb == VERB_RUN) {
		job_set_as_diskspd(&set);
		set.speller = &speller;
		set.diskspd = (struct job_diskspd){ .profile = t->profile };
		set.is_translation = true;
		err = plan_probe(&facts, &set, d);
		err = err ? err : plan_build(&plan, &set, &facts, d);
	}
	diag_spell(d, &speller);
	plan_fini(&plan);
	facts_fini(&facts);
	job_set_fini(&set);
	free(argv);
	return err;
}

/* Adds the warnings that DISKSPD prints about the order of the I/Os. */
static void warn_order(const struct ds_span *s, const struct ds_target *t, struct strbuf *out)
{
	bool several = s->threads > 1 || t->threads > 1;

	if (t->random_percent)
		return;
	if (t->parallel && t->depth == 1)
		strbuf_puts(out,
			    "WARNING: -p does not have effect unless outstanding I/O count (-o) is > 1\n");
	if (t->interlocked && !several)
		strbuf_puts(out, "WARNING: single-threaded test, -si ignored\n");
	if (!t->interlocked && several && !t->thread_stride)
		strbuf_puts(out, "WARNING: target access pattern will not be sequential, consider -si\n");
}

void ds_warn_as_diskspd(const struct ds_task *t)
{
	struct strbuf out = { 0 };

	if (!t->cmd->as_diskspd)
		return;
	for (size_t i = 0; i < t->profile->nspans; i++) {
		const struct ds_span *s = &t->profile->spans[i];

		for (size_t k = 0; k < (t->line.xml_file ? s->ntargets : 1) && k < s->ntargets; k++)
			warn_order(s, &s->targets[k], &out);
	}
	fputs(strbuf_str(&out), stderr);
	strbuf_fini(&out);
}

int ds_run(struct ds_task *t, struct diag *d)
{
	struct ds_job_cfg cfg = {
		.diskspd_report = true, .command = t->command, .line = &t->line, .size = ds_probe_size
	};
	struct ds_job job = { 0 };
	int code, err = ds_map_profile(&t->cmd->map, t->profile, &t->notes, d);

	err = err ? err : ds_translate(t, &cfg, &job, d);
	if (!err) {
		if (t->cmd->recreate)
			note_recreated(t);
		ds_warn_as_diskspd(t);
		code = run_job(t, &job, d);
	} else {
		code = ds_exit_code(d);
		if (!t->cmd->use_jobs)
			refuse_document(t, code, d);
	}
	ds_job_fini(&job);
	return code;
}
