/* profile_xml.h: profiles as XML. */
#ifndef DISKSPD_PROFILE_XML_H
#define DISKSPD_PROFILE_XML_H

#include "profile.h"
#include "diag.h"

/* xmlread.c: reads an XML profile (DISKSPD's -X) in UTF-8, or in UTF-16 with a byte order mark. Children
   of an element may stand in any order, each once. Refuses document types, and with them entities and
   external references, and profiles beyond the limits below (targets and thread targets of all time
   spans together). ds_profile_check checks the profile as a whole. */

#define XMLREAD_BYTES_MAX          (16u << 20)
#define XMLREAD_DEPTH_MAX          16u
#define XMLREAD_TARGETS_MAX        8192u
#define XMLREAD_THREAD_TARGETS_MAX 16384u

/* `name` is for errors ("prof.xml:12: <WriteRatio>101</WriteRatio>: a whole number from 0 to 100"). Elements
   of 2.3 are refused in older dialects. *p is overwritten; call ds_profile_fini in any case. Returns 0 or
   -errno with d. */
int ds_xmlread(struct ds_profile *p, const char *name, const char *text, size_t len, enum ds_dialect dialect,
	       struct diag *d);

/* xmlwrite.c: profile -> XML as DISKSPD's -Rpxml prints it: paths as given, all mandatory elements, and
   elements of 2.3 only if they are used. Unlike in DISKSPD, paths are escaped, so the result is always
   valid XML. Pure. */

struct strbuf;

/* Adds the profile with `indent` blanks before every line: 0, or 2 within <Results>. */
void ds_xmlwrite(const struct ds_profile *p, unsigned indent, struct strbuf *out);
/* Adds one line for each property of p that the XML cannot express, such as -Zr. */
void ds_xmlwrite_losses(const struct ds_profile *p, struct notes *lost);
/* Adds such lines as comments, which stand before the profile. */
void ds_xmlwrite_comments(const struct notes *lost, struct strbuf *out);

#endif
