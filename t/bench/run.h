/* run.h: runs what is to be compared and tells what it cost. */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct bare_job;

struct bench {
	const char *fiord, *fio; /* fio: NULL if there is none */
	const char *dir;         /* where its files are; removed at the end */
	unsigned rounds;
	unsigned cut;              /* a short form: counts are divided by this */
	unsigned many;             /* jobs in the scenes with many */
	int cpu;                   /* to which loops are pinned, -1: to none */
	bool instructions, ratios; /* --no-instructions, --ratios */
};

/* What a run cost, its whole process tree, from start to exit. */
struct outcome {
	double cpu_ns, wall_ns;
	uint64_t ios; /* as the result says; of a bare loop, as it was asked for */
	double iops;
};

/* SIGINT and SIGTERM end what runs, and all that follows fails at once. */
void run_init(void);
bool run_stopped(void);
/* Runs `program args`, with a document from which ios and iops come. 0, or -EIO once it is said. */
int run_program(const struct bench *b, const char *program, const char *args, struct outcome *o);
/* The same without a document. */
int run_plain(const struct bench *b, const char *program, const char *args, struct outcome *o);
int run_bare(const struct bench *b, const struct bare_job *j, struct outcome *o);
/* Instructions that callgrind counts in the worker's process until its loop ends; 0 if it failed. */
uint64_t run_counted(const struct bench *b, const char *args, struct outcome *o);
/* For those that are looked at while they run. The pid, or -errno. */
pid_t run_start(const struct bench *b, const char *program, const char *args);
/* Ends it as Ctrl-C does, and waits. */
void run_stop(pid_t pid);

#endif
