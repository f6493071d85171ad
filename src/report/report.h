/* report.h: the reports of a result, each format in its own file. Reports compute nothing; they only choose
   the unit of a figure. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "dir.h"
#include "out_format.h"
#include "result.h"

struct strbuf;

/* Appends the selected formats (bits of enum out_format) in fio's order: terse, JSON, normal; then DISKSPD's
   text and its XML. terse_version is 2 to 5. Returns 0 or -ENOMEM. */
int report_render(unsigned formats, unsigned terse_version, const struct result *res, struct strbuf *out);
/* All reports append to b and return 0 or -ENOMEM. */
int report_normal(const struct result *r, struct strbuf *b);
int report_json(const struct result *r, struct strbuf *b);
/* Writes an entry of "status" in report_json's document: a summary of a run in progress. by is the cause of
   the entry, such as "interval". */
int report_json_status(const struct result *r, const char *by, struct strbuf *b);
/* version is 2 to 5; the versions differ in their fields. */
int report_terse(const struct result *r, unsigned version, struct strbuf *b);

/* Write DISKSPD's text, and its XML without a newline at the end. They write nothing for a result without
   spans (spans.h). */
int report_diskspd(const struct result *r, struct strbuf *b);
int report_diskspd_xml(const struct result *r, struct strbuf *b);
/* Writes only the description of the machine, as text or as XML. */
int report_diskspd_system(const struct result *r, bool xml, struct strbuf *b);

/* The lines that are printed before a run:
     NAME: (g=G): rw=X, bs=(R) LO-HI, (W) LO-HI, (T) LO-HI, ioengine=E, iodepth=N
   and "..." once, if the section has clones. */
struct report_start {
	const char *name, *rw, *engine;
	unsigned group, iodepth, clones; /* clones: numjobs */
	struct result_units units;
	uint64_t bs_lo[DIR_DATA], bs_hi[DIR_DATA];
};
void report_start_line(struct strbuf *b, const struct report_start *s);
/* Adds "fiord 1.0.0 (fio 3.42)", or under fio's name "fio-3.42-fiord1.0.0". */
void report_version(struct strbuf *b, const char *program, const char *version, const char *fio_version,
		    bool as_fio);
/* Adds "Starting 3 threads and 1 process". */
void report_starting(struct strbuf *b, unsigned processes, unsigned threads);
/* Adds "NAME: Laying out IO files (4 files / 64MiB)". */
void report_layout_line(struct strbuf *b, const char *name, unsigned files, uint64_t bytes);

/* Adds "CPU idleness:" with its figures; nothing if idleness was not measured. */
void report_idle(struct strbuf *b, const struct result_idle *idle);

/* The progress line without its \r or newline. report_progress prints the caller's numbers and computes
   nothing. */
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
	const char *ranks; /* what the ranks do that run the jobs together; NULL: one machine runs them */
	struct result_units units;
	unsigned columns; /* the line is shorter than this; 0: as long as it gets */
};
void report_progress(const struct progress *p, struct strbuf *b);

/* The figures of one or several results as one table, in RFC 4180's format: a header line, then a line for
   each job and direction, and lines for all jobs of each group ("all jobs") if it has several jobs or
   directions.
   source[i] names the i-th result in the first column; source and its elements may be NULL. The names of the
   columns have units. A cell is empty where a figure is unknown or was not measured. Lines end with CR LF.
   Returns 0 or -ENOMEM. */
int report_csv(const struct result *const *res, const char *const *source, size_t n, struct strbuf *b);

/* Assertions and errors of runs as JUnit XML, which test servers read.
   Writes a test suite for each result, named by source[] unless it is NULL: a test case for each verdict, one
   for the errors of each job, and one for the end of the run. Returns 0 or -ENOMEM. */
int report_junit(const struct result *const *res, const char *const *source, size_t n, struct strbuf *b);

#endif
