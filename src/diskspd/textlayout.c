#include "profile_text.h"

#include <errno.h>
#include <string.h>

/* Versions before 2.2 have these parts in common. */
#define BEFORE_22 .proc_count = true, .wide_cpus = true, .nines = 9
#define MIB       "   MiB/s  "
#define MB        "    MB/s  "

static const struct ds_layout_form forms[] = {
	[DS_LAYOUT_22] = { .name = "2.2",
			   .program = "DISKSPD 2.2",
			   .rate = MIB,
			   .system = DS_SYSTEM_CPUS,
			   .charts = DS_CHARTS_TITLED,
			   .nines = 9 },
	[DS_LAYOUT_23] = { .name = "2.3",
			   .program = "DISKSPD 2.3",
			   .rate = MIB,
			   .system = DS_SYSTEM_CPUS,
			   .charts = DS_CHARTS_TITLED,
			   .nines = 9 },
	[DS_LAYOUT_20] = { .name = "2.0",
			   .program = "DISKSPD 2.0",
			   .rate = MB,
			   .plain_sizes = true,
			   .one_cache_line = true,
			   .short_unit = "B",
			   .proc_count = true,
			   .wide_cpus = true,
			   .nines = 8 },
	[DS_LAYOUT_2017] = { .name = "2.0.17",
			     .program = "DISKSPD 2.0.17",
			     .rate = MB,
			     .plain_sizes = true,
			     .short_unit = "B",
			     BEFORE_22 },
	[DS_LAYOUT_2021] = { .name = "2.0.21",
			     .program = "DISKSPD 2.0.21",
			     .rate = MIB,
			     .plain_sizes = true,
			     .short_unit = "iB",
			     .system = DS_SYSTEM_NAME,
			     .charts = DS_CHARTS_PATHS,
			     BEFORE_22 },
	[DS_LAYOUT_21] = { .name = "2.1",
			   .program = "DISKSPD 2.1",
			   .rate = MIB,
			   .system = DS_SYSTEM_NAME,
			   .charts = DS_CHARTS_PATHS,
			   BEFORE_22 },
	[DS_LAYOUT_PORT] = { .name = "linux-port", .program = "diskspd-for-linux", .rate = MIB },
};

#define FORMS (sizeof(forms) / sizeof(*forms))

const struct ds_layout_form *ds_layout_form(unsigned layout)
{
	return &forms[layout < FORMS ? layout : DS_LAYOUT_22];
}

int ds_layout_of(const char *name, enum ds_layout *out)
{
	for (unsigned i = 0; i < FORMS; i++) {
		if (!strcmp(forms[i].name, name)) {
			*out = (enum ds_layout)i;
			return 0;
		}
	}
	return -EINVAL;
}

enum ds_layout ds_layout_default(enum ds_dialect dialect)
{
	if (dialect == DS_DIALECT_20)
		return DS_LAYOUT_2017;
	return dialect == DS_DIALECT_LINUX ? DS_LAYOUT_PORT : DS_LAYOUT_22;
}
