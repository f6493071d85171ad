/* fiord_mpi.c: fiord on several machines. Every rank parses the same job files, checks its own targets and
   runs its own session. The ranks agree before they touch any target and start each wave together. Rank 0
   merges their results. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "cmd.h"
#include "comm.h"
#include "ending_signals.h"
#include "rank.h"
#include "outfile.h"
#include "region.h"
#include "sent_text.h"
#include "session.h"
#include "strbuf.h"
#include "version.h"

struct rank {
	struct comm comm;
	struct job_set set;
	struct cmdline cmdline;
	struct planning planning;
	struct session session;
	struct wave_start waves;
	struct rank_monitor monitor;
	char **argv;    /* as parsed */
	char *document; /* the path of this rank's document; NULL: none */
	unsigned formats;
	char message_name[HOST_BYTES + 64];
};

/* Threads of MPI inherit this mask, so that the signals of a session, SIGCHLD among them, reach it alone. */
static void init_mpi(struct comm *c, int *argc, char ***argv, struct diag *d)
{
	sigset_t set, old;

	ending_signals(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, &old);
	comm_init(c, argc, argv, d);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static void set_variables(const struct comm *c)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", c->rank);
	setenv("RANK", number, 1);
	snprintf(number, sizeof(number), "%d", c->ranks);
	setenv("NRANKS", number, 1);
	setenv("HOST", c->host, 1);
}

/* The lowest rank of each program loads the job files, and sends them to the others. After an error of the
   arguments it sends none. */
static int parse_jobs(struct rank *r, int err, int argc, char **argv, struct diag *d)
{
	bool sender = r->comm.program_rank == 0;
	struct sent_text text = { 0 };
	struct jobfile_source from =
		sender ? sent_text_recorder(&text, FIORD_VERSION) : sent_text_reader(&text);

	if (sender && !err)
		err = cmdline_parse_from(&from, &r->cmdline, &r->set, argc, argv, d);
	comm_begin_step(&r->comm, "the reading of the job files", comm_now());
	if (comm_broadcast_program(&r->comm, &text.record))
		err = diag_no_memory(d);
	else if (!sender && !err && !(err = sent_text_check(&text, FIORD_VERSION, d)))
		err = cmdline_parse_from(&from, &r->cmdline, &r->set, argc, argv, d);
	strbuf_fini(&text.record);
	return err;
}

/* Only rank 0 writes the output. */
static int direct_output(struct rank *r, const char *output, struct diag *d)
{
	struct run_opts *o = &r->set.run;

	o->merge = true;
	snprintf(r->message_name, sizeof(r->message_name), "fiord-mpi: %s (rank %d)", r->comm.host,
		 r->comm.rank);
	o->message_name = r->message_name;
	o->rank_name = r->comm.name;
	r->formats = o->formats;
	o->rank = rank_program_info(&r->comm);
	if (output && !(r->document = rank_document_path(&r->comm, output)))
		return diag_no_memory(d);
	if (r->document && outfile_check("output", r->document, d))
		return d->err;
	if (r->comm.rank) {
		o->formats = 0;
		o->output = (struct out_file){ 0 };
		o->nfiles = 0;
		o->report = o->csv = NULL;
		o->eta = ETA_NEVER;
		o->status_interval_ns = 0;
	}
	return 0;
}

/* Every rank takes part in every exchange, also after an error. */
static int prepare_rank(struct rank *r, int err, struct diag *d)
{
	char *output = NULL;
	int other = rank_options_check(&r->comm, &r->cmdline, &r->set.run, &output, d);

	err = err ? err : other;
	other = direct_output(r, output, d);
	err = err ? err : other;
	free(output);
	if (err || r->cmdline.verb > VERB_CHECK)
		return err;
	return planning_init(&r->planning, &r->set, d);
}

static void write_document(const struct rank *r, struct result *res)
{
	struct diag d = { 0 };

	if (r->document && rank_document_write(r->document, res, &d)) {
		result_note(res, "%s", diag_text(&d));
		result_exit_code(res, EXIT_OUTPUT);
	}
	diag_fini(&d);
}

/* Rank 0 has not written the result of this rank, so the rank writes a document itself and prints its path.
 */
static void save_document(struct rank *r, struct result *res)
{
	struct strbuf text = { 0 };

	if (!r->document) {
		r->document = rank_document_path(&r->comm, "fiord-mpi.json");
		write_document(r, res);
	}
	strbuf_printf(&text, "%s (rank 0) has not written the results; the results of this rank are in %s",
		      r->comm.hosts[0], r->document ? r->document : "no file");
	comm_print(&r->comm, strbuf_str(&text));
	strbuf_fini(&text);
}

/* Marks the files that several ranks wrote as complete, after all ranks have ended. The rank that marked such
   a file first may have done so before another rank wrote to it for the last time. */
static void mark_shared_files(const struct rank *r)
{
	const struct plan *p = &r->planning.plan;

	for (uint32_t i = 0; i < p->njobs; i++)
		if (p->jobs[i].job->opts.files.rank_shared)
			region_files_mark_complete(&r->session.run.region, p, &p->jobs[i]);
}

/* Rank 0 merges and writes; the others send. Returns the exit code of this rank. */
static int exchange(struct rank *r, struct result *res, struct diag *d)
{
	struct result sum = { 0 };
	int code;

	if (r->comm.rank) {
		if (gather_send(&r->comm, res, d) || !comm_await_acknowledgement(&r->comm))
			save_document(r, res);
		mark_shared_files(r);
		return session_write(&r->session, res, d);
	}
	gather_merge(&r->comm, res, r->formats & OUT_JSON_PLUS, &sum, d);
	mark_shared_files(r);
	rank_monitor_result(&r->monitor, &sum);
	if (!d->err)
		result_command(&sum, r->set.argc, r->set.argv);
	if (!d->err && mpirun_keepalive_advice(&r->comm))
		result_note(&sum, "%s", mpirun_keepalive_advice(&r->comm));
	comm_acknowledge(&r->comm, !d->err);
	code = session_write(&r->session, d->err ? res : &sum, d);
	result_free(&sum);
	return code;
}

static uint64_t wave_gate(void *ctx, struct run *run, uint32_t wave)
{
	struct rank *r = ctx;

	uint64_t start = wave_start_gate(&r->waves, run, wave);

	r->session.hooks.gate_poll_ns = wave_start_poll_ns(&r->waves);
	return start;
}

static void on_tick(void *ctx, struct run *run)
{
	struct rank *r = ctx;

	wave_start_tick(&r->waves, run);
}

static void on_status(void *ctx, struct run *run, const char *by)
{
	struct rank *r = ctx;

	rank_monitor_status(&r->monitor, run, by);
}

static int run_session(struct rank *r, struct diag *d)
{
	struct result res = { 0 };
	int code = 0;

	session_init(&r->session, &r->planning);
	r->session.gate = (struct session_gate){ .wave_gate = wave_gate,
						 .tick = on_tick,
						 .status = on_status,
						 .ctx = r,
						 .gate_poll_ns = wave_start_poll_ns(&r->waves) };
	session_open(&r->session, d);
	code = comm_agree(&r->comm, d->err ? cmd_code(d) : 0, d);
	if (code)
		return code;
	comm_measure_clocks(&r->comm);
	r->set.run.realtime_ns = r->comm.realtime_offset_ns;
	if (wave_start_init(&r->waves, &r->comm, &r->planning.plan, d))
		return cmd_code(d);
	if (rank_monitor_open(&r->monitor, &r->comm, &r->session, r->formats & OUT_JSON_PLUS, d))
		return cmd_code(d);
	if (session_run(&r->session, d))
		code = cmd_code(d);
	session_collect(&r->session, &res, d);
	if (code)
		result_exit_code(&res, code);
	wave_start_result(&r->waves, &res);
	rank_host_add(&r->comm, &r->session.run, r->waves.first_start_ns, &res);
	write_document(r, &res);
	rank_monitor_show_others(&r->monitor);
	gather_prepare(&r->comm, &res);
	wave_start_finish(&r->waves, &r->session.run);
	code = exchange(r, &res, d);
	result_free(&res);
	return code;
}

/* Returns the agreed code; rank 0 has printed all errors. */
static int agree(struct rank *r, int err, struct diag *d)
{
	int code;

	diag_spell(d, r->set.speller);
	code = comm_agree(&r->comm, err ? cmd_code(d) : 0, d);
	if (!code)
		return 0;
	if (!r->comm.rank && !d->err)
		diag_err(d, -ECANCELED, "another rank has refused the run; see its error on stderr");
	if (!r->comm.rank)
		cmd_put_refusal(&r->set, code, d);
	diag_fini(d);
	*d = (struct diag){ 0 };
	return code;
}

static int run_rank(struct rank *r, int argc, char **argv, struct diag *d)
{
	int err = rank_program_verb(argc, argv, d), code;

	r->argv = rank_program_arguments(argc, argv);
	if (!err && !r->argv)
		err = diag_no_memory(d);
	err = parse_jobs(r, err, argc, r->argv, d);
	r->set.argv = argv;
	code = agree(r, prepare_rank(r, err, d), d);
	if (code)
		return code;
	if (r->cmdline.verb > VERB_CHECK) /* every rank has the same verb */
		return r->comm.rank ? EXIT_OK : cmd_help(&r->cmdline, &r->set, d);
	code = agree(r, rank_program_targets(&r->comm, &r->planning.plan, d), d);
	if (code)
		return code;
	if (r->cmdline.verb == VERB_CHECK)
		return rank_program_check(&r->comm, &r->planning.plan, d);
	return run_session(r, d);
}

int main(int argc, char **argv)
{
	struct rank *r = calloc(1, sizeof(*r));
	struct diag d = { 0 };
	int code;

	cmd_init_process();
	if (!r)
		return EXIT_JOB;
	init_mpi(&r->comm, &argc, &argv, &d);
	if (d.err) {
		if (!r->comm.rank)
			fprintf(stderr, "fiord-mpi: %s\n", diag_text(&d));
		if (r->comm.ranks)
			comm_fini(&r->comm, EXIT_JOB);
		return EXIT_JOB;
	}
	set_variables(&r->comm);
	rank_program_split(&r->comm, argc, argv);
	code = run_rank(r, argc, argv, &d);
	if (d.err)
		fprintf(stderr, "fiord-mpi: %s (rank %d): %s\n", r->comm.host, r->comm.rank, diag_text(&d));
	rank_monitor_close(&r->monitor);
	if (r->session.planning)
		session_fini(&r->session);
	planning_fini(&r->planning);
	job_set_fini(&r->set);
	diag_fini(&d);
	free(r->document);
	free(r->argv);
	wave_start_fini(&r->waves);
	comm_fini(&r->comm, code);
	free(r);
	return code;
}
