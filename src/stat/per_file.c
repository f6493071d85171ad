#include "per_file.h"

size_t per_file_bytes(const struct per_file_cfg *c)
{
	return c->files * (sizeof(struct per_file) + c->buckets * sizeof(struct per_file_bucket)) +
	       (c->waits ? sizeof(struct per_file_waits) : 0);
}

void per_file_init(void *counts, const struct per_file_cfg *c)
{
	for (uint32_t i = 0; i < c->files; i++)
		for (unsigned d = 0; c->hists && d < PER_FILE_DIRS; d++)
			hist_reset(&per_file_of(counts, i)->hist[d]);
}

uint32_t per_file_bucket_at(const struct per_file_cfg *c, uint64_t ns)
{
	uint64_t at = c->buckets ? ns / c->bucket_ns : 0;

	return at < c->buckets ? (uint32_t)at : c->buckets;
}

void per_file_count_poll(struct per_file_waits *p, uint64_t waits, unsigned n)
{
	p->waits += waits;
	if (waits) {
		p->woken[n < PER_FILE_FOUND ? n : PER_FILE_FOUND - 1]++;
		p->woken[0] += waits - 1;
	}
	p->polls += waits ? waits : 1;
	if (!waits && n)
		p->found[n < PER_FILE_FOUND ? n - 1 : PER_FILE_FOUND - 1]++;
}

void per_file_add(void *counts, const struct per_file_cfg *c, uint32_t file, uint32_t bucket, unsigned dir,
		  uint64_t bytes, uint64_t ns)
{
	struct per_file *p = per_file_of(counts, file);

	p->bytes[dir] += bytes;
	moments_add_to_zero(&p->lat[dir], ns);
	if (c->hists)
		hist_add(&p->hist[dir], ns);
	if (bucket < c->buckets)
		moments_add_to_zero(&per_file_buckets(counts, c, file)[bucket].lat[dir], ns);
}
