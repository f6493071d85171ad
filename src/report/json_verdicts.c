/* json_verdicts.c: the verdicts of assertions in the JSON document. */
#include "json_shared.h"

void json_verdicts(struct jsonw *w, const struct result_verdicts *list)
{
	if (!list->n)
		return;
	jsonw_array(w, "assertions");
	for (size_t i = 0; i < list->n; i++) {
		const struct result_verdict *v = &list->v[i];

		jsonw_object(w, NULL);
		jsonw_str(w, "assertion", v->assertion);
		if (v->of)
			jsonw_str(w, "of", v->of);
		jsonw_str(w, "figure", v->figure);
		if (v->why)
			jsonw_str(w, "not_measured", v->why);
		else
			jsonw_double(w, "measured", v->measured);
		jsonw_str(w, "operator", v->op);
		jsonw_double(w, "limit", v->limit);
		jsonw_str(w, "unit", limit_unit_name[v->unit]);
		jsonw_bool(w, "passed", v->passed);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}
