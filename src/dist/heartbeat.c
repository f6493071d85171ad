#include "rank.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "clock.h"
#include "progress_meter.h"
#include "result.h"
#include "strbuf.h"

#define EVERY_NS  1000000000u
#define SILENT_NS 10000000000u
/* If rank 0 did not look for this long, the others were not silent: their records waited in its machine. */
#define GAP_NS 2000000000u

static void post_receive(struct heartbeat *h)
{
	if (MPI_Irecv(&h->received, sizeof(h->received), MPI_BYTE, MPI_ANY_SOURCE, TAG_HEARTBEAT,
		      h->comm->world, &h->receive))
		h->receive = MPI_REQUEST_NULL;
}

int heartbeat_init(struct heartbeat *h, struct comm *c, struct run *r, const struct plan *p)
{
	uint64_t now = clock_ns();

	*h = (struct heartbeat){ .comm = c,
				 .run = r,
				 .send = MPI_REQUEST_NULL,
				 .receive = MPI_REQUEST_NULL,
				 .send_ns = now,
				 .last_tick_ns = now };
	if (!c->rank)
		h->peer = calloc((size_t)c->ranks, sizeof(*h->peer));
	if (!progress_meter_init(&h->meter, p) || (!c->rank && !h->peer))
		return -ENOMEM;
	for (int i = 0; i < c->ranks && h->peer; i++)
		h->peer[i].silent_since_ns = now;
	if (h->peer)
		post_receive(h);
	return 0;
}

/* A message that is still under way must not delay the end. */
static void drop(MPI_Request *request)
{
	int done = 0;

	if (*request == MPI_REQUEST_NULL || MPI_Test(request, &done, MPI_STATUS_IGNORE) || done)
		return;
	MPI_Cancel(request);
	MPI_Request_free(request);
}

void heartbeat_fini(struct heartbeat *h)
{
	if (!h->comm)
		return;
	drop(&h->send);
	drop(&h->receive);
	progress_meter_fini(&h->meter);
	free(h->peer);
	strbuf_fini(&h->states);
	strbuf_fini(&h->text);
	notes_fini(&h->notes);
	h->comm = NULL;
}

/* ---- the others ---- */

static void send_record(struct heartbeat *h)
{
	struct progress p;
	int done = 1;

	if (h->send != MPI_REQUEST_NULL && (MPI_Test(&h->send, &done, MPI_STATUS_IGNORE) || !done))
		return;
	progress_meter_read(&h->meter, h->run, &p);
	progress_record_set(&h->own, &p);
	if (MPI_Isend(&h->own, sizeof(h->own), MPI_BYTE, 0, TAG_HEARTBEAT, h->comm->world, &h->send))
		h->send = MPI_REQUEST_NULL;
}

/* ---- rank 0 ---- */

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

/* Prints a line at once, and adds it to the notes of the result. */
static void note_silence(struct heartbeat *h, int rank, const char *what, uint64_t ns)
{
	const char *host = h->comm->hosts[rank];

	fprintf(stderr, "fiord-mpi: %s (rank %d) %s %.0f s\n", host, rank, what, seconds(ns));
	notes_add(&h->notes, "%s (rank %d) %s %.0f s", host, rank, what, seconds(ns));
}

static void take_beat(struct heartbeat *h, int rank, uint64_t now)
{
	struct heartbeat_peer *p;

	if (rank < 0 || rank >= h->comm->ranks)
		return;
	p = &h->peer[rank];
	if (p->silent)
		note_silence(h, rank, "has sent a heartbeat again, after", now - p->silent_since_ns);
	*p = (struct heartbeat_peer){ .last_record_ns = now,
				      .silent_since_ns = now,
				      .progress = h->received };
}

static void receive_all(struct heartbeat *h, uint64_t now)
{
	MPI_Status status;
	int done;

	/* At most a few records of each rank, so that this ends. */
	for (int i = 0; i < 4 * h->comm->ranks && h->receive != MPI_REQUEST_NULL; i++) {
		if (MPI_Test(&h->receive, &done, &status)) {
			h->receive = MPI_REQUEST_NULL; /* comm finds out which rank is lost */
			return;
		}
		if (!done)
			return;
		take_beat(h, status.MPI_SOURCE, now);
		post_receive(h);
	}
}

static void find_silent(struct heartbeat *h, uint64_t now)
{
	uint64_t gap = now - h->last_tick_ns;

	for (int i = 1; i < h->comm->ranks; i++) {
		struct heartbeat_peer *p = &h->peer[i];

		if (gap > GAP_NS && p->silent_since_ns < now)
			p->silent_since_ns = p->silent_since_ns + gap < now ? p->silent_since_ns + gap : now;
		comm_check_silence(h->comm, i, now - p->silent_since_ns);
		if (p->silent || now - p->silent_since_ns < SILENT_NS)
			continue;
		p->silent = true;
		note_silence(h, i, "has sent no heartbeat for", now - p->silent_since_ns);
	}
}

void heartbeat_tick(struct heartbeat *h)
{
	uint64_t now = clock_ns();

	if (h->peer) {
		receive_all(h, now);
		find_silent(h, now);
		h->last_tick_ns = now;
	} else if (h->comm && h->run->start_ns && now >= h->send_ns) {
		h->send_ns = now + EVERY_NS;
		send_record(h);
	}
}

/* ---- the line ---- */

double heartbeat_remaining_s(const struct heartbeat *h)
{
	double left = remaining_time_s(h->run, clock_ns());

	for (int i = 1; i < h->comm->ranks && left >= 0; i++) {
		const struct heartbeat_peer *p = &h->peer[i];

		if (!p->last_record_ns || p->progress.eta_s == UINT64_MAX)
			left = -1;
		else if ((double)p->progress.eta_s > left)
			left = (double)p->progress.eta_s;
	}
	return left;
}

static void put_silent(const struct heartbeat *h, struct strbuf *b)
{
	uint64_t now = clock_ns(), longest = 0;
	unsigned silent = 0;
	int rank = 0;

	for (int i = 1; i < h->comm->ranks; i++) {
		uint64_t ns = now - h->peer[i].silent_since_ns;

		if (!h->peer[i].silent)
			continue;
		silent++;
		if (ns > longest) {
			longest = ns;
			rank = i;
		}
	}
	if (silent > 1)
		strbuf_printf(b, ", %u silent, first", silent);
	else if (silent)
		strbuf_puts(b, ", silent:");
	if (silent)
		strbuf_printf(b, " %s (rank %d) for %.0f s", h->comm->hosts[rank], rank, seconds(longest));
}

void heartbeat_add_progress(void *heartbeat, struct progress *p)
{
	struct heartbeat *h = heartbeat;
	struct progress_sum sum = { 0 };
	struct progress_record own;

	progress_record_set(&own, p);
	progress_sum_add(&sum, &own);
	for (int i = 1; i < h->comm->ranks; i++) {
		if (!h->peer[i].last_record_ns)
			sum.ranks[RANK_STARTS] += !h->peer[i].silent;
		else if (!h->peer[i].silent)
			progress_sum_add(&sum, &h->peer[i].progress);
	}
	progress_sum_put(&sum, seconds(clock_ns() - h->run->start_ns), &h->states, p);
	strbuf_clear(&h->text);
	strbuf_printf(&h->text, "%d ranks: ", h->comm->ranks);
	progress_sum_ranks(&sum, &h->text);
	put_silent(h, &h->text);
	p->ranks = strbuf_str(&h->text);
}

void heartbeat_notes(const struct heartbeat *h, struct result *res)
{
	for (size_t i = 0; i < h->notes.count; i++)
		result_note(res, "%s", h->notes.line[i]);
}
