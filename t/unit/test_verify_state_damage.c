/* Is a verify state refused if it is damaged, cut short or hostile, and does one that a power loss has torn
   still hold an intact copy? Each bit, sector and length is tried. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdatomic.h>
#include "verify_states.h"

/* ---- damage ---- */

static void some_writes(struct state_file *f)
{
	for (uint64_t n = 0; n < 5; n++)
		issue(f, (uint32_t)n, 0, n);
	verify_state_done(&f->w, 1, true);
	verify_state_done(&f->w, 2, false);
	sync_file(f, 5, 1);
	verify_state_pass(&f->w, 1, 3);
}

static bool has_meaning(const struct state_file *f, uint64_t at)
{
	uint64_t live = (uint64_t)state_words(DEPTH, FILES) * 8;

	return at < sizeof(struct state_header) ||
	       (at >= VERIFY_STATE_PAGE && at < VERIFY_STATE_PAGE + f->shape.setting_bytes) ||
	       (at >= f->layout.live_at && at < f->layout.live_at + live);
}

static void test_each_bit(void **state)
{
	struct state_file f;

	(void)state;
	begin(&f, shape_of(false, 0));
	some_writes(&f);
	for (uint64_t at = 0; at < f.layout.bytes; at++) {
		for (unsigned bit = 0; has_meaning(&f, at) && bit < 8; bit++) {
			f.mem[at] ^= (unsigned char)(1 << bit);
			expect_error(f.mem, f.layout.bytes, "verify state");
			f.mem[at] ^= (unsigned char)(1 << bit);
		}
	}
	end(&f);
}

static void test_sectors(void **state)
{
	unsigned char saved[512];
	struct state_file f;

	(void)state;
	begin(&f, shape_of(false, 0));
	some_writes(&f);
	for (uint64_t at = 0; at < f.layout.bytes; at += 512) {
		if (!has_meaning(&f, at))
			continue;
		memcpy(saved, f.mem + at, 512);
		memset(f.mem + at, 0, 512);
		expect_error(f.mem, f.layout.bytes, "verify state");
		if (at > f.layout.live_at) { /* another sector of the live words */
			memcpy(f.mem + at, f.mem + at - 512, 512);
			expect_error(f.mem, f.layout.bytes, "damaged at byte");
		}
		memcpy(f.mem + at, saved, 512);
	}
	end(&f);
}

static void test_each_length(void **state)
{
	struct state_file f;

	(void)state;
	begin(&f, shape_of(false, 9));
	for (size_t n = 0; n < f.layout.bytes; n++)
		expect_error(f.mem, n, n < sizeof(struct state_header) ? "only" : "cut short");
	end(&f);
}

static void test_older_version(void **state)
{
	struct state_file f;
	struct state_header h;
	struct verify_state s;

	(void)state;
	begin(&f, shape_of(false, 9));
	memcpy(&h, f.mem, sizeof(h));
	assert_int_equal(h.version, VERIFY_STATE_VERSION);
	h.version = 1;
	h.crc = 0;
	h.crc = crc_castagnoli(&h, sizeof(h));
	memcpy(f.mem, &h, sizeof(h));
	parse(&s, &f);
	assert_int_equal(s.layout.map_bytes, f.layout.map_bytes);
	end(&f);
}

/* Headers with a right checksum. */
static void test_hostile_headers(void **state)
{
	static const struct {
		size_t at;
		uint64_t value;
		unsigned bytes;
		const char *words;
	} changes[] = {
		{ offsetof(struct state_header, magic), 1, 8, "no verify state" },
		{ offsetof(struct state_header, magic), STATE_MAGIC_SWAPPED, 8, "byte order" },
		{ offsetof(struct state_header, version), 0, 4, "version 0" },
		{ offsetof(struct state_header, version), 4, 4, "version 4" },
		{ offsetof(struct state_header, version), UINT32_MAX, 4, "version 4294967295" },
		{ offsetof(struct state_header, bytes), UINT64_MAX, 8, "impossible" },
		{ offsetof(struct state_header, bytes), 0, 8, "impossible" },
		{ offsetof(struct state_header, map_bytes), UINT64_MAX, 8, "impossible" },
		{ offsetof(struct state_header, map_bytes), 1, 8, "impossible" },
		{ offsetof(struct state_header, depth), 0, 4, "impossible" },
		{ offsetof(struct state_header, depth), UINT32_MAX, 4, "impossible" },
		{ offsetof(struct state_header, files), 0, 4, "impossible" },
		{ offsetof(struct state_header, files), UINT32_MAX, 4, "impossible" },
		{ offsetof(struct state_header, flags), STATE_SYNCED, 4, "impossible" },
		{ offsetof(struct state_header, flags), 128, 4, "header" },
		{ offsetof(struct state_header, settings), UINT32_MAX, 4, "settings" },
		{ offsetof(struct state_header, settings), 0, 4, "settings" },
		{ offsetof(struct state_header, setting_bytes), UINT32_MAX, 4, "impossible" },
		{ offsetof(struct state_header, setting_bytes), 4096, 4, "settings" },
		{ offsetof(struct state_header, setting_bytes), 0, 4, "impossible" },
	};
	struct state_file f;
	struct state_header h;
	unsigned char intact[sizeof(h)];

	(void)state;
	begin(&f, shape_of(false, 0));
	memcpy(intact, f.mem, sizeof(h));
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		const uint32_t word = (uint32_t)changes[i].value;

		memcpy(&h, intact, sizeof(h));
		if (changes[i].bytes == sizeof(word))
			memcpy((char *)&h + changes[i].at, &word, sizeof(word));
		else
			memcpy((char *)&h + changes[i].at, &changes[i].value, sizeof(changes[i].value));
		h.crc = 0;
		h.crc = crc_castagnoli(&h, sizeof(h));
		memcpy(f.mem, &h, sizeof(h));
		expect_error(f.mem, f.layout.bytes, changes[i].words);
	}
	memcpy(f.mem, intact, sizeof(h));
	expect_error(f.mem, f.layout.bytes - 1, "cut short");
	end(&f);
}

/* Live words with a right check. */
static void test_hostile_words(void **state)
{
	static const struct {
		uint32_t word;
		uint64_t value;
		const char *words;
	} changes[] = {
		{ WORD_FAILED, VERIFY_STATE_FAILED_MAX + 1, "too many runs" },
		{ WORD_FAILED, VERIFY_STATE_NUMBERS - 1, "too many runs" },
		{ WORD_FAILED, 2, "empty run" },
		{ WORD_MARK + 1, 6, "never issued" },
	};
	struct state_file f;

	(void)state;
	begin(&f, shape_of(false, 0));
	some_writes(&f);
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		_Atomic uint64_t *word = &f.w.words[changes[i].word];
		uint64_t saved = atomic_load(word);

		atomic_store(word, state_word(changes[i].value, changes[i].word));
		expect_error(f.mem, f.layout.bytes, changes[i].words);
		atomic_store(word, saved);
	}
	end(&f);
}

/* ---- power loss ---- */

/* Of the last copy any of its sectors may have reached the disk. */
static void test_torn_copies(void **state)
{
	struct state_file f;
	unsigned char *live, disk[2 * VERIFY_STATE_PAGE];

	(void)state;
	begin(&f, shape_of(true, 0));
	live = f.mem + f.layout.live_at;
	assert_int_equal(f.layout.live_bytes, VERIFY_STATE_PAGE);
	memcpy(disk, live, sizeof(disk));
	for (uint64_t n = 0; n < 5; n++) {
		unsigned char copy[VERIFY_STATE_PAGE], work[VERIFY_STATE_PAGE];
		unsigned char *place;
		struct verify_state s;

		memcpy(work, live, sizeof(work));
		issue(&f, (uint32_t)n, 0, n);
		place = disk + verify_state_copy(&f.w, copy) * VERIFY_STATE_PAGE;
		memcpy(work, live, sizeof(work)); /* what the worker has in memory */
		for (unsigned sectors = 0; sectors < 256; sectors++) {
			memcpy(live, disk, sizeof(disk));
			for (unsigned i = 0; i < 8; i++)
				if (sectors & 1u << i)
					memcpy(live + (place - disk) + (size_t)i * 512,
					       copy + (size_t)i * 512, 512);
			parse(&s, &f);
			assert_in_range(s.issued, n, n + 1);
			assert_int_equal(verify_state_of(&s, COMPLETED, 0, n), s.issued > n ? MAY : NEVER);
			if ((sectors & 7) == 7) /* all sectors that have words */
				assert_int_equal(s.issued, n + 1);
			if (sectors == 0)
				assert_int_equal(s.issued, n);
		}
		memcpy(place, copy, sizeof(copy));
		memcpy(live, work, sizeof(work));
		memset(live + sizeof(work), 0, sizeof(work));
	}
	memcpy(live, disk, sizeof(disk));
	live[100] ^= 1;
	live[VERIFY_STATE_PAGE + 100] ^= 1;
	expect_error(f.mem, f.layout.bytes, "no intact copy");
	end(&f);
}

int unit_verify_state_damage(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_bit),        cmocka_unit_test(test_sectors),
		cmocka_unit_test(test_each_length),     cmocka_unit_test(test_older_version),
		cmocka_unit_test(test_hostile_headers), cmocka_unit_test(test_hostile_words),
		cmocka_unit_test(test_torn_copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
