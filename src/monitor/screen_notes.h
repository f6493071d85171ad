/* screen_notes.h: what has happened in a run, for the screen: notes about the jobs, errors, lost workers, I/O
   that hangs. The oldest notes are dropped. */
#ifndef SCREEN_NOTES_H
#define SCREEN_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job;
struct plan;
struct run;

#define SCREEN_NOTES 8

/* What is known about one worker. */
struct worker_watch {
	uint64_t ios;      /* completed */
	uint64_t since_ns; /* when the first look saw this number */
	uint64_t hung_ns;  /* for how long its I/O has hung; 0: it does not hang */
	bool survived_error, ended;
};

struct screen_notes {
	char *line[SCREEN_NOTES]; /* owned; the newest is the last */
	size_t n;
	struct {
		const struct job *job;
		char text[450];
		unsigned clones;
	} last;                      /* the event of the newest line; job NULL: there was none */
	struct worker_watch *worker; /* by plan_job.index */
};

/* Returns false if memory is short. Call screen_notes_fini in any case. */
bool screen_notes_init(struct screen_notes *n, const struct plan *p);
void screen_notes_fini(struct screen_notes *n);
/* Looks at all workers; now: clock_ns(). */
void screen_notes_update(struct screen_notes *n, const struct run *r, uint64_t now);

#endif
