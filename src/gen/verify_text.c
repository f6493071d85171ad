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

static void type_text(uint64_t type, char *to)
{
	const char *name = verify_type_name(type);

	if (name)
		snprintf(to, VERIFY_VALUE_TEXT, "%s", name);
	else
		snprintf(to, VERIFY_VALUE_TEXT, "type %" PRIu64, type);
}

void verify_value_text(enum verify_damage_kind kind, uint64_t value, char to[VERIFY_VALUE_TEXT])
{
	to[0] = '\0';
	switch (verify_damages[kind].value) {
	case VERIFY_VALUE_NONE:
		break;
	case VERIFY_VALUE_BITS:
		snprintf(to, VERIFY_VALUE_TEXT, "0x%" PRIx64, value);
		break;
	case VERIFY_VALUE_KIND:
		type_text(value, to);
		break;
	case VERIFY_VALUE_OFFSET:
		snprintf(to, VERIFY_VALUE_TEXT, "offset %" PRIu64, value);
		break;
	case VERIFY_VALUE_BYTES:
		snprintf(to, VERIFY_VALUE_TEXT, "%" PRIu64 " bytes", value);
		break;
	case VERIFY_VALUE_THREAD:
		snprintf(to, VERIFY_VALUE_TEXT, "job %" PRIu64, value);
		break;
	case VERIFY_VALUE_NUMBER:
		snprintf(to, VERIFY_VALUE_TEXT, "write %" PRIu64, value);
		break;
	case VERIFY_VALUE_SEED:
		snprintf(to, VERIFY_VALUE_TEXT, "seed 0x%" PRIx64, value);
		break;
	case VERIFY_VALUE_BYTE:
		snprintf(to, VERIFY_VALUE_TEXT, "0x%02" PRIx64, value);
		break;
	}
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
