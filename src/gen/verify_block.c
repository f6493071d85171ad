#include "verify_block.h"

#include <endian.h>
#include <string.h>
#include "crc.h"

/* A header as it stands on the disk, little endian; no member needs padding in front of it. */
struct image {
	uint16_t magic;
	uint8_t version, type;
	uint32_t length;
	uint64_t seed, offset;
	uint32_t seconds, nanoseconds;
	uint64_t number;
	uint16_t thread, pad;
	uint32_t crc;
};

#define CRC_AT (VERIFY_HEADER_BYTES - 4)

_Static_assert(sizeof(struct image) == VERIFY_HEADER_BYTES && offsetof(struct image, crc) == CRC_AT,
	       "the header has no padding");

void verify_format_init(struct verify_format *f, const struct verify_cfg *cfg,
			const struct buffer_cfg *buffer, uint32_t unit)
{
	const struct verify_kind_info *kind = &verify_kinds[cfg->kind];

	f->cfg = cfg;
	f->head = kind->type ? VERIFY_HEADER_BYTES + kind->digest : 0;
	verify_data_init(&f->data, buffer, unit);
}

uint32_t verify_part_bytes(const struct verify_cfg *cfg, uint32_t bytes)
{
	return cfg->interval && cfg->interval < bytes ? cfg->interval : bytes;
}

bool verify_block_fits(const struct verify_cfg *cfg, uint32_t bytes)
{
	const struct verify_kind_info *kind = &verify_kinds[cfg->kind];
	uint32_t part = verify_part_bytes(cfg, bytes), head = VERIFY_HEADER_BYTES + kind->digest;

	if (!part || bytes % part)
		return false;
	if (!kind->type)
		return true;
	if (cfg->offset && cfg->offset < head)
		return false;
	return head <= part && cfg->offset <= part - head;
}

/* ---- data ---- */

static void fill_pattern(const struct verify_cfg *cfg, const struct verify_write *w, unsigned char *buf,
			 size_t bytes, uint64_t pos)
{
	uint64_t step = cfg->pattern_interval ? cfg->pattern_interval : w->bytes;

	while (bytes) {
		uint64_t at = pos % step;
		size_t n = step - at < bytes ? (size_t)(step - at) : bytes;

		pattern_put(cfg->pattern, buf, n, at, w->offset + pos - at);
		buf += n;
		pos += n;
		bytes -= n;
	}
}

void verify_block_fill(const struct verify_format *f, const struct verify_write *w, void *buf, size_t bytes,
		       uint64_t pos)
{
	if (f->cfg->pattern)
		fill_pattern(f->cfg, w, buf, bytes, pos);
	else
		verify_data_draw(&f->data, buf, bytes, w->seed, pos);
}

/* ---- headers ---- */

uint32_t verify_header_crc(const unsigned char *at)
{
	return crc_castagnoli(at, CRC_AT);
}

void verify_header_read(struct verify_header *h, const unsigned char *at)
{
	struct image i;

	memcpy(&i, at, sizeof(i));
	*h = (struct verify_header){
		.magic = le16toh(i.magic),
		.version = i.version,
		.type = i.type,
		.length = le32toh(i.length),
		.seed = le64toh(i.seed),
		.offset = le64toh(i.offset),
		.seconds = le32toh(i.seconds),
		.nanoseconds = le32toh(i.nanoseconds),
		.number = le64toh(i.number),
		.thread = le16toh(i.thread),
		.crc = le32toh(i.crc),
	};
}

/* Writes a header. Its field pad keeps the bytes of the data that it covers. */
static void write_header(unsigned char *at, const struct verify_header *h)
{
	struct image i;
	uint32_t crc;

	memcpy(&i, at, sizeof(i));
	i.magic = htole16(h->magic);
	i.version = h->version;
	i.type = h->type;
	i.length = htole32(h->length);
	i.seed = htole64(h->seed);
	i.offset = htole64(h->offset);
	i.seconds = htole32(h->seconds);
	i.nanoseconds = htole32(h->nanoseconds);
	i.number = htole64(h->number);
	i.thread = htole16(h->thread);
	memcpy(at, &i, sizeof(i));
	crc = htole32(verify_header_crc(at));
	memcpy(at + CRC_AT, &crc, sizeof(crc));
}

void verify_part_exchange(const struct verify_format *f, unsigned char *part)
{
	unsigned char head[VERIFY_HEADER_BYTES + VERIFY_DIGEST_MAX];

	if (!f->cfg->offset)
		return;
	memcpy(head, part, f->head);
	memcpy(part, part + f->cfg->offset, f->head);
	memcpy(part + f->cfg->offset, head, f->head);
}

void verify_block_seal(const struct verify_format *f, const struct verify_write *w, void *buf)
{
	uint32_t bytes = verify_part_bytes(f->cfg, w->bytes);
	struct verify_header h = {
		.magic = VERIFY_MAGIC,
		.version = VERIFY_VERSION,
		.type = verify_kinds[f->cfg->kind].type,
		.length = bytes,
		.seed = f->cfg->pattern ? 0 : w->seed,
		.seconds = w->seconds,
		.nanoseconds = w->nanoseconds,
		.number = w->number,
		.thread = w->thread,
	};

	if (!f->head)
		return;
	for (uint32_t at = 0; at < w->bytes; at += bytes) {
		unsigned char *part = (unsigned char *)buf + at;

		h.offset = w->offset + at;
		verify_digest_of(f->cfg->kind, part + f->head, bytes - f->head, part + VERIFY_HEADER_BYTES);
		write_header(part, &h);
		verify_part_exchange(f, part);
	}
}

void verify_block_make(const struct verify_format *f, const struct verify_write *w, void *buf)
{
	verify_block_fill(f, w, buf, w->bytes, 0);
	verify_block_seal(f, w, buf);
}
