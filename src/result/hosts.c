#include "hosts.h"

#include <stdlib.h>
#include <string.h>
#include "figures.h"
#include "vec.h"

#define LATE_NS        100000000u
#define LATE_PERCENT   10
#define SLOW_PERCENT   66
#define WAVES_COMPARED 1000 /* of a host, so that no document makes the comparison long */

static void set_times(struct result_host *h)
{
	h->late_known = false;
	h->start_late_ns = h->done_ns = 0;
	for (size_t i = 0; i < h->nwaves; i++) {
		const struct result_host_wave *w = &h->waves[i];

		h->late_known |= w->late_known;
		if (w->late_known && w->start_late_ns > h->start_late_ns)
			h->start_late_ns = w->start_late_ns;
		if (w->start_ns + w->took_ns > h->done_ns)
			h->done_ns = w->start_ns + w->took_ns;
	}
}

void result_add_host(struct result *r, const struct result_host *host)
{
	struct result_host copy = *host;

	copy.hostname = host->hostname ? host->hostname : "";
	result_copy_figures(r, figures_host, &copy);
	result_copy_figures(r, figures_host_waves, &copy);
	set_times(&copy);
	if (!copy.hostname || !VEC_PUSH(&r->hosts, copy))
		r->failed = true;
}

/* ---- stragglers ---- */

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int by_rank(const void *a, const void *b)
{
	const struct result_host *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return strcmp(x->hostname, y->hostname);
}

static int by_program(const void *a, const void *b)
{
	const struct result_host *x = a, *y = b;

	if (x->program != y->program)
		return x->program < y->program ? -1 : 1;
	return by_rank(a, b);
}

static uint64_t wave_ns(const struct result_host *h, size_t wave)
{
	return wave < h->nwaves ? h->waves[wave].took_ns : 0;
}

static uint64_t host_rate(const struct result_host *h, size_t unused)
{
	double ns = 0;

	(void)unused;
	for (size_t i = 0; i < h->nwaves; i++)
		ns += (double)h->waves[i].took_ns;
	return ns > 0 && (double)h->bytes / ns < 1e9 ? (uint64_t)((double)h->bytes * 1e9 / ns) : 0;
}

typedef uint64_t figure_of(const struct result_host *h, size_t wave);

/* The ranks of one program, and room for a figure of each. */
struct program {
	struct result_host *v;
	size_t n;
	uint64_t *room;
};

/* Returns the median of a figure over the ranks that have it; 0 if fewer than two have it. Of the two middle
   values of an even number it takes the better one, so that the worse of two ranks can fall behind. */
static uint64_t median(const struct program *p, figure_of *figure, size_t wave, bool more_is_better)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		uint64_t v = figure(&p->v[i], wave);

		if (v)
			p->room[n++] = v;
	}
	qsort(p->room, n, sizeof(*p->room), by_value);
	return n < 2 ? 0 : p->room[more_is_better ? n / 2 : (n - 1) / 2];
}

static void find_late(const struct program *p, size_t wave)
{
	uint64_t others = median(p, wave_ns, wave, false);

	for (size_t i = 0; others && i < p->n; i++) {
		struct result_host *h = &p->v[i];
		uint64_t own = wave_ns(h, wave);

		if (own <= others + LATE_NS || own - others <= others / 100 * LATE_PERCENT)
			continue;
		if (h->straggler == STRAGGLER_LATE &&
		    own - others <= h->straggler_value - h->straggler_median)
			continue; /* an earlier wave was later */
		h->straggler = STRAGGLER_LATE;
		h->straggler_wave = h->waves[wave].wave;
		h->straggler_value = own;
		h->straggler_median = others;
	}
}

static void find_slow(const struct program *p)
{
	uint64_t others = median(p, host_rate, 0, true);

	for (size_t i = 0; others && i < p->n; i++) {
		struct result_host *h = &p->v[i];
		uint64_t own = host_rate(h, 0);

		if (!own || h->straggler || own >= others / 100 * SLOW_PERCENT)
			continue;
		h->straggler = STRAGGLER_SLOW;
		h->straggler_value = own;
		h->straggler_median = others;
	}
}

static void find_stragglers(const struct program *p)
{
	size_t waves = 0;

	for (size_t i = 0; i < p->n; i++) {
		p->v[i].straggler = STRAGGLER_NONE;
		waves = p->v[i].nwaves > waves ? p->v[i].nwaves : waves;
	}
	for (size_t wave = 0; wave < waves && wave < WAVES_COMPARED; wave++)
		find_late(p, wave);
	find_slow(p);
}

static void find_ends(struct result_hosts *h)
{
	h->known = h->late_known = false;
	for (size_t i = 0; i < h->n; i++) {
		const struct result_host *host = &h->v[i];

		if (host->late_known &&
		    (!h->late_known || host->start_late_ns > h->v[h->latest].start_late_ns)) {
			h->latest = i;
			h->late_known = true;
		}
		if (!host->nwaves)
			continue;
		if (!h->known || host->done_ns < h->v[h->first_done].done_ns)
			h->first_done = i;
		if (!h->known || host->done_ns > h->v[h->last_done].done_ns)
			h->last_done = i;
		h->known = true;
	}
}

void result_finish_hosts(struct result *r)
{
	struct result_hosts *h = &r->hosts;
	uint64_t *room;

	if (!h->n)
		return;
	room = calloc(h->n, sizeof(*room));
	if (!room) {
		r->failed = true;
		return;
	}
	qsort(h->v, h->n, sizeof(*h->v), by_program);
	for (size_t first = 0, i = 1; i <= h->n; i++) {
		if (i < h->n && h->v[i].program == h->v[first].program)
			continue;
		find_stragglers(&(struct program){ &h->v[first], i - first, room });
		first = i;
	}
	qsort(h->v, h->n, sizeof(*h->v), by_rank);
	find_ends(h);
	free(room);
}
