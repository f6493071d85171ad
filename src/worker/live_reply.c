/* live_reply.c: the worker copies its numbers when the parent asks (live_copies.h). */
#include "clock.h"
#include "phase.h"
#include "live_request.h"
#include "worker.h"

/* Folds and copies the numbers. */
static void copy_numbers(struct worker *w, struct copy_buffer *to)
{
	struct slot *s = w->clone.slot;
	uint32_t copies = atomic_load_explicit(&to->copies, memory_order_acquire);

	slot_write_begin(s); /* a later copy of the slot then includes these numbers */
	wstat_fold(slot_stat(s), &w->clone.job->layout);
	if (s->run_start_ns && !w->clock.in_cooldown)
		worker_usage(w, &s->cnt);
	slot_write_end(s);
	to->stamp_ns = clock_ns();
	if (!w->clock.in_ramp && to->stamp_ns > w->clock.measure_end_ns)
		to->stamp_ns = w->clock.measure_end_ns;
	to->run_start_ns = s->run_start_ns;
	to->run_end_ns = w->clock.in_cooldown ? s->run_end_ns : 0;
	to->cnt = s->cnt;
	wstat_pack(to + 1, slot_stat(s), &w->clone.job->layout);
	tracks_extremes(w->stats.tracks, wstat_pack_dirs(to + 1));
	atomic_store_explicit(&to->copies, copies + 1, memory_order_release);
}

void live_reply(struct worker *w)
{
	struct slot *s = w->clone.slot;
	uint32_t request;

	if (!(atomic_fetch_and_explicit(&s->stop, ~STOP_FOR_COPY, memory_order_acquire) & STOP_FOR_COPY))
		return;
	request = atomic_load_explicit(&s->copy_request, memory_order_acquire);
	if (live_request_state(request) != LIVE_REQUEST_SENT ||
	    !atomic_compare_exchange_strong(
		    &s->copy_request, &request,
		    live_request_word(live_request_buffer(request), LIVE_REQUEST_ACCEPTED)))
		return; /* the parent has withdrawn the request */
	copy_numbers(w, region_copy_buffer(w->clone.region, live_request_buffer(request)));
	atomic_store_explicit(&s->copy_request,
			      live_request_word(live_request_buffer(request), LIVE_REQUEST_DONE),
			      memory_order_release);
}
