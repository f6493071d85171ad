/* trace_fields.c: the fields of a line -> the fields of an event. */
#include <errno.h>
#include <string.h>
#include "trace_reader.h"

#define BYTES_MAX ((uint64_t)INT64_MAX)

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

unsigned fields_split_blanks(const char *line, size_t len, struct field *field, unsigned most)
{
	const char *p = line, *end = line + len;
	unsigned n = 0;

	for (;;) {
		while (p < end && is_blank(*p))
			p++;
		if (p == end)
			return n;
		if (n == most)
			return most + 1;
		field[n].text = p;
		while (p < end && !is_blank(*p))
			p++;
		field[n].len = (size_t)(p - field[n].text);
		n++;
	}
}

bool field_is(const struct field *f, const char *word)
{
	return strlen(word) == f->len && !memcmp(f->text, word, f->len);
}

/* Reads a whole decimal number without a sign. Returns 0, -EINVAL, or -ERANGE. */
static int field_u64(const struct field *f, uint64_t *v)
{
	uint64_t n = 0;

	if (!f->len)
		return -EINVAL;
	for (size_t i = 0; i < f->len; i++) {
		unsigned digit = (unsigned char)f->text[i] - (unsigned)'0';

		if (digit > 9)
			return -EINVAL;
		if (n > (UINT64_MAX - digit) / 10)
			return -ERANGE;
		n = n * 10 + digit;
	}
	*v = n;
	return 0;
}

int field_number(struct trace_file *f, const struct field *field, const char *name, uint64_t most,
		 uint64_t *v)
{
	int err = field_u64(field, v), len = field->len < 40 ? (int)field->len : 40;

	if (!err && *v <= most)
		return 0;
	if (err != -EINVAL)
		return trace_line_err(&f->in, f->d, "the %s %.*s is larger than %llu", name, len, field->text,
				      (unsigned long long)most);
	if (len > 1 && field->text[0] == '-')
		return trace_line_err(&f->in, f->d, "the %s %.*s is negative", name, len, field->text);
	return trace_line_err(&f->in, f->d, "the %s \"%.*s\" is not a whole number", name, len, field->text);
}

int event_range(struct trace_file *f, struct trace_event *e, uint64_t offset, uint64_t length)
{
	if (!length)
		return trace_line_err(&f->in, f->d, "the length is 0");
	if (offset > BYTES_MAX || length > BYTES_MAX - offset)
		return trace_line_err(&f->in, f->d, "the I/O ends beyond 2^63 bytes");
	e->offset = offset;
	e->length = length;
	return 0;
}

int event_device(struct trace_file *f, struct trace_event *e, const char *name, size_t len)
{
	int64_t index = trace_devices_find(f->devices, name, len);

	if (index == -E2BIG)
		return trace_line_err(&f->in, f->d, "the trace has more than %u devices", TRACE_DEVICES_MAX);
	if (index < 0)
		return diag_no_memory(f->d);
	e->device = (uint32_t)index;
	return 0;
}

/* Reads the digits of a fraction in units of `unit` ns, rounded down. Returns false if it has others. */
static bool read_fraction(const char *text, size_t len, uint64_t unit, uint64_t *ns)
{
	*ns = 0;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		unit /= 10;
		*ns += (uint64_t)(text[i] - '0') * unit;
	}
	return len > 0;
}

int field_time(struct trace_file *f, const struct field *field, const char *name, uint64_t unit, uint64_t *ns)
{
	const char *dot = memchr(field->text, '.', field->len);
	struct field whole = { field->text, dot ? (size_t)(dot - field->text) : field->len };
	uint64_t fraction = 0;

	if (dot && !read_fraction(dot + 1, field->len - whole.len - 1, unit, &fraction))
		return trace_line_err(&f->in, f->d, "the %s \"%.*s\" is not a number", name,
				      field->len < 40 ? (int)field->len : 40, field->text);
	if (field_number(f, &whole, name, UINT64_MAX / unit - 1, ns))
		return f->d->err;
	*ns = *ns * unit + fraction;
	return 0;
}
