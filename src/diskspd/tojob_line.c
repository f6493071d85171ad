/* tojob_line.c: adds lines and notes to a section, and answers questions about it. */
#include <string.h>
#include "strbuf.h"
#include "tojob_section.h"
#include "profile.h"
#include "vec.h"

static const char *format_text(struct section *s, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));
static const char *format_text(struct section *s, const char *fmt, va_list ap)
{
	struct strbuf b = { 0 };
	const char *copy;

	strbuf_vprintf(&b, fmt, ap);
	copy = strbuf_to_arena(&b, &s->out->mem);
	s->no_memory |= !copy;
	return copy;
}

static void add_job_line(struct section *s, const char *text, bool section_only)
{
	struct job_line l = { .text = text, .section_only = section_only };

	for (const char *p = text; p && *p; p++)
		s->bad_character |= (unsigned char)*p < ' ';
	s->no_memory |= !text || !VEC_PUSH(&s->line, l);
}

void section_line(struct section *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_job_line(s, format_text(s, fmt, ap), false);
	va_end(ap);
}

void section_line_local(struct section *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_job_line(s, format_text(s, fmt, ap), true);
	va_end(ap);
}

static bool has_native(const struct ds_job *j, const char *text)
{
	for (size_t i = 0; i < j->native.n; i++)
		if (!strcmp(j->native.v[i].text, text))
			return true;
	return false;
}

static void add_native(struct section *s, const char *from, const char *text)
{
	struct ds_native_option option = { .text = arena_strdup(&s->out->mem, text),
					   .name = arena_strndup(&s->out->mem, text, strcspn(text, "=")),
					   .flag = arena_strdup(&s->out->mem, from) };

	if (has_native(s->out, text))
		return;
	s->no_memory |= !option.text || !option.name || !option.flag || !VEC_PUSH(&s->out->native, option);
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
	text = format_text(s, fmt, ap);
	va_end(ap);
	if (!text)
		return;
	add_native(s, from, text);
	add_job_line(s, arena_printf(&s->out->mem, "%s ; fiord only: %s", text, from), false);
}

__attribute__((format(printf, 3, 0))) static void add_job_note(struct section *s, struct notes *n,
							       const char *fmt, va_list ap)
{
	const char *text = format_text(s, fmt, ap);

	if (text)
		notes_add(n, "%s", text);
}

void section_fio_loss(struct section *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (s->cfg->for_fio)
		add_job_note(s, &s->out->losses, fmt, ap);
	va_end(ap);
}

void section_note(struct section *s, const char *fmt, ...)
{
	struct strbuf message = { 0 };
	va_list ap;

	va_start(ap, fmt);
	message_vprintf(&message, fmt, ap);
	va_end(ap);
	notes_add_message(&s->out->notes, strbuf_str(&message));
	s->no_memory |= message.failed;
	strbuf_fini(&message);
}

unsigned section_files(const struct section *s)
{
	unsigned n = 0;

	for (size_t i = 0; s->pool && i < s->span->ntargets; i++)
		n += section_weight(s, &s->span->targets[i]) != 0;
	return n ? n : 1;
}

bool section_grouped(const struct section *s)
{
	return !s->pool && !s->cfg->for_fio && (section_shares_threads(s) || s->target->nthread_targets);
}

uint64_t section_size(const struct section *s)
{
	uint64_t created = ds_created_size_before(s->profile, s->span, s->target->path);

	if (created)
		return created;
	return s->cfg->size ? s->cfg->size(s->cfg->ctx, s->target->path) : 0;
}
