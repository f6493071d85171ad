/* disk_check.c: the notes of the preset disk: each figure beside what disks of its class usually show, and
   what in the machine explains an unusual one. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "chart.h"
#include "disk_class.h"
#include "presets.h"
#include "readable.h"
#include "strbuf.h"
#include "total.h"

static const struct result_units units = { .kb_base = 1000, .figures = 3 };

/* The jobs of jobs/disk.ini. */
static const struct {
	const char *job, *what;
	enum disk_measure measure;
} measured[] = {
	{ "latency", "the mean latency of one read at a time", DISK_LATENCY },
	{ "iops", "random reads with 32 in flight", DISK_IOPS },
	{ "bandwidth", "large sequential reads", DISK_BANDWIDTH },
};

#define N_MEASURED (sizeof(measured) / sizeof(measured[0]))

static const struct result_job *job_of(const struct result *r, const char *name)
{
	for (size_t i = 0; i < r->njobs; i++)
		if (r->jobs[i]->name && !strcmp(r->jobs[i]->name, name) && r->jobs[i]->sum.dir[DIR_READ].ios)
			return r->jobs[i];
	return NULL;
}

static double measured_value(const struct result_job *j, enum disk_measure m)
{
	const struct summary_dir *d = &j->sum.dir[DIR_READ];

	if (m == DISK_LATENCY)
		return d->lat[LAT_LAT].n ? d->lat[LAT_LAT].mean : d->lat[LAT_CLAT].mean;
	return m == DISK_IOPS ? d->iops : (double)d->bw_bytes;
}

static void put_measure(struct strbuf *b, enum disk_measure m, double v)
{
	struct short_text t = m == DISK_LATENCY ? readable_latency(v)
			      : m == DISK_IOPS  ? readable_count(v)
						: readable_bytes_rate(v, &units);

	strbuf_printf(b, "%s%s", t.text, m == DISK_IOPS ? " IOPS" : "");
}

/* By enum disk_judgement. */
static const char *const judgement_word[] = { "usual", "slower than usual", "faster than usual" };

static void put_range(struct strbuf *b, enum disk_measure m, const struct disk_range *range)
{
	put_measure(b, m, fmin(range->slowest, range->fastest));
	strbuf_puts(b, " to ");
	put_measure(b, m, fmax(range->slowest, range->fastest));
}

/* Adds ", usual for SATA SSDs (76.9 us to 200 us; SOURCE)". */
static enum disk_judgement put_judgement(struct strbuf *b, enum disk_class class, enum disk_measure m,
					 double v)
{
	enum disk_judgement judgement;
	struct disk_range range;

	if (!disk_usual(class, m, &range)) {
		strbuf_puts(b, "; fiord does not know the class of this disk, so it has nothing to compare "
			       "this with");
		return DISK_USUAL;
	}
	judgement = disk_judge(m, &range, v);
	strbuf_printf(b, ", %s for %s (", judgement_word[judgement], disk_class_name[class]);
	put_range(b, m, &range);
	strbuf_printf(b, "; %s; half of the lowest speed there is still usual)", range.source);
	return judgement;
}

static void note_text(struct result *r, const struct strbuf *b)
{
	r->failed |= b->failed;
	result_note(r, "%s", strbuf_str(b));
}

static void note_figure(struct result *r, enum disk_class class, size_t i, bool seen[])
{
	const struct result_job *j = job_of(r, measured[i].job);
	struct strbuf b = { 0 };

	if (!j)
		return;
	strbuf_printf(&b, "disk: %s: ", measured[i].what);
	put_measure(&b, measured[i].measure, measured_value(j, measured[i].measure));
	seen[put_judgement(&b, class, measured[i].measure, measured_value(j, measured[i].measure))] = true;
	note_text(r, &b);
	strbuf_fini(&b);
}

/* ---- stalls and steadiness ---- */

/* Makes the series of a job with one worker. Returns false if it has none. */
static bool series_of(const struct result *r, const struct result_job *j, struct series *view)
{
	for (unsigned i = 0; i < r->series.data.ngroups; i++)
		if (r->series.label && r->series.label[i].group == j->group)
			return !series_view(view, &r->series.data, i);
	return false;
}

static void put_stalls(struct strbuf *b, const struct series *s)
{
	struct chart_stall stall;

	chart_stall(&stall, s, 0);
	if (!stall.stalls) {
		strbuf_puts(b, "no stall");
		return;
	}
	strbuf_printf(b, "%u stall%s, the longest of %s", stall.stalls, stall.stalls > 1 ? "s" : "",
		      readable_duration(stall.ms).text);
}

static void put_steady(struct strbuf *b, const struct series *s)
{
	struct chart_steady steady;

	chart_steady(&steady, s, 0, CHART_STEADY_IOPS);
	if (steady.verdict == CHART_TOO_SHORT || steady.verdict == CHART_TOO_FEW) {
		strbuf_puts(b, "it was too short, or had too few I/Os, to tell whether its rate is steady");
		return;
	}
	strbuf_printf(b,
		      "its rate is %s: over five parts of the time it ranges over %.0f %% of its mean with a "
		      "slope of %+.0f %% (steady: at most %.0f %% and %.0f %%)",
		      steady.verdict == CHART_STEADY ? "steady" : "not steady", steady.range, steady.slope,
		      CHART_RANGE, CHART_SLOPE);
}

static void note_steadiness(struct result *r, const char *name)
{
	const struct result_job *j = job_of(r, name);
	struct series view = { 0 };
	struct strbuf b = { 0 };

	if (!j || !series_of(r, j, &view))
		return;
	strbuf_printf(&b, "disk: the job %s had ", name);
	put_stalls(&b, &view);
	strbuf_puts(&b, "; ");
	put_steady(&b, &view);
	note_text(r, &b);
	strbuf_fini(&b);
	series_view_fini(&view);
}

/* ---- what explains an unusual figure ---- */

#define FOREIGN_LEAST 50.0 /* percent; the disk's counters contain the ramp, the jobs' figures do not */

/* Returns how many more bytes the disk moved than the jobs measured, in percent of what they measured. */
static double foreign_percent(const struct result *r, const struct props *disk)
{
	double own = 0, all = 0;

	for (size_t i = 0; i < r->njobs; i++)
		own += (double)r->jobs[i]->sum.dir[DIR_READ].bytes;
	for (size_t i = 0; disk && i < r->ndisks; i++)
		if (!strcmp(r->disks[i].name, props_str(disk, "name")))
			all = 512.0 * (double)(r->disks[i].counts.sectors[0] + r->disks[i].counts.sectors[1]);
	return own > 0 && all > own ? (all / own - 1) * 100 : 0;
}

static void explain_slow(struct result *r, enum disk_class class, const struct props *disk)
{
	const char *governor = props_str(&r->env.props, "governor");
	const char *scheduler = disk ? props_str(disk, "scheduler") : "";

	if (!strcmp(governor, "powersave") || !strcmp(governor, "conservative"))
		result_note(r,
			    "disk: the CPU governor is %s: a CPU at low frequency makes I/Os slower; "
			    "cpupower frequency-set -g performance changes it",
			    governor);
	if ((class == DISK_NVME || class == DISK_SATA_SSD) && *scheduler && strcmp(scheduler, "none") != 0)
		result_note(r,
			    "disk: the scheduler of %s is %s, which costs an SSD time: try "
			    "echo none >/sys/block/%s/queue/scheduler",
			    props_str(disk, "name"), scheduler, props_str(disk, "name"));
	if (class == DISK_VIRTUAL)
		result_note(
			r,
			"disk: compare the figures with the limits of the volume and of the machine's type: "
			"figures at a limit tell which one applies");
	if (class == DISK_SATA_SSD && props_num(disk, "queue_depth", 32) < 32)
		result_note(r,
			    "disk: %s takes only %" PRIu64
			    " commands at a time: native command queuing is off or limited",
			    props_str(disk, "name"), props_num(disk, "queue_depth", 32));
}

static bool buffered(const struct result *r)
{
	const char *direct = r->njobs ? total_option(r, r->jobs[0], "direct") : NULL;

	return direct && !strcmp(direct, "0");
}

static void explain_fast(struct result *r, enum disk_class class)
{
	if (buffered(r))
		result_note(r, "disk: with direct=0 the page cache answers reads, so these figures are those "
			       "of memory");
	else if (class == DISK_VIRTUAL || class == DISK_NETWORK)
		result_note(r,
			    "disk: the host or server may have answered from its own memory: a file larger "
			    "than that (--size) shows the disk");
	else
		result_note(r, "disk: the range that was read may be small enough for a cache, or for short "
			       "seeks: try a larger --size, or the whole device");
}

static void explain(struct result *r, enum disk_class class, const bool seen[])
{
	const struct props *disk = disk_bottom(r);
	double foreign = foreign_percent(r, disk);

	if (seen[DISK_SLOW])
		explain_slow(r, class, disk);
	if (seen[DISK_FAST])
		explain_fast(r, class);
	if (foreign > FOREIGN_LEAST)
		result_note(r,
			    "disk: %s moved %.0f %% more data than the jobs read, so other programs used it: "
			    "repeat the check when they do not",
			    props_str(disk, "name"), foreign);
	if (disk && !strcmp(props_str(disk, "write_cache"), "write through") &&
	    (class == DISK_ROTATIONAL || class == DISK_SATA_SSD))
		result_note(r,
			    "disk: the write cache of %s is off: reads do not need it, but writes are slower "
			    "(hdparm -W 1 turns it on)",
			    props_str(disk, "name"));
}

/* Adds " Large sequential reads: 1.83 GB/s (usual: 65.5 MB/s to 4.19 GB/s).", or "(slower than usual: ...)".
 */
static void put_disk_figure(struct strbuf *b, const struct result *r, enum disk_class class, size_t i)
{
	const struct result_job *j = job_of(r, measured[i].job);
	enum disk_measure m = measured[i].measure;
	struct disk_range range;

	if (!j)
		return;
	strbuf_printf(b, " %c%s: ", toupper((unsigned char)measured[i].what[0]), measured[i].what + 1);
	put_measure(b, m, measured_value(j, m));
	if (disk_usual(class, m, &range)) {
		strbuf_printf(b, " (%s: ", judgement_word[disk_judge(m, &range, measured_value(j, m))]);
		put_range(b, m, &range);
		strbuf_puts(b, ")");
	}
	strbuf_puts(b, ".");
}

/* "This disk reads as virtual disks usually do.", and its figures. */
static void set_answer(struct result *r, enum disk_class class, const bool seen[])
{
	struct strbuf b = { 0 };
	const char *this = seen[DISK_USUAL] ? "In part, this" : "This";

	if (!class)
		strbuf_puts(
			&b,
			"fiord does not know the class of this disk, so it cannot tell whether it is OK.");
	else if (seen[DISK_SLOW])
		strbuf_printf(&b,
			      "%s disk reads slower than %s usually do; the notes name what may explain it.",
			      this, disk_class_name[class]);
	else if (seen[DISK_FAST])
		strbuf_printf(&b,
			      "%s disk reads faster than %s usually do, so a cache may have answered; see "
			      "the notes.",
			      this, disk_class_name[class]);
	else if (seen[DISK_USUAL])
		strbuf_printf(&b, "This disk reads as %s usually do.", disk_class_name[class]);
	for (size_t i = 0; b.len && i < N_MEASURED; i++)
		put_disk_figure(&b, r, class, i);
	r->failed |= b.failed;
	r->answer = b.len ? result_copy_text(r, strbuf_str(&b)) : NULL;
	strbuf_fini(&b);
}

void preset_check_disk(struct result *r)
{
	enum disk_class class = disk_class_of(r);
	bool seen[3] = { false };

	for (size_t i = 0; i < N_MEASURED; i++)
		note_figure(r, class, i, seen);
	set_answer(r, class, seen);
	note_steadiness(r, "iops");
	note_steadiness(r, "bandwidth");
	explain(r, class, seen);
}
