/* collect_split.h: latency_split: measures where the time of I/Os goes (split.h) while jobs run, and adds it
   to the result. */
#ifndef COLLECT_SPLIT_H
#define COLLECT_SPLIT_H

#include <stdint.h>

struct plan;
struct result;
struct result_job;
struct run;
struct split;

/* The caller zeroes it. */
struct run_split {
	struct split *split; /* NULL: no job asks for it, or it is not possible */
	char why[160];       /* why it is not possible; "" if it is */
	int no_counters;     /* errno: why no worker can count its instructions; 0: they can */
};

/* Starts to measure, before the first fork. Does nothing if no job has latency_split. */
void run_split_start(struct run_split *s, const struct plan *p);
/* Call it when a wave begins and its workers wait at their gates. */
void run_split_wave(struct run_split *s, const struct run *run, uint32_t wave);
/* After the run: adds the rows of each job, or a note that they are missing. */
void run_split_result(struct run_split *s, const struct plan *p, struct result *r);
void run_split_fini(struct run_split *s);

/* collect_split_notes.c: adds sentences to the notes of the job, where its rows show something: which part of
   the time is the largest, whether requests wait for the device, and who else used the disk. */
void collect_split_notes(struct result_job *job);

#endif
