#include "textlayout.h"

#include <errno.h>
#include <string.h>

static const struct ds_layout_form forms[] = {
	[DS_LAYOUT_22] = { .name = "2.2",
			   .program = "DISKSPD 2.2",
			   .rate = "   MiB/s  ",
			   .ports = true,
			   .system = true,
			   .chart_titles = true,
			   .nines = 9 },
	[DS_LAYOUT_23] = { .name = "2.3",
			   .program = "DISKSPD 2.3",
			   .rate = "   MiB/s  ",
			   .ports = true,
			   .system = true,
			   .chart_titles = true,
			   .nines = 9 },
	[DS_LAYOUT_20] = { .name = "2.0",
			   .program = "DISKSPD 2.0",
			   .rate = "    MB/s  ",
			   .plain_sizes = true,
			   .one_cache_line = true,
			   .short_sizes = true,
			   .ports = true,
			   .proc_count = true,
			   .wide_cpus = true,
			   .nines = 8 },
	[DS_LAYOUT_PORT] = { .name = "linux-port",
			     .program = "diskspd-for-linux",
			     .rate = "   MiB/s  ",
			     .plain_sizes = true,
			     .proc_count = true,
			     .wide_cpus = true,
			     .io_wait = true,
			     .stddev_first = true,
			     .nines = 9 },
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
		return DS_LAYOUT_20;
	return dialect == DS_DIALECT_LINUX ? DS_LAYOUT_PORT : DS_LAYOUT_22;
}
