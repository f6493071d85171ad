/* addsup: reads a DISKSPD XML result from standard input and checks that its figures add up. It prints each
   error, and exits 0 if there is none. The rules come from DISKSPD's documentation, not from fiord.

   Rules for each time span: bytes are I/Os times the block size in the profile of the target, reads and
   writes add up to the I/Os, there are ThreadCount threads and ProcCount CPUs, user and kernel time add up to
   usage, percentiles never decrease, the time is near the requested duration, and the results of -L and -D
   exist if they were requested. */
#include <expat.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH   16
#define SPANS   16
#define TARGETS 64
#define TEXT    4096

struct target {
	char path[TEXT];
	unsigned long long block, bytes, ios, read_bytes, reads, write_bytes, writes;
};

/* From the profile. */
struct asked {
	struct target targets[TARGETS];
	unsigned ntargets;
	double duration;
	bool latency, iops;
};

struct use {
	double usage, user, kernel, idle;
};

/* From a time span of the result. */
struct told {
	unsigned threads, cpus, percentiles, buckets, targets;
	unsigned long long thread_count, proc_count, ios, bytes;
	double seconds, last[3];
	bool error, latency, mean;
};

static struct asked asked[SPANS];
static struct told told[SPANS];
static unsigned nasked, ntold, failures, depth;
static char path[DEPTH][64], text[TEXT];
static struct target row;
static struct use use;

__attribute__((format(printf, 1, 2))) static void wrong(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("span %u: ", ntold);
	vprintf(fmt, ap);
	putchar('\n');
	va_end(ap);
	failures++;
}

static bool at(const char *parent, const char *name)
{
	return depth >= 2 && !strcmp(path[depth - 1], name) && !strcmp(path[depth - 2], parent);
}

static bool below(const char *name)
{
	for (unsigned i = 0; i < depth; i++)
		if (!strcmp(path[i], name))
			return true;
	return false;
}

static unsigned long long number(void)
{
	return strtoull(text, NULL, 10);
}

static struct told *span(void)
{
	return &told[ntold - 1];
}

static void XMLCALL begin(void *ctx, const char *name, const char **attributes)
{
	(void)ctx;
	(void)attributes;
	if (depth == DEPTH) {
		puts("too deep");
		exit(2);
	}
	snprintf(path[depth++], sizeof(path[0]), "%s", name);
	text[0] = '\0';
	if (at("TimeSpans", "TimeSpan") && nasked < SPANS)
		nasked++;
	if (at("Targets", "Target") && below("Profile"))
		asked[nasked - 1].ntargets++;
	if (at("Results", "TimeSpan") && ntold < SPANS)
		ntold++;
	if (at("Thread", "Target"))
		row = (struct target){ 0 };
	if (!below("Profile") && ntold && depth > 1) {
		span()->threads += at("TimeSpan", "Thread");
		span()->latency |= at("TimeSpan", "Latency");
		span()->buckets += at("Iops", "Bucket") && !below("Thread");
	}
}

static void XMLCALL characters(void *ctx, const char *s, int n)
{
	size_t have = strlen(text), room = sizeof(text) - 1 - have;
	size_t take = (size_t)n < room ? (size_t)n : room;

	(void)ctx;
	memcpy(text + have, s, take);
	text[have + take] = '\0';
}

static void end_profile(void)
{
	struct asked *a = nasked ? &asked[nasked - 1] : NULL;

	if (!a || a->ntargets > TARGETS)
		return;
	if (at("Target", "Path"))
		snprintf(a->targets[a->ntargets - 1].path, TEXT, "%s", text);
	else if (at("Target", "BlockSize"))
		a->targets[a->ntargets - 1].block = number();
	else if (at("TimeSpan", "Duration"))
		a->duration = strtod(text, NULL);
	else if (at("TimeSpan", "MeasureLatency"))
		a->latency = !strcmp(text, "true");
	else if (at("TimeSpan", "CalculateIopsStdDev"))
		a->iops = !strcmp(text, "true");
}

static unsigned long long block_of(const char *name)
{
	const struct asked *a = &asked[ntold - 1];

	for (unsigned i = 0; i < a->ntargets; i++)
		if (!strcmp(a->targets[i].path, name))
			return a->targets[i].block;
	return 0;
}

static void end_row(void)
{
	span()->ios += row.ios;
	span()->bytes += row.bytes;
	span()->targets++;
	if (row.reads + row.writes != row.ios)
		wrong("%s: %llu reads and %llu writes are not %llu I/Os", row.path, row.reads, row.writes,
		      row.ios);
	if (row.read_bytes + row.write_bytes != row.bytes)
		wrong("%s: %llu and %llu are not %llu bytes", row.path, row.read_bytes, row.write_bytes,
		      row.bytes);
	if (row.bytes != row.ios * block_of(row.path))
		wrong("%s: %llu bytes are not %llu I/Os of %llu", row.path, row.bytes, row.ios,
		      block_of(row.path));
	if (row.read_bytes != row.reads * block_of(row.path))
		wrong("%s: %llu bytes read are not %llu I/Os", row.path, row.read_bytes, row.reads);
}

static void end_use(const char *what)
{
	if (fabs(use.usage - use.user - use.kernel) > 0.02 || fabs(use.usage + use.idle - 100) > 0.02)
		wrong("%s: usage %.2f, user %.2f, kernel %.2f, idle %.2f", what, use.usage, use.user,
		      use.kernel, use.idle);
}

static void end_percentile(unsigned column)
{
	double ms = strtod(text, NULL);

	if (ms < span()->last[column])
		wrong("percentiles fall from %.3f to %.3f", span()->last[column], ms);
	span()->last[column] = ms;
}

static void end_target_element(void)
{
	if (at("Target", "Path"))
		snprintf(row.path, sizeof(row.path), "%s", text);
	else if (at("Target", "BytesCount"))
		row.bytes = number();
	else if (at("Target", "IOCount"))
		row.ios = number();
	else if (at("Target", "ReadBytes"))
		row.read_bytes = number();
	else if (at("Target", "ReadCount"))
		row.reads = number();
	else if (at("Target", "WriteBytes"))
		row.write_bytes = number();
	else if (at("Target", "WriteCount"))
		row.writes = number();
	else if (at("Thread", "Target"))
		end_row();
}

static void end_cpu_element(void)
{
	const char *name = path[depth - 1];

	if (!strcmp(name, "UsagePercent"))
		use.usage = strtod(text, NULL);
	else if (!strcmp(name, "UserPercent"))
		use.user = strtod(text, NULL);
	else if (!strcmp(name, "KernelPercent"))
		use.kernel = strtod(text, NULL);
	else if (!strcmp(name, "IdlePercent"))
		use.idle = strtod(text, NULL);
	else if (at("CpuUtilization", "CPU") || at("CpuUtilization", "Average"))
		end_use(name);
	span()->cpus += at("CpuUtilization", "CPU");
	span()->mean |= at("CpuUtilization", "Average");
}

static void end_span_element(void)
{
	struct told *t = span();

	if (at("TimeSpan", "TestTimeSeconds"))
		t->seconds = strtod(text, NULL);
	else if (at("TimeSpan", "ThreadCount"))
		t->thread_count = number();
	else if (at("TimeSpan", "ProcCount"))
		t->proc_count = number();
	else if (at("TimeSpan", "Error"))
		t->error = true;
	else if (at("Bucket", "Percentile"))
		t->percentiles++;
	else if (at("Bucket", "ReadMilliseconds"))
		end_percentile(0);
	else if (at("Bucket", "WriteMilliseconds"))
		end_percentile(1);
	else if (at("Bucket", "TotalMilliseconds"))
		end_percentile(2);
}

static void end_span(void)
{
	const struct asked *a = &asked[ntold - 1];
	const struct told *t = span();

	if (t->error) {
		wrong("it ended early");
		return;
	}
	if (ntold > nasked) {
		wrong("the profile has none such");
		return;
	}
	if (!t->ios || !t->bytes)
		wrong("nothing was done");
	if (t->threads != t->thread_count || !t->threads)
		wrong("%u of %llu threads", t->threads, t->thread_count);
	if (t->cpus != t->proc_count || !t->mean)
		wrong("%u of %llu processors", t->cpus, t->proc_count);
	if (t->targets < a->ntargets)
		wrong("%u rows of %u targets", t->targets, a->ntargets);
	if (t->seconds < a->duration - 0.5 || t->seconds > a->duration + 60)
		wrong("%.2f s, not %.0f", t->seconds, a->duration);
	if (t->latency != a->latency || (a->latency && t->percentiles < 100))
		wrong("latencies asked for: %d, %u percentiles", a->latency, t->percentiles);
	if (!a->iops != !t->buckets)
		wrong("intervals asked for: %d, %u told", a->iops, t->buckets);
}

static void XMLCALL end(void *ctx, const char *name)
{
	(void)ctx;
	(void)name;
	if (below("Profile")) {
		end_profile();
	} else if (ntold && below("TimeSpan")) {
		if (below("Thread"))
			end_target_element();
		else if (below("CpuUtilization"))
			end_cpu_element();
		else if (at("Results", "TimeSpan"))
			end_span();
		else
			end_span_element();
	}
	text[0] = '\0';
	depth--;
}

int main(void)
{
	XML_Parser p = XML_ParserCreate(NULL);
	static char buf[65536];
	size_t n;

	if (!p)
		return 2;
	XML_SetElementHandler(p, begin, end);
	XML_SetCharacterDataHandler(p, characters);
	do {
		n = fread(buf, 1, sizeof(buf), stdin);
		if (!XML_Parse(p, buf, (int)n, n == 0)) {
			printf("not XML: %s\n", XML_ErrorString(XML_GetErrorCode(p)));
			return 1;
		}
	} while (n);
	XML_ParserFree(p);
	if (!ntold || ntold != nasked) {
		printf("%u spans of %u\n", ntold, nasked);
		failures++;
	}
	return failures != 0;
}
