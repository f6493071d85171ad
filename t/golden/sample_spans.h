/* sample_spans.h: results with time spans, written by hand, and a reader of the XML made of them. */
#ifndef SAMPLE_SPANS_H
#define SAMPLE_SPANS_H

#include <expat.h>
#include "sample_results.h"
#include "line.h"
#include "spans.h"
#include "strbuf.h"

#define STARTED_MS 1763669707000ull /* 2025/11/20 20:15:07 UTC */

/* A run of a DISKSPD line. Free it with hand_fini. */
struct hand {
	struct ds_line line;
	char command[512];
	struct result_spans head;
	struct result r;
};

static inline void hand_line(struct hand *h, const char *args)
{
	char *copy = strdup(args), *save = NULL;
	const char *argv[32];
	struct diag d = { 0 };
	int argc = 0;

	for (char *s = strtok_r(copy, " ", &save); s && argc < 32; s = strtok_r(NULL, " ", &save))
		argv[argc++] = s;
	if (ds_line_parse(&h->line, DS_DIALECT_23, argc, argv, NULL, &d))
		fail_msg("%s: %s", args, diag_text(&d));
	snprintf(h->command, sizeof(h->command), "diskspd %s", args);
	free(copy);
}

static const struct span_group one_group[] = { { 0, 4, 4, 0xf } };
static const struct span_mask all_cpus[] = { { 0, 0xf } };
static const struct span_node one_node[] = { { 0, { all_cpus, 1 } } };
static const struct span_core four_cores[] = {
	{ 0, 0, 0, 1 }, { 0, 1, 0, 2 }, { 0, 2, 0, 4 }, { 0, 3, 0, 8 }
};
static const struct span_cache one_cache[] = { { 3, 16, 64, 16 << 20, "Unified", { all_cpus, 1 } } };

static inline struct span_system bench01(void)
{
	return (struct span_system){ .computer = "bench01",
				     .processor = "Example CPU",
				     .start_ms = STARTED_MS,
				     .cpus = 4,
				     .ncores = 4,
				     .ngroups = 1,
				     .nnodes = 1,
				     .nsockets = 1,
				     .power_scheme = "performance",
				     .page_bytes = 4096,
				     .groups = one_group,
				     .nodes = one_node,
				     .sockets = one_node,
				     .cores = four_cores,
				     .caches = one_cache,
				     .ncaches = 1 };
}

static inline void hand_begin(struct hand *h, const char *args)
{
	memset(h, 0, sizeof(*h));
	hand_line(h, args);
	result_init(&h->r, "fiord", "1.0.0", "3.42");
	h->head = (struct result_spans){ .profile = &h->line.profile,
					 .command = h->command,
					 .system = bench01() };
}

static inline void hand_fini(struct hand *h)
{
	result_free(&h->r);
	ds_line_fini(&h->line);
}

/* ---- latencies ---- */

#define HAND_BINS 15

struct hand_bins {
	uint64_t ns[HAND_BINS], count[HAND_BINS];
};

/* Makes a histogram whose percentiles in the text are these, in us: minimum, 25th, ... 9-nines, maximum. */
static inline struct span_lat hand_lat(struct hand_bins *b, uint64_t n, const unsigned *us, double mean_us,
				       double stddev_us)
{
	static const double share[HAND_BINS] = { 0,       .25,      .5,        .75,        .9,
						 .95,     .99,      .999,      .9999,      .99999,
						 .999999, .9999999, .99999999, .999999999, 1 };
	struct span_lat l = { .n = n, .min = us[0] * 1000ull, .max = us[HAND_BINS - 1] * 1000ull };
	uint64_t below = 0;

	l.mean = mean_us * 1000;
	l.stddev = stddev_us * 1000;
	for (unsigned i = 0; i < HAND_BINS; i++) {
		uint64_t upto = (uint64_t)(share[i] * (double)n);

		upto += (double)upto < share[i] * (double)n || !upto;
		if (upto <= below)
			continue;
		b->ns[l.bins.n] = us[i] * 1000ull;
		b->count[l.bins.n++] = upto - below;
		below = upto;
	}
	l.bins.ns = b->ns;
	l.bins.count = b->count;
	return l;
}

/* Latencies without a histogram. */
static inline struct span_lat hand_moments(uint64_t n, double mean_us, double stddev_us)
{
	return (struct span_lat){ .n = n, .mean = mean_us * 1000, .stddev = stddev_us * 1000 };
}

/* ---- the XML, parsed again ---- */

#define XML_MAX 4000

/* The elements in their order, each with its path and text. */
struct xml_doc {
	struct xml_node {
		char path[200], *text, *attrs;
	} node[XML_MAX];
	unsigned n;
	/* State of the parser. */
	char path[200];
	unsigned open[32], depth;
};

static inline void xml_start(void *ctx, const char *name, const char **attrs)
{
	struct xml_doc *x = ctx;
	struct strbuf a = { 0 };
	size_t len = strlen(x->path);

	assert_true(x->n < XML_MAX && x->depth < 32);
	snprintf(x->path + len, sizeof(x->path) - len, "/%s", name);
	for (; *attrs; attrs += 2)
		strbuf_printf(&a, "%s=%s;", attrs[0], attrs[1]);
	snprintf(x->node[x->n].path, sizeof(x->node[x->n].path), "%s", x->path);
	x->node[x->n].text = strdup("");
	x->node[x->n].attrs = strdup(strbuf_str(&a));
	x->open[x->depth++] = x->n++;
	strbuf_fini(&a);
}

static inline void xml_chars(void *ctx, const char *s, int len)
{
	struct xml_doc *x = ctx;
	struct xml_node *n = &x->node[x->open[x->depth - 1]];
	size_t had = strlen(n->text);

	n->text = realloc(n->text, had + (size_t)len + 1);
	assert_non_null(n->text);
	memcpy(n->text + had, s, (size_t)len);
	n->text[had + (size_t)len] = '\0';
}

static inline void xml_end(void *ctx, const char *name)
{
	struct xml_doc *x = ctx;

	x->path[strlen(x->path) - strlen(name) - 1] = '\0';
	x->depth--;
}

/* Fails the test unless the text is well-formed. Free it with xml_free. */
static inline struct xml_doc *xml_read(const char *text)
{
	XML_Parser p = XML_ParserCreate(NULL);
	struct xml_doc *x = calloc(1, sizeof(*x));

	assert_non_null(x);
	XML_SetUserData(p, x);
	XML_SetElementHandler(p, xml_start, xml_end);
	XML_SetCharacterDataHandler(p, xml_chars);
	if (XML_Parse(p, text, (int)strlen(text), 1) != XML_STATUS_OK)
		fail_msg("not XML: %s", XML_ErrorString(XML_GetErrorCode(p)));
	XML_ParserFree(p);
	return x;
}

static inline void xml_free(struct xml_doc *x)
{
	for (unsigned i = 0; i < x->n; i++) {
		free(x->node[i].text);
		free(x->node[i].attrs);
	}
	free(x);
}

/* Returns the k-th element of a path, from 0, or NULL. */
static inline const struct xml_node *xml_nth(const struct xml_doc *x, const char *path, unsigned k)
{
	for (unsigned i = 0; i < x->n; i++)
		if (!strcmp(x->node[i].path, path) && !k--)
			return &x->node[i];
	return NULL;
}

static inline const char *xml_text(const struct xml_doc *x, const char *path)
{
	const struct xml_node *n = xml_nth(x, path, 0);

	if (!n)
		fail_msg("%s: there is none", path);
	return n ? n->text : "";
}

/* Adds up all elements of a path, as scripts do. */
static inline double xml_sum(const struct xml_doc *x, const char *path)
{
	const struct xml_node *n;
	double sum = 0;

	for (unsigned k = 0; (n = xml_nth(x, path, k)); k++)
		sum += strtod(n->text, NULL);
	return sum;
}

/* ---- reports ---- */

/* Compares both reports with their committed copies. */
static inline void golden(const struct result *r, const char *name)
{
	struct strbuf b = { 0 };
	char file[64];

	assert_int_equal(report_diskspd(r, &b), 0);
	snprintf(file, sizeof(file), "diskspd-%s.txt", name);
	check_golden(file, &b);
	strbuf_clear(&b);
	assert_int_equal(report_diskspd_xml(r, &b), 0);
	snprintf(file, sizeof(file), "diskspd-%s.xml", name);
	check_golden(file, &b);
	xml_free(xml_read(strbuf_str(&b)));
	strbuf_fini(&b);
}

static inline char *text_of(const struct result *r)
{
	struct strbuf b = { 0 };

	assert_int_equal(report_diskspd(r, &b), 0);
	return b.text;
}

static inline struct xml_doc *xml_of(const struct result *r)
{
	struct strbuf b = { 0 };
	struct xml_doc *x;

	assert_int_equal(report_diskspd_xml(r, &b), 0);
	x = xml_read(strbuf_str(&b));
	strbuf_fini(&b);
	return x;
}

static inline void say_part(const char *what, const char *part, const char *text)
{
	fputs(what, stderr);
	fputs(part, stderr);
	fputs("\nof:\n", stderr);
	fputs(text, stderr);
	fail();
}

static inline void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		say_part("this is missing:\n", part, text);
}

static inline void assert_has_not(const char *text, const char *part)
{
	if (strstr(text, part))
		say_part("this is too much:\n", part, text);
}

#endif
