#include "retold.h"

#include <stdlib.h>
#include <string.h>
#include "spans.h"

void retold(const struct ds_retell *w, const char *text, struct strbuf *out)
{
	if (w)
		ds_retell(w, text, out);
	else
		strbuf_puts(out, text);
}

/* Replaces *text, which is the heap's. */
static void renew(const struct ds_retell *w, char **text)
{
	struct strbuf b = { 0 };
	char *said;

	ds_retell(w, *text, &b);
	said = b.failed ? NULL : strdup(strbuf_str(&b));
	if (said) {
		free(*text);
		*text = said;
	}
	strbuf_fini(&b);
}

void retold_diag(const struct ds_retell *w, struct diag *d)
{
	if (w && d->text)
		renew(w, &d->text);
}

static void retold_notes(const struct ds_retell *w, struct notes *n)
{
	for (size_t i = 0; i < n->count; i++)
		renew(w, &n->line[i]);
}

static void retold_text(const struct ds_retell *w, struct result *r, const char **text)
{
	struct strbuf b = { 0 };
	const char *said;

	if (!*text)
		return;
	ds_retell(w, *text, &b);
	said = b.failed ? NULL : arena_strdup(&r->mem, strbuf_str(&b));
	*text = said ? said : *text;
	strbuf_fini(&b);
}

void retold_result(const struct ds_retell *w, struct result *r)
{
	if (!w)
		return;
	retold_notes(w, &r->notes);
	for (size_t i = 0; i < r->jobs; i++) {
		retold_notes(w, &r->job[i]->notes);
		retold_text(w, r, &r->job[i]->error_text);
	}
	for (size_t i = 0; r->spans && i < r->spans->spans; i++)
		retold_text(w, r, &r->spans->span[i]->error);
}
