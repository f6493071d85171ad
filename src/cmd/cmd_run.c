/* cmd_run.c: plan -> run, with hooks that show progress -> result -> reports. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "clock.h"
#include "events.h"
#include "cmd.h"
#include "collect.h"
#include "collect_self.h"
#include "collect_spans.h"
#include "spans_source.h"
#include "cpu_throttle.h"
#include "cpuidle.h"
#include "diskstat.h"
#include "dots.h"
#include "progress_display.h"
#include "idle_prof.h"
#include "logs.h"
#include "outfile.h"
#include "output_queue.h"
#include "preflight.h"
#include "render.h"
#include "report.h"
#include "reserve.h"
#include "diskspd_words.h"
#include "status.h"
#include "target_storage.h"
#include "messages.h"
#include "version.h"

struct session {
	const struct job_set *set;
	struct plan plan;
	struct facts facts;
	struct run run;
	struct reserve reserve;
	struct progress_display eta;
	struct diskstat *disks;
	struct cpuidle *cpus;
	struct cpu_throttle held; /* when the first wave began */
	struct target_storage storage;
	struct spans_source spans;
	struct dots dots;
	struct logs *logs;
	struct output_queue out;
	struct status status;
	struct run_hooks hooks;
};

static bool wants_normal(const struct job_set *set)
{
	return set->run.formats & OUT_NORMAL;
}

/* Text of the normal report that is due now: to the terminal at once, into a file with the rest. */
static void say(struct session *s, struct strbuf *b)
{
	output_queue_put(&s->out, strbuf_str(b), b->len);
	output_queue_flush(&s->out);
	strbuf_clear(b);
}

static void say_start(struct session *s)
{
	struct strbuf b = { 0 };
	const struct plan *p = &s->plan;
	unsigned threads = 0;

	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct plan_job *j = &p->jobs[i];
		struct report_start line = { .name = j->job->name,
					     .rw = plan_rw_name(j->rw),
					     .engine = j->job->engine->name,
					     .group = j->group,
					     .iodepth = j->job->opts.queue.iodepth,
					     .clones = j->job->opts.group.numjobs,
					     .units = collect_units(&j->job->opts.report) };

		threads += j->job->opts.group.thread;
		if (j->clone || j->job->engine->caps & ENG_NOIO)
			continue;
		for (int d = 0; d < DIR_DATA; d++) {
			line.bs_lo[d] = bsize_min(&j->job->opts.offset.bsize, 1u << d);
			line.bs_hi[d] = bsize_max(&j->job->opts.offset.bsize, 1u << d);
		}
		report_start_line(&b, &line);
	}
	report_version(&b, "fiord", FIORD_VERSION, FIORD_FIO_VERSION, s->set->run.as_fio);
	strbuf_putc(&b, '\n');
	report_starting(&b, p->njobs - threads, threads);
	say(s, &b);
	strbuf_fini(&b);
}

static void on_setup(void *ctx, const struct run *r, uint32_t wave)
{
	struct session *s = ctx;
	struct strbuf b = { 0 };

	(void)r;
	progress_display_wave(&s->eta, wave);
	for (uint32_t i = 0; i < s->plan.njobs && wants_normal(s->set); i++) {
		const struct plan_job *j = &s->plan.jobs[i];
		uint64_t bytes = 0;
		unsigned files = 0;

		for (uint32_t k = 0; j->wave == wave && k < j->nfiles; k++) {
			const struct plan_file *f = &j->files[k];

			if (!f->owner || (f->layout != LAYOUT_FILL && f->layout != LAYOUT_CREATE))
				continue;
			files++;
			bytes += plan_layout_bytes(&s->plan, f);
		}
		if (files)
			report_layout_line(&b, j->job->name, files, bytes);
	}
	if (b.len)
		say(s, &b);
	strbuf_fini(&b);
}

static bool wants_disk_util(const struct plan_job *pj, const void *arg)
{
	(void)arg;
	return pj->job->opts.report.disk_util;
}

static void on_forked(void *ctx, struct run *r)
{
	struct session *s = ctx;

	if (s->logs)
		logs_start(s->logs, r);
}

static void on_interval(void *ctx, const struct run *r, uint32_t job, unsigned track, const struct ival *rec)
{
	struct session *s = ctx;

	(void)r;
	if (s->logs)
		logs_interval(s->logs, job, track, rec);
}

static bool has_room(void *ctx, const struct run *r, uint32_t job, unsigned track)
{
	struct session *s = ctx;

	(void)r;
	return !s->logs || logs_room(s->logs, job, track);
}

static uint64_t next_due(const struct session *s)
{
	uint64_t status = status_next_ns(&s->status), cpus = wave_usage_due_ns(s->spans.cpus);

	return status && (!cpus || status < cpus) ? status : cpus;
}

static void on_open(void *ctx, const struct run *r, uint32_t wave)
{
	struct session *s = ctx;

	(void)r;
	if (wave == 0) {
		status_begin(&s->status, clock_ns());
		cpu_throttle_read(&s->held);
		s->disks = target_storage_disks(&s->plan, wants_disk_util, NULL);
		if (s->set->run.idle_prof)
			s->cpus = cpuidle_begin();
	}
	wave_usage_begin(s->spans.cpus, wave, clock_ns());
	s->hooks.due_ns = next_due(s);
}

static void on_tick(void *ctx, struct run *r)
{
	struct session *s = ctx;
	const char *by;

	if (s->logs)
		logs_tick(s->logs);
	wave_usage_tick(s->spans.cpus, clock_ns());
	by = status_due(&s->status, r, clock_ns());

	if (by && !r->end_ns)
		status_take(&s->status, r, by, s->disks, &s->out);
	if (output_queue_waiting(&s->out) && !s->out.path)
		progress_display_break(&s->eta);
	s->hooks.due_ns = r->end_ns ? 0 : next_due(s);
	output_queue_flush(&s->out);
	if (s->out.error && !r->stopped && !r->end_ns)
		waves_end_run(r); /* nobody will ever see what comes */
	progress_display_show(&s->eta, r);
	dots_tick(&s->dots, r);
}

/* fio's line about the signal, which clients look for before the document; beside machine formats alone it
   goes to stderr. */
static void say_terminated(const struct session *s, int sig, struct strbuf *out)
{
	if (wants_normal(s->set))
		strbuf_printf(out, "\nfio: terminating on signal %d\n", sig);
	else
		fprintf(stderr, "fio: terminating on signal %d\n", sig);
}

/* The end of the output. */
static int render_end(const struct session *s, const struct result *res, struct strbuf *out)
{
	if (res->as_fio && res->exit.signal)
		say_terminated(s, res->exit.signal, out);
	return render(s->set->run.formats, s->set->run.terse_version, res, out);
}

/* From the start of a run until its document is written no signal ends the program itself. */
static void hold_signals(void)
{
	sigset_t set;

	events_ending_signals(&set);
	sigaddset(&set, SIGUSR1); /* never unblocked: one that comes too late asks for nothing */
	sigprocmask(SIG_BLOCK, &set, NULL);
}

/* Those that came meanwhile have had their effect: the run is over. */
static void release_signals(void)
{
	const struct timespec now = { 0 };
	sigset_t set;

	events_ending_signals(&set);
	while (sigtimedwait(&set, NULL, &now) > 0)
		;
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* A pipe or terminal that nobody reads may be waited for forever: there signals must work. */
static bool may_block(const char *output)
{
	struct stat st;

	return !output || (stat(output, &st) == 0 && !S_ISREG(st.st_mode));
}

/* A log that is not whole: the numbers are, and the document says so. */
static void judge_logs(const struct session *s, struct result *res)
{
	char why[4096];

	if (!logs_failed(s->logs, why, sizeof(why)))
		return;
	result_note(res, "%s", why);
	result_exit_code(res, EXIT_OUTPUT);
}

/* The text after all that was told before. Where that failed a file still gets the end whole; to a pipe that
   is closed there is nothing to say. */
static int put_end(struct session *s, const struct strbuf *text, struct diag *d)
{
	int err = s->out.error;

	if (!err)
		return output_queue_finish(&s->out, strbuf_str(text), text->len, d);
	output_queue_replace(&s->out, strbuf_str(text), text->len);
	return diag_kind(d, DIAG_OUTPUT, -err,
			 "%s: a result of the run so far could not be written, which ended the run: %s",
			 s->out.path ? s->out.path : "standard output", diag_errno(err));
}

static int finish(struct session *s, struct diag *d)
{
	struct result res = { 0 };
	struct strbuf out = { 0 };
	struct disk_use *disks = NULL;
	unsigned ndisks = 0;
	int ret, code;

	wave_usage_end(s->spans.cpus);
	dots_tick(&s->dots, &s->run);
	dots_end(&s->dots);
	logs_end(s->logs);
	reserve_give(&s->reserve);
	diskstat_end(s->disks, &disks, &ndisks);
	result_init(&res, "fiord", FIORD_VERSION, FIORD_FIO_VERSION);
	res.as_fio = s->set->run.as_fio;
	ret = collect(&res, &s->plan, &s->run, disks, ndisks);
	if (!ret)
		ret = collect_spans(&res, &s->spans, &s->plan, &s->run, &s->storage);
	collect_cpuheld_notes(&res, &s->held);
	target_storage_tell(&s->storage, &s->plan, &res);
	status_notes(&s->status, &res.notes);
	idle_prof_result(s->cpus, s->set->run.idle_prof, &res);
	res.statuses = (struct result_statuses){ s->status.list.v, s->status.list.n };
	judge_logs(s, &res);
	diskspd_words_result(s->set->diskspd.words, &res);
	if (!ret)
		ret = render_end(s, &res, &out);
	code = res.exit.code;
	if (may_block(s->set->run.output))
		release_signals();
	if (ret) {
		diag_kind(d, DIAG_OUTPUT, ret, "out of memory for the result");
		code = code ? code : EXIT_OUTPUT;
	} else if (put_end(s, &out, d)) {
		result_exit_code(&res, EXIT_OUTPUT);
		code = res.exit.code;
	}
	messages_errors(&s->run, s->logs);
	if (!(s->set->run.formats & OUT_TEXT))
		messages_notes(&res);
	free(disks);
	strbuf_fini(&out);
	result_free(&res);
	return code;
}

static int refuse_notes(const struct job_set *set, const struct plan *p, struct diag *d)
{
	const struct notes *n = set->notes.count ? &set->notes : &p->notes;

	if (set->run.warnings_fatal && n->count)
		return diag_err(d, -EINVAL, "--warnings-fatal: %s", n->line[0]);
	return 0;
}

static int prepare(struct session *s, struct diag *d)
{
	int ret = probe(&s->facts, s->set, d);

	if (!ret)
		ret = plan_build(&s->plan, s->set, &s->facts, d);
	if (!ret)
		ret = spans_source_init(&s->spans, &s->plan, &s->facts.machine, d);
	if (!ret)
		messages_idle_flags(&s->plan);
	if (!ret)
		ret = refuse_notes(s->set, &s->plan, d);
	if (!ret)
		preflight(&s->plan, &s->facts, &s->plan.notes);
	if (!ret)
		plan_overwrite_notes(&s->plan, &s->facts, &s->plan.losses);
	return ret ? ret : check_outputs(&s->plan, d);
}

static void session_fini(struct session *s)
{
	logs_free(s->logs);
	diskstat_free(s->disks);
	cpuidle_free(s->cpus);
	target_storage_fini(&s->storage);
	spans_source_fini(&s->spans);
	reserve_give(&s->reserve);
	run_fini(&s->run);
	plan_fini(&s->plan);
	facts_fini(&s->facts);
	status_fini(&s->status);
	output_queue_fini(&s->out);
}

void cmd_refused(const struct job_set *set, int code, const struct diag *d)
{
	struct result res = { 0 };
	struct strbuf out = { 0 };
	struct diag ignored = { 0 };

	if (!(set->run.formats & OUT_JSON) || set->run.output)
		return;
	result_init(&res, "fiord", FIORD_VERSION, FIORD_FIO_VERSION);
	res.as_fio = set->run.as_fio;
	result_command(&res, set->argc, set->argv);
	result_environment(&res);
	result_note(&res, "%s", diag_text(d));
	result_exit_code(&res, code);
	result_finish(&res);
	if (!report_json(&res, &out))
		outfile_write(NULL, out.text, out.len, &ignored);
	diag_fini(&ignored);
	strbuf_fini(&out);
	result_free(&res);
}

/* Before or instead of a run. */
static int refused(const struct session *s, int code, struct diag *d)
{
	diskspd_words_diag(s->set->diskspd.words, d);
	cmd_refused(s->set, code, d);
	return code;
}

static int run_session(struct session *s, struct diag *d)
{
	bool no_memory;
	int code;

	s->hooks = (struct run_hooks){ .ctx = s,
				       .tick = on_tick,
				       .wave_setup = on_setup,
				       .wave_open = on_open,
				       .forked = on_forked,
				       .interval = on_interval,
				       .room = has_room };
	output_queue_init(&s->out, s->set->run.output);
	status_init(&s->status, &s->plan);
	messages_plan(&s->plan);
	tell_losses(&s->plan);
	progress_display_init(&s->eta, &s->set->run, &s->plan);
	s->hooks.tick_ns = STATUS_LOOK_NS;
	s->dots.every = s->set->diskspd.dots;
	if (s->eta.on && s->eta.every_ns < s->hooks.tick_ns)
		s->hooks.tick_ns = s->eta.every_ns;
	if (wants_normal(s->set))
		say_start(s);
	target_storage_probe(&s->storage, &s->plan);
	if (!s->plan.kernel_clock)
		clock_init();
	if (s->set->run.as_fio)
		signal(SIGINT, SIG_DFL); /* scripts start fio in the background and end it so */
	hold_signals();
	s->logs = logs_new(&s->plan, &no_memory);
	if (no_memory) {
		diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for the logs");
		progress_display_end(&s->eta);
		return refused(s, EXIT_JOB, d);
	}
	if (reserve_take(&s->reserve, &s->plan, d) || run_plan(&s->run, &s->plan, &s->hooks, d)) {
		progress_display_end(&s->eta);
		return refused(s, EXIT_JOB, d);
	}
	progress_display_end(&s->eta);
	code = finish(s, d);
	messages_workers(&s->run);
	return code;
}

static int show(const struct job_set *set, struct diag *d)
{
	struct strbuf b = { 0 };
	int code;

	cmdline_show(set, &b);
	code = cmd_put(strbuf_str(&b), d);
	strbuf_fini(&b);
	return code;
}

int cmd_run(struct job_set *set, struct diag *d)
{
	struct session *s;
	int code;

	if (set->run.showcmd)
		return show(set, d);
	if (set->run.parse_only) {
		if (set->run.warnings_fatal && set->notes.count) {
			diag_err(d, -EINVAL, "--warnings-fatal: %s", set->notes.line[0]);
			return EXIT_USAGE;
		}
		return EXIT_OK;
	}
	if (set->run.idle_prof == IDLE_CALIBRATE)
		return cmd_idle_calibrate(d);
	if (!set->njobs) {
		diag_err(d, -EINVAL, "no job to run; name a job file, or say --name=NAME and its options");
		return EXIT_USAGE;
	}
	s = calloc(1, sizeof(*s));
	if (!s) {
		diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory");
		return EXIT_JOB;
	}
	s->set = set;
	if (prepare(s, d))
		code = refused(s, cmd_code(d), d);
	else
		code = run_session(s, d);
	session_fini(s);
	free(s);
	return code;
}

int cmd_check(struct job_set *set, struct diag *d)
{
	struct session *s = calloc(1, sizeof(*s));
	int code;

	if (!s) {
		diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory");
		return EXIT_JOB;
	}
	s->set = set;
	if (!set->njobs)
		diag_err(d, -EINVAL, "no job to check; name a job file, or say --name=NAME and its options");
	code = d->err || prepare(s, d) ? cmd_code(d) : cmd_show_plan(&s->plan, d);
	if (code != EXIT_OK && code != EXIT_OUTPUT)
		cmd_refused(set, code, d);
	session_fini(s);
	free(s);
	return code;
}
