#include "comm.h"

#include <endian.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "ending_signals.h"
#include "exit_code.h"
#include "rank.h"
#include "version.h"
#include "wstat.h"

#define TIMEOUT_S     30u
#define TIMEOUT_MAX_S 86400u
#define END_NS        5000000000u /* for what the launcher does at the end */

/* The first message of each rank. Its first three fields are the same in all versions of fiord-mpi. */
struct hello {
	char magic[16], version[64], host[HOST_BYTES];
	uint32_t layout; /* of the messages */
	uint32_t timeout_s;
};
static const struct hello hello = { .magic = "fiord-mpi hello", .version = "fiord-mpi " FIORD_VERSION };

/* ---- MPI's own waits ---- */

/* The message of the alarm. MPI_Init and MPI_Finalize wait for all ranks without a limit. */
static char alarm_text[HOST_BYTES + 256];
static int alarm_code;

static void on_alarm(int sig)
{
	(void)sig;
	if (write(STDERR_FILENO, alarm_text, strlen(alarm_text)) < 0)
		_exit(alarm_code);
	_exit(alarm_code);
}

/* Ends this process with the text and the code, unless the alarm is stopped in time. ns 0 stops it. */
static void set_alarm(uint64_t ns, int code, const char *text)
{
	struct itimerspec its = { .it_value = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) } };
	struct sigaction sa = { .sa_handler = on_alarm };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
	static timer_t timer;
	static bool have;

	snprintf(alarm_text, sizeof(alarm_text), "%s", text);
	alarm_code = code;
	if (!have)
		have = !timer_create(CLOCK_MONOTONIC, &event, &timer);
	sigaction(SIGALRM, &sa, NULL);
	if (have)
		timer_settime(timer, 0, &its, NULL);
}

/* All ranks return from MPI_Init together, but a launcher may start one long after another. */
static uint64_t init_ns(const struct comm *c)
{
	return 2 * (c->timeout_ns > COMM_START_NS ? c->timeout_ns : COMM_START_NS);
}

/* Sets the alarm for a function of MPI. */
static void guard(const struct comm *c, uint64_t ns, int code, const char *function)
{
	char text[sizeof(alarm_text)];

	snprintf(text, sizeof(text),
		 "fiord-mpi: %s: %s has not returned within %.3g s: some rank has not started or is lost; "
		 "check the hosts, or set " RANK_TIMEOUT_VARIABLE " to more seconds\n",
		 c->host, function, (double)ns / 1e9);
	set_alarm(ns, code, text);
}

_Noreturn void comm_abort(struct comm *c, int code)
{
	set_alarm(END_NS, code, "");
	MPI_Abort(c->world, code);
	_exit(code);
}

/* ---- names and versions ---- */

static uint32_t layout(void)
{
	return (uint32_t)(sizeof(size_t) * 1000003 + sizeof(struct wcount) * 1009 + sizeof(struct wstat_dir) +
			  BYTE_ORDER * 31);
}

static void name_ranks(struct comm *c, const struct hello *all)
{
	unsigned same = 0;

	for (int i = 0; i < c->ranks; i++) {
		snprintf(c->hosts[i], sizeof(c->hosts[i]), "%.*s", HOST_BYTES - 1, all[i].host);
		same += !strcmp(c->hosts[i], c->host);
		if (all[i].timeout_s * 1000000000ull > c->timeout_ns)
			c->timeout_ns = all[i].timeout_s * 1000000000ull;
	}
	if (same > 1)
		snprintf(c->name, sizeof(c->name), "%s.%d", c->host, c->rank);
	else
		snprintf(c->name, sizeof(c->name), "%s", c->host);
}

/* All ranks find the same differences, and rank 0 prints them. */
static int compare_versions(const struct comm *c, const struct hello *all, struct diag *d)
{
	int others = 0;

	for (int i = 1; i < c->ranks; i++) {
		if (!strcmp(all[i].version, all[0].version) && all[i].layout == all[0].layout)
			continue;
		others++;
		if (c->rank)
			continue;
		fprintf(stderr, "fiord-mpi: %s (rank %d) runs %.63s%s, and %s (rank 0) runs %.63s\n",
			c->hosts[i], i, all[i].version,
			strcmp(all[i].version, all[0].version) ? "" : " of another kind of machine",
			c->hosts[0], all[0].version);
	}
	return others ? diag_kind(d, DIAG_RUN, -EPROTO, "install the same fiord-mpi on all hosts") : 0;
}

static int greet(struct comm *c, struct diag *d)
{
	struct hello own = hello;
	struct hello *all = calloc((size_t)c->ranks, sizeof(*all));
	MPI_Request req;
	int err;

	c->hosts = calloc((size_t)c->ranks, sizeof(*c->hosts));
	c->last_step = calloc((size_t)c->ranks, sizeof(*c->last_step));
	if (!all || !c->hosts || !c->last_step)
		comm_abort(c, EXIT_JOB); /* the others would wait */
	own.layout = layout();
	own.timeout_s = (uint32_t)(c->timeout_ns / 1000000000u);
	memcpy(own.host, c->host, sizeof(own.host));
	comm_begin_step(c, "its start", comm_now());
	MPI_Iallgather(&own, sizeof(own), MPI_CHAR, all, sizeof(*all), MPI_CHAR, c->world, &req);
	comm_wait_or_abort(c, &req);
	name_ranks(c, all);
	err = compare_versions(c, all, d);
	free(all);
	return err;
}

/* ---- begin and end ---- */

static uint64_t timeout_ns(void)
{
	const char *text = getenv(RANK_TIMEOUT_VARIABLE);
	unsigned long s = text ? strtoul(text, NULL, 10) : TIMEOUT_S;

	return (s < 1 || s > TIMEOUT_MAX_S ? TIMEOUT_S : s) * 1000000000ull;
}

bool comm_several_hosts(const struct comm *c)
{
	for (int i = 1; i < c->ranks && c->hosts; i++)
		if (strcmp(c->hosts[i], c->hosts[0]) != 0)
			return true;
	return false;
}

void comm_split(struct comm *c, int color)
{
	MPI_Comm all = c->program, program;

	guard(c, init_ns(c), EXIT_JOB, "MPI_Comm_split");
	MPI_Comm_split(all ? all : c->world, color, c->rank, &program);
	set_alarm(0, 0, "");
	if (all)
		MPI_Comm_free(&all);
	c->program = program;
	MPI_Comm_rank(program, &c->program_rank);
}

static void split_programs(struct comm *c)
{
	int *program, found;

	MPI_Comm_get_attr(c->world, MPI_APPNUM, &program, &found);
	if (found)
		c->program_number = *program;
	comm_split(c, c->program_number);
}

int comm_init(struct comm *c, int *argc, char ***argv, struct diag *d)
{
	int thread, err;

	memset(c, 0, sizeof(*c));
	c->timeout_ns = timeout_ns();
	gethostname(c->host, sizeof(c->host) - 1);
	/* A wait within MPI leaves the core to the workers. The user's own setting counts. */
	setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
	guard(c, init_ns(c), EXIT_JOB, "MPI_Init");
	if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &thread))
		return diag_kind(d, DIAG_RUN, -EIO,
				 "MPI_Init has failed; use the mpirun of the MPI library for which this "
				 "fiord-mpi was built");
	c->world = MPI_COMM_WORLD;
	MPI_Comm_set_errhandler(c->world, MPI_ERRORS_RETURN);
	MPI_Comm_rank(c->world, &c->rank);
	MPI_Comm_size(c->world, &c->ranks);
	set_alarm(0, 0, "");
	err = greet(c, d);
	if (!err)
		split_programs(c);
	return err;
}

/* Rank 0 ends all ranks with its code. The others wait, because a launcher kills all ranks as soon as one has
   ended, even while rank 0 or others still write. */
_Noreturn static void end_lost(struct comm *c, int code)
{
	const struct timespec ts = { 0, 10000000 };
	uint64_t until = comm_now() + (c->rank_0_lost ? c->timeout_ns / 12 : c->timeout_ns / 2);

	if (code == EXIT_OK)
		code = EXIT_JOB;
	if (!c->rank && mpirun_keepalive_advice(c))
		fprintf(stderr, "fiord-mpi: %s\n", mpirun_keepalive_advice(c));
	fflush(NULL);
	while (c->rank && comm_now() < until && !c->signal_deadline_ns)
		nanosleep(&ts, NULL);
	comm_abort(c, code);
}

/* Waits for all ranks without using a core, and receives messages that are still under way. Rank 0 may
   take any time to write the results. */
static void meet(struct comm *c)
{
	MPI_Request req;

	c->step.limit_ns = c->result_merged ? UINT64_MAX : comm_now() + c->timeout_ns;
	c->ended_ns = c->signal_deadline_ns = 0;
	MPI_Ibarrier(c->world, &req);
	c->rank_lost |= comm_wait(c, &req) != 0;
	comm_poll(c);
}

/* MPI_Finalize of MPICH (4.0.2 with UCX 1.13) closes its connections while other ranks have stopped reading
   theirs. On four hosts with TCP that hangs in half of all runs, even in an empty MPI program. */
static bool finalize_hangs(const struct comm *c)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int bytes = 0;

	MPI_Get_library_version(version, &bytes);
	return strstr(version, "ch4:ucx") && comm_several_hosts(c);
}

/* Waits until all ranks have called it or are late, and returns their largest exit code. No rank needs
   messages of another one any more. */
static int end_together(struct comm *c, int code)
{
	MPI_Request req;
	int worst = code;

	comm_begin_step(c, "its end", comm_now());
	if (MPI_Iallreduce(&code, &worst, 1, MPI_INT, MPI_MAX, c->world, &req) || comm_wait(c, &req))
		return code;
	return worst;
}

void comm_fini(struct comm *c, int code)
{
	ending_signals_release(); /* a later signal may end this process even if MPI does not return */
	if (!c->rank_lost)
		meet(c);
	if (c->rank_lost)
		end_lost(c, code);
	guard(c, c->timeout_ns, code ? code : EXIT_JOB, "MPI_Finalize");
	if (c->program)
		MPI_Comm_free(&c->program);
	if (!finalize_hangs(c))
		MPI_Finalize();
	else if ((code = end_together(c, code)))
		end_lost(c, code);
	set_alarm(0, 0, "");
	notes_fini(&c->end_reasons);
	free(c->last_step);
	free(c->hosts);
}
