/* hint.h: what to say to somebody whose line DISKSPD would not understand, or not as it was meant. */
#ifndef DISKSPD_HINT_H
#define DISKSPD_HINT_H

#include <stddef.h>

struct ds_parse;

/* An argument that begins with - and is no option of the dialect. */
int hint_unknown(struct ds_parse *p, const char *arg);
/* An option (the one being read) behind a target. */
int hint_after_target(struct ds_parse *p);
/* The target being read: refused when it can only be an option gone wrong, a note when it may be. */
int hint_target(struct ds_parse *p);

/* The length of a typographic dash that the word begins with; 0: none. */
size_t hint_dash_len(const char *word);

#endif
