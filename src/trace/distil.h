/* distil.h: the figures of a trace -> a section of a job file that makes a like load without the trace. Pure.
 */
#ifndef DISTIL_H
#define DISTIL_H

#include "strbuf.h"
#include "trace_summary.h"

/* Adds the section. s: of the I/Os of one device, which is its device 0. */
void distil_section(const char *section, const struct trace_summary *s, uint64_t trace_first_ns,
		    struct strbuf *b);
/* Returns whether the device has reads or writes, so that it has a section. */
bool distil_has_section(const struct trace_summary *s);

#endif
