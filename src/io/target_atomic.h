/* target_atomic.h: the fields of statx about atomic writes, which exist since Linux 6.11 and which older
   headers lack. */
#ifndef TARGET_ATOMIC_H
#define TARGET_ATOMIC_H

#include <string.h>
#include <sys/stat.h>
#include "target.h"

#define STATX_WRITE_ATOMIC_BIT 0x10000u
#define STATX_ATOMIC_MIN_AT    0xa8
union target_statx {
	struct statx sx;
	unsigned char byte[256];
};

static inline void target_set_atomic(struct target_facts *f, const union target_statx *now)
{
	if (!(now->sx.stx_mask & STATX_WRITE_ATOMIC_BIT))
		return;
	memcpy(&f->atomic_min, now->byte + STATX_ATOMIC_MIN_AT, sizeof(f->atomic_min));
	memcpy(&f->atomic_max, now->byte + STATX_ATOMIC_MIN_AT + 4, sizeof(f->atomic_max));
}

#endif
