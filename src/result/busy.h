/* busy.h: detects that the processor, and not the storage, limited a job, and words a note about it. Pure. */
#ifndef BUSY_H
#define BUSY_H

#include <stdbool.h>
#include <stdint.h>

/* The CPU use of one worker in its measured phase. */
struct busy_worker {
	uint64_t ran_ns, ios;
	uint64_t user_ns, sys_ns; /* CPU time */
	uint64_t core_wait_ns;    /* ready to run, but without a core */
	uint64_t switches;        /* how often it left its core */
	bool io_only; /* it spends CPU time on I/O alone: it neither polls nor waits for a rate or think time
		       */
};

/* The sum over the workers of one kind. */
struct busy_sum {
	unsigned workers;
	uint64_t ran_ns, ios, user_ns, sys_ns, core_wait_ns;
};

struct strbuf;

/* The caller starts with a zeroed struct. */
struct busy {
	unsigned workers;
	struct busy_sum full;    /* workers that hardly ever waited for the storage */
	struct busy_sum crowded; /* other workers that often waited long for a core */
};

void busy_add(struct busy *b, const struct busy_worker *w);
/* Adds a message without a full stop. Returns false if the processor did not limit the job. */
bool busy_message(const struct busy *b, struct strbuf *out);

#endif
