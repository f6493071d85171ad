/* slot_text.h: the texts of a slot. Each text is one line, cut to fit, with '?' for control characters. */
#ifndef SLOT_TEXT_H
#define SLOT_TEXT_H

#include <stdarg.h>
#include "message.h"
#include "region.h"

void slot_text(char *to, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Formats a message (message.h) with the option names of this speller; NULL: the names of a job file. */
void slot_message_va(char *to, size_t size, const struct speller *s, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));

/* Sets the error of the job, unless it has one: its text and errno. */
void slot_error(struct slot *slot, const struct speller *s, int err, const struct diag *d);

/* Adds a note for the report, unless the slot has it already. */
void slot_note(struct slot *slot, const struct speller *s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void slot_note_va(struct slot *slot, const struct speller *s, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));

/* Ends a worker that cannot report by itself: it died, hangs, or never started. The parent or the thread host
   calls this. err is an errno of either sign; 0 keeps the error that the worker has. */
void slot_lost_worker(const struct region *r, uint32_t job, int err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
