/* verify_state_words.h: the header and the live words of a verify state. Private to verify_state*.c.

   A live word has its value in the low 48 bits and a check of value and place in the high 16, so that a
   zeroed or misplaced sector is detected, too. */
#ifndef VERIFY_STATE_WORDS_H
#define VERIFY_STATE_WORDS_H

#include "crc.h"
#include "verify_state.h"

#define STATE_MAGIC         0x545356445249464fu /* "OFIRDVST" in memory of x86 */
#define STATE_MAGIC_SWAPPED 0x4f46495244565354u
#define STATE_DURABLE       1u
#define STATE_SYNCED        2u
#define STATE_COPIED        4u
#define STATE_FLAGS         (STATE_DURABLE | STATE_SYNCED | STATE_COPIED)

/* A name or value has at most STATE_VALUE_MAX bytes of its text, and perhaps a hash behind them. All settings
   together have at most STATE_SETTINGS_MAX bytes. */
#define STATE_VALUE_MAX    200u
#define STATE_SETTINGS_MAX (1u << 20)
#define STATE_TEXT_BYTES   (STATE_VALUE_MAX + 40u)

struct state_header {
	uint64_t magic;
	uint32_t version, crc; /* crc: of this struct, with 0 for the crc */
	uint64_t bytes;        /* of the file */
	uint64_t map_bytes;
	uint32_t depth, files, flags;
	uint32_t settings, setting_bytes, setting_crc;
};

/* Places of the live words. */
enum {
	WORD_CRC,        /* copies only: CRC-32C of the other words */
	WORD_GENERATION, /* copies only: grows with each one */
	WORD_ISSUED,
	WORD_PASS,
	WORD_FIRST,                                         /* of pass p: WORD_FIRST + p % 4 */
	WORD_FAILED = 8,                                    /* runs of failed writes */
	WORD_RUN,                                           /* first number and end of each run */
	WORD_MARK = WORD_RUN + 2 * VERIFY_STATE_FAILED_MAX, /* of each file: its older writes are durable */
	/* then for each slot 1 + the number of the write in flight, or 0 */
};

/* Returns the live word for a value at a place. */
static inline uint64_t state_word(uint64_t value, uint32_t place)
{
	uint64_t check = (value ^ (place + 1) * 0xd6e8feb86659fd93u) * 0x9e3779b97f4a7c15u;

	return (check & ~(VERIFY_STATE_NUMBERS - 1)) | value;
}

/* Returns the CRC-32C of the live words but WORD_CRC. */
static inline uint32_t state_words_crc(const void *live, uint32_t words)
{
	return crc32c((const char *)live + sizeof(uint64_t), (words - 1) * sizeof(uint64_t));
}

/* Writes a name or value as the file has it, perhaps shortened. out has STATE_TEXT_BYTES bytes. */
void verify_state_shorten(const char *value, char *out);

/* Returns the count of live words. */
static inline uint32_t state_words(uint32_t depth, uint32_t files)
{
	return WORD_MARK + files + depth;
}

#endif
