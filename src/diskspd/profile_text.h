/* profile_text.h: the profile in DISKSPD's text report ("Input parameters:"), in any of its layouts; -Rp
   prints the same. Pure. */
#ifndef DISKSPD_PROFILE_TEXT_H
#define DISKSPD_PROFILE_TEXT_H

#include "profile.h"

struct strbuf;

/* Adds everything from the empty line before "Command Line:" to the empty line behind the last time span.
   `command` is argv joined with blanks. */
void ds_profile_text(const struct ds_profile *p, const char *command, enum ds_layout layout,
		     struct strbuf *out);
/* Adds a size as the whole report prints sizes: "64KiB", "1.95MiB", "512". */
void ds_profile_text_size(struct strbuf *out, uint64_t bytes);

#endif
