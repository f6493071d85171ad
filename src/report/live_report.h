/* live_report.h: the state of a run at the end of an interval, and its two texts: a line of JSON, and metrics
   in the text format of Prometheus. fiord-live(5) documents both. Reports compute nothing. */
#ifndef LIVE_REPORT_H
#define LIVE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "dir.h"
#include "wstat.h"

struct strbuf;

#define LIVE_VERSION     1
#define LIVE_PERCENTILES 6
extern const double live_percentiles[LIVE_PERCENTILES];

/* Latencies of the interval. */
struct live_lat {
	uint64_t n, min, max; /* ns */
	double mean;
	bool has_percentiles;
	uint64_t percentile[LIVE_PERCENTILES]; /* ns */
};

/* The latency of a job: completion, or total without it; and the response time, under a rate. */
enum { LIVE_LAT, LIVE_RESP, LIVE_LATS };

struct live_dir {
	uint64_t ios, bytes, errors;
	uint64_t unfinished; /* I/Os that were due and not complete when the measurement of their worker
				ended; lat[LIVE_RESP] has the age that they had reached */
	double iops, bw;     /* per second of the interval */
	struct live_lat lat[LIVE_LATS];
};

/* Sums from the start of the run. */
struct live_total {
	uint64_t ios, bytes, errors, unfinished;
	uint64_t lat_n[LIVE_LATS], lat_sum[LIVE_LATS]; /* ns */
};

struct live_figures {
	enum lat_kind kind; /* of LIVE_LAT: LAT_CLAT or LAT_LAT; LAT_KINDS: none */
	bool in_flight_known;
	uint64_t in_flight;
	unsigned late; /* workers whose I/Os of this interval come in a later line */
	struct live_dir dir[DIR_COUNT];
	struct live_total total[DIR_COUNT];
};

/* An entry of jobs[] in the document. */
struct live_job {
	const char *name, *rw, *engine, *state;
	unsigned group, workers, running, depth;
	int error; /* errno of its first failed worker; 0: none */
	struct live_figures now;
};

/* A worker that should run, but has completed no I/O for a whole interval. */
struct live_hung {
	const char *name;
	unsigned number; /* of the job in jobs[] */
	unsigned clone;
	int pid;
	uint64_t silent_ns;    /* since the end of its last interval that is complete */
	uint64_t oldest_io_ns; /* age of its oldest I/O in flight; 0: none */
};

struct live_report {
	const char *program_version;
	unsigned run, runs;   /* of --repeat; runs is 0 without it */
	uint64_t interval_ns; /* as asked for */
	uint64_t time_ms;     /* since 1970, at the end of the interval */
	uint64_t elapsed_ns;  /* since the start of the run */
	uint64_t length_ns;   /* of this interval */
	uint64_t lines, lost_lines;
	struct live_figures all;
	struct live_job *jobs;
	size_t njobs;
	struct live_hung *hung;
	size_t nhung;
	bool finished;
	int exit_code, signal; /* signal: the one that ended the run; 0: none */
};

/* Each adds one line, with its newline: the first line, that of an interval, and the last one. */
void report_live_run(const struct live_report *r, struct strbuf *b);
void report_live_interval(const struct live_report *r, struct strbuf *b);
void report_live_end(const struct live_report *r, struct strbuf *b);
/* Adds the whole text of a file. */
void report_prometheus(const struct live_report *r, struct strbuf *b);

#endif
