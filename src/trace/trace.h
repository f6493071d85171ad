/* trace.h: recorded I/O -> a stream of events in order of time. The files are fio's iologs (versions 2 and
   3), what blktrace and blkparse write, and CSV; plain or compressed by gzip or zstd; also standard input
   ("-") and FIFOs, because each file is read once from its beginning to its end. Memory is bounded whatever
   the size: 16 KiB for a file and what its decompressor needs (gzip 40 KiB, zstd up to 32 MiB), 9 MiB for the
   sort window, and the names of the devices.

     struct trace *t;
     if (!trace_open(&t, &source, d))
	     while ((ret = trace_next(t, &e, d)) > 0)
		     use(&e);
     trace_close(t);

   The path NAME also stands for the files NAME.blktrace.0, .1 ... that blktrace writes, one for each CPU.
   Several files are parts of one trace: they are merged by time. So are the logs that fio appended to one
   file when several jobs had the same write_iolog. An event may stand up to TRACE_WINDOW_EVENTS events
   too late in the trace; one that stands later is an error that names its line.

   With `merge`, each path is a trace of its own, with its own format, and the traces are merged: each starts
   at time 0, may run faster or slower than it was recorded, and may be repeated. They share the memory of one
   sort window. */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "diag.h"
#include "strbuf.h"

#define TRACE_WINDOW_EVENTS 65536
#define TRACE_DEVICES_MAX   100000
#define TRACE_FILES_MAX     2048

enum trace_format {
	TRACE_ANY,   /* the first bytes tell */
	TRACE_IOLOG, /* fio's versions 2 and 3 */
	TRACE_BLKTRACE,
	TRACE_BLKPARSE, /* text */
	TRACE_MSR,
	TRACE_ALIBABA,
	TRACE_TENCENT,
	TRACE_SPC,
	TRACE_CSV, /* its columns are declared */
	TRACE_FORMATS
};

enum trace_op {
	TRACE_READ,
	TRACE_WRITE,
	TRACE_TRIM,
	TRACE_SYNC, /* fsync, or a flush of the device */
	TRACE_DATASYNC,
	/* File operations; only iologs have them. */
	TRACE_ADD,
	TRACE_OPEN,
	TRACE_CLOSE,
	TRACE_OPS
};
#define TRACE_DATA_OPS 3 /* the operations before this one have an offset and a length */
#define TRACE_IO_OPS   5 /* those before this one are I/Os */

enum trace_flag {
	TRACE_PREFLUSH = 1, /* the device flushes its cache before the data */
	TRACE_FUA = 2,      /* the data is on the medium before the write completes */
};

/* blktrace has a record each for the moments at which an I/O was queued, issued to the driver and completed.
   Other traces have only TRACE_QUEUED. */
enum trace_stage { TRACE_QUEUED, TRACE_ISSUED, TRACE_REQUEUED, TRACE_COMPLETED };

struct trace_event {
	uint64_t time_ns;        /* since the start: of the log (iolog), or of the first event */
	uint64_t offset, length; /* bytes; length is never 0 with data, and their sum is below 2^63 */
	uint64_t latency_ns;     /* from issue to completion; 0 if the trace does not tell it */
	uint64_t place;          /* the line, or the byte at which the event's record begins */
	uint32_t device;         /* an index: trace_device */
	uint16_t file;           /* an index: which file of the trace; for trace_place */
	uint8_t op;              /* enum trace_op */
	uint8_t flags;           /* of enum trace_flag */
	uint8_t stage;           /* enum trace_stage */
};

#define TRACE_MERGE_MAX         64 /* traces */
#define TRACE_PARTS_PER_MILLION 1000000

/* How a trace is merged with others. */
struct trace_merge_input {
	uint32_t time_ppm; /* its times are multiplied by this number of parts per million */
	uint32_t repeats;  /* how often it runs; each run begins where the last one ended */
};

/* The caller keeps what it points to until trace_close. */
struct trace_source {
	const char *const *path;
	size_t paths;
	const struct trace_merge_input *merge; /* one for each path; NULL: the files are parts of one trace */
	const struct trace_saved *saved;       /* copies of the streams among the paths; NULL: none */
	enum trace_format format;
	size_t window; /* events that the sort window has, a power of two; 0: TRACE_WINDOW_EVENTS */
	/* The columns of TRACE_CSV, such as "time_us,op,offset,length,device": time_s, time_ms, time_us,
	   time_100ns or time_ns; op; offset or offset_sectors; length or length_sectors; one latency with the
	   same units as the time, or none; any number of device, whose texts are joined by dots; - for a
	   column to skip. Lines may have more columns. */
	const char *columns;
	enum trace_stage stage; /* the events that count: queued or issued */
	bool all_stages;        /* also pass on the events of other stages */
	/* The window: events before from_ns are left out, except file operations, and events from to_ns on.
	 */
	uint64_t from_ns, to_ns; /* to_ns 0: to the end */
};

/* What is known about the trace as a whole. */
struct trace_facts {
	enum trace_format format;
	bool coarse;     /* the stamps so far are whole seconds: they say nothing about shorter times */
	bool stages;     /* the trace says when I/Os were queued, issued and completed */
	uint64_t empty;  /* lines of CSV so far that were left out, because their length is 0 */
	bool latency;    /* the events have a latency */
	bool unfinished; /* the last line of CSV has no newline: it may be cut off */
	bool waits;      /* an iolog of version 2: it has no stamps, only waits */
};

struct trace;

/* The errors call format and columns by the names of the job options, as marks (message.h). */
/* Opens the files and reads their first bytes. Returns 0, or -errno with one line in d; *t is then NULL. */
int trace_open(struct trace **t, const struct trace_source *source, struct diag *d);
void trace_close(struct trace *t);
/* Returns 1 with the next event, 0 at the end, or -errno with one line in d that names file and line, or file
   and byte. */
int trace_next(struct trace *t, struct trace_event *e, struct diag *d);

/* Checks the columns of TRACE_CSV. Returns 0 or -errno with d. */
int trace_check_columns(const char *columns, struct diag *d);

const struct trace_facts *trace_facts(const struct trace *t);
/* The devices that the events so far are of: file names of an iolog, else such as "8,16"; TRACE_NO_DEVICE: of
   CSV without a column of devices. */
#define TRACE_NO_DEVICE "-"
size_t trace_devices(const struct trace *t);
const char *trace_device(const struct trace *t, uint32_t device);
/* How many files the trace has; parts of a file count one each. */
size_t trace_files(const struct trace *t);
/* Adds "FILE:LINE", or "FILE: byte N". */
void trace_place(const struct trace *t, const struct trace_event *e, struct strbuf *b);

/* Returns "read", "trim" ... */
const char *trace_op_name(enum trace_op op);
const char *trace_format_name(enum trace_format format);
/* Returns the format of this name; TRACE_ANY if there is none. */
enum trace_format trace_format_find(const char *name);

#endif
