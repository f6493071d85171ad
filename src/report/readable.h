/* readable.h: figures for people, with about three significant digits and a unit. None depends on the locale.
 */
#ifndef READABLE_H
#define READABLE_H

#include <stdint.h>
#include "result.h"

struct strbuf;

void readable_count(struct strbuf *b, double v);                                    /* 842, 52.3k, 1.20M */
void readable_bytes(struct strbuf *b, double bytes, const struct result_units *u);  /* 1.50 GiB */
void readable_bytes_rate(struct strbuf *b, double v, const struct result_units *u); /* 204 MiB/s, 1.71 Gb/s */
void readable_bytes_other(struct strbuf *b, double v, const struct result_units *u); /* in the other base */
void readable_latency(struct strbuf *b, double ns);  /* 850 ns, 12.3 us, 1.42 ms */
void readable_duration(struct strbuf *b, double ms); /* 340 ms, 8.00 s, 1 h 02 min */
void readable_percent(struct strbuf *b, double v);   /* 12.5 % */
/* Adds a date and a time in UTC, 2026-11-20 21:30:45 UTC. */
void readable_time(struct strbuf *b, uint64_t ms);
/* Adds all digits in groups of three: 1,234,567. */
void readable_exact(struct strbuf *b, uint64_t v);

#endif
