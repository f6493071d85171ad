/* collect_split_notes.c: the answer of latency_split in sentences. */
#include "collect_split.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "counts.h"
#include "result.h"
#include "sysfs.h"

/* A smaller share of the requests, or of the time of requests, is not worth a sentence. */
#define OTHERS_PERCENT  5
#define WAITING_PERCENT 20
/* A queue is called full if so much of it is used on average: it fills and drains at the ends of a run. */
#define FULL_PERCENT 80

/* 99.7 % are not 100. */
static unsigned whole(double percent)
{
	return (unsigned)percent;
}

/* ---- where the time goes ---- */

/* The parts of a mean, or of a sum of times, in the order of time. */
enum { PARTS = 4 };

static const char *place_of(const double *part, double *percent)
{
	static const char *const place[PARTS] = { "before the request is queued", "in the queue of requests",
						  "on the device",
						  "on the way from the device's completion to the worker" };
	unsigned largest = 0;
	double all = 0;

	for (unsigned i = 0; i < PARTS; i++) {
		largest = part[i] > part[largest] ? i : largest;
		all += part[i];
	}
	*percent = all > 0 ? 100 * part[largest] / all : 0;
	return place[largest];
}

static void add_largest_part(struct result_job *job, const struct result_split *row)
{
	const double parts[PARTS] = { row->submission.mean, row->scheduler.mean, row->device.mean,
				      row->completion.mean };
	double percent;
	const char *place = place_of(parts, &percent);

	if (row->completion_known && percent > 0)
		result_job_note(job, "%u %% of the mean latency of the %ss on %s is spent %s", whole(percent),
				row->dir, row->disk, place);
}

static void add_tail(struct result_job *job, const struct result_split *row)
{
	const struct result_split_tail *tail = &row->tail;
	const double parts[PARTS] = { tail->submission_percent, tail->scheduler_percent, tail->device_percent,
				      tail->completion_percent };
	double percent;
	const char *place = place_of(parts, &percent);

	if (tail->n)
		result_job_note(job, "the slowest 1 %% of the %s%s on %s spend %u %% of their time %s%s",
				row->dir, row->completion_known ? "s" : " requests", row->disk,
				whole(percent),
				tail->has_completion ? "" : "until the device completes them ", place);
}

static void add_sample(struct result_job *job, const struct result_split *row)
{
	bool windows = row->measured < row->device.n;

	if (row->measured < row->requests)
		result_job_note(
			job,
			"the parts of the %ss on %s come from %.1f %% of the requests (%s), so the number of "
			"requests is an estimate{?; {+latency_split=all} measures all of them, and costs "
			"more}",
			row->dir, row->disk, 100 * (double)row->measured / (double)row->requests,
			windows ? "a random sample in windows of time"
				: "the first ones, because the job ended before a window of the sample");
}

/* ---- requests that wait ---- */

/* How many requests of the job are in a place on average, by Little's law, and what time they take. */
struct load {
	double waiting, on_device;
	double waiting_ns, device_ns;
};

static double per_ns(const struct result_job *job, const struct result_split *row)
{
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		if (!strcmp(row->dir, counts_dir_name[dir]) && job->sum.dir[dir].runtime_ms)
			return (double)row->requests / ((double)job->sum.dir[dir].runtime_ms * 1e6);
	return 0;
}

static struct load load_of(const struct result_job *job, const char *disk)
{
	struct load l = { 0 };

	for (size_t i = 0; i < job->nsplits; i++) {
		const struct result_split *row = &job->splits[i];

		if (strcmp(row->disk, disk) != 0)
			continue;
		l.waiting += per_ns(job, row) * row->scheduler.mean;
		l.on_device += per_ns(job, row) * row->device.mean;
		l.waiting_ns += (double)row->requests * row->scheduler.mean;
		l.device_ns += (double)row->requests * row->device.mean;
	}
	return l;
}

/* Returns how many requests the device takes at once; 0: not known, or one limit for each of several queues.
 */
static uint64_t queue_depth(const char *disk)
{
	char line[128];
	uint64_t depth, limit;

	if (sysfs_u64(&depth, "/sys/block/%s/mq/0/nr_tags", disk) ||
	    !sysfs_line(line, sizeof(line), "/sys/block/%s/mq/1/nr_tags", disk))
		depth = 0;
	if (!sysfs_u64(&limit, "/sys/block/%s/device/queue_depth", disk) && (!depth || limit < depth))
		depth = limit;
	/* With a scheduler, nr_requests says how many requests that one holds. */
	if (depth && !sysfs_line(line, sizeof(line), "/sys/block/%s/queue/scheduler", disk) &&
	    strstr(line, "[none]") && !sysfs_u64(&limit, "/sys/block/%s/queue/nr_requests", disk) &&
	    limit < depth)
		depth = limit;
	return depth;
}

static void add_waiting(struct result_job *job, const char *disk)
{
	struct load l = load_of(job, disk);
	uint64_t depth = queue_depth(disk);
	bool full = depth && l.on_device * 100 >= (double)depth * FULL_PERCENT;

	if (l.waiting >= 1 && l.waiting_ns * 100 >= (l.waiting_ns + l.device_ns) * WAITING_PERCENT) {
		char limit[64] = "";

		if (full)
			snprintf(limit, sizeof(limit), ", whose queue depth is %" PRIu64, depth);
		result_job_note(job,
				"requests wait to be issued to %s: %.1f of the job wait on average, and %.1f "
				"are on the device%s",
				disk, l.waiting, l.on_device, limit);
	} else if (full && (uint64_t)job->iodepth * job->members > depth) {
		result_job_note(job,
				"the job fills the queue of %s: %.1f of its %" PRIu64
				" places are taken on average, and the call that submits waits for one",
				disk, l.on_device, depth);
	}
}

/* ---- others ---- */

/* The row of those that are not listed. */
static bool is_rest(const struct result_split_other *o)
{
	return !strcmp(o->name, "others");
}

/* Processes of the run itself count as others if they have no latency_split, or queue requests of io_uring in
   threads: a process with the name of this one may be such. */
static bool is_foreign(const struct result_split_other *o)
{
	char own[32] = "";

	sysfs_line(own, sizeof(own), "/proc/self/comm");
	return !o->kernel && strcmp(o->name, own) != 0 && !is_rest(o);
}

static void add_others(struct result_job *job, const char *disk)
{
	const struct result_split_other *most = NULL;
	const char *at_least = "";
	unsigned names = 0;
	double percent = 0;

	for (size_t i = 0; i < job->nsplit_others; i++) {
		const struct result_split_other *o = &job->split_others[i];

		if (strcmp(o->disk, disk) != 0)
			continue;
		at_least = is_rest(o) ? "at least " : at_least;
		if (!is_foreign(o))
			continue;
		most = most ? most : o;
		percent += o->percent;
		names++;
	}
	if (percent >= OTHERS_PERCENT)
		result_job_note(job, "other processes issued %s%u %% of the requests to %s: %s%s", at_least,
				whole(percent), disk, most->name, names > 1 ? " the most" : "");
}

void collect_split_notes(struct result_job *job)
{
	for (size_t i = 0; i < job->nsplits; i++) {
		const struct result_split *row = &job->splits[i];

		add_largest_part(job, row);
		add_tail(job, row);
		add_sample(job, row);
		if (i + 1 < job->nsplits && !strcmp(row->disk, job->splits[i + 1].disk))
			continue;
		add_waiting(job, row->disk);
		add_others(job, row->disk);
	}
}
