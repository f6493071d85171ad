#include "diskspd_words.h"

#include <stdlib.h>
#include <string.h>
#include "spans.h"

void diskspd_words(const struct ds_reword *w, const char *text, struct strbuf *out)
{
	if (w)
		ds_reword(w, text, out);
	else
		strbuf_puts(out, text);
}

/* Replaces *text, which is the heap's. */
static void renew(const struct ds_reword *w, char **text)
{
	struct strbuf b = { 0 };
	char *said;

	ds_reword(w, *text, &b);
	said = b.failed ? NULL : strdup(strbuf_str(&b));
	if (said) {
		free(*text);
		*text = said;
	}
	strbuf_fini(&b);
}

void diskspd_words_diag(const struct ds_reword *w, struct diag *d)
{
	if (w && d->text)
		renew(w, &d->text);
}

static void reword_notes(const struct ds_reword *w, struct notes *n)
{
	for (size_t i = 0; i < n->count; i++)
		renew(w, &n->line[i]);
}

static void reword_text(const struct ds_reword *w, struct result *r, const char **text)
{
	struct strbuf b = { 0 };
	const char *said;

	if (!*text)
		return;
	ds_reword(w, *text, &b);
	said = b.failed ? NULL : arena_strdup(&r->mem, strbuf_str(&b));
	*text = said ? said : *text;
	strbuf_fini(&b);
}

void diskspd_words_result(const struct ds_reword *w, struct result *r)
{
	if (!w)
		return;
	reword_notes(w, &r->notes);
	for (size_t i = 0; i < r->jobs; i++) {
		reword_notes(w, &r->job[i]->notes);
		reword_text(w, r, &r->job[i]->error_text);
	}
	for (size_t i = 0; r->spans && i < r->spans->spans; i++)
		reword_text(w, r, &r->spans->span[i]->error);
}
