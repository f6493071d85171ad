/* help_terms.c: the terms of measuring and of tools around fiord that `fiord help TERM` explains. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "help_topic.h"
#include "nearest.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char latencies[] =
	"slat is the submission latency: how long the call took that gave the I/O to the kernel.\n"
	"clat is the completion latency: from the end of that call to the completion.\n"
	"lat is both together: from the beginning of the submission to the completion.\n"
	"resp is the response time: from the time at which a rate made the I/O due to its\n"
	"completion. It includes the wait for earlier I/Os, and only jobs with a rate have it.\n"
	"Reports show percentiles of clat; lat_percentiles=1 adds those of lat.\n";

static const char grafana[] =
	"Grafana draws what Prometheus collects. --prometheus=DIRECTORY/fiord.prom replaces this\n"
	"file every second with the metrics of the run. The textfile collector of Prometheus's\n"
	"node_exporter reads it (--collector.textfile.directory=DIRECTORY). man fiord-live lists\n"
	"the metrics. Other programs can read the lines of JSON that --live=FILE writes.\n";

/* clang-format off */
static const struct {
	const char *term, *text;
} terms[] = {
	{ "latency", latencies },
	{ "latencies", latencies },
	{ "lat", latencies },
	{ "slat", latencies },
	{ "clat", latencies },
	{ "resp", latencies },
	{ "response time", latencies },
	{ "grafana", grafana },
	{ "knee", "The knee is the load from which on more I/Os in flight give hardly more IOPS, but longer\n"
		  "latencies. fiord sweep --sweep iodepth=1..64 JOBS... runs the jobs with each depth, and\n"
		  "names the point with the greatest IOPS per mean latency. To find the greatest load that\n"
		  "keeps to a limit instead, add --until 'read.lat.p99 < 2ms'.\n" },
	{ "zipf", "zipf is a distribution of random offsets in which few hot blocks get most of the I/Os, as\n"
		  "popular records of a database do. The block of rank k gets a share in proportion to\n"
		  "1/k^theta: random_distribution=zipf:1.2 sets theta to 1.2. fiord dist zipf:1.2 --size=1t\n"
		  "prints how much of the data gets which share of the I/Os. fiord help random_distribution\n"
		  "says more.\n" },
	{ "coordinated omission",
		  "Coordinated omission is an error of measuring. A program that waits for one I/O before it\n"
		  "starts the next sends nothing while the storage stalls, so the I/Os that users would have\n"
		  "waited for are missing, and the percentiles look too good. Give the job a rate, such as\n"
		  "rate_iops=1000: then resp, the response time, begins when an I/O was due, and a stall\n"
		  "delays all I/Os that were due meanwhile. With rate_open=1, the I/Os that were still\n"
		  "waiting at the end count, too. fiord help rate_open says more.\n" },
};
/* clang-format on */

/* "coordinated-omission" is the same term. Case does not matter. */
static bool is_term(const char *term, const char *topic)
{
	for (; *term && *topic; term++, topic++) {
		char c = strchr("-_", *topic) ? ' ' : (char)tolower((unsigned char)*topic);

		if (*term != c)
			return false;
	}
	return !*term && !*topic;
}

const char *help_term(const char *topic)
{
	for (size_t i = 0; i < COUNT(terms); i++)
		if (is_term(terms[i].term, topic))
			return terms[i].text;
	return NULL;
}

const char *help_term_nearest(const char *topic)
{
	const char *words[COUNT(terms) + 1] = { NULL };

	for (size_t i = 0; i < COUNT(terms); i++)
		words[i] = terms[i].term;
	return nearest_word(words, topic);
}
