/* engine_timed.h: an engine on a virtual clock, which takes a known time for each I/O. */
#ifndef ENGINE_TIMED_H
#define ENGINE_TIMED_H

#include "engine.h"

/* What it was given, by each worker in order. In memory that workers share. */
struct timed_io {
	uint64_t at_ns, offset; /* when */
	uint32_t len, target;
	uint8_t dir;
};
#define TIMED_LANES 8
#define TIMED_IOS   8192
struct timed_log {
	_Atomic unsigned lanes;
	struct timed_lane {
		uint32_t n;
		struct timed_io io[TIMED_IOS];
	} lane[TIMED_LANES];
};

/* Set before the run. As many I/Os at once as the depth allows, each takes service_ns. */
struct timed_plan {
	uint64_t service_ns;
	uint64_t stall_from_ns, stall_ns; /* of clock_ns(): it stands still for so long; 0: never */
	struct timed_log *log;            /* NULL: none */
};
extern struct timed_plan timed_plan;
extern const struct engine engine_timed;

#endif
