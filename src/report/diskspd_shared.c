/* diskspd_shared.c: the parts that DISKSPD's text and XML reports share. */
#include "diskspd.h"

#include <inttypes.h>
#include <time.h>
#include "strbuf.h"
#include "text.h"

const struct diskspd_row diskspd_rows[DISKSPD_ROWS] = {
	{ "min", 0 },
	{ "25th", 250000000 },
	{ "50th", 500000000 },
	{ "75th", 750000000 },
	{ "90th", 900000000 },
	{ "95th", 950000000 },
	{ "99th", 990000000 },
	{ "3-nines", 999000000 },
	{ "4-nines", 999900000 },
	{ "5-nines", 999990000 },
	{ "6-nines", 999999000 },
	{ "7-nines", 999999900 },
	{ "8-nines", 999999990 },
	{ "9-nines", 999999999 },
	{ "max", SPAN_ALL },
};

void diskspd_self(const struct result_job *j, struct strbuf *b)
{
	if (!j->sum.self.known)
		return;
	strbuf_printf_plain(b, "CPU time of %s: ", j->name);
	text_self(b, &j->sum.self);
}

const struct ds_span *diskspd_span(const struct result *r, const struct result_span *s)
{
	return &r->spans->profile->spans[s->number - 1];
}

bool diskspd_without_figures(const struct result *r, const struct result_span *s)
{
	return s->seconds <= 0 || (s->error && !s->interrupted && r->spans->as_diskspd);
}

const char *diskspd_error(const struct result *r, const struct result_span *s, struct strbuf *buf)
{
	bool own_name = r->spans->as_diskspd;

	if (diskspd_without_figures(r, s)) {
		strbuf_printf(
			buf, "The test was interrupted before the measurements %s. No results are displayed.",
			s->seconds > 0 ? "ended" : "began");
		if (s->error && !own_name)
			strbuf_printf(buf, " (%s)", s->error);
	} else if (s->error && !own_name) {
		strbuf_printf(buf,
			      "The test was interrupted before the measurements ended. (%s; asked for %.2fs)",
			      s->error, s->seconds_cfg);
	} else {
		return NULL;
	}
	return strbuf_str(buf);
}

void diskspd_rule(struct strbuf *b, unsigned n, char c)
{
	while (n--)
		strbuf_putc(b, c);
	strbuf_putc(b, '\n');
}

void diskspd_time(struct strbuf *b, uint64_t ms)
{
	time_t t = (time_t)(ms / 1000);
	struct tm tm = { 0 };

	gmtime_r(&t, &tm);
	strbuf_printf(b, "%04d/%02d/%02d %02d:%02d:%02d UTC", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
		      tm.tm_hour, tm.tm_min, tm.tm_sec);
}

static void put_mask(struct strbuf *b, uint64_t mask)
{
	const char *comma = "";

	for (unsigned i = 0, end; i < 64; i = end + 1) {
		end = i;
		if (!(mask >> i & 1))
			continue;
		while (end < 63 && mask >> (end + 1) & 1)
			end++;
		strbuf_printf(b, "%s%u", comma, i);
		if (end > i)
			strbuf_printf(b, "-%u", end);
		comma = ",";
	}
}

void diskspd_cpus(struct strbuf *b, const struct span_masks *m)
{
	for (size_t i = 0; i < m->n; i++) {
		if (m->n > 1 || m->v[i].group)
			strbuf_printf(b, "%s%u/", i ? ", " : "", m->v[i].group);
		put_mask(b, m->v[i].mask);
	}
}

/* Returns the lowest percentile with too few samples; NULL if all have enough, or without samples. */
static const char *first_short(const struct span_lat *l)
{
	for (unsigned i = 0; l->n && i < DISKSPD_ROWS; i++)
		if (l->n < span_samples_needed(diskspd_rows[i].share))
			return diskspd_rows[i].name;
	return NULL;
}

bool diskspd_few_samples(struct strbuf *b, const struct span_lat *lat[SPAN_KINDS])
{
	static const char *const kinds[SPAN_KINDS] = { "Read", "Write", "Total" };
	bool any = false;

	for (unsigned i = 0; i < SPAN_KINDS; i++) {
		const char *name = first_short(lat[i]);

		if (!name)
			continue;
		strbuf_printf(b, "%s %s from %s on (%" PRIu64 ")", any ? "," : "Too few samples:", kinds[i],
			      name, lat[i]->n);
		any = true;
	}
	if (any)
		strbuf_puts(b, "; a percentile with k nines needs 10^k samples.");
	return any;
}

static void put_cell(struct strbuf *b, const struct span_lat *l, uint32_t share, bool total)
{
	if (l->n || total)
		strbuf_printf(b, " | %10.3f", diskspd_ms((double)span_percentile(l, share)));
	else
		strbuf_printf(b, " | %10s", "N/A");
}

void diskspd_percentiles(struct strbuf *b, const struct span_lat *lat[SPAN_KINDS], unsigned nines)
{
	struct strbuf few = { 0 };

	diskspd_rule(b, 46, '-');
	for (unsigned i = 0; i < DISKSPD_ROWS; i++) {
		/* Old layouts leave out the last rows before the maximum. */
		if (i < DISKSPD_ROWS - 1 && i >= DISKSPD_ROWS - 1 - (9 - nines))
			continue;
		strbuf_printf(b, "%7s", diskspd_rows[i].name);
		for (unsigned k = 0; k < SPAN_KINDS; k++)
			put_cell(b, lat[k], diskspd_rows[i].share, k == SPAN_TOTAL);
		strbuf_putc(b, '\n');
	}
	if (diskspd_few_samples(&few, lat))
		strbuf_printf(b, "\n%s\n", strbuf_str(&few));
	strbuf_fini(&few);
}

bool diskspd_put_error(struct strbuf *b, const struct result *r, const struct result_span *s)
{
	struct strbuf sentence = { 0 };
	const char *error = diskspd_error(r, s, &sentence);

	if (error)
		strbuf_printf(b, "%s\n%s", error, diskspd_without_figures(r, s) ? "" : "\n");
	strbuf_fini(&sentence);
	return diskspd_without_figures(r, s);
}
