#include "verify_job.h"

#include <stdlib.h>
#include "plan.h"

bool verify_seen_init(struct verify_seen *s, const struct plan_job *pj)
{
	s->job = pj;
	s->file = calloc(pj->nfiles + 1, sizeof(*s->file));
	if (!s->file)
		return false;
	for (uint32_t i = 0; i < pj->nfiles; i++)
		s->file[i + 1] = s->file[i] + pj->files[i].len / pj->bs_min + 1;
	s->bits = calloc(s->file[pj->nfiles] / 64 + 1, sizeof(*s->bits));
	return s->bits;
}

void verify_seen_fini(struct verify_seen *s)
{
	free(s->bits);
	free(s->file);
}

static uint64_t bit_of(const struct verify_seen *s, uint32_t file, uint64_t offset)
{
	return s->file[file] + (offset - s->job->files[file].start) / s->job->bs_min;
}

bool verify_seen_has(const struct verify_seen *s, uint32_t file, uint64_t offset)
{
	uint64_t bit = bit_of(s, file, offset);

	return s->bits[bit / 64] >> bit % 64 & 1;
}

bool verify_seen_add(struct verify_seen *s, uint32_t file, uint64_t offset)
{
	uint64_t bit = bit_of(s, file, offset);

	if (verify_seen_has(s, file, offset))
		return false;
	s->bits[bit / 64] |= UINT64_C(1) << bit % 64;
	return true;
}
