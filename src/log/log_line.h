/* log_line.h: the lines of log files, as fio writes them. Text only, quick: a run may make millions a second.
 */
#ifndef LOG_LINE_H
#define LOG_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "strbuf.h"

/* Which columns there are: time, value[, max], direction, bytes[, offset], priority[, issue]. */
struct log_line_form {
	bool max, offset, prio, issue; /* prio: in full, not only whether it is of the real-time class */
};

struct log_line {
	uint64_t time_ms, value, max, bytes, offset, issue_ns;
	uint16_t prio;
	uint8_t dir;
};

#define LOG_LINE_MAX 192

/* The line with its newline at `to`, which has LOG_LINE_MAX bytes; returns how many it has. */
size_t log_line_text(char *to, const struct log_line_form *form, const struct log_line *line);

/* The same as fio keeps it in compressed logs, which its --inflate-log reads: only of forms without max and
   issue. */
size_t log_line_binary(char *to, const struct log_line_form *form, const struct log_line *line);
/* Takes one from `from`, of which there are n bytes; returns how many it took, 0 if it is not whole. */
size_t log_line_from_binary(const char *from, size_t n, struct log_line_form *form, struct log_line *line);

/* One line of a histogram log: n counts, of which 2^coarseness are one column. */
void log_line_hist(struct strbuf *out, uint64_t time_ms, unsigned dir, uint64_t bytes, const uint64_t *count,
		   unsigned n, unsigned coarseness);

#endif
