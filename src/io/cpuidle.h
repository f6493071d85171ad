/* cpuidle.h: how idle the CPUs were, from /proc/stat, and how fast a CPU is. fio measures idleness with a
   busy thread of the lowest priority on each CPU, which never lets a CPU sleep. */
#ifndef CPUIDLE_H
#define CPUIDLE_H

#include <stdint.h>

#define CPUIDLE_MAX 1024

struct cpuidle;

struct cpuidle_use {
	double all; /* percent, all CPUs together */
	unsigned ncpus;
	struct {
		unsigned number;
		double idle, user; /* percent; the rest is kernel, interrupt and stolen time */
		double iowait;     /* percent of time idle with I/O outstanding; part of idle */
	} cpu[CPUIDLE_MAX];
};

/* How long a fixed piece of work takes: mean and standard deviation over the CPUs that this process may
   use. */
struct cpuidle_unit {
	double mean_us, stddev_us;
};

/* Reads the counters for the first time. Returns NULL if memory is short or /proc/stat cannot be read. The
   caller frees it with cpuidle_free. */
struct cpuidle *cpuidle_begin(void);
/* Fills *use with the changes since cpuidle_begin. */
void cpuidle_end(const struct cpuidle *c, struct cpuidle_use *use);
void cpuidle_free(struct cpuidle *c);

/* Parses "cpu0 user nice system idle iowait irq softirq steal ...". Guest time is part of user and nice.
   Returns the sum. */
#define CPU_TICKS 8
uint64_t cpu_ticks(const char *line, uint64_t v[CPU_TICKS]);

/* Measures this time on one CPU after the other. */
void cpuidle_unit(struct cpuidle_unit *u);

/* CPU time that the run did not get, from the kernel's counters: throttling by the CPU quota of its control
   groups (version 2), and time that a virtual machine's host gave to others. */

struct cpu_throttle {
	uint64_t throttled, throttled_us; /* periods and microseconds of throttling, of this process's group
					     and those above it */
	uint64_t stolen, ticks;           /* steal time and all time, summed over CPUs, in kernel ticks */
};

/* Reads the counters; those that the kernel does not provide are 0. */
void cpu_throttle_read(struct cpu_throttle *h);
/* Returns the differences between two reads. */
struct cpu_throttle cpu_throttle_since(const struct cpu_throttle *from, const struct cpu_throttle *to);
/* Returns the steal time in percent of all CPU time. */
double cpu_throttle_steal_percent(const struct cpu_throttle *since);

#endif
