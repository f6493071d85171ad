/* fuzz_several: the input is documents with a NUL between them. They are merged, compared, and taken as the
   points of a sweep. What is written of a merge can be read again; the texts have no byte that a terminal
   obeys. */
#include <string.h>
#include "compare_report.h"
#include "fuzz_must.h"
#include "merge.h"
#include "read.h"
#include "report.h"
#include "strbuf.h"
#include "sweep_report.h"

#define DOCUMENTS_MAX 4

static void must_be_plain(struct strbuf *b, const char *report)
{
	must(strlen(strbuf_str(b)) == b->len, "NUL in a report", report);
	for (const char *s = strbuf_str(b); *s; s++)
		must((unsigned char)*s >= 0x20 || strchr("\t\r\n", *s), report, s);
	strbuf_clear(b);
}

static void one_line(const struct diag *d)
{
	must(*diag_text(d) && !strchr(diag_text(d), '\n'), "no one-line error", diag_text(d));
}

static void merged(const struct result_set *set, struct strbuf *b)
{
	struct result_merge *m = result_merge_new("fiord", "1", "fio-3.42", true);
	struct result_set again = { 0 };
	struct result sum = { 0 };
	struct diag d = { 0 };
	bool good = m;

	for (size_t i = 0; good && i < set->n; i++)
		good = !result_merge_add(m, set->res[i], set->source[i], &d);
	if (good && !result_merge_finish(m, &sum, &d)) {
		must(!report_render(OUT_JSON | OUT_JSON_PLUS, 3, &sum, b), "cannot be printed", "json+");
		must(!result_read(&again, "again", b->text, b->len, &d), "a merge is not read",
		     diag_text(&d));
		strbuf_clear(b);
		must(!report_render(OUT_NORMAL, 3, &sum, b), "cannot be printed", "normal");
		must_be_plain(b, "normal");
	} else if (m) {
		one_line(&d);
	}
	result_free(&sum);
	result_merge_free(m);
	result_set_free(&again);
	diag_fini(&d);
}

static void compared(const struct result_set *set, struct strbuf *b)
{
	const struct result *const *res = (const struct result *const *)set->res;
	const struct compare_runs base = { res, set->source, 1 },
				  other = { res + 1, set->source + 1, set->n - 1 };
	const struct compare_cfg cfg = { .confidence = 0.95, .allow = { [COMPARE_SAME] = true } };
	struct compare c = { 0 };
	struct diag d = { 0 };

	if (set->n > 1 && !compare_results(&c, &base, &other, &cfg, &d)) {
		must(!report_compare_text(&c, b), "cannot be printed", "compare");
		must_be_plain(b, "compare");
		must(!report_compare_html(&c, b), "cannot be printed", "compare, html");
		strbuf_clear(b);
		must(!report_compare_json(&c, b), "cannot be printed", "compare, json");
		must_be_plain(b, "compare, json");
	} else if (set->n > 1) {
		one_line(&d);
	}
	compare_fini(&c);
	diag_fini(&d);
}

/* Each document is a point of iodepth=1,2,3,4. */
static void swept(const struct result_set *set, struct strbuf *b)
{
	struct sweep s = { 0 };
	struct diag d = { 0 };
	bool good = !sweep_matrix_add(&s.matrix, "iodepth=1,2,3,4", &d) && !sweep_init(&s, &d);

	must(good, "no sweep", diag_text(&d));
	for (size_t i = 0; i < s.npoints && i < set->n && good; i++) {
		s.points[i].state = SWEEP_DONE;
		s.points[i].source = set->source[i];
		good = !sweep_add_result(&s, i, set->res[i], &d) && !sweep_add_notes(&s, i, set->res[i]);
	}
	if (good && !sweep_finish(&s, &d)) {
		must(!report_sweep_text(&s, b), "cannot be printed", "sweep");
		must_be_plain(b, "sweep");
		must(!report_sweep_csv(&s, b), "cannot be printed", "sweep, csv");
		must_be_plain(b, "sweep, csv");
		must(!report_sweep_html(&s, b), "cannot be printed", "sweep, html");
		strbuf_clear(b);
	}
	sweep_fini(&s);
	diag_fini(&d);
}

static void read_all(struct result_set *set, const uint8_t *data, size_t size)
{
	for (const uint8_t *at = data, *end = data + size; at < end && set->n < DOCUMENTS_MAX;) {
		const uint8_t *nul = memchr(at, 0, (size_t)(end - at));
		struct diag d = { 0 };

		if (result_read(set, "fuzz.json", (const char *)at, (size_t)((nul ? nul : end) - at), &d))
			one_line(&d);
		diag_fini(&d);
		at = nul ? nul + 1 : end;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result_set set = { 0 };
	struct strbuf b = { 0 };

	read_all(&set, data, size);
	if (set.n) {
		merged(&set, &b);
		compared(&set, &b);
		swept(&set, &b);
	}
	result_set_free(&set);
	strbuf_fini(&b);
	return 0;
}
