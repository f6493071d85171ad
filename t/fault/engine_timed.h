/* engine_timed.h: an engine on a virtual clock, which takes a known time for each I/O. */
#ifndef ENGINE_TIMED_H
#define ENGINE_TIMED_H

#include "engine.h"

/* The I/Os of each worker in order, in memory that workers share. */
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

/* The test sets these before the run. The engine does as many I/Os at once as the depth allows, each in
 * service_ns. */
struct timed_plan {
	uint64_t service_ns;
	uint64_t (*service_at)(
		uint64_t now_ns); /* the service time of an I/O that begins now; NULL: service_ns */
	bool one_at_a_time;       /* the I/Os in flight wait for each other: latency is depth x service_ns */
	uint64_t stall_from_ns, stall_ns; /* in clock_ns(): start and length of a stall; 0: none */
	uint64_t fail_from_ns;            /* in clock_ns(): I/Os that end later fail with EIO; 0: none */
	struct timed_log *log;            /* NULL: no log */
};
extern struct timed_plan timed_plan;
extern const struct engine engine_timed;

#endif
