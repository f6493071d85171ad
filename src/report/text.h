/* text.h: pieces that several text formats share. Internal to report/. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdint.h>
#include "strbuf.h"
#include "units.h"

/* A number in fio's four characters, in binary units where kb_base is 1024 or 0. */
static inline void text_num(struct strbuf *b, uint64_t value, unsigned kb_base, enum units_kind kind)
{
	units_num(b, value, 4, 1, kb_base != 1000, kind);
}

/* The same in the other base. */
static inline void text_alt(struct strbuf *b, uint64_t value, unsigned kb_base, enum units_kind kind)
{
	units_num(b, value, 4, 1, kb_base == 1000, kind);
}

/* A plain count: "54.4k". */
static inline void text_count(struct strbuf *b, uint64_t value)
{
	units_num(b, value, 4, 1, false, UNITS_NONE);
}

#define TEXT_TIME 64

/* ctime's text of the local time, without its newline, in any locale. Returns buf. */
const char *text_time(char buf[], size_t size, uint64_t ms);

#endif
