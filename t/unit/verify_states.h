/* verify_states.h: verify states in memory, for the tests of verify_state.h. Include it behind cmocka.h. */
#ifndef VERIFY_STATES_H
#define VERIFY_STATES_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "diag.h"
#include "verify_state.h"

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

static inline struct verify_state_shape shape_of(bool synced, uint64_t map_bytes)
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

static inline void begin(struct state_file *f, struct verify_state_shape shape)
{
	f->shape = shape;
	assert_int_equal(verify_state_layout(&f->shape, &f->layout), 0);
	f->mem = mmap(NULL, f->layout.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(f->mem, MAP_FAILED);
	verify_state_format(&f->shape, settings, f->mem);
	assert_int_equal(verify_state_writer_init(&f->w, &f->shape, f->mem), 0);
}

static inline void end(struct state_file *f)
{
	verify_state_writer_fini(&f->w);
	munmap(f->mem, f->layout.bytes);
}

static inline void issue(struct state_file *f, uint32_t slot, uint32_t file, uint64_t number)
{
	verify_state_issue(&f->w, slot, file, number);
	verify_state_issued(&f->w);
}

static inline void sync_file(struct state_file *f, uint32_t slot, uint32_t file)
{
	verify_state_sync_issue(&f->w, slot, file);
	verify_state_sync_done(&f->w, slot, true);
}

static inline void parse(struct verify_state *s, const struct state_file *f)
{
	struct diag d = { 0 };

	if (verify_state_parse(s, f->mem, f->layout.bytes, &d))
		fail_msg("%s", diag_text(&d));
}

/* Parses bytes from a buffer without a byte behind them, and expects words of the error. */
static inline void expect_error(const void *mem, size_t bytes, const char *words)
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

#endif
