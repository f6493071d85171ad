/* verify_text.h: the damage of verify blocks in words, for errors and reports. Pure. */
#ifndef VERIFY_TEXT_H
#define VERIFY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "verify_check.h"

/* Room for either text, with the final zero. */
#define VERIFY_VALUE_TEXT  40
#define VERIFY_DAMAGE_TEXT 160

/* Writes the expected or found value of a damage with its unit, e.g. "write 7" or "0x3f". Writes "" if this
   kind of damage has no values. */
void verify_value_text(enum verify_damage_kind kind, uint64_t value, char to[VERIFY_VALUE_TEXT]);
/* Writes e.g. "stale: write 7 expected, write 3 found". */
void verify_damage_text(enum verify_damage_kind kind, uint64_t expected, uint64_t found,
			char to[VERIFY_DAMAGE_TEXT]);
/* Returns the name of the kind of verify that headers of this type have; NULL if there is none. */
const char *verify_type_name(uint64_t type);

#endif
