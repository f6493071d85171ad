#include "feature_cost.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "io_cost.h"
#include "scene.h"
#include "testfile.h"

#define IOS 2000000

/* Index of the rows with which others are compared. */
enum { PLAIN, WRITE, READ, SQUARE, URING, BASES };

struct feature {
	const char *name, *args, *label;
	unsigned base;
	unsigned few; /* divides the number of I/Os, for a row that writes much */
};

#define HOT "--ioengine=io_uring --filename=small --size=16m --invalidate=0"

/* clang-format off */
static const struct feature features[] = {
	[PLAIN] = { "plain", "", "plain: random reads", PLAIN, 0 },
	[WRITE] = { "write", "--rw=randwrite", "plain: random writes", WRITE, 0 },
	[READ] = { "read", "--rw=read", "plain: sequential reads", READ, 0 },
	[SQUARE] = { "norandommap", "--norandommap", "plain: random reads that may come twice", SQUARE, 0 },
	[URING] = { "uring", HOT, "plain: io_uring, hot cache", URING, 0 },
	{ "mix", "--rw=randrw --rwmixread=70", "70 % reads, 30 % writes", PLAIN, 0 },
	{ "rate", "--rate_iops=100000000", "a rate", PLAIN, 0 },
	{ "rate-poisson", "--rate_iops=100000000 --rate_process=poisson", "a rate, poisson", PLAIN, 0 },
	{ "rate-bytes", "--rate=100t", "a rate of bytes", PLAIN, 0 },
	{ "thinktime", "--thinktime=1us --thinktime_blocks=100000", "think time", PLAIN, 0 },
	{ "bssplit", "--bssplit=4k/60:8k/40", "a list of sizes", PLAIN, 0 },
	{ "bsrange", "--bsrange=4k-16k", "a range of sizes", PLAIN, 0 },
	{ "zoned", "--random_distribution=zoned:60/10:30/20:10/70", "zones", PLAIN, 0 },
	{ "zipf", "--norandommap --random_distribution=zipf:1.2", "zipf", SQUARE, 0 },
	{ "pareto", "--norandommap --random_distribution=pareto:0.2", "pareto", SQUARE, 0 },
	{ "normal", "--norandommap --random_distribution=normal:10", "normal", SQUARE, 0 },
	{ "percentage", "--percentage_random=50", "half of them follow on", PLAIN, 0 },
	{ "files-100", "--nrfiles=100 --size=1280m", "100 files", PLAIN, 0 },
	{ "files-10000", "--nrfiles=10000 --size=1280m", "10 000 files", PLAIN, 0 },
	{ "files-random", "--nrfiles=100 --size=1280m --file_service_type=random", "100 files, any of them", PLAIN, 0 },
	{ "log-bw", "--write_bw_log=l", "a log of each I/O", PLAIN, 10 },
	{ "log-all", "--write_bw_log=l --write_iops_log=l --write_lat_log=l", "logs: bw, iops, slat, clat, lat", PLAIN, 10 },
	{ "log-windows", "--write_bw_log=l --write_iops_log=l --write_lat_log=l --log_avg_msec=500",
	  "the same, means of 500 ms", PLAIN, 0 },
	{ "log-hist", "--write_hist_log=l --log_hist_msec=500", "histograms of 500 ms", PLAIN, 0 },
	{ "percentiles", "--lat_percentiles=1 --slat_percentiles=1", "percentiles of slat and lat, too", PLAIN, 0 },
	{ "disable", "--disable_lat=1 --disable_clat=1 --disable_slat=1 --disable_bw=1", "no latencies", PLAIN, 0 },
	{ "gtod-reduce", "--gtod_reduce=1", "gtod_reduce", PLAIN, 0 },
	{ "series", "--series=job", "the series, in the document", PLAIN, 0 },
	{ "status", "--status-interval=1", "a status each second", PLAIN, 0 },
	{ "group", "--group_reporting", "one report for all clones", PLAIN, 0 },
	{ "max-latency", "--max_latency=10s", "a latency that ends it", PLAIN, 0 },
	{ "batches", "--iodepth_batch_complete_min=8", "waiting for several", PLAIN, 0 },
	{ "offset-shared", "--rw=read --offset_shared=1", "offset_shared (diskspd -si)", READ, 0 },
	{ "seq-per-slot", "--rw=read --seq_per_slot=1", "seq_per_slot (diskspd -p)", READ, 0 },
	{ "file-weights", "--norandommap --nrfiles=2 --file_service_type=random --file_weights=3:1",
	  "file_weights (diskspd -O)", SQUARE, 0 },
	{ "depth-per-file", "--norandommap --nrfiles=4 --iodepth_per_file=1", "iodepth_per_file (diskspd -F)", SQUARE, 0 },
	{ "write-pool", "--rw=randwrite --write_pool=1m", "write_pool (diskspd -Z)", WRITE, 0 },
	{ "refill", "--rw=randwrite --refill_buffers", "new contents for each write", WRITE, 10 },
	{ "compress", "--rw=randwrite --buffer_compress_percentage=50", "contents that compress", WRITE, 10 },
	{ "dedupe", "--rw=randwrite --dedupe_percentage=50", "contents that repeat", WRITE, 10 },
	{ "cmdprio", HOT " --cmdprio_percentage=50 --cmdprio_class=2 --cmdprio=5", "priorities of single I/Os", URING, 0 },
	{ "zeroes", "--rw=randwrite --zero_buffers", "zeroes", WRITE, 0 },
};

/* Options that are given, but with the value that holds anyway. */
static const struct feature idle[] = {
	{ "off-mix", "--rw=randrw --rwmixread=100", "a mix of 100 % reads", PLAIN, 0 },
	{ "off-bssplit", "--bssplit=4k/100", "a list of one size", PLAIN, 0 },
	{ "off-bsrange", "--bsrange=4k-4k", "a range of one size", PLAIN, 0 },
	{ "off-zoned", "--random_distribution=random", "the random distribution that is the default", PLAIN, 0 },
	{ "off-percentage", "--percentage_random=100", "all of them random", PLAIN, 0 },
	{ "off-files", "--nrfiles=1", "one file", PLAIN, 0 },
	{ "off-thinktime", "--thinktime=0", "no think time", PLAIN, 0 },
	{ "off-weights", "--file_service_type=random", "any of one file", PLAIN, 0 },
	{ "off-runtime", "--runtime=1h", "a limit of time that is far away", PLAIN, 0 },
	{ "off-loops", "--loops=1", "one loop", PLAIN, 0 },
	{ "off-fsync", "--rw=randwrite --fsync=0", "no fsync, random writes", WRITE, 0 },
};
/* clang-format on */
#define ROWS(a) (sizeof(a) / sizeof(*(a)))

#define DEPTHS 2
static const unsigned depths[DEPTHS] = { 1, 32 };

struct cost {
	struct values ns[DEPTHS];
	double count[DEPTHS];
};

static struct io_cost_job job_of(const struct feature *f, unsigned depth)
{
	return (struct io_cost_job){
		.args = f->args, .depth = depth, .jobs = 1, .ios = IOS / (f->few ? f->few : 1)
	};
}

static bool wanted(const char *only, const struct feature *f)
{
	return section_wants(only, f->name);
}

/* Bases are measured together with any row that is compared with them. */
static bool measured(const char *only, const struct feature *table, size_t n, unsigned i)
{
	if (wanted(only, &table[i]))
		return true;
	if (table != features || i >= BASES)
		return false;
	for (size_t k = 0; k < n; k++)
		if (wanted(only, &table[k]) && table[k].base == i)
			return true;
	return false;
}

static int measure(const struct bench *b, const char *only, struct cost *costs)
{
	for (unsigned round = 0; round < b->rounds; round++) {
		for (unsigned i = 0; i < ROWS(features); i++) {
			for (unsigned d = 0; d < DEPTHS; d++) {
				struct io_cost_job j = job_of(&features[i], depths[d]);

				if (!measured(only, features, ROWS(features), i))
					continue;
				if (io_cost(b, &j, &costs[i].ns[d]))
					return -EIO;
			}
		}
	}
	return 0;
}

/* callgrind does not support io_uring. */
static void count(const struct bench *b, const struct feature *f, struct cost *c)
{
	for (unsigned d = 0; d < DEPTHS; d++) {
		struct io_cost_job j = job_of(f, depths[d]);

		c->count[d] = f->base == URING ? NAN : io_cost_instructions(b, &j);
	}
}

static void cell_more(FILE *out, double v, double base, bool is_base, int digits)
{
	if (isnan(v))
		fprintf(out, " - |");
	else if (is_base || isnan(base))
		fprintf(out, " %.*f |", digits, v);
	else
		fprintf(out, " %.*f (%+.*f) |", digits, v, digits, v - base);
}

static void print_row(FILE *out, const struct feature *f, const struct cost *c, const struct cost *base)
{
	putc('|', out);
	cell_text(out, f->label);
	fprintf(out, f->args[0] ? " `%s` |" : " %s|", f->args);
	for (unsigned d = 0; d < DEPTHS; d++) {
		if (base->ns[d].n)
			cell_more(out, values_median(&c->ns[d]), values_median(&base->ns[d]), c == base, 1);
		cell_more(out, c->count[d], base->count[d], c == base, 0);
	}
	putc('\n', out);
	fflush(out);
}

static void idle_head(FILE *out)
{
	fprintf(out, "\n**Asked for in words, but asking for nothing: instructions per I/O (more than "
		     "without the words)**\n\n");
	table_head(out, "|options|depth 1|depth 32");
}

static void idle_run(const struct bench *b, const char *only, FILE *out, const struct cost *costs)
{
	struct cost bases[BASES];
	bool any = false;

	for (unsigned i = 0; i < BASES; i++)
		bases[i] = (struct cost){ .count = { costs[i].count[0], costs[i].count[1] } };
	for (unsigned i = 0; i < ROWS(idle); i++) {
		struct cost c = { 0 };

		if (!wanted(only, &idle[i]))
			continue;
		if (!any)
			idle_head(out);
		any = true;
		count(b, &idle[i], &c);
		print_row(out, &idle[i], &c, &bases[idle[i].base]);
	}
}

int features_run(const struct bench *b, const char *only, FILE *out)
{
	static struct cost costs[ROWS(features)];

	fprintf(out, "\n**What features cost when they are on: per I/O on the null engine (more than "
		     "without)**\n\n");
	table_head(out,
		   "feature|options|ns, depth 1|instructions, depth 1|ns, depth 32|instructions, depth 32");
	if (!testfile_path(b, FILE_SMALL, true) || measure(b, only, costs)) {
		fprintf(out, "| failed | | | | | |\n");
		return -EIO;
	}
	for (unsigned i = 0; i < ROWS(features); i++) {
		if (!measured(only, features, ROWS(features), i))
			continue;
		count(b, &features[i], &costs[i]);
		print_row(out, &features[i], &costs[i], &costs[features[i].base]);
	}
	if (b->instructions)
		idle_run(b, only, out, costs);
	return 0;
}

void features_list(FILE *out)
{
	for (unsigned i = 0; i < ROWS(features); i++)
		fprintf(out, "%-18s %s\n", features[i].name, features[i].label);
	for (unsigned i = 0; i < ROWS(idle); i++)
		fprintf(out, "%-18s %s\n", idle[i].name, idle[i].label);
}
