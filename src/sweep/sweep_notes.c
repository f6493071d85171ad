#include "sweep_curve.h"

#include <errno.h>
#include <string.h>

/* Adds a note unless the point has it already: clones share notes. */
static int add_note(struct sweep *s, size_t point, const char *text)
{
	struct sweep_note **at = &s->note;

	while (*at && strcmp((*at)->text, text))
		at = &(*at)->next;
	if (!*at) {
		*at = arena_alloc(&s->mem, sizeof(**at));
		if (!*at)
			return -ENOMEM;
		**at = (struct sweep_note){ .text = text, .first = point };
	} else if ((*at)->last == point) {
		return 0;
	}
	(*at)->last = point;
	(*at)->points++;
	return 0;
}

int sweep_add_notes(struct sweep *s, size_t point, const struct result *res)
{
	int err = 0;

	for (size_t i = 0; i < res->notes.count && !err; i++) {
		const char *text = arena_strdup(&s->mem, res->notes.line[i]);

		err = text ? add_note(s, point, text) : -ENOMEM;
	}
	for (size_t i = 0; i < res->njobs; i++) {
		const struct notes *notes = &res->jobs[i]->notes;

		for (size_t k = 0; k < notes->count && !err; k++) {
			const char *text =
				arena_printf(&s->mem, "%s: %s", res->jobs[i]->name, notes->line[k]);

			err = text ? add_note(s, point, text) : -ENOMEM;
		}
	}
	return err;
}
