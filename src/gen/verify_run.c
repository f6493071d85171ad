#include "verify_check.h"

#include "rng.h"

/* Finds the run of write `number` of a job, which has the seed `found`. Returns false if it is of another
   job. */
static bool run_of_seed(uint64_t seed, uint64_t number, uint64_t found, struct block_run *run)
{
	uint64_t x = rng_unmix64(found) - number - seed;

	if (x & UINT32_MAX)
		return false;
	*run = (struct block_run){ .number = (uint32_t)(x >> 32) };
	return true;
}

/* Finds the run by the header of the first part that has an intact one of this job. */
static bool by_header(const struct verify_format *f, const unsigned char *buf, uint32_t bytes, uint32_t from,
		      uint64_t seed, struct block_run *run)
{
	const uint64_t step = f->cfg->interval ? f->cfg->interval : UINT32_MAX;

	if (!f->head)
		return false;
	for (uint64_t at = (step - from % step) % step + f->cfg->offset; at + VERIFY_HEADER_BYTES <= bytes;
	     at += step) {
		struct verify_header h;

		verify_header_read(&h, buf + at);
		if (h.magic == VERIFY_MAGIC && h.crc == verify_header_crc(buf + at) &&
		    run_of_seed(seed, h.number, h.seed, run)) {
			run->time_ns = verify_time_ns(h.seconds, h.nanoseconds);
			return true;
		}
	}
	return false;
}

/* Finds the run by the data of the first sector that has some of this job. */
static bool by_data(const struct verify_format *f, const unsigned char *buf, uint32_t bytes, uint32_t from,
		    uint64_t seed, uint64_t number, struct block_run *run)
{
	uint32_t at = 0;

	while (at < bytes) {
		uint32_t n = VERIFY_SECTOR - (from + at) % VERIFY_SECTOR;
		struct verify_data_source s;

		n = n < bytes - at ? n : bytes - at;
		if (verify_data_source(&f->data, buf + at, n, 0, from + at, &s) &&
		    run_of_seed(seed, number, s.seed, run))
			return true;
		at += n;
	}
	return false;
}

bool verify_run_find(const struct verify_format *f, const unsigned char *buf, uint32_t bytes, uint32_t from,
		     uint64_t seed, uint64_t number, struct block_run *run)
{
	return !f->cfg->pattern &&
	       (by_header(f, buf, bytes, from, seed, run) || by_data(f, buf, bytes, from, seed, number, run));
}

bool verify_runs_have(const struct verify_runs *r, uint32_t run)
{
	for (uint32_t i = 0; i < r->n && i < VERIFY_RUNS; i++)
		if (r->number[i] == run)
			return true;
	return false;
}

void verify_runs_add(struct verify_runs *r, uint32_t run)
{
	if (!r->n || (run != r->last && !verify_runs_have(r, run)))
		r->number[r->n++ % VERIFY_RUNS] = run;
	r->last = run;
}
