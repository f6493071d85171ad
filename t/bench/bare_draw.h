/* bare_draw.h: draws the offset of the next I/O of a bare loop; compiled into each loop. */
#ifndef BARE_DRAW_H
#define BARE_DRAW_H

#include "bare.h"
#include "offset.h"

static inline uint64_t bare_offset(struct bare *b, enum io_dir dir)
{
	uint64_t at = 0;
	uint32_t len;

	while (__builtin_expect(!offset_next(b->gen, dir, &at, &len), 0))
		offset_restart(b->gen, false);
	return at;
}

/* Makes each write unique by changing one word in each sector. */
static inline void bare_touch(struct bare *b, unsigned char *buf, uint64_t offset)
{
	b->seq++;
	for (uint32_t i = 0; i < b->j->bs; i += 512)
		*(uint64_t *)(void *)(buf + i) = offset ^ b->seq;
}

#endif
