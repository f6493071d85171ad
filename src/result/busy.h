/* busy.h: whether the processor, and not what was measured, set a job's figures; in a sentence. Pure. */
#ifndef BUSY_H
#define BUSY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one worker did in its measured phase. */
struct busy_worker {
	uint64_t ran_ns, ios;
	uint64_t user_ns, sys_ns; /* CPU time */
	uint64_t waited_ns;       /* ready to run, and had no core */
	uint64_t switches;        /* how often it left its core */
	bool judged; /* its CPU time is spent on I/O alone: it does not poll, rest, or keep to a rate that it
			met */
};

/* Added up over those of a kind. */
struct busy_sum {
	unsigned workers;
	uint64_t ran_ns, ios, user_ns, sys_ns, waited_ns;
};

/* Zeroed at first. */
struct busy {
	unsigned workers;
	struct busy_sum full;    /* hardly ever waited for what was measured */
	struct busy_sum crowded; /* did, but had to wait for a core often and long */
};

void busy_add(struct busy *b, const struct busy_worker *w);
/* The sentence, without a full stop. False: there is nothing to say. */
bool busy_say(const struct busy *b, char *text, size_t size);

#endif
