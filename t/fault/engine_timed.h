/* engine_timed.h: an engine on a virtual clock, which takes a known time for each I/O. */
#ifndef ENGINE_TIMED_H
#define ENGINE_TIMED_H

#include "engine.h"

/* Set before the run. As many I/Os at once as the depth allows, each takes service_ns. */
struct timed_plan {
	uint64_t service_ns;
	uint64_t stall_from_ns, stall_ns; /* of clock_ns(): it stands still for so long; 0: never */
};
extern struct timed_plan timed_plan;
extern const struct engine engine_timed;

#endif
