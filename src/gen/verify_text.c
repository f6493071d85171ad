#include "verify_check.h"

#include <inttypes.h>
#include <stdio.h>

const char *verify_type_name(uint64_t type)
{
	for (unsigned i = 0; type && i < VERIFY_KINDS; i++)
		if (verify_kinds[i].type == type)
			return verify_kinds[i].name;
	return NULL;
}

void verify_value_text(enum verify_damage_kind kind, uint64_t value, char to[VERIFY_VALUE_TEXT])
{
	/* clang-format off */
	static const struct { const char *before, *after; int digits; /* hexadecimal, at least; 0: decimal */ } forms[] = {
		[VERIFY_VALUE_BITS] = { "0x", "", 1 }, [VERIFY_VALUE_KIND] = { "type ", "", 0 },
		[VERIFY_VALUE_OFFSET] = { "offset ", "", 0 }, [VERIFY_VALUE_BYTES] = { "", " bytes", 0 },
		[VERIFY_VALUE_THREAD] = { "job ", "", 0 }, [VERIFY_VALUE_NUMBER] = { "write ", "", 0 },
		[VERIFY_VALUE_SEED] = { "seed 0x", "", 1 }, [VERIFY_VALUE_BYTE] = { "0x", "", 2 },
	};
	/* clang-format on */
	enum verify_value what = verify_damages[kind].value;
	const char *name = what == VERIFY_VALUE_KIND ? verify_type_name(value) : NULL;

	to[0] = '\0';
	if (name)
		snprintf(to, VERIFY_VALUE_TEXT, "%s", name);
	else if (what != VERIFY_VALUE_NONE && forms[what].digits)
		snprintf(to, VERIFY_VALUE_TEXT, "%s%0*" PRIx64, forms[what].before, forms[what].digits,
			 value);
	else if (what != VERIFY_VALUE_NONE)
		snprintf(to, VERIFY_VALUE_TEXT, "%s%" PRIu64 "%s", forms[what].before, value,
			 forms[what].after);
}

void verify_damage_text(enum verify_damage_kind kind, uint64_t expected, uint64_t found,
			char to[VERIFY_DAMAGE_TEXT])
{
	char want[VERIFY_VALUE_TEXT], have[VERIFY_VALUE_TEXT];

	verify_value_text(kind, expected, want);
	verify_value_text(kind, found, have);
	if (want[0])
		snprintf(to, VERIFY_DAMAGE_TEXT, "%s: %s expected, %s found", verify_damages[kind].name, want,
			 have);
	else
		snprintf(to, VERIFY_DAMAGE_TEXT, "%s", verify_damages[kind].name);
}
