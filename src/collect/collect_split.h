/* collect_split.h: latency_split: measures where the time of I/Os goes (split.h) while jobs run, and adds it
   to the result. */
#ifndef COLLECT_SPLIT_H
#define COLLECT_SPLIT_H

#include <stdint.h>

struct plan;
struct result;
struct result_job;
struct result_split;
struct run;
struct split;
struct split_course;
struct split_key;

/* The caller zeroes it. */
struct run_split {
	struct split *split;         /* NULL: no job asks for it, or it is not possible */
	struct split_course *course; /* NULL: memory is short */
	char why[160];               /* why it is not possible; "" if it is */
	int no_counters;             /* errno: why no worker can count its instructions; 0: they can */
};

/* Starts to measure, before the first fork. Does nothing if no job has latency_split. */
void run_split_start(struct run_split *s, const struct plan *p);
/* Call it when a wave begins and its workers wait at their gates. */
void run_split_wave(struct run_split *s, const struct run *run, uint32_t wave);
/* Returns the time at which run_split_tick must be called next; 0: it need not. */
uint64_t run_split_due_ns(const struct run_split *s);
void run_split_tick(struct run_split *s);
/* After the run: adds the rows of each job, or a note that they are missing. */
void run_split_result(struct run_split *s, const struct plan *p, struct result *r);
void run_split_fini(struct run_split *s);

/* collect_split_notes.c: adds sentences to the notes of the job, where its rows show something: which part of
   the time is the largest, whether requests wait for the device, and who else used the disk. */
void collect_split_notes(struct result_job *job);

/* collect_split_course.c: the times on the device in each interval of the run. The intervals become longer so
   that there are few of them. */

/* Returns NULL if memory is short. */
struct split_course *split_course_new(const struct plan *p);
void split_course_free(struct split_course *c); /* accepts NULL */
/* The first call begins the first interval. */
void split_course_begin(struct split_course *c, uint64_t now);
/* Returns the end of the current interval; 0: none has begun. */
uint64_t split_course_due_ns(const struct split_course *c);
/* Reads the times of the intervals that have ended. */
void split_course_tick(struct split_course *c, const struct split *split, uint64_t now);
/* Reads those of the last one, after the programs have stopped. */
void split_course_end(struct split_course *c, const struct split *split);
/* Adds the intervals of this key to its row. */
void split_course_result(const struct split_course *c, const struct split_key *key, struct result *r,
			 struct result_split *row);

#endif
