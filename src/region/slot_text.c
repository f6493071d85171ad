#include "region.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "strbuf.h"

static void __attribute__((format(printf, 3, 0))) put_text(char *to, size_t size, const char *fmt, va_list ap)
{
	vsnprintf(to, size, fmt, ap);
	for (char *c = to; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	}
}

void slot_message_va(char *to, size_t size, const struct speller *s, const char *fmt, va_list ap)
{
	struct strbuf message = { 0 }, words = { 0 };
	va_list again;

	va_copy(again, ap);
	message_vprintf(&message, fmt, ap);
	message_render(strbuf_str(&message), s, &words);
	if (message.failed || words.failed)
		put_text(to, size, fmt, again);
	else
		slot_text(to, size, "%s", strbuf_str(&words));
	va_end(again);
	strbuf_fini(&message);
	strbuf_fini(&words);
}

void slot_text(char *to, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_text(to, size, fmt, ap);
	va_end(ap);
}

void slot_error(struct slot *slot, const struct speller *s, int err, const struct diag *d)
{
	struct strbuf words = { 0 };

	if (slot->error)
		return;
	message_render(d->message ? d->message : diag_text(d), s, &words);
	slot_text(slot->error_text, sizeof(slot->error_text), "%s",
		  words.failed ? diag_text(d) : strbuf_str(&words));
	slot->error = err ? err : EIO;
	strbuf_fini(&words);
}

void slot_note_va(struct slot *slot, const struct speller *s, const char *fmt, va_list ap)
{
	char text[sizeof(slot->note[0])];

	slot_message_va(text, sizeof(text), s, fmt, ap);
	for (unsigned i = 0; i < SLOT_NOTES; i++) {
		if (!strcmp(slot->note[i], text))
			return;
		if (!slot->note[i][0]) {
			memcpy(slot->note[i], text, sizeof(text));
			return;
		}
	}
	slot->more_notes = true;
}

void slot_note(struct slot *slot, const struct speller *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	slot_note_va(slot, s, fmt, ap);
	va_end(ap);
}

void slot_lost_worker(const struct region *r, uint32_t job, int err, const char *fmt, ...)
{
	struct slot *s = region_slot(r, job);
	va_list ap;

	va_start(ap, fmt);
	put_text(s->lost_reason, sizeof(s->lost_reason), fmt, ap);
	va_end(ap);
	if (!s->error)
		s->error = err < 0 ? -err : err;
	region_set_phase(r, job, PHASE_DONE);
	region_notify(r, NOTIFY_URGENT);
}
