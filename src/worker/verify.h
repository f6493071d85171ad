/* verify.h: verification in a worker. It numbers the writes and makes their blocks (verify_writes.h), reads
   them back once the job has written (verify_phase.h, verify_reads.h), and checks them (verify_checks.h). A
   job that does not verify has a NULL pointer here.

   Damage is counted and described in the slot (region_verify.h); the job goes on to the last block unless
   verify_fatal is set, and then fails with EILSEQ. An I/O that failed, was not submitted or overlapped with
   another one in flight leaves its block uncertain: such a block is never called damaged. */
#ifndef WORKER_VERIFY_H
#define WORKER_VERIFY_H

#include <stdbool.h>

struct worker;

/* Sets w->verify up if the job verifies, or writes blocks that can be verified. Call it once source and queue
   are set up. Returns false after clone_fail. */
bool verify_init(struct worker *w);
void verify_fini(struct worker *w);
/* Handles the n I/Os of w->q.reaped after they were accounted for: notes writes and trims that completed, and
   checks blocks that were read. */
void verify_after_batch(struct worker *w, unsigned n);

#endif
