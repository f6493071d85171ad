/* packs.c: measures the time and memory in which rank 0 of fiord-mpi merges many ranks: it receives one pack
   at a time, merges it, and writes JSON+ at the end. The packs are those of real runs: bench-packs RANKS
   DOCUMENT... makes one of a document for each rank, in turns. With --most=BYTES it fails if a rank takes
   more memory. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "hosts.h"
#include "merge.h"
#include "read.h"
#include "report.h"
#include "result_pack.h"
#include "strbuf.h"
#include "version.h"

static void fail(const char *text)
{
	fprintf(stderr, "bench-packs: %s\n", text);
	exit(2);
}

/* Makes the pack of rank `rank` from the result of a run. */
static void make_pack(struct result *r, unsigned rank, struct strbuf *pack)
{
	const struct result_host_wave wave = { 0, true, 0, 1000 + rank, 1000000000u + rank };
	char name[32];

	snprintf(name, sizeof(name), "node%04u", rank);
	for (size_t i = 0; i < r->njobs; i++)
		r->jobs[i]->hostname = name;
	r->hosts.n = 0;
	result_add_host(r, &(struct result_host){ .hostname = name,
						  .rank = rank,
						  .waves = &wave,
						  .nwaves = 1,
						  .ios = 1,
						  .bytes = 4096 });
	if (r->failed || result_pack(r, pack))
		fail("out of memory for the packs");
	for (size_t i = 0; i < r->njobs; i++)
		r->jobs[i]->hostname = NULL;
}

static struct strbuf *make_packs(unsigned ranks, const char *const *path, unsigned paths)
{
	struct strbuf *pack = calloc(ranks, sizeof(*pack));
	struct result_set set = { 0 };
	struct diag d = { 0 };

	for (unsigned i = 0; i < paths; i++)
		if (result_read_file(&set, path[i], &d))
			fail(diag_text(&d));
	if (!pack || !set.n)
		fail("out of memory, or no document");
	for (unsigned i = 0; i < ranks; i++)
		make_pack(set.res[i % set.n], i, &pack[i]);
	result_set_free(&set);
	return pack;
}

static double cpu_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static long peak_bytes(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss * 1024;
}

static void add_packs(struct result_merge *m, const struct strbuf *pack, unsigned ranks)
{
	struct diag d = { 0 };

	for (unsigned i = 0; i < ranks; i++) {
		struct result r = { 0 };

		if (result_unpack(&r, FIORD_VERSION, pack[i].text, pack[i].len, &d) ||
		    result_merge_add(m, &r, "?", &d))
			fail(diag_text(&d));
		result_free(&r);
	}
}

/* Does the work of rank 0, in a process of its own whose peak of memory begins with the packs. */
static int merge(const struct strbuf *pack, unsigned ranks, long most)
{
	struct result_merge *m = result_merge_new("fiord", FIORD_VERSION, FIORD_FIO_VERSION, true);
	long before = peak_bytes(), each;
	double begin = cpu_s(), merged, written;
	struct strbuf out = { 0 };
	struct result sum = { 0 };
	struct diag d = { 0 };
	size_t bytes = 0;

	for (unsigned i = 0; i < ranks; i++)
		bytes += pack[i].len;
	if (!m)
		fail("out of memory");
	add_packs(m, pack, ranks);
	if (result_merge_finish(m, &sum, &d))
		fail(diag_text(&d));
	merged = cpu_s();
	if (report_json(&sum, &out))
		fail("out of memory for the document");
	written = cpu_s();
	each = (peak_bytes() - before) / (long)ranks;
	printf("%u ranks, packs of %zu bytes: %.2f s of CPU to merge, %.2f s to write %zu bytes of JSON+, "
	       "%ld bytes of "
	       "memory each\n",
	       ranks, bytes / ranks, merged - begin, written - merged, out.len, each);
	if (sum.hosts.n != ranks)
		fail("the merged result lacks ranks");
	if (most && each > most)
		fail("this is too much memory");
	return 0;
}

int main(int argc, char **argv)
{
	long most = argc > 1 && !strncmp(argv[1], "--most=", 7) ? atol(argv[1] + 7) : 0;
	int at = most ? 2 : 1, status = 0;
	unsigned ranks = argc > at ? (unsigned)atoi(argv[at]) : 0;
	struct strbuf *pack;
	pid_t pid;

	if (!ranks || argc < at + 2)
		fail("usage: bench-packs [--most=BYTES] RANKS DOCUMENT...");
	pack = make_packs(ranks, (const char *const *)argv + at + 1, (unsigned)(argc - at - 1));
	pid = fork();
	if (!pid)
		exit(merge(pack, ranks, most));
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		fail(strerror(errno));
	for (unsigned i = 0; i < ranks; i++)
		strbuf_fini(&pack[i]);
	free(pack);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
