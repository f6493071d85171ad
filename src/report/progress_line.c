/* progress_line.c: the line that shows the state of a run.
     Jobs: 1 (f=1): [m(1)][75.0%][r=202MiB/s,w=86.6MiB/s][r=51.7k,w=22.2k IOPS][eta 00m:01s] */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include "strbuf.h"
#include "text.h"

static void put_asked_rates(struct strbuf *b, const struct progress *p)
{
	if (p->rate_hi || p->rate_lo)
		strbuf_printf(b, ", %s-%s", text_num(p->rate_lo, &p->units, UNITS_BYTES_PER_S).text,
			      text_num(p->rate_hi, &p->units, UNITS_BYTES_PER_S).text);
	if (p->rate_iops_hi || p->rate_iops_lo)
		strbuf_printf(b, ", %" PRIu64 "-%" PRIu64 " IOPS", p->rate_iops_lo, p->rate_iops_hi);
}

/* Prints "rrrw__" as r(3),w(1),_(2). Dots replace the states that do not fit into `room` characters; 0: no
   limit. */
static void put_states(struct strbuf *b, const char *s, size_t room)
{
	static const char more[] = "...";
	size_t from_len = b->len;

	for (const char *from = s; *from;) {
		const char *to = from + 1;
		char part[32];
		size_t len;

		while (*to == *from)
			to++;
		len = (size_t)snprintf(part, sizeof(part), "%s%c(%td)", from == s ? "" : ",", *from,
				       to - from);
		/* This leaves room for ",..." unless the state is the last one. */
		if (room && b->len - from_len + len + (*to ? sizeof(more) : 0) > room) {
			strbuf_printf(b, "%s%s", from == s ? "" : ",", more);
			return;
		}
		strbuf_puts(b, part);
		from = to;
	}
}

static void put_per_dir(struct strbuf *b, const uint64_t v[DIR_DATA], const struct result_units *units,
			bool iops)
{
	static const char letter[DIR_DATA] = { 'r', 'w', 't' };
	bool any = false;

	strbuf_putc(b, '[');
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		/* Without any I/O the line shows a zero instead of nothing. */
		if (!v[dir] && (dir != DIR_DATA - 1 || any))
			continue;
		if (v[dir])
			strbuf_printf(b, "%s%c=", any ? "," : "", letter[dir]);
		if (iops)
			strbuf_puts(b, text_count(v[dir], units).text);
		else
			strbuf_puts(b, text_num(v[dir], units, UNITS_BYTES_PER_S).text);
		any = true;
	}
	strbuf_puts(b, iops ? " IOPS]" : "]");
}

static void put_eta(struct strbuf *b, const struct progress *p)
{
	strbuf_puts(b, "[eta ");
	if (p->eta_known)
		strbuf_puts(b, text_clock(p->eta_s).text);
	else
		strbuf_puts(b, "--m:--s");
	strbuf_putc(b, ']');
}

/* Prints the part of the line after the states. */
static void put_rest(struct strbuf *b, const struct progress *p)
{
	if (p->layout_total)
		strbuf_printf(b, "[layout %s of %s]", text_num(p->layout_done, &p->units, UNITS_BYTES).text,
			      text_num(p->layout_total, &p->units, UNITS_BYTES).text);
	if (p->percent_known)
		strbuf_printf(b, "[%3.1f%%]", p->percent);
	else
		strbuf_puts(b, "[-.-%]");
	if (!p->layout_total) {
		put_per_dir(b, p->bw, &p->units, false);
		put_per_dir(b, p->iops, &p->units, true);
	}
	put_eta(b, p);
	if (p->ranks)
		strbuf_printf(b, "[%s]", p->ranks);
}

/* Returns the room for the states in characters; 0: no limit. */
static size_t states_room(const struct progress *p, size_t others)
{
	static const size_t least = 3; /* "..." */

	if (!p->columns)
		return 0;
	return p->columns > others + least ? p->columns - 1 - others : least;
}

void report_progress(const struct progress *p, struct strbuf *b)
{
	struct strbuf rest = { 0 };
	size_t from = b->len;

	put_rest(&rest, p);
	strbuf_printf(b, "Jobs: %u (f=%u)", p->running, p->files);
	put_asked_rates(b, p);
	strbuf_puts(b, ": [");
	put_states(b, p->states ? p->states : "", states_room(p, b->len - from + 1 + rest.len));
	strbuf_printf(b, "]%s", strbuf_str(&rest));
	if (p->columns && b->len - from >= p->columns) {
		b->len = from + p->columns - 1;
		b->text[b->len] = '\0';
	}
	strbuf_fini(&rest);
}
