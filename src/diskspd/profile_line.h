/* profile_line.h: profile -> the shortest DISKSPD command line that means the same: options that differ from
   the defaults, then the paths, quoted where a shell or DISKSPD would split them. */
#ifndef DISKSPD_PROFILE_LINE_H
#define DISKSPD_PROFILE_LINE_H

#include "diag.h"
#include "profile.h"
#include "strbuf.h"

/* "diskspd -b4K ... a.dat b.dat" for one of p's spans, no newline. What a line cannot say (other spans,
   targets that differ from the first, weights, thread targets, pre-creation ...) goes to `lost`, which may be
   NULL. */
void ds_profile_line(const struct ds_profile *p, size_t span, struct strbuf *out, struct notes *lost);
/* Names that no quotes hold, of p's span. */
void ds_profile_line_unquotable(const struct ds_profile *p, size_t span, struct notes *lost);
/* Whether one line says all of p. */
bool ds_profile_line_fits(const struct ds_profile *p);

#endif
