/* scene.h: a scene is a task that fiord, a bare loop and fio do alike, with the figures to compare. */
#ifndef SCENE_H
#define SCENE_H

#include <stdio.h>
#include "bare.h"
#include "run.h"

enum who { WHO_FIORD, WHO_BARE, WHO_FIO, WHO_COUNT };
enum better { BETTER_NONE, BETTER_LOWER, BETTER_HIGHER };

#define FIGURES 2

struct figure {
	const char *label, *unit; /* label NULL: none */
	enum better better;
};

struct scene {
	const char *name;
	struct figure figure[FIGURES];
	/* Measures one round. v[i] stays NAN for a figure that does not exist. Returns 0 or -errno;
	   -ENOTSUP if this program cannot do the task. */
	int (*measure)(const struct bench *b, const struct scene *s, enum who who, double *v);
	/* Returns the reason why the scene cannot run on this machine, or NULL. */
	const char *(*unfit)(const struct bench *b, const struct scene *s);
	unsigned rounds_max; /* 0: the requested number */
	bool pinned;
	/* Inputs of measure. */
	struct bare_job job;
	const char *args, *args2;
};

struct section {
	const char *title;
	const struct scene *scenes; /* ends with a scene without a name */
};

extern const struct section section_io, section_rates, section_verify, section_start, section_memory,
	section_layout;

/* Measures the scenes whose names are listed (NULL: all), the programs in turn, and prints a table.
   Returns 0, or -EIO if a run failed. */
int section_run(const struct bench *b, const struct section *s, const char *only, FILE *out);
/* Prints a label; a # in it is the number of jobs. */
void scene_label(const struct bench *b, const char *label, FILE *out);
/* Whether `only` (comma-separated names, or NULL: all) lists the name, or its part before a '-'. */
bool section_wants(const char *only, const char *name);

#endif
