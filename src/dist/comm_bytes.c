/* comm_bytes.c: values, errors and texts that the ranks exchange. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm.h"
#include "strbuf.h"

#define REPORT_BYTES      1024
#define CHUNK_MAX         (64u << 20) /* MPI counts bytes in an int */
#define SIGNAL_RECEIVE_NS 100000000u  /* for the bytes of a rank after a signal */

/* The first rank of the group sends its text; the others append it to theirs. */
static int broadcast(struct comm *c, MPI_Comm group, bool sends, struct strbuf *text)
{
	unsigned long long bytes = text->len;
	MPI_Request req;
	char *copy;

	MPI_Ibcast(&bytes, 1, MPI_UNSIGNED_LONG_LONG, 0, group, &req);
	comm_wait_or_abort(c, &req);
	copy = calloc(1, bytes + 1);
	if (!copy || bytes > INT_MAX)
		comm_abort(c, 1); /* the others would wait */
	if (sends && bytes)
		memcpy(copy, text->text, bytes);
	MPI_Ibcast(copy, (int)bytes, MPI_CHAR, 0, group, &req);
	comm_wait_or_abort(c, &req);
	if (!sends)
		strbuf_add(text, copy, bytes);
	free(copy);
	return text->failed ? -ENOMEM : 0;
}

int comm_broadcast(struct comm *c, struct strbuf *text)
{
	return broadcast(c, c->world, c->rank == 0, text);
}

int comm_broadcast_program(struct comm *c, struct strbuf *text)
{
	return broadcast(c, c->program, c->program_rank == 0, text);
}

uint64_t comm_max(struct comm *c, uint64_t value)
{
	comm_max_each(c, &value, 1);
	return value;
}

void comm_max_each(struct comm *c, uint64_t *value, size_t n)
{
	MPI_Request req;

	MPI_Iallreduce(MPI_IN_PLACE, value, (int)n, MPI_UINT64_T, MPI_MAX, c->world, &req);
	comm_wait_or_abort(c, &req);
}

/* ---- agreement ---- */

static bool all_equal(const struct comm *c, char (*line)[REPORT_BYTES])
{
	for (int i = 1; i < c->ranks; i++)
		if (strcmp(line[i], line[0]) != 0)
			return false;
	return true;
}

/* Prints one line for each rank with an error, or one line for all ranks. */
static void print_refusals(const struct comm *c, char (*line)[REPORT_BYTES])
{
	if (all_equal(c, line)) {
		fprintf(stderr, "fiord-mpi: %s\n", line[0]);
		return;
	}
	for (int i = 0; i < c->ranks; i++)
		if (line[i][0])
			fprintf(stderr, "fiord-mpi: %s (rank %d): %s\n", c->hosts[i], i, line[i]);
}

int comm_agree(struct comm *c, int code, const struct diag *d)
{
	char own[REPORT_BYTES] = "", (*line)[REPORT_BYTES] = NULL;
	int worst;
	MPI_Request req;

	comm_begin_step(c, "the check of its targets", comm_now());
	worst = (int)comm_max(c, (uint64_t)code);
	if (!worst)
		return 0;
	if (code)
		snprintf(own, sizeof(own), "%s", diag_text(d));
	if (!c->rank && !(line = calloc((size_t)c->ranks, sizeof(*line))))
		comm_abort(c, 1);
	MPI_Igather(own, REPORT_BYTES, MPI_CHAR, line, REPORT_BYTES, MPI_CHAR, 0, c->world, &req);
	comm_wait_or_abort(c, &req);
	if (line)
		print_refusals(c, line);
	free(line);
	return worst;
}

/* ---- bytes to rank 0 ---- */

int comm_send(struct comm *c, const struct strbuf *text)
{
	static unsigned long long bytes;
	MPI_Request req;
	int err;

	bytes = text->len;
	MPI_Isend(&bytes, 1, MPI_UNSIGNED_LONG_LONG, 0, TAG_BYTES, c->world, &req);
	err = comm_wait(c, &req);
	for (size_t at = 0; !err && at < text->len; at += CHUNK_MAX) {
		size_t n = text->len - at < CHUNK_MAX ? text->len - at : CHUNK_MAX;

		MPI_Isend(text->text + at, (int)n, MPI_CHAR, 0, TAG_TEXT, c->world, &req);
		err = comm_wait(c, &req);
	}
	return err;
}

bool comm_await_bytes(struct comm *c, int rank)
{
	uint64_t since_ns = comm_now();
	int some = 0;

	for (;;) {
		if (!MPI_Iprobe(rank, TAG_BYTES, c->world, &some, MPI_STATUS_IGNORE) && some)
			return true;
		comm_poll(c);
		if (comm_wait_expired(c) && comm_ended(c)) {
			c->rank_lost = true;
			return false;
		}
		if (comm_wait_expired(c))
			comm_give_up(c); /* the ranks may still send the results that they have */
		comm_sleep(since_ns);
	}
}

/* After an error MPI may still write into this memory, so it is not freed. */
static int receive(struct comm *c, int rank, char **text, size_t *bytes)
{
	unsigned long long *total = calloc(1, sizeof(*total));
	MPI_Request req;
	int err;

	if (!total)
		return -ENOMEM;
	MPI_Irecv(total, 1, MPI_UNSIGNED_LONG_LONG, rank, TAG_BYTES, c->world, &req);
	err = comm_wait(c, &req);
	if (err)
		return err;
	*bytes = *total;
	free(total);
	*text = malloc(*bytes + 1);
	for (size_t at = 0; *text && !err && at < *bytes; at += CHUNK_MAX) {
		size_t n = *bytes - at < CHUNK_MAX ? *bytes - at : CHUNK_MAX;

		MPI_Irecv(*text + at, (int)n, MPI_CHAR, rank, TAG_TEXT, c->world, &req);
		err = comm_wait(c, &req);
	}
	if (err)
		*text = NULL;
	return *text || err ? err : -ENOMEM;
}

int comm_receive(struct comm *c, int rank, char **text, size_t *bytes)
{
	int err;

	c->receive_deadline_ns =
		comm_now() + (c->signal_deadline_ns ? SIGNAL_RECEIVE_NS : c->timeout_ns / 15);
	err = receive(c, rank, text, bytes);
	c->receive_deadline_ns = 0;
	if (!err)
		c->last_step[rank] = STEP_RESULT_RECEIVED;
	return err;
}

void comm_send_or_abort(struct comm *c, const struct strbuf *text)
{
	comm_abort_after(c, comm_send(c, text));
}

char *comm_receive_or_abort(struct comm *c, int rank, size_t *bytes)
{
	char *text = NULL;

	comm_abort_after(c, receive(c, rank, &text, bytes));
	return text;
}

void comm_acknowledge(struct comm *c, bool merged)
{
	static int32_t value;
	MPI_Request req;

	value = merged;
	c->send_alive_ns = 0;
	for (int i = 1; i < c->ranks; i++)
		if (c->last_step[i] == STEP_RESULT_RECEIVED &&
		    !MPI_Isend(&value, 1, MPI_INT32_T, i, TAG_MERGED, c->world, &req))
			MPI_Request_free(&req);
}

bool comm_await_acknowledgement(struct comm *c)
{
	static int32_t value;
	MPI_Request req;

	MPI_Irecv(&value, 1, MPI_INT32_T, 0, TAG_MERGED, c->world, &req);
	if (comm_wait(c, &req)) {
		c->rank_lost = true;
		return false;
	}
	c->rank_0_alive_ns = 0;
	c->result_merged = value;
	return c->result_merged;
}
