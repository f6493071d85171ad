#include "log_parts.h"

#include <stdlib.h>
#include "clock.h"
#include "log_line.h"
#include "scale.h"

#define EVERY_NS 500000000u
/* A last sample shorter than this is added to the one before it. */
#define SHORT_NS (EVERY_NS / 10)

/* The bytes that the run transferred in a span of time. */
struct sample {
	uint64_t bytes[DIR_DATA];
	uint64_t from_ns, to_ns; /* to_ns 0: no sample yet */
};

struct bw_log {
	struct log_file file[DIR_DATA];
	uint64_t start_ns, last_ns;  /* 0: the run has not begun */
	uint64_t (*bytes)[DIR_DATA]; /* by worker: bytes at the last sample */
	uint32_t njobs;
	struct sample sample; /* the last one, not written yet */
};

struct bw_log *bw_log_new(const struct plan *p)
{
	struct bw_log *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->njobs = p->njobs;
	b->bytes = calloc(p->njobs, sizeof(*b->bytes));
	for (unsigned d = 0; d < DIR_DATA; d++)
		b->file[d] = (struct log_file){ .path = p->bandwidth_log[d], .fd = -1 };
	if (b->bytes)
		return b;
	free(b);
	return NULL;
}

void bw_log_open(struct bw_log *b)
{
	for (unsigned d = 0; b && d < DIR_DATA; d++)
		log_file_open(&b->file[d]);
}

void bw_log_close(struct bw_log *b)
{
	for (unsigned d = 0; b && d < DIR_DATA; d++)
		log_file_close(&b->file[d]);
}

/* Adds the bytes that a worker has moved since the last sample, without those of its ramp. */
static void add_worker_bytes(struct bw_log *b, const struct run *r, uint32_t i, uint64_t sum[DIR_DATA])
{
	const struct slot *s = run_slot(r, i);
	enum worker_phase phase = run_phase(r, i);

	for (unsigned d = 0; d < DIR_DATA && phase >= PHASE_RAMP; d++) {
		uint64_t now = atomic_load_explicit(&s->live_bytes[d], memory_order_relaxed);
		uint64_t before = b->bytes[i][d] <= now ? b->bytes[i][d]
							: 0; /* the worker resets its counts after the ramp */

		b->bytes[i][d] = now;
		if (phase != PHASE_RAMP)
			sum[d] += now - before;
	}
}

static bool any_measures(const struct bw_log *b, const struct run *r)
{
	for (uint32_t i = 0; i < b->njobs; i++)
		if (run_phase(r, i) > PHASE_RAMP)
			return true;
	return false;
}

static void write_sample(struct bw_log *b)
{
	const struct sample *s = &b->sample;
	uint64_t ns = s->to_ns > s->from_ns ? s->to_ns - s->from_ns : 1;
	char text[LOG_LINE_MAX];

	for (unsigned d = 0; d < DIR_DATA && s->to_ns; d++) {
		const struct log_line line = { .time_ms = (s->to_ns - b->start_ns) / 1000000,
					       .value = scale(s->bytes[d], SCALE_NS, ns) / 1024,
					       .dir = (uint8_t)d };

		if (s->bytes[d])
			log_file_add(&b->file[d], text,
				     log_line_text(text, &(struct log_line_form){ 0 }, &line));
	}
}

/* Takes a sample and writes the sample before it. A short last sample is added to the one before it. */
static void add_sample(struct bw_log *b, const struct run *r, bool last, uint64_t now)
{
	struct sample *s = &b->sample;

	if (!last || !s->to_ns || s->to_ns != b->last_ns || now - b->last_ns >= SHORT_NS) {
		write_sample(b);
		*s = (struct sample){ .from_ns = b->last_ns };
	}
	s->to_ns = now;
	for (uint32_t i = 0; i < b->njobs; i++)
		add_worker_bytes(b, r, i, s->bytes);
}

/* Samples are due at whole intervals since the first gate opened. */
static uint64_t due_ns(const struct bw_log *b)
{
	return b->start_ns + ((b->last_ns - b->start_ns) / EVERY_NS + 1) * EVERY_NS;
}

uint64_t bw_log_sample(struct bw_log *b, const struct run *r, bool last, uint64_t until)
{
	uint64_t now = clock_ns();

	if (!b->start_ns)
		b->start_ns = b->last_ns =
			atomic_load_explicit(&r->region.stages[0].start_ns, memory_order_relaxed);
	if (!b->start_ns)
		return until;
	if (!any_measures(b, r))
		b->last_ns = now;
	if (now >= due_ns(b) || last) {
		add_sample(b, r, last, now);
		b->last_ns = now;
	}
	if (last)
		write_sample(b);
	return due_ns(b) < until ? due_ns(b) : until;
}

const struct log_file *bw_log_file(const struct bw_log *b, unsigned dir)
{
	return &b->file[dir];
}

void bw_log_free(struct bw_log *b)
{
	if (b)
		free(b->bytes);
	free(b);
}
