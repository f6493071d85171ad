/* presets.h: the job files of jobs/, which are compiled in, and notes on how to read their reports. */
#ifndef PRESETS_H
#define PRESETS_H

/* The table that presettext.py generates from jobs/. */
struct preset_text {
	const char *name; /* "desktop" for jobs/desktop.ini */
	const char *text; /* the whole file */
};

extern const struct preset_text preset_texts[]; /* sorted; ends with a NULL name */

struct result;

struct preset {
	const char *name;
	const char *title;              /* its line in the list */
	const char *reading;            /* sentences: the figure that counts in the report, and its meaning */
	void (*judge)(struct result *); /* adds notes on the figures; NULL: none */
};

extern const struct preset presets[]; /* ends with a NULL name */

/* Return NULL if there is none of this name. */
const struct preset *preset_find(const char *name);
const char *preset_text(const char *name);
/* Returns the name that is spelled most like this one, or NULL. */
const char *preset_nearest(const char *name);

/* disk_check.c: compares the figures of the preset disk with those of its class. */
void preset_check_disk(struct result *r);

#endif
