/* text.h: numbers and times as the text formats print them. Internal to report/. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdint.h>
#include "result.h"
#include "units.h"

struct strbuf;

/* Adds a number in the job's units: binary units unless kb_base is 1000. */
void text_num(struct strbuf *b, uint64_t value, const struct result_units *u, enum units_kind kind);
/* Adds the number in the other base. */
void text_alt(struct strbuf *b, uint64_t value, const struct result_units *u, enum units_kind kind);

/* Adds a count: "54.4k". */
void text_count(struct strbuf *b, uint64_t value, const struct result_units *u);

/* Adds a rate. A low rate keeps its fraction: "0.33". */
void text_rate(struct strbuf *b, double value, const struct result_units *u);
/* Adds a rate without a unit, in at least `width` characters. */
void text_low(struct strbuf *b, double value, int width);
/* Returns the value without its fraction: rounded to the nearest below 1000, cut off as in fio above. */
uint64_t text_whole(double value);

/* Adds the CPU use of the workers: "78.1 ns user and 0.2 ns system per I/O, 95.6% of a core". */
void text_self(struct strbuf *b, const struct summary_self *s);

/* Adds a time with two decimals: "2.00ms". */
void text_short_time(struct strbuf *b, double ns);

/* Adds a number of seconds: "01h:02m:03s", without days and hours that are 0. */
void text_clock(struct strbuf *b, uint64_t s);

/* Adds the steps of rate_steps; nothing if the job has none. */
void text_rate_steps(struct strbuf *b, const struct result_job *j);

#define TEXT_TIME 64

/* Writes the local time in the format of ctime, in any locale and without the newline. Returns buf. */
const char *text_time(char buf[], size_t size, uint64_t ms);

#endif
