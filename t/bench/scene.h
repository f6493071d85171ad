/* scene.h: something that fiord, a bare loop and fio do alike, and what of it is compared. */
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
	/* One round. v[i] stays NAN where there is no such figure. 0 or -errno; -ENOTSUP: has no such. */
	int (*measure)(const struct bench *b, const struct scene *s, enum who who, double *v);
	/* Why it cannot be done here, or NULL. */
	const char *(*unfit)(const struct bench *b, const struct scene *s);
	unsigned rounds_max; /* 0: as many as were asked for */
	bool pinned;
	/* What measure makes of these is its own affair. */
	struct bare_job job;
	const char *args, *args2;
};

struct section {
	const char *title;
	const struct scene *scenes; /* the last one has no name */
};

extern const struct section section_io, section_rates, section_start, section_memory, section_layout;

/* Measures the scenes whose names are listed (NULL: all), in turn who by who, and prints a table of them. 0,
   or -EIO if a run failed. */
int section_run(const struct bench *b, const struct section *s, const char *only, FILE *out);
/* Prints a label; a # in it is the number of jobs. */
void scene_label(const struct bench *b, const char *label, FILE *out);
/* Whether `only` (names with commas between, or NULL: all) lists the name, or what stands before a - in it.
 */
bool section_wants(const char *only, const char *name);

#endif
