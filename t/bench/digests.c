/* digests.c: the speed of each kind of verify block beside the library's function for the same digest. Each
   round measures one after the other, and the best round of each counts, because whatever disturbs makes it
   slower. Exit status 1: a digest has less than 90 % of its library's speed. */
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>
#include <zlib.h>
#include "protection_cost.h"
#include "verify_check.h"

#define ROUNDS   25
#define ROUND_NS 1000000u
#define LEAST    0.90
#define LARGEST  65536u

static unsigned char sink[VERIFY_DIGEST_MAX];

/* ---- libraries ---- */

static EVP_MD_CTX *context;
static EVP_MD *fetched;

static void lib_evp(const void *data, size_t bytes)
{
	EVP_DigestInit_ex(context, fetched, NULL);
	EVP_DigestUpdate(context, data, bytes);
	EVP_DigestFinal_ex(context, sink, NULL);
}

static void lib_xxhash(const void *data, size_t bytes)
{
	XXH32_hash_t h = XXH32(data, bytes, 1);

	memcpy(sink, &h, sizeof(h));
}

/* zlib's CRC-32 goes the other way round; no library has ours. */
static void lib_crc32(const void *data, size_t bytes)
{
	uLong c = crc32(0, data, (uInt)bytes);

	memcpy(sink, &c, sizeof(c));
}

static const struct {
	enum verify_kind kind;
	const char *library;
	void (*of)(const void *data, size_t bytes);
} kinds[] = {
	{ VERIFY_CRC32C, NULL, NULL },
	{ VERIFY_CRC32, "zlib's crc32", lib_crc32 },
	{ VERIFY_CRC64, NULL, NULL },
	{ VERIFY_CRC16, NULL, NULL },
	{ VERIFY_CRC7, NULL, NULL },
	{ VERIFY_XXHASH, "XXH32", lib_xxhash },
	{ VERIFY_MD5, "MD5", lib_evp },
	{ VERIFY_SHA1, "SHA1", lib_evp },
	{ VERIFY_SHA256, "SHA256", lib_evp },
	{ VERIFY_SHA512, "SHA512", lib_evp },
	{ VERIFY_SHA3_224, "SHA3-224", lib_evp },
	{ VERIFY_SHA3_256, "SHA3-256", lib_evp },
	{ VERIFY_SHA3_384, "SHA3-384", lib_evp },
	{ VERIFY_SHA3_512, "SHA3-512", lib_evp },
	{ VERIFY_META, NULL, NULL },
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

/* ---- what is measured ---- */

struct bench {
	struct verify_format f;
	struct verify_expect e;
	unsigned char *block;
	uint32_t bytes;
	void (*library)(const void *data, size_t bytes);
};

static void run_digest(struct bench *b)
{
	verify_digest_of(b->f.cfg->kind, b->block, b->bytes, sink);
}

static void run_library(struct bench *b)
{
	b->library(b->block, b->bytes);
}

static void run_make(struct bench *b)
{
	verify_block_make(&b->f, &b->e.write, b->block);
}

static void run_check(struct bench *b)
{
	struct verify_damage d;

	if (!verify_check(&b->f, &b->e, b->block, &d))
		abort();
}

enum { DIGEST, LIBRARY, MAKE, CHECK, STEPS };
static void (*const steps[STEPS])(struct bench *) = { run_digest, run_library, run_make, run_check };

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Bytes per nanosecond in one round. */
static double round_of(struct bench *b, void (*step)(struct bench *))
{
	uint64_t start = cpu_ns(), end, n = 0;

	do {
		for (unsigned i = 0; i < 8; i++)
			step(b);
		n += 8;
		end = cpu_ns();
	} while (end - start < ROUND_NS);
	return (double)(n * b->bytes) / (double)(end - start);
}

static void measure(struct bench *b, double *best)
{
	for (unsigned i = 0; i < STEPS; i++)
		best[i] = 0;
	run_make(b);
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (unsigned i = 0; i < STEPS; i++) {
			double speed;

			if (i == LIBRARY && !b->library)
				continue;
			speed = round_of(b, steps[i]);
			if (speed > best[i])
				best[i] = speed;
		}
	}
}

/* Returns whether the digest is as fast as it has to be. zlib's is for orientation. */
static bool row(unsigned i, const double *best, uint32_t bytes)
{
	double share = best[LIBRARY] > 0 ? best[DIGEST] / best[LIBRARY] : 0;

	printf("| %s | %u | %.2f | ", verify_kinds[kinds[i].kind].name, bytes, best[DIGEST]);
	if (best[LIBRARY] > 0)
		printf("%.2f (%s) | %.0f %% | ", best[LIBRARY], kinds[i].library, 100 * share);
	else
		printf("- | - | ");
	printf("%.2f | %.2f |\n", best[MAKE], best[CHECK]);
	fflush(stdout);
	return !kinds[i].of || kinds[i].kind == VERIFY_CRC32 || share >= LEAST;
}

static bool kind_rows(unsigned i, unsigned char *block)
{
	static const uint32_t sizes[] = { 512, 4096, LARGEST };
	static const struct buffer_cfg plain = { 0 };
	const struct verify_cfg cfg = { .kind = kinds[i].kind };
	bool fast = true;

	fetched = kinds[i].of == lib_evp ? EVP_MD_fetch(NULL, kinds[i].library, NULL) : NULL;
	for (unsigned k = 0; k < 3; k++) {
		struct bench b = { .block = block, .bytes = sizes[k], .library = kinds[i].of };
		double best[STEPS];

		b.e = (struct verify_expect){ .write = { .bytes = sizes[k], .seed = 9 },
					      .seed = true,
					      .number = true };
		verify_format_init(&b.f, &cfg, &plain, sizes[k]);
		measure(&b, best);
		fast &= row(i, best, sizes[k]);
	}
	EVP_MD_free(fetched);
	return fast;
}

int main(int argc, char **argv)
{
	unsigned char *block;
	bool fast = true;

	if (argc > 1 && !strcmp(argv[1], "protection"))
		return protection_cost(argc - 1, argv + 1);
	block = calloc(1, LARGEST);
	context = EVP_MD_CTX_new();
	if (!block || !context)
		return 2;
	printf("GB/s, hot cache:\n\n| kind | bytes | digest | library | share | make block | check block |\n"
	       "|---|---|---|---|---|---|---|\n");
	for (unsigned i = 0; i < KINDS; i++)
		fast &= kind_rows(i, block);
	EVP_MD_CTX_free(context);
	free(block);
	return !fast;
}
