/* emit_line.c: adds lines and notes to a section, and answers questions about the section that several files
 * ask. */
#include <string.h>
#include "emit_section.h"
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
	s->failed |= !kept;
	return kept;
}

static void push(struct section *s, const char *text, bool stays)
{
	struct job_line l = { .text = text, .stays = stays };

	for (const char *p = text; p && *p; p++)
		s->broken |= (unsigned char)*p < ' ';
	s->failed |= !text || !VEC_PUSH(&s->line, l);
}

void line_any(struct section *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	push(s, vkeep(s, fmt, ap), false);
	va_end(ap);
}

void line_here(struct section *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	push(s, vkeep(s, fmt, ap), true);
	va_end(ap);
}

static bool owned_already(const struct ds_job *j, const char *text)
{
	for (size_t i = 0; i < j->own.n; i++)
		if (!strcmp(j->own.v[i].text, text))
			return true;
	return false;
}

static void remember(struct section *s, const char *from, const char *text)
{
	struct ds_own own = { .text = arena_strdup(&s->out->mem, text),
			      .name = arena_strndup(&s->out->mem, text, strcspn(text, "=")),
			      .from = arena_strdup(&s->out->mem, from) };

	if (owned_already(s->out, text))
		return;
	s->failed |= !own.text || !own.name || !own.from || !VEC_PUSH(&s->out->own, own);
}

void line_own(struct section *s, const char *from, const char *lost, const char *fmt, ...)
{
	const char *text;
	va_list ap;

	if (s->cfg->fio) {
		notes_add(&s->out->lost, "%s: %s", from, lost);
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

void line_near(struct section *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (s->cfg->fio)
		tell(s, &s->out->lost, fmt, ap);
	va_end(ap);
}

void line_note(struct section *s, const char *fmt, ...)
{
	struct strbuf message = { 0 };
	va_list ap;

	va_start(ap, fmt);
	message_vprintf(&message, fmt, ap);
	va_end(ap);
	notes_message(&s->out->notes, strbuf_str(&message));
	s->failed |= message.failed;
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
	s->failed |= !kept;
	return kept ? kept : "";
}

const char *line_size(struct section *s, uint64_t bytes)
{
	return size_text(s, bytes, false);
}

const char *line_dsize(struct section *s, uint64_t bytes)
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
	return !s->pool && !s->cfg->fio && (section_shares_threads(s) || s->t->thread_targets);
}

uint64_t section_size(const struct section *s)
{
	uint64_t made = ds_made_before(s->profile, s->span, s->t->path);

	if (made)
		return made;
	return s->cfg->size ? s->cfg->size(s->cfg->ctx, s->t->path) : 0;
}
