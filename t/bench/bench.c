/* bench.c: what an I/O costs fiord, beside the bare loop and, where installed, fio. CPU time (user and system
   of the whole process tree, from start to exit) per I/O; runs interleaved, medians, ratios within this run.

     bench FIORD [DIRECTORY [ROUNDS]]      cost per I/O
     bench FIORD rates [SECONDS]           the rate asked for and the rate that came */
#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bare.h"
#include "clock.h"

#define ROUNDS_MAX 15
#define FILE_BYTES (16u << 20)

struct scene {
	const char *name, *args;
	unsigned depth;
	uint64_t ios;
	enum { BARE_NULL, BARE_PSYNC, BARE_URING } bare;
};

static const struct scene scenes[] = {
	{ "null, depth 1, randread", "--ioengine=null", 1, 20000000, BARE_NULL },
	{ "null, depth 32, randread", "--ioengine=null --iodepth=32", 32, 20000000, BARE_NULL },
	{ "psync, hot page cache", "--ioengine=psync", 1, 1000000, BARE_PSYNC },
	{ "io_uring, hot page cache, depth 1", "--ioengine=io_uring", 1, 800000, BARE_URING },
	{ "io_uring, hot page cache, depth 32", "--ioengine=io_uring --iodepth=32", 32, 1000000, BARE_URING },
};
#define SCENES (sizeof(scenes) / sizeof(*scenes))

static const char *dir = "/tmp";
static char file[512];

static double tv_ns(const struct timeval *t)
{
	return (double)t->tv_sec * 1e9 + (double)t->tv_usec * 1e3;
}

/* CPU ns per I/O of what child() does; the I/Os that it says it did go to *ios. */
static double cpu_of(pid_t pid)
{
	struct rusage u;
	int status;

	if (pid < 0 || wait4(pid, &status, 0, &u) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
		return -1;
	return tv_ns(&u.ru_utime) + tv_ns(&u.ru_stime);
}

static double run_bare(const struct scene *s)
{
	pid_t pid = fork();
	double cpu;
	int ret = 0;

	if (pid == 0) {
		switch (s->bare) {
		case BARE_NULL:
			ret = bare_null(FILE_BYTES, s->ios, s->depth);
			break;
		case BARE_PSYNC:
			ret = bare_psync(file, FILE_BYTES, s->ios);
			break;
		case BARE_URING:
			ret = bare_uring(file, FILE_BYTES, s->ios, s->depth);
			break;
		}
		_exit(ret ? 1 : 0);
	}
	cpu = cpu_of(pid);
	return cpu < 0 ? -1 : cpu / (double)s->ios;
}

static cJSON *document(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = calloc(1, 1 << 20);
	cJSON *doc = NULL;

	if (f && text && fread(text, 1, (1 << 20) - 1, f))
		doc = cJSON_Parse(strchr(text, '{') ? strchr(text, '{') : text);
	if (f)
		fclose(f);
	free(text);
	return doc;
}

static double number(const cJSON *doc, const char *dirname, const char *key)
{
	const cJSON *job = cJSON_GetArrayItem(cJSON_GetObjectItem(doc, "jobs"), 0);
	const cJSON *v = cJSON_GetObjectItem(cJSON_GetObjectItem(job, dirname), key);

	return v ? v->valuedouble : -1;
}

/* Runs a program with these arguments, JSON into a file. The document, or NULL. */
static cJSON *run_program(const char *program, const char *args, double *cpu)
{
	char command[2048], out[600];
	pid_t pid;

	snprintf(out, sizeof(out), "%s/fiord-bench.json", dir);
	snprintf(command, sizeof(command),
		 "exec %s --name=b --output-format=json --output=%s --rw=randread --bs=4k %s >/dev/null 2>&1",
		 program, out, args);
	pid = fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	*cpu = cpu_of(pid);
	return *cpu < 0 ? NULL : document(out);
}

static double run_cost(const char *program, const struct scene *s)
{
	char args[1024];
	double cpu, ios;
	cJSON *doc;

	snprintf(args, sizeof(args),
		 "%s --filename=%s --size=%u --io_size=%" PRIu64
		 " --norandommap --invalidate=0 --time_based=0",
		 s->args, file, FILE_BYTES, s->ios * 4096);
	doc = run_program(program, args, &cpu);
	ios = number(doc, "read", "total_ios");
	cJSON_Delete(doc);
	return ios > 0 ? cpu / ios : -1;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, unsigned n)
{
	qsort(v, n, sizeof(*v), by_value);
	return v[n / 2];
}

static void print_cell(double v, double per)
{
	if (v < 0)
		printf("  %16s", "-");
	else
		printf("  %7.1f (%5.2fx)", v, v / per);
}

static void costs(const char *fiord, unsigned rounds, bool fio)
{
	printf("CPU ns per I/O, medians of %u interleaved runs; in brackets the ratio to fiord\n", rounds);
	printf("%-38s  %16s  %16s  %16s\n", "", "fiord", "bare loop", "fio");
	for (size_t i = 0; i < SCENES; i++) {
		double v[3][ROUNDS_MAX], m[3];

		for (unsigned k = 0; k < rounds; k++) {
			v[0][k] = run_cost(fiord, &scenes[i]);
			v[1][k] = run_bare(&scenes[i]);
			v[2][k] = fio ? run_cost("fio", &scenes[i]) : -1;
		}
		for (int c = 0; c < 3; c++)
			m[c] = median(v[c], rounds);
		printf("%-38s", scenes[i].name);
		for (int c = 0; c < 3; c++)
			print_cell(m[c], m[0]);
		putchar('\n');
		fflush(stdout);
	}
}

static void rates(const char *fiord, unsigned seconds)
{
	static const char *const engines[] = { "null", "psync" };
	static const unsigned asked[] = { 10, 1000, 200000 };

	printf("achieved rate over %u s beside what was asked\n", seconds);
	for (size_t e = 0; e < 2; e++) {
		for (size_t a = 0; a < 3; a++) {
			char args[1024];
			double cpu, iops;
			cJSON *doc;

			snprintf(args, sizeof(args),
				 "--ioengine=%s --filename=%s --size=%u --rate_iops=%u --time_based "
				 "--runtime=%u --invalidate=0",
				 engines[e], file, FILE_BYTES, asked[a], seconds);
			doc = run_program(fiord, args, &cpu);
			iops = number(doc, "read", "iops");
			cJSON_Delete(doc);
			printf("%-6s asked %7u  came %12.3f  off by %+.4f %%  cpu %4.1f %%\n", engines[e],
			       asked[a], iops, (iops / asked[a] - 1) * 100, cpu / seconds / 1e7);
			fflush(stdout);
		}
	}
}

static int make_file(void)
{
	char block[4096];
	FILE *f = fopen(file, "we");

	for (size_t i = 0; i < sizeof(block); i++)
		block[i] = (char)(i * 131);
	for (size_t i = 0; f && i < FILE_BYTES / sizeof(block); i++) {
		if (fwrite(block, sizeof(block), 1, f) != 1)
			return -EIO;
	}
	return f ? fclose(f) : -errno;
}

int main(int argc, char **argv)
{
	bool rate = argc > 2 && !strcmp(argv[2], "rates");
	unsigned n = argc > 3 ? (unsigned)atoi(argv[3]) : rate ? 10 : 5;
	char json[600];

	if (argc < 2 || n == 0 || (!rate && n > ROUNDS_MAX)) {
		fprintf(stderr, "usage: bench FIORD [DIRECTORY [ROUNDS]] | bench FIORD rates [SECONDS]\n");
		return 2;
	}
	if (argc > 2 && !rate)
		dir = argv[2];
	snprintf(file, sizeof(file), "%s/fiord-bench.dat", dir);
	clock_init();
	if (make_file()) {
		fprintf(stderr, "bench: cannot write %s\n", file);
		return 1;
	}
	if (rate)
		rates(argv[1], n);
	else
		costs(argv[1], n, system("command -v fio >/dev/null 2>&1") == 0);
	snprintf(json, sizeof(json), "%s/fiord-bench.json", dir);
	unlink(json);
	unlink(file);
	return 0;
}
