/* hint.h: errors and notes with a hint, for arguments that DISKSPD refuses or that the user probably
   meant otherwise. */
#ifndef DISKSPD_HINT_H
#define DISKSPD_HINT_H

#include <stddef.h>

struct ds_parse;

/* Refuses an argument that begins with a dash and is not an option of the dialect. Returns -EINVAL. */
int hint_unknown(struct ds_parse *p, const char *arg);
/* Refuses the current option because it stands after a target. Returns -EINVAL. */
int hint_after_target(struct ds_parse *p);
/* Refuses the current target if it can only be a mistyped option (-EINVAL), or adds a note if it may be
   one (0). */
int hint_target(struct ds_parse *p);

/* Returns the length of the typographic dash at the beginning of the word; 0: none. */
size_t hint_dash_len(const char *word);

#endif
