/* kernel_counters.h: what the kernel has counted since boot, of the whole machine (network: of this network
 * namespace). */
#ifndef KERNEL_COUNTERS_H
#define KERNEL_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

enum kern_count {
	KERN_FORKS, /* processes and threads that were begun */
	KERN_TCP_CONNECTS,
	KERN_TCP_ACCEPTS,
	KERN_TCP_RECEIVED, /* segments */
	KERN_TCP_SENT,
	KERN_TCP_RESENT,
	KERN_UDP_RECEIVED, /* datagrams, of IPv4 and IPv6 */
	KERN_UDP_SENT,
	KERN_COUNTS
};

struct kernel_counters {
	uint64_t v[KERN_COUNTS];
	bool known[KERN_COUNTS];
};

/* Now. */
void kernel_counters_read(struct kernel_counters *s);
/* What came to it since `from`; not known where one of them is not. */
struct kernel_counters kernel_counters_since(const struct kernel_counters *from,
					     const struct kernel_counters *now);

#endif
