/* text.h: pieces that several text formats share. Internal to report/. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdint.h>
#include "result.h"
#include "strbuf.h"
#include "units.h"

/* A number in the job's figures: binary units unless kb_base is 1000. */
void text_num(struct strbuf *b, uint64_t value, const struct result_units *u, enum units_kind kind);
/* The same in the other base. */
void text_alt(struct strbuf *b, uint64_t value, const struct result_units *u, enum units_kind kind);

/* A plain count: "54.4k". */
void text_count(struct strbuf *b, uint64_t value, const struct result_units *u);

/* A rate as a count; a low one keeps its fraction: "0.33". */
void text_rate(struct strbuf *b, double value, const struct result_units *u);
/* The same without a unit, of at least `width` characters. */
void text_low(struct strbuf *b, double value, int width);
/* Without its fraction: below 1000 the nearest, above as fio cuts it off. */
uint64_t text_whole(double value);

/* What the workers used: "78.1 ns user and 0.2 ns system per I/O, 95.6% of a core". */
void text_self(struct strbuf *b, const struct summary_self *s);

#define TEXT_TIME 64

/* ctime's text of the local time, without its newline, in any locale. Returns buf. */
const char *text_time(char buf[], size_t size, uint64_t ms);

#endif
