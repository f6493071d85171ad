/* diskspd.h: what both of DISKSPD's reports say. Internal to report/. */
#ifndef REPORT_DISKSPD_H
#define REPORT_DISKSPD_H

#include "profile.h"
#include "spans.h"
#include "strbuf.h"

/* The version that scripts know these forms by. */
#define DISKSPD_VERSION "2.2.0"
#define DISKSPD_DATE    "2024/6/3"

/* The percentiles of the text; the least comes first, the most last. */
struct diskspd_row {
	const char *name;
	uint32_t share;
};
#define DISKSPD_ROWS 15
extern const struct diskspd_row diskspd_rows[DISKSPD_ROWS];

/* What the span was asked. */
const struct ds_span *diskspd_span(const struct result *r, const struct result_span *s);
/* Whether one sentence stands for it: nothing was measured, or it failed, of which DISKSPD shows nothing. */
bool diskspd_untold(const struct result *r, const struct result_span *s);
/* The sentence about a span that ended before its time, NULL of one that did not. Into buf. */
const char *diskspd_error(const struct result *r, const struct result_span *s, struct strbuf *buf);
/* A line of n of these. */
void diskspd_rule(struct strbuf *b, unsigned n, char c);
/* "System information:" */
void diskspd_system(struct strbuf *b, const struct result_spans *all);
void diskspd_xml_system(struct strbuf *b, const struct result *r);
/* What its XML has no element for. */
struct xmlout;
void diskspd_xml_comments(struct xmlout *w, const struct result *r);
/* How the processors were used; nothing if that is not known. */
void diskspd_cpu_table(struct strbuf *b, const struct result_spans *all, const struct result_span *s);
/* "2025/11/20 20:15:07 UTC" */
void diskspd_time(struct strbuf *b, uint64_t ms);
/* "0-3,6"; of several groups, "0/0-63, 1/0-3". */
void diskspd_cpus(struct strbuf *b, const struct span_masks *m);
/* A sentence about percentiles that rest on fewer samples than they need; false if there is none. */
bool diskspd_few(struct strbuf *b, const struct span_lat *lat[SPAN_KINDS]);

/* What the job's workers used themselves; nothing if that is not known. */
void diskspd_self(const struct result_job *j, struct strbuf *b);

static inline double diskspd_ms(double ns)
{
	return ns / 1e6;
}

#endif
