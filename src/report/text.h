/* text.h: numbers and times as the text formats print them. Internal to report/. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdint.h>
#include "result.h"
#include "strbuf.h"
#include "units.h"
#include "summary.h"

/* Returns a number in the job's units: binary units unless kb_base is 1000. */
struct short_text text_num(uint64_t value, const struct result_units *u, enum units_kind kind);
/* Returns the number in the other base. */
struct short_text text_alt(uint64_t value, const struct result_units *u, enum units_kind kind);

/* Returns a count: "54.4k". */
struct short_text text_count(uint64_t value, const struct result_units *u);

/* Returns a rate. A low rate keeps its fraction: "0.33". */
struct short_text text_rate(double value, const struct result_units *u);
/* Returns a rate without a unit, in at least `width` characters. */
struct short_text text_low(double value, int width);
/* Returns the value without its fraction: rounded to the nearest below 1000, cut off as in fio above. */
uint64_t text_whole(double value);

/* Adds the CPU use of the workers: "78.1 ns user and 0.2 ns system per I/O, 95.6% of a core". */
void text_self(struct strbuf *b, const struct summary_self *s);

/* Returns a time with two decimals: "2.00ms". */
struct short_text text_short_time(double ns);

/* Returns a number of seconds: "01h:02m:03s", without days and hours that are 0. */
struct short_text text_clock(uint64_t s);

/* Adds where the time of the requests went (latency_split); nothing if it was not measured. */
void text_split(struct strbuf *b, const struct result_job *j);

/* Adds the steps of rate_steps; nothing if the job has none. */
void text_rate_steps(struct strbuf *b, const struct result_job *j);

#define TEXT_TIME 64

/* Writes the local time in the format of ctime, in any locale and without the newline. Returns buf. */
const char *text_time(char buf[], size_t size, uint64_t ms);

/* latency.c. */
extern const char *const latency_label[LAT_KINDS];

/* Adds "    clat (usec): min=14, max=11531, avg=272.03, stdev=578.17"; nothing without samples. */
void latency_row(struct strbuf *b, const struct summary_lat *l, const char *label);
/* Adds "    clat percentiles (usec):" and its block; nothing if percentiles are off. */
void latency_percentiles(struct strbuf *b, const struct summary *s, const struct summary_lat *l,
			 const char *label);
/* Adds "  lat (usec)   : 4=0.01%, ...". */
void latency_cells(struct strbuf *b, const struct summary *s);

/* normal_job.c: adds the lines about one job. */
void normal_job(struct strbuf *b, const struct result *r, const struct result_job *j);
/* Adds the name of the job, with its host in a result of several hosts. */
void normal_job_name(struct strbuf *b, const struct result_job *j);

/* Adds a table of the job's files, or of some of them and a line that says how many more there are; nothing
   without per_file_stats. */
void text_files(struct strbuf *b, const struct result_job *j);

/* Adds a table of the ranks, and lines about the first, the last, stragglers and errors; nothing for a run on
   one host. */
void text_hosts(struct strbuf *b, const struct result_hosts *hosts);
/* Adds how a straggler differs from the others: "took 14.20s for wave 1, the median rank 10.00s". */
void text_straggler(struct strbuf *b, const struct result_host *h);

/* job_notes.c: finds notes that a report has already printed. Clones share notes, and so do the hosts of a
   merged result. */

/* Returns true if an entry before this one has printed the note: the one before with the same name, or one of
   the same name on any other host. */
bool job_note_printed(const struct result *r, size_t job, const char *line);
/* Returns the number of later entries of the same name on other hosts with this note. */
size_t job_note_hosts(const struct result *r, size_t job, const char *line);

/* Adds a few lines to the normal report; none if the program runs under fio's name. */
void report_environment(struct strbuf *b, const struct result *r);

#endif
