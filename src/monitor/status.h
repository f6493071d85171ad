/* status.h: what is told of a run while it goes on: --status-interval, SIGUSR1, a dump-status file. Under its
   own name JSON has it in "status" of the one document; the other formats, and all of them in fio's name, are
   written at once. */
#ifndef STATUS_H
#define STATUS_H

#include "thinned.h"
#include "output_queue.h"
#include "run.h"

struct diskstat;

struct status {
	const struct run_opts *opts;
	const struct plan *plan;
	uint64_t next_ns;    /* of the interval; UINT64_MAX: not now */
	uint64_t look_ns;    /* for the file */
	struct thinned kept; /* of JSON */
	uint64_t skipped;    /* nobody read the output, or memory was short */
	uint64_t behind;     /* intervals that passed while the one before was told */
};

void status_init(struct status *s, const struct plan *p);
/* How often status_due has to be asked, for the file; */
#define STATUS_LOOK_NS 500000000u
/* and when for the interval: clock_ns(), 0: never. */
uint64_t status_next_ns(const struct status *s);
/* The first clock starts: from now on the interval counts. */
void status_begin(struct status *s, uint64_t now);
/* Who wants to know now ("interval", "signal", "file"); NULL: nobody. */
const char *status_due(struct status *s, struct run *r, uint64_t now);
/* Tells it: text goes to out. disks may be NULL. */
void status_take(struct status *s, struct run *r, const char *by, struct diskstat *disks,
		 struct output_queue *out);
/* What there is to say about them at the end. */
void status_notes(const struct status *s, struct notes *n);
void status_fini(struct status *s);

#endif
