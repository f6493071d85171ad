/* profile_text.h: the profile part of DISKSPD's text report ("Input parameters:"), in any of its layouts;
   also what -Rp prints. */
#ifndef DISKSPD_PROFILE_TEXT_H
#define DISKSPD_PROFILE_TEXT_H

#include "profile.h"
#include "strbuf.h"

/* From the empty line before "Command Line:" to the last target; ends in a newline. `command` is argv joined
   with blanks. */
void ds_profile_text(const struct ds_profile *p, const char *command, enum ds_layout layout,
		     struct strbuf *out);
/* "64KiB", "1.95MiB", "512": sizes as the whole report has them. */
void ds_profile_text_size(struct strbuf *out, uint64_t bytes);

#endif
