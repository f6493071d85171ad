#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "crc.h"
#include "diag.h"
#include "verify_state.h"

#define VALUE_BITS (VERIFY_STATE_NUMBERS - 1)

static uint64_t raw_word(const unsigned char *live, uint32_t place)
{
	uint64_t word;

	memcpy(&word, live + (uint64_t)place * sizeof(word), sizeof(word));
	return word;
}

static uint64_t live_word(const unsigned char *live, uint32_t place)
{
	return raw_word(live, place) & VALUE_BITS;
}

static uint64_t slot(const struct verify_state *s, uint32_t n)
{
	return live_word(s->live, WORD_MARK + s->shape.files + n);
}

/* ---- header and settings ---- */

static int read_header(struct state_header *h, const void *buf, size_t bytes, struct diag *d)
{
	struct state_header plain;

	if (bytes < sizeof(*h))
		return diag_err(d, -EINVAL, "the file is no verify state: it has only %zu bytes", bytes);
	memcpy(h, buf, sizeof(*h));
	if (h->magic == STATE_MAGIC_SWAPPED)
		return diag_err(d, -EINVAL, "a machine of another byte order saved this verify state");
	if (h->magic != STATE_MAGIC)
		return diag_err(d, -EINVAL, "the file is no verify state of fiord");
	if (h->version < VERIFY_STATE_VERSION_OLDEST || h->version > VERIFY_STATE_VERSION)
		return diag_err(d, -EINVAL,
				"the verify state has version %" PRIu32
				"; this fiord reads the versions %u to %u",
				h->version, VERIFY_STATE_VERSION_OLDEST, VERIFY_STATE_VERSION);
	plain = *h;
	plain.crc = 0;
	if (crc_castagnoli(&plain, sizeof(plain)) != h->crc || h->flags & ~STATE_FLAGS)
		return diag_err(d, -EINVAL, "the verify state is damaged: wrong checksum of its header");
	return 0;
}

static int read_shape(struct verify_state *s, const struct state_header *h, size_t bytes, struct diag *d)
{
	s->version = h->version;
	s->shape = (struct verify_state_shape){
		.depth = h->depth,
		.files = h->files,
		.map_bytes = h->map_bytes,
		.durable = h->flags & STATE_DURABLE,
		.synced = h->flags & STATE_SYNCED,
		.copied = h->flags & STATE_COPIED,
		.settings = h->settings,
		.setting_bytes = h->setting_bytes,
	};
	if (verify_state_layout(&s->shape, &s->layout) || s->layout.bytes != h->bytes)
		return diag_err(d, -EINVAL, "the verify state is damaged: impossible counts in its header");
	if (bytes < h->bytes)
		return diag_err(d, -EINVAL, "the verify state is cut short: %zu of %" PRIu64 " bytes", bytes,
				h->bytes);
	if (bytes > h->bytes)
		return diag_err(d, -EINVAL, "the verify state is too long: %zu bytes in place of %" PRIu64,
				bytes, h->bytes);
	return 0;
}

/* Returns the text after this one, or NULL if no text ends before the end. */
static const char *next_text(const char *at, const char *end)
{
	const char *nul = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;

	return nul ? nul + 1 : NULL;
}

static int check_settings(const struct verify_state *s, uint32_t crc, struct diag *d)
{
	const char *at = (const char *)s->settings, *end = at + s->shape.setting_bytes;

	for (uint32_t i = 0; at && i < s->shape.settings; i++) {
		at = next_text(at, end);
		if (at)
			at = next_text(at, end);
	}
	if (at != end || crc_castagnoli(s->settings, s->shape.setting_bytes) != crc)
		return diag_err(d, -EINVAL, "the verify state is damaged: wrong checksum of its settings");
	return 0;
}

/* ---- live words ---- */

static uint32_t word_count(const struct verify_state *s)
{
	return state_words(s->shape.depth, s->shape.files);
}

/* Returns the first damaged word, or the number of words. */
static uint32_t damaged_word(const struct verify_state *s, const unsigned char *live)
{
	uint32_t i = 0, n = word_count(s);

	while (i < n && raw_word(live, i) == state_word(live_word(live, i), i))
		i++;
	return i;
}

static bool copy_intact(const struct verify_state *s, const unsigned char *live)
{
	return damaged_word(s, live) == word_count(s) &&
	       live_word(live, WORD_CRC) == state_words_crc(live, word_count(s));
}

/* Selects the newer of two intact copies. */
static int select_copy(struct verify_state *s, struct diag *d)
{
	const unsigned char *one = s->live, *two = one + s->layout.live_bytes;
	bool first = copy_intact(s, one), second = copy_intact(s, two);

	if (!first && !second)
		return diag_err(d, -EINVAL,
				"the verify state is damaged: no intact copy of the writes' state");
	if (second && (!first || live_word(two, WORD_GENERATION) > live_word(one, WORD_GENERATION)))
		s->live = two;
	return 0;
}

static int damaged(struct diag *d, const char *part)
{
	return diag_err(d, -EINVAL, "the verify state is damaged: %s", part);
}

static int check_runs(struct verify_state *s, struct diag *d)
{
	uint64_t runs = live_word(s->live, WORD_FAILED);

	if (runs > VERIFY_STATE_FAILED_MAX)
		return damaged(d, "too many runs of failed writes");
	s->failed = (uint32_t)runs;
	for (uint32_t i = 0; i < runs; i++)
		if (live_word(s->live, WORD_RUN + 2 * i) >= live_word(s->live, WORD_RUN + 2 * i + 1))
			return damaged(d, "an empty run of failed writes");
	return 0;
}

static int check_marks(const struct verify_state *s, struct diag *d)
{
	for (uint32_t i = 0; i < s->shape.files; i++)
		if (live_word(s->live, WORD_MARK + i) > s->issued)
			return damaged(d, "an fsync of writes that were never issued");
	return 0;
}

static void find_flight(struct verify_state *s)
{
	s->flight_first = UINT64_MAX;
	s->flight_end = 0;
	for (uint32_t i = 0; i < s->shape.depth; i++) {
		uint64_t end = slot(s, i);

		if (!end)
			continue;
		if (end - 1 < s->flight_first)
			s->flight_first = end - 1;
		if (end > s->flight_end)
			s->flight_end = end;
	}
}

static int read_live(struct verify_state *s, struct diag *d)
{
	if (s->shape.synced) {
		int err = select_copy(s, d);

		if (err)
			return err;
	} else if (damaged_word(s, s->live) < word_count(s)) {
		return diag_err(d, -EINVAL, "the verify state is damaged at byte %" PRIu64,
				s->layout.live_at + damaged_word(s, s->live) * sizeof(uint64_t));
	}
	s->issued = live_word(s->live, WORD_ISSUED);
	s->pass = live_word(s->live, WORD_PASS);
	find_flight(s);
	return check_runs(s, d) ? d->err : check_marks(s, d);
}

int verify_state_parse(struct verify_state *s, const void *buf, size_t bytes, struct diag *d)
{
	const unsigned char *at = buf;
	struct state_header h;
	int err;

	*s = (struct verify_state){ 0 };
	err = read_header(&h, buf, bytes, d);
	if (!err)
		err = read_shape(s, &h, bytes, d);
	if (err)
		return err;
	s->settings = at + VERIFY_STATE_PAGE;
	s->live = at + s->layout.live_at;
	s->map = s->layout.map_bytes ? at + s->layout.map_at : NULL;
	err = check_settings(s, h.setting_crc, d);
	return err ? err : read_live(s, d);
}

/* ---- answers ---- */

static const char *find_setting(const struct verify_state *s, const char *name)
{
	const char *at = (const char *)s->settings;

	for (uint32_t i = 0; i < s->shape.settings; i++) {
		const char *value = at + strlen(at) + 1;

		if (!strcmp(at, name))
			return value;
		at = value + strlen(value) + 1;
	}
	return NULL;
}

uint32_t verify_state_run(const struct verify_state *s)
{
	const char *run = find_setting(s, VERIFY_STATE_RUN);

	return run ? (uint32_t)strtoul(run, NULL, 10) : 0;
}

/* The file may have another path when it is checked: a file system is mounted elsewhere after a crash. */
static bool is_compared(const char *name)
{
	return strcmp(name, VERIFY_STATE_RUN) && strcmp(name, VERIFY_STATE_FILES);
}

int verify_state_match(const struct verify_state *s, const struct verify_state_setting *set, uint32_t n,
		       struct diag *d)
{
	for (uint32_t i = 0; i < n; i++) {
		char text[STATE_TEXT_BYTES];
		const char *saved = find_setting(s, set[i].name);

		if (!is_compared(set[i].name))
			continue;
		verify_state_shorten(set[i].value, text);
		if (!saved)
			return diag_err(d, -EINVAL, "the job that saved the verify state had no {%s}",
					set[i].name);
		if (strcmp(saved, text))
			return diag_err(
				d, -EINVAL,
				"the job that saved the verify state had {%s=%s}, this job has {%s=%s}",
				set[i].name, saved, set[i].name, text);
	}
	return 0;
}

static bool has_failed(const struct verify_state *s, uint64_t number)
{
	for (uint32_t i = 0; i < s->failed; i++)
		if (number >= live_word(s->live, WORD_RUN + 2 * i) &&
		    number < live_word(s->live, WORD_RUN + 2 * i + 1))
			return true;
	return false;
}

static bool in_flight(const struct verify_state *s, uint64_t number)
{
	if (number < s->flight_first || number >= s->flight_end)
		return false;
	for (uint32_t i = 0; i < s->shape.depth; i++)
		if (slot(s, i) == number + 1)
			return true;
	return false;
}

enum verify_state_answer verify_state_of(const struct verify_state *s, enum verify_policy policy,
					 uint32_t file, uint64_t number)
{
	bool fsynced = policy == VERIFY_POLICY_FSYNCED && !s->shape.durable;

	if (number >= s->issued)
		return VERIFY_STATE_NEVER_ISSUED;
	if (fsynced && (file >= s->shape.files || number >= live_word(s->live, WORD_MARK + file)))
		return VERIFY_STATE_MAY;
	return has_failed(s, number) || in_flight(s, number) ? VERIFY_STATE_MAY : VERIFY_STATE_MUST;
}

uint64_t verify_state_first(const struct verify_state *s, unsigned back)
{
	return live_word(s->live, WORD_FIRST + (uint32_t)((s->pass - back) % 4));
}
