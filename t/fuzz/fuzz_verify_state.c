/* fuzz_verify_state: a byte of flags (which checksums to make right first), then a file that is read as a
   verify state. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "diag.h"
#include "verify_state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SEAL_HEADER = 1, SEAL_WORDS = 2 };

static const struct verify_state_setting settings[] = { { "verify", "crc32c" }, { "bs", "4k" } };

/* The shape that the header gives. Returns false if its counts are impossible. */
static bool shape_of(const struct state_header *h, struct verify_state_layout *l)
{
	struct verify_state_shape s = {
		.depth = h->depth,
		.files = h->files,
		.map_bytes = h->map_bytes,
		.synced = h->flags & STATE_SYNCED,
		.setting_bytes = h->setting_bytes,
	};

	return !verify_state_layout(&s, l);
}

static void seal_words(uint8_t *live, uint32_t words)
{
	uint64_t word;

	for (uint32_t i = 0; i < words; i++) {
		memcpy(&word, live + (size_t)i * 8, 8);
		word = state_word(word & (VERIFY_STATE_NUMBERS - 1), i);
		memcpy(live + (size_t)i * 8, &word, 8);
	}
	word = state_word(state_words_crc(live, words), WORD_CRC);
	memcpy(live, &word, 8);
}

static void seal(uint8_t *file, size_t size, uint8_t flags)
{
	struct verify_state_layout l;
	struct state_header h;
	bool whole;

	if (size < sizeof(h))
		return;
	memcpy(&h, file, sizeof(h));
	whole = shape_of(&h, &l) && l.bytes == size;
	if (whole && flags & SEAL_WORDS)
		for (uint64_t at = l.live_at; at < l.map_at; at += l.live_bytes)
			seal_words(file + at, state_words(h.depth, h.files));
	if (flags & SEAL_HEADER) {
		if (whole)
			h.setting_crc = crc_castagnoli(file + VERIFY_STATE_PAGE, h.setting_bytes);
		h.crc = 0;
		h.crc = crc_castagnoli(&h, sizeof(h));
		memcpy(file, &h, sizeof(h));
	}
}

static void judge(const struct verify_state *s, uint32_t file, uint64_t number)
{
	enum verify_state_answer completed = verify_state_of(s, VERIFY_POLICY_COMPLETED, file, number),
				 fsynced = verify_state_of(s, VERIFY_POLICY_FSYNCED, file, number);

	if ((number >= s->issued) != (completed == VERIFY_STATE_NEVER_ISSUED))
		abort();
	if (fsynced > completed || (number < s->issued && fsynced == VERIFY_STATE_NEVER_ISSUED))
		abort();
}

static void ask(const struct verify_state *s)
{
	struct diag d = { 0 };

	for (uint32_t file = 0; file <= s->shape.files && file < 100; file++) {
		for (uint64_t n = 0; n < 20; n++) {
			judge(s, file, n);
			judge(s, file, s->issued + 10 - n);
			judge(s, file, s->flight_first + 10 - n);
		}
	}
	for (unsigned back = 0; back <= 2 && back <= s->pass; back++)
		verify_state_first(s, back);
	if (s->map)
		judge(s, 0, ((const uint8_t *)s->map)[s->layout.map_bytes - 1]);
	if (verify_state_match(s, settings, 2, &d) && strchr(diag_text(&d), '\n'))
		abort();
	diag_fini(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct verify_state s;
	struct diag d = { 0 };
	uint8_t *file;

	if (size < 1)
		return 0;
	file = malloc(size - 1 ? size - 1 : 1);
	if (!file)
		abort();
	memcpy(file, data + 1, size - 1);
	seal(file, size - 1, data[0]);
	if (!verify_state_parse(&s, file, size - 1, &d))
		ask(&s);
	else if (!*diag_text(&d) || strchr(diag_text(&d), '\n'))
		abort();
	diag_fini(&d);
	free(file);
	return 0;
}
