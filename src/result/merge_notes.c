#include "merge_parts.h"

#include <stdlib.h>
#include <string.h>
#include "vec.h"

/* The limit of the different notes of all results together. Notes beyond it are only counted. */
#define NOTES_MAX 200

static struct merge_note *find_note(const struct merge_notes *m, const char *text)
{
	for (size_t i = 0; i < m->n; i++)
		if (!strcmp(m->v[i].text, text))
			return &m->v[i];
	return NULL;
}

void merge_notes_add(struct merge_notes *m, struct result *out, const struct notes *notes, const char *host)
{
	for (size_t i = 0; i < notes->count; i++) {
		struct merge_note *note = find_note(m, notes->line[i]), one = { .hosts = 1 };

		if (note) {
			note->hosts++;
			continue;
		}
		if (m->n == NOTES_MAX) {
			m->left_out++;
			continue;
		}
		one.text = result_copy_text(out, notes->line[i]);
		one.host = result_copy_text(out, host);
		if (!one.text || !one.host || !VEC_PUSH(m, one))
			out->failed = true;
	}
}

void merge_notes_finish(const struct merge_notes *m, struct result *out)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct merge_note *note = &m->v[i];

		if (note->hosts > 1)
			result_note(out, "%s and %zu more: %s", note->host, note->hosts - 1, note->text);
		else
			result_note(out, "%s: %s", note->host, note->text);
	}
}

void merge_notes_fini(struct merge_notes *m)
{
	free(m->v);
}
