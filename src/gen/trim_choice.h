/* trim_choice.h: which writes are trimmed before they are verified (trim_percentage). Pure. */
#ifndef TRIM_CHOICE_H
#define TRIM_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether the write with this number is trimmed: exactly `percent` of each 100 writes are. The choice
   depends on the number alone, so that another run makes the same one. */
bool trim_choice(uint64_t number, unsigned percent);

/* Returns the most blocks of n that such trims explain. More of them are trimmed with a chance below one in a
   billion. Up to
   per_write blocks are of one write, and trimmed together. */
uint64_t trim_choice_most(uint64_t n, unsigned percent, unsigned per_write);

#endif
