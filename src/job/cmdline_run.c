#include "cmdline_parts.h"

#include <errno.h>
#include <string.h>

/* Copies a text into the memory of the job set; NULL stays NULL. */
static int copy_text(struct job_set *set, const char *text, char **to, struct diag *d)
{
	if (text && !(*to = arena_strdup(&set->arena, text)))
		return diag_err(d, -ENOMEM, "out of memory");
	return 0;
}

static int copy_trigger(struct job_set *set, const struct cmdline_flags *f, struct diag *d)
{
	struct trigger_cfg *t = &set->run.trigger;

	if (f->trigger && !f->trigger_file && !f->trigger_timeout_ns)
		return diag_err(d, -EINVAL,
				"--trigger=%s: never runs without --trigger-file or --trigger-timeout",
				f->trigger);
	if (copy_text(set, f->trigger_file, &t->file, d) || copy_text(set, f->trigger, &t->command, d))
		return d->err;
	return 0;
}

static int copy_assertions(struct job_set *set, const struct texts *assertions, struct diag *d)
{
	const char **copy = arena_array(&set->arena, assertions->n + 1, sizeof(*copy));

	if (!copy)
		return diag_err(d, -ENOMEM, "out of memory");
	for (size_t i = 0; i < assertions->n; i++)
		copy[i] = assertions->v[i];
	set->run.assertions = copy;
	set->run.nassertions = assertions->n;
	return 0;
}

/* --live=-: standard output has the lines, and no result. */
static int take_stdout(struct run_opts *run, struct diag *d)
{
	if (run->output.path)
		return 0;
	if (run->output.formats & ~(unsigned)OUT_NORMAL)
		return diag_err(
			d, -EINVAL,
			"--live=-: standard output cannot have both the lines and the result; name a file "
			"for the result with --output");
	run->output.formats = run->formats = 0;
	for (size_t i = 0; i < run->nfiles; i++)
		run->formats |= run->files[i].formats;
	return 0;
}

static int copy_live(struct job_set *set, const struct cmdline_flags *f, struct diag *d)
{
	struct run_opts *run = &set->run;

	if (f->live_interval_ns && !f->live && !f->prometheus)
		return diag_err(d, -EINVAL,
				"--live-interval has no effect without --live or --prometheus; give one of "
				"them, or leave --live-interval out");
	if (copy_text(set, f->live, &run->live, d) || copy_text(set, f->prometheus, &run->prometheus, d))
		return d->err;
	if (f->live || f->prometheus)
		run->live_interval_ns = f->live_interval_ns ? f->live_interval_ns : 1000000000u;
	return f->live && !strcmp(f->live, "-") ? take_stdout(run, d) : 0;
}

int cmdline_run_opts(struct job_set *set, const struct cmdline_flags *f, const struct output_args *outputs,
		     const struct texts *assertions, struct diag *d)
{
	struct run_opts *run = &set->run;

	*run = (struct run_opts){
		.as_fio = run->as_fio,
		.preset = run->preset,
		.reading = run->reading,
		.formats = (f->minimal ? OUT_TERSE : f->formats) | (f->append_terse ? OUT_TERSE : 0u),
		.terse_version = f->terse_version,
		.parse_only = f->parse_only,
		.showcmd = f->showcmd,
		.readonly = f->readonly,
		/* fiord has more notes than fio has warnings, and scripts for fio must continue to work */
		.warnings_fatal = f->warnings_fatal && !run->as_fio,
		.eta = (enum eta_mode)f->eta,
		.eta_newline_ns = f->eta_newline_ns,
		.status_interval_ns = f->status_interval_ns,
		.eta_interval_ns = f->eta_interval_ns,
		.repeat = f->repeat,
		.debug = f->debug,
		.idle_prof = (enum idle_prof)f->idle_prof,
		.series = (enum series_of)f->series,
		.trigger.timeout_ns = f->trigger_timeout_ns,
	};
	if (copy_text(set, f->report, &run->report, d) || copy_text(set, f->csv, &run->csv, d) ||
	    copy_text(set, f->junit, &run->junit, d) || copy_text(set, f->aux_path, &run->aux_path, d) ||
	    copy_text(set, f->bandwidth_log, &run->bandwidth_log, d))
		return d->err;
	if (output_args_finish(outputs, run, &set->arena, d) || copy_live(set, f, d))
		return d->err;
	if (copy_assertions(set, assertions, d) || copy_trigger(set, f, d))
		return d->err;
	return 0;
}
