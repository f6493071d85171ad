#include "json_shared.h"

#include <string.h>

void json_options(struct jsonw *w, const char *key, const struct result_opt *opt, size_t n)
{
	if (!n)
		return;
	jsonw_object(w, key);
	for (size_t i = 0; i < n; i++) {
		bool repeated = false;

		/* An object has each key once: only the last value of an option counts. */
		for (size_t k = i + 1; k < n && !repeated; k++)
			repeated = !strcmp(opt[k].name, opt[i].name);
		if (!repeated)
			jsonw_str(w, opt[i].name, opt[i].value);
	}
	jsonw_end_object(w);
}

void json_notes(struct jsonw *w, const struct notes *n)
{
	jsonw_array(w, "notes");
	for (size_t i = 0; i < n->count; i++)
		jsonw_str(w, NULL, n->line[i]);
	jsonw_end_array(w);
}
