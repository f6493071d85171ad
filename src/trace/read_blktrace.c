/* read_blktrace.c: what blktrace writes: one file for each CPU, or one stream of all. */
#include <byteswap.h>
#include <stdio.h>
#include <string.h>
#include "blktrace_record.h"
#include "trace_reader.h"

#define BYTES_MAX  ((uint64_t)INT64_MAX)
#define EVENT_MASK 0xffu /* bit 8 says that the record has a cgroup */

static bool is_magic(uint32_t magic)
{
	return (magic & BLKTRACE_MAGIC_MASK) == BLKTRACE_MAGIC;
}

static bool detect(const char *text, size_t len)
{
	uint32_t magic;

	if (len < sizeof(magic))
		return false;
	memcpy(&magic, text, sizeof(magic));
	return is_magic(magic) || is_magic(bswap_32(magic));
}

/* Swaps the bytes of a record that a machine of the other byte order wrote. */
static void swap(struct blktrace_record *r)
{
	r->magic = bswap_32(r->magic);
	r->sequence = bswap_32(r->sequence);
	r->time_ns = bswap_64(r->time_ns);
	r->sector = bswap_64(r->sector);
	r->bytes = bswap_32(r->bytes);
	r->action = bswap_32(r->action);
	r->device = bswap_32(r->device);
	r->more_bytes = bswap_16(r->more_bytes);
}

/* Makes the next n bytes available in the buffer. Returns 1, 0 at the end, or -errno. */
static int want_bytes(struct trace_file *f, size_t n)
{
	int ret;

	while (f->in.len - f->in.at < n) {
		ret = trace_input_fill(&f->in, f->d);
		if (ret < 0)
			return ret;
		if (!ret && f->in.at == f->in.len)
			return 0;
		if (!ret)
			return trace_line_err(&f->in, f->d, "the record is cut off: the file is truncated");
	}
	return 1;
}

static void use_bytes(struct trace_file *f, size_t n)
{
	f->in.at += n;
	f->in.offset += n;
}

static int skip_bytes(struct trace_file *f, size_t n)
{
	while (n) {
		size_t step = n < TRACE_BUFFER_BYTES ? n : TRACE_BUFFER_BYTES;
		int ret = want_bytes(f, step);

		if (ret < 0)
			return ret;
		if (!ret)
			return trace_line_err(&f->in, f->d, "the record is cut off: the file is truncated");
		use_bytes(f, step);
		n -= step;
	}
	return 0;
}

static int read_record(struct trace_file *f, struct blktrace_record *r)
{
	int ret = want_bytes(f, sizeof(*r));

	if (ret <= 0)
		return ret;
	memcpy(r, f->in.buffer + f->in.at, sizeof(*r));
	if (is_magic(bswap_32(r->magic)))
		swap(r);
	if (!is_magic(r->magic))
		return trace_line_err(&f->in, f->d, "no record of blktrace begins here: the file is damaged");
	if (r->magic != (BLKTRACE_MAGIC | BLKTRACE_VERSION))
		return trace_line_err(&f->in, f->d, "a record of version %u; fiord reads version %u",
				      r->magic & ~BLKTRACE_MAGIC_MASK, BLKTRACE_VERSION);
	return 1;
}

static int set_device(struct trace_file *f, struct trace_event *e, uint32_t device)
{
	char name[32];
	int len;

	if (f->device_index && f->device == device) {
		e->device = f->device_index - 1;
		return 0;
	}
	len = snprintf(name, sizeof(name), "%u,%u", device >> BLKTRACE_MINOR_BITS,
		       device & ((1u << BLKTRACE_MINOR_BITS) - 1));
	if (event_device(f, e, name, (size_t)len))
		return f->d->err;
	f->device = device;
	f->device_index = e->device + 1;
	return 0;
}

/* Returns whether the record is an I/O at a stage that is wanted, and sets its stage. */
static bool is_wanted(const struct trace_file *f, const struct blktrace_record *r, struct trace_event *e)
{
	static const uint8_t stages[] = { [1] = 1 + TRACE_QUEUED,
					  [6] = 1 + TRACE_REQUEUED,
					  [7] = 1 + TRACE_ISSUED,
					  [8] = 1 + TRACE_COMPLETED };
	uint32_t event = r->action & EVENT_MASK;

	if (r->action & (BLKTRACE_C_NOTIFY | BLKTRACE_C_COMMAND | BLKTRACE_C_DRIVER) ||
	    event >= sizeof(stages) || !stages[event])
		return false;
	e->stage = (uint8_t)(stages[event] - 1);
	return f->stages >> e->stage & 1 && (r->bytes || r->action & BLKTRACE_C_FLUSH);
}

static int set_io(struct trace_file *f, struct trace_event *e, const struct blktrace_record *r)
{
	e->time_ns = r->time_ns;
	e->place = f->in.offset;
	e->op = r->action & BLKTRACE_C_DISCARD ? TRACE_TRIM
		: r->action & BLKTRACE_C_WRITE ? TRACE_WRITE
					       : TRACE_READ;
	e->flags = (r->action & BLKTRACE_C_FLUSH ? TRACE_PREFLUSH : 0) |
		   (r->action & BLKTRACE_C_FUA ? TRACE_FUA : 0);
	if (!r->bytes) {
		e->op = TRACE_SYNC;
		e->flags = 0;
	}
	if (r->sector > BYTES_MAX / BLKTRACE_SECTOR_BYTES ||
	    r->sector * BLKTRACE_SECTOR_BYTES > BYTES_MAX - r->bytes)
		return trace_line_err(&f->in, f->d, "the I/O ends beyond 2^63 bytes");
	e->offset = r->bytes ? r->sector * BLKTRACE_SECTOR_BYTES : 0;
	e->length = r->bytes;
	return set_device(f, e, r->device);
}

static int next(struct trace_file *f, struct trace_event *e)
{
	struct blktrace_record r;
	bool wanted = false;

	while (!wanted) {
		int ret = read_record(f, &r);

		if (ret <= 0)
			return ret;
		*e = (struct trace_event){ 0 };
		wanted = is_wanted(f, &r, e);
		if (wanted && set_io(f, e, &r))
			return f->d->err;
		f->tie = r.sequence;
		use_bytes(f, sizeof(r));
		if (skip_bytes(f, r.more_bytes))
			return f->d->err;
	}
	return 1;
}

const struct trace_reader trace_reader_blktrace = {
	.name = "blktrace",
	.detect = detect,
	.next = next,
	.binary = true,
	.has_stages = true,
	.may_be_empty = true, /* the file of a CPU that did no I/O */
};
