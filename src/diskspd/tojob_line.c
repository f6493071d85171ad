/* tojob_line.c: adds lines and notes to a section, and answers questions about the section that several files
 * ask. */
#include <string.h>
#include "tojob_section.h"
#include "profile_facts.h"
#include "units.h"
#include "vec.h"

static const char *vkeep(struct section *s, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));
static const char *vkeep(struct section *s, const char *fmt, va_list ap)
{
	struct strbuf b = { 0 };
	const char *kept;

	strbuf_vprintf(&b, fmt, ap);
	kept = b.failed ? NULL : arena_strdup(&s->out->mem, strbuf_str(&b));
	strbuf_fini(&b);
	s->no_memory |= !kept;
	return kept;
}

static void push(struct section *s, const char *text, bool stays)
{
	struct job_line l = { .text = text, .section_only = stays };

	for (const char *p = text; p && *p; p++)
		s->bad_character |= (unsigned char)*p < ' ';
	s->no_memory |= !text || !VEC_PUSH(&s->line, l);
}

void section_line(struct section *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	push(s, vkeep(s, fmt, ap), false);
	va_end(ap);
}

void section_line_local(struct section *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	push(s, vkeep(s, fmt, ap), true);
	va_end(ap);
}

static bool owned_already(const struct ds_job *j, const char *text)
{
	for (size_t i = 0; i < j->native.n; i++)
		if (!strcmp(j->native.v[i].text, text))
			return true;
	return false;
}

static void remember(struct section *s, const char *from, const char *text)
{
	struct ds_native_option own = { .text = arena_strdup(&s->out->mem, text),
					.name = arena_strndup(&s->out->mem, text, strcspn(text, "=")),
					.flag = arena_strdup(&s->out->mem, from) };

	if (owned_already(s->out, text))
		return;
	s->no_memory |= !own.text || !own.name || !own.flag || !VEC_PUSH(&s->out->native, own);
}

void section_line_native(struct section *s, const char *from, const char *lost, const char *fmt, ...)
{
	const char *text;
	va_list ap;

	if (s->cfg->for_fio) {
		notes_add(&s->out->losses, "%s: %s", from, lost);
		return;
	}
	va_start(ap, fmt);
	text = vkeep(s, fmt, ap);
	va_end(ap);
	if (!text)
		return;
	remember(s, from, text);
	push(s, arena_printf(&s->out->mem, "%s ; fiord only: %s", text, from), false);
}

__attribute__((format(printf, 3, 0))) static void tell(struct section *s, struct notes *n, const char *fmt,
						       va_list ap)
{
	const char *text = vkeep(s, fmt, ap);

	if (text)
		notes_add(n, "%s", text);
}

void section_fio_loss(struct section *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (s->cfg->for_fio)
		tell(s, &s->out->losses, fmt, ap);
	va_end(ap);
}

void section_note(struct section *s, const char *fmt, ...)
{
	struct strbuf message = { 0 };
	va_list ap;

	va_start(ap, fmt);
	message_vprintf(&message, fmt, ap);
	va_end(ap);
	notes_message(&s->out->notes, strbuf_str(&message));
	s->no_memory |= message.failed;
	strbuf_fini(&message);
}

static const char *size_text(struct section *s, uint64_t bytes, bool capital)
{
	struct strbuf b = { 0 };
	const char *kept;

	units_print_size(&b, bytes);
	if (capital && b.len && b.text[b.len - 1] >= 'a')
		b.text[b.len - 1] = (char)(b.text[b.len - 1] - 'a' + 'A');
	kept = b.failed ? NULL : arena_strdup(&s->out->mem, strbuf_str(&b));
	strbuf_fini(&b);
	s->no_memory |= !kept;
	return kept ? kept : "";
}

const char *section_size_text(struct section *s, uint64_t bytes)
{
	return size_text(s, bytes, false);
}

const char *section_diskspd_size(struct section *s, uint64_t bytes)
{
	return size_text(s, bytes, true);
}

unsigned section_files(const struct section *s)
{
	unsigned n = 0;

	for (size_t i = 0; s->pool && i < s->span->targets; i++)
		n += section_weight(s, &s->span->target[i]) != 0;
	return n ? n : 1;
}

/* Sections with the same threads, and so one engine for all of them. */
bool section_grouped(const struct section *s)
{
	return !s->pool && !s->cfg->for_fio && (section_shares_threads(s) || s->target->thread_targets);
}

uint64_t section_size(const struct section *s)
{
	uint64_t made = ds_created_size_before(s->profile, s->span, s->target->path);

	if (made)
		return made;
	return s->cfg->size ? s->cfg->size(s->cfg->ctx, s->target->path) : 0;
}
