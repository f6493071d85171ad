/* render.c: renders a result in each selected output format. */

#include <errno.h>
#include "report.h"
#include "strbuf.h"
#include "utf8.h"

/* A result of JSON+ has more than plain JSON shows. */
static int put_json(const struct result *res, bool plus, struct strbuf *out)
{
	struct result plain = *res;

	if (plus || res->bins_off)
		return report_json(res, out);
	plain.bins_off = true;
	plain.series.on = res->series.on && !res->series.json_plus;
	return report_json(&plain, out);
}

/* Names may come from the documents of other people: no terminal shall obey them. Moves a text to out. */
static void put_plain(struct strbuf *text, struct strbuf *out)
{
	out->failed |= text->failed;
	if (text->len) {
		utf8_make_plain(text->text, "\r\n\t");
		strbuf_puts(out, text->text);
	}
	strbuf_fini(text);
}

static int put_text_report(int (*report)(const struct result *r, struct strbuf *b), const struct result *res,
			   struct strbuf *out)
{
	struct strbuf text = { 0 };
	int ret = report(res, &text);

	put_plain(&text, out);
	return ret;
}

static int put_terse(const struct result *res, unsigned version, struct strbuf *out)
{
	struct strbuf text = { 0 };
	int ret = report_terse(res, version, &text);

	put_plain(&text, out);
	return ret;
}

int report_render(unsigned formats, unsigned terse_version, const struct result *res, struct strbuf *out)
{
	int ret = 0;

	if (formats & OUT_TERSE)
		ret = put_terse(res, terse_version, out);
	if (!ret && formats & OUT_JSON)
		ret = put_json(res, formats & OUT_JSON_PLUS, out);
	if (!ret && formats & OUT_NORMAL)
		ret = put_text_report(report_normal, res, out);
	if (!ret && formats & OUT_DISKSPD)
		ret = put_text_report(report_diskspd, res, out);
	if (!ret && formats & OUT_DISKSPD_XML)
		ret = report_diskspd_xml(res, out);
	return ret ? ret : out->failed ? -ENOMEM : 0;
}
