/* run.h: runs the programs to compare and measures their cost. */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct bare_job;

struct bench {
	const char *fiord, *fio; /* fio: NULL if there is none */
	const char *device;      /* a block device that is only read; NULL: none */
	const char *dir;         /* directory of the test files; removed at the end */
	unsigned rounds;
	unsigned cut;              /* short mode: counts are divided by this */
	unsigned many;             /* jobs in the scenes with many */
	int cpu;                   /* CPU to which loops are pinned; -1: none */
	bool instructions, ratios; /* --no-instructions, --ratios */
};

/* The cost of a run: its whole process tree, from start to exit. */
struct outcome {
	double cpu_ns, wall_ns;
	uint64_t ios; /* from the result document; for a bare loop, the requested number */
	double iops;
	double peak_mib; /* resident, of the largest process */
};

/* Installs handlers: SIGINT and SIGTERM end the running program, and all later runs fail at once. */
void run_init(void);
bool run_stopped(void);
/* Runs `program args` and reads ios and iops from its document. Returns 0, or -EIO after printing the
   error. */
int run_program(const struct bench *b, const char *program, const char *args, struct outcome *o);
/* The same without a document. */
int run_plain(const struct bench *b, const char *program, const char *args, struct outcome *o);
int run_bare(const struct bench *b, const struct bare_job *j, struct outcome *o);
/* Returns the instructions that callgrind counts in the worker's process until its loop ends; 0 after a
   failure. */
uint64_t run_counted(const struct bench *b, const char *args, struct outcome *o);
/* Starts a program that the caller observes while it runs. Returns the pid, or -errno. */
pid_t run_start(const struct bench *b, const char *program, const char *args);
/* Ends the program as Ctrl-C does, and waits for it. */
void run_stop(pid_t pid);

#endif
