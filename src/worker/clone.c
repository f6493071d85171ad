/* clone.c: the error and the notes of a worker, in its slot. */
#include <errno.h>
#include <stdarg.h>
#include "clone.h"
#include "region.h"

void clone_fail(struct clone *c, int err, const char *fmt, ...)
{
	va_list ap;

	c->failed = true;
	if (c->slot->error)
		return;
	va_start(ap, fmt);
	slot_message_va(c->slot->error_text, sizeof(c->slot->error_text), c->plan->set->speller, fmt, ap);
	va_end(ap);
	c->slot->error = err ? err : EIO;
}

void clone_fail_diag(struct clone *c, int err, const struct diag *d)
{
	c->failed = true;
	slot_error(c->slot, c->plan->set->speller, err, d);
}

void clone_note(const struct clone *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	slot_note_va(c->slot, c->plan->set->speller, fmt, ap);
	va_end(ap);
}
