/* fuzz_trace: the first byte chooses the format (enum trace_format, 0: detected), the others are a trace. Its
   events are in order of time and possible, and their figures can be printed. A refused trace leaves a
   message of one line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "fuzz_must.h"
#include "strbuf.h"
#include "trace_report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_event(const struct trace *t, const struct trace_event *e, uint64_t last_ns)
{
	bool data = e->op < TRACE_DATA_OPS;

	must(e->op < TRACE_OPS && e->stage <= TRACE_COMPLETED, "there is no such operation", "");
	must(e->time_ns >= last_ns, "the events are out of order", "");
	must(e->device < trace_devices(t) && *trace_device(t, e->device), "the device has no name", "");
	must(data == (e->length > 0) && e->offset + e->length <= INT64_MAX, "no such I/O is possible", "");
}

/* Prints the figures of the events. */
static void report(const struct trace *t, struct trace_summary *s)
{
	struct strbuf b = { 0 };

	trace_summary_finish(s, trace_facts(t));
	report_trace_text(t, s, &b);
	report_trace_json(t, s, &b);
	must(!b.failed && b.len, "no report", "");
	strbuf_fini(&b);
	trace_summary_fini(s);
}

static void read_all(struct trace *t, struct diag *d)
{
	static struct trace_summary s;
	struct trace_event e;
	struct strbuf place = { 0 };
	uint64_t last_ns = 0;
	int ret;

	s = (struct trace_summary){ 0 };
	trace_summary_init(&s, trace_facts(t));

	while ((ret = trace_next(t, &e, d)) > 0) {
		check_event(t, &e, last_ns);
		last_ns = e.time_ns;
		strbuf_clear(&place);
		trace_place(t, &e, &place);
		must(!trace_summary_add(&s, &e, TRACE_QUEUED), "no memory", "");
	}
	report(t, &s);
	must(ret == d->err, "the error is wrong", diag_text(d));
	strbuf_fini(&place);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	const char *const paths[] = { path };
	struct trace_source source = { .path = paths, .paths = 1, .all_stages = true };
	struct diag d = { 0 };
	struct trace *t;
	int fd = memfd_create("trace", 0);

	if (!size || fd < 0 || write(fd, data + 1, size - 1) != (ssize_t)size - 1) {
		close(fd);
		return 0;
	}
	lseek(fd, 0, SEEK_SET);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	source.format = data[0] % TRACE_FORMATS;
	source.columns =
		source.format == TRACE_CSV ? "time_us,op,offset,length_sectors,device,latency_us" : NULL;
	if (!trace_open(&t, &source, &d))
		read_all(t, &d);
	trace_close(t);
	must(!d.err || (*diag_text(&d) && !strchr(diag_text(&d), '\n')), "no one-line error", diag_text(&d));
	diag_fini(&d);
	close(fd);
	return 0;
}
