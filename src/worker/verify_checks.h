/* verify_checks.h: checks blocks that were read back, and counts the results. */
#ifndef VERIFY_CHECKS_H
#define VERIFY_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

struct verify_block_ref;
struct worker;

/* Checks a block that was read into buf and counts it, or hands it to a thread, which verify_async starts. */
void verify_check_block(struct worker *w, uint32_t file, const struct verify_block_ref *b,
			unsigned char *buf);
/* Counts the blocks that threads have checked; wait: all of them. */
void verify_count_checked(struct worker *w, bool wait);

#endif
