#include "protection.h"

#include <endian.h>
#include <string.h>
#include "crc.h"

/* A tuple, in the byte order of the CPU. */
struct tuple {
	uint16_t guard, app;
	uint32_t ref;
};

static struct tuple tuple_load(const unsigned char *at)
{
	struct tuple t;

	memcpy(&t, at, sizeof(t));
	return (struct tuple){ be16toh(t.guard), be16toh(t.app), be32toh(t.ref) };
}

static void tuple_store(unsigned char *at, struct tuple t)
{
	_Static_assert(sizeof(t) == PROTECTION_BYTES, "size");
	t = (struct tuple){ htobe16(t.guard), htobe16(t.app), htobe32(t.ref) };
	memcpy(at, &t, sizeof(t));
}

static uint16_t guard_of(const struct protection *p, const unsigned char *data, const unsigned char *metadata)
{
	uint16_t crc = crc16_t10dif(0, data, p->block_bytes);

	return p->before ? crc16_t10dif(crc, metadata, p->before) : crc;
}

static uint32_t ref_of(const struct protection *p, const struct protected_blocks *b, uint32_t i)
{
	return p->type == 3 ? 0 : b->ref + i;
}

void protection_make(const struct protection *p, const struct protected_blocks *b)
{
	const unsigned char *data = b->data;
	unsigned char *metadata = b->metadata;

	for (uint32_t i = 0; i < b->n; i++, data += p->block_bytes, metadata += b->metadata_step)
		tuple_store(metadata + p->before, (struct tuple){ .guard = guard_of(p, data, metadata),
								  .app = p->app_tag,
								  .ref = ref_of(p, b, i) });
}

static bool is_unchecked(const struct protection *p, struct tuple t)
{
	return t.app == 0xffff && (p->type != 3 || t.ref == 0xffffffff);
}

static bool fails(struct protection_damage *d, const char *part, uint32_t expected, uint32_t found)
{
	d->part = part;
	d->expected = expected;
	d->found = found;
	return false;
}

static bool check_tuple(const struct protection *p, struct tuple have, uint16_t guard, uint32_t ref,
			struct protection_damage *d)
{
	if (p->checks & PROTECTION_GUARD && have.guard != guard)
		return fails(d, "guard", guard, have.guard);
	if (p->checks & PROTECTION_APP && (have.app ^ p->app_tag) & p->app_mask)
		return fails(d, "application tag", p->app_tag & p->app_mask, have.app & p->app_mask);
	if (p->checks & PROTECTION_REF && p->type != 3 && have.ref != ref)
		return fails(d, "reference tag", ref, have.ref);
	return true;
}

bool protection_check(const struct protection *p, const struct protected_blocks *b,
		      struct protection_damage *damage)
{
	const unsigned char *data = b->data;
	const unsigned char *metadata = b->metadata;

	for (uint32_t i = 0; i < b->n; i++, data += p->block_bytes, metadata += b->metadata_step) {
		struct tuple have = tuple_load(metadata + p->before);
		uint16_t guard;

		if (is_unchecked(p, have))
			continue;
		guard = p->checks & PROTECTION_GUARD ? guard_of(p, data, metadata) : 0;
		damage->block = i;
		if (!check_tuple(p, have, guard, ref_of(p, b, i), damage))
			return false;
	}
	return true;
}
