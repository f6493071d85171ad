/* cmdline_flags.h: the options of the run itself, as rows. Help and manual loop over them too. */
#ifndef CMDLINE_FLAGS_H
#define CMDLINE_FLAGS_H

#include "opt.h"

struct cmdline_flags {
	char *report, *csv, *junit, *live, *prometheus, *aux_path, *bandwidth_log;
	char *trigger_file, *trigger;
	uint64_t trigger_timeout_ns;
	unsigned idle_prof; /* enum idle_prof */
	unsigned series;    /* enum series_of */
	unsigned formats;   /* enum out_format bits */
	bool minimal, append_terse, parse_only, showcmd, readonly, warnings_fatal;
	unsigned eta; /* enum eta_mode */
	uint64_t eta_newline_ns, eta_interval_ns, status_interval_ns, live_interval_ns;
	uint32_t repeat, terse_version, debug;
	unsigned verb; /* enum cmdline_verb; VERB_RUN: no flag set another one */
	/* The value of the flag that was parsed last; the caller frees it and sets it to NULL. */
	char *section, *set, *output, *assertion;
	char *topic; /* of the verb */
};

extern const struct opt_table cmdline_flags;

#endif
