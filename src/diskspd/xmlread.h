/* xmlread.h: the text of an XML profile (DISKSPD's -X) -> struct ds_profile.

   Encodings are UTF-8 and UTF-16 with a byte order mark. A document type declaration, and with it every
   entity of its own and every external reference, is refused; so are text of more than XMLREAD_BYTES_MAX,
   elements deeper than XMLREAD_DEPTH_MAX, more than XMLREAD_TARGETS_MAX targets or XMLREAD_THREAD_TARGETS_MAX
   thread targets in all time spans. Children stand in any order, each at most once. What a profile may say as
   a whole is not judged here: profile_check.h. */
#ifndef DISKSPD_XMLREAD_H
#define DISKSPD_XMLREAD_H

#include "diag.h"
#include "profile.h"

#define XMLREAD_BYTES_MAX          (4u << 20)
#define XMLREAD_DEPTH_MAX          16u
#define XMLREAD_TARGETS_MAX        1024u
#define XMLREAD_THREAD_TARGETS_MAX 4096u

/* `name` is for errors ("prof.xml:12: <WriteRatio>101</WriteRatio>: a whole number from 0 to 100"). Elements
   of 2.3 are refused in dialects before it. *p is overwritten; ds_profile_fini() it in any case. 0 or -errno.
 */
int ds_xmlread(struct ds_profile *p, const char *name, const char *text, size_t len, enum ds_dialect dialect,
	       struct diag *d);

#endif
