/* worker_error.c: a worker's first error and its first note, in its slot. */
#include <errno.h>
#include <stdarg.h>
#include "slot_text.h"
#include "worker.h"

void worker_fail(struct worker *w, int err, const char *fmt, ...)
{
	va_list ap;

	w->failed = true;
	if (w->slot->error)
		return;
	va_start(ap, fmt);
	slot_text_va(w->slot->error_text, sizeof(w->slot->error_text), fmt, ap);
	va_end(ap);
	w->slot->error = err ? err : EIO;
}

void worker_note(struct worker *w, const char *fmt, ...)
{
	va_list ap;

	if (w->slot->note[0])
		return;
	va_start(ap, fmt);
	slot_text_va(w->slot->note, sizeof(w->slot->note), fmt, ap);
	va_end(ap);
}
