#include "rank.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "clock.h"
#include "merge.h"
#include "result_pack.h"
#include "strbuf.h"
#include "version.h"

#define REPLY_NS 10000000000u
/* At the end the others reply at once, because they wait for rank 0. */
#define END_NS       2000000000u
#define END_EARLY_NS 100000000u

int rank_status_init(struct rank_status *s, const struct heartbeat *h, struct session *session, bool bins)
{
	struct comm *c = h->comm;

	*s = (struct rank_status){
		.comm = c, .heartbeat = h, .session = session, .bins = bins, .text_request = MPI_REQUEST_NULL
	};
	session->display.status.other_rank = c->rank != 0;
	s->replied = calloc((size_t)c->ranks, sizeof(*s->replied));
	return s->replied ? 0 : -ENOMEM;
}

/* Fills *res with the results of this rank so far, named and timed as in the result of all ranks. */
static int collect_own(struct rank_status *s, struct run *r, struct result *res)
{
	const struct status *status = &s->session->display.status;
	int err = status_collect(status, r, s->session->machine.disks, res);

	if (err)
		return err;
	rank_host_add(s->comm, r, 0, res);
	gather_prepare(s->comm, res);
	return res->failed ? -ENOMEM : 0;
}

/* Returns whether no message is under way. */
static bool text_done(struct rank_status *s)
{
	int done = 0;

	if (s->text_request == MPI_REQUEST_NULL)
		return true;
	if (MPI_Test(&s->text_request, &done, MPI_STATUS_IGNORE)) {
		s->text_request = MPI_REQUEST_NULL; /* comm finds out which rank is lost */
		return true;
	}
	return done;
}

void rank_status_fini(struct rank_status *s)
{
	result_merge_free(s->merge);
	free(s->replied);
	/* MPI may still read or write the text of a message that is under way. */
	if (text_done(s)) {
		free(s->text);
	} else {
		MPI_Cancel(&s->text_request);
		MPI_Request_free(&s->text_request);
	}
	s->comm = NULL;
}

/* ---- the others ---- */

/* The reply is the number of the request and a pack; without a pack this rank is out of memory. */
static void send_reply(struct rank_status *s, struct run *r)
{
	struct strbuf text = { 0 };
	struct result res = { 0 };

	free(s->text);
	s->text = NULL;
	strbuf_add(&text, (const char *)&s->request_number, sizeof(s->request_number));
	if (!r->start_ns || collect_own(s, r, &res) || result_pack(&res, &text) || text.len > INT_MAX)
		text.len = text.failed ? 0 : sizeof(s->request_number);
	result_free(&res);
	s->text = text.text;
	if (MPI_Isend(s->text, (int)text.len, MPI_BYTE, 0, TAG_STATUS_REPLY, s->comm->world,
		      &s->text_request))
		s->text_request = MPI_REQUEST_NULL;
}

static bool tick_other(struct rank_status *s, struct run *r)
{
	uint32_t number = 0;
	int some = 0;

	if (!text_done(s))
		return true;
	while (!MPI_Iprobe(0, TAG_STATUS_REQUEST, s->comm->world, &some, MPI_STATUS_IGNORE) && some &&
	       !MPI_Recv(&number, 1, MPI_UINT32_T, 0, TAG_STATUS_REQUEST, s->comm->world, MPI_STATUS_IGNORE))
		s->request_number = number;
	if (!number)
		return false;
	send_reply(s, r);
	return true;
}

/* ---- rank 0 ---- */

/* A request is so small that MPI has copied it when this returns. */
static void send_requests(struct rank_status *s)
{
	s->request_number++;
	for (int i = 1; i < s->comm->ranks; i++) {
		MPI_Request req;

		if (!MPI_Isend(&s->request_number, 1, MPI_UINT32_T, i, TAG_STATUS_REQUEST, s->comm->world,
			       &req))
			MPI_Request_free(&req);
		s->replied[i] = false;
	}
	s->next_rank = 1;
}

static void set_eta(const struct rank_status *s, struct result *sum)
{
	double left = heartbeat_remaining_s(s->heartbeat);

	for (size_t i = 0; i < sum->njobs; i++) {
		sum->jobs[i]->eta_known = left >= 0;
		sum->jobs[i]->eta_s = left >= 0 ? (uint64_t)(left + 0.5) : 0;
	}
}

static void write_status(struct rank_status *s)
{
	struct session_display *display = &s->session->display;
	struct result sum = { 0 };
	struct diag d = { 0 };

	if (result_merge_finish(s->merge, &sum, &d)) {
		display->status.skipped++;
	} else {
		for (int i = 1; i < s->comm->ranks; i++)
			if (!s->replied[i])
				result_note(&sum,
					    "%s (rank %d) has not answered, so the status leaves it out",
					    s->comm->hosts[i], i);
		set_eta(s, &sum);
		sum.as_fio = display->status.opts->as_fio;
		status_put(&display->status, &sum, s->cause, &display->out);
	}
	diag_fini(&d);
	result_free(&sum);
	result_merge_free(s->merge);
	s->merge = NULL;
}

static void drop(struct rank_status *s)
{
	result_merge_free(s->merge);
	s->merge = NULL;
}

static void skip(struct rank_status *s)
{
	s->session->display.status.skipped++;
	drop(s);
}

void rank_status_begin(struct rank_status *s, struct run *r, const char *by)
{
	struct result own = { 0 };
	struct diag d = { 0 };

	if (s->merge) {
		s->session->display.status.missed += s->next_cause != NULL;
		s->next_cause = by;
		return;
	}
	s->cause = by;
	s->merge = result_merge_new("fiord", FIORD_VERSION, FIORD_FIO_VERSION, s->bins);
	if (!s->merge || collect_own(s, r, &own) || result_merge_add(s->merge, &own, s->comm->host, &d)) {
		skip(s);
	} else {
		s->request_ns = clock_ns();
		send_requests(s);
	}
	result_free(&own);
	diag_fini(&d);
}

/* Takes the reply of the next rank. A damaged reply, or one to an earlier request, is ignored. */
static void take_reply(struct rank_status *s)
{
	struct result res = { 0 };
	struct diag d = { 0 };
	uint32_t number = 0;

	if (s->bytes >= (int)sizeof(number))
		memcpy(&number, s->text, sizeof(number));
	if (s->merge && number == s->request_number) {
		size_t bytes = (size_t)s->bytes - sizeof(number);
		int rank = s->next_rank++;

		if (bytes && !result_unpack(&res, FIORD_VERSION, s->text + sizeof(number), bytes, &d)) {
			s->replied[rank] = true;
			if (result_merge_add(s->merge, &res, s->comm->hosts[rank], &d))
				skip(s);
		}
	}
	result_free(&res);
	diag_fini(&d);
	free(s->text);
	s->text = NULL;
}

/* Begins to receive the reply of the next rank, so that entries are in the order of the ranks. When the time
   is over, ranks without a reply are left out. */
static bool begin_receive(struct rank_status *s)
{
	MPI_Status status;
	int some = 0;

	while (s->merge && s->next_rank < s->comm->ranks) {
		if (MPI_Iprobe(s->next_rank, TAG_STATUS_REPLY, s->comm->world, &some, &status))
			return false;
		if (some)
			break;
		if (clock_ns() - s->request_ns < REPLY_NS)
			return false;
		s->next_rank++;
	}
	if (!some || MPI_Get_count(&status, MPI_BYTE, &s->bytes) || s->bytes < 0)
		return false;
	s->text = malloc((size_t)s->bytes + 1);
	if (!s->text)
		return false;
	if (MPI_Irecv(s->text, s->bytes, MPI_BYTE, s->next_rank, TAG_STATUS_REPLY, s->comm->world,
		      &s->text_request)) {
		s->text_request = MPI_REQUEST_NULL;
		free(s->text);
		s->text = NULL;
		return false;
	}
	return true;
}

static bool receive_replies(struct rank_status *s)
{
	while (text_done(s)) {
		if (s->text)
			take_reply(s);
		if (!begin_receive(s))
			break;
	}
	if (s->merge && s->next_rank >= s->comm->ranks)
		write_status(s);
	return s->merge != NULL;
}

static bool tick_rank_0(struct rank_status *s, struct run *r)
{
	const char *by = s->next_cause;

	if (receive_replies(s))
		return true;
	s->next_cause = NULL;
	if (by)
		rank_status_begin(s, r, by);
	return by != NULL;
}

bool rank_status_tick(struct rank_status *s, struct run *r)
{
	if (!s->comm)
		return false;
	return s->comm->rank ? tick_other(s, r) : tick_rank_0(s, r);
}

void rank_status_end(struct rank_status *s)
{
	const struct timespec ts = { 0, 2000000 };
	uint64_t limit =
		clock_ns() + (comm_ended(s->comm) || s->comm->signal_deadline_ns ? END_EARLY_NS : END_NS);

	while (receive_replies(s) && clock_ns() < limit)
		nanosleep(&ts, NULL);
	drop(s);
}
