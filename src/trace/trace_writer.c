#include "trace_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "blktrace_record.h"

void trace_writer_begin(struct trace_writer *w, const struct trace *t, struct strbuf *b)
{
	*w = (struct trace_writer){ .records = trace_facts(t)->stages };
	if (!w->records)
		strbuf_puts(b, "fio version 3 iolog\n");
}

static int add_record(struct trace_writer *w, const char *device, const struct trace_event *e,
		      struct strbuf *b, struct diag *d)
{
	static const uint32_t categories[TRACE_IO_OPS] = {
		[TRACE_READ] = BLKTRACE_C_READ,
		[TRACE_WRITE] = BLKTRACE_C_WRITE,
		[TRACE_TRIM] = BLKTRACE_C_WRITE | BLKTRACE_C_DISCARD,
		[TRACE_SYNC] = BLKTRACE_C_WRITE | BLKTRACE_C_FLUSH,
		[TRACE_DATASYNC] = BLKTRACE_C_WRITE | BLKTRACE_C_FLUSH,
	};
	struct blktrace_record r = {
		.magic = BLKTRACE_MAGIC | BLKTRACE_VERSION,
		.sequence = ++w->sequence,
		.time_ns = e->time_ns,
		.sector = e->offset / BLKTRACE_SECTOR_BYTES,
		.bytes = (uint32_t)e->length,
		.action = BLKTRACE_QUEUED | BLKTRACE_C_QUEUE | categories[e->op],
	};
	unsigned major, minor;

	if (sscanf(device, "%u,%u", &major, &minor) != 2 || major >> (32 - BLKTRACE_MINOR_BITS) ||
	    minor >> BLKTRACE_MINOR_BITS || e->length > UINT32_MAX)
		return diag_err(d, -ERANGE,
				"device %s: an I/O of %" PRIu64 " bytes cannot be a record of blktrace",
				device, e->length);
	r.device = major << BLKTRACE_MINOR_BITS | minor;
	r.action |= e->flags & TRACE_PREFLUSH ? BLKTRACE_C_FLUSH : 0;
	r.action |= e->flags & TRACE_FUA ? BLKTRACE_C_FUA : 0;
	strbuf_add(b, (const char *)&r, sizeof(r));
	return 0;
}

/* A file must be added and opened before its first I/O. */
static int open_devices(struct trace_writer *w, const struct trace *t, const struct trace_event *e,
			uint64_t time_us, struct strbuf *b, struct diag *d)
{
	for (; w->opened <= e->device; w->opened++) {
		const char *name = trace_device(t, (uint32_t)w->opened);

		if (name[strcspn(name, " \t\r")])
			return diag_err(d, -EINVAL, "%s: an iolog cannot name a file with blanks", name);
		strbuf_printf(b, "%" PRIu64 " %s add\n%" PRIu64 " %s open\n", time_us, name, time_us, name);
	}
	return 0;
}

static int add_line(struct trace_writer *w, const struct trace *t, const struct trace_event *e,
		    struct strbuf *b, struct diag *d)
{
	const char *name = trace_device(t, e->device);
	uint64_t time_us = e->time_ns / 1000;

	if (open_devices(w, t, e, time_us, b, d))
		return d->err;
	if (e->flags & TRACE_PREFLUSH)
		strbuf_printf(b, "%" PRIu64 " %s sync 0 0\n", time_us, name);
	strbuf_printf(b, "%" PRIu64 " %s %s %" PRIu64 " %" PRIu64 "\n", time_us, name,
		      trace_op_name((enum trace_op)e->op), e->offset, e->length);
	return 0;
}

int trace_writer_add(struct trace_writer *w, const struct trace *t, const struct trace_event *e,
		     struct strbuf *b, struct diag *d)
{
	if (e->op >= TRACE_IO_OPS)
		return 0;
	if (!w->records)
		return add_line(w, t, e, b, d);
	return add_record(w, trace_device(t, e->device), e, b, d);
}
