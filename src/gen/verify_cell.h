/* verify_cell.h: checks a block sector by sector: after a crash it may hold sectors of several writes. Pure.
 */
#ifndef VERIFY_CELL_H
#define VERIFY_CELL_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_block.h"

/* Returns whether the write of each sector can be determined: the data are drawn from a seed, and header and
   digest stand at the beginning of a sector. */
bool verify_cells_known(const struct verify_format *f, uint32_t unit);
/* Returns whether these VERIFY_DATA_CELL bytes at `offset` of the file are of the write with this seed and
   number. Its block may begin anywhere; a header must be that of this place. The digest is not checked: it
   covers other sectors, too. */
bool verify_cell_is_of(const struct verify_format *f, const unsigned char *cell, uint64_t offset,
		       uint64_t seed, uint64_t number);

/* Which bytes of a sector are those of some write. */
struct verify_cell_bytes {
	bool explained[VERIFY_DATA_CELL];
};

/* Marks the bytes of the sector that are those of the write with this seed. pos: where the sector begins in
   the block of that write. Headers and digests count as those of any write. */
void verify_cell_explain(const struct verify_format *f, const unsigned char *cell, uint64_t pos,
			 uint64_t seed, struct verify_cell_bytes *bytes);
bool verify_cell_explained(const struct verify_cell_bytes *bytes);

#endif
