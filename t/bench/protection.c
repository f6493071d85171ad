/* protection.c: what protection information costs the CPU for each 4 KiB of 512-byte blocks: making it,
   checking it, and checking the tags alone, beside a copy of the data and the CRC-32C of verify=crc32c. Each
   round measures one after the other, and the best round of each counts, because whatever disturbs makes it
   slower.

     bench-digests protection              prints the table
     bench-digests protection STEP COUNT   does one step so often, and prints nothing: callgrind counts its
   instructions */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "crc.h"
#include "protection.h"
#include "protection_cost.h"

#define BYTES    4096u
#define BLOCK    512u
#define ROUNDS   40
#define ROUND_NS 500000u

static unsigned char data[BYTES], copy[BYTES], metadata[BYTES / BLOCK * PROTECTION_BYTES];
static volatile uint32_t sink;

static const struct protected_blocks blocks = { data, metadata, PROTECTION_BYTES, BYTES / BLOCK, 1 };
static const struct protection all = { BLOCK, 0, 1, 7, 0x1234, 0xffff };
static const struct protection tags = { BLOCK, 0, 1, PROTECTION_APP | PROTECTION_REF, 0x1234, 0xffff };

static void run_copy(void)
{
	memcpy(copy, data, BYTES);
	sink = copy[sink % BYTES];
}

static void run_crc32c(void)
{
	sink = crc_castagnoli(data, BYTES);
}

static void run_make(void)
{
	protection_make(&all, &blocks);
}

static void check(const struct protection *p)
{
	struct protection_damage d;

	if (!protection_check(p, &blocks, &d))
		abort();
}

static void run_check(void)
{
	check(&all);
}

static void run_tags(void)
{
	check(&tags);
}

static struct step {
	const char *name;
	void (*run)(void);
	double best_ns;
} steps[] = { { "copy", run_copy, 0 },
	      { "crc32c", run_crc32c, 0 },
	      { "make", run_make, 0 },
	      { "check", run_check, 0 },
	      { "tags", run_tags, 0 } };
#define STEPS (sizeof(steps) / sizeof(*steps))

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void measure(struct step *s)
{
	uint64_t start = cpu_ns(), end, n = 0;
	double ns;

	do {
		for (unsigned i = 0; i < 8; i++)
			s->run();
		n += 8;
		end = cpu_ns();
	} while (end - start < ROUND_NS);
	ns = (double)(end - start) / (double)n;
	if (s->best_ns <= 0 || ns < s->best_ns)
		s->best_ns = ns;
}

static int repeat(const char *name, unsigned long count)
{
	for (size_t i = 0; i < STEPS; i++) {
		if (strcmp(steps[i].name, name) != 0)
			continue;
		for (; count; count--)
			steps[i].run();
		return 0;
	}
	fprintf(stderr, "no step %s: copy, crc32c, make, check, tags\n", name);
	return 2;
}

int protection_cost(int argc, char **argv)
{
	for (unsigned i = 0; i < BYTES; i++)
		data[i] = (unsigned char)(i * 31 + i / 256);
	run_make();
	if (argc == 3)
		return repeat(argv[1], strtoul(argv[2], NULL, 10));
	for (unsigned round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < STEPS; i++)
			measure(&steps[i]);
	printf("| step | ns for 4 KiB | of a copy |\n|---|---:|---:|\n");
	for (size_t i = 0; i < STEPS; i++)
		printf("| %s | %.0f | %.1f |\n", steps[i].name, steps[i].best_ns,
		       steps[i].best_ns / steps[0].best_ns);
	return 0;
}
