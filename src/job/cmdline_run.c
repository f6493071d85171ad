#include "cmdline_parts.h"

#include <errno.h>
#include <string.h>

/* Copies the texts into the memory of the job set. */
static bool copy_texts(struct run_opts *run, struct arena *mem)
{
	char **const text[] = { &run->report,     &run->csv,           &run->junit,
				&run->aux_path,   &run->bandwidth_log, &run->live,
				&run->prometheus, &run->trigger.file,  &run->trigger.command };
	bool ok = true;

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		if (*text[i])
			ok &= (*text[i] = arena_strdup(mem, *text[i])) != NULL;
	return ok;
}

static int check_trigger(const struct trigger_cfg *t, struct diag *d)
{
	if (t->command && !t->file && !t->timeout_ns)
		return diag_err(d, -EINVAL,
				"--trigger=%s: never runs without --trigger-file or --trigger-timeout",
				t->command);
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

static int set_live(struct run_opts *run, struct diag *d)
{
	bool live = run->live || run->prometheus;

	if (run->live_interval_ns && !live)
		return diag_err(d, -EINVAL,
				"--live-interval has no effect without --live or --prometheus; give one of "
				"them, or leave --live-interval out");
	if (live && !run->live_interval_ns)
		run->live_interval_ns = 1000000000u;
	return run->live && !strcmp(run->live, "-") ? take_stdout(run, d) : 0;
}

int cmdline_run_opts(struct job_set *set, const struct cmdline_flags *f, const struct output_args *outputs,
		     const struct texts *assertions, struct diag *d)
{
	struct run_opts *run = &set->run, program = *run;

	*run = f->run;
	run->as_fio = program.as_fio;
	run->preset = program.preset;
	run->reading = program.reading;
	run->formats = (f->minimal ? OUT_TERSE : run->formats) | (f->append_terse ? OUT_TERSE : 0u);
	/* fiord has more notes than fio has warnings, and scripts for fio must continue to work */
	run->warnings_fatal &= !run->as_fio;
	if (!copy_texts(run, &set->arena))
		return diag_err(d, -ENOMEM, "out of memory");
	if (output_args_finish(outputs, run, &set->arena, d) || set_live(run, d))
		return d->err;
	return copy_assertions(set, assertions, d) ? d->err : check_trigger(&run->trigger, d);
}
