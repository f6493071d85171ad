/* read_csv.c: CSV whose columns are declared, and the traces that are published in such columns. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "nearest.h"
#include "trace_reader.h"

#define COLUMNS_MAX  16
#define SECTOR_BYTES 512
#define NAME_MAX_    256
#define SECOND_NS    1000000000u

enum column { SKIP, TIME, OP, OFFSET, LENGTH, LATENCY, DEVICE, COLUMNS };

static const struct column_name {
	const char *name;
	enum column column;
	uint64_t unit; /* ns, or bytes */
} column_names[] = {
	{ "time_s", TIME, 1000000000 },
	{ "time_ms", TIME, 1000000 },
	{ "time_us", TIME, 1000 },
	{ "time_100ns", TIME, 100 },
	{ "time_ns", TIME, 1 },
	{ "op", OP, 1 },
	{ "offset", OFFSET, 1 },
	{ "offset_sectors", OFFSET, SECTOR_BYTES },
	{ "length", LENGTH, 1 },
	{ "length_sectors", LENGTH, SECTOR_BYTES },
	{ "latency_s", LATENCY, 1000000000 },
	{ "latency_ms", LATENCY, 1000000 },
	{ "latency_us", LATENCY, 1000 },
	{ "latency_100ns", LATENCY, 100 },
	{ "latency_ns", LATENCY, 1 },
	{ "device", DEVICE, 1 },
	{ "-", SKIP, 1 },
};

struct csv {
	const struct column_name *column[COLUMNS_MAX];
	unsigned columns;
};

/* ---- the columns ---- */

static const struct column_name *find_column(const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof(column_names) / sizeof(*column_names); i++)
		if (!strncmp(column_names[i].name, text, len) && !column_names[i].name[len])
			return &column_names[i];
	return NULL;
}

static int unknown_column(const char *text, size_t len, struct diag *d)
{
	const char *names[sizeof(column_names) / sizeof(*column_names) + 1] = { NULL }, *near;
	char word[NEAREST_MAX + 1] = "";

	for (size_t i = 0; i < sizeof(column_names) / sizeof(*column_names); i++)
		names[i] = column_names[i].name;
	memcpy(word, text, len < NEAREST_MAX ? len : NEAREST_MAX);
	near = nearest_word(names, word);
	return diag_err(
		d, -EINVAL,
		"unknown column \"%s\"%s%s%s; there are time_s, time_ms, time_us, time_100ns, time_ns, op, "
		"offset, offset_sectors, length, length_sectors, latency_s, latency_ms, latency_us, "
		"latency_100ns, latency_ns, device, and - for one to skip",
		word, near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

static int check_columns(const struct csv *csv, struct diag *d)
{
	static const char *const names[] = { "", "a time", "op", "an offset", "a length" };
	unsigned count[COLUMNS] = { 0 };

	for (unsigned i = 0; i < csv->columns; i++)
		count[csv->column[i]->column]++;
	for (unsigned i = TIME; i <= LENGTH; i++)
		if (count[i] != 1)
			return diag_err(d, -EINVAL, "the columns must have %s once", names[i]);
	if (count[LATENCY] > 1)
		return diag_err(d, -EINVAL, "the columns must have a latency at most once");
	return 0;
}

static int parse_columns(struct csv *csv, const char *text, struct diag *d)
{
	while (true) {
		size_t len = strcspn(text, ",");
		const struct column_name *column = find_column(text, len);

		if (!column)
			return unknown_column(text, len, d);
		if (csv->columns == COLUMNS_MAX)
			return diag_err(d, -EINVAL, "more than %u columns", COLUMNS_MAX);
		csv->column[csv->columns++] = column;
		if (!text[len])
			return check_columns(csv, d);
		text += len + 1;
	}
}

int trace_check_columns(const char *columns, struct diag *d)
{
	struct csv csv = { 0 };

	return parse_columns(&csv, columns, d);
}

static int open_csv(struct trace_file *f)
{
	f->csv = calloc(1, sizeof(*f->csv));
	if (!f->csv)
		return diag_no_memory(f->d);
	if (parse_columns(f->csv, f->columns, f->d))
		return f->d->err;
	for (unsigned i = 0; i < f->csv->columns; i++)
		f->facts->latency |= f->csv->column[i]->column == LATENCY;
	return 0;
}

static void close_csv(struct trace_file *f)
{
	free(f->csv);
	f->csv = NULL;
}

/* ---- lines ---- */

static unsigned split(const char *line, size_t len, struct field *field)
{
	const char *end = line + len;
	unsigned n = 0;

	while (n < COLUMNS_MAX) {
		const char *comma = memchr(line, ',', (size_t)(end - line)), *stop = comma ? comma : end;

		while (line < stop && *line == ' ')
			line++;
		field[n] = (struct field){ line, (size_t)(stop - line) };
		while (field[n].len && line[field[n].len - 1] == ' ')
			field[n].len--;
		n++;
		if (!comma)
			break;
		line = comma + 1;
	}
	return n;
}

static int find_op(const struct field *f)
{
	static const struct {
		const char *name;
		enum trace_op op;
	} ops[] = {
		{ "R", TRACE_READ },      { "W", TRACE_WRITE },      { "Read", TRACE_READ },
		{ "Write", TRACE_WRITE }, { "0", TRACE_READ },       { "1", TRACE_WRITE },
		{ "T", TRACE_TRIM },      { "D", TRACE_TRIM },       { "Trim", TRACE_TRIM },
		{ "F", TRACE_SYNC },      { "Discard", TRACE_TRIM }, { "Flush", TRACE_SYNC },
		{ "Sync", TRACE_SYNC },
	};

	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		if (!strncasecmp(ops[i].name, f->text, f->len) && strlen(ops[i].name) == f->len)
			return ops[i].op;
	return -1;
}

static int set_op(struct trace_file *f, const struct field *field, struct trace_event *e)
{
	int op = find_op(field);

	if (op < 0)
		return trace_line_err(
			&f->in, f->d,
			"unknown operation \"%.*s\"; there are R, W, T (or D) and F, their words, 0 "
			"(read) and 1 (write)",
			field->len < 20 ? (int)field->len : 20, field->text);
	e->op = (uint8_t)op;
	return 0;
}

/* The values of a line that must be converted or joined before the event has them. */
struct values {
	uint64_t offset, length;
	char device[NAME_MAX_];
	size_t device_len;
};

/* Several columns of the device are joined by dots. */
static int add_device(struct trace_file *f, const struct field *field, struct values *v)
{
	if (v->device_len + 1 + field->len > sizeof(v->device))
		return trace_line_err(&f->in, f->d, "the device's name is longer than %zu bytes",
				      sizeof(v->device) - 1);
	if (v->device_len)
		v->device[v->device_len++] = '.';
	memcpy(v->device + v->device_len, field->text, field->len);
	v->device_len += field->len;
	return 0;
}

/* Stamps in seconds may have fractions. */
static int set_stamp(struct trace_file *f, uint64_t unit, const struct field *field, struct trace_event *e)
{
	if (field_time(f, field, "time", unit, &e->time_ns))
		return f->d->err;
	if (unit < SECOND_NS || e->time_ns % SECOND_NS)
		f->facts->coarse = false;
	return 0;
}

static int set_column(struct trace_file *f, const struct column_name *c, const struct field *field,
		      struct trace_event *e, struct values *v)
{
	uint64_t *bytes = c->column == OFFSET ? &v->offset : &v->length;

	switch (c->column) {
	case TIME:
		return set_stamp(f, c->unit, field, e);
	case LATENCY:
		return field_time(f, field, "latency", c->unit, &e->latency_ns);
	case OP:
		return set_op(f, field, e);
	case OFFSET:
	case LENGTH:
		if (field_number(f, field, c->column == OFFSET ? "offset" : "length", INT64_MAX / c->unit,
				 bytes))
			return f->d->err;
		*bytes *= c->unit;
		return 0;
	case DEVICE:
		return add_device(f, field, v);
	default:
		return 0;
	}
}

/* Returns 1 with an event, 0 for an I/O without bytes, or -errno. */
static int read_fields(struct trace_file *f, const struct field *field, struct trace_event *e)
{
	struct values v;

	v.offset = v.length = v.device_len = 0;
	*e = (struct trace_event){ .place = f->in.line };
	for (unsigned i = 0; i < f->csv->columns; i++)
		if (set_column(f, f->csv->column[i], &field[i], e, &v))
			return f->d->err;
	if (event_device(f, e, v.device_len ? v.device : TRACE_NO_DEVICE, v.device_len ? v.device_len : 1))
		return f->d->err;
	if (e->op >= TRACE_DATA_OPS)
		return 1;
	if (!v.length) {
		f->facts->empty++;
		return 0;
	}
	return event_range(f, e, v.offset, v.length) ? f->d->err : 1;
}

static const struct field *time_field(const struct csv *csv, const struct field *field)
{
	unsigned i = 0;

	while (csv->column[i]->column != TIME)
		i++;
	return &field[i];
}

static bool is_digit(const struct field *f)
{
	return f->len && ((f->text[0] >= '0' && f->text[0] <= '9') || f->text[0] == '-' || f->text[0] == '.');
}

static int read_line(struct trace_file *f, const char *line, size_t len, bool whole, struct trace_event *e)
{
	struct field field[COLUMNS_MAX];
	unsigned fields = split(line, len, field);

	if (!len)
		return 0;
	if (fields < f->csv->columns)
		return trace_line_err(&f->in, f->d, "the line has %u of %u columns", fields, f->csv->columns);
	if (f->in.line == 1 && !is_digit(time_field(f->csv, field)))
		return 0; /* the names of the columns */
	f->facts->unfinished |= !whole;
	return read_fields(f, field, e);
}

/* ---- published traces ---- */

/* Splits the first line that is no header. Returns how many fields it has. */
static unsigned first_line(const char *text, size_t len, struct field *field)
{
	const char *end = memchr(text, '\n', len);
	unsigned fields = split(text, end ? (size_t)(end - text) : len, field);

	if (fields < 5 || !end || is_digit(&field[0]) || is_digit(&field[fields - 1]))
		return fields;
	len -= (size_t)(end + 1 - text);
	text = end + 1;
	end = memchr(text, '\n', len);
	return split(text, end ? (size_t)(end - text) : len, field);
}

static bool is_letter(const struct field *f)
{
	return f->len == 1 && strchr("RWrw", f->text[0]);
}

static bool detect_none(const char *text, size_t len)
{
	(void)text, (void)len;
	return false;
}

static bool detect_msr(const char *text, size_t len)
{
	struct field field[COLUMNS_MAX];

	return first_line(text, len, field) >= 7 &&
	       (field_is(&field[3], "Read") || field_is(&field[3], "Write"));
}

static bool detect_alibaba(const char *text, size_t len)
{
	struct field field[COLUMNS_MAX];

	return first_line(text, len, field) == 5 && is_letter(&field[1]) && is_digit(&field[4]);
}

static bool detect_tencent(const char *text, size_t len)
{
	struct field field[COLUMNS_MAX];

	return first_line(text, len, field) == 5 && is_digit(&field[0]) && is_digit(&field[1]) &&
	       (field_is(&field[3], "0") || field_is(&field[3], "1"));
}

static bool detect_spc(const char *text, size_t len)
{
	struct field field[COLUMNS_MAX];

	return first_line(text, len, field) >= 5 && is_letter(&field[3]) && is_digit(&field[4]);
}

/* clang-format off */
#define READER(format, detects, of_columns) \
	const struct trace_reader trace_reader_##format = { \
		.name = #format, .detect = detects, .columns = of_columns, .csv = true, \
		.open = open_csv, .close = close_csv, .line = read_line }
READER(csv, detect_none, NULL);
READER(msr, detect_msr, "time_100ns,device,device,op,offset,length,latency_100ns");
READER(alibaba, detect_alibaba, "device,op,offset,length,time_us");
READER(tencent, detect_tencent, "time_s,offset_sectors,length_sectors,op,device");
READER(spc, detect_spc, "device,offset_sectors,length,op,time_s");
