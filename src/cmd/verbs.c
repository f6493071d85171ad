#include "verbs.h"

#include <string.h>
#include "cmd.h"

static int run_diskspd(int argc, char *const *argv, struct diag *d)
{
	(void)d;
	return cmd_diskspd(argc, argv);
}

static const struct verb verb_diskspd = {
	.name = "diskspd",
	.synopsis = "diskspd LINE...",
	.help = "run a DISKSPD line (fiord diskspd --help)",
	.run = run_diskspd,
};

const struct verb *const verb_table[] = { &verb_report, &verb_compare, &verb_merge, &verb_preset,
					  &verb_dist,   &verb_sweep,   &verb_peak,  &verb_trace,
					  &verb_trend,  &verb_diskspd, NULL };

const struct verb *verb_find(const char *word)
{
	for (const struct verb *const *v = verb_table; *v; v++)
		if (!strcmp((*v)->name, word))
			return *v;
	return NULL;
}
