/* Do traces become the events that they hold, in order of time, and are damaged ones refused by file and
   line? The expected events are read off the texts; what fio writes and how it waits was measured with
   fio 3.33. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include "extents.h"
#include "hyperloglog.h"
#include "strbuf.h"
#include "trace.h"
#include "trace_writer.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define V3       "fio version 3 iolog\n"
#define V2       "fio version 2 iolog\n"
#define OPEN     "0 f add\n0 f open\n"

static struct diag diag;

/* A file in memory. trace_open opens it by its path in /proc. */
static int make_file(const char *text, size_t len, char path[32])
{
	int fd = memfd_create("trace", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), (ssize_t)len);
	lseek(fd, 0, SEEK_SET);
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

static const char *const flag_names[] = { "", " preflush", " fua", " preflush fua" };
static const char *const stage_names[] = { "", " issued", " requeued", " completed" };

static void put_event(const struct trace *t, const struct trace_event *e, struct strbuf *b)
{
	strbuf_printf(b, "%llu %s %s", (unsigned long long)(e->time_ns / 1000), trace_device(t, e->device),
		      trace_op_name((enum trace_op)e->op));
	if (e->op < TRACE_DATA_OPS)
		strbuf_printf(b, " %llu+%llu", (unsigned long long)e->offset, (unsigned long long)e->length);
	strbuf_printf(b, "%s%s\n", flag_names[e->flags], stage_names[e->stage]);
}

/* Returns the events, one in a line with its time in us, and the error without its path. */
static const char *read_source(struct trace_source *source)
{
	static struct strbuf b;
	struct trace *t;
	struct trace_event e;
	int ret;

	strbuf_clear(&b);
	diag_fini(&diag);
	ret = trace_open(&t, source, &diag);
	while (!ret && (ret = trace_next(t, &e, &diag)) > 0) {
		put_event(t, &e, &b);
		ret = 0;
	}
	trace_close(t);
	if (ret < 0) {
		const char *message = strstr(diag_text(&diag), "/proc/self/fd/");

		message = message ? message + strlen("/proc/self/fd/") : diag_text(&diag);
		strbuf_puts(&b, message + strspn(message, "0123456789"));
	}
	return strbuf_str(&b);
}

static const char *read_bytes(const void *text, size_t len)
{
	char path[32];
	const char *const paths[] = { path };
	int fd = make_file(text, len, path);
	const char *events = read_source(&(struct trace_source){ .path = paths, .paths = 1 });

	close(fd);
	return events;
}

static const char *read_text(const char *text)
{
	return read_bytes(text, strlen(text));
}

static const struct {
	const char *text, *events;
} good[] = {
	{ V3 "18 f1 add\n22 f2 add\n133 f1 open\n139 f1 read 4096 8192\n140 f2 open\n150 f2 write 0 512\n"
	     "160 f1 trim 8192 4096\n170 f1 sync 0 0\n171 f1 sync\n180 f1 datasync 0 0\n181 f1 "
	     "sync_file_range 0 512\n190 f1 close\n",
	  "18 f1 add\n22 f2 add\n133 f1 open\n139 f1 read 4096+8192\n140 f2 open\n150 f2 write 0+512\n"
	  "160 f1 trim 8192+4096\n170 f1 sync\n171 f1 sync\n180 f1 datasync\n181 f1 datasync\n190 f1 "
	  "close\n" },
	{ V3 " 0 f  add \r\n0\tf open\n7 f read 0 1\n", "0 f add\n0 f open\n7 f read 0+1\n" },
	/* The first I/O is not at 0, because the stamps count from the start of the log. */
	{ V3 OPEN "5000 f read 9223372036854775806 1\n",
	  "0 f add\n0 f open\n5000 f read 9223372036854775806+1\n" },
	/* Out of order within the window; equal times keep their order. */
	{ V3 OPEN "30 f read 0 1\n10 f read 1 1\n20 f read 2 1\n20 f read 3 1\n",
	  "0 f add\n0 f open\n10 f read 1+1\n20 f read 2+1\n20 f read 3+1\n30 f read 0+1\n" },
	/* wait: milliseconds since the start of the log, and never back (fio 3.33). */
	{ V2 "f add\nf open\nf read 0 1\nf wait 1000 0\nf read 1 1\nf wait 500 0\nf read 2 1\nf wait 2000 "
	     "0\nf close\n",
	  "0 f add\n0 f open\n0 f read 0+1\n1000000 f read 1+1\n1000000 f read 2+1\n2000000 f close\n" },
	/* fio appends the logs of several jobs; each begins at 0. */
	{ V3 "0 f add\n1 f open\n9 f read 0 1\n" V3 "2 g add\n3 g open\n5 g read 0 1\n",
	  "0 f add\n1 f open\n2 g add\n3 g open\n5 g read 0+1\n9 f read 0+1\n" },
	{ V3, "" },
	/* The mark of UTF-8 is no part of a text. */
	{ "\357\273\277" V3 OPEN "7 f read 0 1\n", "0 f add\n0 f open\n7 f read 0+1\n" },
	{ "\357\273\277" V3 "0 f add\n1 f open\n9 f read 0 1\n" V3 "2 g add\n",
	  "0 f add\n1 f open\n2 g add\n9 f read 0+1\n" },
	{ "\357\273\277"
	  "128166372003061629,usr,0,Read,0,1,4\n128166372003061639,usr,0,Read,0,1,4\n",
	  "0 usr.0 read 0+1\n1 usr.0 read 0+1\n" },
	{ "\357\273\277"
	  "419,W,0,512,10\n419,W,0,512,12\n",
	  "0 419 write 0+512\n2 419 write 0+512\n" },
	/* Published traces: lines like those of their documentation; the first event is at 0. */
	{ "128166372003061629,usr,0,Read,7014609920,24576,41286\n128166372003061639,usr,1,Write,0,512,1\n",
	  "0 usr.0 read 7014609920+24576\n1 usr.1 write 0+512\n" },
	{ "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n128166372003061629,usr,0,Read,0,1,"
	  "2\n",
	  "0 usr.0 read 0+1\n" },
	{ "419,W,33554432000,20480,1577808000000046\n725,R,4096,4096,1577808000000099\n",
	  "0 419 write 33554432000+20480\n53 725 read 4096+4096\n" },
	{ "device_id,opcode,offset,length,timestamp\n419,W,0,512,1577808000000046\n", "0 419 write 0+512\n" },
	{ "1538323200,12910952,128,0,1063\n1538323202,8,1,1,1063\n",
	  "0 1063 read 6610407424+65536\n2000000 1063 write 4096+512\n" },
	{ "0,20941264,8192,W,0.551706\n1,8,512,r,0.554041\n",
	  "0 0 write 10721927168+8192\n2335 1 read 4096+512\n" },
	/* What blkparse 1.2.0 prints: a read, a write with both flags, a flush without data, a discard,
	   others. */
	{ "  8,0    3        1     0.000000000   697  A  WS 223490 + 8 <- (8,1) 223000\n"
	  "  8,0    3        2     0.000001500   697  Q  WS 223490 + 8 [kjournald]\n"
	  "  8,0    3        3     0.000002500   697  D  WS 223490 + 8 [kjournald]\n"
	  "  8,16   0        1     0.000003000   697  Q FWFSM 8 + 1 [a b]\n"
	  "  8,16   0        2     0.000004000   697  Q FWS [a]\n"
	  "  8,16   0        3     0.000005000   697  Q   D 16 + 8 [a]\n"
	  "  8,16   0        4     0.000006000   697  Q   R 0 + 8 [a]\n"
	  "  8,16   0        0     0.000007000   697  m   N fio checkpoint\n"
	  "CPU0 (8,0):\n Reads Queued:           1,        4KiB\n",
	  "0 8,0 write 114426880+4096\n1 8,16 write 4096+512 preflush fua\n2 8,16 sync\n"
	  "3 8,16 trim 8192+4096\n4 8,16 read 0+4096\n" },
};

static void test_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(good); i++)
		assert_string_equal(read_text(good[i].text), good[i].events);
}

static const struct {
	const char *text, *error;
} bad[] = {
	{ "", ": the trace is empty" },
	{ "\357\273\277", ": the trace is empty" },
	{ "hello\n", ": not a trace of a known format; replay_format=FORMAT names it, and replay_columns "
		     "declares the columns of CSV" },
	{ "fio version 1 iolog\n",
	  ":1: \"fio version 1 iolog\": fiord reads the versions 2 and 3 of iologs" },
	{ "fio version 33 iolog\n",
	  ":1: \"fio version 33 iolog\": fiord reads the versions 2 and 3 of iologs" },
	{ V3 "0 f read 0 1\n", ":2: f is used before it is added" },
	{ V3 "0 f open\n", ":2: f is used before it is added" },
	{ V3 "0 f add\n0 f read 0 1\n", ":3: f is not open" },
	{ V3 OPEN "1 f close\n2 f read 0 1\n", ":5: f is not open" },
	{ V3 OPEN "1 f read 0 1", ":4: the last line does not end with a newline: the log is truncated" },
	{ V3 OPEN "1 f foo 0 1\n",
	  ":4: unknown action \"foo\"; an iolog has add, open, close, read, write, trim, "
	  "sync, datasync and wait" },
	{ V3 OPEN "1 f read 0\n", ":4: not a line of an iolog: TIME FILE ACTION [OFFSET LENGTH]" },
	{ V3 OPEN "1 f read\n", ":4: not a line of an iolog: TIME FILE ACTION [OFFSET LENGTH]" },
	{ V3 OPEN "1 f read 0 1 2\n", ":4: not a line of an iolog: TIME FILE ACTION [OFFSET LENGTH]" },
	{ V2 "f\n", ":2: not a line of an iolog: FILE ACTION [OFFSET LENGTH]" },
	{ V3 "\n", ":2: the line is empty or too short" },
	{ V3 OPEN "-1 f read 0 1\n", ":4: the time -1 is negative" },
	{ V3 OPEN "1 f read -4096 1\n", ":4: the offset -4096 is negative" },
	{ V3 OPEN "1 f read 0x10 1\n", ":4: the offset \"0x10\" is not a whole number" },
	{ V3 OPEN "1 f read 0 0\n", ":4: the length is 0" },
	{ V3 OPEN "1 f read 9223372036854775807 1\n", ":4: the I/O ends beyond 2^63 bytes" },
	{ V3 OPEN "1 f read 18446744073709551615 2\n", ":4: the I/O ends beyond 2^63 bytes" },
	{ V3 OPEN "1 f read 18446744073709551616 2\n",
	  ":4: the offset 18446744073709551616 is larger than 18446744073709551615" },
	{ "0,1,512,W,0.5\n0,1,512,W\n", ":2: the line has 4 of 5 columns" },
	{ "0,1,512,W,0.5\n0,1,512,X,1\n", ":2: unknown operation \"X\"; there are R, W, T (or D) and F, "
					  "their words, 0 (read) and 1 (write)" },
	{ "0,1,512,W,0.5\n0,18014398509481984,512,W,1\n",
	  ":2: the offset 18014398509481984 is larger than 18014398509481983" },
	{ "0,1,512,W,0.5\n0,-1,512,W,1\n", ":2: the offset -1 is negative" },
	{ "0,1,512,W,0.5\n0,1,512,W,1.x\n", ":2: the time \"1.x\" is not a number" },
	{ "8,0 0 1 0.5 1 Q W 8 + 8 [a]\n8,0 0 1 0.5 1 J W 8 + 8 [a]\n",
	  ":2: unknown action \"J\" of blkparse" },
	{ "8,0 0 1 0.5 1 Q W 8 + 8 [a]\n8,0 0 1 0.5 1 Q W 8 +\n", ":2: the line is cut off after \"+\"" },
	{ "8,0 0 1 0.5 1 Q W 8 + 8 [a]\n8,0 0 1 0.5 1 Q W 8 + 81",
	  ":2: the last line does not end with a newline: the file is truncated" },
	{ "8,0 0 1 0.5 1 Q W 8 + 8 [a]\nx\n", ":2: not a line that blkparse prints by default" },
	{ V3 OPEN "99999999999999999 f read 0 2\n",
	  ":4: the time 99999999999999999 is larger than 18446744073709" },
};

/* What came before the error are the lines of OPEN, or nothing. */
static void test_bad(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_string_equal(read_text(bad[i].text), bad[i].error);
}

/* A trace that is cut off anywhere is read, or refused by one line. Programs end each line of an iolog and of
   blkparse's text, so half a line is refused; its first line may lack as much as tells the format. */
static void test_cut(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		const char *text = good[i].text;
		bool ends_lines = text[0] == 'f' || text[0] == ' ';
		size_t summary = strstr(text, "CPU0") ? (size_t)(strstr(text, "CPU0") - text) : SIZE_MAX;

		for (size_t len = 0; len < strlen(text); len++) {
			read_bytes(text, len);
			if (diag.err)
				assert_true(strlen(diag_text(&diag)) > 10 && !strchr(diag_text(&diag), '\n'));
			else if (len && ends_lines && len < summary)
				assert_int_equal(text[len - 1], '\n');
		}
	}
}

/* Declared columns: units, order, columns to skip, devices that are joined. */
static const struct {
	const char *columns, *text, *events;
} csv[] = {
	{ "time_us,op,offset,length", "7,read,0,1\n9,W,5,1\n", "0 - read 0+1\n2 - write 5+1\n" },
	{ "length_sectors,-,device,device,offset_sectors,op,time_ms",
	  "L,x,d,d,o,op,t\n\n1,x,a,b,2,T,1.5\n0,x,a,b,2,R,1.7\n1,x,a,c,3,f,2.25,more\r\n",
	  "0 a.b trim 1024+512\n750 a.c sync\n" },
	{ "time_ns,op,offset,length", "x\n", ":1: the line has 1 of 4 columns" },
	{ "op,offset,length", "", "the columns must have a time once" },
	{ "time_s,op,op,offset,length", "", "the columns must have op once" },
	{ "time_s,op,ofset,length", "",
	  "unknown column \"ofset\" (did you mean offset?); there are time_s, time_ms, time_us, time_100ns, "
	  "time_ns, "
	  "op, offset, offset_sectors, length, length_sectors, latency_s, latency_ms, latency_us, "
	  "latency_100ns, latency_ns, device, and - for one to skip" },
	{ "latency_us,time_s,op,offset,length,latency_s", "",
	  "the columns must have a latency at most once" },
	{ "time_us,op,offset,length,latency_us", "7,R,0,1,2.5\n9,W,5,1,-1\n",
	  ":2: the latency -1 is negative" },
	{ "time_us,op,offset,length,latency_us", "7,R,0,1,2.5\n9,W,5,1,x\n",
	  ":2: the latency \"x\" is not a whole number" },
};

static void test_csv(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(csv); i++) {
		char path[32];
		const char *const paths[] = { path };
		const char *text = *csv[i].text ? csv[i].text : "1\n";
		int fd = make_file(text, strlen(text), path);

		assert_string_equal(read_source(&(struct trace_source){
					    .path = paths, .paths = 1, .columns = csv[i].columns }),
				    csv[i].events);
		close(fd);
	}
}

/* ---- blktrace's records, put together by linux/blktrace_api.h ---- */

enum { QUEUE = 1, GETRQ = 4, ISSUE = 7, COMPLETE = 8 };
enum { C_READ = 1 << 16, C_WRITE = 1 << 17, C_FLUSH = 1 << 18, C_NOTIFY = 1 << 26, C_DISCARD = 1 << 29 };
#define C_FUA 0x80000000u

static void put_bytes(struct strbuf *b, uint64_t value, unsigned bytes, bool big)
{
	for (unsigned i = 0; i < bytes; i++)
		strbuf_putc(b, (char)(value >> 8 * (big ? bytes - 1 - i : i)));
}

struct blk {
	unsigned version, sequence, action, bytes, more, minor;
	uint64_t time_us, sector;
};

static void put_record(struct strbuf *b, const struct blk *r, bool big)
{
	const struct {
		uint64_t value;
		unsigned bytes;
	} field[] = {
		{ 0x65617400 + (r->version ? r->version : 7), 4 },
		{ r->sequence, 4 },
		{ r->time_us * 1000, 8 },
		{ r->sector, 8 },
		{ r->bytes, 4 },
		{ r->action, 4 },
		{ 1, 4 },
		{ 8 << 20 | r->minor, 4 },
		{ 0, 4 },
		{ 0, 2 },
		{ r->more, 2 },
	};

	for (size_t i = 0; i < COUNT(field); i++)
		put_bytes(b, field[i].value, field[i].bytes, big);
	for (unsigned i = 0; i < r->more; i++)
		strbuf_putc(b, (char)i);
}

static const struct blk records[] = {
	{ .action = C_NOTIFY | 1, .more = 8 },
	{ .sequence = 1,
	  .time_us = 100,
	  .sector = 8,
	  .bytes = 4096,
	  .action = C_READ | QUEUE | 0x100,
	  .more = 8 },
	{ .sequence = 2, .time_us = 101, .sector = 8, .bytes = 4096, .action = C_READ | GETRQ },
	{ .sequence = 3, .time_us = 102, .sector = 8, .bytes = 4096, .action = C_READ | ISSUE },
	{ .sequence = 5, .time_us = 104, .minor = 16, .action = C_WRITE | C_FLUSH | QUEUE },
	{ .sequence = 4,
	  .time_us = 104,
	  .minor = 16,
	  .sector = 1,
	  .bytes = 512,
	  .action = C_WRITE | C_FLUSH | C_FUA | QUEUE },
	{ .sequence = 6,
	  .time_us = 105,
	  .minor = 16,
	  .sector = 2,
	  .bytes = 1u << 31,
	  .action = C_WRITE | C_DISCARD | QUEUE },
	{ .sequence = 7, .time_us = 106, .sector = 8, .bytes = 4096, .action = C_READ | COMPLETE },
};

#define QUEUED_EVENTS                                                            \
	"0 8,0 read 4096+4096\n4 8,16 sync\n4 8,16 write 512+512 preflush fua\n" \
	"5 8,16 trim 1024+2147483648\n"

static void test_blktrace(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	for (unsigned big = 0; big < 2; big++) {
		strbuf_clear(&b);
		for (size_t i = 0; i < COUNT(records); i++)
			put_record(&b, &records[i], big);
		assert_string_equal(read_bytes(b.text, b.len), QUEUED_EVENTS);
		assert_string_equal(read_bytes(b.text, b.len - 1),
				    ": byte 352: the record is cut off: the file is truncated");
		assert_string_equal(read_bytes(b.text, 52),
				    ": byte 48: the record is cut off: the file is truncated");
		b.text[112 + 1] ^= 1;
		assert_string_equal(read_bytes(b.text, b.len),
				    ": byte 112: no record of blktrace begins here: the file is damaged");
	}
	strbuf_clear(&b);
	put_record(&b, &(struct blk){ .version = 8 }, false);
	assert_string_equal(read_bytes(b.text, b.len),
			    ": byte 0: a record of version 8; fiord reads version 7");
	strbuf_clear(&b);
	put_record(&b, &(struct blk){ .sector = (uint64_t)1 << 54, .bytes = 512, .action = C_READ | QUEUE },
		   false);
	assert_string_equal(read_bytes(b.text, b.len), ": byte 0: the I/O ends beyond 2^63 bytes");
	strbuf_fini(&b);
}

static void test_many_devices(void **state)
{
	struct strbuf b = { 0 };
	const char *events;

	(void)state;
	for (unsigned i = 0; i <= TRACE_DEVICES_MAX; i++)
		put_record(&b,
			   &(struct blk){ .sequence = i,
					  .time_us = i,
					  .bytes = 512,
					  .minor = i,
					  .action = C_READ | QUEUE },
			   false);
	events = read_bytes(b.text, b.len);
	assert_non_null(strstr(events, ": byte 4800000: the trace has more than 100000 devices"));
	strbuf_fini(&b);
}

static void test_stages(void **state)
{
	struct strbuf b = { 0 };
	char path[32];
	const char *const paths[] = { path };
	struct trace_source source = { .path = paths, .paths = 1, .stage = TRACE_ISSUED };
	int fd;

	(void)state;
	for (size_t i = 0; i < COUNT(records); i++)
		put_record(&b, &records[i], false);
	fd = make_file(b.text, b.len, path);
	assert_string_equal(read_source(&source), "0 8,0 read 4096+4096 issued\n");
	source.all_stages = true;
	source.from_ns = 2000;
	assert_string_equal(read_source(&source),
			    "2 8,0 read 4096+4096 issued\n4 8,16 sync\n4 8,16 write 512+512 preflush fua\n"
			    "5 8,16 trim 1024+2147483648\n6 8,0 read 4096+4096 completed\n");
	close(fd);
	fd = make_file(V3, strlen(V3), path);
	assert_string_equal(read_source(&source), ": the format iolog does not tell when I/Os were issued");
	close(fd);
	strbuf_fini(&b);
}

/* Writes dir/name.blktrace.CPU with these records. */
static void put_cpu_file(const char *dir, unsigned cpu, size_t from, size_t to)
{
	struct strbuf b = { 0 }, path = { 0 };
	FILE *f;

	for (size_t i = from; i < to; i++)
		put_record(&b, &records[i], false);
	strbuf_printf(&path, "%s/t.blktrace.%u", dir, cpu);
	f = fopen(strbuf_str(&path), "we");
	assert_non_null(f);
	fwrite(strbuf_str(&b), 1, b.len, f);
	fclose(f);
	strbuf_fini(&b);
	strbuf_fini(&path);
}

static void test_cpu_files(void **state)
{
	char dir[] = "/tmp/test_trace.XXXXXX", name[64], cpu0[64], cpu1[64], cpu2[64];
	const char *const one[] = { name }, *const two[] = { cpu0, cpu2 },
			  *const all[] = { cpu2, cpu0, cpu1 };
	struct trace_source source = { .path = one, .paths = 1 };

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(name, sizeof(name), "%s/t", dir);
	snprintf(cpu0, sizeof(cpu0), "%s/t.blktrace.0", dir);
	snprintf(cpu1, sizeof(cpu1), "%s/t.blktrace.1", dir);
	snprintf(cpu2, sizeof(cpu2), "%s/t.blktrace.2", dir);
	put_cpu_file(dir, 0, 4, 8);
	put_cpu_file(dir, 2, 0, 4);
	assert_non_null(
		strstr(read_source(&source), "/t.blktrace.1: missing; a trace of blktrace is complete"));
	source = (struct trace_source){ .path = two, .paths = 2 };
	assert_non_null(
		strstr(read_source(&source), "/t.blktrace.1: missing; a trace of blktrace is complete"));
	put_cpu_file(dir, 1, 0, 0); /* a CPU without I/Os */
	source = (struct trace_source){ .path = all, .paths = 3 };
	assert_string_equal(read_source(&source), QUEUED_EVENTS);
	source = (struct trace_source){ .path = one, .paths = 1 };
	assert_string_equal(read_source(&source), QUEUED_EVENTS);
	unlink(cpu0);
	unlink(cpu1);
	unlink(cpu2);
	rmdir(dir);
}

static void test_nul(void **state)
{
	static const char text[] = V3 OPEN "1 f re\0d 0 1\n";

	(void)state;
	assert_string_equal(read_bytes(text, sizeof(text) - 1),
			    ":4: the line has a NUL byte: the file is damaged, or no text");
}

static void test_long_line(void **state)
{
	size_t len = 20000;
	char *text = malloc(len);

	(void)state;
	memset(text, 'x', len);
	memcpy(text, V3, strlen(V3));
	assert_string_equal(read_bytes(text, len), ":2: the line is longer than 16384 bytes");
	free(text);
}

/* Writes a log of `events` reads of one byte each, whose offset is the time. The event `late` has time 0. */
static void put_log(struct strbuf *b, unsigned events, unsigned late)
{
	strbuf_puts(b, V3 OPEN);
	for (unsigned i = 1; i <= events; i++)
		strbuf_printf(b, "%u f read %u 1\n", i == late ? 0 : i, i);
}

static size_t count_lines(const char *text)
{
	size_t lines = 0;

	for (; (text = strchr(text, '\n')); text++)
		lines++;
	return lines;
}

/* The last event that may still come to the front is the one behind TRACE_WINDOW_EVENTS others. */
static void test_window(void **state)
{
	struct strbuf b = { 0 };
	const char *events;

	(void)state;
	put_log(&b, 70000, TRACE_WINDOW_EVENTS - 2);
	events = read_text(strbuf_str(&b));
	assert_int_equal(count_lines(events), 70002);
	assert_non_null(strstr(events, "0 f open\n0 f read 65534+1\n1 f read 1+1\n"));
	strbuf_clear(&b);
	put_log(&b, 70000, TRACE_WINDOW_EVENTS + 1);
	events = read_text(strbuf_str(&b));
	assert_non_null(strstr(
		events, ":65540: the event is 1e-06 s earlier than one that stands more than 65536 "
			"events before it; fiord sorts within so many, so sort the trace by time first"));
	strbuf_fini(&b);
}

/* Compresses by gzip, in two members. */
static size_t compress_text(const char *text, size_t len, unsigned char *to, size_t room)
{
	size_t half = len / 2, at = 0;

	for (unsigned i = 0; i < 2; i++) {
		z_stream z = { .next_in = (unsigned char *)(uintptr_t)text + (i ? half : 0),
			       .avail_in = (uInt)(i ? len - half : half),
			       .next_out = to + at,
			       .avail_out = (uInt)(room - at) };

		assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
		assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
		at = room - z.avail_out;
		deflateEnd(&z);
	}
	return at;
}

static void test_gzip(void **state)
{
	struct strbuf text = { 0 };
	size_t room = 1 << 20, len;
	unsigned char *z = malloc(room);
	char *plain;

	(void)state;
	put_log(&text, 20000, 0);
	len = compress_text(text.text, text.len, z, room);
	plain = strdup(read_text(text.text));
	assert_int_equal(count_lines(plain), 20002);
	assert_string_equal(read_bytes(z, len), plain);
	assert_string_equal(read_bytes(z, len - 1),
			    ": the compressed data ends early: the file is truncated");
	z[len / 2] ^= 0x55;
	assert_string_equal(read_bytes(z, len), ": the compressed data (gzip) is damaged");
	free(plain);
	free(z);
	strbuf_fini(&text);
}

/* Several files are merged by time, and each has its own lines. */
static void test_files(void **state)
{
	char path[2][32];
	const char *const paths[] = { path[0], path[1] };
	static const char *const text[] = { V3 OPEN "3 f read 0 1\n9 f read 1 1\n",
					    V3 OPEN "4 f read 2 1\n8 f x\n" };
	int fd[2];
	struct trace_source source = { .path = paths, .paths = 2, .to_ns = 9000 };

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		fd[i] = make_file(text[i], strlen(text[i]), path[i]);
	assert_non_null(strstr(read_source(&source), ":5: unknown action"));
	assert_non_null(strstr(diag_text(&diag), path[1]));
	assert_int_equal(ftruncate(fd[1], (off_t)strlen(text[1]) - 6), 0);
	source.from_ns = 4000;
	assert_string_equal(read_source(&source), "0 f add\n0 f open\n0 f add\n0 f open\n4 f read 2+1\n");
	close(fd[0]);
	close(fd[1]);
}

/* The header of the second log may stand anywhere in a chunk that is searched for it. */
static void test_parts(void **state)
{
	(void)state;
	for (unsigned at = 65536 - 20; at < 65536 + 20; at++) {
		struct strbuf b = { 0 };

		strbuf_puts(&b, V3 "1 f add\n");
		while (b.len < at - 100)
			strbuf_puts(&b, "1 f add\n");
		while (b.len + strlen("2 f add\n") < at)
			strbuf_puts(&b, b.len + 2 * strlen("2 f add\n") <= at ? "2 f add\n" : "2  f add\n");
		strbuf_puts(&b, "3 g add\n" V3 "0 f add\n5 f x\n");
		assert_non_null(strstr(read_text(strbuf_str(&b)), ": unknown action"));
		/* Both logs have their lines: the error is in the last line of the file. */
		assert_int_equal(strtoul(strstr(diag_text(&diag), ": unknown") - 4, NULL, 10),
				 count_lines(strbuf_str(&b)));
		strbuf_fini(&b);
	}
}

/* Device names are found again after the table has grown. */
static void test_devices(void **state)
{
	struct strbuf b = { 0 };
	struct trace *t;
	struct trace_event e;
	char path[32];
	const char *const paths[] = { path };
	unsigned n = 0;
	int fd;

	(void)state;
	strbuf_puts(&b, V3);
	for (unsigned i = 0; i < 20000; i++)
		strbuf_printf(&b, "%u f%u add\n", i, i % 5000);
	fd = make_file(b.text, b.len, path);
	assert_int_equal(trace_open(&t, &(struct trace_source){ .path = paths, .paths = 1 }, &diag), 0);
	for (; trace_next(t, &e, &diag) == 1; n++) {
		assert_int_equal(e.device, n % 5000);
		assert_int_equal(atoi(trace_device(t, e.device) + 1), n % 5000);
	}
	assert_int_equal(n, 20000);
	assert_int_equal(trace_devices(t), 5000);
	trace_close(t);
	close(fd);
	strbuf_fini(&b);
}

/* The estimate is within four standard errors of the number of different values, small or large, and adding
   them again changes nothing. */
static void test_hyperloglog(void **state)
{
	static const unsigned counts[] = { 0, 1, 100, 5000, 20000, 60000, 300000, 2000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(counts); i++) {
		struct hyperloglog *h = calloc(1, sizeof(*h));
		double got, error = counts[i] * 4 * HYPERLOGLOG_ERROR_PERCENT / 100;

		for (unsigned round = 0; round < 2; round++)
			for (unsigned k = 0; k < counts[i]; k++)
				hyperloglog_add(h, hyperloglog_hash(k + 1));
		got = hyperloglog_estimate(h);
		if (got < counts[i] - error || got > counts[i] + error)
			fail_msg("%u values are estimated as %g", counts[i], got);
		free(h);
	}
}

static const struct {
	const char *text[2];
	struct trace_merge_input how[2];
	const char *events;
} merges[] = {
	/* One at half of its times, twice; its second run begins at the end of the first. */
	{ { "0,0,512,r,3.0\n0,1,512,r,3.000010\n",
	    "0,2,512,w,0.1\n2,3,512,w,0.100006\n1,4,512,w,0.100009\n" },
	  { { 500000, 2 }, { 1000000, 1 } },
	  "0 0 read 0+512\n0 0 write 1024+512\n5 0 read 512+512\n5 0 read 0+512\n6 2 write 1536+512\n"
	  "9 1 write 2048+512\n10 0 read 512+512\n" },
	/* Formats are mixed. Times of an iolog count from its start. */
	{ { "0,0,512,W,7.5\n0,1,512,r,7.500004\n", V3 OPEN "2 f sync\n" },
	  { { 1000000, 1 }, { 1500000, 3 } },
	  "0 0 write 0+512\n0 f add\n0 f open\n3 f sync\n3 f add\n3 f open\n4 0 read 512+512\n6 f sync\n6 f "
	  "add\n"
	  "6 f open\n9 f sync\n" },
	/* An empty trace is over at once, however often it runs. */
	{ { V3, V3 OPEN "2 f sync\n" },
	  { { 1000000, 1000000 }, { 1000000, 1 } },
	  "0 f add\n0 f open\n2 f sync\n" },
	/* An error names file and line. */
	{ { V3 "1 f add\n", V3 OPEN "1 f read 2 1\n5 f reed 0 1\n" },
	  { { 1000000, 1 }, { 1000000, 1 } },
	  ":5: unknown action" },
	{ { V3 OPEN "18000000000000 f read 0 1\n", V3 OPEN },
	  { { UINT32_MAX, 1 }, { 1000000, 1 } },
	  ": the merged trace is longer than 292 years; repeat it less often, or scale its times down" },
};

/* A trace is repeated whether all its events are kept or it is read again. */
static void test_repeats(void **state)
{
	static const unsigned events[] = { 1, 1024, 1025 };

	(void)state;
	for (size_t i = 0; i < COUNT(events); i++) {
		struct strbuf b = { 0 };
		char path[32];
		const char *const paths[] = { path }, *got;
		const struct trace_merge_input how = { 500000, 3 };
		struct trace_source source = { .path = paths, .paths = 1, .merge = &how };
		int fd;

		for (unsigned k = 0; k < events[i]; k++)
			strbuf_printf(&b, "0,%u,512,r,%u.00000%u\n", k, 5 + k / 5, k % 5 * 2);
		fd = make_file(b.text, b.len, path);
		got = read_source(&source);
		assert_int_equal(count_lines(got), 3 * events[i]);
		/* Each run begins at the end of the last one; times are halved. */
		strbuf_clear(&b);
		for (unsigned k = 0; k < 3 * events[i]; k++) {
			unsigned n = k % events[i], last = events[i] - 1;

			strbuf_printf(&b, "%u 0 read %u+512\n",
				      k / events[i] * (last / 5 * 500000 + last % 5) + n / 5 * 500000 + n % 5,
				      n * 512);
		}
		assert_string_equal(got, strbuf_str(&b));
		strbuf_fini(&b);
		close(fd);
	}
}

static void test_merge(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(merges); i++) {
		char path[2][32];
		const char *const paths[] = { path[0], path[1] };
		struct trace_source source = { .path = paths, .paths = 2, .merge = merges[i].how };
		int fd[2];
		const char *events;

		for (unsigned k = 0; k < 2; k++)
			fd[k] = make_file(merges[i].text[k], strlen(merges[i].text[k]), path[k]);
		events = read_source(&source);
		if (*merges[i].events == ':')
			assert_non_null(strstr(events, merges[i].events));
		else
			assert_string_equal(events, merges[i].events);
		close(fd[0]);
		close(fd[1]);
	}
}

/* Adds what the writer makes of a trace. */
static void write_trace(const char *text, struct strbuf *b)
{
	char path[32];
	const char *const paths[] = { path };
	int fd = make_file(text, strlen(text), path);
	struct trace *t;
	struct trace_writer w;
	struct trace_event e;

	assert_int_equal(trace_open(&t, &(struct trace_source){ .path = paths, .paths = 1 }, &diag), 0);
	trace_writer_begin(&w, t, b);
	while (trace_next(t, &e, &diag) == 1)
		if (trace_writer_add(&w, t, &e, b, &diag))
			strbuf_puts(b, diag_text(&diag));
	trace_close(t);
	close(fd);
}

/* What is written has the events of what was read. */
static void test_writer(void **state)
{
	static const char io[] =
		"  8,16   0        1     0.000003000   697  Q FWFSM 8 + 1 [a b]\n"
		"  8,1048575   0   2     0.000004000   697  Q FWS [a]\n"
		"  8,16   0        3     0.000005000   697  Q   D 16 + 8 [a]\n"
		"  8,16   0        4     0.000006000   697  Q   R 18014398509481976 + 7 [a]\n";
	static const char log[] =
		V3 "1 a add\n2 b add\n3 b open\n4 a open\n6 b write 5 6\n7 a datasync\n9 a trim 0 1\n";
	static const char blanks[] = "128166372003061629,a b,0,Read,0,1,41286\n";
	struct strbuf b = { 0 };
	char *expected = strdup(read_text(io));

	(void)state;
	write_trace(io, &b);
	assert_int_equal(b.len, 4 * 48);
	assert_string_equal(read_bytes(b.text, b.len), expected);
	strbuf_clear(&b);
	write_trace(log, &b);
	assert_string_equal(strbuf_str(&b),
			    V3 "6 a add\n6 a open\n6 b add\n6 b open\n6 b write 5 6\n7 a datasync 0 0\n"
			       "9 a trim 0 1\n");
	strbuf_clear(&b);
	write_trace(blanks, &b);
	assert_string_equal(strbuf_str(&b), V3 "a b.0: an iolog cannot name a file with blanks");
	free(expected);
	strbuf_fini(&b);
}

/* The extents of random I/Os, against a list of the blocks that they touch. */
static void test_extents(void **state)
{
	enum { BLOCKS = 4000, IOS = 3000 };
	static bool touched[BLOCKS];
	static struct {
		uint64_t offset, length;
	} io[IOS];
	struct extents x = { 0 };
	struct compact_map map;
	struct arena a = { 0 };
	uint64_t at[BLOCKS], blocks = 0;
	size_t entries = 0;

	(void)state;
	srand(7);
	for (unsigned i = 0; i < IOS; i++) {
		io[i].offset = (uint64_t)(rand() % (BLOCKS - 20)) * 4096 + (unsigned)rand() % 9 * 512;
		io[i].length = i % 10 ? 512 : 1 + (unsigned)rand() % 60000;
		for (uint64_t b = io[i].offset / 4096; b <= (io[i].offset + io[i].length - 1) / 4096; b++)
			touched[b] = true;
		assert_int_equal(extents_add(&x, io[i].offset, io[i].length, &entries), 0);
	}
	for (unsigned b = 0; b < BLOCKS; blocks += touched[b++])
		at[b] = blocks * 4096;
	assert_in_range(blocks, BLOCKS / 4, BLOCKS - 50);
	assert_int_equal(extents_compact(&x, &map, &a), 0);
	assert_int_equal(map.bytes, blocks * 4096);
	for (unsigned i = 0; i < IOS; i++)
		assert_int_equal(compact_offset(&map, io[i].offset),
				 at[io[i].offset / 4096] + io[i].offset % 4096);
	assert_true(entries <= BLOCKS);
	entries = EXTENT_ENTRIES_MAX - 1;
	extents_fini(&x);
	assert_int_equal(extents_add(&x, 0, 1, &entries), -E2BIG);
	arena_fini(&a);
}

int unit_trace(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),         cmocka_unit_test(test_bad),
		cmocka_unit_test(test_cut),          cmocka_unit_test(test_nul),
		cmocka_unit_test(test_window),       cmocka_unit_test(test_gzip),
		cmocka_unit_test(test_long_line),    cmocka_unit_test(test_csv),
		cmocka_unit_test(test_blktrace),     cmocka_unit_test(test_stages),
		cmocka_unit_test(test_many_devices), cmocka_unit_test(test_cpu_files),
		cmocka_unit_test(test_hyperloglog),  cmocka_unit_test(test_parts),
		cmocka_unit_test(test_files),        cmocka_unit_test(test_devices),
		cmocka_unit_test(test_merge),        cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_extents),      cmocka_unit_test(test_writer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
