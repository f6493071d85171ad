#include "parts.h"

size_t parts_bytes(const struct parts_cfg *c)
{
	return c->files * (sizeof(struct part) + c->buckets * sizeof(struct part_bucket)) +
	       (c->waits ? sizeof(struct part_waits) : 0);
}

void parts_init(void *parts, const struct parts_cfg *c)
{
	for (uint32_t i = 0; i < c->files; i++)
		for (unsigned d = 0; c->hists && d < PART_DIRS; d++)
			hist_reset(&parts_file(parts, i)->hist[d]);
}

uint32_t parts_bucket_at(const struct parts_cfg *c, uint64_t ns)
{
	uint64_t at = c->buckets ? ns / c->bucket_ns : 0;

	return at < c->buckets ? (uint32_t)at : c->buckets;
}

void parts_took(struct part_waits *p, uint64_t waits, unsigned n)
{
	p->waits += waits;
	p->looks += waits ? waits : 1;
	if (!waits && n)
		p->found[n < PART_FOUND ? n - 1 : PART_FOUND - 1]++;
}

static void add(struct moments *m, uint64_t ns)
{
	if (!m->n)
		m->min = UINT64_MAX;
	moments_add(m, ns);
}

void parts_add(void *parts, const struct parts_cfg *c, uint32_t file, uint32_t bucket, unsigned dir,
	       uint64_t bytes, uint64_t ns)
{
	struct part *p = parts_file(parts, file);

	p->bytes[dir] += bytes;
	add(&p->lat[dir], ns);
	if (c->hists)
		hist_add(&p->hist[dir], ns);
	if (bucket < c->buckets)
		add(&parts_buckets(parts, c, file)[bucket].lat[dir], ns);
}
