#include "verify_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rng.h"

#define DEPTH_MAX (1u << 16)
#define FILES_MAX (1u << 24)
#define MAP_MAX   (UINT64_C(1) << 44)
#define PAGES(n)  (((n) + VERIFY_STATE_PAGE - 1) / VERIFY_STATE_PAGE * VERIFY_STATE_PAGE)

/* The I/O in flight of a slot. */
struct verify_state_flight {
	uint64_t number; /* of a write: 1 + its number; 0: none */
	uint64_t mark;   /* of an fsync: the writes that it makes durable */
	uint32_t file;
};

/* ---- the file ---- */

static uint64_t text_hash(const char *s)
{
	uint64_t h = 0;

	for (; *s; s++)
		h = rng_mix64(h ^ (unsigned char)*s);
	return h;
}

void verify_state_shorten(const char *value, char *out)
{
	size_t n = strlen(value);

	if (n <= STATE_VALUE_MAX)
		memcpy(out, value, n + 1);
	else
		snprintf(out, STATE_TEXT_BYTES, "%.*s... #%016" PRIx64, (int)STATE_VALUE_MAX, value,
			 text_hash(value));
}

static size_t put_text(char *out, size_t at, const char *text)
{
	size_t n = strlen(text) + 1;

	if (out)
		memcpy(out + at, text, n);
	return n;
}

size_t verify_state_settings(const struct verify_state_setting *set, uint32_t n, char *out)
{
	char text[STATE_TEXT_BYTES];
	size_t at = 0;

	for (uint32_t i = 0; i < n; i++) {
		verify_state_shorten(set[i].name, text);
		at += put_text(out, at, text);
		verify_state_shorten(set[i].value, text);
		at += put_text(out, at, text);
	}
	return at;
}

int verify_state_layout(const struct verify_state_shape *s, struct verify_state_layout *l)
{
	if (!s->depth || s->depth > DEPTH_MAX || !s->files || s->files > FILES_MAX ||
	    s->map_bytes > MAP_MAX || s->setting_bytes > STATE_SETTINGS_MAX)
		return -EFBIG;
	l->live_at = VERIFY_STATE_PAGE + PAGES((uint64_t)s->setting_bytes);
	l->live_bytes = PAGES(state_words(s->depth, s->files) * (uint64_t)sizeof(uint64_t));
	l->map_at = l->live_at + l->live_bytes * (s->synced ? 2 : 1);
	l->map_bytes = s->map_bytes;
	l->bytes = l->map_at + l->map_bytes;
	return 0;
}

static void format_header(const struct verify_state_shape *s, const struct verify_state_layout *l,
			  unsigned char *mem)
{
	struct state_header h = {
		.magic = STATE_MAGIC,
		.version = VERIFY_STATE_VERSION,
		.bytes = l->bytes,
		.map_bytes = s->map_bytes,
		.depth = s->depth,
		.files = s->files,
		.flags = (s->durable ? STATE_DURABLE : 0) | (s->synced ? STATE_SYNCED : 0) |
			 (s->copied ? STATE_COPIED : 0),
		.settings = s->settings,
		.setting_bytes = s->setting_bytes,
		.setting_crc = crc_castagnoli(mem + VERIFY_STATE_PAGE, s->setting_bytes),
	};

	h.crc = crc_castagnoli(&h, sizeof(h));
	memcpy(mem, &h, sizeof(h));
}

void verify_state_format(const struct verify_state_shape *s, const struct verify_state_setting *set,
			 void *mem)
{
	struct verify_state_layout l;
	unsigned char *at = mem;
	uint32_t words = state_words(s->depth, s->files);
	uint64_t *word;

	if (verify_state_layout(s, &l))
		return;
	verify_state_settings(set, s->settings, (char *)at + VERIFY_STATE_PAGE);
	word = (uint64_t *)(void *)(at + l.live_at);
	for (uint32_t i = 0; i < words; i++)
		word[i] = state_word(0, i);
	word[WORD_CRC] = state_word(state_words_crc(word, words), WORD_CRC);
	format_header(s, &l, at);
}

/* ---- the writer ---- */

/* Stores a live word at once and after all earlier stores, so that the file is valid whenever the process
   is killed. */
static inline void store_word(struct verify_state_writer *w, uint32_t place, uint64_t value)
{
	atomic_store_explicit(&w->words[place], state_word(value, place), memory_order_release);
}

static inline uint64_t load_word(const struct verify_state_writer *w, uint32_t place)
{
	return atomic_load_explicit(&w->words[place], memory_order_relaxed) & (VERIFY_STATE_NUMBERS - 1);
}

int verify_state_writer_init(struct verify_state_writer *w, const struct verify_state_shape *s, void *mem)
{
	struct verify_state_layout l;

	if (verify_state_layout(s, &l))
		return -EFBIG;
	*w = (struct verify_state_writer){
		.words = (_Atomic uint64_t *)(void *)((char *)mem + l.live_at),
		.nwords = state_words(s->depth, s->files),
		.depth = s->depth,
		.files = s->files,
		.flight = calloc(s->depth, sizeof(*w->flight)),
	};
	return w->flight ? 0 : -ENOMEM;
}

void verify_state_writer_fini(struct verify_state_writer *w)
{
	free(w->flight);
	w->flight = NULL;
}

void verify_state_pass(struct verify_state_writer *w, uint64_t pass, uint64_t first)
{
	store_word(w, WORD_FIRST + (uint32_t)(pass % 4), first);
	store_word(w, WORD_PASS, pass);
}

/* Extends a run so that it has [first, end), too. The run is valid after each store. */
static void widen(struct verify_state_writer *w, uint32_t run, uint64_t first, uint64_t end)
{
	uint32_t at = WORD_RUN + 2 * run;

	if (first < load_word(w, at))
		store_word(w, at, first);
	if (end > load_word(w, at + 1))
		store_word(w, at + 1, end);
}

/* Adds writes [first, end) to the failed ones: their blocks may hold any bytes of them. */
static void add_failed_range(struct verify_state_writer *w, uint64_t first, uint64_t end)
{
	uint32_t runs = (uint32_t)load_word(w, WORD_FAILED);

	for (uint32_t i = 0; i < runs; i++) {
		if (first <= load_word(w, WORD_RUN + 2 * i + 1) && end >= load_word(w, WORD_RUN + 2 * i)) {
			widen(w, i, first, end);
			return;
		}
	}
	if (runs == VERIFY_STATE_FAILED_MAX) {
		widen(w, runs - 1, first, end);
		return;
	}
	store_word(w, WORD_RUN + 2 * runs, first);
	store_word(w, WORD_RUN + 2 * runs + 1, end);
	store_word(w, WORD_FAILED, runs + 1);
}

void verify_state_issue(struct verify_state_writer *w, uint32_t slot, uint32_t file, uint64_t number)
{
	struct verify_state_flight *f = &w->flight[slot];

	if (number > w->next)
		add_failed_range(w, w->next, number);
	f->number = number + 1;
	f->file = file;
	store_word(w, WORD_MARK + w->files + slot, number + 1);
	if (number >= w->next)
		w->next = number + 1;
}

void verify_state_set_uncertain(struct verify_state_writer *w, uint64_t number)
{
	add_failed_range(w, number, number + 1);
}

void verify_state_issued(struct verify_state_writer *w)
{
	store_word(w, WORD_ISSUED, w->next);
}

void verify_state_done(struct verify_state_writer *w, uint32_t slot, bool whole)
{
	struct verify_state_flight *f = &w->flight[slot];

	if (f->number == 0)
		return;
	if (!whole)
		add_failed_range(w, f->number - 1, f->number);
	f->number = 0;
	store_word(w, WORD_MARK + w->files + slot, 0);
}

void verify_state_sync_issue(struct verify_state_writer *w, uint32_t slot, uint32_t file)
{
	uint64_t mark = w->next;

	for (uint32_t i = 0; i < w->depth; i++) {
		const struct verify_state_flight *f = &w->flight[i];

		if (f->number && f->file == file && f->number - 1 < mark)
			mark = f->number - 1;
	}
	w->flight[slot].file = file;
	w->flight[slot].mark = mark;
}

void verify_state_sync_done(struct verify_state_writer *w, uint32_t slot, bool synced)
{
	const struct verify_state_flight *f = &w->flight[slot];
	uint64_t durable = load_word(w, WORD_MARK + f->file);

	/* The kernel reports a writeback error only once: the next fsync succeeds without these data. */
	if (!synced && durable < w->next)
		add_failed_range(w, durable, w->next);
	else if (synced && f->mark > durable)
		store_word(w, WORD_MARK + f->file, f->mark);
}

unsigned verify_state_copy(struct verify_state_writer *w, void *out)
{
	uint64_t *word = out;

	for (uint32_t i = 0; i < w->nwords; i++)
		word[i] = atomic_load_explicit(&w->words[i], memory_order_relaxed);
	w->generation++;
	word[WORD_GENERATION] = state_word(w->generation, WORD_GENERATION);
	word[WORD_CRC] = state_word(state_words_crc(word, w->nwords), WORD_CRC);
	return w->generation & 1;
}
