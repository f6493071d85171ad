#include <math.h>
#include <string.h>
#include "interval.h"

/* Slots that only ival_finish uses: for what is held, and for the partial interval. */
#define KEEP_FINISH 2

void ival_start(struct ival_ring *r, uint64_t len_ns, uint64_t start_ns)
{
	r->len_ns = len_ns;
	r->start_ns = start_ns;
	r->end_ns = len_ns ? start_ns + len_ns : UINT64_MAX;
	r->index = 0;
	memset(&r->last, 0, sizeof(r->last));
	r->held = false;
	atomic_store_explicit(&r->tail, 0, memory_order_relaxed);
	atomic_store_explicit(&r->head, 0, memory_order_release);
}

static uint64_t head_of(const struct ival_ring *r)
{
	return atomic_load_explicit(&r->head, memory_order_relaxed);
}

/* What happened since the last close, into the slot that is not shown yet. */
static struct ival_rec *hold(struct ival_ring *r, const struct wstat *total, uint64_t upto)
{
	struct ival_rec *rec = &r->rec[head_of(r) % IVAL_RING], *last = &r->last;

	if (!r->held) {
		memset(rec, 0, sizeof(*rec));
		rec->first = last->first;
	}
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		rec->ios[d] += total->dir[d].ios - last->ios[d];
		rec->bytes[d] += total->dir[d].bytes - last->bytes[d];
		rec->errors[d] += total->dir[d].errors - last->errors[d];
		last->ios[d] = total->dir[d].ios;
		last->bytes[d] = total->dir[d].bytes;
		last->errors[d] = total->dir[d].errors;
	}
	rec->span = upto - rec->first;
	last->first = upto;
	r->held = true;
	return rec;
}

/* Shows the held record if that leaves `keep` slots free. */
static void show(struct ival_ring *r, unsigned keep)
{
	uint64_t head = head_of(r), tail = atomic_load_explicit(&r->tail, memory_order_acquire);

	if (!r->held || head - tail >= IVAL_RING - keep)
		return;
	r->held = false;
	atomic_store_explicit(&r->head, head + 1, memory_order_release);
}

void ival_close(struct ival_ring *r, const struct wstat *total, uint64_t now_ns)
{
	uint64_t ended;

	if (r->len_ns == 0 || now_ns < r->end_ns)
		return;
	ended = (now_ns - r->end_ns) / r->len_ns + 1;
	hold(r, total, r->index + 1);
	show(r, KEEP_FINISH);
	if (ended > 1) {
		hold(r, total, r->index + ended);
		show(r, KEEP_FINISH);
	}
	r->index += ended;
	r->end_ns += ended * r->len_ns;
}

static bool is_empty(const struct ival_rec *rec)
{
	for (unsigned d = 0; d < DIR_COUNT; d++)
		if (rec->ios[d] | rec->errors[d])
			return false;
	return rec->part_ns == 0;
}

void ival_finish(struct ival_ring *r, const struct wstat *total, uint64_t now_ns)
{
	struct ival_rec *rec;

	if (r->len_ns == 0 || r->end_ns == UINT64_MAX)
		return;
	ival_close(r, total, now_ns);
	show(r, 1);
	rec = hold(r, total, r->index);
	rec->part_ns = now_ns > r->end_ns - r->len_ns ? now_ns - (r->end_ns - r->len_ns) : 0;
	if (!is_empty(rec))
		show(r, 0);
	r->held = false;
	r->end_ns = UINT64_MAX;
}

bool ival_take(struct ival_ring *r, struct ival_rec *out)
{
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);

	if (tail == atomic_load_explicit(&r->head, memory_order_acquire))
		return false;
	*out = r->rec[tail % IVAL_RING];
	atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
	return true;
}

void samples_add(struct samples *s, uint64_t value)
{
	samples_add_n(s, value, 1);
}

void samples_add_n(struct samples *s, uint64_t value, uint64_t count)
{
	double v = (double)value, n = (double)count;

	if (count == 0)
		return;
	if (s->n == 0 || value < s->min)
		s->min = value;
	if (value > s->max)
		s->max = value;
	s->n += count;
	s->sum += v * n;
	s->sq += v * v * n;
}

double samples_mean(const struct samples *s)
{
	return s->n ? s->sum / (double)s->n : 0;
}

/* The sums of integers are exact up to 2^53, which is a thousand samples of 3 million each. */
double samples_stddev(const struct samples *s)
{
	long double n = (long double)s->n, sum = (long double)s->sum, spread;

	if (s->n < 2)
		return 0;
	spread = (long double)s->sq - sum * sum / n;
	return spread > 0 ? (double)sqrtl(spread / (n - 1)) : 0;
}
