/* busy.h: detects that the processor, and not the storage, limited a job, and says so in a sentence. Pure. */
#ifndef BUSY_H
#define BUSY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The CPU use of one worker in its measured phase. */
struct busy_worker {
	uint64_t ran_ns, ios;
	uint64_t user_ns, sys_ns; /* CPU time */
	uint64_t core_wait_ns;    /* ready to run, and had no core */
	uint64_t switches;        /* how often it left its core */
	bool judged; /* its CPU time is spent on I/O alone: it does not poll, rest, or keep to a rate that it
			met */
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
	struct busy_sum crowded; /* workers that did, but often waited long for a core */
};

void busy_add(struct busy *b, const struct busy_worker *w);
/* Adds the sentence without a full stop, a message. Returns false if the processor did not limit the job. */
bool busy_message(const struct busy *b, struct strbuf *out);

#endif
