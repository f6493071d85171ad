/* progress_meter.h: reads the progress of a run from the workers' slots. */
#ifndef PROGRESS_METER_H
#define PROGRESS_METER_H

#include <stdbool.h>
#include <stdint.h>
#include "report.h"
#include "run.h"

struct progress_meter {
	const struct plan *plan;
	uint64_t last_ns, last_ios[DIR_DATA], last_bytes[DIR_DATA];
	char *states; /* a letter for each worker */
};

/* Returns false if memory is short. */
bool progress_meter_init(struct progress_meter *m, const struct plan *p);
void progress_meter_fini(struct progress_meter *m);
/* Fills in *p except for its columns. Rates are those since the last call. p->states is valid until the next
   one. */
void progress_meter_read(struct progress_meter *m, const struct run *r, struct progress *p);

/* remaining_time.c: estimates how long a run still takes. */

/* Returns the seconds until the last wave ends, from run times and progress; -1 if it is unknown. */
double remaining_time_s(const struct run *r, uint64_t now);

#endif
