/* Does a verify state say what each write left on the disk, wherever its writer was killed, and is a damaged
   one refused? The answers are compared with a model of the disk. One test steps a process through the writer
   and looks at its state after each instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include "crc.h"
#include "diag.h"
#include "rng.h"
#include "verify_state_words.h"

#define DEPTH 6u
#define FILES 3u

#define COMPLETED VERIFY_POLICY_COMPLETED
#define FSYNCED   VERIFY_POLICY_FSYNCED
#define NEVER     VERIFY_STATE_NEVER_ISSUED
#define MAY       VERIFY_STATE_MAY
#define MUST      VERIFY_STATE_MUST

static const struct verify_state_setting settings[] = {
	{ "verify", "crc32c" }, { "bs", "4k" },   { "rw", "randwrite" },
	{ "filename", "/a/b" }, { "clone", "0" },
};
#define SETTINGS (sizeof(settings) / sizeof(*settings))

struct state_file {
	struct verify_state_shape shape;
	struct verify_state_layout layout;
	unsigned char *mem;
	struct verify_state_writer w;
};

static struct verify_state_shape shape_of(bool synced, uint64_t map_bytes)
{
	return (struct verify_state_shape){
		.depth = DEPTH,
		.files = FILES,
		.map_bytes = map_bytes,
		.synced = synced,
		.settings = SETTINGS,
		.setting_bytes = (uint32_t)verify_state_settings(settings, SETTINGS, NULL),
	};
}

static void begin(struct state_file *f, struct verify_state_shape shape)
{
	f->shape = shape;
	assert_int_equal(verify_state_layout(&f->shape, &f->layout), 0);
	f->mem = mmap(NULL, f->layout.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(f->mem, MAP_FAILED);
	verify_state_format(&f->shape, settings, f->mem);
	assert_int_equal(verify_state_writer_init(&f->w, &f->shape, f->mem), 0);
}

static void end(struct state_file *f)
{
	verify_state_writer_fini(&f->w);
	munmap(f->mem, f->layout.bytes);
}

static void issue(struct state_file *f, uint32_t slot, uint32_t file, uint64_t number)
{
	verify_state_issue(&f->w, slot, file, number);
	verify_state_issued(&f->w);
}

static void sync_file(struct state_file *f, uint32_t slot, uint32_t file)
{
	verify_state_sync_issue(&f->w, slot, file);
	verify_state_sync_done(&f->w, slot, true);
}

static void parse(struct verify_state *s, const struct state_file *f)
{
	struct diag d = { 0 };

	if (verify_state_parse(s, f->mem, f->layout.bytes, &d))
		fail_msg("%s", diag_text(&d));
}

/* Parses bytes from a buffer without a byte behind them, and expects words of the error. */
static void expect_error(const void *mem, size_t bytes, const char *words)
{
	void *copy = malloc(bytes ? bytes : 1);
	struct verify_state s;
	struct diag d = { 0 };

	assert_non_null(copy);
	memcpy(copy, mem, bytes);
	assert_int_equal(verify_state_parse(&s, copy, bytes, &d), -EINVAL);
	assert_null(strchr(diag_text(&d), '\n'));
	if (!strstr(diag_text(&d), words))
		fail_msg("%zu bytes: \"%s\" does not have \"%s\"", bytes, diag_text(&d), words);
	diag_fini(&d);
	free(copy);
}

static void check_answers(const struct verify_state *s, enum verify_policy policy, uint32_t file,
			  const enum verify_state_answer *expected, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		if (verify_state_of(s, policy, file, i) != expected[i])
			fail_msg("write %u of file %u: answer %d, not %d", (unsigned)i, file,
				 verify_state_of(s, policy, file, i), expected[i]);
}

/* ---- answers ---- */

static void test_answers(void **state)
{
	static const enum verify_state_answer completed[] = { MUST, MAY, MUST, MAY, MAY, MUST, MAY, NEVER },
					      file0[] = { MUST, MAY, MAY, MAY, MAY, MAY, MAY, NEVER },
					      file1[] = { MUST, MAY, MUST, MAY, MAY, MUST, MAY, NEVER },
					      file2[] = { MAY, MAY, MAY, MAY, MAY, MAY, MAY, NEVER };
	struct state_file f;
	struct verify_state s;

	(void)state;
	begin(&f, shape_of(false, 0));
	for (uint32_t i = 0; i < 3; i++)
		issue(&f, i, 0, i);
	verify_state_done(&f.w, 0, true);
	verify_state_done(&f.w, 2, true);
	sync_file(&f, 5, 0); /* write 1 is in flight */
	verify_state_done(&f.w, 1, false);
	issue(&f, 0, 1, 4); /* the loop dropped number 3 */
	issue(&f, 1, 1, 5);
	verify_state_done(&f.w, 0, false);
	verify_state_done(&f.w, 1, true);
	sync_file(&f, 5, 1);
	issue(&f, 1, 1, 6);
	parse(&s, &f);
	check_answers(&s, COMPLETED, 0, completed, 8);
	check_answers(&s, FSYNCED, 0, file0, 8);
	check_answers(&s, FSYNCED, 1, file1, 8);
	check_answers(&s, FSYNCED, 2, file2, 8);
	end(&f);
}

/* A write that overlaps with another one in flight completes and is synced: its block may hold the other. */
static void test_overlap(void **state)
{
	static const enum verify_state_answer answers[] = { MUST, MAY, MUST, NEVER };
	struct state_file f;
	struct verify_state s;

	(void)state;
	begin(&f, shape_of(false, 0));
	for (uint32_t i = 0; i < 3; i++)
		issue(&f, i, 0, i);
	verify_state_open(&f.w, 1);
	for (uint32_t i = 0; i < 3; i++)
		verify_state_done(&f.w, i, true);
	sync_file(&f, 5, 0);
	parse(&s, &f);
	check_answers(&s, COMPLETED, 0, answers, 4);
	check_answers(&s, FSYNCED, 0, answers, 4);
	end(&f);
}

static void test_durable_writes(void **state)
{
	struct verify_state_shape shape = shape_of(false, 0);
	struct state_file f;
	struct verify_state s;

	(void)state;
	shape.durable = true;
	begin(&f, shape);
	issue(&f, 0, 0, 0);
	issue(&f, 1, 0, 1);
	verify_state_done(&f.w, 0, true);
	parse(&s, &f);
	assert_int_equal(verify_state_of(&s, FSYNCED, 0, 0), MUST);
	assert_int_equal(verify_state_of(&s, FSYNCED, 0, 1), MAY);
	end(&f);
}

/* The kernel reports an error of writing back once: an fsync that succeeds later does not have those data. */
static void test_failed_fsync(void **state)
{
	struct state_file f;
	struct verify_state s;

	(void)state;
	begin(&f, shape_of(false, 0));
	for (uint64_t n = 0; n < 4; n++) {
		issue(&f, 0, 0, n);
		verify_state_done(&f.w, 0, true);
		if (n == 0 || n == 3)
			sync_file(&f, 1, 0);
		if (n == 2) {
			verify_state_sync_issue(&f.w, 1, 0);
			verify_state_sync_done(&f.w, 1, false);
		}
	}
	parse(&s, &f);
	check_answers(&s, FSYNCED, 0, (enum verify_state_answer[]){ MUST, MAY, MAY, MUST }, 4);
	check_answers(&s, COMPLETED, 0, (enum verify_state_answer[]){ MUST, MAY, MAY, MUST }, 4);
	end(&f);
}

/* More runs of failures than the file has room for: still no failed write must be there. */
static void test_many_failures(void **state)
{
	struct state_file f;
	struct verify_state s;
	struct rng r;

	(void)state;
	rng_init(&r, 3);
	begin(&f, shape_of(false, 0));
	for (uint64_t n = 0; n < 1000; n++) {
		issue(&f, 0, 0, n);
		verify_state_done(&f.w, 0, n % 3 != 0);
	}
	parse(&s, &f);
	assert_int_equal(s.failed, VERIFY_STATE_FAILED_MAX);
	for (uint64_t n = 0; n < 1000; n += 3)
		assert_int_equal(verify_state_of(&s, COMPLETED, 0, n), MAY);
	assert_int_equal(verify_state_of(&s, COMPLETED, 0, 1), MUST);
	end(&f);
}

static void test_passes(void **state)
{
	struct state_file f;
	struct verify_state s;

	(void)state;
	begin(&f, shape_of(false, 0));
	for (uint64_t pass = 0; pass < 9; pass++) {
		verify_state_pass(&f.w, pass, pass * 10);
		parse(&s, &f);
		assert_int_equal(s.pass, pass);
		for (unsigned back = 0; back <= 2 && back <= pass; back++)
			assert_int_equal(verify_state_first(&s, back), (pass - back) * 10);
	}
	end(&f);
}

static void test_map(void **state)
{
	struct state_file f;
	struct verify_state s;
	uint32_t *map;

	(void)state;
	begin(&f, shape_of(false, 8000));
	map = (uint32_t *)(void *)(f.mem + f.layout.map_at);
	for (uint32_t i = 0; i < 2000; i++)
		map[i] = i + 7;
	parse(&s, &f);
	assert_int_equal(s.layout.map_bytes, 8000);
	assert_memory_equal(s.map, map, 8000);
	end(&f);
}

/* ---- settings ---- */

static void expect_match(const struct verify_state *s, const char *name, const char *value, const char *words)
{
	struct verify_state_setting set[SETTINGS + 1];
	struct diag d = { 0 };
	int err;

	memcpy(set, settings, sizeof(settings));
	set[SETTINGS] = (struct verify_state_setting){ name, value };
	err = verify_state_match(s, set, SETTINGS + 1, &d);
	assert_int_equal(err, words ? -EINVAL : 0);
	if (words)
		assert_non_null(strstr(diag_text(&d), words));
	diag_fini(&d);
}

static void test_settings(void **state)
{
	struct state_file f;
	struct verify_state s;

	(void)state;
	begin(&f, shape_of(false, 0));
	parse(&s, &f);
	expect_match(&s, "bs", "4k", NULL);
	expect_match(&s, "clone", "0", NULL);
	expect_match(&s, "bs", "8k", "had bs=4k, this job has bs=8k");
	expect_match(&s, "rw", "", "had rw=randwrite, this job has rw=");
	expect_match(&s, "loops", "2", "had no loops");
	end(&f);
}

/* Two long values that differ at their end only. */
static void test_long_setting(void **state)
{
	char one[1000], two[1000];
	struct verify_state_setting saved = { "verify_pattern", one }, other = { "verify_pattern", two };
	struct verify_state_shape shape = shape_of(false, 0);
	struct state_file f = { .shape = shape };
	struct verify_state s;
	struct diag d = { 0 };

	(void)state;
	memset(one, 'a', sizeof(one) - 1);
	one[sizeof(one) - 1] = '\0';
	memcpy(two, one, sizeof(one));
	f.shape.settings = 1;
	f.shape.setting_bytes = (uint32_t)verify_state_settings(&saved, 1, NULL);
	assert_int_equal(verify_state_layout(&f.shape, &f.layout), 0);
	f.mem = calloc(1, f.layout.bytes);
	assert_non_null(f.mem);
	verify_state_format(&f.shape, &saved, f.mem);
	parse(&s, &f);
	assert_int_equal(verify_state_match(&s, &other, 1, &d), 0);
	two[998] = 'b';
	assert_int_equal(verify_state_match(&s, &other, 1, &d), -EINVAL);
	diag_fini(&d);
	free(f.mem);
}

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
	assert_int_equal(h.version, 2);
	h.version = 1;
	h.crc = 0;
	h.crc = crc32c(&h, sizeof(h));
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
		{ offsetof(struct state_header, version), 3, 4, "version 3" },
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
		memcpy(&h, intact, sizeof(h));
		memcpy((char *)&h + changes[i].at, &changes[i].value, changes[i].bytes);
		h.crc = 0;
		h.crc = crc32c(&h, sizeof(h));
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
		_Atomic uint64_t *word = &f.w.word[changes[i].word];
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

/* ---- killed between any two instructions ---- */

#define WRITES 160u
#define STEPS  200u

/* What is on the disk, in memory that the traced process shares. */
struct disk {
	_Atomic uint8_t submitted[WRITES], whole[WRITES], durable[WRITES];
	_Atomic uint64_t pass_first[STEPS];
	_Atomic uint32_t file_of[WRITES];
	_Atomic bool between; /* two calls of the writer */
};

struct flight {
	bool busy, sync, whole;
	uint32_t file;
	uint64_t number;
	uint8_t covers[WRITES]; /* writes that an fsync makes durable */
};

struct simulation {
	struct state_file f;
	struct disk *disk;
	struct flight flight[DEPTH];
	uint64_t next, passes;
	bool syncs_fail;
	struct rng rng;
};

static unsigned draw(struct simulation *x, unsigned n)
{
	return (unsigned)(rng_u64(&x->rng) % n);
}

static void call(struct simulation *x, bool begins)
{
	atomic_store(&x->disk->between, !begins);
}

static void submit_writes(struct simulation *x, unsigned slot, unsigned batch)
{
	uint64_t first = x->next;
	unsigned n = 0;

	call(x, true);
	for (; slot < DEPTH && n < batch; slot++) {
		struct flight *i = &x->flight[slot];

		if (i->busy)
			continue;
		*i = (struct flight){ .busy = true, .file = draw(x, FILES), .whole = draw(x, 40) };
		i->number = x->next++;
		x->disk->file_of[i->number] = i->file;
		verify_state_issue(&x->f.w, slot, i->file, i->number);
		n++;
	}
	verify_state_issued(&x->f.w);
	call(x, false);
	for (uint64_t k = first; k < x->next; k++)
		atomic_store(&x->disk->submitted[k], 1);
}

static void submit_sync(struct simulation *x, unsigned slot)
{
	struct flight *i = &x->flight[slot];

	*i = (struct flight){
		.busy = true, .sync = true, .file = draw(x, FILES), .whole = !x->syncs_fail || draw(x, 20)
	};
	call(x, true);
	verify_state_sync_issue(&x->f.w, slot, i->file);
	call(x, false);
	for (uint64_t k = 0; k < x->next; k++)
		i->covers[k] = x->disk->file_of[k] == i->file && x->disk->whole[k] == 1;
}

/* An fsync that fails loses the data that it should have written, in the worst case. A writer that is killed
   before it knows of the failure cannot say so. */
static void lose_writes(struct simulation *x, const struct flight *i)
{
	for (uint64_t k = 0; !i->whole && k < x->next; k++)
		if (x->disk->file_of[k] == i->file && !x->disk->durable[k])
			atomic_store(&x->disk->whole[k], 2);
}

static void complete(struct simulation *x, unsigned slot)
{
	struct flight *i = &x->flight[slot];

	i->busy = false;
	call(x, true);
	if (!i->sync) {
		atomic_store(&x->disk->whole[i->number], i->whole ? 1 : 2);
		verify_state_done(&x->f.w, slot, i->whole);
		call(x, false);
		return;
	}
	for (uint64_t k = 0; i->whole && k < x->next; k++)
		if (i->covers[k])
			atomic_store(&x->disk->durable[k], 1);
	verify_state_sync_done(&x->f.w, slot, i->whole);
	lose_writes(x, i);
	call(x, false);
}

static void begin_pass(struct simulation *x)
{
	if (draw(x, 2))
		x->next += 1; /* the loop dropped a write */
	atomic_store(&x->disk->pass_first[++x->passes], x->next);
	call(x, true);
	verify_state_pass(&x->f.w, x->passes, x->next);
	call(x, false);
}

static void simulate(struct simulation *x)
{
	for (unsigned i = 0; i < STEPS && x->next < WRITES - DEPTH; i++) {
		unsigned slot = draw(x, DEPTH);

		if (x->flight[slot].busy)
			complete(x, slot);
		else if (!draw(x, 8))
			submit_sync(x, slot);
		else if (!draw(x, 20))
			begin_pass(x);
		else
			submit_writes(x, slot, 1 + draw(x, 3));
	}
}

static void judge(const struct simulation *x, unsigned long step)
{
	const struct disk *disk = x->disk;
	struct verify_state s;

	parse(&s, &x->f);
	for (unsigned back = 0; back <= 2 && back <= s.pass; back++)
		assert_int_equal(verify_state_first(&s, back), disk->pass_first[s.pass - back]);
	for (uint64_t n = 0; n < WRITES; n++) {
		enum verify_state_answer completed = verify_state_of(&s, COMPLETED, x->disk->file_of[n], n);
		enum verify_state_answer fsynced = verify_state_of(&s, FSYNCED, x->disk->file_of[n], n);

		if (completed == NEVER ? disk->submitted[n] : completed == MUST && disk->whole[n] != 1)
			fail_msg("step %lu: write %u: completed: answer %d", step, (unsigned)n, completed);
		if (fsynced == NEVER ? disk->submitted[n] : fsynced == MUST && !disk->durable[n])
			fail_msg("step %lu: write %u: fsynced: answer %d", step, (unsigned)n, fsynced);
		if (disk->between && disk->whole[n] == 1 && completed != MUST && !x->syncs_fail)
			fail_msg("step %lu: write %u completed: answer %d", step, (unsigned)n, completed);
	}
}

/* Everything that completed is durable after an fsync of each file with nothing in flight. */
static void judge_end(const struct simulation *x)
{
	struct verify_state s;

	parse(&s, &x->f);
	assert_true(s.issued > 60);
	for (uint64_t n = 0; n < s.issued; n++)
		if (!x->syncs_fail && x->disk->whole[n] == 1)
			assert_int_equal(verify_state_of(&s, FSYNCED, x->disk->file_of[n], n), MUST);
}

static void finish(struct simulation *x)
{
	for (uint32_t i = 0; i < DEPTH; i++)
		if (x->flight[i].busy)
			complete(x, i);
	for (uint32_t i = 0; i < FILES; i++) {
		x->flight[0] = (struct flight){ .busy = true, .sync = true, .file = i, .whole = true };
		call(x, true);
		verify_state_sync_issue(&x->f.w, 0, i);
		for (uint64_t k = 0; k < x->next; k++)
			x->flight[0].covers[k] = x->disk->file_of[k] == i && x->disk->whole[k] == 1;
		complete(x, 0);
	}
}

static void traced(struct simulation *x)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(77);
	raise(SIGSTOP);
	simulate(x);
	finish(x);
	_exit(0);
}

/* Steps the process and looks at its state after each instruction that changed something. Returns its wait
   status; *looks counts the changes. */
static int step_through(struct simulation *x, pid_t child, unsigned long *looks)
{
	size_t live = (size_t)state_words(DEPTH, FILES) * 8;
	unsigned char *seen = malloc(live);
	struct disk *disk_seen = malloc(sizeof(*disk_seen));
	unsigned long step = 0;
	int status;

	assert_true(seen && disk_seen);
	memset(seen, 0, live);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSTOPPED(status))
		ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_EXITKILL);
	while (WIFSTOPPED(status)) {
		if (memcmp(seen, x->f.mem + x->f.layout.live_at, live) ||
		    memcmp(disk_seen, x->disk, sizeof(*disk_seen))) {
			memcpy(seen, x->f.mem + x->f.layout.live_at, live);
			memcpy(disk_seen, x->disk, sizeof(*disk_seen));
			judge(x, step);
			++*looks;
		}
		assert_int_equal(ptrace(PTRACE_SINGLESTEP, child, NULL, NULL), 0);
		assert_int_equal(waitpid(child, &status, 0), child);
		step++;
	}
	free(seen);
	free(disk_seen);
	return status;
}

static void kill_anywhere(uint64_t seed, bool syncs_fail)
{
	struct simulation *x = calloc(1, sizeof(*x));
	unsigned long looks = 0;
	pid_t child;
	int status;

	assert_non_null(x);
	begin(&x->f, shape_of(false, 0));
	x->disk = mmap(NULL, sizeof(*x->disk), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(x->disk, MAP_FAILED);
	x->syncs_fail = syncs_fail;
	rng_init(&x->rng, seed);
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		traced(x);
	status = step_through(x, child, &looks);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("this system lets no process trace another\n");
		skip();
	}
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_true(looks > 500);
	judge_end(x);
	munmap(x->disk, sizeof(*x->disk));
	end(&x->f);
	free(x);
}

static void test_killed_anywhere(void **state)
{
	(void)state;
	kill_anywhere(1, false);
	kill_anywhere(2, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_durable_writes),
		cmocka_unit_test(test_failed_fsync),
		cmocka_unit_test(test_many_failures),
		cmocka_unit_test(test_passes),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_long_setting),
		cmocka_unit_test(test_each_bit),
		cmocka_unit_test(test_sectors),
		cmocka_unit_test(test_each_length),
		cmocka_unit_test(test_older_version),
		cmocka_unit_test(test_hostile_headers),
		cmocka_unit_test(test_hostile_words),
		cmocka_unit_test(test_torn_copies),
		cmocka_unit_test(test_killed_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
