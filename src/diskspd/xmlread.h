/* xmlread.h: reads an XML profile (DISKSPD's -X) in UTF-8, or in UTF-16 with a byte order mark. Children
   of an element may stand in any order, each once. Refuses document types, and with them entities and
   external references, and profiles beyond the limits below (targets and thread targets of all time
   spans together). profile_check.h checks the profile as a whole. */
#ifndef DISKSPD_XMLREAD_H
#define DISKSPD_XMLREAD_H

#include "diag.h"
#include "profile.h"

#define XMLREAD_BYTES_MAX          (16u << 20)
#define XMLREAD_DEPTH_MAX          16u
#define XMLREAD_TARGETS_MAX        8192u
#define XMLREAD_THREAD_TARGETS_MAX 16384u

/* `name` is for errors ("prof.xml:12: <WriteRatio>101</WriteRatio>: a whole number from 0 to 100"). Elements
   of 2.3 are refused in older dialects. *p is overwritten; call ds_profile_fini in any case. Returns 0 or
   -errno with d. */
int ds_xmlread(struct ds_profile *p, const char *name, const char *text, size_t len, enum ds_dialect dialect,
	       struct diag *d);

#endif
