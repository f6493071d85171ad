/* json_parts.h: what the JSON document and its status entries share. Private to report/. */
#ifndef JSON_PARTS_H
#define JSON_PARTS_H

#include "jsonw.h"
#include "result.h"

/* bins may be NULL. */
void json_lat(struct jsonw *w, const char *key, const struct summary *s, const struct summary_lat *l,
	      const struct result_bins *bins);
/* The key "series"; nothing if it was not asked for. */
void report_json_series(struct jsonw *w, const struct result_series *r);

#endif
