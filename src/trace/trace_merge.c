#include "trace_merge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "trace_saved.h"
#include "vec.h"

#define SHORT_EVENTS 1024 /* a trace of at most so many is kept for its other runs */

/* A trace with its next event. */
struct input {
	struct trace *trace;
	struct trace_source source;
	struct trace_merge_input how;
	struct trace_event e;
	bool has;                     /* e is valid */
	VEC(uint32_t) device;         /* by index in the trace: the index in the merged one */
	uint64_t begin_ns;            /* when this run of the trace began in the merged one */
	uint64_t end_ns;              /* the time of its last event in the merged one */
	size_t first_file;            /* the number that its first file has in the merged trace */
	VEC(struct trace_event) kept; /* the events of the first run, at most SHORT_EVENTS */
	size_t at;                    /* index in kept: the next event of this run */
	bool is_long;                 /* the trace has more events, and is opened again for each run */
	bool from_kept;               /* this run takes its events from `kept` */
};

struct trace_merge {
	struct input *input;
	size_t n;
	struct trace_devices devices;
	struct trace_facts facts;
};

/* Gives the devices that the trace has named since the last call their indexes in the merged trace. */
static int map_devices(struct trace_merge *m, struct input *in, struct diag *d)
{
	size_t n = trace_devices(in->trace);

	while (in->device.n < n) {
		const char *name = trace_device(in->trace, (uint32_t)in->device.n);
		int64_t found = trace_devices_find(&m->devices, name, strlen(name));

		if (found == -E2BIG)
			return diag_err(d, -E2BIG, "the merged traces have more than %u devices",
					TRACE_DEVICES_MAX);
		if (found < 0 || !VEC_PUSH(&in->device, (uint32_t)found))
			return diag_no_memory(d);
	}
	return 0;
}

static int set_merged_time(struct input *in, struct diag *d)
{
	__extension__ typedef unsigned __int128 u128;
	u128 ns = (u128)in->e.time_ns * in->how.time_ppm / TRACE_PARTS_PER_MILLION + in->begin_ns;

	if (ns > INT64_MAX)
		return diag_err(d, -ERANGE,
				"%s: the merged trace is longer than 292 years; repeat it less often, or "
				"scale its times down",
				in->source.path[0]);
	in->e.time_ns = (uint64_t)ns;
	return 0;
}

static int open_input(struct input *in, struct diag *d)
{
	trace_close(in->trace);
	in->device.n = 0;
	return trace_open(&in->trace, &in->source, d);
}

/* Returns 1 with the next event of a run, 0 at its end, or -errno with d. */
static int next_of_run(struct input *in, struct diag *d)
{
	int ret;

	if (in->from_kept) {
		if (in->at == in->kept.n)
			return 0;
		in->e = in->kept.v[in->at++];
		return 1;
	}
	ret = trace_next(in->trace, &in->e, d);
	if (ret <= 0 || in->is_long || in->how.repeats < 2)
		return ret;
	in->is_long = in->kept.n == SHORT_EVENTS;
	return in->is_long || VEC_PUSH(&in->kept, in->e) ? 1 : diag_no_memory(d);
}

static int begin_next_run(struct input *in, struct diag *d)
{
	in->how.repeats--;
	in->begin_ns = in->end_ns;
	in->from_kept = !in->is_long;
	in->at = 0;
	return in->is_long ? open_input(in, d) : 0;
}

/* Reads the next event of an input; at the end of a run, the first one of the next run. */
static int refill(struct trace_merge *m, struct input *in, struct diag *d)
{
	int ret;

	while (!(ret = next_of_run(in, d)) && in->how.repeats > 1)
		if (begin_next_run(in, d))
			return d->err;
	in->has = ret > 0;
	if (ret <= 0)
		return ret;
	if (set_merged_time(in, d) || map_devices(m, in, d))
		return d->err;
	in->end_ns = in->e.time_ns;
	in->e.device = in->device.v[in->e.device];
	in->e.file = (uint16_t)(in->e.file + in->first_file);
	return 0;
}

/* A trace that runs again may be opened again. */
static int check_repeats(const struct input *in, struct diag *d)
{
	const char *path = in->source.path[0];

	if (in->how.repeats < 2 || !trace_is_stream(path) || trace_saved_has(in->source.saved, path))
		return 0;
	return diag_err(d, -EINVAL,
			"%s: is no regular file, so it cannot be read %" PRIu32
			" times; save it in a file first",
			strcmp(path, "-") ? path : "standard input", in->how.repeats);
}

static size_t window_events(size_t traces)
{
	size_t events = TRACE_WINDOW_EVENTS;

	while (events * traces > TRACE_WINDOW_EVENTS)
		events /= 2;
	return events;
}

static int add_input(struct trace_merge *m, const struct trace_source *source, size_t i, size_t *files,
		     struct diag *d)
{
	struct input *in = &m->input[i];

	in->source = *source;
	in->source.merge = NULL;
	in->source.path = &source->path[i];
	in->source.paths = 1;
	in->source.window = window_events(source->paths);
	in->source.from_ns = in->source.to_ns = 0;
	in->how = source->merge[i];
	in->first_file = *files;
	if (check_repeats(in, d) || open_input(in, d))
		return d->err;
	*files += trace_files(in->trace);
	if (*files > UINT16_MAX)
		return diag_err(d, -E2BIG, "the merged traces have more than %u files or parts", UINT16_MAX);
	return 0;
}

static int open_inputs(struct trace_merge *m, const struct trace_source *source, struct diag *d)
{
	size_t files = 0;
	int ret = 0;

	if (source->paths > TRACE_MERGE_MAX)
		return diag_err(d, -E2BIG, "at most %u traces can be merged", TRACE_MERGE_MAX);
	m->input = calloc(source->paths, sizeof(*m->input));
	if (!m->input)
		return diag_no_memory(d);
	m->n = source->paths;
	for (size_t i = 0; i < m->n && !ret; i++)
		ret = add_input(m, source, i, &files, d);
	for (size_t i = 0; i < m->n && !ret; i++)
		ret = refill(m, &m->input[i], d);
	return ret;
}

int trace_merge_open(struct trace_merge **out, const struct trace_source *source, struct diag *d)
{
	struct trace_merge *m = calloc(1, sizeof(*m));
	int ret = m ? open_inputs(m, source, d) : diag_no_memory(d);

	if (ret) {
		trace_merge_close(m);
		m = NULL;
	}
	*out = m;
	return ret;
}

void trace_merge_close(struct trace_merge *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n; i++) {
		trace_close(m->input[i].trace);
		free(m->input[i].device.v);
		free(m->input[i].kept.v);
	}
	free(m->input);
	trace_devices_fini(&m->devices);
	free(m);
}

int trace_merge_next(struct trace_merge *m, struct trace_event *e, struct diag *d)
{
	struct input *first = NULL;

	for (size_t i = 0; i < m->n; i++) {
		struct input *in = &m->input[i];

		if (in->has && (!first || in->e.time_ns < first->e.time_ns))
			first = in;
	}
	if (!first)
		return 0;
	*e = first->e;
	return refill(m, first, d) ? d->err : 1;
}

/* ---- facts ---- */

const struct trace_facts *trace_merge_facts(struct trace_merge *m)
{
	struct trace_facts *facts = &m->facts;

	*facts = *trace_facts(m->input[0].trace);
	for (size_t i = 1; i < m->n; i++) {
		const struct trace_facts *f = trace_facts(m->input[i].trace);

		if (f->format != facts->format)
			facts->format = TRACE_ANY;
		facts->coarse |= f->coarse;
		facts->stages &= f->stages;
		facts->waits |= f->waits;
		facts->unfinished |= f->unfinished;
		facts->empty += f->empty;
		facts->latency &= f->latency;
	}
	return facts;
}

const struct trace_devices *trace_merge_devices(const struct trace_merge *m)
{
	return &m->devices;
}

void trace_merge_place(const struct trace_merge *m, const struct trace_event *e, struct strbuf *b)
{
	size_t i = m->n - 1;
	struct trace_event own = *e;

	while (i && m->input[i].first_file > e->file)
		i--;
	own.file = (uint16_t)(e->file - m->input[i].first_file);
	trace_place(m->input[i].trace, &own, b);
}
