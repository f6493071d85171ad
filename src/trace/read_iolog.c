/* read_iolog.c: fio's iologs. Version 3 has a stamp in microseconds before each line. Version 2 has none:
   "wait T" lets what follows start no earlier than T milliseconds after the start of the log, as fio 3.33
   does (measured; its manual says microseconds after the last wait). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "trace_reader.h"
#include "vec.h"

#define HEADER     "fio version "
#define FIELDS_MAX 6
#define TIME_MAX   (UINT64_MAX / 1000000)

#define NEXT_LOG    "\n" HEADER
#define OVERLAP     (sizeof(NEXT_LOG) - 2)
#define CHUNK_BYTES ((size_t)64 << 10)

struct iolog {
	unsigned version;
	uint64_t waited_ns;       /* version 2: the time of what follows */
	VEC(unsigned char) state; /* of each device in this log: 0, ADDED or OPEN */
};

enum { ADDED = 1, OPEN };

static const struct action {
	const char *name;
	enum trace_op op;
} actions[] = {
	{ "read", TRACE_READ },
	{ "write", TRACE_WRITE },
	{ "trim", TRACE_TRIM },
	{ "sync", TRACE_SYNC },
	{ "add", TRACE_ADD },
	{ "open", TRACE_OPEN },
	{ "datasync", TRACE_DATASYNC },
	{ "close", TRACE_CLOSE },
	{ "sync_file_range", TRACE_DATASYNC }, /* a log does not have its flags */
};

static bool detect(const char *text, size_t len)
{
	return len >= strlen(HEADER) && !memcmp(text, HEADER, strlen(HEADER));
}

static int cut_err(struct trace_file *f)
{
	return trace_line_err(&f->in, f->d,
			      "the last line does not end with a newline: the log is truncated");
}

static int read_header(struct trace_file *f)
{
	char *line;
	size_t len;
	bool whole;
	int ret = trace_input_line(&f->in, &line, &len, &whole, f->d);

	if (ret < 0)
		return ret;
	if (!ret || !detect(line, len))
		return diag_err(f->d, -EINVAL,
				"%s:1: not an iolog: it must begin with \"fio version 3 iolog\"", f->in.path);
	for (unsigned v = 2; v <= 3; v++) {
		const char text[] = { (char)('0' + v), '\0' };
		size_t at = strlen(HEADER);

		if (len == at + strlen("3 iolog") && line[at] == text[0] &&
		    !memcmp(line + at + 1, " iolog", 6))
			f->iolog->version = v;
	}
	if (!f->iolog->version)
		return trace_line_err(&f->in, f->d, "\"%.*s\": fiord reads the versions 2 and 3 of iologs",
				      len < 60 ? (int)len : 60, line);
	f->facts->waits |= f->iolog->version == 2;
	return whole ? 0 : cut_err(f);
}

static int open_log(struct trace_file *f)
{
	f->iolog = calloc(1, sizeof(*f->iolog));
	return f->iolog ? read_header(f) : diag_no_memory(f->d);
}

static void close_log(struct trace_file *f)
{
	if (f->iolog)
		free(f->iolog->state.v);
	free(f->iolog);
	f->iolog = NULL;
}

/* Checks that the file is in a state for the operation. */
static int check_state(struct trace_file *f, const struct trace_event *e)
{
	const char *name = f->devices->name[e->device];
	unsigned char *state;

	while (e->device >= f->iolog->state.n)
		if (!VEC_PUSH(&f->iolog->state, 0))
			return diag_no_memory(f->d);
	state = &f->iolog->state.v[e->device];
	if (e->op != TRACE_ADD && !*state)
		return trace_line_err(&f->in, f->d, "%s is used before it is added", name);
	if (e->op < TRACE_IO_OPS && *state != OPEN)
		return trace_line_err(&f->in, f->d, "%s is not open", name);
	if (e->op == TRACE_OPEN)
		*state = OPEN;
	else if (e->op == TRACE_CLOSE || !*state)
		*state = ADDED;
	return 0;
}

static const struct action *find_action(const struct field *f)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (field_is(f, actions[i].name))
			return &actions[i];
	return NULL;
}

static int read_wait(struct trace_file *f, const struct field *time)
{
	uint64_t ms;

	if (field_number(f, time, "time", TIME_MAX, &ms))
		return f->d->err;
	if (ms * 1000000 > f->iolog->waited_ns)
		f->iolog->waited_ns = ms * 1000000;
	return 0;
}

/* Reads FILE ACTION [OFFSET LENGTH]. Returns 1 with an event, 0 for a wait, or -errno. */
static int read_action(struct trace_file *f, const struct field *field, unsigned fields,
		       struct trace_event *e)
{
	const struct action *a = fields >= 2 ? find_action(&field[1]) : NULL;
	uint64_t offset, length;

	if (fields == 4 && field_is(&field[1], "wait"))
		return read_wait(f, &field[2]);
	if (fields >= 2 && !a)
		return trace_line_err(&f->in, f->d,
				      "unknown action \"%.*s\"; an iolog has add, open, close, read, write, "
				      "trim, sync, datasync and wait",
				      field[1].len < 40 ? (int)field[1].len : 40, field[1].text);
	if (!a || fields > 4 || (a->op < TRACE_DATA_OPS && fields != 4) || fields == 3)
		return trace_line_err(&f->in, f->d, "not a line of an iolog: %sFILE ACTION [OFFSET LENGTH]",
				      f->iolog->version == 3 ? "TIME " : "");
	e->op = (uint8_t)a->op;
	if (event_device(f, e, field[0].text, field[0].len) || check_state(f, e))
		return f->d->err;
	if (a->op >= TRACE_DATA_OPS)
		return 1;
	if (field_number(f, &field[2], "offset", UINT64_MAX, &offset) ||
	    field_number(f, &field[3], "length", UINT64_MAX, &length) || event_range(f, e, offset, length))
		return f->d->err;
	return 1;
}

static int read_line(struct trace_file *f, const char *line, size_t len, bool whole, struct trace_event *e)
{
	struct field field[FIELDS_MAX];
	unsigned fields = fields_split_blanks(line, len, field, FIELDS_MAX), stamp = f->iolog->version == 3;
	uint64_t us;

	if (!whole)
		return cut_err(f);
	if (detect(line, len))
		return trace_line_err(
			&f->in, f->d,
			"a second log begins, as fio appends those of several jobs; fiord merges "
			"them only from a file that is neither compressed nor a pipe");
	if (fields <= stamp)
		return trace_line_err(&f->in, f->d, "the line is empty or too short");
	if (stamp && field_number(f, &field[0], "time", TIME_MAX, &us))
		return f->d->err;
	*e = (struct trace_event){ .time_ns = stamp ? us * 1000 : f->iolog->waited_ns, .place = f->in.line };
	return read_action(f, field + stamp, fields - stamp, e);
}

const struct trace_reader trace_reader_iolog = {
	.name = "iolog",
	.detect = detect,
	.open = open_log,
	.close = close_log,
	.line = read_line,
	.own_start = true,
};

/* ---- the logs of several jobs in one file ---- */

static int add_part(struct trace_parts *p, uint64_t from, uint64_t line, struct diag *d)
{
	return VEC_PUSH(p, (struct trace_part){ from, line }) ? 0 : diag_no_memory(d);
}

static uint64_t count_lines(const char *text, size_t len)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n';
	return lines;
}

/* Adds the logs whose headers begin in text[0..len); `more` bytes of the file follow. from: the byte of the
   file. */
static int find_in_chunk(struct trace_parts *p, const char *text, size_t len, size_t more, uint64_t from,
			 uint64_t *lines, struct diag *d)
{
	const char *at = text, *found;
	int ret = 0;

	while (!ret && (found = memmem(at, (size_t)(text + len + more - at), NEXT_LOG, strlen(NEXT_LOG)))) {
		if (found >= text + len)
			break;
		*lines += count_lines(at, (size_t)(found + 1 - at));
		at = found + 1;
		ret = add_part(p, from + (uint64_t)(at - text), *lines, d);
	}
	*lines += count_lines(at, (size_t)(text + len - at));
	return ret;
}

static int find_all(struct trace_parts *p, const struct trace_input *in, char *chunk, struct diag *d)
{
	uint64_t from = 0, lines = 0;
	ssize_t n;
	int ret = add_part(p, 0, 0, d);

	while (!ret && (n = pread(in->fd, chunk, CHUNK_BYTES, (off_t)from)) != 0) {
		size_t more = n > (ssize_t)OVERLAP && n == (ssize_t)CHUNK_BYTES ? OVERLAP : 0;

		if (n < 0)
			return diag_err(d, -errno, "%s: %s", in->path, diag_errno(errno));
		ret = find_in_chunk(p, chunk, (size_t)n - more, more, from, &lines, d);
		from += (size_t)n - more;
	}
	ret = ret ? ret : add_part(p, from, lines, d);
	p->n -= !ret; /* the end is no part */
	return ret;
}

int trace_parts_find(struct trace_parts *p, const struct trace_input *in, struct diag *d)
{
	char *chunk;
	int ret;

	*p = (struct trace_parts){ 0 };
	if (!trace_input_seekable(in))
		return 0;
	chunk = malloc(CHUNK_BYTES);
	ret = chunk ? find_all(p, in, chunk, d) : diag_no_memory(d);
	free(chunk);
	return ret;
}

void trace_parts_fini(struct trace_parts *p)
{
	free(p->v);
	*p = (struct trace_parts){ 0 };
}
