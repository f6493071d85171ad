#include "busy.h"

#include <stdio.h>

/* Shorter runs are not judged, because the kernel counts CPU time in ticks. */
#define LEAST_NS 100000000u
/* A worker that spends this share of its time running or waiting for a core does not wait for the storage. */
#define FULL 0.95
/* Waits for a core are reported from this share of the time on, if a mean wait is longer than a wake-up
 * takes. */
#define CROWDED      0.2
#define CROWDED_NS   50000
#define CROWDED_FULL 0.05

static void add(struct busy_sum *to, const struct busy_worker *w)
{
	to->workers++;
	to->ran_ns += w->ran_ns;
	to->ios += w->ios;
	to->user_ns += w->user_ns;
	to->sys_ns += w->sys_ns;
	to->waited_ns += w->waited_ns;
}

void busy_add(struct busy *b, const struct busy_worker *w)
{
	double ran = (double)w->ran_ns, waited = (double)w->waited_ns;

	b->workers++;
	if (w->ran_ns < LEAST_NS || !w->ios)
		return;
	if (w->judged && (double)(w->user_ns + w->sys_ns) + waited >= FULL * ran)
		add(&b->full, w);
	else if (waited >= CROWDED * ran && waited >= CROWDED_NS * (double)w->switches)
		add(&b->crowded, w);
}

static const char crowd[] = "more was ready to run than there were cores";

/* "2 of 4 workers" */
static void say_who(const struct busy *b, const struct busy_sum *s, char *text, size_t size)
{
	if (b->workers == 1)
		snprintf(text, size, "its worker");
	else if (s->workers == b->workers)
		snprintf(text, size, "all %u workers", b->workers);
	else
		snprintf(text, size, "%u of %u workers", s->workers, b->workers);
}

static double percent(uint64_t part, uint64_t of)
{
	return of ? 100.0 * (double)part / (double)of : 0;
}

static bool say_full(const struct busy *b, char *text, size_t size)
{
	const struct busy_sum *s = &b->full;
	double core = percent(s->user_ns + s->sys_ns, s->ran_ns), waited = percent(s->waited_ns, s->ran_ns);
	const char *most = s->user_ns >= s->sys_ns
				   ? "most of it fiord's own code"
				   : "most of it the kernel's, which also copies what is cached";
	char who[48], where[120] = "", cost[160];

	say_who(b, s, who, sizeof(who));
	if (waited >= 100 * CROWDED_FULL)
		snprintf(where, sizeof(where), " and waited for one %.1f %% of the time; %s", waited, crowd);
	snprintf(cost, sizeof(cost), "%.0f ns user, %.0f ns system per I/O: %s",
		 (double)s->user_ns / (double)s->ios, (double)s->sys_ns / (double)s->ios, most);
	snprintf(text, size,
		 "the processor, not the device, set the figures: %s used %.1f %% of a core%s%s (%s)", who,
		 core < 100 ? core : 100, b->workers > 1 ? " each" : "", where, cost);
	return true;
}

static bool say_crowded(const struct busy *b, char *text, size_t size)
{
	const struct busy_sum *s = &b->crowded;
	char who[48];

	say_who(b, s, who, sizeof(who));
	snprintf(text, size, "%s had to wait for a core %.1f %% of the time, which is in the latencies: %s",
		 who, percent(s->waited_ns, s->ran_ns), crowd);
	return true;
}

bool busy_say(const struct busy *b, char *text, size_t size)
{
	if (b->full.workers)
		return say_full(b, text, size);
	return b->crowded.workers && say_crowded(b, text, size);
}
