/* fuzz_verify_block: eight bytes that say what is expected (kind, interval / 8, offset, flags, what is cut
   off), then a block as it was read. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "verify_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEAD  8u
#define BLOCK 65536u

enum { ASK_SEED = 1, ASK_NUMBER = 2, DRAWN = 4, FROM_HEADER = 8, PATTERN = 16, OFFSET_OUT = 32 };

static const uint32_t at_one[] = { 1 };
static const struct pattern pattern = {
	.bytes = (const unsigned char *)"\xde........\xad", .len = 10, .noffsets = 1, .offset_at = at_one
};
static const struct buffer_cfg plain = { 0 };

static uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static struct verify_expect expect(const struct verify_format *f, const uint8_t *block, uint32_t bytes,
				   uint8_t flags)
{
	struct verify_expect e = { .write = { .bytes = bytes, .seed = 1, .number = 1, .thread = 1 },
				   .seed = flags & ASK_SEED,
				   .number = flags & ASK_NUMBER,
				   .seed_data = flags & DRAWN };
	struct verify_header h;

	if (!(flags & FROM_HEADER) || !f->head)
		return e;
	verify_header_read(&h, block + f->cfg->offset);
	e.write.seed = h.seed;
	e.write.number = h.number;
	e.write.thread = h.thread;
	e.write.offset = flags & OFFSET_OUT ? ~h.offset : h.offset;
	return e;
}

static void judge(const struct verify_expect *e, bool intact, const struct verify_damage *d, uint32_t from,
		  uint32_t bytes)
{
	uint64_t at = d->offset - e->write.offset;

	if (intact != (d->kind == DAMAGE_NONE) || d->kind >= DAMAGE_KINDS || !verify_damages[d->kind].name)
		abort();
	if (!intact && (!d->bytes || at < from || d->bytes > bytes || at + d->bytes > (uint64_t)from + bytes))
		abort();
}

/* Blocks that were found intact are made again, and are the same but for foreign data. */
static void remake(struct verify_format *f, const struct verify_expect *e, const uint8_t *block)
{
	struct verify_write w = e->write;
	uint8_t copy[BLOCK];
	struct verify_header h;
	struct verify_damage d;

	memcpy(copy, block, w.bytes);
	if (f->head) {
		verify_header_read(&h, copy + f->cfg->offset);
		w.seed = h.seed;
		w.number = h.number;
		w.thread = h.thread;
	}
	verify_block_make(f, &w, copy);
	if (!verify_check(f, e, copy, &d))
		abort();
}

static void check(struct verify_format *f, const uint8_t *head, const uint8_t *data, uint32_t bytes)
{
	const struct verify_expect e = expect(f, data, bytes, head[5]);
	uint32_t from = head[6] * bytes / 512, to = bytes - head[7] * bytes / 512;
	uint8_t *block = malloc(bytes), *piece = malloc(to - from ? to - from : 1);
	struct verify_damage d;
	uint64_t open = 0;

	if (!block || !piece)
		abort();
	memcpy(block, data, bytes);
	judge(&e, verify_check(f, &e, block, &d), &d, 0, bytes);
	if (memcmp(block, data, bytes))
		abort();
	if (d.kind == DAMAGE_NONE && f->cfg->kind > VERIFY_NULL)
		remake(f, &e, block);
	memcpy(piece, data + from, to - from);
	judge(&e, verify_check_range(f, &e, piece, from, to - from, &d, &open), &d, from, to - from);
	if (open > to - from || memcmp(piece, data + from, to - from))
		abort();
	free(block);
	free(piece);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t bytes = (uint32_t)size - HEAD;
	struct verify_format f;
	struct verify_cfg cfg;

	if (size <= HEAD || size - HEAD > BLOCK)
		return 0;
	cfg = (struct verify_cfg){ .kind = data[0] % VERIFY_KINDS,
				   .interval = get16(data + 1) * 8u,
				   .offset = get16(data + 3) };
	if (cfg.kind == VERIFY_PATTERN || cfg.kind == VERIFY_PATTERN_HDR || data[5] & PATTERN)
		cfg.pattern = &pattern;
	if (!verify_block_fits(&cfg, bytes))
		return 0;
	verify_format_init(&f, &cfg, &plain, bytes);
	check(&f, data, data + HEAD, bytes);
	return 0;
}
