/* slot_text.h: the texts of a slot. Each is one line, cut to its size, with control characters as '?'. */
#ifndef SLOT_TEXT_H
#define SLOT_TEXT_H

#include <stdarg.h>
#include "message.h"
#include "region.h"

void slot_text(char *to, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A message (message.h), in the words of this reader; NULL: in those of a job file. */
void slot_message_va(char *to, size_t size, const struct speller *s, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));
void slot_text_va(char *to, size_t size, const char *fmt, va_list ap) __attribute__((format(printf, 3, 0)));

/* Ends a worker that cannot report for itself: it died, hangs, or was never started. The parent calls this,
   or the thread host. err is an errno of either sign; 0: the worker keeps the error that it has. */
void slot_lost_worker(const struct region *r, uint32_t job, int err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
