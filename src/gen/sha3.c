#include "verify_block.h"

#include <endian.h>
#include <stdint.h>
#include <string.h>
#include "cpu_features.h"
#include "sha3_rounds.h"

static void permute_state(uint64_t *a)
{
	if (cpu_has_bmi2())
		sha3_rounds_bmi2(a);
	else
		sha3_rounds(a);
}

static void absorb(uint64_t *a, const unsigned char *block, size_t rate)
{
	for (size_t i = 0; i < rate / 8; i++) {
		uint64_t lane;

		memcpy(&lane, block + 8 * i, 8);
		a[i] ^= le64toh(lane);
	}
	permute_state(a);
}

void sha3(const void *data, size_t bytes, size_t digest, unsigned char *out)
{
	const size_t rate = 200 - 2 * digest;
	const unsigned char *p = data;
	uint64_t a[SHA3_LANES] = { 0 };
	unsigned char last[200] = { 0 };

	for (; bytes >= rate; bytes -= rate, p += rate)
		absorb(a, p, rate);
	memcpy(last, p, bytes);
	last[bytes] = 0x06;
	last[rate - 1] |= 0x80;
	absorb(a, last, rate);
	for (size_t i = 0; i < (digest + 7) / 8; i++)
		a[i] = htole64(a[i]);
	memcpy(out, a, digest);
}
