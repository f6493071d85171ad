#include "rank.h"

#include <errno.h>
#include "clock.h"

#define STATUS_POLL_NS 5000000u /* between two polls while ranks send their parts of a status */

/* Rank 0 shows the others until the last of them has ended. */
static void update_display(struct rank_monitor *m)
{
	struct session_display *display = &m->session->display;
	struct run *r = &m->session->run;
	const char *by = status_due(&display->status, r, clock_ns());

	if (by)
		rank_status_begin(&m->status, r, by);
	outputs_flush(&display->out);
	progress_display_show(&display->progress, r);
}

static void on_idle(void *ctx)
{
	struct rank_monitor *m = ctx;
	struct run *r = &m->session->run;

	heartbeat_tick(&m->heartbeat);
	if (!m->comm->rank && r->end_ns)
		update_display(m);
	if (rank_status_tick(&m->status, r))
		m->comm->idle.next_ns = comm_now() + STATUS_POLL_NS;
}

static void add_others(struct rank_monitor *m)
{
	if (m->comm->ranks > 1)
		m->session->display.progress.others =
			(struct progress_others){ heartbeat_add_progress, &m->heartbeat };
}

int rank_monitor_open(struct rank_monitor *m, struct comm *c, struct session *s, bool bins, struct diag *d)
{
	int err;

	*m = (struct rank_monitor){ .comm = c, .session = s };
	err = heartbeat_init(&m->heartbeat, c, &s->run, &s->planning->plan);
	if (!err)
		err = rank_status_init(&m->status, &m->heartbeat, s, bins);
	if (comm_max(c, err != 0))
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for the progress of the ranks");
	add_others(m);
	c->idle = (struct comm_idle){ .call = on_idle, .ctx = m };
	return 0;
}

void rank_monitor_status(struct rank_monitor *m, struct run *r, const char *by)
{
	rank_status_begin(&m->status, r, by);
}

void rank_monitor_show_others(struct rank_monitor *m)
{
	const struct planning *p = m->session->planning;

	if (m->comm->rank)
		return;
	progress_display_fini(&m->session->display.progress);
	progress_display_init(&m->session->display.progress, &p->set->run, &p->plan);
	add_others(m);
}

void rank_monitor_result(struct rank_monitor *m, struct result *sum)
{
	m->comm->idle.call = NULL;
	progress_display_end(&m->session->display.progress);
	rank_status_end(&m->status);
	session_add_statuses(m->session, sum);
	heartbeat_notes(&m->heartbeat, sum);
}

void rank_monitor_close(struct rank_monitor *m)
{
	if (!m->comm)
		return;
	m->comm->idle.call = NULL;
	progress_display_end(&m->session->display.progress);
	rank_status_fini(&m->status);
	heartbeat_fini(&m->heartbeat);
}
