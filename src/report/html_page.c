/* html_page.c: the frame of the HTML pages, sections and tables. */
#include "html_page.h"

#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>
#include "strbuf.h"
#include "svg.h"
#include "version.h"

const char *html_dir_name(const struct result_job *job, unsigned dir)
{
	static const char *const name[DIR_COUNT] = { "Read", "Write", "Trim", "Sync" };

	return job->mixed && dir == DIR_READ ? "Mixed" : name[dir];
}

const char *html_dir_class(unsigned dir)
{
	static const char *const name[DIR_COUNT] = { "read", "write", "trim", "sync" };

	return name[dir];
}

const char *html_name(const struct result_job *job)
{
	return job->name && *job->name ? job->name : "(no name)";
}

const char *html_string(struct html_run *h, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	const char *text;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	text = strbuf_to_arena(&b, &h->mem);
	h->b->failed |= !text;
	return text ? text : "";
}

void html_job_name(struct strbuf *b, const struct result_job *job)
{
	html_text(b, job->name);
	if (!job->hostname)
		return;
	html_printf(b, " on %s", job->hostname);
}

const char *html_lat_name(enum lat_kind kind)
{
	static const char *const name[LAT_KINDS + 1] = { "submission latency", "completion latency",
							 "total latency", "response time", "latency" };

	return name[kind];
}

bool html_has_dir(const struct result_job *job, unsigned dir)
{
	return total_has_dir(job, dir);
}

bool html_any_io(const struct result_job *job)
{
	return html_has_dir(job, DIR_READ) || html_has_dir(job, DIR_WRITE) || html_has_dir(job, DIR_TRIM);
}

/* Adds the hash by which the policy knows a style or a script: 'sha256-...'. */
static void put_hash(struct strbuf *b, const char *text)
{
	unsigned char digest[SHA256_DIGEST_LENGTH];

	SHA256((const unsigned char *)text, strlen(text), digest);
	strbuf_puts(b, " 'sha256-");
	html_base64(b, digest, sizeof(digest));
	strbuf_puts(b, "'");
}

/* The policy comes before everything that it governs. */
static void put_head(struct strbuf *b, const char *title)
{
	struct strbuf style = { 0 };

	strbuf_puts(&style, html_style);
	svg_style(&style);
	strbuf_puts(b,
		    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src");
	put_hash(b, strbuf_str(&style));
	strbuf_puts(b, "; script-src");
	put_hash(b, html_script);
	html_printf(b,
		    "; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" "
		    "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" "
		    "content=\"light dark\">\n<meta name=\"referrer\" "
		    "content=\"no-referrer\">\n<title>%s</title>\n<style>",
		    title);
	strbuf_printf(b, "%s</style>\n</head>\n", strbuf_str(&style));
	strbuf_end(&style, b);
}

void report_html_page_begin(struct strbuf *b, const char *title, const char *subtitle)
{
	put_head(b, title);
	html_printf(
		b,
		"<body>\n<a class=\"skip\" href=\"#main\">Skip to the results</a>\n<header>\n<h1>%s</h1>\n",
		title);
	if (subtitle)
		html_printf(b, "<p class=\"sub\">%s</p>\n", subtitle);
	strbuf_puts(b, "</header>\n<main id=\"main\" tabindex=\"-1\">\n");
}

void report_html_page_end(struct strbuf *b, const char *data)
{
	strbuf_printf(b, "%s%s</p>\n</footer>\n<script>%s</script>\n</body>\n</html>\n",
		      "<footer>\n<p>fiord " FIORD_VERSION ". This page loads nothing from elsewhere. ", data,
		      html_script);
}

void html_section(struct html_run *h, unsigned below, const char *id, const char *title)
{
	/* Only the outer sections are landmarks. A screen reader lists all landmarks, so the list must stay
	 * short. */
	if (below)
		strbuf_puts(h->b, "<section>\n");
	else
		strbuf_printf(h->b, "<section aria-labelledby=\"r%u-%s\">\n", h->number, id);
	strbuf_printf(h->b, "<h%u id=\"r%u-%s\">", h->level + below, h->number, id);
	html_printf(h->b, "%s</h%u>\n", title, h->level + below);
}

void html_section_end(struct html_run *h)
{
	strbuf_puts(h->b, "</section>\n");
}

/* Returns true if all columns but the first have numbers. */
static bool all_numbers(const char *const *column, size_t columns)
{
	for (size_t i = 1; i < columns; i++) {
		if (column[i][0] != '#')
			return false;
	}
	return true;
}

/* A column of numbers has a name that begins with '#'. If all columns have numbers, the table gets the class
   and its cells need none. */
void html_table_head(struct strbuf *b, const char *caption, const char *const *column, size_t columns)
{
	html_printf(b, "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"%s", caption);
	strbuf_puts(b, all_numbers(column, columns) ? "\"><table class=\"num\">\n<caption>"
						    : "\"><table>\n<caption>");
	html_printf(b, "%s</caption>\n<thead><tr>", caption);
	for (size_t i = 0; i < columns; i++) {
		bool number = column[i][0] == '#';

		strbuf_puts(b, number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">");
		html_printf(b, "%s</th>", column[i] + number);
	}
	strbuf_puts(b, "</tr></thead>\n");
}

void html_table(struct strbuf *b, const char *caption, const char *const *column, size_t columns)
{
	html_table_head(b, caption, column, columns);
	strbuf_puts(b, "<tbody>\n");
}

void html_table_end(struct strbuf *b)
{
	strbuf_puts(b, "</tbody>\n");
	html_table_foot(b);
}

void html_table_foot(struct strbuf *b)
{
	strbuf_puts(b, "</table></div>\n");
}

void html_row(struct strbuf *b, const char *head)
{
	strbuf_puts(b, "<tr>");
	if (!head)
		return;
	html_printf(b, "<th scope=\"row\">%s</th>", head);
}

void html_row_end(struct strbuf *b)
{
	strbuf_puts(b, "</tr>\n");
}

void html_cell(struct strbuf *b, const char *text)
{
	html_printf(b, "<td>%s</td>", text);
}

void html_cell_begin(struct strbuf *b)
{
	strbuf_puts(b, "<td>");
}

void html_cell_end(struct strbuf *b)
{
	strbuf_puts(b, "</td>");
}

void html_number(struct strbuf *b, const char *text)
{
	html_printf(b, "<td class=\"n\">%s</td>", text);
}

void html_exact(struct strbuf *b, uint64_t v)
{
	html_number(b, readable_exact(v).text);
}

void html_tile(struct strbuf *b, const char *label, const char *key, double value, struct short_text text,
	       const char *fmt, ...)
{
	va_list ap;

	strbuf_printf(b,
		      "<div class=\"tile\"><dt>%s</dt><dd><data class=\"v\" data-tile=\"%s\" "
		      "value=\"%.6f\">%s</data>",
		      label, key, value, text.text);
	va_start(ap, fmt);
	if (fmt)
		strbuf_puts(b, "</dd><dd>");
	if (fmt)
		strbuf_vprintf(b, fmt, ap);
	va_end(ap);
	strbuf_puts(b, "</dd></div>\n");
}

void html_state(struct strbuf *b, const char *look, const char *label, const char *key)
{
	strbuf_printf(b, "<div class=\"tile %s\"><dt>%s</dt><dd><span class=\"v\" data-tile=\"%s\">", look,
		      label, key);
}

void html_begin_figure(struct strbuf *b, const char *title, const char *text)
{
	html_printf(b, "<figure>\n<figcaption><strong>%s</strong>", title);
	if (text)
		html_printf(b, " %s", text);
	strbuf_puts(b, "</figcaption>\n");
}

void html_latency_range(struct strbuf *b, double lo, double hi)
{
	strbuf_printf(b, "<tr><th scope=\"row\">%s to %s</th>", readable_latency(lo).text,
		      readable_latency(hi).text);
}

void html_lowest_row(struct strbuf *text, const double *bound_ns, double low_ns, const char *row)
{
	if (!(low_ns < bound_ns[0]))
		return;
	strbuf_printf(text, " The lowest %s has the few I/Os that took from %s to %s.", row,
		      readable_latency(low_ns).text, readable_latency(bound_ns[1]).text);
}

enum svg_unit html_rate_unit(const struct result_units *u)
{
	if (u->bits)
		return u->kb_base == 1000 ? SVG_BITS_1000 : SVG_BITS_1024;
	return u->kb_base == 1000 ? SVG_BYTES_1000 : SVG_BYTES_1024;
}

struct short_text html_in_unit(enum svg_unit unit, double v, const struct result_units *u)
{
	struct short_text t;

	if (unit == SVG_NS)
		return readable_latency(v);
	if (unit == SVG_IOPS)
		return readable_count(v);
	if (unit == SVG_SIZE)
		return readable_bytes(v, u);
	if (unit != SVG_NUMBER && unit != SVG_ERRORS)
		return readable_bytes_rate(v, u);
	snprintf(t.text, sizeof(t.text), "%.2f", v);
	return t;
}

enum svg_look html_dir_look(unsigned dir)
{
	static const enum svg_look look[DIR_DATA] = { SVG_READ, SVG_WRITE, SVG_TRIM };

	return look[dir];
}

void html_note_begin(struct html_notes *l)
{
	if (!l->n)
		strbuf_puts(l->b, "<ul class=\"notes\">\n");
	if (l->n++ == HTML_NOTES)
		strbuf_puts(l->b, "</ul>\n<details class=\"more\"><summary>Show all notes</summary>\n"
				  "<ul class=\"notes\">\n");
	strbuf_puts(l->b, "<li>");
}

void html_note(struct html_notes *l, const char *text)
{
	html_note_begin(l);
	html_printf(l->b, "%s</li>\n", text);
}

void html_notes_end(struct html_notes *l)
{
	if (l->n)
		strbuf_puts(l->b, "</ul>\n");
	if (l->n > HTML_NOTES)
		strbuf_puts(l->b, "</details>\n");
}
