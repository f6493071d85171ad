/* live_reply.c: the worker copies its numbers when the parent asks (live_copies.h). */
#include "clock.h"
#include "live_reply.h"
#include "live_request.h"
#include "pack.h"
#include "worker.h"
#include "worker_usage.h"

static void copy(struct worker *w, struct spare *to)
{
	struct slot *s = w->clone.slot;
	uint32_t copies = atomic_load_explicit(&to->copies, memory_order_acquire);

	slot_begin(s); /* a later copy of the slot then includes these numbers */
	wstat_fold(slot_stat(s), &w->clone.job->layout);
	if (s->run_start_ns && !w->clock.in_cooldown)
		worker_usage(w, &s->cnt);
	slot_end(s);
	to->stamp_ns = clock_ns();
	if (!w->clock.in_ramp && to->stamp_ns > w->clock.measure_end_ns)
		to->stamp_ns = w->clock.measure_end_ns;
	to->run_start_ns = s->run_start_ns;
	to->run_end_ns = w->clock.in_cooldown ? s->run_end_ns : 0;
	to->cnt = s->cnt;
	wstat_pack(to + 1, slot_stat(s), &w->clone.job->layout);
	tracks_extremes(w->stats.tracks, wstat_packed_dirs(to + 1));
	atomic_store_explicit(&to->copies, copies + 1, memory_order_release);
}

void live_reply(struct worker *w)
{
	struct slot *s = w->clone.slot;
	uint32_t asked;

	if (!(atomic_fetch_and_explicit(&s->stop, ~STOP_ASK, memory_order_acquire) & STOP_ASK))
		return;
	asked = atomic_load_explicit(&s->ask, memory_order_acquire);
	if (ask_state(asked) != ASK_ASKED ||
	    !atomic_compare_exchange_strong(&s->ask, &asked, ask_word(ask_spare(asked), ASK_TAKEN)))
		return; /* the parent has withdrawn the request */
	copy(w, region_spare(w->clone.region, ask_spare(asked)));
	atomic_store_explicit(&s->ask, ask_word(ask_spare(asked), ASK_DONE), memory_order_release);
}
