/* recorder.c: write_iolog: records each I/O when it is submitted. */
#include "clock.h"
#include "clone.h"
#include "account.h"
#include "worker.h"

void recorder_init(struct worker *w)
{
	struct clone *c = &w->clone;

	if (!c->job->logs || !c->job->logs->iolog_entries)
		return;
	w->recorder = (struct recorder){ .worker = w,
					 .ring = slot_iolog(c->slot, c->job),
					 .entries = c->job->logs->iolog_entries };
	c->recorder = &w->recorder;
}

static void add(struct recorder *r, const struct log_rec *rec)
{
	r->ring->rec[r->head++ & (r->entries - 1)] = *rec;
}

/* Makes room for n records. */
static void begin(struct clone *c, unsigned n)
{
	struct recorder *r = c->recorder;
	uint64_t used = log_ring_used(r->ring);

	if (used > r->entries / 2)
		log_ring_wake_reader(c->region, r->ring, r->head - used);
	if (used + n > r->entries)
		log_ring_wait(r->worker, r->ring, r->entries / 2);
}

static void end(struct recorder *r)
{
	atomic_store_explicit(&r->ring->head, r->head, memory_order_release);
}

void recorder_ios(struct clone *c, struct io *const *ios, unsigned n, uint64_t start_ns)
{
	begin(c, n);
	for (unsigned i = 0; i < n; i++)
		if (!ios[i]->start_ns) /* else it has its line from an earlier submit */
			add(c->recorder, &(struct log_rec){ .start_ns = start_ns,
							    .file = ios[i]->target,
							    .offset = ios[i]->offset,
							    .bytes = ios[i]->len,
							    .dir = ios[i]->op });
	end(c->recorder);
}

void recorder_file(struct clone *c, uint32_t file, enum iolog_action action)
{
	begin(c, 1);
	add(c->recorder, &(struct log_rec){ .start_ns = clock_ns(), .file = file, .dir = (uint8_t)action });
	end(c->recorder);
}
