/* read_blkparse.c: the text that blkparse prints:

       8,16   3   17   0.000123456   697  Q   WS 223490 + 8 [kjournald]

   (device, CPU, sequence, seconds, process, action, kind, sector + sectors). */
#include <string.h>
#include "trace_reader.h"

#define FIELDS_MAX   10
#define SECTOR_BYTES 512
#define SECTORS_MAX  ((uint64_t)INT64_MAX / SECTOR_BYTES)

enum { DEVICE, CPU, SEQUENCE, TIME, PROCESS, ACTION, KIND, SECTOR, PLUS, SECTORS };

/* Returns whether the text is a device, such as "8,16". */
static bool is_device(const char *text, size_t len)
{
	size_t digits = 0, i = 0;

	for (; i < len && text[i] >= '0' && text[i] <= '9'; i++)
		digits++;
	if (!digits || i == len || text[i] != ',')
		return false;
	for (digits = 0, i++; i < len && text[i] >= '0' && text[i] <= '9'; i++)
		digits++;
	return digits && i == len;
}

static bool begins(const char *line, size_t len, const char *word)
{
	return len >= strlen(word) && !memcmp(line, word, strlen(word));
}

static bool detect(const char *text, size_t len)
{
	const char *end = memchr(text, '\n', len);
	struct field field[7];
	size_t line = end ? (size_t)(end - text) : len;

	return begins(text, len, "Input file ") ||
	       (fields_split_blanks(text, line, field, 7) >= 7 && is_device(field[0].text, field[0].len));
}

/* Finds the stage of an action. Returns 1, 0 if the action is no stage of an I/O, or -EINVAL. */
static int read_stage(struct trace_file *f, const struct field *a, struct trace_event *e)
{
	static const char others[] = "AGIMFPUTSXmBWY";
	static const char stages[] = "QDRC"; /* in the order of enum trace_stage */
	const char *at = a->len == 1 ? strchr(stages, a->text[0]) : NULL;

	if (at) {
		e->stage = (uint8_t)(at - stages);
		return 1;
	}
	if (a->len <= 2 && strchr(others, a->text[0]))
		return 0;
	return trace_line_err(&f->in, f->d, "unknown action \"%.*s\" of blkparse",
			      a->len < 20 ? (int)a->len : 20, a->text);
}

/* Reads the kind of an I/O, such as "FWFS". An F before the direction (R, W, D or N) means a flush, an F
   behind it means FUA. Returns false if the record is no I/O. */
static bool read_kind(const struct field *kind, struct trace_event *e)
{
	bool direction = false;

	for (size_t i = 0; i < kind->len; i++) {
		char c = kind->text[i];

		if (c == 'F')
			e->flags |= direction ? TRACE_FUA : TRACE_PREFLUSH;
		if (!strchr("RWDN", c))
			continue;
		direction = true;
		if (c != 'N')
			e->op = c == 'D' ? TRACE_TRIM : c == 'W' ? TRACE_WRITE : TRACE_READ;
	}
	return direction || e->flags;
}

/* Reads SECTOR + SECTORS, which a flush without data lacks. Returns 1, 0 for no I/O, or -errno. */
static int read_sectors(struct trace_file *f, const struct field *field, unsigned fields,
			struct trace_event *e)
{
	uint64_t sector, sectors;

	if (fields > PLUS && field_is(&field[PLUS], "+")) {
		if (fields <= SECTORS)
			return trace_line_err(&f->in, f->d, "the line is cut off after \"+\"");
		if (field_number(f, &field[SECTOR], "sector", SECTORS_MAX, &sector) ||
		    field_number(f, &field[SECTORS], "number of sectors", SECTORS_MAX, &sectors))
			return f->d->err;
		if (sectors)
			return event_range(f, e, sector * SECTOR_BYTES, sectors * SECTOR_BYTES) ? f->d->err
												: 1;
	}
	if (!(e->flags & TRACE_PREFLUSH))
		return 0;
	e->op = TRACE_SYNC;
	e->flags = 0;
	return 1;
}

/* Returns 1 with an event, 0 for a line without, or -errno. */
static int read_fields(struct trace_file *f, const struct field *field, unsigned fields,
		       struct trace_event *e)
{
	int ret = read_stage(f, &field[ACTION], e);

	if (ret <= 0 || !(f->stages >> e->stage & 1) || !read_kind(&field[KIND], e))
		return ret < 0 ? ret : 0;
	ret = read_sectors(f, field, fields, e);
	if (ret <= 0)
		return ret;
	if (field_number(f, &field[SEQUENCE], "sequence", UINT32_MAX, &f->tie) ||
	    field_time(f, &field[TIME], "time", 1000000000, &e->time_ns) ||
	    event_device(f, e, field[DEVICE].text, field[DEVICE].len))
		return f->d->err;
	return 1;
}

static int read_line(struct trace_file *f, const char *line, size_t len, bool whole, struct trace_event *e)
{
	struct field field[FIELDS_MAX];
	unsigned fields = fields_split_blanks(line, len, field, FIELDS_MAX);

	f->summary |= begins(line, len, "CPU") || begins(line, len, "Total");
	if (!whole && !f->summary)
		return trace_line_err(&f->in, f->d,
				      "the last line does not end with a newline: the file is truncated");
	if (!fields || f->summary || begins(line, len, "Input file "))
		return 0;
	if (fields <= KIND || !is_device(field[DEVICE].text, field[DEVICE].len))
		return trace_line_err(&f->in, f->d, "not a line that blkparse prints by default");
	*e = (struct trace_event){ .place = f->in.line };
	return read_fields(f, field, fields, e);
}

const struct trace_reader trace_reader_blkparse = {
	.name = "blkparse",
	.detect = detect,
	.line = read_line,
	.has_stages = true,
};
