/* units.h: parses sizes, times, counts and percentages as fio's users write them, and prints numbers as fio
   does. Grammar and suffixes follow the observed behaviour of fio 3.x. Values that fio silently misreads
   ("4.5k", "4x", "10sec") are either parsed correctly or refused. */
#ifndef UNITS_H
#define UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An amount in bytes, in percent of the file or device, or in zones. */
struct amount {
	uint64_t bytes;
	uint32_t percent; /* 0: the amount is `bytes` */
	uint64_t zones;   /* 0: not in zones; else resolve sets `bytes` */
};

/* All return 0, -EINVAL (not such a value) or -ERANGE (too large), and leave *out unchanged on an error. If
   `hint` is not NULL, it may be set to a static sentence that lists the allowed values. */

/* Parses a size in bytes. kb_base 1024: k kb ki = 1024, kib = 1024 (fio: 1000), m mb mi mib = 2^20, ... ;
   kb_base 1000: k kb ki = 1000, kib = 1024. Decimal fractions are valid if the result is a whole number
   ("4.5k" = 4608). */
int units_size(const char *text, unsigned kb_base, uint64_t *out, const char **hint);
/* Parses a time into nanoseconds. The suffixes are us/usec ms/msec s/sec m/min h/hour d/day and the full
   words; `unit_ns` is the unit of a bare number. Fractions are valid ("1.5s"). */
int units_time(const char *text, uint64_t unit_ns, uint64_t *out, const char **hint);
/* Returns the length of the digits, and of the fraction if there is one, with which the text begins: 5, 0.5
   or .5. Returns 0 if there are none, or if no digit follows the point. */
size_t units_decimal(const char *text);
/* Parses a size, "N%" (which may be above 100), or "Nz" for zones. */
int units_amount(const char *text, unsigned kb_base, struct amount *out, const char **hint);

struct strbuf;
enum units_kind { UNITS_NONE, UNITS_BYTES, UNITS_BYTES_PER_S, UNITS_BITS_PER_S };
/* Appends a number as fio prints it: at most `digits` significant characters, base 1000 or 1024. The value is
   in units of `scale` (1, or 1024 for a value in KiB). With UNITS_BITS_PER_S the value is also in bytes per
   second. */
void units_num(struct strbuf *b, uint64_t value, unsigned digits, uint64_t scale, bool pow2,
	       enum units_kind kind);

/* A size or time as a value, to stand among the arguments of a message: units_bytes(n).text */
struct units_text {
	char text[48];
};
/* Return exact text that parses to the same value with kb_base 1024, for --showcmd and the plan: "64m", "4k",
   "4097"; "1500ms", or without a suffix a multiple of unit_ns. */
struct units_text units_suffixed(uint64_t bytes);
struct units_text units_duration(uint64_t ns, uint64_t unit_ns);
/* Returns a size for people, with two figures or more: "1.5 GiB", "12 MiB". */
struct units_text units_bytes(uint64_t bytes);
/* Returns the same text, and the exact number if rounding hides it: "64 MiB", "1.0 GiB (1073741825 bytes)".
 */
struct units_text units_exact(uint64_t bytes);
/* Writes a number with `least` to `most` decimals, the last of which is 0 only if there have to be so
   many: 99.9, or 99.900000 with 6 to 12. It does not depend on the locale. Values are cut to [0, 10^(18 -
   most)]. Returns text. */
#define UNITS_DECIMALS 32
const char *units_decimals(char text[UNITS_DECIMALS], double v, unsigned least, unsigned most);

#endif
