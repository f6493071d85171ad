/* report.h: text, from a result. No arithmetic beyond choosing a unit; each format in its own file. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "dir.h"
#include "result.h"
#include "strbuf.h"

/* All reports append to b. 0 or -ENOMEM. */
int report_normal(const struct result *r, struct strbuf *b);
int report_json(const struct result *r, struct strbuf *b);
/* An entry of "status" in report_json's document: what a run that goes on has given so far, in short. by: who
   asked for it, "interval". */
int report_json_status(const struct result *r, const char *by, struct strbuf *b);
/* version: 2 to 5, which differ in their fields. */
int report_terse(const struct result *r, unsigned version, struct strbuf *b);

/* DISKSPD's text, and its XML, which ends without a newline: of a result that has spans (spans.h), else
 * nothing.
 */
int report_diskspd(const struct result *r, struct strbuf *b);
int report_diskspd_xml(const struct result *r, struct strbuf *b);
/* The machine alone, as they describe it. */
int report_diskspd_system(const struct result *r, bool xml, struct strbuf *b);

/* The lines before a run.
     NAME: (g=G): rw=X, bs=(R) LO-HI, (W) LO-HI, (T) LO-HI, ioengine=E, iodepth=N
   and "..." once, if the section has clones. */
struct report_start {
	const char *name, *rw, *engine;
	unsigned group, iodepth, clones; /* clones: numjobs */
	struct result_units units;
	uint64_t bs_lo[DIR_DATA], bs_hi[DIR_DATA];
};
void report_start_line(struct strbuf *b, const struct report_start *s);
/* "fiord 1.0.0 (fio 3.42)"; in fio's name "fio-3.42-fiord1.0.0". */
void report_banner(struct strbuf *b, const struct result *r, bool as_fio);
/* The same for callers that have no result yet. */
void report_version(struct strbuf *b, const char *program, const char *version, const char *fio_version,
		    bool as_fio);
/* "Starting 3 threads and 1 process" */
void report_starting(struct strbuf *b, unsigned processes, unsigned threads);
/* "NAME: Laying out IO files (4 files / 64MiB)" */
void report_layout_line(struct strbuf *b, const char *name, unsigned files, uint64_t bytes);

/* "CPU idleness:", nothing if it was not measured. */
void report_idle(struct strbuf *b, const struct result_idle *idle);

/* The progress line, without its \r or newline. Numbers as the caller has them; nothing is computed. */
struct progress {
	unsigned running, files;
	const char *states; /* one letter per worker, in order: P C I p / R W M D r w m d F V f E _ X K L */
	bool percent_known, eta_known;
	double percent;
	uint64_t eta_s;
	uint64_t bw[DIR_DATA], iops[DIR_DATA]; /* bytes and I/Os per s now; a direction at 0 is left out */
	uint64_t rate_lo, rate_hi;             /* bytes per s asked for, all running jobs together; 0: none */
	uint64_t rate_iops_lo, rate_iops_hi;
	uint64_t layout_done, layout_total; /* bytes; while the total is not 0 files are being laid out */
	struct result_units units;
	unsigned columns; /* the line is shorter than this; 0: as long as it gets */
};
void report_progress(const struct progress *p, struct strbuf *b);

#endif
