/* trace_reader.h: what a reader of a format implements. Private to this folder. */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include "trace.h"
#include "trace_devices.h"
#include "trace_input.h"

/* A file of the trace, or a part of one. */
struct trace_file {
	struct trace_input in;
	struct trace_devices *devices; /* of the trace */
	struct trace_facts *facts;     /* of the trace */
	struct diag *d;                /* of the call */
	unsigned stages;               /* a bit for each enum trace_stage that is wanted */
	const char *columns;           /* of a CSV file */
	uint64_t tie;                  /* decides which of two events of the same time is first */
	/* Each belongs to one reader. */
	struct iolog *iolog;
	struct csv *csv;
	bool summary;          /* blkparse: the lines behind the events have begun */
	uint32_t device;       /* blktrace: the device of the last record */
	uint32_t device_index; /* 1 + its index */
};

struct trace_reader {
	const char *name; /* of the format */
	/* Returns true if files of this format can begin with these bytes. */
	bool (*detect)(const char *text, size_t len);
	/* Both return 0 or -errno with f->d. NULL: there is nothing to do. */
	int (*open)(struct trace_file *f);
	void (*close)(struct trace_file *f);
	/* A binary format: reads the next event in the order of the file. Its time is that of the file.
	   Returns 1, 0 at the end, or -errno with f->d. */
	int (*next)(struct trace_file *f, struct trace_event *e);
	/* A text format: reads a line, of which only the last one may lack its newline (`whole`). Returns 1
	   with an event, 0 if the line has none, or -errno with f->d. */
	int (*line)(struct trace_file *f, const char *line, size_t len, bool whole, struct trace_event *e);
	const char *columns; /* of a published trace in CSV */
	bool csv;            /* stamps may be whole seconds, and events may have latencies */
	bool binary;         /* places are bytes, not lines */
	bool has_stages;     /* the trace says when I/Os were queued and issued */
	bool may_be_empty;   /* an empty file is right */
	bool own_start;      /* times are since the start of the trace: the first event is not at 0 */
};

extern const struct trace_reader trace_reader_iolog, trace_reader_blktrace, trace_reader_blkparse,
	trace_reader_csv, trace_reader_msr, trace_reader_alibaba, trace_reader_tencent, trace_reader_spc;

/* A piece of a line. */
struct field {
	const char *text;
	size_t len;
};

/* trace_fields.c */
/* Splits a line at blanks into at most `most` fields. Returns how many it has; most + 1 if there are more. */
unsigned fields_split_blanks(const char *line, size_t len, struct field *field, unsigned most);
bool field_is(const struct field *f, const char *word);
/* The next four return 0, or -errno with f->d, which names file and line. */
/* Reads a number of at most `most`. name: of the number, for the error. */
int field_number(struct trace_file *f, const struct field *field, const char *name, uint64_t most,
		 uint64_t *v);
/* Reads a time in units of `unit` ns. It may have a fraction. */
int field_time(struct trace_file *f, const struct field *field, const char *name, uint64_t unit,
	       uint64_t *ns);
/* Sets e->offset and e->length in bytes. Refuses values that an I/O cannot have. */
int event_range(struct trace_file *f, struct trace_event *e, uint64_t offset, uint64_t length);
/* Sets e->device. */
int event_device(struct trace_file *f, struct trace_event *e, const char *name, size_t len);

/* read_iolog.c: finds the logs in a file to which fio appended those of several jobs. */

struct trace_part {
	uint64_t from; /* byte of the file */
	uint64_t line; /* lines before it */
};

struct trace_parts {
	struct trace_part *v; /* n parts, and an entry for the end of the file */
	size_t n, cap;
};

/* Looks for the first lines of iologs. n stays 0 if the file cannot be read again. Returns 0 or -errno with
 * d.
 */
int trace_parts_find(struct trace_parts *p, const struct trace_input *in, struct diag *d);
void trace_parts_fini(struct trace_parts *p);

#endif
