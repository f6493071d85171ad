#include "crc.h"

#include <endian.h>
#include <pthread.h>
#include <string.h>
#include "cpu_features.h"

#define SLICES 16

/* slice[k][b]: what byte b contributes to the register when k more bytes follow it in the same step. Only the
   first half of a step depends on the register, so the CPU has looked up the other half by then. */
struct tables {
	uint64_t slice[SLICES][256];
};

/* ---- least significant bit first: the register in the low bits ---- */

static void make_reflected(struct tables *t, uint64_t poly)
{
	for (unsigned b = 0; b < 256; b++) {
		uint64_t r = b;

		for (unsigned bit = 0; bit < 8; bit++)
			r = r & 1 ? r >> 1 ^ poly : r >> 1;
		t->slice[0][b] = r;
	}
	for (unsigned k = 1; k < SLICES; k++) {
		for (unsigned b = 0; b < 256; b++) {
			uint64_t r = t->slice[k - 1][b];

			t->slice[k][b] = r >> 8 ^ t->slice[0][r & 0xff];
		}
	}
}

static inline uint64_t reflected_word(const uint64_t (*slice)[256], uint64_t x)
{
	return slice[7][x & 0xff] ^ slice[6][x >> 8 & 0xff] ^ slice[5][x >> 16 & 0xff] ^
	       slice[4][x >> 24 & 0xff] ^ slice[3][x >> 32 & 0xff] ^ slice[2][x >> 40 & 0xff] ^
	       slice[1][x >> 48 & 0xff] ^ slice[0][x >> 56];
}

static uint64_t run_reflected(const struct tables *t, uint64_t r, const unsigned char *p, size_t bytes)
{
	for (; bytes >= SLICES; bytes -= SLICES, p += SLICES) {
		uint64_t x[2];

		memcpy(x, p, sizeof(x));
		r = reflected_word(t->slice + 8, le64toh(x[0]) ^ r) ^ reflected_word(t->slice, le64toh(x[1]));
	}
	for (; bytes; bytes--)
		r = r >> 8 ^ t->slice[0][(r ^ *p++) & 0xff];
	return r;
}

/* ---- most significant bit first: the register in the high bits ---- */

static void make_forward(struct tables *t, uint64_t poly)
{
	for (unsigned b = 0; b < 256; b++) {
		uint64_t r = (uint64_t)b << 56;

		for (unsigned bit = 0; bit < 8; bit++)
			r = r >> 63 ? r << 1 ^ poly : r << 1;
		t->slice[0][b] = r;
	}
	for (unsigned k = 1; k < SLICES; k++) {
		for (unsigned b = 0; b < 256; b++) {
			uint64_t r = t->slice[k - 1][b];

			t->slice[k][b] = r << 8 ^ t->slice[0][r >> 56];
		}
	}
}

static inline uint64_t forward_word(const uint64_t (*slice)[256], uint64_t x)
{
	return slice[7][x >> 56] ^ slice[6][x >> 48 & 0xff] ^ slice[5][x >> 40 & 0xff] ^
	       slice[4][x >> 32 & 0xff] ^ slice[3][x >> 24 & 0xff] ^ slice[2][x >> 16 & 0xff] ^
	       slice[1][x >> 8 & 0xff] ^ slice[0][x & 0xff];
}

static uint64_t run_forward(const struct tables *t, uint64_t r, const unsigned char *p, size_t bytes)
{
	for (; bytes >= SLICES; bytes -= SLICES, p += SLICES) {
		uint64_t x[2];

		memcpy(x, p, sizeof(x));
		r = forward_word(t->slice + 8, be64toh(x[0]) ^ r) ^ forward_word(t->slice, be64toh(x[1]));
	}
	for (; bytes; bytes--)
		r = r << 8 ^ t->slice[0][r >> 56 ^ *p++];
	return r;
}

/* ---- the CRCs; each makes its tables when it is first used ---- */

static struct tables t7, t16, t16dif, t32, t32c, t64;
static pthread_once_t once7 = PTHREAD_ONCE_INIT, once16 = PTHREAD_ONCE_INIT, once16dif = PTHREAD_ONCE_INIT,
		      once32 = PTHREAD_ONCE_INIT, once32c = PTHREAD_ONCE_INIT, once64 = PTHREAD_ONCE_INIT;

static void make7(void)
{
	make_forward(&t7, 0x09ULL << 57);
}

static void make16(void)
{
	make_reflected(&t16, 0xa001);
}

static void make16dif(void)
{
	make_forward(&t16dif, 0x8bb7ULL << 48);
}

static void make32(void)
{
	make_forward(&t32, 0x04c11db7ULL << 32);
}

static void make32c(void)
{
	make_reflected(&t32c, 0x82f63b78);
}

static void make64(void)
{
	make_reflected(&t64, 0x95ac9329ac4bc9b5);
}

uint8_t crc7(const void *data, size_t bytes)
{
	pthread_once(&once7, make7);
	return (uint8_t)(run_forward(&t7, 0, data, bytes) >> 57);
}

uint16_t crc16(const void *data, size_t bytes)
{
	pthread_once(&once16, make16);
	return (uint16_t)run_reflected(&t16, 0, data, bytes);
}

uint16_t crc16_t10dif_table(uint16_t crc, const void *data, size_t bytes)
{
	pthread_once(&once16dif, make16dif);
	return (uint16_t)(run_forward(&t16dif, (uint64_t)crc << 48, data, bytes) >> 48);
}

uint16_t crc16_t10dif(uint16_t crc, const void *data, size_t bytes)
{
	return cpu_has_sse42() ? crc16_t10dif_pclmul(crc, data, bytes) : crc16_t10dif_table(crc, data, bytes);
}

uint32_t crc32_msb(const void *data, size_t bytes)
{
	pthread_once(&once32, make32);
	return (uint32_t)(run_forward(&t32, 0, data, bytes) >> 32);
}

uint64_t crc64(const void *data, size_t bytes)
{
	pthread_once(&once64, make64);
	return run_reflected(&t64, 0, data, bytes);
}

uint32_t crc32c_table(const void *data, size_t bytes)
{
	pthread_once(&once32c, make32c);
	return (uint32_t)run_reflected(&t32c, 0xffffffff, data, bytes);
}

uint32_t crc_castagnoli(const void *data, size_t bytes)
{
	return cpu_has_sse42() ? crc32c_sse42(data, bytes) : crc32c_table(data, bytes);
}
