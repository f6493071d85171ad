#include "live.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include "clock.h"
#include "exit_code.h"
#include "outfile.h"
#include "result.h"
#include "strbuf.h"
#include "ticker.h"
#include "version.h"

#define MS 1000000u
/* The workers close an interval when an I/O completes after its end. The parent looks for their records
   FIRST_NS after the end, and then every RETRY_NS; after GRACE_NS it writes the line without the missing
   ones.
 */
#define FIRST_NS (5 * MS)
#define RETRY_NS (25 * MS)
#define GRACE_NS (150 * MS)
/* How often the parent looks for room while text waits for a slow reader. */
#define FLUSH_NS (50 * MS)
/* An interval at the end of the run that is shorter than this part of an interval is added to the one before.
 */
#define SHORT_PART 10

static bool is_on(const struct live *l)
{
	return l->opts && l->opts->live_interval_ns;
}

int live_init(struct live *l, const struct plan *p, unsigned run, unsigned runs)
{
	const struct run_opts *o = &p->set->run;
	int err;

	*l = (struct live){ .plan = p, .opts = o };
	if (!is_on(l))
		return 0;
	l->report = (struct live_report){ .program_version = FIORD_VERSION,
					  .interval_ns = o->live_interval_ns,
					  .run = runs ? run : 1,
					  .runs = runs };
	if (o->live)
		line_queue_init(&l->lines, o->live, run > 1);
	err = live_jobs_init(&l->jobs, p, o->live_interval_ns);
	return err ? err : live_figures_init(&l->figures, p);
}

void live_fini(struct live *l)
{
	if (!l->opts || !is_on(l))
		return;
	if (l->opts->live)
		line_queue_fini(&l->lines);
	live_jobs_fini(&l->jobs);
	live_figures_fini(&l->figures);
}

/* ---- output ---- */

/* Sets the figures and times of the report. */
static void set_report(struct live *l, const struct run *r, uint64_t end_ns, uint64_t length_ns)
{
	struct timespec ts;
	uint64_t now = clock_ns();
	int64_t real_ms;

	clock_gettime(CLOCK_REALTIME, &ts);
	real_ms = (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
	l->report.time_ms = (uint64_t)(real_ms - ((int64_t)now - (int64_t)end_ns) / 1000000);
	l->report.elapsed_ns = r->start_ns && end_ns > r->start_ns ? end_ns - r->start_ns : 0;
	l->report.length_ns = length_ns;
	l->report.lost_lines = l->lines.lost_lines;
	live_figures(&l->report, &l->figures, &l->jobs, r, end_ns, length_ns);
}

static void write_metrics(struct live *l)
{
	struct strbuf b = { 0 };
	int err;

	if (!l->opts->prometheus)
		return;
	report_prometheus(&l->report, &b);
	err = b.failed ? ENOMEM : outfile_replace(l->opts->prometheus, strbuf_str(&b), b.len);
	l->error = l->error ? l->error : err;
	strbuf_fini(&b);
}

/* Writes the line of an interval and the metrics. */
static void write_interval(struct live *l)
{
	struct strbuf b = { 0 };

	if (l->opts->live) {
		report_live_interval(&l->report, &b);
		if (b.failed)
			l->lines.lost_lines++;
		else
			line_queue_put(&l->lines, strbuf_str(&b), b.len);
		strbuf_fini(&b);
	}
	write_metrics(l);
}

/* ---- intervals ---- */

static void begin_intervals(struct live *l, uint64_t start_ns)
{
	l->begin_ns = start_ns;
	l->end_ns = start_ns + l->opts->live_interval_ns;
	l->due_ns = l->end_ns + FIRST_NS;
}

/* Writes the line of the interval, and begins the next one at end_ns. */
static void end_interval(struct live *l, const struct run *r, uint64_t end_ns)
{
	set_report(l, r, end_ns, end_ns - l->begin_ns);
	l->report.lines++;
	write_interval(l);
	live_jobs_next(&l->jobs, r);
	begin_intervals(l, end_ns);
}

/* The first job has started: the intervals begin anew. */
static void look_for_start(struct live *l, const struct run *r)
{
	uint64_t grid_ns = atomic_load_explicit(r->region.grid_ns, memory_order_relaxed);

	if (l->jobs.grid_ns || !grid_ns)
		return;
	l->jobs.grid_ns = grid_ns;
	begin_intervals(l, grid_ns);
}

static bool awaits_any(const struct live *l, const struct run *r)
{
	for (uint32_t i = 0; i < l->plan->njobs; i++)
		if (live_jobs_awaits(&l->jobs, r, i, l->end_ns))
			return true;
	return false;
}

static uint64_t grace_ns(const struct live *l)
{
	uint64_t half = l->opts->live_interval_ns / 2;

	return half < GRACE_NS ? half : GRACE_NS;
}

void live_begin(struct live *l, const struct run *r)
{
	struct strbuf b = { 0 };

	if (!is_on(l))
		return;
	l->running = true;
	set_report(l, r, clock_ns(), 0);
	begin_intervals(l, clock_ns());
	if (l->opts->live) {
		report_live_run(&l->report, &b);
		line_queue_begin(&l->lines, strbuf_str(&b), b.len);
		strbuf_fini(&b);
	}
	write_metrics(l);
}

uint64_t live_due_ns(const struct live *l)
{
	return l->running ? l->due_ns : 0;
}

void live_wave_open(struct live *l)
{
	if (!l->jobs.grid_ns)
		l->due_ns = 1;
}

void live_tick(struct live *l, struct run *r)
{
	uint64_t now = clock_ns();

	if (!l->running)
		return;
	if (l->opts->live)
		line_queue_flush(&l->lines);
	look_for_start(l, r);
	while (now >= l->end_ns + FIRST_NS) {
		ticker_drain(r->ticker, r);
		if (awaits_any(l, r) && now < l->end_ns + grace_ns(l)) {
			l->due_ns = now + RETRY_NS;
			return;
		}
		end_interval(l, r, l->end_ns);
	}
	l->due_ns = l->end_ns + FIRST_NS;
	if (l->opts->live && line_queue_waits(&l->lines) && now + FLUSH_NS < l->due_ns)
		l->due_ns = now + FLUSH_NS;
}

static bool is_live_track(const struct live *l, uint32_t job, unsigned track)
{
	unsigned number;

	return l->running && plan_track(&l->plan->jobs[job], TRACK_LIVE, &number) && number == track;
}

void live_interval(struct live *l, const struct run *r, uint32_t job, unsigned track, const struct ival *rec)
{
	if (is_live_track(l, job, track))
		live_jobs_add(&l->jobs, r, job, rec);
}

bool live_room(const struct live *l, uint32_t job, unsigned track)
{
	if (!is_live_track(l, job, track) || l->accept_all)
		return true;
	return l->jobs.grid_ns && !live_jobs_closed(&l->jobs, job, l->end_ns);
}

/* Returns when the last worker ended its measurement; 0: none began. */
static uint64_t last_end_ns(const struct live *l, const struct run *r)
{
	uint64_t last = 0;

	for (uint32_t i = 0; i < l->plan->njobs; i++) {
		const struct plan_job *pj = &l->plan->jobs[i];
		const struct tracks *t = slot_tracks(run_slot(r, i), pj);

		if (pj->track[TRACK_LIVE] && t->start_ns && t->finish_ns > last)
			last = t->finish_ns;
	}
	return last;
}

void live_workers_ended(struct live *l, struct run *r)
{
	uint64_t last;

	if (!l->running)
		return;
	look_for_start(l, r);
	ticker_drain(r->ticker, r);
	last = last_end_ns(l, r);
	while (last > l->end_ns + l->opts->live_interval_ns / SHORT_PART) {
		end_interval(l, r, l->end_ns);
		ticker_drain(r->ticker, r);
	}
	l->accept_all = true;
	ticker_drain(r->ticker, r);
	if (last <= l->begin_ns && live_jobs_any_io(&l->jobs))
		last = r->end_ns > l->begin_ns ? r->end_ns : l->begin_ns;
	if (last > l->begin_ns || live_jobs_any_io(&l->jobs))
		end_interval(l, r, last);
	l->due_ns = 0;
}

/* ---- the end ---- */

bool live_failed(const struct live *l, char *why, size_t size)
{
	if (l->lines.error)
		snprintf(why, size, "--live=%.3000s: lines could not be written: %s", l->opts->live,
			 diag_errno(l->lines.error));
	else if (l->error)
		snprintf(why, size, "--prometheus=%.3000s: the metrics could not be written: %s",
			 l->opts->prometheus, diag_errno(l->error));
	return l->lines.error || l->error;
}

void live_result(struct live *l, struct result *res)
{
	char why[4096];

	if (l->running && l->opts->live)
		line_queue_drain(&l->lines);
	if (l->lines.lost_lines)
		result_note(res, "--live: %" PRIu64 " lines were lost, because they %s", l->lines.lost_lines,
			    l->lines.error ? "could not be written" : "were not read in time");
	if (!live_failed(l, why, sizeof(why)))
		return;
	result_note(res, "%s", why);
	result_exit_code(res, EXIT_OUTPUT);
}

void live_end(struct live *l, const struct run *r, int exit_code)
{
	struct strbuf b = { 0 };

	if (!l->running)
		return;
	l->running = false;
	set_report(l, r, clock_ns(), 0);
	l->report.finished = true;
	l->report.exit_code = exit_code;
	l->report.signal = r->signals.first;
	if (l->opts->live) {
		report_live_end(&l->report, &b);
		line_queue_finish(&l->lines, strbuf_str(&b), b.failed ? 0 : b.len);
	}
	strbuf_fini(&b);
	write_metrics(l);
}
