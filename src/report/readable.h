/* readable.h: figures for people, with about three significant digits and a unit. None depends on the locale.
 */
#ifndef READABLE_H
#define READABLE_H

#include <stdint.h>
#include "result.h"
#include "strbuf.h"

struct short_text readable_count(double v);                                     /* 842, 52.3k, 1.20M */
struct short_text readable_bytes(double bytes, const struct result_units *u);   /* 1.50 GiB */
struct short_text readable_bytes_rate(double v, const struct result_units *u);  /* 204 MiB/s, 1.71 Gb/s */
struct short_text readable_bytes_other(double v, const struct result_units *u); /* in the other base */
struct short_text readable_latency(double ns);                                  /* 850 ns, 12.3 us, 1.42 ms */
struct short_text readable_duration(double ms); /* 340 ms, 8.00 s, 1 h 02 min */
struct short_text readable_percent(double v);   /* 12.5 % */
/* A date and a time in UTC, 2026-11-20 21:30:45 UTC. */
struct short_text readable_time(uint64_t ms);
/* All digits in groups of three: 1,234,567. */
struct short_text readable_exact(uint64_t v);

#endif
