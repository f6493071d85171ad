/* verify_sector.h: checks a block sector by sector: after a crash it may hold sectors of several writes.
   Pure. */
#ifndef VERIFY_SECTOR_H
#define VERIFY_SECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_block.h"

/* Returns whether the write of each sector can be determined: the data are drawn from a seed, and header and
   digest stand at the beginning of a sector. */
bool verify_sectors_known(const struct verify_format *f, uint32_t unit);
/* Returns whether these VERIFY_SECTOR bytes at `offset` of the file are of the write with this seed and
   number. Its block may begin anywhere; a header must be that of this place. The digest is not checked: it
   covers other sectors, too. */
bool verify_sector_is_of(const struct verify_format *f, const unsigned char *sector, uint64_t offset,
			 uint64_t seed, uint64_t number);

/* Which bytes of a sector are those of some write. */
struct verify_sector_bytes {
	bool explained[VERIFY_SECTOR];
};

/* Marks the bytes of the sector that are those of the write with this seed. pos: where the sector begins in
   the block of that write. Headers and digests count as those of any write. */
void verify_sector_explain(const struct verify_format *f, const unsigned char *sector, uint64_t pos,
			   uint64_t seed, struct verify_sector_bytes *bytes);
bool verify_sector_explained(const struct verify_sector_bytes *bytes);

#endif
