/* profile_check.h: the rules by which DISKSPD refuses a whole profile, from a command line or from XML.
   Pure. */
#ifndef DISKSPD_PROFILE_CHECK_H
#define DISKSPD_PROFILE_CHECK_H

#include "diag.h"
#include "profile.h"

struct ds_check_cfg {
	bool xml_names;       /* errors name elements ("<ThreadStride>") instead of flags ("-T") */
	bool allow_templates; /* templates such as *1 need no target yet: -Rp */
};

/* Checks the profile. Returns 0, or -EINVAL with d for the first broken rule, with its span and target if the
   profile has several. DISKSPD's warnings go to notes, which may be NULL. */
int ds_profile_check(const struct ds_check_cfg *c, const struct ds_profile *p, struct notes *notes,
		     struct diag *d);

/* Checks that a target of `size` bytes has room for a block at each thread's start. Returns 0, or -EINVAL
   with d of the kind DIAG_RUN, because DISKSPD finds out when it opens the target. */
int ds_profile_check_fit(const struct ds_span *s, const struct ds_target *t, uint64_t size, struct diag *d);

/* Returns the number of a template such as "*1"; 0: no template, -1: the path begins with * and is not a
   template. */
int ds_template_number(const char *path);

#endif
