#include "trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "trace_merge.h"
#include "trace_order.h"
#include "trace_paths.h"
#include "trace_reader.h"
#include "vec.h"

/* A file with its next event. */
struct head {
	struct trace_file file;
	struct trace_event e;
	bool has; /* e is valid */
};

struct trace {
	const struct trace_reader *reader;
	struct trace_facts facts;
	struct trace_devices devices;
	struct trace_paths paths;
	VEC(struct head) heads;
	struct trace_order order;
	const struct trace_saved *saved;
	const char *columns; /* as declared; NULL: those of the format */
	unsigned stages;     /* a bit for each wanted enum trace_stage */
	uint64_t from_ns, to_ns;
	uint64_t start_ns; /* the time of the files at which the trace starts */
	bool started, all_read;
	struct trace_merge *merge; /* of other traces; NULL: the members above read this one */
};

static const struct trace_reader *const readers[TRACE_FORMATS] = {
	[TRACE_IOLOG] = &trace_reader_iolog,       [TRACE_BLKTRACE] = &trace_reader_blktrace,
	[TRACE_BLKPARSE] = &trace_reader_blkparse, [TRACE_MSR] = &trace_reader_msr,
	[TRACE_ALIBABA] = &trace_reader_alibaba,   [TRACE_TENCENT] = &trace_reader_tencent,
	[TRACE_SPC] = &trace_reader_spc,           [TRACE_CSV] = &trace_reader_csv,
};

static const char *const op_names[TRACE_OPS] = { "read",     "write", "trim", "sync",
						 "datasync", "add",   "open", "close" };

const char *trace_op_name(enum trace_op op)
{
	return op_names[op];
}

const char *trace_format_name(enum trace_format format)
{
	return readers[format] ? readers[format]->name : "any";
}

enum trace_format trace_format_find(const char *name)
{
	for (unsigned i = 1; i < TRACE_FORMATS; i++)
		if (!strcmp(readers[i]->name, name))
			return (enum trace_format)i;
	return TRACE_ANY;
}

/* ---- opening ---- */

static struct head *add_head(struct trace *t, struct diag *d)
{
	const struct head head = { .file = { .in.fd = -1,
					     .devices = &t->devices,
					     .facts = &t->facts,
					     .d = d,
					     .stages = t->stages,
					     .columns = t->columns } };

	if (t->heads.n == TRACE_FILES_MAX) {
		diag_err(d, -E2BIG, "the trace has more than %u files or parts", TRACE_FILES_MAX);
		return NULL;
	}
	if (VEC_PUSH(&t->heads, head))
		return &t->heads.v[t->heads.n - 1];
	diag_no_memory(d);
	return NULL;
}

/* Reads until the buffer has the two lines that may be needed to know the format. */
static int read_beginning(struct trace_input *in, struct diag *d)
{
	int more = 1;

	while (more > 0) {
		const char *line = memchr(in->buffer + in->at, '\n', in->len - in->at);

		if (line && memchr(line + 1, '\n', (size_t)(in->buffer + in->len - line - 1)))
			return 0;
		more = trace_input_fill(in, d);
	}
	return more;
}

/* Finds the format by the first file that is not empty. */
static int detect_format(struct trace *t, struct trace_input *in, struct diag *d)
{
	if (read_beginning(in, d))
		return d->err;
	for (unsigned i = 1; i < TRACE_FORMATS && !t->reader && in->len > in->at; i++) {
		if (readers[i]->detect(in->buffer + in->at, in->len - in->at)) {
			t->reader = readers[i];
			t->facts.format = (enum trace_format)i;
		}
	}
	if (t->reader || in->len == in->at)
		return 0;
	return diag_err(
		d, -EINVAL,
		"%s: not a trace of a known format; {+replay_format=FORMAT} names it, and {replay_columns} "
		"declares the columns of CSV",
		in->path);
}

/* Opens a part of a file, or the whole file if it is the only one. */
static int open_part(struct trace *t, const char *path, const struct trace_parts *parts, size_t i,
		     struct diag *d)
{
	struct head *head = add_head(t, d);
	int ret = head ? trace_input_open(&head->file.in, path, t->saved, d) : d->err;

	if (!ret && !t->reader)
		ret = detect_format(t, &head->file.in, d);
	if (!ret && parts && parts->n > 1)
		ret = trace_input_part(&head->file.in, parts->v[i].from, parts->v[i + 1].from,
				       parts->v[i].line, d);
	return ret;
}

static int open_file(struct trace *t, const char *path, struct diag *d)
{
	struct trace_parts parts = { 0 };
	int ret = open_part(t, path, NULL, 0, d);

	if (!ret && t->reader == &trace_reader_iolog)
		ret = trace_parts_find(&parts, &t->heads.v[t->heads.n - 1].file.in, d);
	if (!ret && parts.n > 1) {
		trace_input_close(&t->heads.v[--t->heads.n].file.in);
		for (size_t i = 0; i < parts.n && !ret; i++)
			ret = open_part(t, path, &parts, i, d);
	}
	trace_parts_fini(&parts);
	return ret;
}

/* Reads lines up to the next event. Returns 1, 0 at the end, or -errno with f->d. */
static int next_in_lines(const struct trace_reader *reader, struct trace_file *f, struct trace_event *e)
{
	char *line;
	size_t len;
	bool whole;
	int ret = 0;

	while (!ret) {
		ret = trace_input_line(&f->in, &line, &len, &whole, f->d);
		if (ret <= 0)
			return ret;
		ret = reader->line(f, line, len, whole, e);
	}
	return ret;
}

/* Reads the next event of a file, if it has one. */
static int refill(struct trace *t, struct head *head, struct diag *d)
{
	int ret;

	head->file.d = d;
	ret = t->reader->next ? t->reader->next(&head->file, &head->e)
			      : next_in_lines(t->reader, &head->file, &head->e);
	head->e.file = (uint16_t)(head - t->heads.v);
	head->has = ret > 0;
	return ret < 0 ? ret : 0;
}

/* Starts the readers, when the format is known. */
static int start_file(struct trace *t, struct head *head, struct diag *d)
{
	struct trace_file *f = &head->file;

	if (f->in.len == f->in.at && !t->reader->may_be_empty)
		return diag_err(d, -EINVAL, "%s: the file is empty", f->in.path);
	f->d = d;
	f->in.binary = t->reader->binary;
	f->columns = t->columns ? t->columns : t->reader->columns;
	if (t->reader->open && t->reader->open(f))
		return d->err;
	return refill(t, head, d);
}

static int check_format(struct trace *t, const struct trace_source *source, struct diag *d)
{
	if (!t->reader)
		return diag_err(d, -EINVAL, "%s: the trace is empty", t->paths.list.v[0]);
	if (t->reader == &trace_reader_csv && !t->columns)
		return diag_err(d, -EINVAL,
				"format csv needs columns: "
				"{+replay_columns=time_us,op,offset,length,device}");
	if (t->columns && t->reader != &trace_reader_csv)
		return diag_err(d, -EINVAL,
				"the columns of the format %s are known; only csv has declared ones",
				t->reader->name);
	if (source->stage && !t->reader->has_stages)
		return diag_err(d, -EINVAL, "%s: the format %s does not tell when I/Os were issued",
				t->paths.list.v[0], t->reader->name);
	t->facts.stages = t->reader->has_stages;
	t->facts.coarse = t->reader->csv; /* until a stamp says otherwise */
	return 0;
}

static void set_source(struct trace *t, const struct trace_source *source)
{
	t->facts.format = source->columns && !source->format ? TRACE_CSV : source->format;
	t->reader = readers[t->facts.format];
	t->columns = source->columns;
	t->saved = source->saved;
	t->from_ns = source->from_ns;
	t->to_ns = source->to_ns ? source->to_ns : UINT64_MAX;
	t->stages = source->all_stages ? UINT32_MAX : 1u << source->stage;
}

static int open_all(struct trace *t, const struct trace_source *source, struct diag *d)
{
	int ret = 0;

	set_source(t, source);
	if (!source->paths)
		return diag_err(d, -EINVAL, "no trace is given");
	if (source->merge)
		return trace_merge_open(&t->merge, source, d);
	if (trace_order_init(&t->order, source->window ? source->window : TRACE_WINDOW_EVENTS))
		ret = diag_no_memory(d);
	if (!ret)
		ret = trace_paths_expand(&t->paths, source->path, source->paths, d);
	for (size_t i = 0; i < t->paths.list.n && !ret; i++)
		ret = open_file(t, t->paths.list.v[i], d);
	if (!ret)
		ret = check_format(t, source, d);
	for (size_t i = 0; i < t->heads.n && !ret; i++)
		ret = start_file(t, &t->heads.v[i], d);
	return ret;
}

int trace_open(struct trace **out, const struct trace_source *source, struct diag *d)
{
	struct trace *t = calloc(1, sizeof(*t));
	int ret = t ? open_all(t, source, d) : diag_no_memory(d);

	if (ret) {
		trace_close(t);
		t = NULL;
	}
	*out = t;
	return ret;
}

void trace_close(struct trace *t)
{
	if (!t)
		return;
	trace_merge_close(t->merge);
	for (size_t i = 0; i < t->heads.n; i++) {
		if (t->reader && t->reader->close)
			t->reader->close(&t->heads.v[i].file);
		trace_input_close(&t->heads.v[i].file.in);
	}
	free(t->heads.v);
	trace_order_fini(&t->order);
	trace_devices_fini(&t->devices);
	trace_paths_fini(&t->paths);
	free(t);
}

/* ---- reading ---- */

static int late_err(const struct trace *t, const struct trace_event *e, struct diag *d)
{
	struct strbuf place = { 0 };

	trace_place(t, e, &place);
	diag_err(d, -EINVAL,
		 "%s: the event is %.9g s earlier than one that stands more than %zu events before it; fiord "
		 "sorts within so many, so sort the trace by time first",
		 strbuf_str(&place), (double)(t->order.out_ns - e->time_ns) / 1e9, t->order.room);
	strbuf_fini(&place);
	return d->err;
}

static bool before(const struct head *a, const struct head *b)
{
	if (a->e.time_ns != b->e.time_ns)
		return a->e.time_ns < b->e.time_ns;
	return a->file.tie < b->file.tie;
}

/* Returns the file whose next event is first; NULL at the end. */
static struct head *first_head(struct trace *t)
{
	struct head *first = NULL;

	for (size_t i = 0; i < t->heads.n; i++) {
		struct head *head = &t->heads.v[i];

		if (head->has && (!first || before(head, first)))
			first = head;
	}
	return first;
}

/* Fills the sort window. */
static int fill_order(struct trace *t, struct diag *d)
{
	while (!t->all_read && !trace_order_full(&t->order)) {
		struct head *head = first_head(t);

		if (!head) {
			t->all_read = true;
			return 0;
		}
		if (!trace_order_add(&t->order, &head->e))
			return late_err(t, &head->e, d);
		if (refill(t, head, d))
			return d->err;
	}
	return 0;
}

/* Turns the time of the files into the time since the start of the trace. */
static void set_time(struct trace *t, struct trace_event *e)
{
	if (!t->started && !t->reader->own_start)
		t->start_ns = e->time_ns;
	t->started = true;
	e->time_ns -= t->start_ns;
}

static int next_of_files(struct trace *t, struct trace_event *e, struct diag *d)
{
	if (fill_order(t, d))
		return d->err;
	if (!trace_order_take(&t->order, e))
		return 0;
	set_time(t, e);
	return 1;
}

int trace_next(struct trace *t, struct trace_event *e, struct diag *d)
{
	do {
		int ret = t->merge ? trace_merge_next(t->merge, e, d) : next_of_files(t, e, d);

		if (ret <= 0)
			return ret;
		if (e->time_ns >= t->to_ns)
			return 0;
	} while (e->time_ns < t->from_ns && e->op < TRACE_IO_OPS);
	return 1;
}

/* ---- facts ---- */

const struct trace_facts *trace_facts(const struct trace *t)
{
	return t->merge ? trace_merge_facts(t->merge) : &t->facts;
}

static const struct trace_devices *devices(const struct trace *t)
{
	return t->merge ? trace_merge_devices(t->merge) : &t->devices;
}

size_t trace_devices(const struct trace *t)
{
	return devices(t)->n;
}

const char *trace_device(const struct trace *t, uint32_t device)
{
	return devices(t)->name[device];
}

size_t trace_files(const struct trace *t)
{
	return t->heads.n;
}

void trace_place(const struct trace *t, const struct trace_event *e, struct strbuf *b)
{
	if (t->merge) {
		trace_merge_place(t->merge, e, b);
		return;
	}
	strbuf_plain(b, t->heads.v[e->file].file.in.path);
	strbuf_printf(b, t->reader->binary ? ": byte %llu" : ":%llu", (unsigned long long)e->place);
}
