/* diskspd_progress.h: -P and -v of DISKSPD, on stderr: a dot after each N I/Os, those of the warm-up
   included, and a line at the beginning of each phase. */
#ifndef DISKSPD_PROGRESS_H
#define DISKSPD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct run;

struct diskspd_progress {
	uint64_t every; /* -P: number of I/Os for each dot; 0: no dots */
	uint64_t dots;  /* printed */
	bool verbose;   /* -v */
	uint32_t wave;
	unsigned lines; /* printed for this wave */
};

/* Prints what is due. */
void diskspd_progress_tick(struct diskspd_progress *p, const struct run *r);
/* Prints the last lines after the run. */
void diskspd_progress_end(struct diskspd_progress *p, const struct run *r);

#endif
