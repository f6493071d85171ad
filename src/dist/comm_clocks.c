/* comm_clocks.c: how far the clocks of the ranks are apart. */
#include <limits.h>
#include <time.h>
#include "clock.h"
#include "comm.h"

#define ROUNDS  20         /* of ping-pong */
#define RANK_NS 200000000u /* that they may take on a busy machine */
#define SPINS   10000      /* between two looks at the time limit */

/* Waits without a sleep, which would make the round trip longer. */
static void spin(struct comm *c, MPI_Request *request)
{
	for (unsigned i = 0; i < SPINS; i++) {
		int done = 0;

		if (MPI_Test(request, &done, MPI_STATUS_IGNORE) || done)
			return;
	}
	comm_wait_or_abort(c, request);
}

static void send(struct comm *c, const long long *value, int to, enum comm_tag tag)
{
	MPI_Request req;

	MPI_Isend(value, 1, MPI_LONG_LONG, to, (int)tag, c->world, &req);
	spin(c, &req);
}

/* For rank 0: the shortest round trip has the smallest error. */
static void measure_rank(struct comm *c, int rank, long long answer[2])
{
	MPI_Request req;

	answer[1] = LLONG_MAX;
	for (unsigned i = 0; i < ROUNDS; i++) {
		long long begin, there = 0, end;

		begin = (long long)clock_ns();
		MPI_Irecv(&there, 1, MPI_LONG_LONG, rank, TAG_PONG, c->world, &req);
		send(c, &begin, rank, TAG_PING);
		spin(c, &req);
		end = (long long)clock_ns();
		if (end - begin >= answer[1])
			continue;
		answer[0] = begin + (end - begin) / 2 - there;
		answer[1] = end - begin;
	}
}

static void reply(struct comm *c)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		long long begin, here;
		MPI_Request req;

		MPI_Irecv(&begin, 1, MPI_LONG_LONG, 0, TAG_PING, c->world, &req);
		if (i)
			spin(c, &req);
		else
			comm_wait_or_abort(c, &req); /* rank 0 measures one rank after the other */
		here = (long long)clock_ns();
		send(c, &here, 0, TAG_PONG);
	}
}

/* Returns CLOCK_REALTIME at clock_ns() 0. */
static long long realtime_base(void)
{
	struct timespec ts;
	long long before = (long long)clock_ns();

	clock_gettime(CLOCK_REALTIME, &ts);
	return (long long)ts.tv_sec * 1000000000 + ts.tv_nsec - before;
}

static uint64_t measure_all(struct comm *c)
{
	long long answer[2] = { 0, 0 };
	uint64_t rtt_ns = 0;
	MPI_Request req;

	for (int i = 1; i < c->ranks; i++) {
		measure_rank(c, i, answer);
		MPI_Isend(answer, 2, MPI_LONG_LONG, i, TAG_CLOCK, c->world, &req);
		comm_wait_or_abort(c, &req);
		rtt_ns = (uint64_t)answer[1] > rtt_ns ? (uint64_t)answer[1] : rtt_ns;
	}
	return rtt_ns;
}

void comm_measure_clocks(struct comm *c)
{
	long long answer[2] = { 0, 0 }, own_base = realtime_base(), base;
	uint64_t rtt_ns = 0;
	MPI_Request req;

	comm_begin_step(c, "the measurement of its clock", comm_now() + (uint64_t)c->ranks * RANK_NS);
	if (!c->rank) {
		rtt_ns = measure_all(c);
	} else {
		reply(c);
		MPI_Irecv(answer, 2, MPI_LONG_LONG, 0, TAG_CLOCK, c->world, &req);
		comm_wait_or_abort(c, &req);
		c->offset_ns = answer[0];
	}
	c->rtt_ns = comm_max(c, rtt_ns);
	base = own_base;
	MPI_Ibcast(&base, 1, MPI_LONG_LONG, 0, c->world, &req);
	comm_wait_or_abort(c, &req);
	c->realtime_offset_ns = c->offset_ns + base - own_base;
}
