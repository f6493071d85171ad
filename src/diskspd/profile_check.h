/* profile_check.h: what DISKSPD refuses of a whole profile, whoever wrote it: a command line or an XML
 * profile. */
#ifndef DISKSPD_PROFILE_CHECK_H
#define DISKSPD_PROFILE_CHECK_H

#include "diag.h"
#include "profile.h"

struct ds_check_cfg {
	enum ds_dialect dialect;
	bool xml_names;       /* name things as the XML does ("ThreadStride"), not as the line does ("-T") */
	bool allow_templates; /* *1 may stand as it is: -Rp, or a profile whose targets are still to be filled
				 in */
};

/* 0, or -errno with d telling the first rule that is broken (and in which span and target, when there are
   several). What DISKSPD only warns of goes to notes (may be NULL). */
int ds_profile_check(const struct ds_check_cfg *c, const struct ds_profile *p, struct notes *notes,
		     struct diag *d);

/* Whether the target, being `size` bytes long, has room for a block at every thread's start. 0, or -errno
   with d of the kind DIAG_RUN: DISKSPD finds out when it opens it. */
int ds_profile_check_fit(const struct ds_span *s, const struct ds_target *t, uint64_t size, struct diag *d);

/* "*1": the number of a template target; 0: no template; -1: begins with * but is none. */
int ds_template_number(const char *path);

#endif
