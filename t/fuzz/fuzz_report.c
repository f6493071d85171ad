/* fuzz_report: the input is a document or a page. Each report of an accepted one is written without harm, has
   no byte that a terminal obeys, and is not cut. The result can be packed, unpacked, merged and compared with
   itself. */
#include <string.h>
#include "compare_report.h"
#include "fuzz_must.h"
#include "html.h"
#include "merge.h"
#include "read.h"
#include "report.h"
#include "result_pack.h"
#include "strbuf.h"

/* Finds control characters, C1 codes, and characters that change the direction of the text. Returns NULL if
   there is none. */
static const char *obeyed_by_terminals(const char *s)
{
	for (; *s; s++) {
		const unsigned char *u = (const unsigned char *)s;

		if ((*u < 0x20 && !strchr("\t\r\n", *u)) || *u == 0x7f)
			return s;
		if (*u == 0xc2 && u[1] >= 0x80 && u[1] < 0xa0)
			return s;
		if (*u == 0xe2 && ((u[1] == 0x80 && u[2] >= 0xaa && u[2] <= 0xae) ||
				   (u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9)))
			return s;
	}
	return NULL;
}

static void must_be_plain(struct strbuf *b, const char *report)
{
	const char *bad = obeyed_by_terminals(strbuf_str(b));

	must(strlen(strbuf_str(b)) == b->len, "NUL in a report", report);
	must(!bad, report, bad);
	strbuf_clear(b);
}

/* What fiord writes it must read again. */
static void must_be_read(struct strbuf *b, const char *report)
{
	struct result_set again = { 0 };
	struct diag d = { 0 };

	must(!result_read(&again, "again", b->text, b->len, &d), report, diag_text(&d));
	result_set_free(&again);
	diag_fini(&d);
	strbuf_clear(b);
}

static void one_result(const struct result *r, struct strbuf *b)
{
	static const struct {
		unsigned format, version;
		const char *name;
	} text[] = {
		{ OUT_NORMAL, 3, "normal" },   { OUT_TERSE, 2, "terse 2" },
		{ OUT_TERSE, 3, "terse 3" },   { OUT_TERSE, 4, "terse 4" },
		{ OUT_TERSE, 5, "terse 5" },   { OUT_JSON, 3, "json" },
		{ OUT_DISKSPD, 3, "diskspd" }, { OUT_DISKSPD_XML, 3, "diskspd-xml" },
	};

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		must(!report_render(text[i].format, text[i].version, r, b), "cannot be printed",
		     text[i].name);
		must_be_plain(b, text[i].name);
	}
	must(!report_render(OUT_JSON | OUT_JSON_PLUS, 3, r, b), "cannot be printed", "json+");
	must_be_read(b, "json+ cannot be read");
}

static void all_results(const struct result_set *set, struct strbuf *b)
{
	const struct result *const *res = (const struct result *const *)set->res;

	must(!report_csv(res, set->source, set->n, b), "cannot be printed", "csv");
	must_be_plain(b, "csv");
	must(!report_html(res, set->source, set->n, b), "cannot be printed", "html");
	must_be_read(b, "the page cannot be read");
	must(!report_junit(res, set->source, set->n, b), "cannot be printed", "junit");
	strbuf_clear(b);
}

static void compared(const struct result_set *set, struct strbuf *b)
{
	const struct compare_runs runs = { (const struct result *const *)set->res, set->source, 1 };
	const struct compare_cfg cfg = { .confidence = 0.95, .allow = { [COMPARE_SAME] = true } };
	struct compare c = { 0 };
	struct diag d = { 0 };

	if (!compare_results(&c, &runs, &runs, &cfg, &d)) {
		must(!report_compare_text(&c, b), "cannot be printed", "compare");
		must_be_plain(b, "compare");
		must(!report_compare_html(&c, b), "cannot be printed", "compare, html");
		strbuf_clear(b);
		must(!report_compare_json(&c, b), "cannot be printed", "compare, json");
		strbuf_clear(b);
	} else {
		must(*diag_text(&d) && !obeyed_by_terminals(diag_text(&d)), "error", diag_text(&d));
	}
	compare_fini(&c);
	diag_fini(&d);
}

static void packed(const struct result *r, struct strbuf *b)
{
	struct result again = { 0 };
	struct diag d = { 0 };

	if (!r->client_stats) {
		must(!result_pack(r, b), "cannot be packed", "pack");
		if (result_unpack(&again, r->version ? r->version : "", b->text, b->len, &d))
			must(*diag_text(&d), "no error", "pack");
	}
	result_free(&again);
	strbuf_clear(b);
	diag_fini(&d);
}

static void merged(const struct result_set *set, struct strbuf *b)
{
	struct result_merge *m = result_merge_new("fiord", "1", "fio-3.42", true);
	struct result sum = { 0 };
	struct diag d = { 0 };
	bool good = m;

	for (size_t i = 0; good && i < set->n; i++)
		good = !result_merge_add(m, set->res[i], set->source[i], &d);
	if (good && !result_merge_finish(m, &sum, &d)) {
		one_result(&sum, b);
	}
	result_free(&sum);
	result_merge_free(m);
	diag_fini(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result_set set = { 0 };
	struct strbuf b = { 0 };
	struct diag d = { 0 };

	if (!result_read(&set, "fuzz.json", (const char *)data, size, &d)) {
		for (size_t i = 0; i < set.n; i++) {
			one_result(set.res[i], &b);
			packed(set.res[i], &b);
		}
		all_results(&set, &b);
		compared(&set, &b);
		merged(&set, &b);
	} else {
		must(*diag_text(&d) && !obeyed_by_terminals(diag_text(&d)), "error", diag_text(&d));
	}
	result_set_free(&set);
	strbuf_fini(&b);
	diag_fini(&d);
	return 0;
}
