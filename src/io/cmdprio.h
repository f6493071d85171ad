/* cmdprio.h: the options of engines that can give each I/O its own priority. The engines hold only the
   option rows; the core draws the priority of each I/O (gen/prio.h) and sets io->prio. */
#ifndef CMDPRIO_H
#define CMDPRIO_H

#include <stdbool.h>
#include "prio.h"
#include "types.h"

/* Values for reads, writes and trims; those for trims are accepted and ignored. */
struct cmdprio_opts {
	uint32_t percentage[3], classes[3], level[3], hint[3];
	char *bssplit;
};

/* One entry of cmdprio_bssplit. */
struct cmdprio_entry {
	uint32_t bytes, percent;
	bool has_priority; /* the entry has its own priority in value; otherwise cmdprio_class, cmdprio and
		     cmdprio_hint apply */
	uint16_t value;
};
struct cmdprio_split {
	unsigned n[PRIO_DIRS];
	struct cmdprio_entry entry[PRIO_DIRS][PRIO_ENTRIES];
};

extern const struct opt_type cmdprio_type_bssplit; /* char *: text that cmdprio_parse accepts */

/* Returns 0, or -errno with d filled and *out unspecified. A direction that the text leaves out has the
   entries of the one before it. */
int cmdprio_parse(const char *text, unsigned kb_base, struct cmdprio_split *out, struct diag *d);

static inline uint16_t cmdprio_value(uint32_t class, uint32_t hint, uint32_t level)
{
	return (uint16_t)(class << 13 | hint << 3 | level);
}

/* clang-format off */
/* Option rows for an engine whose options contain a struct cmdprio_opts. */
#define CMDPRIO_ROWS(field, of) \
	{ .name = "cmdprio_percentage", OPT_U32X3(field.percentage), .def = "0", OPT_RANGE(0, 100), .group = of, \
	  .help = "Percentage of reads, and of writes, that get a priority of their own" }, \
	{ .name = "cmdprio_class", OPT_U32X3(field.classes), .def = "1", OPT_RANGE(1, 3), .group = of, \
	  .help = "Class of this priority: 1 real-time, 2 best effort, 3 idle" }, \
	{ .name = "cmdprio", OPT_U32X3(field.level), .def = "0", OPT_RANGE(0, 7), .group = of, \
	  .help = "Level of this priority; 0 is the highest" }, \
	{ .name = "cmdprio_hint", OPT_U32X3(field.hint), .def = "0", OPT_RANGE(0, 1023), .group = of, \
	  .help = "Hint in addition to this priority; 1 to 7 are command duration limits" }, \
	{ .name = "cmdprio_bssplit", .type = &cmdprio_type_bssplit, OPT_AT(field.bssplit, char **), .group = of, \
	  .help = "The same by block size: SIZE/PERCENT or SIZE/PERCENT/CLASS/LEVEL[/HINT], with colons between" }
/* clang-format on */

#endif
