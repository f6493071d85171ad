/* kernel_counters.h: the kernel's counters since boot, of the whole machine (network counters: of this
   network namespace). */
#ifndef KERNEL_COUNTERS_H
#define KERNEL_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

enum kern_count {
	KERN_FORKS, /* processes and threads created */
	KERN_TCP_CONNECTS,
	KERN_TCP_ACCEPTS,
	KERN_TCP_RECEIVED, /* segments */
	KERN_TCP_SENT,
	KERN_TCP_RESENT,
	KERN_UDP_RECEIVED, /* datagrams, IPv4 and IPv6 */
	KERN_UDP_SENT,
	KERN_COUNTS
};

struct kernel_counters {
	uint64_t v[KERN_COUNTS];
	bool known[KERN_COUNTS];
};

/* Reads the present values. */
void kernel_counters_read(struct kernel_counters *s);
/* Returns the differences; a counter is known only if both reads had it. */
struct kernel_counters kernel_counters_since(const struct kernel_counters *from,
					     const struct kernel_counters *now);

#endif
