#include "result_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "utf8.h"
#include "xml.h"

#define RESULT_BYTES_MAX (64u << 20)
#define TEXT_BYTES_MAX   4096 /* of one element; longer text is cut */
#define PATH_BYTES_MAX   256  /* of the elements that are open */

/* ---- what is read ---- */

/* Several elements have the path: the first counts, or the sum or the greatest of all. */
enum join { FIRST, SUM, MAX };

enum figure {
	NO_AFFINITY,
	RANDOM,
	STRIDE,
	BLOCK,
	DEPTH,
	WRITE_RATIO,
	SECONDS,
	THREADS,
	CPU,
	CPU_KERNEL,
	HOT_CPU,
	HOT_CPU_KERNEL,
	READS,
	READ_BYTES,
	WRITES,
	WRITTEN_BYTES,
	READ_STDDEV,
	WRITE_STDDEV,
	READ_MEAN,
	WRITE_MEAN,
	FIGURES,
};

#define OF_PROFILE "/Results/Profile/TimeSpans/TimeSpan/"
#define OF_TARGET  OF_PROFILE "Targets/Target/"
#define OF_SPAN    "/Results/TimeSpan/"

static const struct {
	const char *path;
	enum join join;
} inputs[FIGURES] = {
	[NO_AFFINITY] = { OF_PROFILE "DisableAffinity", FIRST },
	[RANDOM] = { OF_TARGET "Random", FIRST },
	[STRIDE] = { OF_TARGET "StrideSize", FIRST },
	[BLOCK] = { OF_TARGET "BlockSize", FIRST },
	[DEPTH] = { OF_TARGET "RequestCount", FIRST },
	[WRITE_RATIO] = { OF_TARGET "WriteRatio", FIRST },
	[SECONDS] = { OF_SPAN "TestTimeSeconds", FIRST },
	[THREADS] = { OF_SPAN "ThreadCount", FIRST },
	[CPU] = { OF_SPAN "CpuUtilization/Average/UsagePercent", FIRST },
	[CPU_KERNEL] = { OF_SPAN "CpuUtilization/Average/KernelPercent", FIRST },
	[HOT_CPU] = { OF_SPAN "CpuUtilization/CPU/UsagePercent", MAX },
	[HOT_CPU_KERNEL] = { OF_SPAN "CpuUtilization/CPU/KernelPercent", MAX },
	[READS] = { OF_SPAN "Thread/Target/ReadCount", SUM },
	[READ_BYTES] = { OF_SPAN "Thread/Target/ReadBytes", SUM },
	[WRITES] = { OF_SPAN "Thread/Target/WriteCount", SUM },
	[WRITTEN_BYTES] = { OF_SPAN "Thread/Target/WriteBytes", SUM },
	[READ_STDDEV] = { OF_SPAN "Iops/ReadIopsStdDev", FIRST },
	[WRITE_STDDEV] = { OF_SPAN "Iops/WriteIopsStdDev", FIRST },
	[READ_MEAN] = { OF_SPAN "Latency/AverageReadMilliseconds", FIRST },
	[WRITE_MEAN] = { OF_SPAN "Latency/AverageWriteMilliseconds", FIRST },
};

/* The percentiles of the table, sorted by their text. */
static const char *const percentiles[] = { "100", "25", "50",   "75",    "90",
					   "95",  "99", "99.9", "99.99", "99.999" };

#define PERCENTILES (sizeof(percentiles) / sizeof(*percentiles))

struct result_reader {
	XML_Parser parser;
	const char *name;
	struct diag *d;
	struct strbuf path, text; /* of the current element */
	unsigned spans, depth, too_deep;
	struct strbuf computer, target; /* the names */
	size_t percentile;              /* of the current bucket; PERCENTILES: another one */
	double figure[FIGURES];         /* NAN: not in the result */
	double read_ms[PERCENTILES], write_ms[PERCENTILES];
};

static int refuse_document(struct result_reader *r, const char *why)
{
	if (!r->d->err)
		diag_err(r->d, -EINVAL, "%s:%lu: %s", r->name, xml_line(r->parser), why);
	XML_StopParser(r->parser, XML_FALSE);
	return -EINVAL;
}

/* Returns the number in the text, 1 for "true"; NAN: another text. */
static double xml_number(const char *text)
{
	char *end;
	double v = strtod(text, &end);

	if (!strcmp(text, "true") || !strcmp(text, "false"))
		return *text == 't';
	return end == text || end[strspn(end, " \t\r\n")] || !isfinite(v) || v < 0 ? NAN : v;
}

static void take_number(struct result_reader *r, enum figure k, const char *text)
{
	double v = xml_number(text), *to = &r->figure[k];

	if (isnan(v))
		refuse_document(r, "the text of this element is not a number, or below 0");
	else if (isnan(*to))
		*to = v;
	else if (inputs[k].join == SUM)
		*to += v;
	else if (inputs[k].join == MAX && v > *to)
		*to = v;
}

static void take_bucket(struct result_reader *r, const char *element, const char *text)
{
	if (!strcmp(element, "Percentile")) {
		r->percentile = 0;
		while (r->percentile < PERCENTILES && strcmp(text, percentiles[r->percentile]) != 0)
			r->percentile++;
	} else if (r->percentile < PERCENTILES && !strcmp(element, "ReadMilliseconds")) {
		r->read_ms[r->percentile] = xml_number(text);
	} else if (r->percentile < PERCENTILES && !strcmp(element, "WriteMilliseconds")) {
		r->write_ms[r->percentile] = xml_number(text);
	}
}

/* Stores the text of an element that has ended, if the table has a column for it. */
static void take_element(struct result_reader *r, const char *path, const char *text)
{
	static const char bucket[] = OF_SPAN "Latency/Bucket/";

	if (!strcmp(path, "/Results/TimeSpan") && ++r->spans > 1)
		refuse_document(
			r, "a second time span: the table has one row for each result, so give results of "
			   "one time span");
	else if (!strcmp(path, "/Results/System/ComputerName") && !r->computer.len)
		strbuf_puts(&r->computer, text);
	else if (!strcmp(path, OF_SPAN "Thread/Target/Path") && !r->target.len)
		strbuf_puts(&r->target, text);
	else if (!strncmp(path, bucket, sizeof(bucket) - 1))
		take_bucket(r, path + sizeof(bucket) - 1, text);
	for (unsigned k = 0; k < FIGURES; k++)
		if (!strcmp(path, inputs[k].path))
			take_number(r, (enum figure)k, text);
}

static void XMLCALL on_start(void *ctx, const char *name, const char **attributes)
{
	struct result_reader *r = ctx;

	(void)attributes;
	if (!r->path.len && strcmp(name, "Results") != 0)
		refuse_document(r, "no result of DISKSPD, which begins with <Results> (option -Rxml)");
	strbuf_clear(&r->text);
	if (r->too_deep || r->path.len + strlen(name) >= PATH_BYTES_MAX)
		r->too_deep++;
	else
		strbuf_printf(&r->path, "/%s", name);
}

static void XMLCALL on_end(void *ctx, const char *name)
{
	struct result_reader *r = ctx;

	if (r->too_deep) {
		r->too_deep--;
		return;
	}
	take_element(r, strbuf_str(&r->path), strbuf_str(&r->text));
	strbuf_clear(&r->text);
	if (r->path.text) {
		r->path.len -= strlen(name) + 1;
		r->path.text[r->path.len] = '\0';
	}
}

static void XMLCALL on_text(void *ctx, const char *text, int len)
{
	struct result_reader *r = ctx;

	if (r->text.len + (size_t)len <= TEXT_BYTES_MAX)
		strbuf_add(&r->text, text, (size_t)len);
}

static void XMLCALL on_doctype(void *ctx, const char *name, const char *system_id, const char *public_id,
			       int internal)
{
	(void)name;
	(void)system_id;
	(void)public_id;
	(void)internal;
	refuse_document(ctx, "a result has no <!DOCTYPE>");
}

static int parse_result(struct result_reader *r, const char *text, size_t len)
{
	if (XML_Parse(r->parser, text, (int)len, 1) != XML_STATUS_OK && !r->d->err)
		refuse_document(r, XML_ErrorString(XML_GetErrorCode(r->parser)));
	if (!r->d->err && (r->path.failed || r->text.failed || r->computer.failed || r->target.failed))
		return diag_err(r->d, -ENOMEM, "%s: out of memory", r->name);
	if (!r->d->err && !(r->figure[SECONDS] > 0))
		diag_err(r->d, -EINVAL, "%s: no result: the time span has no measured time", r->name);
	return r->d->err;
}

/* ---- the row ---- */

/* In the order of Process-DiskSpd.ps1, which sorts the names. "LatRead" and "LatWrite" stand for the
 * percentiles. */
static const char *const columns[] = {
	"Affinity",       "Align",      "Block",     "CPU",          "CPUHotCore", "CPUHotCoreKern",
	"CPUKern",        "LatRead",    "LatReadAV", "LatWrite",     "LatWriteAV", "Outstanding",
	"Path",           "Pattern",    "ReadBW",    "ReadBytes",    "ReadIOPS",   "ReadIOPSCoV",
	"ResultFileName", "System",     "TestTime",  "Threads",      "TotBW",      "TotIOPS",
	"WriteBW",        "WriteBytes", "WriteIOPS", "WriteIOPSCoV", "WriteRatio",
};

struct table_row {
	struct strbuf *out;
	char separator;
	bool begun;
};

/* Adds a cell. A text that a spreadsheet would compute as a formula begins with an apostrophe. */
static void put_table_cell(struct table_row *row, const char *text)
{
	size_t len;

	if (row->begun)
		strbuf_putc(row->out, row->separator);
	row->begun = true;
	strbuf_putc(row->out, '"');
	if (*text && strchr("=+-@", *text))
		strbuf_putc(row->out, '\'');
	for (; *text; text += len) {
		bool shown;

		len = utf8_next(text, &shown);
		if (*text == '"')
			strbuf_putc(row->out, '"');
		strbuf_add(row->out, shown ? text : "?", shown ? len : 1);
	}
	strbuf_putc(row->out, '"');
}

/* Adds a number with up to six decimals; an empty cell if it is not known. */
static void put_number(struct table_row *row, double v)
{
	char text[64];
	size_t n = isnan(v) ? 0 : (size_t)snprintf(text, sizeof(text), "%.6f", v > 1e30 ? 1e30 : v);

	while (n && text[n - 1] == '0')
		n--;
	n -= n && text[n - 1] == '.';
	text[n] = '\0';
	put_table_cell(row, text);
}

static void put_percentile_cells(struct table_row *row, const double *ms)
{
	for (size_t i = 0; i < PERCENTILES; i++)
		put_number(row, ms[i]);
}

/* The name of the file, without folder and suffix. */
static void put_result_file(struct table_row *row, const char *path)
{
	const char *slash = strrchr(path, '/'), *dot;
	char name[256];

	path = slash ? slash + 1 : path;
	dot = strrchr(path, '.');
	snprintf(name, sizeof(name), "%.*s", (int)(dot && dot > path ? dot - path : (long)strlen(path)),
		 path);
	put_table_cell(row, name);
}

static void put_rate_cells(struct table_row *row, const struct result_reader *r)
{
	const double *f = r->figure;
	double reads = f[READS] / f[SECONDS], writes = f[WRITES] / f[SECONDS];
	double read_bw = f[READ_BYTES] / f[SECONDS], write_bw = f[WRITTEN_BYTES] / f[SECONDS];

	put_number(row, read_bw);
	put_number(row, f[READ_BYTES]);
	put_number(row, reads);
	put_number(row, reads > 0 ? f[READ_STDDEV] / reads : NAN);
	put_result_file(row, r->name);
	put_table_cell(row, strbuf_str(&r->computer));
	put_number(row, f[SECONDS]);
	put_number(row, f[THREADS]);
	put_number(row, read_bw + write_bw);
	put_number(row, reads + writes);
	put_number(row, write_bw);
	put_number(row, f[WRITTEN_BYTES]);
	put_number(row, writes);
	put_number(row, writes > 0 ? f[WRITE_STDDEV] / writes : NAN);
	put_number(row, f[WRITE_RATIO]);
}

static void put_result_row(struct table_row *row, const struct result_reader *r)
{
	const double *f = r->figure;
	bool random = f[RANDOM] > 0;

	put_table_cell(row, f[NO_AFFINITY] > 0 ? "False" : "True");
	put_number(row, random ? f[RANDOM] : f[STRIDE]);
	put_number(row, f[BLOCK]);
	put_number(row, f[CPU]);
	put_number(row, f[HOT_CPU]);
	put_number(row, f[HOT_CPU_KERNEL]);
	put_number(row, f[CPU_KERNEL]);
	put_percentile_cells(row, r->read_ms);
	put_number(row, f[READ_MEAN]);
	put_percentile_cells(row, r->write_ms);
	put_number(row, f[WRITE_MEAN]);
	put_number(row, f[DEPTH]);
	put_table_cell(row, strbuf_str(&r->target));
	put_table_cell(row, random ? "Random" : "Sequential");
	put_rate_cells(row, r);
	strbuf_puts(row->out, "\r\n");
}

void ds_result_table_head(char separator, struct strbuf *out)
{
	struct table_row row = { .out = out, .separator = separator };

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		bool many = !strcmp(columns[i], "LatRead") || !strcmp(columns[i], "LatWrite");
		char name[32];

		for (size_t k = 0; k < (many ? PERCENTILES : 1); k++) {
			snprintf(name, sizeof(name), "%s%s", columns[i], many ? percentiles[k] : "");
			put_table_cell(&row, name);
		}
	}
	strbuf_puts(out, "\r\n");
}

int ds_result_table_row(const char *path, const char *text, size_t len, char separator, struct strbuf *out,
			struct diag *d)
{
	struct result_reader r = { .name = path, .d = d, .percentile = PERCENTILES };
	struct table_row row = { .out = out, .separator = separator };

	if (len > RESULT_BYTES_MAX)
		return diag_err(d, -EFBIG, "%s: %zu bytes; a result may have at most %u", path, len,
				RESULT_BYTES_MAX);
	for (unsigned k = 0; k < FIGURES; k++)
		r.figure[k] = NAN;
	for (size_t i = 0; i < PERCENTILES; i++)
		r.read_ms[i] = r.write_ms[i] = NAN;
	r.parser = xml_parser_new(&r, on_start, on_end, on_text, on_doctype);
	if (!r.parser)
		return diag_err(d, -ENOMEM, "%s: out of memory", path);
	if (!parse_result(&r, text, len))
		put_result_row(&row, &r);
	XML_ParserFree(r.parser);
	strbuf_fini(&r.path);
	strbuf_fini(&r.text);
	strbuf_fini(&r.computer);
	strbuf_fini(&r.target);
	return d->err;
}
