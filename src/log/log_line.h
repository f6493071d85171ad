/* log_line.h: formats the lines of log files as fio does. It must be fast: a run may write millions of lines
   a second. */
#ifndef LOG_LINE_H
#define LOG_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/* The columns of a log: time, value[, max], direction, bytes[, offset], priority[, issue time]. */
struct log_line_form {
	bool max, offset, prio, issue; /* prio: the full priority, not only whether its class is real time */
};

struct log_line {
	uint64_t time_ms, value, max, bytes, offset, issue_ns;
	uint16_t prio;
	uint8_t dir;
};

#define LOG_LINE_MAX 192

/* Writes the line with its newline to `to`, which has LOG_LINE_MAX bytes. Returns its length. */
size_t log_line_text(char *to, const struct log_line_form *form, const struct log_line *line);

/* Writes a line of fio's iolog (version 3) without its newline: time stamp, file and action; and offset and
   length of an I/O. Returns the bytes. `to` has room for the path and LOG_LINE_MAX bytes. */
size_t log_line_iolog(char *to, uint64_t us, const char *path, size_t path_len, const char *action);
size_t log_line_extent(char *to, uint64_t offset, uint64_t bytes);

/* Writes the line as a binary record of fio's compressed logs, which fio --inflate-log reads. Only for forms
   without max and issue time. */
size_t log_line_binary(char *to, const struct log_line_form *form, const struct log_line *line);
/* Returns whether the 32 bytes at `from` begin a record of a machine of another byte order: years, gibibytes,
   or an unknown direction. */
bool log_line_foreign(const char *from);
/* Reads a binary record from the n bytes at `from`. Returns its length; 0 if it is incomplete. */
size_t log_line_from_binary(const char *from, size_t n, struct log_line_form *form, struct log_line *line);

/* Adds a line of a histogram log: n counts, with 2^coarseness of them summed into each column. */
void log_line_hist(struct strbuf *out, uint64_t time_ms, unsigned dir, uint64_t bytes, const uint64_t *count,
		   unsigned n, unsigned coarseness);

#endif
