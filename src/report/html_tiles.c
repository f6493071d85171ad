/* html_tiles.c: the answer first: the tiles with the main figures, the state of the run, and the notes. */
#include "html_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "text.h"
#include "strbuf.h"

/* The tiles of one direction, or of all together in DIR_READ of a mixed sum. */
struct card {
	struct strbuf *b;
	const struct result_job *t;
	unsigned dir;
	const char *class; /* "read", "all"; it begins the keys of the tiles */
};

/* Returns the key of a tile, "read.iops". */
static struct short_text key_of(const struct card *c, const char *prefix, const char *key)
{
	struct short_text k;

	snprintf(k.text, sizeof(k.text), "%s.%s%s", c->class, prefix, key);
	return k;
}

static void put_unknown(struct strbuf *b, const char *label)
{
	html_printf(b,
		    "<div class=\"tile\"><dt>%s</dt><dd><span class=\"v\">?</span></dd><dd>not in the "
		    "result</dd></div>\n",
		    label);
}

static void put_rate_tiles(const struct card *c)
{
	const struct summary_dir *d = &c->t->sum.dir[c->dir];
	const struct result_units *units = &c->t->units;
	bool known = total_ios_known(c->t, c->dir);

	if (known)
		html_tile(c->b, "IOPS", key_of(c, "", "iops").text, d->iops, readable_count(d->iops), "%s%s",
			  readable_exact(d->ios).text, d->ios == 1 ? " I/O" : " I/Os");
	else
		put_unknown(c->b, "IOPS");
	if (known || d->bytes)
		html_tile(c->b, "Bandwidth", key_of(c, "", "bw_bytes").text, (double)d->bw_bytes,
			  readable_bytes_rate((double)d->bw_bytes, units), "%s",
			  readable_bytes_other((double)d->bw_bytes, units).text);
	else
		put_unknown(c->b, "Bandwidth");
}

static const struct {
	const char *key, *label;
	double percent;
} tile_percentiles[] = {
	{ "p50", "p50 (median)", 50 },
	{ "p99", "p99", 99 },
	{ "p99.9", "p99.9", 99.9 },
};

/* A percentile has a tile even if it is unknown; the tile then says so. */
static void put_percentile_tile(const struct card *c, enum lat_kind kind, unsigned i)
{
	const struct short_text key = key_of(c, kind == LAT_RESP ? "resp." : "", tile_percentiles[i].key);
	uint64_t ns = 0, n = c->t->sum.dir[c->dir].lat[kind].n;
	bool known = total_percentile(c->t, c->dir, kind, tile_percentiles[i].percent, &ns);
	struct short_text text = readable_latency((double)ns);
	char label[48];

	snprintf(label, sizeof(label), "%s%s", kind == LAT_RESP ? "Response " : "",
		 tile_percentiles[i].label);
	if (!known)
		put_unknown(c->b, label);
	else if (n < total_samples_needed(tile_percentiles[i].percent))
		html_tile(c->b, label, key.text, (double)ns, text, "of only %" PRIu64 " I/O%s", n,
			  n == 1 ? "" : "s");
	else
		html_tile(c->b, label, key.text, (double)ns, text, NULL);
}

static void put_latency_tiles(const struct card *c, enum lat_kind kind)
{
	const struct summary_lat *l = &c->t->sum.dir[c->dir].lat[kind];
	bool resp = kind == LAT_RESP;
	const struct short_text key = key_of(c, resp ? "resp." : "", "max");

	for (unsigned i = 0; i < sizeof(tile_percentiles) / sizeof(*tile_percentiles); i++)
		put_percentile_tile(c, kind, i);
	html_tile(c->b, resp ? "Response maximum" : "Maximum", key.text, (double)l->max,
		  readable_latency((double)l->max), "mean %s", readable_latency(l->mean).text);
}

/* Tells how many I/Os have only a lower bound of their response time. */
static void put_unfinished_tile(struct strbuf *b, const struct summary_dir *d)
{
	if (!d->unissued && !d->in_flight_at_end)
		return;
	strbuf_printf(b,
		      "<div class=\"tile\"><dt>Not complete at the end</dt><dd><span "
		      "class=\"v\">%s</span></dd><dd>of %s I/Os that were due",
		      readable_exact(d->unissued + d->in_flight_at_end).text,
		      readable_exact(summary_due(d)).text);
	if (d->asked_iops > 0)
		strbuf_printf(b, ", %s per second", readable_count(d->asked_iops).text);
	if (d->unissued)
		strbuf_printf(b, "; %" PRIu64 " were never issued, the oldest for %s", d->unissued,
			      readable_latency((double)d->unissued_age_ns).text);
	strbuf_puts(b, "</dd></div>\n");
}

/* Says what part of its time an I/O spent after its submission. Synchronous engines have no other part. */
static void put_clat(struct strbuf *b, const struct summary_dir *d)
{
	const struct summary_lat *lat = &d->lat[LAT_LAT];

	if (lat->n && lat->mean - d->lat[LAT_CLAT].mean < 0.5) {
		strbuf_puts(b,
			    ", which is the whole time from the submission of an I/O to its completion here");
		return;
	}
	strbuf_puts(b, ", from the end of the submission of an I/O to its completion");
	if (!lat->n)
		return;
	strbuf_printf(b,
		      ". From the beginning of its submission (lat), an I/O took %s on average; "
		      "<code>lat_percentiles=1</code> measures percentiles of lat",
		      readable_latency(lat->mean).text);
}

/* Names the latency of the tiles. */
static void put_kind(struct strbuf *b, const struct summary_dir *d, enum lat_kind kind)
{
	strbuf_printf(b, "<p class=\"note\">Percentiles, maximum and mean are of the %s",
		      html_lat_name(kind));
	if (kind == LAT_CLAT) {
		strbuf_puts(b, " (clat)");
		put_clat(b, d);
	} else if (kind == LAT_LAT) {
		strbuf_puts(b, " (lat), from the submission of an I/O to its completion");
	}
	strbuf_puts(b, ".</p>\n");
}

static void put_resp_note(struct strbuf *b, const struct summary_dir *d)
{
	strbuf_puts(b, "<p class=\"note\">A response time begins when the I/O was due by the rate, so it "
		       "includes the time that the I/O waited behind a slow one.");
	if (d->unissued || d->in_flight_at_end)
		strbuf_puts(b, " I/Os that were not complete at the end count with the age that they "
			       "had reached, which is a lower bound.");
	strbuf_puts(b, "</p>\n");
}

/* The latency of an I/O under a rate, without its time in the queue. */
static void put_service(const struct card *c)
{
	enum lat_kind kind = total_service_kind(c->t, c->dir);

	if (kind == LAT_KINDS)
		return;
	strbuf_puts(c->b, "<dl class=\"tiles lat\">\n");
	put_latency_tiles(c, kind);
	strbuf_puts(c->b, "</dl>\n");
	put_kind(c->b, &c->t->sum.dir[c->dir], kind);
}

/* kind: that of the latency tiles; LAT_KINDS for none. */
static void begin_card(const struct card *c, const char *name, enum lat_kind kind, unsigned level)
{
	strbuf_printf(c->b, "<div class=\"dir %s\">\n<h%u>%s</h%u>\n<dl class=\"tiles\">\n", c->class, level,
		      name, level);
	put_rate_tiles(c);
	if (kind < LAT_KINDS)
		put_latency_tiles(c, kind);
	if (kind == LAT_RESP)
		put_unfinished_tile(c->b, &c->t->sum.dir[c->dir]);
	strbuf_puts(c->b, "</dl>\n");
}

/* The tiles of one direction. */
static void put_dir_cards(struct html_run *h, const struct result_job *t, unsigned dir, unsigned level)
{
	const struct card c = { h->b, t, dir, html_dir_class(dir) };
	enum lat_kind kind = total_lat_kind(t, dir);

	begin_card(&c, html_dir_name(t, dir), kind, level);
	if (kind == LAT_RESP) {
		put_resp_note(h->b, &t->sum.dir[dir]);
		put_service(&c);
	} else if (kind < LAT_KINDS) {
		put_kind(h->b, &t->sum.dir[dir], kind);
	}
	strbuf_puts(h->b, "</div>\n");
}

/* What the directions of a job have in common. */
struct sum_facts {
	unsigned dirs;   /* with a known number of I/Os */
	bool mixed_kind; /* some have response times and others have none: these latencies have no sum */
	bool mixed_time; /* some ran for longer than others */
};

static struct sum_facts sum_facts(const struct result_job *t, uint64_t longest_ms)
{
	struct sum_facts f = { 0 };
	enum lat_kind kind = LAT_KINDS;

	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		if (!html_has_dir(t, dir) || !total_ios_known(t, dir))
			continue;
		f.mixed_kind |= f.dirs && total_lat_kind(t, dir) != kind;
		f.mixed_time |= t->sum.dir[dir].runtime_ms < longest_ms - longest_ms / 100;
		kind = total_lat_kind(t, dir);
		f.dirs++;
	}
	return f;
}

static void put_sum_note(struct strbuf *b, const struct sum_facts *f, uint64_t longest_ms)
{
	if (!f->mixed_kind && !f->mixed_time)
		return;
	strbuf_puts(b, "<p class=\"note\">");
	if (f->mixed_time)
		strbuf_printf(b, "Some jobs ended early; these rates are over the longest run time, %s%s",
			      readable_duration((double)longest_ms).text, f->mixed_kind ? ". " : ".");
	if (f->mixed_kind)
		strbuf_puts(b, "Their latencies are of different kinds, so they have no common percentiles.");
	strbuf_puts(b, "</p>\n");
}

/* The I/Os of all directions and jobs together. */
static void put_all(struct html_run *h, const struct html_group *g, unsigned level)
{
	const struct result_job *all = total_mixed(&h->mem, g->total);
	const struct card c = { h->b, all, DIR_READ, "all" };
	struct sum_facts f;
	uint64_t ms;

	h->b->failed |= !all;
	if (!all)
		return;
	ms = all->sum.dir[DIR_READ].runtime_ms;
	f = sum_facts(g->total, ms);
	if (f.dirs < 2)
		return;
	begin_card(&c, g->njobs > 1 ? "All jobs together" : "All directions together",
		   f.mixed_kind ? LAT_KINDS : total_lat_kind(all, DIR_READ), level);
	put_sum_note(h->b, &f, ms);
	strbuf_puts(h->b, "</div>\n");
}

/* Shows syncs alone, for a job that does nothing else. */
static void put_syncs(struct strbuf *b, const struct result_job *t, unsigned level)
{
	const struct summary_lat *l = &t->sum.sync;

	if (!l->n)
		return;
	strbuf_printf(b,
		      "<div class=\"dir sync\">\n<h%u>Sync</h%u>\n<p>%s syncs took %s on average, the "
		      "longest %s.</p>\n</div>\n",
		      level, level, readable_exact(t->sum.sync_ios).text, readable_latency(l->mean).text,
		      readable_latency((double)l->max).text);
}

void html_tiles(struct html_run *h, const struct html_group *g)
{
	const struct result_job *t = g->total;
	unsigned level = h->level + 1;
	bool any = false;

	put_all(h, g, level);
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		if (!html_has_dir(t, dir))
			continue;
		put_dir_cards(h, t, dir, level);
		any = true;
	}
	if (!any && !t->sum.sync.n)
		strbuf_printf(h->b, "<p class=\"problem\">%s</p>\n",
			      t->no_io ? "The engine of this job does no I/O: only its CPU use is measured."
				       : "No I/O completed in the measured time.");
	put_syncs(h->b, t, level);
}

static void put_errors(struct html_run *h)
{
	const struct result *r = h->r;
	uint64_t errors = 0, lost = 0;
	unsigned failed = 0;

	for (size_t i = 0; i < h->ngroups; i++) {
		errors += h->groups[i].total->sum.errors;
		lost += h->groups[i].total->lost_ios_total;
		for (size_t k = 0; k < h->groups[i].njobs; k++)
			failed += h->groups[i].jobs[k]->error != 0 || h->groups[i].jobs[k]->lost_reason;
	}
	html_state(h->b, errors || lost || failed ? "bad" : "good", "Errors", "errors");
	if (errors || !failed)
		strbuf_puts(h->b, readable_exact(errors).text);
	else
		strbuf_printf(h->b, "%u of %zu jobs failed", failed, r->njobs);
	strbuf_puts(h->b, "</span></dd>");
	if (lost)
		strbuf_printf(h->b, "<dd>%" PRIu64 " I/O%s never completed</dd>", lost, lost == 1 ? "" : "s");
	if (errors && failed)
		strbuf_printf(h->b, "<dd>%u of %zu jobs failed</dd>", failed, r->njobs);
	strbuf_puts(h->b, "</div>\n");
}

/* Warm-up: the time at the start that the figures leave out. Jobs may differ. */
static void put_warm_up(struct html_run *h)
{
	const struct result *r = h->r;
	const char *first = NULL;
	bool same = true;

	for (size_t i = 0; i < r->njobs; i++) {
		const char *ramp = total_option(r, r->jobs[i], "ramp_time");

		ramp = ramp && strspn(ramp, "0") != strlen(ramp) ? ramp : "";
		same = same && (!first || !strcmp(ramp, first));
		first = first ? first : ramp;
	}
	if (!first)
		return;
	html_state(h->b, *first || !same ? "good" : "warn", "Warm-up", "warm-up");
	strbuf_printf(h->b, "%s</span></dd><dd>",
		      !same    ? "differs between jobs"
		      : *first ? "excluded"
			       : "not excluded");
	if (same && *first)
		html_printf(h->b, "the first ramp_time=%s", first);
	else
		strbuf_puts(h->b,
			    same ? "the figures include the start of the run; with ramp_time they do not"
				 : "see ramp_time in the options of each");
	strbuf_puts(h->b, "</dd></div>\n");
}

static void put_runtime(struct html_run *h)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < h->ngroups; i++) {
		for (unsigned d = 0; d < DIR_DATA; d++) {
			uint64_t ms = h->groups[i].total->sum.dir[d].runtime_ms;

			longest = ms > longest ? ms : longest;
		}
	}
	html_state(h->b, h->r->exit.signal ? "warn" : "", "Measured time", "time");
	strbuf_printf(h->b, "%s</span></dd>", readable_duration((double)longest).text);
	if (h->r->exit.signal) {
		const char *name = sigabbrev_np(h->r->exit.signal);

		strbuf_printf(h->b, "<dd>interrupted by SIG%s after %s</dd>", name ? name : "?",
			      readable_duration((double)h->r->exit.ran_ns / 1e6).text);
	} else if (h->ngroups > 1) {
		strbuf_puts(h->b, "<dd>of the longest group</dd>");
	}
	strbuf_puts(h->b, "</div>\n");
}

static void put_verify_tile(struct html_run *h)
{
	struct result_verify sum = { 0 };

	for (size_t i = 0; i < h->ngroups; i++) {
		const struct result_verify *v = &h->groups[i].total->verify;

		sum.on |= v->on;
		sum.checked += v->checked;
		sum.in_part += v->in_part;
		sum.damaged += v->damaged;
		sum.not_checked += v->not_checked;
	}
	if (!sum.on)
		return;
	html_state(h->b,
		   sum.damaged                                       ? "bad"
		   : sum.checked && !sum.in_part && !sum.not_checked ? "good"
								     : "warn",
		   "Verification", "damaged");
	strbuf_printf(h->b, "%s%s%s checked", readable_exact(sum.damaged).text,
		      sum.damaged == 1 ? " block damaged</span></dd><dd>of "
				       : " blocks damaged</span></dd><dd>of ",
		      readable_exact(sum.checked).text);
	if (sum.in_part)
		strbuf_printf(h->b, "; %s only in part", readable_exact(sum.in_part).text);
	if (sum.not_checked)
		strbuf_printf(h->b, "; %s not checked", readable_exact(sum.not_checked).text);
	strbuf_puts(h->b, "</dd></div>\n");
}

static void put_verdict(struct strbuf *b, const struct chart_steady *iops, const struct chart_steady *lat)
{
	bool steady = iops->verdict == CHART_STEADY, lat_off = lat->verdict == CHART_NOT_STEADY;

	if (iops->verdict == CHART_TOO_SHORT || iops->verdict == CHART_TOO_FEW) {
		html_state(b, "wide", "Steady state", "steady");
		strbuf_printf(b,
			      "%s</span></dd><dd>a verdict needs %u s, and %u I/Os in each fifth of the time",
			      iops->verdict == CHART_TOO_SHORT ? "too short to say" : "too few I/Os to say",
			      CHART_STEADY_MS / 1000, CHART_STEADY_IOS);
		return;
	}
	html_state(b, steady && !lat_off ? "good wide" : "warn wide", "Steady state", "steady");
	strbuf_printf(b,
		      "%s</span></dd><dd>over 5 parts of %s, IOPS range over %.1f %% of their mean (steady: "
		      "%.0f %%) with a slope of %+.1f %% (%.0f %%)",
		      !steady   ? "not steady"
		      : lat_off ? "IOPS steady, latency not"
				: "steady",
		      readable_duration(iops->round_ms).text, iops->range, CHART_RANGE, iops->slope,
		      CHART_SLOPE);
	if (lat_off)
		strbuf_printf(b, ", latencies over %.1f %% with %+.1f %%", lat->range, lat->slope);
	strbuf_puts(b, "; SNIA PTS 2.0.1");
}

void html_steady(struct html_run *h, const struct html_group *g)
{
	struct chart_steady iops, lat;
	struct chart_stall stall;

	if (!g->has_series) {
		html_state(h->b, "wide", "Steady state", "steady");
		strbuf_puts(h->b, "not known</span></dd><dd>the result has no series over time</dd></div>\n");
		return;
	}
	chart_steady(&iops, &g->series, 0, CHART_STEADY_IOPS);
	chart_steady(&lat, &g->series, 0, CHART_STEADY_LAT);
	put_verdict(h->b, &iops, &lat);
	strbuf_puts(h->b, "</dd></div>\n");
	chart_stall(&stall, &g->series, 0);
	if (!stall.stalls)
		return;
	html_state(h->b, "bad", "Stalls", "stalls");
	strbuf_printf(h->b, "%u, the longest %s</span></dd><dd>no I/O completed from %s on", stall.stalls,
		      readable_duration(stall.ms).text, readable_duration(stall.start_ms - g->start_ms).text);
	if (stall.stalls > 1)
		strbuf_printf(h->b, "; all stalls together: %s", readable_duration(stall.stalled_ms).text);
	strbuf_puts(h->b, "</dd></div>\n");
}

void html_status(struct html_run *h)
{
	strbuf_puts(h->b, "<dl class=\"status\">\n");
	put_errors(h);
	html_until_tiles(h);
	if (h->ngroups == 1 && html_any_io(h->groups[0].total))
		html_steady(h, &h->groups[0]);
	put_verify_tile(h);
	put_warm_up(h);
	put_runtime(h);
	strbuf_puts(h->b, "</dl>\n");
}

static size_t count_notes(const struct result *r)
{
	size_t n = r->notes.count;

	for (size_t i = 0; i < r->njobs; i++)
		n += r->jobs[i]->notes.count;
	return n;
}

static void put_job_note(struct html_run *h, struct html_notes *list, size_t job, const char *line)
{
	size_t hosts = job_note_hosts(h->r, job, line);

	if (job_note_printed(h->r, job, line))
		return;
	html_note_begin(list);
	strbuf_puts(h->b, "<strong>");
	html_job_name(h->b, h->r->jobs[job]);
	if (hosts)
		strbuf_printf(h->b, " (and %zu more host%s)", hosts, hosts == 1 ? "" : "s");
	html_printf(h->b, ":</strong> %s</li>\n", line);
}

void html_notes(struct html_run *h)
{
	const struct result *r = h->r;
	struct html_notes list = { .b = h->b };

	if (!count_notes(r))
		return;
	html_section(h, 1, "notes", "Notes");
	for (size_t i = 0; i < r->notes.count; i++)
		html_note(&list, r->notes.line[i]);
	for (size_t i = 0; i < r->njobs; i++)
		for (size_t k = 0; k < r->jobs[i]->notes.count; k++)
			put_job_note(h, &list, i, r->jobs[i]->notes.line[k]);
	html_notes_end(&list);
	html_section_end(h);
}
