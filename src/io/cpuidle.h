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

#endif
