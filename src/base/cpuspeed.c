#include "cpuspeed.h"

#include "sysfs.h"

/* Returns the CPU's capacity, which is never 0. Some kernels report no capacities and list only the slower
   CPUs of a machine with two kinds. */
static uint64_t capacity_of(unsigned cpu, const struct cpuset *slow)
{
	uint64_t v;

	if (sysfs_u64(&v, "/sys/devices/system/cpu/cpu%u/cpu_capacity", cpu))
		return cpuset_has(slow, cpu) ? 1 : 2;
	return v ? v : 1;
}

/* Returns the smallest capacity above this one; 0 if no CPU has more. */
static uint64_t next_above(const uint64_t capacity[CPUSET_MAX], uint64_t above)
{
	uint64_t next = 0;

	for (unsigned i = 0; i < CPUSET_MAX; i++)
		if (capacity[i] > above && (!next || capacity[i] < next))
			next = capacity[i];
	return next;
}

unsigned cpuspeed_classes(const struct cpuset *cpus, unsigned class[CPUSET_MAX])
{
	uint64_t capacity[CPUSET_MAX] = { 0 }, now = 0;
	struct cpuset slow = { 0 };
	unsigned n = 0;

	(void)sysfs_cpuset(&slow, "/sys/devices/cpu_atom/cpus");
	for (unsigned i = 0; i < CPUSET_MAX; i++)
		if (cpuset_has(cpus, i))
			capacity[i] = capacity_of(i, &slow);
	for (; (now = next_above(capacity, now)); n++)
		for (unsigned i = 0; i < CPUSET_MAX; i++)
			if (capacity[i] == now)
				class[i] = n;
	return n;
}
