/* json_shared.h: the parts that the JSON document and its status entries share. Private to report/. */
#ifndef JSON_SHARED_H
#define JSON_SHARED_H

#include "figures.h"
#include "jsonw.h"
#include "result.h"

/* json_job.c: adds the entry of a job. */
void json_job(struct jsonw *w, const struct result *r, const struct result_job *j);
/* Adds the rows of figures.h of the struct `from` to the open object. */
void json_figures(struct jsonw *w, const struct figure *rows, const void *from);
/* The same if the open object is one of the rows' own, "fiord.". */
void json_figures_in(struct jsonw *w, const char *object, const struct figure *rows, const void *from);
/* Adds options as an object. */
void json_options(struct jsonw *w, const char *key, const struct result_opt *opt, size_t n);
/* Adds the key "notes". */
void json_notes(struct jsonw *w, const struct notes *n);
/* json_lat.c: adds the latencies of one kind under `key`. bins may be NULL. */
void json_lat(struct jsonw *w, const char *key, const struct summary *s, const struct summary_lat *l,
	      const struct result_bins *bins);
/* Adds the bins of a histogram; nothing if bins is NULL or empty. */
void json_bins(struct jsonw *w, const struct result_bins *bins);
/* Adds the key "rate_steps" to the open object of a job; nothing if the job has no steps. */
void json_rate_steps(struct jsonw *w, const struct result *r, const struct result_rate_steps *s);
/* Adds the figures to the open object of a latency. */
void json_lat_figures(struct jsonw *w, const struct summary *s, const struct summary_lat *l,
		      const struct result_bins *bins);
/* Adds a number of 128 bits to text. */
void json_add_u128(struct strbuf *b, uint64_t hi, uint64_t lo);
/* Adds the key "files" to the open object of a job; nothing without per_file_stats. */
void json_files(struct jsonw *w, const struct result *r, const struct result_job *j);
/* Adds the key "counts" to the open object of a job; nothing if they are not known. */
void json_counts(struct jsonw *w, const struct result *r, const struct result_job *j);
/* Adds the key "series"; nothing if the user did not ask for it. */
void report_json_series(struct jsonw *w, const struct result_series *r);
/* environment.c: adds the keys "plan", "environment", "clock" and "targets". */
void report_json_environment(struct jsonw *w, const struct result *r);

#endif
