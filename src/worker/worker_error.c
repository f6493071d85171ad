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
	slot_message_va(w->slot->error_text, sizeof(w->slot->error_text), w->plan->set->speller, fmt, ap);
	va_end(ap);
	w->slot->error = err ? err : EIO;
}

void worker_fail_diag(struct worker *w, int err, const struct diag *d)
{
	struct strbuf words = { 0 };

	message_render(d->message ? d->message : diag_text(d), w->plan->set->speller, &words);
	worker_fail(w, err, "%s", words.failed ? diag_text(d) : strbuf_str(&words));
	strbuf_fini(&words);
}

void worker_note(struct worker *w, const char *fmt, ...)
{
	va_list ap;

	if (w->slot->note[0])
		return;
	va_start(ap, fmt);
	slot_message_va(w->slot->note, sizeof(w->slot->note), w->plan->set->speller, fmt, ap);
	va_end(ap);
}
