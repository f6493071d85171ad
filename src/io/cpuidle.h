/* cpuidle.h: how idle the CPUs were, by the kernel's own account (/proc/stat), and what a CPU can do. fio
   keeps a thread of the lowest priority busy on each CPU instead, which never lets one sleep. */
#ifndef CPUIDLE_H
#define CPUIDLE_H

#define CPUIDLE_MAX 1024

struct cpuidle;

struct cpuidle_use {
	double all; /* percent, all CPUs together */
	unsigned ncpus;
	struct {
		unsigned number;
		double idle, user; /* percent; the rest is the kernel's, with interrupts and stolen time */
		double waiting;    /* for I/O: a part of idle */
	} cpu[CPUIDLE_MAX];
};

/* How long a fixed piece of work takes: the mean over the CPUs that may be used, and how far they differ. */
struct cpuidle_unit {
	double mean_us, stddev_us;
};

/* Takes the first look. NULL when memory is short or /proc tells nothing. */
struct cpuidle *cpuidle_begin(void);
/* What happened since. */
void cpuidle_end(const struct cpuidle *c, struct cpuidle_use *use);
void cpuidle_free(struct cpuidle *c);

void cpuidle_unit(struct cpuidle_unit *u);

#endif
