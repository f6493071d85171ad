/* batch_wait.c: see batch_wait.h.

   With d I/Os in flight and one completion every g ns a latency is d * g on the mean. To wait for d / 4 takes
   a quarter of that, and the completions of such a wait lie half of it: a latency grows by an eighth, less
   where they come in bursts. A wait that lasts for a mean latency is given up, and the next one is for as
   many as came. */
#include "batch_wait.h"

#include "options.h"

#define LONGEST 10000000u /* ns of a wait, if that is less than a mean latency */
#define MEMORY  256       /* completions after which what was counts half */
#define ENOUGH  32        /* completions before the first wait for several */

void batch_wait_begin(struct batch_wait *g, bool adapts)
{
	*g = (struct batch_wait){ .adapts = adapts, .most = 1 };
}

static uint64_t patience(const struct batch_wait *g, unsigned busy)
{
	uint64_t ns = g->ns * busy / g->ios;

	return ns < LONGEST ? ns : LONGEST;
}

static unsigned adapted(struct batch_wait *g, unsigned busy, unsigned max, uint64_t now, uint64_t end_ns)
{
	unsigned n = busy / GATHER_SHARE;
	uint64_t ns;

	if (n > g->most)
		n = g->most;
	if (n > max)
		n = max;
	if (n < 2 || g->ios < ENOUGH || g->starved)
		return 1;
	ns = patience(g, busy);
	if (!ns || now >= end_ns || end_ns - now <= ns)
		return 1;
	g->until_ns = now + ns;
	return n;
}

unsigned batch_wait_wish(struct batch_wait *g, unsigned busy, unsigned least, unsigned max, uint64_t now,
			 uint64_t end_ns)
{
	unsigned n;

	g->first_ns = 0;
	g->until_ns = UINT64_MAX;
	g->wanted = least;
	n = g->adapts ? adapted(g, busy, max, now, end_ns) : 1;
	if (n > least)
		g->wanted = n;
	else
		g->until_ns = UINT64_MAX;
	return g->wanted;
}

static void learn(struct batch_wait *g, unsigned n, uint64_t now)
{
	if (g->last_ns && now > g->last_ns) {
		g->ns += now - g->last_ns;
		g->ios += n;
	}
	g->last_ns = now;
	if (g->ios >= MEMORY) {
		g->ios /= 2;
		g->ns /= 2;
	}
	g->starved = !n;
	if (n && n < g->wanted)
		g->most = n;
	else if (g->most < UINT16_MAX && n >= g->most)
		g->most++;
}

void batch_wait_first(struct batch_wait *g, uint64_t now)
{
	g->first_ns = now;
}

/* All but the last lay since the first one came, at most; the last one, too, if the wait was given up. */
static void count(const struct batch_wait *g, unsigned n, uint64_t now, struct wcount *c)
{
	bool cut = n < g->wanted;

	c->gathers++;
	c->gathered += n;
	c->gathers_cut += cut;
	if (!g->first_ns)
		return;
	c->gather_seen += n;
	c->gather_ns += (now - g->first_ns) * (cut ? n : n - 1);
}

void batch_wait_ended(struct batch_wait *g, unsigned n, uint64_t now, struct wcount *c)
{
	if (g->wanted > 1) {
		count(g, n, now, c);
		g->waits++;
	}
	if (g->adapts)
		learn(g, n, now);
}
