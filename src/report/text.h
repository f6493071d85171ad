/* text.h: numbers and times as the text formats print them. Internal to report/. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdint.h>
#include "result.h"
#include "strbuf.h"
#include "units.h"

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

/* Adds the steps of rate_steps; nothing if the job has none. */
void text_rate_steps(struct strbuf *b, const struct result_job *j);

#define TEXT_TIME 64

/* Writes the local time in the format of ctime, in any locale and without the newline. Returns buf. */
const char *text_time(char buf[], size_t size, uint64_t ms);

#endif
