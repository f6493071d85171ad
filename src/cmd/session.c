#include "session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "clock.h"
#include "cmd.h"
#include "collect.h"
#include "cpuidle.h"
#include "diskstat.h"
#include "ending_signals.h"
#include "exit_code.h"
#include "logs.h"
#include "check_outputs.h"
#include "messages.h"
#include "presets.h"
#include "report.h"
#include "strbuf.h"
#include "version.h"

static const struct job_set *set_of(const struct session *s)
{
	return s->planning->set;
}

void session_init(struct session *s, struct planning *planning)
{
	*s = (struct session){ .planning = planning };
}

/* ---- the reserve ----

   ENTRY_BYTES is for one entry of the result, in memory and as text that is copied while it grows; REST_BYTES
   is for everything else. */
#define ENTRY_BYTES (32u << 10)
#define REST_BYTES  (1u << 20)

static int take_reserve(struct session_reserve *r, const struct plan *p, struct diag *d)
{
	size_t bytes = p->nreports * (size_t)ENTRY_BYTES + REST_BYTES;
	void *base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (base == MAP_FAILED)
		return diag_kind(d, DIAG_RUN, -ENOMEM,
				 "no room for the result: %zu KiB of memory for %u jobs: %s%s; "
				 "group_reporting needs less",
				 bytes >> 10, p->nreports, diag_errno(ENOMEM), diag_hint(ENOMEM));
	madvise(base, bytes, MADV_DONTFORK);
	*r = (struct session_reserve){ base, bytes };
	return 0;
}

static void release_reserve(struct session_reserve *r)
{
	if (r->bytes)
		munmap(r->base, r->bytes);
	*r = (struct session_reserve){ 0 };
}

/* ---- open ---- */

static void put_start_line(const struct plan_job *j, struct strbuf *b)
{
	const struct job_opts *o = &j->job->opts;
	struct report_start line = { .name = j->job->name,
				     .rw = plan_rw_name(j->rw),
				     .engine = j->job->engine->name,
				     .group = j->group,
				     .iodepth = plan_iodepth(j),
				     .clones = o->group.numjobs,
				     .units = collect_units(&o->report) };

	for (int d = 0; d < DIR_DATA; d++) {
		line.bs_lo[d] = bsize_min(&o->offset.bsize, 1u << d);
		line.bs_hi[d] = bsize_max(&o->offset.bsize, 1u << d);
	}
	report_start_line(b, &line);
}

/* Writes the first lines of the normal report: to a terminal at once, to a file with the rest. */
static void put_start(struct session *s)
{
	const struct plan *p = &s->planning->plan;
	struct strbuf b = { 0 };
	unsigned threads = 0;

	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct plan_job *j = &p->jobs[i];

		threads += j->job->opts.group.thread;
		if (!j->clone && !(j->job->engine->caps & ENG_NOIO))
			put_start_line(j, &b);
	}
	report_version(&b, "fiord", FIORD_VERSION, FIORD_FIO_VERSION, set_of(s)->run.as_fio);
	strbuf_putc(&b, '\n');
	if (s->repeat.runs)
		strbuf_printf(&b, "Run %u of %u\n", s->repeat.run, s->repeat.runs);
	report_starting(&b, p->njobs - threads, threads);
	outputs_put(&s->display.out, OUT_NORMAL, strbuf_str(&b), b.len);
	strbuf_fini(&b);
}

static int open_outputs(struct session *s, struct diag *d)
{
	const struct run_opts *o = &set_of(s)->run;
	int err = outputs_init(&s->display.out, &o->output, o->files, o->nfiles, d);

	return !err && s->repeat.run > 1 ? outputs_load(&s->display.out, d) : err;
}

static void open_display(struct session *s)
{
	struct session_display *d = &s->display;
	const struct plan *p = &s->planning->plan;

	status_init(&d->status, p);
	session_debug_plan(s);
	messages_overwrites(p);
	messages_run(set_of(s), s->repeat.run, s->repeat.runs);
	progress_display_init(&d->progress, &set_of(s)->run, p);
	if (!d->progress.screen.on) {
		d->diskspd.every = set_of(s)->diskspd.dots;
		d->diskspd.verbose = set_of(s)->diskspd.verbose && isatty(STDERR_FILENO);
	}
	if (set_of(s)->run.formats & OUT_NORMAL)
		put_start(s);
}

/* Blocks the signals that end a run: the parent reads them by signalfd until the result is written. */
static void hold_signals(void)
{
	sigset_t set;

	ending_signals(&set);
	sigaddset(&set, SIGUSR1); /* stays blocked: after the run no status can be requested */
	sigprocmask(SIG_BLOCK, &set, NULL);
}

int session_open(struct session *s, struct diag *d)
{
	const struct plan *p = &s->planning->plan;
	bool no_memory;

	if (open_outputs(s, d))
		return d->err;
	if (session_debug_open(s, d) || merged_traces_write(p, d))
		return d->err;
	open_display(s);
	session_hooks_init(s);
	target_storage_probe(&s->machine.storage, p);
	target_storage_health(&s->machine.storage, false);
	if (!p->kernel_clock)
		clock_init();
	if (set_of(s)->run.as_fio)
		signal(SIGINT, SIG_DFL); /* scripts start fio in the background and end it by SIGINT */
	run_split_start(&s->machine.split, p);
	hold_signals();
	s->logs = logs_new(p, &no_memory);
	if (no_memory)
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for the logs");
	if (live_init(&s->display.live, p, s->repeat.run, s->repeat.runs))
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for --live");
	return take_reserve(&s->reserve, p, d);
}

int session_run(struct session *s, struct diag *d)
{
	return run_plan(&s->run, &s->planning->plan, &s->hooks, d);
}

/* ---- collect ---- */

/* An incomplete log fails the run; the figures in the document are complete. */
static void check_logs(const struct session *s, struct result *res)
{
	char why[4096];

	if (!logs_failed(s->logs, why, sizeof(why)))
		return;
	result_note(res, "%s", why);
	result_exit_code(res, EXIT_OUTPUT);
}

static void end_helpers(struct session *s)
{
	progress_display_end(&s->display.progress);
	wave_usage_end(s->planning->spans.cpus);
	diskspd_progress_end(&s->display.diskspd, &s->run);
	logs_end(s->logs);
	release_reserve(&s->reserve);
}

void session_add_statuses(const struct session *s, struct result *res)
{
	const struct status *status = &s->display.status;

	status_notes(status, &res->notes);
	res->statuses = (struct result_statuses){ status->list.v, status->list.n };
}

static void judge_preset(const struct job_set *set, struct result *res)
{
	const struct preset *p = set->run.preset ? preset_find(set->run.preset) : NULL;

	if (p && p->judge)
		p->judge(res);
}

int session_collect(struct session *s, struct result *res, struct diag *d)
{
	const struct plan *p = &s->planning->plan;
	struct disk_use *disks = NULL;
	unsigned ndisks = 0;
	int ret;

	end_helpers(s);
	diskstat_end(s->machine.disks, &disks, &ndisks);
	result_init(res, "fiord", FIORD_VERSION, FIORD_FIO_VERSION);
	res->as_fio = set_of(s)->run.as_fio;
	res->run = s->repeat.run;
	res->runs = s->repeat.runs;
	ret = collect_run(res, p, &s->run, disks, ndisks);
	free(disks);
	if (!ret)
		ret = collect_spans(res, &s->planning->spans, p, &s->run, &s->machine.storage);
	collect_cpu_throttle_notes(res, &s->machine.throttle);
	trim_holes_note(&s->machine.trim_holes, p, res);
	collect_plan(res, p);
	target_storage_health(&s->machine.storage, true);
	target_storage_result(&s->machine.storage, res);
	session_add_statuses(s, res);
	run_split_result(&s->machine.split, p, res);
	idle_prof_result(s->machine.idle, set_of(s)->run.idle_prof, res);
	judge_preset(set_of(s), res);
	check_logs(s, res);
	live_result(&s->display.live, res);
	result_spell(res, set_of(s)->speller);
	return ret ? diag_kind(d, DIAG_OUTPUT, ret, "out of memory for the result") : 0;
}

/* ---- write ---- */

/* fio's clients look for its line about the signal before the document. With machine formats alone it goes to
   stderr. */
static void put_terminated(struct session *s, int sig)
{
	struct strbuf line = { 0 };

	strbuf_printf(&line, "\nfio: terminating on signal %d\n", sig);
	if (set_of(s)->run.formats & OUT_NORMAL)
		outputs_put(&s->display.out, OUT_NORMAL, strbuf_str(&line), line.len);
	else
		fputs(strbuf_str(&line) + 1, stderr);
	strbuf_fini(&line);
}

bool session_writes_files(const struct session *s, const struct result *res)
{
	return s->repeat.run == s->repeat.runs || res->exit.code != EXIT_OK;
}

/* Writes the files beside the output, with the results of this run and the earlier ones. This comes before
   signals can end the program. */
static int write_files(struct session *s, struct result *res, struct diag *d)
{
	size_t before = s->repeat.run ? s->repeat.run - 1 : 0;
	struct result **all;
	int ret;

	if (!result_files_any(&set_of(s)->run) || !session_writes_files(s, res))
		return 0;
	all = calloc(before + 1, sizeof(*all));
	if (!all)
		return diag_kind(d, DIAG_OUTPUT, -ENOMEM, "out of memory for the result");
	for (size_t i = 0; i < before; i++)
		all[i] = s->repeat.res[i];
	all[before] = res;
	ret = result_files_write(&set_of(s)->run, all, before + 1, d);
	free(all);
	if (ret)
		result_exit_code(res, EXIT_OUTPUT);
	return ret;
}

/* The user may have stopped the terminal, and must be able to end the program by a signal. */
static void wait_for_terminal(struct session *s)
{
	if (!progress_display_blocked(&s->display.progress))
		return;
	ending_signals_release();
	progress_display_wait(&s->display.progress);
}

static void write_output(struct session *s, struct output *o, struct result *res, struct diag *d)
{
	struct strbuf text = { 0 };
	struct diag own = { 0 };

	if (report_render(o->formats, set_of(s)->run.terse_version, res, &text))
		diag_kind(&own, DIAG_OUTPUT, -ENOMEM, "out of memory for the result");
	else
		output_finish(o, &text, &own);
	strbuf_fini(&text);
	if (!own.err)
		return;
	result_exit_code(res, EXIT_OUTPUT);
	if (d->err)
		fprintf(stderr, "%s: %s\n", cmd_name(set_of(s)), diag_text(&own));
	else
		diag_message(d, own.kind, own.err, own.message);
	diag_fini(&own);
}

/* Writing to a pipe or terminal can block for ever, so the files are written first, and then the user must be
   able to end the program by a signal. */
static void write_outputs(struct session *s, struct result *res, struct diag *d)
{
	struct outputs *all = &s->display.out;

	for (size_t i = all->n; i-- > 0;)
		if (all->v[i].formats && !output_may_block(&all->v[i]))
			write_output(s, &all->v[i], res, d);
	wait_for_terminal(s);
	for (size_t i = all->n, released = 0; i-- > 0;) {
		if (!all->v[i].formats || !output_may_block(&all->v[i]))
			continue;
		if (!released++)
			ending_signals_release();
		write_output(s, &all->v[i], res, d);
	}
}

/* Judges the assertions; a failed one has an exit code, which the document shows. */
static int judge_run(const struct session *s, struct result *res, struct diag *d)
{
	const struct planned_assertions *p = &s->planning->assertions;

	if (!assertion_judge(&p->list, &p->facts, res))
		return 0;
	return diag_kind(d, DIAG_OUTPUT, -ENOMEM, "out of memory for the result");
}

/* The files show the exit code, which an output that cannot be written has changed. Errors of the
   files themselves are printed already. */
static void write_files_again(struct session *s, struct result *res)
{
	struct diag own = { 0 };

	write_files(s, res, &own);
	diag_fini(&own);
}

int session_write(struct session *s, struct result *res, struct diag *d)
{
	int ret = d->err ? d->err : judge_run(s, res, d);
	struct notes printed = { 0 };
	unsigned codes;
	char why[4096];

	if (!ret)
		write_files(s, res, d);
	codes = res->exit.count;
	if (!ret && res->as_fio && res->exit.signal)
		put_terminated(s, res->exit.signal);
	if (session_debug_in_report(s))
		session_debug_workers(s);
	if (!ret)
		write_outputs(s, res, d);
	if (ret)
		result_exit_code(res, EXIT_OUTPUT);
	live_end(&s->display.live, &s->run, res->exit.code);
	if (live_failed(&s->display.live, why, sizeof(why)))
		result_exit_code(res, EXIT_OUTPUT);
	if (!ret && res->exit.count != codes)
		write_files_again(s, res);
	messages_errors(&s->run, s->logs, &s->display.live);
	if (!(set_of(s)->run.formats & OUT_NORMAL))
		messages_verdicts(set_of(s), res);
	if (!(set_of(s)->run.formats & OUT_TEXT))
		messages_notes(res, s->repeat.printed ? s->repeat.printed : &printed);
	if (!d->err && session_writes_files(s, res))
		messages_files(set_of(s));
	notes_fini(&printed);
	if (!session_debug_in_report(s))
		session_debug_workers(s);
	return res->exit.code;
}

void session_fini(struct session *s)
{
	session_debug_fini(s);
	progress_display_fini(&s->display.progress);
	logs_free(s->logs);
	diskstat_free(s->machine.disks);
	cpuidle_free(s->machine.idle);
	run_split_fini(&s->machine.split);
	target_storage_fini(&s->machine.storage);
	trim_holes_fini(&s->machine.trim_holes);
	release_reserve(&s->reserve);
	run_fini(&s->run);
	status_fini(&s->display.status);
	live_fini(&s->display.live);
	outputs_fini(&s->display.out);
}
