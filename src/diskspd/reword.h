/* reword.h: what is said of the job that a line became -> in the words of whoever typed the line. Pure. */
#ifndef REWORD_H
#define REWORD_H

#include <stdbool.h>
#include "profile.h"

struct strbuf;

struct ds_reword {
	const struct ds_profile *profile; /* as run: its targets' names */
	const char *file;                 /* what the job's text is called in messages */
	enum ds_dialect dialect;
	int argc; /* the line's arguments */
	const char *const *argv;
	bool xml;  /* what they do not say is in a profile */
	bool many; /* several sections: which one is told */
};

/* What a flag ("-b") is called in a profile ("BlockSize"); NULL: nothing. */
const char *ds_element(const char *form);
/* Adds `text` to *out: "f line:12: [x]: cpus_allowed=63: no CPU 63" becomes "-a63: no CPU 63". An option of
   the job is told as the option of the line that it comes from (flags.h), as it was typed, or as the element
   of the profile. What has no counterpart stays what it is. */
void ds_reword(const struct ds_reword *r, const char *text, struct strbuf *out);

#endif
