#include "content.h"

#include "content_mask.h"
#include "cpu_features.h"

#include <endian.h>
#include <string.h>
#include "scale.h"

#define STEP_A 0x9e3779b97f4a7c15u
/* Bytes that a compressor needs to encode a repetition at the end of a chunk's random part. */
#define REPEAT_BYTES 3

__extension__ typedef unsigned __int128 u128;

/* ---- random data ---- */

/* A random byte stream with random access, the same on all machines. */
struct stream {
	uint64_t counter, key;
};

/* Hashes a counter with a folded 64 x 64 multiply: random enough for compressors, at memory speed. */
static inline uint64_t hash_counter(uint64_t counter, uint64_t key)
{
	u128 product = (u128)counter * (counter ^ key);

	return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

static struct stream stream_new(struct rng *r)
{
	uint64_t counter = rng_u64(r);

	return (struct stream){ .counter = counter, .key = rng_u64(r) | 1 };
}

static void stream_put(const struct stream *s, unsigned char *buf, size_t bytes, uint64_t pos)
{
	uint64_t counter = s->counter + (pos / 8 + 1) * STEP_A, key = s->key, word;
	size_t skip = pos % 8, n;

	if (skip) {
		n = 8 - skip < bytes ? 8 - skip : bytes;
		word = htole64(hash_counter(counter, key));
		memcpy(buf, (unsigned char *)&word + skip, n);
		counter += STEP_A;
		buf += n;
		bytes -= n;
	}
	for (n = bytes / 8; n; n--, buf += 8, counter += STEP_A) {
		word = htole64(hash_counter(counter, key));
		memcpy(buf, &word, 8);
	}
	word = htole64(hash_counter(counter, key));
	memcpy(buf, &word, bytes % 8);
}

static void fill_random(struct rng *r, unsigned char *buf, size_t bytes)
{
	const struct stream s = stream_new(r);

	stream_put(&s, buf, bytes, 0);
}

void content_mask(unsigned char *to, const unsigned char *from, size_t bytes, uint64_t mask)
{
	size_t at = cpu_has_avx2() ? content_mask_avx2(to, from, bytes, mask)
				   : content_mask_lanes(to, from, bytes, mask);

	for (; at < bytes; at++)
		to[at] = from[at] ^ (unsigned char)(mask >> (at % 8 * 8));
}

/* Does the same from stored random bytes, for a buffer that reads have overwritten. */
static void mask_base(struct content *c, unsigned char *buf, size_t bytes)
{
	while (bytes) {
		size_t n = bytes < sizeof(c->random) ? bytes : sizeof(c->random);

		content_mask(buf, c->random, n, rng_u64(&c->rng));
		buf += n;
		bytes -= n;
	}
}

/* ---- units ---- */

/* Returns the unique unit whose content unit n has. Of the first n units n * dedupe / 100 repeat another
   one. */
static uint64_t unique_of(const struct content *c, uint64_t n)
{
	const struct content_geometry *g = &c->geometry;
	uint64_t repeats = n * c->cfg->dedupe / 100, unique = n - repeats, set;

	if ((n + 1) * c->cfg->dedupe / 100 == repeats)
		return unique * g->shares + g->share;
	if (c->cfg->dedupe_mode == DEDUPE_REPEAT || unique < 2)
		return (unique ? unique - 1 : 0) * g->shares + g->share;
	set = (unique < c->working_set ? unique : c->working_set) * g->shares;
	return (uint64_t)(((u128)rng_mix64(g->seed ^ rng_mix64(n + g->share)) * set) >> 64);
}

uint32_t content_random_part(const struct buffer_cfg *cfg, uint32_t chunk)
{
	uint32_t bytes = (uint32_t)(((uint64_t)chunk * (100 - cfg->compress) + 50) / 100);

	if (!cfg->compress || !bytes)
		return bytes;
	return bytes > REPEAT_BYTES ? bytes - REPEAT_BYTES : 1;
}

static void put_repeated(const struct content *c, unsigned char *buf, size_t bytes, uint64_t phase,
			 uint64_t offset)
{
	if (c->cfg->pattern)
		pattern_put(c->cfg->pattern, buf, bytes, phase, offset);
	else
		memset(buf, 0, bytes);
}

/* Writes bytes [pos, pos + bytes) of unit n, which belongs to the block at `offset`. */
static void put_unit(const struct content *c, uint64_t n, unsigned char *buf, size_t bytes, uint32_t pos,
		     uint64_t offset)
{
	struct rng r;
	struct stream s;

	rng_init(&r, c->geometry.seed + rng_mix64(unique_of(c, n)));
	s = stream_new(&r);
	while (bytes) {
		uint32_t at = pos % c->chunk, left = c->geometry.unit - (pos - at);
		uint32_t chunk = c->chunk < left ? c->chunk : left,
			 random = content_random_part(c->cfg, chunk);
		size_t part = at < random ? random - at : chunk - at;

		part = part < bytes ? part : bytes;
		if (at < random)
			stream_put(&s, buf, part, pos);
		else
			put_repeated(c, buf, part, at - random, offset);
		buf += part;
		bytes -= part;
		pos += (uint32_t)part;
	}
}

static void put_units(struct content *c, unsigned char *buf, size_t bytes, uint64_t offset)
{
	while (bytes) {
		size_t n = bytes < c->geometry.unit ? bytes : c->geometry.unit;

		put_unit(c, c->next_unit++, buf, n, 0, offset);
		buf += n;
		bytes -= n;
	}
}

/* ---- */

static enum content_kind choose_kind(const struct buffer_cfg *c, bool reads)
{
	if (c->compress || c->dedupe)
		return CONTENT_UNITS;
	if (c->pattern)
		return reads || c->pattern->noffsets ? CONTENT_PATTERN : CONTENT_KEEP;
	if (c->zero)
		return reads ? CONTENT_ZERO : CONTENT_KEEP;
	if (c->refill)
		return CONTENT_RANDOM;
	if (c->scramble)
		return reads ? CONTENT_MASK_BASE : CONTENT_MASK;
	return CONTENT_KEEP;
}

void content_init(struct content *c, const struct buffer_cfg *cfg, const struct content_geometry *geometry)
{
	uint64_t set = scale(geometry->units, cfg->dedupe_set, 100);

	*c = (struct content){ .cfg = cfg, .geometry = *geometry, .kind = choose_kind(cfg, geometry->reads) };
	c->geometry.shares = geometry->shares ? geometry->shares : 1;
	c->chunk = cfg->compress && cfg->compress_chunk && cfg->compress_chunk < geometry->unit
			   ? (uint32_t)cfg->compress_chunk
			   : geometry->unit;
	c->working_set = set / c->geometry.shares ? set / c->geometry.shares : 1;
	rng_init(&c->rng, geometry->seed);
	if (c->kind == CONTENT_MASK_BASE)
		fill_random(&c->rng, c->random, sizeof(c->random));
}

void content_init_buffer(struct content *c, void *buf, size_t bytes)
{
	if (c->kind == CONTENT_UNITS)
		return; /* each write generates its own content */
	if (c->cfg->pattern)
		pattern_put(c->cfg->pattern, buf, bytes, 0, 0);
	else if (c->cfg->zero)
		memset(buf, 0, bytes);
	else
		fill_random(&c->rng, buf, bytes);
}

/* ---- a pool ---- */

void content_use_pool(struct content *c, const struct content_pool *pool)
{
	c->pool = *pool;
	c->kind = CONTENT_POOL;
}

void content_use_maker(struct content *c, const struct content_maker *maker)
{
	c->maker = *maker;
	c->kind = CONTENT_BLOCKS;
}

void content_pool_random(void *buf, size_t bytes, uint64_t pos)
{
	struct stream s;
	struct rng r;

	rng_init(&r, 1);
	s = stream_new(&r);
	stream_put(&s, buf, bytes, pos);
}

static void put_slice(struct content *c, void *buf, size_t bytes)
{
	uint64_t places = (c->pool.size - bytes) / c->pool.align + 1;

	memcpy(buf, c->pool.bytes + rng_below(&c->rng, places) * c->pool.align, bytes);
}

void content_generate(struct content *c, void *buf, size_t bytes, uint64_t offset)
{
	switch (c->kind) {
	case CONTENT_KEEP:
		break;
	case CONTENT_ZERO:
		memset(buf, 0, bytes);
		break;
	case CONTENT_RANDOM:
		fill_random(&c->rng, buf, bytes);
		break;
	case CONTENT_MASK:
		content_mask(buf, buf, bytes, rng_u64(&c->rng));
		break;
	case CONTENT_MASK_BASE:
		mask_base(c, buf, bytes);
		break;
	case CONTENT_PATTERN:
		pattern_put(c->cfg->pattern, buf, bytes, 0, offset);
		break;
	case CONTENT_UNITS:
		put_units(c, buf, bytes, offset);
		break;
	case CONTENT_POOL:
		put_slice(c, buf, bytes);
		break;
	case CONTENT_BLOCKS:
		c->maker.make(c->maker.arg, buf, bytes, offset);
		break;
	}
}

bool content_at(const struct content *c, void *buf, size_t bytes, uint64_t offset)
{
	bool units = c->kind == CONTENT_UNITS;
	uint32_t step = units ? c->geometry.unit : c->geometry.block;
	unsigned char *to = buf;

	if (!units && !c->cfg->pattern)
		return false;
	while (bytes) {
		uint32_t at = (uint32_t)(offset % step);
		size_t n = step - at < bytes ? step - at : bytes;

		if (units)
			put_unit(c, offset / step, to, n, at, offset - offset % c->geometry.block);
		else
			pattern_put(c->cfg->pattern, to, n, at, offset - at);
		to += n;
		bytes -= n;
		offset += n;
	}
	return true;
}
