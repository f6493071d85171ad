#include "busy.h"

#include "message.h"
#include "strbuf.h"

/* Shorter runs get no note, because the kernel counts CPU time in ticks. */
#define LEAST_NS 100000000u
/* A worker that spends this share of its time running or waiting for a core does not wait for the storage. */
#define FULL 0.95
/* Waits for a core are reported from this share of the time on, if a mean wait is longer than a wake-up
   takes. */
#define CROWDED      0.2
#define CROWDED_NS   50000
#define CROWDED_FULL 0.05

static void add_busy_worker(struct busy_sum *to, const struct busy_worker *w)
{
	to->workers++;
	to->ran_ns += w->ran_ns;
	to->ios += w->ios;
	to->user_ns += w->user_ns;
	to->sys_ns += w->sys_ns;
	to->core_wait_ns += w->core_wait_ns;
}

void busy_add(struct busy *b, const struct busy_worker *w)
{
	double ran = (double)w->ran_ns, waited = (double)w->core_wait_ns;

	b->workers++;
	if (w->ran_ns < LEAST_NS || !w->ios)
		return;
	if (w->io_only && (double)(w->user_ns + w->sys_ns) + waited >= FULL * ran)
		add_busy_worker(&b->full, w);
	else if (waited >= CROWDED * ran && waited >= CROWDED_NS * (double)w->switches)
		add_busy_worker(&b->crowded, w);
}

static const char too_few_cores[] = "more threads were ready to run than there were cores";

/* Adds a text such as "2 of 4 workers". */
static void put_workers(const struct busy *b, const struct busy_sum *s, struct strbuf *out)
{
	if (b->workers == 1)
		message_printf(out, "its {~worker|worker}");
	else if (s->workers == b->workers)
		message_printf(out, "all %u {~worker|workers}", b->workers);
	else
		message_printf(out, "%u of %u {~worker|workers}", s->workers, b->workers);
}

static double percent(uint64_t part, uint64_t of)
{
	return of ? 100.0 * (double)part / (double)of : 0;
}

static void put_full(const struct busy *b, struct strbuf *out)
{
	const struct busy_sum *s = &b->full;
	double core = percent(s->user_ns + s->sys_ns, s->ran_ns),
	       waited = percent(s->core_wait_ns, s->ran_ns);
	const char *most = s->user_ns >= s->sys_ns
				   ? "most of it in fiord itself"
				   : "most of it in the kernel, which also copies cached data";

	strbuf_puts(out, "the processor, not the device, limited the job: ");
	put_workers(b, s, out);
	message_printf(out, " used %.1f %% of a core%s", core < 100 ? core : 100,
		       b->workers > 1 ? " each" : "");
	if (waited >= 100 * CROWDED_FULL)
		message_printf(out, " and waited for one %.1f %% of the time; %s", waited, too_few_cores);
	message_printf(out, " (%.0f ns user, %.0f ns system per I/O: %s)",
		       (double)s->user_ns / (double)s->ios, (double)s->sys_ns / (double)s->ios, most);
}

static void put_crowded(const struct busy *b, struct strbuf *out)
{
	const struct busy_sum *s = &b->crowded;

	put_workers(b, s, out);
	message_printf(out,
		       " waited for a core %.1f %% of the time, and the latencies include these waits: %s",
		       percent(s->core_wait_ns, s->ran_ns), too_few_cores);
}

bool busy_message(const struct busy *b, struct strbuf *out)
{
	if (b->full.workers)
		put_full(b, out);
	else if (b->crowded.workers)
		put_crowded(b, out);
	return b->full.workers || b->crowded.workers;
}
