/* diskspd.h: the parts that DISKSPD's text and XML reports share. Internal to report/. */
#ifndef REPORT_DISKSPD_H
#define REPORT_DISKSPD_H

#include "profile.h"
#include "spans.h"

struct strbuf;

/* The percentiles of the text report. The minimum comes first and the maximum last. */
struct diskspd_row {
	const char *name;
	uint32_t share;
};
#define DISKSPD_ROWS 15
extern const struct diskspd_row diskspd_rows[DISKSPD_ROWS];

/* Returns the settings of the span in the profile. */
const struct ds_span *diskspd_span(const struct result *r, const struct result_span *s);
/* Returns true if the reports print one sentence in place of the span's figures: nothing was measured, or the
   span failed (DISKSPD prints no figures of a failed span). */
bool diskspd_without_figures(const struct result *r, const struct result_span *s);
/* Writes the sentence about a span that ended early into buf and returns it; NULL if the span ended in time.
 */
const char *diskspd_error(const struct result *r, const struct result_span *s, struct strbuf *buf);
/* Adds a line of n characters c. */
void diskspd_rule(struct strbuf *b, unsigned n, char c);
/* Adds the section "System information:" of the text report, and its XML element. */
void diskspd_system(struct strbuf *b, const struct result_spans *all);
void diskspd_xml_system(struct strbuf *b, const struct result *r);
/* Adds XML comments for the figures that have no element in DISKSPD's XML. */
struct xmlout;
void diskspd_xml_comments(struct xmlout *w, const struct result *r);
/* Adds the table of processor use; nothing if it is unknown. */
void diskspd_cpu_table(struct strbuf *b, const struct result_spans *all, const struct result_span *s);
/* Adds the rows of a table of percentiles, and a sentence about those with too few samples. The last row
   before the maximum has this many nines. */
void diskspd_percentiles(struct strbuf *b, const struct span_lat *lat[SPAN_KINDS], unsigned nines);
/* Adds the sentence about a span that ended early. Returns true if the span has no figures. */
bool diskspd_put_error(struct strbuf *b, const struct result *r, const struct result_span *s);
/* Adds the report of diskspd-for-linux. */
void diskspd_port(struct strbuf *b, const struct result *r);
/* Adds a time: "2025/11/20 20:15:07 UTC". */
void diskspd_time(struct strbuf *b, uint64_t ms);
/* Adds a list of processors: "0-3,6", or with several groups "0/0-63, 1/0-3". */
void diskspd_cpus(struct strbuf *b, const struct span_masks *m);
/* Adds a sentence about percentiles that have too few samples. Returns false if all have enough. */
bool diskspd_few_samples(struct strbuf *b, const struct span_lat *lat[SPAN_KINDS]);

/* Adds the CPU use of the job's workers; nothing if it is unknown. */
void diskspd_self(const struct result_job *j, struct strbuf *b);

static inline double diskspd_ms(double ns)
{
	return ns / 1e6;
}

#endif
